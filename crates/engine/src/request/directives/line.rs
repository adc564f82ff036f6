//! A line such as `//@[next] compile-flags: -Znext-solver`, split into its parts.

/// The start of a line for compiletest, rustc's test runner.
const START: &str = "//@";

/// The beginnings of the names of lines that say where rustc runs a test.
const RESTRICTIONS: [&str; 3] = ["needs-", "only-", "ignore-"];

/// A line for compiletest, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'l> {
    /// The whole line.
    pub(super) text: &'l str,
    /// The revisions for which the line holds; empty if it holds for all of them.
    revisions: Vec<&'l str>,
    pub(super) name: &'l str,
    pub(super) value: &'l str,
}

/// Returns all lines for compiletest in a file.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().filter_map(|line| Line::of(line.trim()))
}

impl<'l> Line<'l> {
    fn of(text: &'l str) -> Option<Self> {
        let rest = text.strip_prefix(START)?.trim_start();
        let (revisions, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((revisions, rest)) => (revisions.split(',').map(str::trim).collect(), rest),
            None => (Vec::new(), rest),
        };
        let (name, value) = rest.split_once(':').unwrap_or((rest, ""));
        // Words after a name without a colon give a reason: `ignore-windows (it has no fork)`.
        let name = name.split_whitespace().next()?;
        Some(Self {
            text,
            revisions,
            name,
            value: value.trim(),
        })
    }

    /// Whether the line holds in a revision.
    pub(super) fn is_for(&self, revision: Option<&str>) -> bool {
        self.revisions.is_empty() || revision.is_some_and(|one| self.revisions.contains(&one))
    }

    /// Whether the line says on which systems or with which compilers rustc runs the test.
    pub(super) fn is_restriction(&self) -> bool {
        let mut all = RESTRICTIONS.iter();
        all.any(|start| self.name.starts_with(start))
    }
}
