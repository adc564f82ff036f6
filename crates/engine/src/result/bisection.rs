//! A script for cargo-bisect-rustc, which installs one toolchain after the other and asks the script whether the compiler
//! crashes in the same way. Lines of rustc change between nightlies, so that neither line nor column counts.

use super::report::words_of_message;
use camino::Utf8Path;
use reduce_oracle::{CrashKind, Plan, Shown, Signature};

/// What the script is called.
pub(super) const SCRIPT: &str = "bisect.sh";

/// The command that finds the nightly since which the compiler crashes.
pub(super) fn command(plan: &Plan) -> String {
    let release = plan.call.compiler.release();
    // The end of the range is the latest nightly otherwise.
    let end = release.filter(|release| !release.contains('-'));
    let end = end.map(|release| format!(" --end={release}"));
    let end = end.unwrap_or_default();
    format!("cargo bisect-rustc --script=./{SCRIPT} --without-cargo{end}")
}

/// The script for a result whose crate root has this path beside the script. `is_read` says which variables it reads.
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
    text(
        &command(plan),
        &call,
        &Words::of(signature, &shown.printed()),
    )
}

/// What the compiler prints where it crashes in this way.
struct Words {
    /// Words of the message.
    message: Option<String>,
    /// The file in which it crashes, and the query: where it goes through neither, it is another crash.
    places: Vec<String>,
}

impl Words {
    /// Only what was printed can be looked for: a signature has its message in another form.
    fn of(signature: &Signature, printed: &str) -> Self {
        let is_printed = |text: &String| printed.contains(text.as_str());
        let message = match signature.kind {
            CrashKind::StackOverflow => Some("overflowed its stack".to_owned()),
            _ => words_of_message(signature),
        };
        let query = signature.query.as_ref();
        let query = query.map(|query| format!("#0 [{query}]"));
        let places = signature.file.clone().into_iter().chain(query);
        Self {
            message: message.filter(is_printed),
            places: places.filter(is_printed).collect(),
        }
    }

    /// What the compiler must have printed, as a line for each condition.
    fn conditions(&self) -> Vec<String> {
        let has = |text: &String| format!("has {}", quoted(text));
        let message = self.message.iter().map(has);
        let places = Vec::from_iter(self.places.iter().map(has)).join(" || ");
        let all = message.chain((!places.is_empty()).then_some(places));
        all.map(|condition| format!("{condition} || exit 0"))
            .collect()
    }
}

fn text(command: &str, call: &str, words: &Words) -> String {
    let conditions = words.conditions().join("\n");
    format!(
        r#"#!/bin/sh
# Finds the nightly since which rustc crashes on this program. Install cargo-bisect-rustc, and run in this directory:
#
#     {command}
#
# Add `--start=YYYY-MM-DD` if you know a day on which it did not crash yet. The toolchain to ask is the one that the
# variable RUSTUP_TOOLCHAIN names.
#
# The exit status is 1 ("regressed") if the compiler crashes in this way, and 0 if it does anything else: it compiles
# the program, reports an ordinary error, or crashes in another way.

cd "$(dirname "$0")" || exit 2
rustc --version || exit 2
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
# A nightly that crashes would leave a file here.
export RUSTC_ICE=0

printed=$({call} --out-dir "$out" 2>&1)
status=$?
has() {{ printf '%s\n' "$printed" | grep -qF -e "$1"; }}

# A compiler that crashes ends with status 101, or by a signal.
[ "$status" -eq 101 ] || [ "$status" -ge 128 ] || exit 0
# It is the same crash if it says the same and is in the same file of rustc, on whatever line, or in the same query.
{conditions}
exit 1
"#
    )
}

/// A text as one word of a shell.
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
        let words = Words::of(&signature("it isn't there any more"), PRINTED);
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
        let words = Words::of(&overflow, "rustc unexpectedly overflowed its stack!");
        let expected = ["has 'overflowed its stack' || exit 0"];
        assert_eq!(words.conditions(), expected);
    }

    #[test]
    fn what_was_not_printed_is_not_looked_for() {
        let words = Words::of(&signature("some other words here"), "a #0 [typeck] b");
        assert_eq!(words.conditions(), ["has '#0 [typeck]' || exit 0"]);
        assert!(Words::of(&signature(""), "").conditions().is_empty());
    }

    /// The exit status of the script where a compiler prints this and ends with this status.
    fn status(printed: &str, ending: i32) -> Option<i32> {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(directory.path()).unwrap();
        let words = Words::of(&signature("it isn't there any more"), PRINTED);
        let script = path.join(SCRIPT);
        std::fs::write(&script, text("cargo", "rustc", &words)).unwrap();
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
