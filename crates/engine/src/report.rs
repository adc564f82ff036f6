//! `report.md`: a bug report in the form of rust-lang/rust's template for internal compiler errors,
//! ready to be pasted.

use crate::summary::{Summary, but_for_late};
use reduce_oracle::{CrashKind, Shown};
use reduce_syntax::SourceTree;
use std::fmt::Write;

/// The longest original that is quoted, in bytes.
const LONGEST_ORIGINAL: u64 = 40_000;

/// What a report is made of.
pub(crate) struct Report<'a> {
    pub(crate) summary: &'a Summary,
    pub(crate) reduced: &'a SourceTree,
    pub(crate) original: &'a SourceTree,
    pub(crate) shown: &'a Shown,
    pub(crate) edition: &'a str,
    pub(crate) flags: &'a [String],
    /// Where the reproducing command works, as a person would say it.
    pub(crate) place: &'a str,
    /// What the crate root was called, and what it is called in the result.
    pub(crate) names: (&'a str, &'a str),
}

impl Report<'_> {
    /// The report as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        self.write(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "### Code\n")?;
        sources(out, self.reduced)?;
        writeln!(out, "Reproduces in {} with:\n", self.place)?;
        self.commands(out)?;
        self.facts(out)?;
        let tool = self.summary.compiler.split(' ').next().unwrap_or("rustc");
        writeln!(out, "### Meta\n\n`{tool} --version --verbose`:\n")?;
        block(out, "", &self.summary.compiler)?;
        let (output, backtrace) = self.error_output();
        if !output.is_empty() {
            writeln!(out, "### Error output\n")?;
            block(out, "", &output)?;
        }
        if !self.shown.stdout.trim().is_empty() {
            writeln!(out, "### Output\n")?;
            block(out, "", &self.shown.stdout)?;
        }
        self.query_stack(out)?;
        if !backtrace.is_empty() {
            folded(out, "Backtrace", &backtrace)?;
        }
        self.original(out)
    }

    /// The command that fails, and where there are some, those that do not.
    fn commands(&self, out: &mut String) -> std::fmt::Result {
        let Summary {
            reproduce, also, ..
        } = self.summary;
        if also.is_empty() {
            return block(out, "sh", reproduce);
        }
        let others = also
            .iter()
            .map(|one| format!("{}  # succeeds", one.command));
        let lines: Vec<String> = [format!("{reproduce}  # fails")]
            .into_iter()
            .chain(others)
            .collect();
        block(out, "sh", &lines.join("\n"))
    }

    fn facts(&self, out: &mut String) -> std::fmt::Result {
        let summary = self.summary;
        let title = match summary.signature.noun() {
            "crash" => "Crash",
            _ => "Failure",
        };
        writeln!(out, "- {title}: {}", summary.signature)?;
        self.cost(out)?;
        if let Some(rate) = summary.flaky.and_then(|flaky| flaky.result) {
            writeln!(out, "- It does not show each time: in {rate}")?;
        }
        writeln!(out, "- Edition: {}", self.edition)?;
        writeln!(out, "- Flags: {}", code_list(self.flags))?;
        let mut known = Vec::new();
        for success in summary.also.iter().map(|one| &one.compiler) {
            if !summary.compiler.starts_with(success.as_str()) && !known.contains(&success) {
                writeln!(out, "- Works with: `{success}`")?;
                known.push(success);
            }
        }
        let features = features(self.reduced);
        if !features.is_empty() {
            writeln!(out, "- Features: {}", code_list(&features))?;
        }
        if summary.clean {
            writeln!(out, "- No other error is reported.")?;
        } else {
            let errors = code_list(&summary.remaining_errors);
            writeln!(out, "- Other errors that are reported too: {errors}")?;
        }
        if summary.out_of_time > 0 {
            let late = but_for_late(summary.out_of_time);
            writeln!(out, "- Minimal for each single edit{late}.")?;
        }
        let (before, after) = (summary.tokens_before, summary.tokens_after);
        writeln!(
            out,
            "- Reduced from {before} to {after} tokens with cargo-reduce.\n"
        )
    }

    /// How long it took, where that is the failure.
    fn cost(&self, out: &mut String) -> std::fmt::Result {
        let seconds = self.shown.duration.as_secs_f64();
        match self.summary.signature.kind {
            CrashKind::Hang => writeln!(out, "- Stopped after {seconds:.1} s"),
            CrashKind::Slow => writeln!(out, "- Time: {seconds:.1} s"),
            _ => Ok(()),
        }
    }

    /// What the compiler printed, without the query stack, and the frames of a backtrace in it.
    fn error_output(&self) -> (String, String) {
        let stderr = &self.shown.stderr;
        let stack = stderr.find("query stack during panic");
        let (output, _) = stderr.split_at(stack.unwrap_or(stderr.len()));
        let (output, backtrace) = without_backtrace(output);
        (output.replace(self.names.0, self.names.1), backtrace)
    }

    fn query_stack(&self, out: &mut String) -> std::fmt::Result {
        let stack = &self.shown.query_stack;
        match stack.is_empty() {
            true => Ok(()),
            false => folded(out, "Query stack", &stack.join("\n")),
        }
    }

    fn original(&self, out: &mut String) -> std::fmt::Result {
        let (files, bytes) = (self.original.files().count(), self.original.count_bytes());
        if files > 1 || bytes > LONGEST_ORIGINAL {
            return writeln!(
                out,
                "The original has {files} file(s) with {} tokens; it is too long to be quoted.",
                self.summary.tokens_before
            );
        }
        writeln!(
            out,
            "<details><summary><strong>Original code</strong></summary>\n<p>\n"
        )?;
        sources(out, self.original)?;
        writeln!(out, "</p>\n</details>")
    }
}

/// Splits the frames of a printed backtrace off: what is left, and the frames.
fn without_backtrace(output: &str) -> (String, String) {
    let (mut kept, mut frames) = (Vec::new(), Vec::new());
    for line in output.lines() {
        if line.trim() == "stack backtrace:" {
            continue;
        }
        match is_frame(line) {
            true => frames.push(line),
            false => kept.push(line.trim_end()),
        }
    }
    (kept.join("\n").trim().to_owned(), frames.join("\n"))
}

/// `   0: rustc_x::f` or the `at a.rs:1:2` below it.
fn is_frame(line: &str) -> bool {
    let Some(frame) = line.strip_prefix("  ").map(str::trim_start) else {
        return false;
    };
    let number = frame.split_once(": ").map(|(number, _)| number);
    frame.starts_with("at ") || number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The features that the root switches on.
fn features(tree: &SourceTree) -> Vec<String> {
    let text: String = tree.text(tree.root()).split_whitespace().collect();
    text.split("#![feature(")
        .skip(1)
        .filter_map(|rest| rest.split(")]").next())
        .flat_map(|names| names.split(','))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn code_list(items: &[String]) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    items
        .iter()
        .map(|item| format!("`{item}`"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn sources(out: &mut String, tree: &SourceTree) -> std::fmt::Result {
    let is_single = tree.files().count() == 1;
    for (_, path, text) in tree.files() {
        if !is_single {
            writeln!(out, "`{path}`:\n")?;
        }
        block(out, "rust", text)?;
    }
    Ok(())
}

fn folded(out: &mut String, title: &str, text: &str) -> std::fmt::Result {
    writeln!(
        out,
        "<details><summary><strong>{title}</strong></summary>\n<p>\n"
    )?;
    block(out, "", text)?;
    writeln!(out, "</p>\n</details>\n")
}

fn block(out: &mut String, language: &str, text: &str) -> std::fmt::Result {
    // A fence must be longer than any in the text.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backtraces_are_split_off_and_what_follows_stays() {
        let output = "thread 'rustc' panicked at a.rs:1:2:\nboom\nstack backtrace:\n   0: 0x1 - f\n             at b.rs:3\nnote: more";
        let (kept, frames) = without_backtrace(output);
        assert_eq!(
            kept,
            "thread 'rustc' panicked at a.rs:1:2:\nboom\nnote: more"
        );
        assert_eq!(frames, "   0: 0x1 - f\n             at b.rs:3");
    }

    #[test]
    fn quoted_source_is_no_frame() {
        assert!(!is_frame("12 | let x: u8 = 1;"));
        assert!(!is_frame("   --> src/a.rs:1:2"));
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_code() {
        let mut out = String::new();
        block(&mut out, "rust", "/// ```\nfn f() {}").expect("written");
        assert_eq!(out, "````rust\n/// ```\nfn f() {}\n````\n\n");
    }
}
