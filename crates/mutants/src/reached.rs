//! Reads the record of the switches that a run has passed, which tells what code it has executed. A program with switches writes
//! it to the file that [`REACHED_VARIABLE`] names: four bytes for each switch, least significant first, when it is passed for the
//! first time. So a program that aborts has written what it passed.

use crate::mutant::MutantId;
use std::collections::BTreeSet;

/// The environment variable with the number of the mutant that is switched on. Without it, or with 0, none is.
pub const MUTANT_VARIABLE: &str = "CARGO_REDUCE_MUTANT";

/// The environment variable with the path of the file to which a run appends the switches that it passes.
pub const REACHED_VARIABLE: &str = "CARGO_REDUCE_MUTANTS_REACHED";

/// Reads the numbers of all switches that a run has passed from its record. A number that was cut off by the end of the program
/// is left out; several processes may have written the same number.
#[must_use]
pub fn reached(record: &[u8]) -> BTreeSet<MutantId> {
    numbers(record).collect()
}

/// Returns, of the switches that `is_meant` accepts, the one that a run was last to pass for the first time.
#[must_use]
pub fn last_reached(record: &[u8], is_meant: impl Fn(MutantId) -> bool) -> Option<MutantId> {
    let mut known = BTreeSet::new();
    let new = numbers(record).filter(|&id| known.insert(id));
    new.filter(|&id| is_meant(id)).last()
}

fn numbers(record: &[u8]) -> impl Iterator<Item = MutantId> {
    let (numbers, _) = record.as_chunks::<4>();
    let numbers = numbers.iter().copied();
    numbers.map(|bytes| MutantId(u32::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_in_any_order_and_may_be_cut_off() {
        let record = [2, 1, 0, 0, 7, 0, 0, 0, 2, 1, 0, 0, 9, 0];
        assert_eq!(
            reached(&record),
            BTreeSet::from([MutantId(7), MutantId(258)])
        );
        assert_eq!(reached(&[]), BTreeSet::new());
    }

    #[test]
    fn what_was_passed_before_is_not_the_last_that_was_reached() {
        let record = [3, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0];
        assert_eq!(last_reached(&record, |_| true), Some(MutantId(5)));
        assert_eq!(
            last_reached(&record, |id| id != MutantId(5)),
            Some(MutantId(7))
        );
        assert_eq!(last_reached(&record, |_| false), None);
    }
}
