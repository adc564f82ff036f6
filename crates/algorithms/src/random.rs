//! Pseudo-random numbers that are the same on every machine.

/// A SplitMix64 generator.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        let number = split_mix(self.0);
        self.0 = self.0.wrapping_add(1);
        number
    }

    /// Returns a random number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Returns a random number from 0 to 1, without 1.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the numbers below `len` in an order that depends on the seed (Fisher and Yates).
pub(crate) fn shuffled(len: usize, seed: u64) -> Box<[usize]> {
    let mut random = Random::new(split_mix(seed));
    let mut numbers: Box<[usize]> = (0..len).collect();
    for last in (1..len).rev() {
        numbers.swap(last, random.below(last + 1));
    }
    numbers
}

/// Computes the output of the SplitMix64 generator for the state after `seed` steps from 0.
pub(crate) fn split_mix(seed: u64) -> u64 {
    let state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_all_numbers_and_depends_on_the_seed() {
        let mut one = shuffled(100, 1).to_vec();
        assert_ne!(one, shuffled(100, 2).to_vec());
        assert_eq!(one, shuffled(100, 1).to_vec());
        one.sort_unstable();
        assert!(one.into_iter().eq(0..100));
    }
}
