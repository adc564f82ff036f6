//! Checks a failure of another kind than a crash: how a test asks for it, and what holds for each
//! result.

use super::{Finished, Reduction, Running, World};

/// A fixture, what is looked for in it, and what a result must be like.
pub(crate) struct Case {
    pub(crate) fixture: &'static str,
    pub(crate) args: &'static [&'static str],
    /// The most tokens that a result may have.
    pub(crate) at_most: u64,
    /// The exit code of the command that shows the failure.
    pub(crate) code: i32,
    /// The texts that the command prints.
    pub(crate) prints: &'static [&'static str],
    /// The texts that the result does not have.
    pub(crate) lacks: &'static [&'static str],
    /// The words by which the report calls the failure.
    pub(crate) noun: &'static str,
}

/// A case to fill up with `..`: a Rust file whose reproducing command fails.
pub(crate) const CASE: Case = Case {
    fixture: "",
    args: &[],
    at_most: 0,
    code: 1,
    prints: &[],
    lacks: &[],
    noun: "- Failure: ",
};

/// The exit code of `timeout` where it had to end something.
pub(crate) const TIMED_OUT: i32 = 124;

/// The arguments of a reduction in the process of the command, without what earlier runs know.
pub(crate) fn arguments<'a>(fixture: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    let file = fixture.ends_with(".rs").then_some(fixture);
    let common = ["--no-daemon", "--no-cache", "--jobs", "2"];
    common
        .into_iter()
        .chain(args.iter().copied())
        .chain(file)
        .collect()
}

/// Reduces, and runs the command of the result in a directory where nothing is but the result.
#[track_caller]
pub(crate) fn check(case: &Case) -> Reduction {
    let world = World::with(case.fixture);
    let output = world.beside("out");
    let mut command = world.program(&["--output"]);
    command
        .arg(&output)
        .args(arguments(case.fixture, case.args));
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&output);
    let tokens = reduction.number("tokens_after");
    let code = reduction.code();
    assert!(tokens <= case.at_most, "{tokens} tokens\n{code}");
    assert!(tokens > 0, "nothing is left");
    for text in case.lacks {
        assert!(!code.contains(text), "`{text}` is in\n{code}");
    }
    let pasted = pasted(&world, &reduction).expect_code(case.code);
    for text in case.prints {
        assert!(
            pasted.everything().contains(text),
            "no `{text}` in\n{pasted}"
        );
    }
    check_words(&reduction, case.noun);
    reduction
}

/// Runs the command of the result, in a directory with the result alone.
pub(crate) fn pasted(world: &World, reduction: &Reduction) -> Finished {
    assert!(reduction.is_single_file(), "{:#}", reduction.summary());
    let directory = world.beside("empty");
    std::fs::create_dir(&directory).expect("a directory can be made");
    std::fs::write(directory.join("reduced.rs"), reduction.code()).expect("written");
    let line = reduction.summary()["reproduce"].as_str();
    let mut shell = world.command("sh");
    shell.args(["-c", line.expect("it is a string")]);
    shell.current_dir(&directory);
    Running::start(shell).finish()
}

/// Checks that no report calls the failure a crash of the compiler, and that a signal is one of the
/// program.
#[track_caller]
pub(crate) fn check_words(reduction: &Reduction, noun: &str) {
    let report = reduction.report();
    assert!(report.contains(noun), "{report}");
    assert_eq!(reduction.summary()["clean"], true, "{report}");
}

/// Reduces a program that fails in many ways, which its arguments choose.
#[track_caller]
pub(crate) fn check_run(
    args: &'static [&'static str],
    at_most: u64,
    code: i32,
    prints: &'static [&'static str],
) {
    check(&Case {
        fixture: "program-fails.rs",
        args,
        at_most,
        code,
        prints,
        ..CASE
    });
}
