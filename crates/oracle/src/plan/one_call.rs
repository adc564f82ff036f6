//! Flags that one of two compiler calls has and the other has not. The arguments of a plan are those of the second call,
//! so what is kept here is what the first has besides, and which of the second's it does not have.

use super::Plan;
use crate::compiler::args::{self, ArgGroup};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The options that do not count as differences of two calls: those that cargo passes for its own purposes, and those for
/// what is linked.
const OF_CARGO: [&str; 5] = [
    "--cap-lints",
    "--check-cfg",
    "--crate-name",
    "--extern",
    "-L",
];
/// The option that the first call gets where only the second one names an edition: the first edition.
const USUAL_EDITION: &str = "--edition=2015";

/// Flags of one of two calls, each with its value as the compiler takes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagsOfOneCall {
    /// The flags of the first call alone.
    #[serde(default)]
    pub before: Vec<String>,
    /// The flags of the second call alone.
    #[serde(default)]
    pub after: Vec<String>,
}

impl FlagsOfOneCall {
    /// Whether both calls have the same flags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Returns the flags in which two calls of one crate differ.
    pub(crate) fn between(before: &[String], after: &[String]) -> Self {
        let [before, after] = [before, after].map(args::without_output);
        let missing = |from: &[String], other: &[String]| {
            let known = args::groups(other);
            let is_own = |group: &ArgGroup| {
                let is_noise = OF_CARGO.contains(&group.name.as_str())
                    || ["metadata", "extra-filename"]
                        .iter()
                        .any(|option| group.is_codegen(option));
                !group.is_root() && !is_noise && !says(&known, group)
            };
            words(from, is_own)
        };
        Self {
            before: missing(&before, &after),
            after: missing(&after, &before),
        }
    }

    /// Appends the flags of another list to these.
    pub(crate) fn and(&self, more: &Self) -> Self {
        Self {
            before: args::with_more(&self.before, &more.before),
            after: args::with_more(&self.after, &more.after),
        }
    }

    /// Gives the second of two compiler calls, which has these arguments until now, its own flags. Returns its arguments,
    /// and the flags that each call has alone then: a flag that the second one had already is one of both.
    pub(crate) fn given_to(&self, args: &[String]) -> (Vec<String>, Self) {
        let known = args::groups(args);
        let (before, after) = (
            args::without_output(&self.before),
            args::without_output(&self.after),
        );
        let is_new = |group: &ArgGroup| !says(&known, group);
        let after = words(&after, is_new);
        let own: BTreeSet<String> = names(&before);
        let replaced: BTreeSet<String> = names(&after);
        let mut first = words(args, |group| {
            group.is_single() && replaced.contains(&group.name) && !own.contains(&group.name)
        });
        let is_edition = |names: &BTreeSet<String>| names.contains("--edition");
        if is_edition(&replaced) && !is_edition(&own) && !is_edition(&names(args)) {
            first.push(USUAL_EDITION.to_owned());
        }
        first.extend(before);
        let given = args::with_more(args, &after);
        let own = Self {
            before: first,
            after,
        };
        (given, own)
    }

    /// Returns the arguments of the first of two compiler calls, made from those of the second.
    pub(crate) fn first_args(&self, args: &[String]) -> Vec<String> {
        let others = self.groups_of_second();
        let groups = args::groups(args).into_iter();
        let dropped: Vec<_> = groups.filter(|group| says(&others, group)).collect();
        args::with_more(&args::without(args, &dropped), &self.before)
    }

    /// Whether a flag of the second of two compiler calls is one that the first call does not have.
    #[must_use]
    pub fn is_of_second(&self, group: &ArgGroup) -> bool {
        says(&self.groups_of_second(), group)
    }

    /// Returns the flags that only one of two compiler calls has, without editions: those of the first, and those of the
    /// second.
    #[must_use]
    pub fn besides_editions(&self) -> [Vec<String>; 2] {
        let is_other = |group: &ArgGroup| group.name != "--edition";
        [&self.before, &self.after].map(|args| words(args, is_other))
    }

    /// Returns the number of flags that the first call has alone.
    #[must_use]
    pub fn n_first(&self) -> usize {
        args::groups(&self.before).len()
    }

    /// Returns the flags that the second call has alone.
    #[must_use]
    pub fn groups_of_second(&self) -> Vec<ArgGroup> {
        args::groups(&self.after)
    }

    /// Returns the names that `--cfg` sets for one of the calls.
    #[must_use]
    pub fn configured_names(&self) -> BTreeSet<String> {
        let both = [&self.before, &self.after];
        let groups = both.into_iter().flat_map(|args| args::groups(args));
        let cfgs = groups.filter(|group| group.name == "--cfg");
        let name = |group: ArgGroup| {
            group
                .value
                .split('=')
                .next()
                .map(|name| name.trim().to_owned())
        };
        cfgs.filter_map(name).collect()
    }
}

/// The flags of one of two calls that are to be removed or shared, by their places in a list: first the flags of the first
/// call, then those of the second.
#[derive(Debug, Clone, Copy)]
pub struct FewerDifferences<'a> {
    /// Flags of the first call that are left out.
    pub left_out: &'a [usize],
    /// Flags that both calls get.
    pub shared: &'a [usize],
}

impl Plan {
    /// Returns the flags that one of two calls has and the other has not; none where one call is made.
    #[must_use]
    pub fn flags_of_one_call(&self) -> FlagsOfOneCall {
        let flags = self.run_policy.check.flags_of_one_call();
        flags.cloned().unwrap_or_default()
    }

    /// Returns the plan with two calls that differ in fewer flags. A flag that the second call has left out is no
    /// difference any more.
    #[must_use]
    pub fn with_fewer_differences(&self, fewer: FewerDifferences<'_>) -> Self {
        let flags = self.flags_of_one_call();
        if flags.is_empty() {
            return self.clone();
        }
        let n_first = flags.n_first();
        let of = |args: &[String], first: usize, is_wanted: &dyn Fn(usize) -> bool| {
            let groups = args::groups(args).into_iter().enumerate();
            let wanted = groups.filter(|(idx, _)| is_wanted(first + idx));
            let wanted = wanted.flat_map(|(_, group)| args[group.range].to_vec());
            wanted.collect::<Vec<String>>()
        };
        let is_left_out = |idx: usize| fewer.left_out.contains(&idx);
        let is_shared = |idx: usize| fewer.shared.contains(&idx) && !is_left_out(idx);
        let differs = |idx: usize| !is_shared(idx) && !is_left_out(idx);
        let to_both = of(&flags.before, 0, &is_shared);
        let mut plan = self.with_args(args::with_more(&self.call.args, &to_both));
        plan.call.edition = args::edition(&plan.call.args);
        let there = args::groups(&plan.call.args);
        let after = of(&flags.after, n_first, &differs);
        let left = FlagsOfOneCall {
            before: of(&flags.before, 0, &differs),
            after: words(&after, |group| says(&there, group)),
        };
        match self.run_policy.check.with_flags_of_one_call(left) {
            Some(check) => plan.checked(check),
            None => plan,
        }
    }
}

/// Whether one of the groups is the same option with the same value.
fn says(groups: &[ArgGroup], wanted: &ArgGroup) -> bool {
    groups.iter().any(|group| group.says_the_same_as(wanted))
}

/// Returns the arguments of those groups of a list that are wanted.
fn words(args: &[String], mut is_wanted: impl FnMut(&ArgGroup) -> bool) -> Vec<String> {
    let groups = args::groups(args).into_iter();
    let wanted = groups.filter(|group| is_wanted(group));
    wanted
        .flat_map(|group| args[group.range].to_vec())
        .collect()
}

fn names(args: &[String]) -> BTreeSet<String> {
    args::groups(args)
        .into_iter()
        .map(|group| group.name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    fn flags(before: &str, after: &str) -> FlagsOfOneCall {
        FlagsOfOneCall {
            before: split(before),
            after: split(after),
        }
    }

    #[track_caller]
    fn check(given: FlagsOfOneCall, args: &str, first: &str, second: &str) {
        let (args, own) = given.given_to(&split(args));
        assert_eq!(args.join(" "), second);
        assert_eq!(own.first_args(&args).join(" "), first);
    }

    #[test]
    fn each_call_gets_its_own_flags() {
        check(
            flags("-C debuginfo=2", "-C save-temps -O"),
            "a.rs -g",
            "a.rs -g -C debuginfo=2",
            "a.rs -g -C save-temps -O",
        );
        check(flags("", "-g -O"), "a.rs -g", "a.rs -g", "a.rs -g -O");
    }

    #[test]
    fn an_option_with_one_value_takes_the_place_of_the_common_one() {
        let args = "a.rs --edition=2018";
        let later = "a.rs --edition 2021";
        check(flags("", "--edition 2021"), args, args, later);
        check(flags("--edition 2021", ""), args, later, args);
        check(
            flags("", "--edition 2021"),
            "a.rs",
            "a.rs --edition=2015",
            later,
        );
        check(
            flags("--edition=2018", "--edition 2021"),
            "a.rs --edition=2015",
            args,
            later,
        );
    }

    #[test]
    fn calls_of_cargo_differ_in_what_is_none_of_its_own_business() {
        let before = "--crate-name a src/lib.rs --warn=dead_code --edition=2021 -C metadata=1 --check-cfg 'cfg(a)' \
                      --out-dir /a -C incremental=/i --extern b=/libb.rmeta";
        let after = "--crate-name a src/lib.rs --edition=2024 -C metadata=2 --check-cfg 'cfg(b)' -C debuginfo=1 \
                     --out-dir /b -C incremental=/j --extern b=/libb-2.rmeta";
        let found = FlagsOfOneCall::between(&split(before), &split(after));
        let expected = flags(
            "--warn=dead_code --edition=2021",
            "--edition=2024 -C debuginfo=1",
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_one_call_are_known() {
        let flags = flags("--cfg a", "--cfg 'feature=\"b\"' -O");
        let names = flags.configured_names();
        assert_eq!(
            names,
            BTreeSet::from(["a".to_owned(), "feature".to_owned()])
        );
        assert_eq!((flags.n_first(), flags.groups_of_second().len()), (1, 2));
    }
}
