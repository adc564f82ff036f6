//! A script for cargo-bisect-rustc, which installs one toolchain after the other and asks the script whether the program
//! still fails in the same way: the compiler crashes, or reports the same error or warning, or what it makes fails when it
//! is run. Lines of rustc change between nightlies, so that neither line nor column counts.

use super::report::words_of_message;
use crate::figures::GoesTo;
use crate::output::OutputDirectory;
use crate::summary::Summary;
use camino::Utf8Path;
use reduce_oracle::{CrashKind, Ending, Goal, Plan, Shown, Signature};

/// The name of the script.
const SCRIPT: &str = OutputDirectory::BISECTION_SCRIPT;

/// Returns the command that finds the nightly since which the program fails in this way. `goes_to` is where the result goes in
/// the user's package, if it is a part of that.
pub(super) fn command(plan: &Plan, goes_to: Option<&GoesTo>) -> String {
    let release = plan.call.compiler.release();
    // The end of the range is the latest nightly otherwise.
    let end = release.filter(|release| !release.contains('-'));
    let end = end.map(|release| format!(" --end={release}"));
    let end = end.unwrap_or_default();
    match goes_to {
        Some(_) => format!("cargo bisect-rustc --script=PATH/{SCRIPT}{end}"),
        None => format!("cargo bisect-rustc --script=./{SCRIPT} --without-cargo{end}"),
    }
}

/// Makes the text of the script for a result; `root` is the path of its crate root beside the script. `is_read` says
/// which variables the result reads.
pub(super) fn script(
    plan: &Plan,
    root: &Utf8Path,
    (goal, summary): (&Goal, &Summary),
    shown: &Shown,
    is_read: &dyn Fn(&str) -> bool,
) -> String {
    let mut called = plan.clone();
    // The variable RUSTUP_TOOLCHAIN says of which toolchain it is.
    called.call.compiler.command = "rustc".to_owned();
    let command = command(plan, summary.delivered.goes_to.as_ref());
    if let Some(place) = &summary.delivered.goes_to {
        let instruction = place.instruction(&|code| format!("`{code}`"));
        let calls = Calls::in_package(&summary.delivered.reproduce, instruction, root);
        let words = Words::of_run(&summary.behaviour.signature, shown);
        return text(&command, &calls, &words, Fails::Package);
    }
    let (build, run) = called.build_and_run(root, is_read);
    if let Some(run) = run {
        let words = Words::of_run(&summary.behaviour.signature, shown);
        let fails = Fails::Program(shown.ending);
        return text(&command, &Calls::of_program(&build, &run), &words, fails);
    }
    let signature = &summary.behaviour.signature;
    let told = shown.message(signature);
    let words = Words::of(signature, &shown.printed(), told.as_deref());
    let fails = match (signature.kind, goal) {
        (CrashKind::Diagnostic, Goal::Warning(_)) => Fails::Warned,
        (CrashKind::Diagnostic, _) => Fails::Refused,
        _ => Fails::Crashed,
    };
    text(&command, &Calls::of_compiler(&build), &words, fails)
}

/// The way in which the last call of the script fails.
#[derive(Clone, Copy)]
enum Fails {
    /// The compiler crashes.
    Crashed,
    /// The compiler reports an error.
    Refused,
    /// The compiler reports a warning, which may be an error elsewhere.
    Warned,
    /// The compiled program ends in this way.
    Program(Ending),
    /// cargo says that a test of the package fails.
    Package,
}

/// The shell lines of a script, up to the one whose output and status count.
struct Calls {
    /// The instruction, in a comment, that tells a person what to do before the script is called.
    before: String,
    /// The lines that lead to the last call.
    lines: String,
    /// The shell line of the last call, whose output and status count.
    last: String,
}

impl Calls {
    /// Makes the lines of a script that only calls the compiler.
    fn of_compiler(call: &str) -> Self {
        Self {
            before: IN_DIRECTORY.to_owned(),
            lines: format!("{BESIDE_SCRIPT}\n{VERSION}\n{OUT}"),
            last: format!(r#"{call} --out-dir "$out""#),
        }
    }

    /// Makes the lines of a script that compiles the program in a copy of the directory, and runs
    /// it there.
    fn of_program(build: &str, run: &str) -> Self {
        let copied = r#"cp -R . "$out" && cd "$out" || exit 2"#;
        Self {
            before: IN_DIRECTORY.to_owned(),
            lines: format!(
                "{BESIDE_SCRIPT}\n{VERSION}\n{OUT}\n{copied}\n\
                 # What does not compile does not fail in this way.\n{{ {build}; }} || exit 0"
            ),
            last: run.to_owned(),
        }
    }

    /// Makes the lines of a script that has cargo run the test in the user's package.
    fn in_package(command: &str, instruction: String, root: &Utf8Path) -> Self {
        let compiled = command.split(" -- ").next().unwrap_or(command);
        Self {
            before: format!(
                "Install cargo-bisect-rustc.\n# Take `{root}`, and {instruction}.\n\
                 # Then run in the directory of the package, with the path of this script's directory for PATH"
            ),
            lines: format!(
                "{VERSION}\n# What does not compile does not fail in this way.\n{compiled} --no-run || exit 0"
            ),
            last: command.to_owned(),
        }
    }
}

const IN_DIRECTORY: &str = "Install cargo-bisect-rustc, and run in this directory";
const BESIDE_SCRIPT: &str = r#"cd "$(dirname "$0")" || exit 2"#;
const VERSION: &str = "rustc --version || exit 2";
const OUT: &str = r#"out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT"#;

/// The words by which a script tells from the output that the program fails in this way.
struct Words {
    /// The code of the error or the lint of the warning that is reported; `None` for a crash.
    reported: Option<String>,
    /// Words of the failure's message; of a program that is run, the lines of its message.
    messages: Vec<String>,
    /// The file in which the compiler crashes, and the query: a crash in which neither is printed is another one.
    places: Vec<String>,
}

impl Words {
    /// Finds those words of a signature that stand in the compiler's output, as a signature has its message in another
    /// form. `told` is an error or a warning with its message as it was printed.
    fn of(signature: &Signature, printed: &str, told: Option<&str>) -> Self {
        let is_printed = |text: &String| printed.contains(text.as_str());
        if signature.kind == CrashKind::Diagnostic {
            let name = signature.message.split(": ").next().unwrap_or_default();
            let code = format!("error[{name}]");
            let reported = [code, name.to_owned()].into_iter().find(is_printed);
            let told = told.and_then(|told| told.strip_prefix(name)?.strip_prefix(": "));
            let told = told.map(|message| Signature {
                message: message.to_owned(),
                ..signature.clone()
            });
            let message = told.as_ref().and_then(words_of_message);
            return Self {
                reported: Some(reported.unwrap_or_else(|| "error".to_owned())),
                messages: message.filter(is_printed).into_iter().collect(),
                places: Vec::new(),
            };
        }
        let message = match signature.kind {
            CrashKind::StackOverflow => Some("overflowed its stack".to_owned()),
            _ => words_of_message(signature),
        };
        let query = signature.query.as_ref();
        let query = query.map(|query| format!("#0 [{query}]"));
        let places = signature.file.clone().into_iter().chain(query);
        Self {
            reported: None,
            messages: message.filter(is_printed).into_iter().collect(),
            places: places.filter(is_printed).collect(),
        }
    }

    /// Finds the words of a program's failure. The result may fail with other values than the input.
    fn of_run(signature: &Signature, shown: &Shown) -> Self {
        let printed = shown.printed();
        let seen = shown.signature.as_ref().unwrap_or(signature);
        let said = match seen.kind {
            CrashKind::StackOverflow => "overflowed its stack",
            _ => seen.message.as_str(),
        };
        let lines = said.lines().map(|line| line.trim().to_owned());
        let lines = lines.filter(|line| !line.is_empty() && printed.contains(line.as_str()));
        Self {
            reported: None,
            messages: lines.collect(),
            places: Vec::new(),
        }
    }

    /// Returns the script's lines that check the output for the words, one for each condition.
    fn conditions(&self) -> impl Iterator<Item = String> {
        let has = |text: &String| format!("has {}", quoted(text));
        let message = self.reported.iter().chain(&self.messages).map(has);
        let places = Vec::from_iter(self.places.iter().map(has)).join(" || ");
        let all = message.chain((!places.is_empty()).then_some(places));
        all.map(|condition| format!("{condition} || exit 0"))
    }
}

fn text(command: &str, calls: &Calls, words: &Words, fails: Fails) -> String {
    let conditions = words.conditions().map(|condition| condition + "\n");
    let conditions = String::from_iter(conditions);
    let Told {
        does,
        did,
        in_this_way,
        else_it,
    } = fails.told();
    let ending = fails.ending();
    let Calls {
        before,
        lines,
        last,
    } = calls;
    format!(
        r#"#!/bin/sh
# Finds the nightly since which {does}. {before}:
#
#     {command}
#
# Add `--start=YYYY-MM-DD` if you know a day on which it {did} yet. The toolchain to ask is the one that the
# variable RUSTUP_TOOLCHAIN names.
#
# The exit status is 1 ("regressed") if {in_this_way}, and 0 otherwise: {else_it}.

# A nightly that crashes would leave a file here.
export RUSTC_ICE=0
{lines}

printed=$({last} 2>&1)
status=$?
has() {{ printf '%s\n' "$printed" | grep -qF -e "$1"; }}

{ending}
{conditions}exit 1
"#
    )
}

/// The texts in a script's comments that differ from one kind of failure to another.
struct Told {
    does: &'static str,
    did: &'static str,
    in_this_way: &'static str,
    else_it: &'static str,
}

impl Fails {
    fn told(self) -> Told {
        match self {
            Self::Crashed => Told {
                does: "rustc crashes on this program",
                did: "did not crash",
                in_this_way: "the compiler crashes in this way",
                else_it: "it compiles the program,\n# reports an ordinary error, or crashes in another way",
            },
            Self::Refused | Self::Warned => Told {
                does: "rustc reports this error or warning for this program",
                did: "did not report it",
                in_this_way: "the compiler reports it",
                else_it: "it compiles the program,\n# reports something else, or crashes",
            },
            Self::Program(_) => Told {
                does: "this program fails when it is run",
                did: "did not fail",
                in_this_way: "the program fails in this way",
                else_it: "it does not compile,\n# does not fail, or fails in another way",
            },
            Self::Package => Told {
                does: "this test fails",
                did: "did not fail",
                in_this_way: "the test fails in this way",
                else_it: "it does not compile,\n# does not fail, or fails in another way",
            },
        }
    }

    /// Returns the script's lines that look at the exit status.
    fn ending(self) -> String {
        match self {
            Self::Crashed => OF_CRASHES.to_owned(),
            Self::Refused => OF_ERRORS.to_owned(),
            Self::Warned => OF_WARNINGS.to_owned(),
            Self::Program(Ending::Exited(status)) => of_status(status),
            // As a shell tells it.
            Self::Program(Ending::Signalled(signal)) => of_status(128 + signal),
            Self::Program(_) | Self::Package => r#"[ "$status" -ne 0 ] || exit 0"#.to_owned(),
        }
    }
}

fn of_status(status: i32) -> String {
    format!(r#"[ "$status" -eq {status} ] || exit 0"#)
}

const OF_CRASHES: &str = r#"# A compiler that crashes ends with status 101, or by a signal.
[ "$status" -eq 101 ] || [ "$status" -ge 128 ] || exit 0
# It is the same crash if it says the same and is in the same file of rustc, on whatever line, or in the same query."#;

const OF_ERRORS: &str = r#"# A compiler that crashes ends with status 101, or by a signal. One that only warns of it ends with status 0.
[ "$status" -gt 0 ] && [ "$status" -lt 101 ] || exit 0
# It is the same if it has the same code or lint, and these words."#;

const OF_WARNINGS: &str = r#"# A compiler that crashes ends with status 101, or by a signal.
[ "$status" -lt 101 ] || exit 0
# It is the same if it has the same code or lint, and these words."#;

/// Quotes a text as one word of a plain `sh`, which knows no `$'..'`.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(message: &str) -> Signature {
        Signature {
            kind: CrashKind::Bug,
            file: Some("compiler/rustc_a/src/b.rs".to_owned()),
            position: Some((2, 3)),
            message: message.to_owned(),
            query: Some("typeck".to_owned()),
            signal: None,
            cycle: Vec::new(),
        }
    }

    const PRINTED: &str = "error: internal compiler error: /rustc/1f/compiler/rustc_a/src/b.rs:7:9: it isn't there any more\n#0 [typeck] a";

    #[test]
    fn a_crash_is_known_by_its_words_and_by_its_file_or_query() {
        let words = Words::of(&signature("it isn't there any more"), PRINTED, None);
        let expected = [
            r"has 'it isn'\''t there any more' || exit 0",
            "has 'compiler/rustc_a/src/b.rs' || has '#0 [typeck]' || exit 0",
        ];
        assert_eq!(Vec::from_iter(words.conditions()), expected);
    }

    #[test]
    fn a_stack_that_overflows_is_known_by_that() {
        let mut overflow = signature("some other words here");
        overflow.kind = CrashKind::StackOverflow;
        let words = Words::of(&overflow, "rustc unexpectedly overflowed its stack!", None);
        let expected = ["has 'overflowed its stack' || exit 0"];
        assert_eq!(Vec::from_iter(words.conditions()), expected);
    }

    #[test]
    fn what_was_not_printed_is_not_looked_for() {
        let words = Words::of(&signature("some other words here"), "a #0 [typeck] b", None);
        let conditions = Vec::from_iter(words.conditions());
        assert_eq!(conditions, ["has '#0 [typeck]' || exit 0"]);
        let nothing = Words::of(&signature(""), "", None);
        assert_eq!(nothing.conditions().next(), None);
    }

    const REPORTED: &str =
        "error[E0277]: `Rc<u8>` cannot be sent between threads safely\n --> a.rs:1:2\n";

    fn reported() -> Words {
        let mut signature = signature("E0277: .. cannot be sent between thread safely");
        signature.kind = CrashKind::Diagnostic;
        let told = "E0277: `Rc<u8>` cannot be sent between threads safely";
        Words::of(&signature, REPORTED, Some(told))
    }

    #[test]
    fn an_error_is_known_by_its_code_and_its_words() {
        let expected = [
            "has 'error[E0277]' || exit 0",
            "has 'cannot be sent between threads safely' || exit 0",
        ];
        assert_eq!(Vec::from_iter(reported().conditions()), expected);
        let status = |printed: &str, ending| status_of(&reported(), printed, ending);
        assert_eq!(status(REPORTED, 1), Some(1));
        assert_eq!(status(REPORTED, 101), Some(0), "it crashes");
        assert_eq!(status(REPORTED, 0), Some(0), "it only warns");
        assert_eq!(status(&REPORTED.replace("E0277", "E0308"), 1), Some(0));
        let other = "error[E0277]: the trait bound `u8: Stage` is not satisfied\n";
        assert_eq!(status(other, 1), Some(0));
        assert_eq!(status("", 0), Some(0));
    }

    /// Returns the exit status of the script where a compiler prints this and ends with this
    /// status.
    fn status(printed: &str, ending: i32) -> Option<i32> {
        let words = Words::of(&signature("it isn't there any more"), PRINTED, None);
        status_of(&words, printed, ending)
    }

    fn status_of(words: &Words, printed: &str, ending: i32) -> Option<i32> {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        let script = path.join(SCRIPT);
        let fails = match words.reported {
            Some(_) => Fails::Refused,
            None => Fails::Crashed,
        };
        let calls = Calls::of_compiler("rustc");
        std::fs::write(&script, text("cargo", &calls, words, fails)).unwrap();
        let compiler = "#!/bin/sh\ncase $1 in --version) exit;; esac\ncat printed >&2\nexit ";
        std::fs::write(path.join("rustc"), format!("{compiler}{ending}\n")).unwrap();
        std::fs::write(path.join("printed"), printed).unwrap();
        let line = "chmod +x rustc && PATH=.:$PATH sh ./bisect.sh";
        run(path, line)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "it runs the script that is tested"
    )]
    fn run(directory: &Utf8Path, line: &str) -> Option<i32> {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", line]).current_dir(directory);
        command.output().unwrap().status.code()
    }

    #[test]
    fn the_script_tells_the_crash_from_everything_else() {
        assert_eq!(status(PRINTED, 101), Some(1));
        let moved = PRINTED.replace("rustc_a/src/b.rs:7:9", "rustc_a/src/c.rs:8:1");
        assert_eq!(status(&moved, 101), Some(1), "the query is the same");
        assert_eq!(status(PRINTED, 1), Some(0), "it does not crash");
        assert_eq!(status("", 0), Some(0));
        let other = PRINTED.replace("any more", "either");
        assert_eq!(status(&other, 101), Some(0));
        let elsewhere = moved.replace("typeck", "layout_of");
        assert_eq!(status(&elsewhere, 101), Some(0));
    }
}
