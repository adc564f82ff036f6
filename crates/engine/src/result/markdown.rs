//! Foreign text as code in Markdown: a span in a sentence, or a block. In code neither HTML nor a
//! mention nor a link means anything, so that foreign text stands in a report in no other way. What
//! would act on a terminal is shown as [`escape`] shows it, since reports are read there too.

use reduce_oracle::escape;

/// Formats a text as code in a sentence, on one line.
pub(crate) fn span(text: &str) -> String {
    let text = escape::line(text).replace('\t', " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    // A space is taken away at both ends, if both have one and there is more than that.
    let touches = text.starts_with('`') || text.ends_with('`');
    let is_padded = text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty();
    let space = if touches || is_padded { " " } else { "" };
    match text.is_empty() {
        true => String::new(),
        false => format!("{fence}{space}{text}{space}{fence}"),
    }
}

/// Formats a text as a block of code, with an empty line after it.
pub(crate) fn block(language: &str, text: &str) -> String {
    let text = escape::lines(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n\n", text.trim_end())
}

/// Returns the length of the longest run of backticks: a fence must be longer.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_ends_where_its_text_does() {
        let table = [
            ("plain", "`plain`"),
            ("", ""),
            // HTML, mentions, links and emphasis are no such thing in code.
            (
                "<img src=x onerror=alert(1)>",
                "`<img src=x onerror=alert(1)>`",
            ),
            ("</details> @everyone #1", "`</details> @everyone #1`"),
            ("[a](http://b) **c**", "`[a](http://b) **c**`"),
            // Neither a backtick nor a line break ends it.
            ("called `f` on `None`", "`` called `f` on `None` ``"),
            ("called `f` twice", "``called `f` twice``"),
            ("a ``b`` c", "```a ``b`` c```"),
            ("`", "`` ` ``"),
            (" a ", "`  a  `"),
            ("a\n\n# b", "`a\\n\\n# b`"),
            ("\u{1b}[31m\u{202e}", "`\\u{1b}[31m\\u{202e}`"),
        ];
        for (text, expected) in table {
            assert_eq!(span(text), expected);
        }
    }

    #[test]
    fn a_block_ends_where_its_text_does() {
        let table = [
            ("fn f() {}", "```rust\nfn f() {}\n```\n\n"),
            (
                "/// ```\nfn f() {}",
                "````rust\n/// ```\nfn f() {}\n````\n\n",
            ),
            (
                "`````\n</details>",
                "``````rust\n`````\n</details>\n``````\n\n",
            ),
            ("a\r\nb\u{1b}[2J\n\n", "```rust\na\nb\\u{1b}[2J\n```\n\n"),
        ];
        for (text, expected) in table {
            assert_eq!(block("rust", text), expected);
        }
    }
}
