//! Lines such as `//@ compile-flags: -Znext-solver`, with which files of rustc's own tests say how
//! they are compiled. They are not obeyed; the user is told which flags would do the same.

use reduce_oracle::FileInput;

/// What starts such a line.
const START: &str = "//@";

/// A sentence for each line of a file that says how it is compiled, where the user has not said the
/// same.
pub(crate) fn unread(file: &FileInput, text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let directives = lines.filter_map(|line| Some((line, Directive::of(line)?)));
    let unsaid = directives.filter_map(|(line, directive)| {
        let advice = directive.advice(file)?;
        Some(format!("the line `{line}` is not read: {advice}"))
    });
    let mut sentences: Vec<String> = unsaid.collect();
    sentences.dedup();
    sentences
}

/// A line, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Directive<'l> {
    /// The revision for which it is: `//@[next] edition: 2024`.
    revision: Option<&'l str>,
    name: &'l str,
    value: &'l str,
}

impl<'l> Directive<'l> {
    fn of(line: &'l str) -> Option<Self> {
        let rest = line.strip_prefix(START)?.trim_start();
        let (revision, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((revision, rest)) => (Some(revision.trim()), rest.trim_start()),
            None => (None, rest),
        };
        let (name, value) = rest.split_once(':').unwrap_or((rest, ""));
        let value = value.trim();
        let name = name.trim();
        (!name.is_empty()).then_some(Self {
            revision,
            name,
            value,
        })
    }

    /// What the user can do instead, if it decides how the file is compiled.
    fn advice(&self, file: &FileInput) -> Option<String> {
        let advice = match self.name {
            "edition" => edition_advice(self.value, file)?,
            "compile-flags" => flags_advice(self.value, file)?,
            "revisions" => revision_advice(self.value, file)?,
            "rustc-env" | "unset-rustc-env" => format!("set the variable: `env {}`", self.value),
            "aux-build" | "aux-crate" | "aux-bin" | "aux-codegen-backend" | "proc-macro" => {
                format!(
                    "compile `auxiliary/{}` and add `-- --extern NAME=PATH`",
                    self.value.rsplit('=').next().unwrap_or(self.value)
                )
            }
            "incremental" => "add `-- -Cincremental=DIR`".to_owned(),
            _ => return None,
        };
        Some(match self.revision {
            Some(revision) => format!("for the revision `{revision}`, {advice}"),
            None => advice,
        })
    }
}

fn edition_advice(edition: &str, file: &FileInput) -> Option<String> {
    let is_flag = |arg: &String| arg.starts_with("--edition");
    let is_said = file.edition.is_some() || file.rustc_args.iter().any(is_flag);
    // A range, such as `2015..2021`, begins with the edition that the test is run in.
    let first = edition.split("..").next().unwrap_or(edition);
    (!is_said && !first.is_empty()).then(|| format!("add `--edition {first}`"))
}

fn flags_advice(flags: &str, file: &FileInput) -> Option<String> {
    let missing: Vec<&str> = flags
        .split_whitespace()
        .filter(|flag| !file.rustc_args.iter().any(|arg| arg == flag))
        .collect();
    let has_edition = |flag: &&str| flag.starts_with("--edition");
    let is_said = missing.iter().all(has_edition) && file.edition.is_some();
    (!missing.is_empty() && !is_said).then(|| format!("add `-- {}`", missing.join(" ")))
}

/// One of the revisions must be chosen; each is a `cfg`.
fn revision_advice(revisions: &str, file: &FileInput) -> Option<String> {
    let mut all = revisions.split_whitespace();
    let is_chosen = |name: &str| {
        let mut args = file.rustc_args.iter();
        args.any(|arg| arg == name || *arg == format!("--cfg={name}"))
    };
    let first = all.clone().next()?;
    let others = all.clone().count() - 1;
    (!all.any(is_chosen)).then(|| match others {
        0 => format!("add `-- --cfg {first}`"),
        _ => format!("choose one of them, such as `-- --cfg {first}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(edition: Option<&str>, rustc_args: &[&str]) -> FileInput {
        FileInput {
            path: "/crash.rs".into(),
            text: None,
            edition: edition.map(str::to_owned),
            target_triple: None,
            rustc_args: rustc_args.iter().map(|arg| (*arg).to_owned()).collect(),
        }
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let sentence = format!("the line `{line}` is not read: {expected}");
        assert_eq!(unread(&file(None, &[]), line), [sentence]);
    }

    #[test]
    fn each_line_is_named_with_the_flags_that_do_the_same() {
        check(
            "//@ compile-flags: -Znext-solver -O",
            "add `-- -Znext-solver -O`",
        );
        check("//@ edition: 2021", "add `--edition 2021`");
        check("//@edition:2021", "add `--edition 2021`");
        check("//@ edition: 2015..2021", "add `--edition 2015`");
        check(
            "//@[next] compile-flags: -Znext-solver",
            "for the revision `next`, add `-- -Znext-solver`",
        );
        check(
            "//@ revisions: old next",
            "choose one of them, such as `-- --cfg old`",
        );
        check("//@ rustc-env: A=b", "set the variable: `env A=b`");
        check(
            "//@ aux-build: tool.rs",
            "compile `auxiliary/tool.rs` and add `-- --extern NAME=PATH`",
        );
    }

    #[test]
    fn what_the_user_has_said_is_not_repeated() {
        let text = "//@ edition: 2021\n//@ compile-flags: -Znext-solver -O\n//@ revisions: a b\n";
        let args = ["-O", "-Znext-solver", "--cfg", "b"];
        assert_eq!(unread(&file(Some("2024"), &args), text), [""; 0]);
        let left = unread(&file(Some("2024"), &["-O", "--cfg=a"]), text);
        let expected = "the line `//@ compile-flags: -Znext-solver -O` is not read: add `-- \
                        -Znext-solver`";
        assert_eq!(left, [expected]);
    }

    #[test]
    fn lines_that_say_nothing_of_the_call_and_other_comments_are_passed_over() {
        let text = "//@ check-pass\n//@ known-bug: #123\n// edition: 2021\n//@\nfn f() {} //@ x\n";
        assert_eq!(unread(&file(None, &[]), text), [""; 0]);
    }
}
