//! `report.md`: a bug report in the form of rust-lang/rust's template for internal compiler errors,
//! ready to be pasted. That of a failing test is one for the library that it tests (`of_test`). Above that of a
//! crash of rustc a comment says what else a reporter needs (`of_crash`).

mod facts;
mod links;
mod of_crash;
mod of_nearest;
mod of_test;
mod of_tool;
mod printed;

pub(crate) use links::Channel;
pub(crate) use of_crash::{Reporting, title, words_of_message};
pub(crate) use of_test::TestTitle;

use super::markdown::{block, span};
use super::names::ResultNames;
use crate::summary::Summary;
use links::Compiled;
use printed::{without_backtrace, without_warnings};
use reduce_gather::Side;
use reduce_oracle::escape::without_colours;
use reduce_oracle::{CrashKind, Shown, TWO_FILES, Tool};
use reduce_syntax::SourceTree;
use std::fmt::Write;

/// The longest original that is quoted, in bytes.
const LONGEST_ORIGINAL: u64 = 40_000;
/// The longest result that is quoted, in bytes: the text of an issue has 65,536 characters at most.
const LONGEST_RESULT: u64 = 200_000;

/// The facts that a report is made of.
pub(crate) struct Report<'a> {
    pub(crate) summary: &'a Summary,
    /// The tool that has failed (rustc, rustdoc, ..), with its own version where the compiler's
    /// does not tell it.
    pub(crate) tool: Tool,
    pub(crate) tool_version: Option<String>,
    /// The tool's configuration, where the failure needs it: the file's name, and its contents.
    pub(crate) configuration: Option<(String, String)>,
    pub(crate) reduced: &'a SourceTree,
    pub(crate) original: &'a SourceTree,
    /// The names of the test and its package, where the result is a test of a package.
    pub(crate) test: Option<TestTitle>,
    pub(crate) shown: &'a Shown,
    pub(crate) edition: &'a str,
    pub(crate) flags: &'a [String],
    /// The shell line that shows the failure, without the directory of the compiler.
    pub(crate) command: String,
    /// The shell lines that do not fail, in the order of [`Summary::also`].
    pub(crate) successes: Vec<String>,
    /// The names of the crate and its root in the result; `None` where the output is one of the user's package.
    pub(crate) names: Option<ResultNames>,
    /// The program's versions, where the second of two compilations fails.
    pub(crate) revisions: Option<[ToldRevision; 2]>,
    /// Whether each of the two versions of the program is a file of its own.
    pub(crate) is_apart: bool,
    /// The released compiler with which others can compile the result; `None` where it needs more
    /// than its one file.
    pub(crate) channel: Option<Channel>,
    /// The command that finds the nightly since which the compiler crashes, where there is a script
    /// for that.
    pub(crate) bisection: Option<String>,
    /// The user's directories, the longest first, with the text that a report has in place of each.
    pub(crate) private: Vec<(String, &'static str)>,
}

/// One of the two versions of a program that is compiled twice, where the second compilation fails.
pub(crate) struct ToldRevision {
    pub(crate) name: String,
    /// The flags that only the compilation of this version has.
    pub(crate) flags: Vec<String>,
}

/// Writes a sentence for each compilation that has flags of its own.
fn flags_of_revisions(revisions: &[ToldRevision; 2]) -> String {
    let ordinals = revisions.iter().zip(["first", "second"]);
    let told = ordinals.filter(|(one, _)| !one.flags.is_empty());
    let sentences = told.map(|(one, ordinal)| {
        let flags = span(&one.flags.join(" "));
        format!("Only the {ordinal} compilation has {flags}.")
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// The extent of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of the report.
    Report,
    /// The parts that go into an issue: all but the links.
    Issue,
    /// The parts of an issue without the long ones: the backtrace, and the original.
    ShortIssue,
}

/// The text of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportText {
    /// The title: the failure that is reported. It has words of the program or of the compiler, as
    /// they are.
    pub(crate) title: String,
    /// The links and the title that a reporter needs besides the report.
    pub(crate) reporting: Option<Reporting>,
    /// The report as Markdown, without the comment for the reporter.
    pub(crate) body: String,
    /// The signatures of other crashes, with the names of their directories.
    pub(crate) other_crashes: Vec<(String, String)>,
}

impl ReportText {
    /// Returns all of `report.md`.
    pub(crate) fn markdown(&self) -> String {
        let comment = self.reporting.as_ref().map(Reporting::comment);
        comment.unwrap_or_default() + &self.body
    }
}

impl Report<'_> {
    /// Writes the report.
    pub(crate) fn text(&self) -> ReportText {
        let reporting = self.reporting();
        ReportText {
            title: self.title(reporting.as_ref()),
            reporting,
            body: self.body(Extent::Report),
            other_crashes: self.other_crashes(),
        }
    }

    fn other_crashes(&self) -> Vec<(String, String)> {
        let told = self.summary.other_crashes.iter().map(|crash| {
            let name = crash.kept_at.file_name().unwrap_or_default();
            (self.public(&crash.signature), name.to_owned())
        });
        told.collect()
    }

    /// Returns the failure that is reported, on one line.
    fn title(&self, reporting: Option<&Reporting>) -> String {
        match (&self.test, reporting.and_then(|one| one.title.as_ref())) {
            (Some(title), _) => format!("The test {} of {} fails", title.test, title.package),
            (None, Some(title)) => title.clone(),
            (None, None) => self.public(&self.summary.behaviour.failure),
        }
    }

    /// Returns the part of the report below the comment.
    fn body(&self, extent: Extent) -> String {
        let mut text = String::new();
        self.write(extent, &mut text)
            .expect("writing to a string does not fail");
        text
    }

    /// Writes the configuration of the tool that has crashed.
    fn configuration(&self, out: &mut String) -> std::fmt::Result {
        if let Some((name, text)) = &self.configuration {
            writeln!(out, "{} beside it:\n", span(name))?;
            out.push_str(&block("toml", &self.public(text)));
        }
        Ok(())
    }

    /// Returns the name of the compiler's program.
    fn compiler(&self) -> &str {
        self.summary
            .delivered
            .compiler
            .split(' ')
            .next()
            .unwrap_or("rustc")
    }

    fn write(&self, extent: Extent, out: &mut String) -> std::fmt::Result {
        match &self.test {
            Some(title) => {
                self.test(title, out)?;
                self.bisected(extent, out)?;
                writeln!(out, "### Facts\n")?;
            }
            None => {
                writeln!(out, "### Code\n")?;
                self.reduced(out)?;
                self.configuration(out)?;
                self.how_to_reproduce(out)?;
                self.commands(out)?;
                self.bisected(extent, out)?;
                self.links(extent, out)?;
                self.difference(out)?;
            }
        }
        self.facts(out)?;
        self.nearest(out)?;
        writeln!(out, "### Meta\n")?;
        if let Some(version) = &self.tool_version {
            let command = span(&format!("{} --version", self.tool.program()));
            writeln!(out, "{command}:\n")?;
            out.push_str(&block("", version));
        }
        let command = span(&format!("{} --version --verbose", self.compiler()));
        writeln!(out, "{command}:\n")?;
        out.push_str(&block("", &self.summary.delivered.compiler));
        self.outputs(extent, out)?;
        match extent {
            Extent::Report | Extent::Issue => self.original(out),
            Extent::ShortIssue => Ok(()),
        }
    }

    /// Writes the output of the compiler and of the program.
    fn outputs(&self, extent: Extent, out: &mut String) -> std::fmt::Result {
        let (output, backtrace) = self.error_output();
        if !output.is_empty() {
            writeln!(out, "### Error output\n")?;
            out.push_str(&self.printed(&output));
        }
        if !self.shown.stdout.trim().is_empty() {
            writeln!(out, "### Output\n")?;
            out.push_str(&self.printed(&self.shown.stdout));
        }
        self.query_stack(out)?;
        if !backtrace.is_empty() && extent != Extent::ShortIssue {
            folded(out, "Backtrace", &self.printed(&backtrace))?;
        }
        Ok(())
    }

    /// Writes the command that finds the nightly since which the program fails.
    fn bisected(&self, extent: Extent, out: &mut String) -> std::fmt::Result {
        if let Some(command) = self.bisection.as_ref().filter(|_| extent == Extent::Report) {
            let command = span(command);
            let began = match self.summary.behaviour.signature.noun() {
                "crash" => "that began to crash",
                _ if self.summary.behaviour.signature.kind == CrashKind::Diagnostic => {
                    "that began to report it"
                }
                _ => "since which it fails",
            };
            let there = match self.summary.delivered.goes_to {
                Some(_) => {
                    "In the package, with the result in its place and the result's directory for `PATH`"
                }
                None => "In the directory of the result",
            };
            writeln!(out, "{there}, {command} finds the nightly {began}.\n")?;
        }
        Ok(())
    }

    /// Writes where the code of a crash of rustc can be compiled with a click.
    fn links(&self, extent: Extent, out: &mut String) -> std::fmt::Result {
        let is_wanted = extent == Extent::Report && self.is_of_rustc();
        let Some(channel) = self.channel.as_ref().filter(|_| is_wanted) else {
            return Ok(());
        };
        let compiled = Compiled {
            code: self.reduced.text(self.reduced.root()),
            edition: self.edition,
            flags: self.flags,
            channel,
        };
        match compiled.sentence() {
            Some(sentence) => writeln!(out, "{sentence}\n"),
            None => Ok(()),
        }
    }

    fn how_to_reproduce(&self, out: &mut String) -> std::fmt::Result {
        match &self.summary.delivered.goes_to {
            Some(place) => writeln!(
                out,
                "To see it, {}. In the package, this then fails:\n",
                place.instruction(&span)
            ),
            None => writeln!(out, "Reproduces with:\n"),
        }
    }

    /// Formats the output of a compiler or a program, without colours, as a block.
    fn printed(&self, text: &str) -> String {
        block("", &self.public(&without_colours(text)))
    }

    /// Replaces the paths of the user's private directories in a text by names that tell nothing of
    /// the machine.
    fn public(&self, text: &str) -> String {
        let known = self.private.iter();
        known.fold(text.to_owned(), |text, (path, name)| {
            replaced_path(&text, path, name)
        })
    }

    /// Writes the command that fails, and where there are some, those that do not.
    fn commands(&self, out: &mut String) -> std::fmt::Result {
        let command = self.public(&self.command);
        let text = match self.successes.is_empty() {
            true => command,
            false => {
                let others = self.successes.iter();
                let others = others.map(|one| format!("{}  # succeeds", self.public(one)));
                let first = format!("{command}  # fails");
                Vec::from_iter(std::iter::once(first).chain(others)).join("\n")
            }
        };
        out.write_str(&block("sh", &text))
    }

    /// Writes the difference between the version that passes and the one that fails.
    fn difference(&self, out: &mut String) -> std::fmt::Result {
        if let Some(revisions) = &self.revisions {
            return self.change_between_revisions(revisions, out);
        }
        let Some(difference) = &self.summary.delivered.difference else {
            return Ok(());
        };
        writeln!(out, "### Change\n")?;
        writeln!(
            out,
            "The code is two versions in one text. The one with `--cfg before` passes. The one with `--cfg after` \
             fails, and this is all that is different in it:\n"
        )?;
        out.write_str(&block("diff", difference))
    }

    /// Writes the difference from one compilation to the next, and how the code becomes a test of
    /// rustc's own.
    fn change_between_revisions(
        &self,
        revisions: &[ToldRevision; 2],
        out: &mut String,
    ) -> std::fmt::Result {
        let [first, second] = revisions.each_ref().map(|one| one.name.as_str());
        let flags = flags_of_revisions(revisions);
        match (&self.summary.delivered.difference, flags.is_empty()) {
            (None, true) => return Ok(()),
            (Some(difference), _) if self.is_apart => {
                writeln!(
                    out,
                    "### Change\n\nThe code is two versions in one text, and the crash shows only where each is a file of its \
                     own, without attributes: `{TWO_FILES}` has them. The first is compiled to an empty incremental directory, and then the \
                     second, in the place of the first, with what is in that directory. This is all that changes:\n"
                )?;
                out.write_str(&block("diff", difference))?;
            }
            (Some(difference), _) => {
                writeln!(
                    out,
                    "### Change\n\nThe code is two versions in one text. The one with `--cfg {first}` is compiled to an \
                     empty incremental directory. Then the one with `--cfg {second}` is compiled with what is in that \
                     directory, and the compiler crashes. This is all that changes:\n"
                )?;
                out.write_str(&block("diff", difference))?;
            }
            (None, false) => writeln!(
                out,
                "### Change\n\nThe same program is compiled twice, with other flags each time: to an empty incremental \
                 directory, and then with what is in that directory. The second time the compiler crashes.\n"
            )?,
        }
        if !flags.is_empty() {
            writeln!(out, "{flags}\n")?;
        }
        if first == Side::Before.cfg() {
            return Ok(());
        }
        writeln!(
            out,
            "The file is in the form of a test for `tests/incremental` of rust-lang/rust, where each line with an error \
             that the version has besides the crash needs a comment such as `//[{second}]~ ERROR`. A compiler in which \
             the crash is mended says which these are.\n"
        )
    }

    /// Returns the compiler's output without the query stack, and the frames of a backtrace in it.
    fn error_output(&self) -> (String, String) {
        let stderr = &self.shown.stderr;
        let stack = stderr.find("query stack during panic");
        let (output, _) = stderr.split_at(stack.unwrap_or(stderr.len()));
        let (output, backtrace) = without_backtrace(output);
        // Warnings about unused code say nothing of a crash.
        let output = match self.summary.behaviour.signature.is_of_compiler() {
            true => without_warnings(&output),
            false => output,
        };
        (self.renamed(output), backtrace)
    }

    /// Replaces the names of the crate and its root in a text by those that they have in the
    /// result.
    fn renamed(&self, text: String) -> String {
        match &self.names {
            Some(names) => names.in_output(&text),
            None => text,
        }
    }

    fn query_stack(&self, out: &mut String) -> std::fmt::Result {
        let stack = &self.shown.query_stack;
        match stack.is_empty() {
            true => Ok(()),
            false => {
                let stack = self.renamed(stack.join("\n"));
                folded(out, "Query stack", &self.printed(&stack))
            }
        }
    }

    /// Quotes the result, if it is not too long.
    pub(super) fn reduced(&self, out: &mut String) -> std::fmt::Result {
        match self.reduced.count_bytes() > LONGEST_RESULT {
            true => {
                let tokens = self.summary.sizes.tokens_after;
                too_long(out, "result", (self.reduced, tokens))
            }
            false => sources(out, self.reduced),
        }
    }

    fn original(&self, out: &mut String) -> std::fmt::Result {
        let (files, bytes) = (self.original.files().count(), self.original.count_bytes());
        if files > 1 || bytes > LONGEST_ORIGINAL {
            let tokens = self.summary.sizes.tokens_before;
            return too_long(out, "original", (self.original, tokens));
        }
        writeln!(
            out,
            "<details><summary><strong>Original code</strong></summary>\n<p>\n"
        )?;
        sources(out, self.original)?;
        writeln!(out, "</p>\n</details>")
    }
}

/// Gives a directory, and what is below it, another name in a text.
fn replaced_path(text: &str, path: &str, name: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || "_-.+@~/".contains(c);
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let (before, after) = (&rest[..at], &rest[at + path.len()..]);
        let begins = !before.ends_with(is_of_path);
        let ends = after.starts_with('/') || !after.starts_with(is_of_path);
        result.push_str(before);
        result.push_str(if begins && ends { name } else { path });
        rest = after;
    }
    result + rest
}

/// Says of a program that it is not quoted, with its number of tokens.
fn too_long(out: &mut String, what: &str, (tree, tokens): (&SourceTree, u64)) -> std::fmt::Result {
    let of = match tree.files().count() {
        1 => "one file".to_owned(),
        files => format!("{files} files"),
    };
    writeln!(
        out,
        "The {what} has {of} of {tokens} tokens and is too long to be quoted.\n"
    )
}

fn sources(out: &mut String, tree: &SourceTree) -> std::fmt::Result {
    let is_single = tree.files().count() == 1;
    for (_, path, text) in tree.files() {
        if !is_single {
            writeln!(out, "{}:\n", span(path.as_str()))?;
        }
        out.push_str(&block("rust", text));
    }
    Ok(())
}

/// Writes a block that is folded below a title.
fn folded(out: &mut String, title: &str, block: &str) -> std::fmt::Result {
    writeln!(
        out,
        "<details><summary><strong>{title}</strong></summary>\n<p>\n"
    )?;
    out.push_str(block);
    writeln!(out, "</p>\n</details>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Ended;
    use crate::summary::tests::summary;
    use reduce_guard::Fidelity;
    use reduce_oracle::{Ending, escape};
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn shown(text: &str) -> Shown {
        Shown {
            stderr: text.to_owned(),
            stdout: text.to_owned(),
            truncated: false,
            duration: Duration::ZERO,
            ending: Ending::Exited(101),
            signature: None,
            others: vec![],
            errors: BTreeSet::new(),
            query_stack: vec![text.to_owned()],
            runs: 1,
        }
    }

    #[test]
    fn directories_of_the_user_are_not_told() {
        let table = [
            ("/home/me/a.rs", "~/a.rs"),
            ("cd /home/me && x", "cd ~ && x"),
            ("-L dependency=/home/me/deps", "-L dependency=~/deps"),
            ("/home/menu/a.rs", "/home/menu/a.rs"),
            ("/rustc/home/me/a.rs", "/rustc/home/me/a.rs"),
            ("/home/me:/home/me/b", "~:~/b"),
        ];
        for (text, expected) in table {
            assert_eq!(replaced_path(text, "/home/me", "~"), expected);
        }
    }

    /// A text that a candidate may write for whoever reads the report.
    const HOSTILE: &str =
        "\u{1b}]0;x\u{7}</details> @everyone <img src=x onerror=alert(1)> \u{202e}";

    /// Returns the lines of a report that are in no block of code, without spans of code.
    fn prose(report: &str) -> String {
        let mut fence: Option<String> = None;
        let mut prose = String::new();
        for line in report.lines() {
            let ticks: String = line.chars().take_while(|c| *c == '`').collect();
            match &fence {
                Some(open) if *open == line => fence = None,
                Some(_) => {}
                // The line of a fence has no backticks behind those that open it.
                None if ticks.len() > 2 && !line[ticks.len()..].contains('`') => {
                    fence = Some(ticks);
                }
                None => prose += &format!("{}\n", without_spans(line)),
            }
        }
        assert_eq!(fence, None, "a block has no end in\n{report}");
        prose
    }

    fn without_spans(line: &str) -> String {
        let Some(at) = line.find('`') else {
            return line.to_owned();
        };
        let ticks: String = line[at..].chars().take_while(|c| *c == '`').collect();
        let rest = &line[at + ticks.len()..];
        let end = rest.find(&ticks).expect("a span has an end");
        line[..at].to_owned() + &without_spans(&rest[end + ticks.len()..])
    }

    fn hostile_report() -> String {
        let text = format!("````\n{HOSTILE}\n```\n{HOSTILE}");
        let code = format!("// {HOSTILE}\n#![feature({HOSTILE})]");
        report(&hostile_summary(&text), &text, &code)
    }

    fn hostile_summary(text: &str) -> Summary {
        let signature = r#"{"kind":"panic","file":null,"position":null,"message":"","query":null}"#;
        let mut summary = summary(serde_json::from_str(signature).expect("it is one"));
        summary.behaviour.failure = text.to_owned();
        summary.behaviour.remaining_errors = vec![text.to_owned()];
        summary.delivered.compiler = text.to_owned();
        summary
    }

    /// Makes a report with this text wherever there may be one.
    fn report(summary: &Summary, text: &str, code: &str) -> String {
        report_for(summary, text, code, None)
    }

    fn report_for(summary: &Summary, text: &str, code: &str, channel: Option<Channel>) -> String {
        text_for(summary, text, code, channel).markdown()
    }

    fn text_for(summary: &Summary, text: &str, code: &str, channel: Option<Channel>) -> ReportText {
        let tree = SourceTree::single(HOSTILE.into(), code.into());
        let report = Report {
            summary,
            tool: Tool::Rustc,
            tool_version: None,
            configuration: None,
            reduced: &tree,
            original: &tree,
            test: None,
            shown: &shown(text),
            edition: text,
            flags: &[text.to_owned()],
            command: text.to_owned(),
            successes: vec![text.to_owned()],
            names: None,
            revisions: None,
            is_apart: false,
            channel,
            bisection: None,
            private: vec![],
        };
        report.text()
    }

    #[test]
    fn the_report_of_a_crash_has_links_and_the_issue_that_it_opens_has_none() {
        let mut summary = hostile_summary("x");
        let flag = "--crate-type=lib";
        let text_of = |summary: &Summary, channel| text_for(summary, flag, "fn f() {}", channel);
        let of = |summary: &Summary, channel| text_of(summary, channel).markdown();
        let channel = Some(Channel::Nightly);
        assert!(!of(&summary, channel.clone()).contains("://"), "no rustc");
        summary.delivered.compiler = "rustc 1.97.0-nightly".to_owned();
        let text = text_of(&summary, channel);
        let issue = &text.reporting.as_ref().expect("rustc has crashed").issue;
        assert!(issue.contains("&body=%23%23%23%20Code"), "{issue}");
        assert!(!issue.contains("play%2Erust"), "{issue}");
        let report = text.markdown();
        let (comment, below) = report.split_once("-->").expect("there is a comment");
        let issue =
            "\nReport it with the text below: https://github.com/rust-lang/rust/issues/new?title=";
        assert!(comment.contains(issue), "{comment}");
        assert!(!comment.contains("&body="), "{comment}");
        let sentence = "You can compile the code [in the Playground](https://play.rust-lang.org/?version=nightly&";
        assert!(below.contains(sentence), "{below}");
        assert!(
            !of(&summary, None).contains("Playground"),
            "it is not alone"
        );
    }

    #[test]
    fn the_report_of_a_stopped_reduction_says_so() {
        let mut summary = hostile_summary("x");
        let words = "stopped before its end";
        assert!(!report(&summary, "x", "x").contains(words));
        summary.ended = Ended::Cancelled;
        assert!(report(&summary, "x", "x").contains(words));
        let words = "output below is that of the original";
        assert!(!report(&summary, "x", "x").contains(words));
        summary.behaviour.checked = false;
        assert!(report(&summary, "x", "x").contains(words));
    }

    #[test]
    fn a_long_result_is_not_quoted() {
        let long = "fn f() {}\n".repeat(LONGEST_RESULT as usize / 10 + 1);
        let summary = hostile_summary("x");
        let text = report(&summary, "x", &long);
        assert!(text.contains("The result has one file of"), "{text}");
        assert!(!text.contains("fn f() {}"));
    }

    #[test]
    fn the_report_says_what_became_of_the_cause() {
        let mut summary = hostile_summary("x");
        let mut says = |fidelity, words: &str| {
            summary.fidelity = fidelity;
            report(&summary, "x", "x").contains(words)
        };
        assert!(!says(Fidelity::Test, "cause may be another"));
        assert!(says(Fidelity::Free, "cause may be another"));
        assert!(says(Fidelity::Whole, "code under test was reduced too"));
    }

    #[test]
    fn the_change_between_two_versions_is_shown() {
        let mut summary = hostile_summary("x");
        summary.fidelity = Fidelity::Whole;
        assert!(!report(&summary, "x", "x").contains("### Change"));
        summary.delivered.difference = Some("-a\n+b\n".to_owned());
        let report = report(&summary, "x", "x");
        assert!(report.contains("```diff\n-a\n+b\n```"), "{report}");
        assert!(
            report.contains("so was the difference between its versions"),
            "{report}"
        );
    }

    #[test]
    fn what_others_wrote_stands_in_code_alone() {
        let report = hostile_report();
        let prose = prose(&report);
        for part in ["onerror", "@everyone", "everyone", "rust", "</details> "] {
            assert!(!prose.contains(part), "{part} in\n{prose}");
        }
        let active: Vec<char> = report.chars().filter(|c| escape::is_active(*c)).collect();
        assert!(active.iter().all(|c| *c == '\n'), "{active:?}");
        assert!(report.contains("@everyone"), "nothing is left out");
    }
}
