//! Explains that a target that is to be run does not compile: cargo's words for it, and the command that reduces this
//! failure instead.

use super::choice::NotCompiled;
use super::{Workspace, command};
use crate::compiler::capture::Record;
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::evidence::crash::first_error;
use crate::offer::Offer;
use crate::search::context::BaselineContext;
use crate::system::process::Outcome;
use crate::text::pattern::Pattern;
use crate::text::shell::shell_line;

/// The number of lines of cargo's output that are shown, from its first error on.
const SHOWN_LINES: usize = 30;
/// The beginnings of the output of a compiler that crashes.
const CRASHES: [&str; 2] = ["error: internal compiler error", "thread 'rustc' "];

impl Workspace {
    /// Makes the error for a cargo command that was to compile programs or tests, and could not.
    pub(crate) fn not_compiled(
        &self,
        verb: &[&str],
        input: &PackageInput,
        (outcome, records): (&Outcome, &[Record]),
        context: &BaselineContext<'_>,
    ) -> OracleError {
        let crashes = records.iter().any(Record::is_crash);
        let typed = [owned(verb), command::selection(input)].concat();
        let failure = match crashes {
            true => Some(owned(&["--ice"])),
            false => first_error_flag(&outcome.stderr),
        };
        let broken = NotCompiled::of_output(&outcome.stderr, crashes);
        let instead = failure
            .zip(broken)
            .and_then(|(failure, broken)| self.offer(failure, broken, input));
        OracleError::NotCompiled {
            wanted: context.wanted.words.clone(),
            command: line("cargo", &typed),
            crashes,
            output: from_first_error(&outcome.stderr, crashes),
            instead: instead.into_iter().collect(),
        }
    }

    /// Makes the offer to reduce the target that does not compile. `None` where the workspace has no such package, or
    /// it is a build script, which cannot be reduced.
    fn offer(
        &self,
        failure: Vec<String>,
        broken: NotCompiled,
        input: &PackageInput,
    ) -> Option<Offer> {
        let selected = self.selecting(&broken.package, broken.target?, input)?;
        let selection = command::selection(&selected);
        let what = failure.join(" ");
        // Targets that exist for tests alone are not compiled by `cargo check`.
        let mut args = match broken.is_unit_test {
            true => {
                let test = [owned(&["test", "--no-run"]), selection].concat();
                vec!["--cargo".to_owned(), test.join(" ")]
            }
            false => [failure, selection].concat(),
        };
        if let Some(manifest) = &input.manifest_path {
            args.extend(["--manifest-path".to_owned(), manifest.to_string()]);
        }
        if !input.rustc_args.is_empty() && !broken.is_unit_test {
            args.push("--".to_owned());
            args.extend(input.rustc_args.iter().cloned());
        }
        Some(Offer { what, words: args })
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn line(program: &str, args: &[String]) -> String {
    shell_line(&Default::default(), program, args)
}

/// Returns the flag that asks for the first error in what a compiler printed.
#[must_use]
pub fn first_error_flag(output: &str) -> Option<Vec<String>> {
    first_error(output, &|_| true).map(|name| error_flag(&name))
}

/// Returns the flag that asks for an error: by its code, or by what it says before the first name, which a signature
/// leaves out.
fn error_flag(name: &str) -> Vec<String> {
    let is_code = name
        .parse::<Pattern>()
        .is_ok_and(|pattern| pattern.is_code());
    let said = name.split('`').next().unwrap_or_default();
    let said = said.split("..").next().unwrap_or_default().trim_end();
    let pattern = match is_code {
        true => name.to_owned(),
        false => regex::escape(said),
    };
    vec!["--error".to_owned(), pattern]
}

/// Returns cargo's output from its first error on: without progress and earlier warnings, and without the call of our
/// wrapper, of which the user knows nothing.
fn from_first_error(output: &str, crashes: bool) -> String {
    let of_user = output.split("\nCaused by:\n").next().unwrap_or_default();
    let lines: Vec<&str> = of_user.trim_end().lines().collect();
    let begins = |marks: &[&str]| {
        let is_mark = |line: &&str| marks.iter().any(|mark| line.starts_with(mark));
        lines.iter().position(is_mark)
    };
    let of_crash = begins(&CRASHES).filter(|_| crashes);
    let first = of_crash.or_else(|| begins(&["error"])).unwrap_or_default();
    let shown = &lines[first..];
    let most = shown.len().min(SHOWN_LINES);
    let mut text = shown[..most].join("\n");
    if shown.len() > most {
        text.push_str(&format!("\n({} more lines)", shown.len() - most));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_asked_for_by_its_code_or_by_what_it_says() {
        assert_eq!(error_flag("E0308"), ["--error", "E0308"]);
        let unnamed = error_flag("cannot find macro `x` in this scope");
        assert_eq!(unnamed, ["--error", "cannot find macro"]);
        let normalised = error_flag("expected item, found keyword ..");
        assert_eq!(normalised, ["--error", "expected item, found keyword"]);
        assert_eq!(error_flag("expected (a)"), ["--error", r"expected \(a\)"]);
    }

    #[test]
    fn what_is_shown_begins_with_the_first_error_and_has_an_end() {
        let output = "   Compiling a v1\nwarning: unused\n\nerror[E0308]: mismatched\n --> a.rs\n";
        let shown = from_first_error(output, false);
        assert_eq!(shown, "error[E0308]: mismatched\n --> a.rs");
        let crash = "error[E0308]: m\nthread 'rustc' (1) panicked at x.rs:1:1:\nodd\n";
        let shown = from_first_error(crash, true);
        assert_eq!(shown, "thread 'rustc' (1) panicked at x.rs:1:1:\nodd");
        assert_eq!(from_first_error("killed\n", true), "killed");
        let called = "error: could not compile `a`\n\nCaused by:\n  process `/w rustc`\n";
        let shown = from_first_error(called, true);
        assert_eq!(shown, "error: could not compile `a`");
        let long = format!("error: e\n{}", "line\n".repeat(40));
        let shown = from_first_error(&long, false);
        assert_eq!(shown.lines().last(), Some("(11 more lines)"));
        assert_eq!(shown.lines().count(), SHOWN_LINES + 1);
    }
}
