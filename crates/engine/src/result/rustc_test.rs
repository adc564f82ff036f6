//! The result as a test of rustc's own: lines that say how such a test is compiled, and the program. It goes into
//! `tests/crashes` while the bug is open, and into `tests/ui` once it is mended. That of an incremental compilation goes into
//! `tests/incremental`.

use reduce_oracle::Plan;

/// The edition of a test that names none.
const USUAL_EDITION: &str = "2015";

/// The arguments that need no line of their own in a test, as the file's name or other lines say
/// them, or the test runner chooses them.
const SAID_OTHERWISE: [&str; 3] = ["--crate-name", "--edition", "--emit"];

/// A program to be written as one of rustc's own tests.
pub(super) struct RustcTest<'a> {
    pub(super) plan: &'a Plan,
    pub(super) code: &'a str,
    /// A function that says which variables the program reads.
    pub(super) is_read: &'a dyn Fn(&str) -> bool,
}

/// The extent to which a test of `tests/ui` must compile once the bug is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passes {
    /// The test must compile up to the metadata that other crates need (`check-pass`).
    Check,
    /// The test compiles, and code is made of it.
    Build,
}

impl RustcTest<'_> {
    /// Makes the test for `tests/crashes`, where the crash is known as the issue of this number.
    pub(super) fn in_crashes(&self, number: u32) -> String {
        self.with_lines([format!("//@ known-bug: #{number}")])
    }

    /// Makes the test for `tests/ui`, which guards against a crash with this title. How it passes is said only where
    /// that is known.
    pub(super) fn in_ui(
        &self,
        title: Option<&str>,
        issue: Option<u32>,
        passes: Option<Passes>,
    ) -> String {
        self.with_lines(first_of_ui(title, issue, passes))
    }

    /// Makes the test for `tests/incremental`, where the two versions of the program have these
    /// names.
    pub(super) fn in_incremental(&self, [first, second]: [&str; 2]) -> String {
        let flags = self.plan.flags_of_one_call();
        let names = [first, second].into_iter().zip(flags.besides_editions());
        let revisions = format!("//@ revisions: {first} {second}");
        let own = names.filter_map(|(name, words)| {
            (!words.is_empty()).then(|| format!("//@[{name}] compile-flags: {}", line(&words)))
        });
        let own: Vec<String> = own.collect();
        self.with_lines_and_more([revisions], Some([first, second]), own)
    }

    /// Writes a test: first some lines, then those that say how it is compiled, then the program.
    fn with_lines(&self, first: impl IntoIterator<Item = String>) -> String {
        self.with_lines_and_more(first, None, Vec::new())
    }

    /// Writes a test: some lines, those that say how it is compiled, `more` lines, and the program; two `revisions` may
    /// have other flags.
    fn with_lines_and_more(
        &self,
        first: impl IntoIterator<Item = String>,
        revisions: Option<[&str; 2]>,
        more: Vec<String>,
    ) -> String {
        let call = &self.plan.call;
        let edition = self.editions(revisions);
        let env = call.env.iter().filter(|(name, _)| (self.is_read)(name));
        let env = env.map(|(name, value)| format!("//@ rustc-env: {name}={value}"));
        let lines: Vec<String> = first
            .into_iter()
            .chain(edition)
            .chain(self.flags())
            .chain(more)
            .chain(env)
            .collect();
        format!("{}\n\n{}", lines.join("\n"), self.code)
    }

    /// Returns the lines with the edition: that of both revisions, or of each.
    fn editions(&self, revisions: Option<[&str; 2]>) -> Vec<String> {
        let second = self.plan.call.edition.as_str();
        let of = |edition: &str, revision: &str| {
            (edition != USUAL_EDITION).then(|| format!("//@{revision} edition: {edition}"))
        };
        let first = revisions.and_then(|_| self.plan.first_edition());
        match (revisions, first.filter(|first| first != second)) {
            (Some(names), Some(first)) => {
                let [before, after] = names.map(|name| format!("[{name}]"));
                let both = [of(&first, &before), of(second, &after)];
                both.into_iter().flatten().collect()
            }
            _ => of(second, "").into_iter().collect(),
        }
    }

    /// Returns the line with the flags that the crash needs of all revisions.
    fn flags(&self) -> Option<String> {
        let of_one_call = self.plan.flags_of_one_call();
        let groups = self.plan.unlinked_args(&[]).into_iter();
        let needed = groups.filter(|group| {
            !SAID_OTHERWISE.contains(&group.name.as_str()) && !of_one_call.is_of_second(group)
        });
        let words = needed.flat_map(|group| &self.plan.call.args[group.range]);
        let words: Vec<String> = words.cloned().collect();
        (!words.is_empty()).then(|| format!("//@ compile-flags: {}", line(&words)))
    }
}

/// Returns the first lines of a test in `tests/ui`.
fn first_of_ui(title: Option<&str>, issue: Option<u32>, passes: Option<Passes>) -> Vec<String> {
    let title = title.unwrap_or("ICE");
    let guards = format!("// The compiler crashed on this program: {title}");
    let link =
        issue.map(|number| format!("// See <https://github.com/rust-lang/rust/issues/{number}>."));
    let passes = passes.map(|passes| match passes {
        Passes::Check => "//@ check-pass".to_owned(),
        Passes::Build => "//@ build-pass".to_owned(),
    });
    [guards].into_iter().chain(link).chain(passes).collect()
}

/// Writes flags on one line.
fn line(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Quotes a word as it stands in a line of flags.
fn quoted(word: &str) -> String {
    match word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ui_test_says_what_it_guards_and_how_it_passes_where_that_is_known() {
        let title = Some("ICE: broken MIR in");
        let guards = "// The compiler crashed on this program: ICE: broken MIR in";
        assert_eq!(first_of_ui(title, None, None), [guards]);
        let link = "// See <https://github.com/rust-lang/rust/issues/7>.";
        let passes = first_of_ui(title, Some(7), Some(Passes::Build));
        assert_eq!(passes, [guards, link, "//@ build-pass"]);
        let checked = first_of_ui(None, None, Some(Passes::Check));
        let unknown = "// The compiler crashed on this program: ICE";
        assert_eq!(checked, [unknown, "//@ check-pass"]);
    }
}
