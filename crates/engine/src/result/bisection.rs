//! A script for cargo-bisect-rustc, which installs one toolchain after the other and asks the script whether the compiler
//! crashes in the same way, or reports the same error or warning. Lines of rustc change between nightlies, so that neither line nor
//! column counts.

use super::report::words_of_message;
use camino::Utf8Path;
use reduce_oracle::{CrashKind, Plan, Shown, Signature};

/// The file name of the script.
pub(super) const SCRIPT: &str = "bisect.sh";

/// Returns the command that finds the nightly since which the compiler fails in this way.
pub(super) fn command(plan: &Plan) -> String {
    let release = plan.call.compiler.release();
    // The end of the range is the latest nightly otherwise.
    let end = release.filter(|release| !release.contains('-'));
    let end = end.map(|release| format!(" --end={release}"));
    let end = end.unwrap_or_default();
    format!("cargo bisect-rustc --script=./{SCRIPT} --without-cargo{end}")
}

/// Makes the script for a result whose crate root has this path beside the script. `is_read` says which variables it
/// reads.
pub(super) fn script(
    plan: &Plan,
    root: &Utf8Path,
    signature: &Signature,
    shown: &Shown,
    is_read: &dyn Fn(&str) -> bool,
) -> String {
    let mut called = plan.clone();
    // The variable RUSTUP_TOOLCHAIN says of which toolchain it is.
    called.call.compiler.command = "rustc".to_owned();
    let call = called.command_with(root, is_read);
    let told = shown.message(signature);
    let words = Words::of(signature, &shown.printed(), told.as_deref());
    text(&command(plan), &call, &words)
}

/// The words that the compiler prints where it fails in this way.
struct Words {
    /// The code of an error or the lint of a warning; `None` for a crash.
    reported: Option<String>,
    /// Words of the compiler's message.
    message: Option<String>,
    /// The file in which it crashes, and the query: where it goes through neither, it is another crash.
    places: Vec<String>,
}

impl Words {
    /// Finds the words to look for in what was printed, as only those can be found: a signature has its message in another
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
                message: message.filter(is_printed),
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
            message: message.filter(is_printed),
            places: places.filter(is_printed).collect(),
        }
    }

    /// Returns the conditions for what the compiler must have printed, a line for each.
    fn conditions(&self) -> Vec<String> {
        let has = |text: &String| format!("has {}", quoted(text));
        let message = self.reported.iter().chain(&self.message).map(has);
        let places = Vec::from_iter(self.places.iter().map(has)).join(" || ");
        let all = message.chain((!places.is_empty()).then_some(places));
        all.map(|condition| format!("{condition} || exit 0"))
            .collect()
    }
}

fn text(command: &str, call: &str, words: &Words) -> String {
    let conditions = words.conditions().join("\n");
    let Told {
        does,
        did,
        in_this_way,
        else_it,
        ending,
    } = match words.reported {
        Some(_) => OF_DIAGNOSTICS,
        None => OF_CRASHES,
    };
    format!(
        r#"#!/bin/sh
# Finds the nightly since which rustc {does} this program. Install cargo-bisect-rustc, and run in this directory:
#
#     {command}
#
# Add `--start=YYYY-MM-DD` if you know a day on which it {did} yet. The toolchain to ask is the one that the
# variable RUSTUP_TOOLCHAIN names.
#
# The exit status is 1 ("regressed") if the compiler {in_this_way}, and 0 if it does anything else: it compiles
# the program, {else_it}.

cd "$(dirname "$0")" || exit 2
rustc --version || exit 2
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
# A nightly that crashes would leave a file here.
export RUSTC_ICE=0

printed=$({call} --out-dir "$out" 2>&1)
status=$?
has() {{ printf '%s\n' "$printed" | grep -qF -e "$1"; }}

{ending}
{conditions}
exit 1
"#
    )
}

/// The words of a script for a kind of failure, and what the compiler's exit status tells of it.
struct Told {
    does: &'static str,
    did: &'static str,
    in_this_way: &'static str,
    else_it: &'static str,
    ending: &'static str,
}

const OF_CRASHES: Told = Told {
    does: "crashes on",
    did: "did not crash",
    in_this_way: "crashes in this way",
    else_it: "reports an ordinary error, or crashes in another way",
    ending: r#"# A compiler that crashes ends with status 101, or by a signal.
[ "$status" -eq 101 ] || [ "$status" -ge 128 ] || exit 0
# It is the same crash if it says the same and is in the same file of rustc, on whatever line, or in the same query."#,
};

const OF_DIAGNOSTICS: Told = Told {
    does: "reports this error or warning for",
    did: "did not report it",
    in_this_way: "reports it",
    else_it: "reports something else, or crashes",
    ending: r#"# A compiler that crashes ends with status 101, or by a signal.
[ "$status" -lt 101 ] || exit 0
# It is the same if it has the same code or lint, and these words."#,
};

/// Quotes a text as one word of a shell.
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
        assert_eq!(words.conditions(), expected);
    }

    #[test]
    fn a_stack_that_overflows_is_known_by_that() {
        let mut overflow = signature("some other words here");
        overflow.kind = CrashKind::StackOverflow;
        let words = Words::of(&overflow, "rustc unexpectedly overflowed its stack!", None);
        let expected = ["has 'overflowed its stack' || exit 0"];
        assert_eq!(words.conditions(), expected);
    }

    #[test]
    fn what_was_not_printed_is_not_looked_for() {
        let words = Words::of(&signature("some other words here"), "a #0 [typeck] b", None);
        assert_eq!(words.conditions(), ["has '#0 [typeck]' || exit 0"]);
        let nothing = Words::of(&signature(""), "", None);
        assert!(nothing.conditions().is_empty());
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
        assert_eq!(reported().conditions(), expected);
        let status = |printed: &str, ending| status_of(&reported(), printed, ending);
        assert_eq!(status(REPORTED, 1), Some(1));
        assert_eq!(status(REPORTED, 101), Some(0), "it crashes");
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
        std::fs::write(&script, text("cargo", "rustc", words)).unwrap();
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
