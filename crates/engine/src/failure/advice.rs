//! Advice for the user about an error of the oracle: the output of the command that failed, and
//! hints what to do next.

use reduce_oracle::{
    Demand, FEATURE_REFUSED, Offer, OracleError, Pattern, Sample, first_error_flag, line_of,
};

/// The hint below a list of commands.
const CHOOSE: &str = "give one of these commands, or add `--last` to take the last of them";

/// The hint for a full disk.
pub(super) const MAKE_ROOM: &str =
    "make room on the disk and give the same command again: it goes on from the last accepted step";

/// Whether an operation on a file failed because the disk is full or the user's quota is used.
pub(super) fn is_want_of_room(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded)
}

/// Returns the last lines that the failed command has printed.
pub(super) fn output_of(error: &OracleError) -> Option<String> {
    Some(match error {
        OracleError::CargoRejected { stderr, .. } => stderr.clone(),
        OracleError::NeverEnds { output, .. } if output.is_empty() => return None,
        OracleError::NoFailure { output, .. }
        | OracleError::NotCompiled { output, .. }
        | OracleError::Undefined { output }
        | OracleError::FailsElsewhere { output, .. }
        | OracleError::FailsInVersion { output, .. }
        | OracleError::NotInteresting { output, .. }
        | OracleError::NeverEnds { output, .. } => output.clone(),
        OracleError::Unstable { signatures, .. } => {
            let seen = signatures.iter().map(|one| format!("failure: {one}"));
            seen.collect::<Vec<_>>().join("\n")
        }
        OracleError::OtherInSandbox {
            inside,
            outside,
            is_confined,
            ..
        } => seen_at_both(inside.as_deref(), outside.as_deref(), *is_confined),
        OracleError::OtherAmongCandidates {
            linked_by_cargo,
            here,
            command,
            ..
        } => {
            let here = here.as_deref().unwrap_or("it passes");
            format!(
                "as cargo has linked it: {linked_by_cargo}\nby `{command}`, in a directory of cargo-reduce: {here}"
            )
        }
        OracleError::SeveralTests { tests: offers }
        | OracleError::NoSuchTest {
            failing: offers, ..
        }
        | OracleError::Unsaid { failing: offers } => commands(offers)?,
        OracleError::FuzzMissing { known, .. } if !known.is_empty() => known.join("\n"),
        _ => return None,
    })
}

/// Returns the failures of the input of which the user has to choose one.
pub(super) fn offers(error: &OracleError) -> &[Offer] {
    match error {
        OracleError::SeveralTests { tests: offers }
        | OracleError::NoSuchTest {
            failing: offers, ..
        }
        | OracleError::Unsaid { failing: offers }
        | OracleError::NotCompiled {
            instead: offers, ..
        } => offers,
        _ => &[],
    }
}

/// Returns the commands that reduce each of these failures, one a line; `None` where there are
/// none.
fn commands(offers: &[Offer]) -> Option<String> {
    let commands: Vec<String> = offers.iter().map(Offer::command).collect();
    (!commands.is_empty()).then(|| commands.join("\n"))
}

/// Returns the hints for an error of the oracle: the next steps that the user can take, a line
/// each.
pub(super) fn hints(error: &OracleError) -> Vec<String> {
    let hint = |text: &str| vec![text.to_owned()];
    match error {
        OracleError::NoManifest { .. } => lines([
            "go to a directory with a `Cargo.toml`, or give `--manifest-path PATH`",
            "or name a source file: `cargo reduce --ice FILE.rs`",
        ]),
        OracleError::CargoRejected { .. } => {
            hint("mend what cargo complains about, so that it gets as far as calling rustc")
        }
        OracleError::CompilerMissing { .. } => hint(
            "check `--rustc PATH`, `RUSTC` and `build.rustc` in `.cargo/config.toml`, or the toolchain's name after `+`",
        ),
        OracleError::CargoMissing { .. } => hint("install cargo, or put it on the `PATH`"),
        OracleError::NoFailure {
            compiles, output, ..
        } => of_no_failure(*compiles, output),
        OracleError::NotCompiled {
            crashes, instead, ..
        } => of_not_compiled(*crashes, instead.first()),
        OracleError::Undefined { .. } => lines([
            "remove the undefined behaviour first: the two builds may differ because of it, and the compiler may be right",
            "where Miri is stricter than the language, `MIRIFLAGS` turns a check of it off, such as `MIRIFLAGS=-Zmiri-disable-stacked-borrows`",
        ]),
        OracleError::BoundTooLow { least, .. } => vec![format!("ask for at least {least}")],
        OracleError::FailsElsewhere { demand, .. } => hint(match demand {
            Demand::Succeeds => "name a toolchain with which it does not fail",
            Demand::Compiles => {
                "give flags with which the whole program compiles, or leave `--valid-with` out"
            }
        }),
        OracleError::NoVersion { hint, .. } => vec![hint.clone()],
        OracleError::NoFrames { found, .. } => vec![match found {
            0 => "leave `--same-frames` out: this compiler, or this kind of crash, has no backtrace".to_owned(),
            found => format!("ask for at most `--same-frames {found}`"),
        }],
        OracleError::FailsInVersion { .. } => lines([
            "name a version with which it passes; `--good auto` looks for one in the git history",
            "only what it links is of that version: the code under test must stand in another crate than what fails, such as a library whose test is in `tests/`",
        ]),
        OracleError::Unstable { crashed, runs, .. } => of_unstable(Sample {
            failed: *crashed,
            runs: *runs,
        }),
        OracleError::CrashOfMacro { source_file, .. } => vec![
            format!("the bug is in the macro (`{source_file}`), whatever is printed of the compiler"),
            "`--cargo check`, with the same `-p` and target in its quotes, reduces the program that calls it all the same; for a file a script does (`--script PATH`)".to_owned(),
        ],
        OracleError::OtherAmongCandidates { .. } => lines([
            "both are the same call: what differs is the directory, and so what lies beside the program and beside its sources",
            "name what it has to read by an absolute path, and with `--read PATH`",
        ]),
        OracleError::OtherInSandbox {
            compiles_by: Some(library),
            ..
        } => lines([
            &format!("the test has the compiler look at other files, by `{library}`: what is reduced is the file that it does not like"),
            "copy that file to `examples/NAME.rs` in the package, and give `--example NAME --error CODE` with the code of its error, such as E0277",
        ]),
        OracleError::OtherInSandbox { outside, flags, .. } => of_sandbox(flags, outside.is_some()),
        OracleError::FuzzMissing { .. } => hint(
            "name a target of `cargo fuzz list`, in the directory that has `fuzz/`, and the file that cargo-fuzz wrote",
        ),
        OracleError::CompileFailCompiles { .. } => lines([
            "there is nothing to reduce: each smaller program compiles too",
            "`cargo bisect-rustc`, or `git bisect` with `cargo test --doc`, finds what began to accept it",
        ]),
        OracleError::NotWritten { .. } => hint(
            "`--cargo 'test --doc'` reduces the package with its doc tests as cargo runs them",
        ),
        OracleError::SeveralTests { .. } => hint(CHOOSE),
        OracleError::NoSuchTest { failing, .. } if !failing.is_empty() => hint(CHOOSE),
        OracleError::Unsaid { failing } if !failing.is_empty() => hint(CHOOSE),
        OracleError::Unsaid { .. } => lines([
            "`--ice` keeps a crash of the compiler, `--warning LINT` a warning; `--run` keeps what a program does",
            "`cargo reduce --help` lists all that can be kept",
        ]),
        OracleError::NoSuchTest { .. } => lines([
            "`cargo test -- --list` lists the tests; in a workspace, `-p PACKAGE` names the package",
            "a file's name ends with `.rs`",
        ]),
        OracleError::ToolMissing { .. } => {
            hint("install it, or use another toolchain with `+TOOLCHAIN`")
        }
        OracleError::ScriptUnusable { path, .. } => vec![format!(
            "`chmod +x {path}` marks it as executable, if it is a script"
        )],
        OracleError::NotReadable { .. } => {
            hint("name a file, or a directory that holds nothing but what candidates may read")
        }
        OracleError::NotInteresting { output, .. } => of_not_interesting(output),
        OracleError::NoTarget { .. } => hint(
            "name it with `-p PACKAGE`, and `--lib`, `--bin NAME`, `--test NAME`, `--example NAME` or `--bench NAME`",
        ),
        OracleError::NoSandbox { .. } => hint(
            "candidates are programs that nobody has read; to run them without protection, say `--sandbox off`",
        ),
        OracleError::NeverEnds { hang, .. } => of_never_ends(hang.as_deref()),
        OracleError::NeedsState { has_before: true, .. } => hint(
            "the sources of the last good call were kept too: leave out what you want kept, or say `--incremental`, and both versions are reduced",
        ),
        OracleError::NeedsState { has_before: false, .. } => hint(
            "no good call was seen before the crash, so that nobody knows the sources that it needs; leave `cargo reduce capture on`, and the next crash has them",
        ),
        OracleError::OtherCrashGone { .. } => hint(
            "something was different while the search ran, such as what is linked; the program is kept as it was, and may be reduced as a file",
        ),
        OracleError::TooSlow { .. } => hint("give it more time with `--timeout SECONDS`"),
        OracleError::TooLarge { .. } => {
            hint("move large data files out of the workspace, or reduce a copy without them")
        }
        OracleError::Io { source, .. } | OracleError::Spawn { source, .. }
            if is_want_of_room(source) =>
        {
            hint(MAKE_ROOM)
        }
        _ => vec![],
    }
}

fn lines<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn of_no_failure(compiles: bool, output: &str) -> Vec<String> {
    let is_code = |word: &String| word.parse().is_ok_and(|one: Pattern| one.is_code());
    let flag = first_error_flag(output).filter(|flag| !compiles && flag.iter().any(is_code));
    if flag.iter().flatten().any(|word| word == FEATURE_REFUSED) {
        return lines([
            "the input has `#![feature(..)]`, which this toolchain does not permit: name one that does, as in `cargo +nightly reduce ..`",
        ]);
    }
    let instead = flag.map(|flag| {
        let flag = line_of(&flag);
        format!(
            "to reduce the error that the compiler reports, give `{flag}` in place of what you asked for"
        )
    });
    let more = match compiles {
        true => lines([
            "give what the failure needs: `+TOOLCHAIN`, `--release`, `--features`, a target such as `--test NAME`, `--tests` for what only `cargo test` compiles, or flags after `--`",
            "where it fails only sometimes, `--repeat auto` tries more than once",
        ]),
        false => lines(["mend the errors, or give the options under which it fails as you asked"]),
    };
    instead.into_iter().chain(more).collect()
}

fn of_not_compiled(crashes: bool, instead: Option<&Offer>) -> Vec<String> {
    let what = if crashes { "crash" } else { "error" };
    let instead =
        instead.map(|offer| format!("to reduce this {what} instead: `{}`", offer.command()));
    let mend = "to reduce what it does when it runs, mend the error first";
    let mend = (!crashes).then(|| mend.to_owned());
    instead.into_iter().chain(mend).collect()
}

fn of_unstable(sample: Sample) -> Vec<String> {
    let [repeat, sandbox] = [
        "`--repeat auto` counts how often it fails, and runs each candidate as often as that needs; `--repeat N` up to N times",
        "what is compiled and run has no network, and writes its own scratch directory alone; if it needs more, say `--sandbox off`",
    ];
    vec![
        format!("it was seen in {sample}"),
        repeat.to_owned(),
        sandbox.to_owned(),
    ]
}

/// Returns the hints for a program that behaves differently in the sandbox and outside.
fn of_sandbox(flags: &[String], fails: bool) -> Vec<String> {
    let line = flags.join(" ");
    let first = match (flags, fails) {
        ([], _) => {
            return lines([
                "neither your variables nor `--sandbox off` change that: it finds another home (`HOME`) and another directory for temporary files (`TMPDIR`) here; have it read what it needs from the package",
            ]);
        }
        (_, true) => format!("with `{line}` it fails here as it does for you"),
        (_, false) => format!("with `{line}` it passes here too: there is nothing to reduce"),
    };
    let warning = "without a sandbox each candidate may do what you may do";
    let warning = line.contains("--sandbox off").then(|| warning.to_owned());
    [first].into_iter().chain(warning).collect()
}

fn of_not_interesting(output: &str) -> Vec<String> {
    let mut hints = lines([
        "it runs in a copy of the directory, and gets the name of the file as its argument",
        "it has a home of its own and few of your variables; `--env NAME` hands one on",
    ]);
    if output.contains("Permission denied") {
        hints.push("it reads itself, the copy and the toolchain; `--read PATH` lets it read a file or directory besides".to_owned());
    }
    hints
}

fn of_never_ends(hang: Option<&str>) -> Vec<String> {
    let longer = "if it only needs longer, give it more time with `--baseline-timeout SECS`";
    let hang = hang.map(|args| format!("to reduce what does not end, say `cargo reduce {args}`"));
    [longer.to_owned()].into_iter().chain(hang).collect()
}

/// Describes the outcomes of a program in the sandbox and outside.
fn seen_at_both(inside: Option<&str>, outside: Option<&str>, is_confined: bool) -> String {
    let (here, there) = match is_confined {
        true => ("in the sandbox", "outside"),
        false => ("without your environment", "with it"),
    };
    let passes = "it passes";
    let (inside, outside) = (inside.unwrap_or(passes), outside.unwrap_or(passes));
    format!("{here}: {inside}\n{there}: {outside}")
}
