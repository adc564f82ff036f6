//! Fingerprints of sets of list elements, after Zobrist: each element has a random-looking 128-bit
//! number, a set has the exclusive-or of its elements' numbers.
//!
//! The fingerprint of a list without a run is that of the list xor that of the run, so a
//! candidate is recognised in constant time, without looking at its elements. Two different sets
//! share a fingerprint with a probability of about 2^-128; the search would then skip a candidate.

use crate::random::split_mix;
use std::hash::{BuildHasherDefault, Hasher};

/// The fingerprint of a set of elements; the empty set has [`EMPTY`].
pub(crate) type Fingerprint = u128;

/// The fingerprint of the empty set.
pub(crate) const EMPTY: Fingerprint = 0;

/// Returns the fingerprint of the set that has only `element`.
pub(crate) fn of_element(element: usize) -> Fingerprint {
    let seed = (element as u64).wrapping_mul(2);
    u128::from(split_mix(seed)) << 64 | u128::from(split_mix(seed.wrapping_add(1)))
}

/// Makes [`FingerprintHasher`]s.
pub(crate) type BuildFingerprintHasher = BuildHasherDefault<FingerprintHasher>;

/// A hasher that takes the lower half of a fingerprint as its hash, which is random enough already.
#[derive(Debug, Default)]
pub(crate) struct FingerprintHasher(u64);

impl Hasher for FingerprintHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn elements_have_different_fingerprints_in_both_halves() {
        let all: Vec<Fingerprint> = (0..10_000).map(of_element).collect();
        let low: HashSet<u64> = all.iter().map(|fingerprint| *fingerprint as u64).collect();
        let high: HashSet<u64> = all
            .iter()
            .map(|fingerprint| (fingerprint >> 64) as u64)
            .collect();
        assert_eq!((low.len(), high.len()), (10_000, 10_000));
    }
}
