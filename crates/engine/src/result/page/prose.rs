//! The report's Markdown as HTML. What the program and the compiler wrote stands in code there, and tags are
//! those that we have written: nothing else passes as one.

use super::code;
use maud::{Markup, PreEscaped};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html};

/// Formats Markdown as HTML, without the heading of the first level, which is the page's title.
pub(super) fn html(markdown: &str) -> Markup {
    let mut events = Vec::new();
    let mut part = Part::Prose;
    for event in Parser::new(markdown) {
        part = part.follow(event, &mut events);
    }
    let mut text = String::with_capacity(markdown.len() * 3);
    html::push_html(&mut text, events.into_iter());
    PreEscaped(text)
}

/// The part of the Markdown that is being read.
enum Part {
    Prose,
    Title,
    Code { language: String, text: String },
}

impl Part {
    /// Reads an event of the Markdown parser, and adds the events that take its place.
    fn follow<'m>(self, event: Event<'m>, out: &mut Vec<Event<'m>>) -> Self {
        match (self, event) {
            (Self::Prose, Event::Start(Tag::CodeBlock(kind))) => Self::Code {
                language: language(&kind),
                text: String::new(),
            },
            (Self::Code { language, text }, Event::End(TagEnd::CodeBlock)) => {
                let block = code::block(&language, text.trim_end_matches('\n'));
                out.push(Event::Html(block.into_string().into()));
                Self::Prose
            }
            (Self::Code { language, text }, Event::Text(more)) => Self::Code {
                language,
                text: text + &more,
            },
            (part @ Self::Code { .. }, _) => part,
            (
                Self::Prose,
                Event::Start(Tag::Heading {
                    level: HeadingLevel::H1,
                    ..
                }),
            ) => Self::Title,
            (Self::Title, Event::End(TagEnd::Heading(_))) => Self::Prose,
            (Self::Title, _) => Self::Title,
            (Self::Prose, event) => {
                out.extend(harmless(event));
                Self::Prose
            }
        }
    }
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(language) => language.to_string(),
        CodeBlockKind::Indented => String::new(),
    }
}

/// Makes an event of the Markdown parser harmless. No image is loaded, no link leads to a script,
/// and tags are ours.
fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    match event {
        Event::Html(html) | Event::InlineHtml(html) => Some(tags(html)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { dest_url, .. }) => {
            let is_safe = dest_url.starts_with("https://");
            let address = if is_safe { &*dest_url } else { "" };
            let address = maud::html! { (address) }.into_string();
            let tag = format!("<a rel=\"noreferrer\" href=\"{address}\">");
            Some(Event::InlineHtml(tag.into()))
        }
        Event::End(TagEnd::Link) => Some(Event::InlineHtml("</a>".into())),
        other => Some(other),
    }
}

/// Returns the HTML tags that fold a part of the report, or other HTML as plain text.
fn tags(html: CowStr<'_>) -> Event<'_> {
    match html.trim() {
        "</details>" => Event::Html("</details>\n".into()),
        // A folded text is a block by itself.
        "<p>" | "</p>" => Event::Html("".into()),
        other => match folded_title(other) {
            Some(title) => Event::Html(format!("<details><summary>{title}</summary>\n").into()),
            None => Event::Text(html),
        },
    }
}

/// Returns the title of a folded part, if a line opens one.
fn folded_title(line: &str) -> Option<&str> {
    let title = line.strip_prefix("<details><summary><strong>")?;
    let title = title.strip_suffix("</strong></summary>")?;
    let is_plain = title
        .chars()
        .all(|one| one.is_ascii_alphanumeric() || one == ' ');
    is_plain.then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markdown: &str, expected: &str) {
        assert_eq!(html(markdown).into_string(), expected);
    }

    #[test]
    fn prose_and_code_spans_are_those_of_markdown() {
        check(
            "# Title `x`\n\n### Facts\n\n- Failure: `a < b`\n- [x](https://a.b/?c&d)\n",
            "<h3>Facts</h3>\n<ul>\n<li>Failure: <code>a &lt; b</code></li>\n\
             <li><a rel=\"noreferrer\" href=\"https://a.b/?c&amp;d\">x</a></li>\n</ul>\n",
        );
    }

    #[test]
    fn blocks_of_code_have_colours_and_a_button() {
        let text = html("```rust\nfn f() {}\n```\n").into_string();
        assert!(
            text.contains("<span class=k>fn</span> f() {}</code>"),
            "{text}"
        );
        assert!(text.contains("<button"), "{text}");
    }

    #[test]
    fn what_the_report_folds_is_folded() {
        check(
            "<details><summary><strong>Query stack</strong></summary>\n<p>\n\nx\n\n</p>\n</details>\n",
            "<details><summary>Query stack</summary>\n<p>x</p>\n</details>\n",
        );
    }

    #[test]
    fn no_other_tag_passes() {
        for text in [
            "<script>alert(1)</script>",
            "<details><summary><strong><img src=x></strong></summary>",
            "a <img src=x onerror=alert(1)> b",
            "<!-- <script>alert(1)</script> -->",
            "<style>*{}</style>",
        ] {
            let html = html(text).into_string();
            let rest = html.replace("<p>", "").replace("</p>", "");
            assert!(!rest.contains('<'), "{text} becomes {html}");
        }
        let links =
            html("[a](javascript:alert(1)) ![b](https://c.d/e.png) <http://a.b>").into_string();
        assert!(
            !links.contains("javascript") && !links.contains("<img"),
            "{links}"
        );
        assert!(links.matches("href=\"\"").count() == 2, "{links}");
    }
}
