//! Shows the difference between the two versions in a text as a unified diff.

use super::alignment::aligned;
use super::{Side, version_of};
use crate::unified_diff::unified_diff;
use reduce_syntax::pretty;

/// Returns the unified diff from the first version in a text to the second one, with the file's name. Both are laid out in the
/// same way. `None` where nothing changes.
#[must_use]
pub fn unified_difference(path: &str, text: &str) -> Option<String> {
    let [before, after] = Side::ALL.map(|side| {
        let text = version_of(text, side);
        pretty(&text).unwrap_or(text)
    });
    unified(path, &before, &after)
}

fn unified(path: &str, before: &str, after: &str) -> Option<String> {
    unified_diff(path, &lines_of_both(before, after))
}

/// Returns the lines of both texts, each with its sign in a diff.
fn lines_of_both<'t>(before: &'t str, after: &'t str) -> Vec<(char, &'t str)> {
    let [before, after]: [Vec<Option<&str>>; 2] =
        [before, after].map(|text| text.lines().map(Some).collect());
    let mut lines = Vec::new();
    let mut add = |sign: char, some: &[Option<&'t str>]| {
        lines.extend(some.iter().flatten().map(|line| (sign, *line)));
    };
    let (mut b, mut a) = (0, 0);
    for (next_b, next_a) in aligned(&before, &after) {
        add('-', &before[b..next_b]);
        add('+', &after[a..next_a]);
        add(' ', &after[next_a..=next_a]);
        (b, a) = (next_b + 1, next_a + 1);
    }
    add('-', &before[b..]);
    add('+', &after[a..]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_shown_among_what_is_around_it() {
        let text = "struct S(u8); fn f() { a(); b(); c(); d();
                    #[cfg(before)] { x += 1; } #[cfg(after)] { x += 2; } e(); }";
        let expected = "--- a/r.rs\n+++ b/r.rs\n@@ -4,6 +4,6 @@\n     b();\n     c();\n     d();\n-    x += 1;\n\
                        +    x += 2;\n     e();\n }\n";
        assert_eq!(unified_difference("r.rs", text).as_deref(), Some(expected));
        assert_eq!(unified_difference("r.rs", "fn f() {}"), None);
    }

    #[test]
    fn places_far_apart_have_a_hunk_each() {
        let before: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        let mut after = before.clone();
        after.remove(15);
        after.insert(0, "x".to_owned());
        let diff = unified("r", &before.join("\n"), &after.join("\n")).unwrap();
        let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with('@')).collect();
        assert_eq!(heads, ["@@ -1,3 +1,4 @@", "@@ -13,7 +14,6 @@"]);
    }

    #[test]
    fn an_empty_version_has_no_first_line() {
        assert_eq!(
            unified("r", "", "a\n").as_deref(),
            Some("--- a/r\n+++ b/r\n@@ -0,0 +1,1 @@\n+a\n")
        );
    }
}
