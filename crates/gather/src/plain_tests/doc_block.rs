//! Extracts the code of a doc test from the comments of a source file: the lines between two fences, without the comment marks,
//! and with the lines that rustdoc hides from readers.

use crate::editions::Edition;

/// A block of code between two fences in a doc comment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DocBlock {
    /// The words after the opening fence, such as `should_panic`.
    pub(super) words: Vec<String>,
    /// The code of the block, as rustdoc compiles it.
    pub(super) code: String,
}

/// The most lines by which rustdoc names a block's beginning too early: where a comment begins with an empty line, or an
/// attribute stands between comments.
const LINES_TOO_EARLY: usize = 2;

impl DocBlock {
    /// Finds the block of code that begins in this line of a source according to rustdoc, counted from 1. Returns `None` where
    /// there is no fence.
    pub(super) fn at(source: &str, line: usize) -> Option<Self> {
        let lines: Vec<&str> = source.lines().collect();
        let from = line.checked_sub(1)?;
        (from..=from + LINES_TOO_EARLY).find_map(|from| Self::in_line(&lines, from))
    }

    /// Reads the block whose opening fence stands in this line, counted from 0.
    fn in_line(lines: &[&str], from: usize) -> Option<Self> {
        let comment = Comment::around(lines, from)?;
        let mut texts = lines[from..].iter().map_while(|line| comment.text(line));
        let opening = texts.next()?;
        let fence = Fence::opening(opening)?;
        let mut code = String::new();
        for text in texts {
            if fence.is_closed_by(text) {
                break;
            }
            code += &shown_or_hidden(fence.without_indent(text));
            code.push('\n');
        }
        let words = opening.trim().trim_start_matches(fence.mark);
        Some(Self {
            words: split_words(words),
            code,
        })
    }

    /// Makes a block from the words after its opening fence and from its code, in which rustdoc has already unhidden lines.
    pub(super) fn of(words: &str, text: &str) -> Self {
        Self {
            words: split_words(words),
            code: format!("{text}\n"),
        }
    }

    /// Returns whether a word, such as `should_panic`, stands after the opening fence.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|one| one == word)
    }

    /// Returns the edition that the words after the fence name, such as `edition2018`.
    pub(super) fn edition(&self) -> Option<Edition> {
        let mut years = self
            .words
            .iter()
            .filter_map(|word| word.strip_prefix("edition"));
        years.find_map(|year| year.parse().ok())
    }
}

fn split_words(words: &str) -> Vec<String> {
    let words = words.split(|c: char| c == ',' || c.is_whitespace());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The form of a comment, which decides how its lines begin.
enum Comment {
    /// A comment whose lines begin with `///` or `//!`.
    Lines(&'static str),
    /// A block comment, whose lines begin with nothing, or with a star.
    Block,
}

impl Comment {
    /// Returns the form of the comment in which a line stands.
    fn around(lines: &[&str], at: usize) -> Option<Self> {
        let line = lines.get(at)?.trim_start();
        let mark = ["///", "//!"]
            .into_iter()
            .find(|mark| line.starts_with(mark));
        if let Some(mark) = mark {
            return Some(Self::Lines(mark));
        }
        let mut before = lines[..=at].iter().rev();
        let opens = |line: &&&str| line.contains("/**") || line.contains("/*!");
        before.find(opens).map(|_| Self::Block)
    }

    /// Returns the text in a line of the block; `None` where it has ended.
    fn text<'t>(&self, line: &'t str) -> Option<&'t str> {
        match self {
            Self::Lines(mark) => line.trim_start().strip_prefix(mark),
            Self::Block if line.contains("*/") => None,
            Self::Block => {
                let text = line.trim_start();
                Some(text.strip_prefix('*').map_or(line, |text| text))
            }
        }
    }
}

/// The fence with which a block of code begins.
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    fn opening(text: &str) -> Option<Self> {
        let trimmed = text.trim_start();
        let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = trimmed.chars().take_while(|c| *c == mark).count();
        let indent = text.len() - trimmed.len();
        (length >= 3).then_some(Self {
            mark,
            length,
            indent,
        })
    }

    fn is_closed_by(&self, text: &str) -> bool {
        let text = text.trim();
        text.len() >= self.length && text.chars().all(|c| c == self.mark)
    }

    fn without_indent<'t>(&self, text: &'t str) -> &'t str {
        let white = text.len() - text.trim_start().len();
        &text[white.min(self.indent)..]
    }
}

/// Returns a line of a doc test as rustdoc compiles it: `# ` hides a line from readers, and `##` stands for `#`.
fn shown_or_hidden(line: &str) -> String {
    let text = line.trim();
    match text.strip_prefix("# ") {
        _ if text == "#" => String::new(),
        _ if text.starts_with("##") => line.replacen("##", "#", 1),
        Some(hidden) => hidden.to_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, line: usize, words: &[&str], code: &str) {
        let block = DocBlock::at(source, line).expect("there is a fence");
        assert_eq!(block.words, words, "{source}");
        assert_eq!(block.code, code, "{source}");
    }

    #[test]
    fn the_lines_between_two_fences_are_code() {
        check("/// ```\n/// a();\n/// ```\n/// b", 1, &[], "a();\n");
        check(
            "//! Text.\n    //! ~~~rust,should_panic\n    //! if a {\n    //!     b\n    //! }\n//! ~~~\n",
            2,
            &["rust", "should_panic"],
            "if a {\n    b\n}\n",
        );
        check("/// ````\n/// \"```\"\n/// ````\n", 1, &[], "\"```\"\n");
        check("/// ```\n/// a();\nfn f() {}", 1, &[], "a();\n");
    }

    #[test]
    fn a_text_that_rustdoc_has_found_is_code_too() {
        let block = DocBlock::of("rust,should_panic", "use a;\n# b");
        assert_eq!(block.words, ["rust", "should_panic"]);
        assert_eq!(block.code, "use a;\n# b\n");
    }

    #[test]
    fn a_fence_in_a_list_takes_its_indentation_along() {
        check(
            "///   ```\n///   a {\n///     b\n///\n///   }\n///   ```",
            1,
            &[],
            "a {\n  b\n\n}\n",
        );
    }

    #[test]
    fn code_stands_in_block_comments_too() {
        check("/**\nText.\n```\na();\n```\n*/", 2, &[], "a();\n");
        check("/**\n```\na();\n```\n*/", 2, &[], "a();\n");
        check(
            "/*! Text.\n * ```\n * a {\n *   b\n * }\n */",
            2,
            &[],
            "a {\n  b\n}\n",
        );
    }

    #[test]
    fn a_fence_may_come_after_the_line_that_rustdoc_names() {
        let source = "/// a\n#[inline]\n/// b\n/// ```\n/// a();\n/// ```";
        check(source, 3, &[], "a();\n");
    }

    #[test]
    fn hidden_lines_are_compiled() {
        check(
            "/// ```\n/// # use a::b;\n/// #\n/// ## [c]\n/// #[d]\n/// ```",
            1,
            &[],
            "use a::b;\n\n# [c]\n#[d]\n",
        );
    }

    #[test]
    fn where_no_fence_is_there_is_no_block() {
        for (source, line) in [
            ("/// text", 1),
            ("/// ``", 1),
            ("fn f() {}", 1),
            ("", 1),
            ("/// ```", 2),
            ("/// a\n///\n///\n/// ```", 1),
            ("/// ```", 0),
        ] {
            assert_eq!(DocBlock::at(source, line), None, "{source}");
        }
    }
}
