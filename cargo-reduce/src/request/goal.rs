//! Finds the failure that the user asks for.

use super::captured;
use crate::args::{Parsed, Rank, given_goals, words};
use crate::context::Context;
use crate::error::CommandError;
use reduce_engine::{Demands, Fidelity, Goal, PackageSpec, Patterns, TargetSelection};

/// Returns the failure that the user asks for with the highest precedence: a flag counts more than a variable, and that
/// more than a file. Without any, a failing test of what is selected.
///
/// # Errors
/// Where nothing is asked for, or two different things are.
pub(super) fn goal(
    parsed: &Parsed,
    target: &TargetSelection,
    context: &Context,
) -> Result<Goal, CommandError> {
    let mut given = given_goals(parsed, target, context)?;
    let highest = given.iter().map(|(rank, ..)| *rank).max();
    given.retain(|(rank, ..)| Some(*rank) == highest);
    let is_given = |name: &str| given.iter().any(|(_, flag, _)| *flag == name);
    if given.len() == 2 && is_given("run") && is_given("hang") {
        given.retain(|(_, flag, _)| *flag == "hang");
    }
    match (given.pop(), given.pop()) {
        (None, _) => match &parsed.args.program.subject.captured {
            Some(named) => captured::goal(named, context),
            None => test_goal(parsed, target),
        },
        (Some((_, _, goal)), None) => Ok(goal),
        (Some((_, second, _)), Some((_, first, _))) => {
            let message = format!("`--{first}` and `--{second}` ask for different things");
            Err(CommandError::bad_input(message)
                .hint("look for one of them; `--and REGEX` asks for more of what is printed"))
        }
    }
}

/// Returns the goal of a failing test if a target or a test's name is given, else the goal to let the user choose a failure.
fn test_goal(parsed: &Parsed, target: &TargetSelection) -> Result<Goal, CommandError> {
    let args = &parsed.args;
    let filter = args.program.filter();
    let is_regression = args.property.regression.is_some() || args.property.good.is_some();
    if *target != TargetSelection::Default || filter.is_some() {
        return Ok(Goal::Test { filter });
    }
    // Nobody can choose of what fails.
    let is_alone = args.run.detach || args.run.watch || args.program.file().is_some();
    match is_regression {
        true => Ok(Goal::Any),
        false if !is_alone => Ok(Goal::Unsaid),
        false => Err(CommandError::bad_input("it was not said what must stay")
            .hint("`--ice` keeps a crash of the compiler, `--error E0308` an error")
            .hint("`--lib`, `--test NAME`, or a test's name, keep a failing test; `--run` keeps what a program does")
            .hint("`cargo reduce --help` lists all of them")),
    }
}

/// Returns the fidelity of the result to the cause of the failure: of the flags, variables and files that name one
/// the most pressing counts. Where no test is reduced, only a flag is refused.
///
/// # Errors
/// Where it is asked for what is no test, or for what cannot be done.
pub(super) fn fidelity(parsed: &Parsed, goal: &Goal) -> Result<Fidelity, CommandError> {
    let args = &parsed.args.property;
    let given = [
        (args.whole, "whole", Fidelity::Whole),
        (args.free, "free", Fidelity::Free),
    ];
    let given = given.into_iter().filter(|(is_given, ..)| *is_given);
    let given = given.map(|(_, flag, fidelity)| (parsed.rank(flag), flag, fidelity));
    let Some((rank, flag, fidelity)) = given.max_by_key(|(rank, ..)| *rank) else {
        return Ok(Fidelity::default());
    };
    match (may_be_test(goal), fidelity) {
        (true, _) => Ok(fidelity),
        (false, _) if rank == Some(Rank::CommandLine) => Err(not_for_other_goals(flag)),
        (false, _) => Ok(Fidelity::default()),
    }
}

/// Returns whether a test is reduced, or the user may choose one.
pub(super) fn may_be_test(goal: &Goal) -> bool {
    matches!(goal, Goal::Test { .. } | Goal::Unsaid)
}

/// The packages that are code under test besides the user's own. Where no test is guarded by mutants, only a flag is
/// refused.
///
/// # Errors
/// Where the flag says nothing, as nothing is mutated.
pub(super) fn mutated(
    parsed: &Parsed,
    fidelity: Fidelity,
    is_test: bool,
) -> Result<Vec<PackageSpec>, CommandError> {
    let args = &parsed.args.property;
    let is_given = !args.mutate.is_empty() && parsed.rank("mutate") == Some(Rank::CommandLine);
    let unused = |other: &str, why: &str| {
        let message = format!("`--mutate` says nothing beside `{other}`, {why}");
        Err(CommandError::bad_input(message).hint("leave out one of both"))
    };
    match fidelity {
        _ if is_given && !is_test => Err(not_for_other_goals("mutate")),
        Fidelity::Free if is_given => {
            unused("--free", "where the cause of the failure may be lost")
        }
        _ if is_given && args.good.is_some() => {
            unused("--good", "which says more of a test than mutants do")
        }
        _ if is_test => Ok(args.mutate.clone()),
        _ => Ok(Vec::new()),
    }
}

/// Refuses flags about errors and messages that have no meaning for the failure that is asked for.
///
/// # Errors
/// Where such a flag is given on the command line.
pub(super) fn check_flags_of_errors(parsed: &Parsed, goal: &Goal) -> Result<(), CommandError> {
    let args = &parsed.args.property;
    let is_given = |flag: &str, value: bool| value && parsed.rank(flag) == Some(Rank::CommandLine);
    let has_messages = matches!(goal, Goal::Error(_) | Goal::Warning(_) | Goal::Any);
    if is_given("any_message", args.any_message) && !has_messages {
        let message = "`--any-message` goes with `--error CODE` and `--warning LINT`";
        return Err(CommandError::bad_input(message)
            .hint("`--ignore-location` accepts a crash at another line of the compiler"));
    }
    let is_command = matches!(
        goal,
        Goal::Script { .. } | Goal::Cargo { .. } | Goal::Rustfmt
    );
    if is_given("strict_valid", args.strict_valid) && is_command {
        let message =
            "`--strict-valid` is about errors of the compiler, and here a command decides";
        return Err(CommandError::bad_input(message)
            .hint("have a script of `--script` refuse programs with errors itself")
            .hint("or keep the failure by a flag of its own, such as `--error CODE`"));
    }
    Ok(())
}

fn not_for_other_goals(flag: &str) -> CommandError {
    CommandError::bad_input(format!("`--{flag}` is for failing tests"))
        .hint("`--lib`, `--test NAME`, or a test's name, keep a failing test")
}

/// Makes the demands that must hold besides the goal.
///
/// # Errors
/// Where the flags of `--valid-with` cannot be taken apart.
pub(super) fn demands(parsed: &Parsed, context: &Context) -> Result<Demands, CommandError> {
    let args = &parsed.args.property;
    let good = args.good.clone();
    let valid_with = args.valid_with.iter();
    Ok(Demands {
        patterns: Patterns {
            and: args.and.clone(),
            not: args.not.clone(),
        },
        regression: args.regression.clone(),
        same_frames: args.same_frames,
        good: good.map(|version| version.within(&context.cwd)),
        valid_with: valid_with
            .map(|flags| valid_with_words(flags))
            .collect::<Result<_, _>>()?,
    })
}

/// Splits the value of `--valid-with` into words, the first of which must be a flag of the compiler or a toolchain (`+nightly`).
fn valid_with_words(flags: &str) -> Result<Vec<String>, CommandError> {
    let words = words("valid-with", flags)?;
    let first = words.first().map_or("", String::as_str);
    match (first.starts_with('-'), first.strip_prefix('+')) {
        (true, _) => Ok(words),
        (_, Some(toolchain)) if !toolchain.is_empty() => Ok(words),
        _ => Err(CommandError::bad_input(
            "`--valid-with` needs flags of the compiler, or `+TOOLCHAIN`",
        )
        .hint("such as `--valid-with '-Znext-solver=no'` or `--valid-with +stable`")
        .hint("`--strict-valid` accepts no candidate with an error")),
    }
}
