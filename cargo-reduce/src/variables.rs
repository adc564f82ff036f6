//! Variables that look like ours and are none: mostly one that is not spelled as its flag.

use crate::args::variable_names;
use crate::command::simulated;
use crate::completion;
use crate::context::Context;

/// The beginning of the names of our variables.
const PREFIX: &str = "CARGO_REDUCE_";
/// Environment variables of ours that do not stand for a flag: the place where everything of ours lives, and those for
/// our own processes.
const OTHERS: [&str; 11] = [
    "CARGO_REDUCE_HOME",
    "CARGO_REDUCE_CAPTURE",
    completion::VARIABLE,
    simulated::VARIABLE,
    "CARGO_REDUCE_RUSTC_ARGS",
    "CARGO_REDUCE_DEADLINE",
    "CARGO_REDUCE_KEEPER",
    "CARGO_REDUCE_WARM_SOCKET",
    "CARGO_REDUCE_WARM_ROOT",
    "CARGO_REDUCE_WARM_PROGRAM",
    "CARGO_REDUCE_WARM_PAGES",
];
/// The largest number of letters in which an unknown variable's name may differ from the known one that is suggested.
const MOST_DIFFERENCES: usize = 3;

/// Returns a warning for each environment variable that begins as ours do (`CARGO_REDUCE_`) and that we do not know.
pub(crate) fn warnings(context: &Context) -> Vec<String> {
    let known = variable_names();
    let is_known = |name: &str| OTHERS.contains(&name) || known.iter().any(|one| one == name);
    let names = context.vars.keys();
    let unknown = names.filter(|name| name.starts_with(PREFIX) && !is_known(name));
    unknown.map(|name| warning(name, &known)).collect()
}

/// Returns the values of all variables of ours.
pub(crate) fn values(context: &Context) -> impl Iterator<Item = &str> {
    let ours = context.vars.iter();
    let ours = ours.filter(|(name, _)| name.starts_with(PREFIX));
    ours.map(|(_, value)| value.as_str())
}

fn warning(name: &str, known: &[String]) -> String {
    let start = format!("the variable `{name}` is ignored: no flag has this name");
    match nearest(name, known) {
        Some(meant) => format!("{start}; `{meant}` is one"),
        None => format!("{start}; `cargo reduce --help` lists the flags"),
    }
}

/// Returns the known variable that is spelled most like an unknown one, if it is similar enough.
fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let others = known
        .iter()
        .map(String::as_str)
        .chain(["CARGO_REDUCE_HOME"]);
    let distances = others.map(|other| (differences(name, other), other));
    let (distance, other) = distances.min()?;
    (distance <= MOST_DIFFERENCES).then_some(other)
}

/// Returns the number of letters that must be inserted, deleted or replaced (Levenshtein).
fn differences(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (idx, d) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(c != *d);
            diagonal = row[idx + 1];
            row[idx + 1] = replaced.min(row[idx] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &[&str]) {
        let context = Context {
            cwd: "/crate".into(),
            vars: [(name.to_owned(), "1".to_owned())].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        assert_eq!(warnings(&context), expected);
    }

    #[test]
    fn a_variable_of_no_flag_is_warned_of_with_the_one_that_was_meant() {
        check(
            "CARGO_REDUCE_JOPS",
            &[
                "the variable `CARGO_REDUCE_JOPS` is ignored: no flag has this name; \
               `CARGO_REDUCE_JOBS` is one",
            ],
        );
        check(
            "CARGO_REDUCE_COLOUR_OF_THE_SKY",
            &[
                "the variable `CARGO_REDUCE_COLOUR_OF_THE_SKY` is ignored: no flag has this name; \
               `cargo reduce --help` lists the flags",
            ],
        );
    }

    #[test]
    fn variables_of_flags_and_our_own_are_known() {
        for name in variable_names() {
            check(&name, &[]);
        }
        for name in OTHERS {
            check(name, &[]);
        }
        check("CARGO_HOME", &[]);
    }
}
