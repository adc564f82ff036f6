//! Chooses the tests of a target that are run under a mutant: those that come to its place in the code, without the few
//! that take most of the time.
//!
//! See docs/decisions/other-tests.md.

use reduce_mutants::MutantId;
use reduce_oracle::TimeSpent;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The longest time that the chosen tests may take together; at least one stays.
const TOGETHER: Duration = Duration::from_millis(300);
/// The longest time that short tests may take together. While the switches are recorded that they pass, they take several times
/// as long as without.
const SHORT_TOGETHER: Duration = Duration::from_secs(2);
/// The longest time of a test that counts as short.
const SHORT: Duration = Duration::from_millis(20);

/// Tests that pass, by their names.
#[derive(Debug, Default)]
pub(crate) struct QuickTests(BTreeMap<String, OneTest>);

/// A test that was run alone.
#[derive(Debug)]
struct OneTest {
    spent: TimeSpent,
    /// The mutants whose places in the code the test runs through.
    reached: BTreeSet<MutantId>,
}

/// The tests that come to the place of a mutant, so that it may change their outcome.
#[derive(Debug)]
pub(crate) struct Reaching<'t> {
    pub(crate) names: Vec<&'t str>,
    /// The time of all these tests, one after the other.
    pub(crate) spent: TimeSpent,
}

impl QuickTests {
    pub(crate) fn add(&mut self, name: String, spent: TimeSpent, reached: BTreeSet<MutantId>) {
        self.0.insert(name, OneTest { spent, reached });
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the time of all tests, one after the other.
    pub(crate) fn spent(&self) -> TimeSpent {
        sum(self.0.values())
    }

    pub(crate) fn retain(&mut self, passing: &BTreeSet<String>) {
        self.0.retain(|name, _| passing.contains(name));
    }

    /// Leaves out the slowest tests, until the others are quick enough together. The few tests that try all values take most
    /// of the time of a library's tests.
    pub(crate) fn leave_out_slow(&mut self) {
        // The time of the process itself counts only once where the tests are run together.
        let times = self.0.values().map(|one| time(one.spent));
        let shortest = times.min().unwrap_or_default();
        let mut by_time: Vec<_> = self.0.iter().collect();
        by_time.sort_by_key(|(name, one)| (time(one.spent), *name));
        let mut together = shortest;
        let quick = by_time
            .into_iter()
            .enumerate()
            .take_while(|(idx, (_, one))| {
                together += time(one.spent) - shortest;
                let most = match time(one.spent) <= SHORT {
                    true => SHORT_TOGETHER,
                    false => TOGETHER,
                };
                *idx == 0 || together <= most
            });
        let quick = quick.map(|(_, (name, _))| name.clone()).collect();
        self.retain(&quick);
    }

    /// Returns the tests that come to the place of a mutant in the code.
    pub(crate) fn reaching(&self, id: MutantId) -> Reaching<'_> {
        let reaching = || self.0.iter().filter(|(_, one)| one.reached.contains(&id));
        Reaching {
            names: reaching().map(|(name, _)| name.as_str()).collect(),
            spent: sum(reaching().map(|(_, one)| one)),
        }
    }
}

/// Returns the part of a run's time that does not depend on other processes of the machine.
pub(crate) fn time(spent: TimeSpent) -> Duration {
    spent.running + spent.asleep
}

fn sum<'t>(tests: impl Iterator<Item = &'t OneTest>) -> TimeSpent {
    tests.fold(TimeSpent::default(), |all, one| TimeSpent {
        running: all.running + one.spent.running,
        asleep: all.asleep + one.spent.asleep,
        ..all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes tests that take so many milliseconds, and reach so many mutants, those with the lowest
    /// numbers.
    fn tests(all: &[(&str, u64, u32)]) -> QuickTests {
        let mut tests = QuickTests::default();
        for (name, milliseconds, n_reached) in all {
            let spent = TimeSpent {
                running: Duration::from_millis(*milliseconds),
                ..TimeSpent::default()
            };
            let reached = (1..=*n_reached).map(MutantId).collect();
            tests.add((*name).to_owned(), spent, reached);
        }
        tests
    }

    #[track_caller]
    fn check_quick(all: &[(&str, u64)], expected: &[&str]) {
        let all: Vec<_> = all.iter().map(|(name, time)| (*name, *time, 0)).collect();
        let mut tests = tests(&all);
        tests.leave_out_slow();
        assert_eq!(tests.names().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_slowest_tests_are_left_out() {
        check_quick(&[("a", 900), ("b", 5), ("c", 200), ("d", 300)], &["b", "c"]);
        check_quick(&[("a", 2), ("b", 3)], &["a", "b"]);
    }

    #[test]
    fn many_short_tests_stay() {
        let names: Vec<String> = (100..250).map(|number| format!("test_{number}")).collect();
        let short = names.iter().map(|name| (name.as_str(), 12));
        let others = [("empty", 2), ("slow", 30)];
        let all: Vec<_> = others.into_iter().chain(short).collect();
        let short = names.iter().map(String::as_str);
        let expected: Vec<&str> = std::iter::once("empty").chain(short).collect();
        check_quick(&all, &expected);
    }

    #[test]
    fn the_quickest_stays_however_long_it_takes() {
        check_quick(&[("a", 900), ("b", 800)], &["b"]);
        check_quick(&[], &[]);
    }

    #[test]
    fn what_each_process_takes_counts_once() {
        let names: Vec<String> = (10..90).map(|number| format!("test_{number}")).collect();
        let all: Vec<_> = names.iter().map(|name| (name.as_str(), 5)).collect();
        let all_names: Vec<&str> = names.iter().map(String::as_str).collect();
        check_quick(&all, &all_names);
    }

    #[test]
    fn a_mutant_is_tried_on_the_tests_that_reach_it() {
        let tests = tests(&[("a", 10, 1), ("b", 20, 2), ("c", 30, 3)]);
        let check = |id, expected: &[&str], milliseconds| {
            let reaching = tests.reaching(MutantId(id));
            assert_eq!(reaching.names, expected);
            assert_eq!(time(reaching.spent), Duration::from_millis(milliseconds));
        };
        check(1, &["a", "b", "c"], 60);
        check(3, &["c"], 30);
        check(4, &[], 0);
    }
}
