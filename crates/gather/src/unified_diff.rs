//! Writes lines with their signs (`-`, `+`, blank) as a unified diff.

use std::fmt::Write;
use std::ops::Range;

/// The number of unchanged lines that are shown before and after a change.
const N_AROUND: usize = 3;

/// Writes the unified diff of a file. Each of its lines has the sign that it has in the diff: `-` where it goes, `+` where it
/// comes, and a blank where it stays. Of the lines that stay those are shown that stand beside a change. `None` where nothing
/// changes.
#[must_use]
pub fn unified_diff(path: &str, lines: &[(char, &str)]) -> Option<String> {
    let hunks = hunks(lines);
    if hunks.is_empty() {
        return None;
    }
    let mut diff = format!("--- a/{path}\n+++ b/{path}\n");
    for hunk in hunks {
        write_hunk(&mut diff, lines, hunk).expect("writing to a string does not fail");
    }
    Some(diff)
}

fn write_hunk(diff: &mut String, lines: &[(char, &str)], hunk: Range<usize>) -> std::fmt::Result {
    let (first_before, n_before) = numbers(lines, &hunk, '+');
    let (first_after, n_after) = numbers(lines, &hunk, '-');
    writeln!(
        diff,
        "@@ -{first_before},{n_before} +{first_after},{n_after} @@"
    )?;
    for (sign, line) in &lines[hunk] {
        writeln!(diff, "{sign}{line}")?;
    }
    Ok(())
}

/// Returns the ranges of changed lines, with the unchanged lines to show around them.
fn hunks(lines: &[(char, &str)]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for (idx, _) in lines.iter().enumerate().filter(|(_, line)| line.0 != ' ') {
        let range = idx.saturating_sub(N_AROUND)..(idx + 1 + N_AROUND).min(lines.len());
        match hunks.last_mut() {
            Some(last) if last.end >= range.start => last.end = range.end,
            _ => hunks.push(range),
        }
    }
    hunks
}

/// Returns the number of a hunk's first line, and the count of its lines, in one of the two texts: the one to which lines with
/// the sign `without` do not belong.
fn numbers(lines: &[(char, &str)], hunk: &Range<usize>, without: char) -> (usize, usize) {
    let count = |lines: &[(char, &str)]| lines.iter().filter(|line| line.0 != without).count();
    let n = count(&lines[hunk.clone()]);
    // An empty range is named by the line before it.
    (count(&lines[..hunk.start]) + usize::from(n > 0), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_far_from_a_change_are_not_shown() {
        let lines = ["1", "2", "3", "4"].map(|line| (' ', line));
        let changes = [('-', "5"), ('+', "6")];
        let lines: Vec<(char, &str)> = lines.into_iter().chain(changes).collect();
        let expected = "--- a/r\n+++ b/r\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+6\n";
        assert_eq!(unified_diff("r", &lines).as_deref(), Some(expected));
    }

    #[test]
    fn there_is_no_diff_where_nothing_changes() {
        assert_eq!(unified_diff("r", &[(' ', "1")]), None);
        assert_eq!(unified_diff("r", &[]), None);
    }
}
