//! Each link of a page to a file of the repository leads there, and its anchor to a heading; a page of the book links those outside
//! of the book by their address.

use super::{BOOK, Document, book, document, documents, root};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;

fn events(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The targets of the links and images of a page.
fn links(text: &str) -> Vec<String> {
    let targets = events(text).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url),
        _ => None,
    });
    targets.map(|target| target.to_string()).collect()
}

/// The anchors of the headings of a page; one that comes again has a number behind it.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading: Option<String> = None;
    for event in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&heading.take().unwrap_or_default());
                let n_before = times.entry(name.clone()).or_default();
                anchors.push(match *n_before {
                    0 => name,
                    n => format!("{name}-{n}"),
                });
                *n_before += 1;
            }
            _ => {}
        }
    }
    anchors
}

/// The anchor of a heading, by the rule that mdBook and the hosts of repositories share.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

/// The beginning of the address of a file of the repository.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Returns the reason why a link leads nowhere, or `None` if it leads to a file, or out of the repository.
fn reason_against(from: &Utf8Path, link: &str) -> Option<String> {
    let in_repository = link.strip_prefix(REPOSITORY);
    if in_repository.is_none() && (link.contains("://") || link.starts_with("mailto:")) {
        return None;
    }
    let named = in_repository.unwrap_or(link);
    let (file, wanted) = named.split_once('#').unwrap_or((named, ""));
    let path = match (in_repository, file) {
        (Some(_), file) => Utf8PathBuf::from(file),
        (None, "") => from.to_owned(),
        (None, file) => normal(&from.parent().unwrap_or(from).join(file)),
    };
    // The book is read without the rest of the repository.
    if in_repository.is_none() && from.starts_with(BOOK) && !path.starts_with(BOOK) {
        return Some(format!(
            "it is outside of the book: `{REPOSITORY}{path}` leads there"
        ));
    }
    if !root().join(&path).exists() {
        return Some(format!("there is no `{path}`"));
    }
    if wanted.is_empty() {
        return None;
    }
    let is_there = anchors(&document(path.clone()).text).contains(&wanted.to_owned());
    (!is_there).then(|| format!("`{path}` has no heading `#{wanted}`"))
}

/// Removes `..` from a path, each with the name before it.
fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut normal = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::ParentDir => _ = normal.pop(),
            component => normal.push(component),
        }
    }
    normal
}

/// Returns the complaints about the links of a page.
fn complaints(document: &Document) -> Vec<String> {
    document.complaints(links(&document.text), |link| {
        reason_against(&document.path, link)
    })
}

#[test]
fn each_link_leads_to_a_file_and_a_heading() {
    let wrong: Vec<String> = documents().iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_contents_of_the_book_list_each_page_once() {
    let contents = Utf8Path::new(BOOK).join("SUMMARY.md");
    let mut listed: Vec<Utf8PathBuf> = links(&document(contents.clone()).text)
        .iter()
        .map(|link| Utf8Path::new(BOOK).join(link))
        .collect();
    listed.sort();
    let pages = book().into_iter().filter(|page| *page != contents);
    assert_eq!(listed, pages.collect::<Vec<_>>());
}

#[test]
fn anchors_are_made_of_the_words_of_a_heading() {
    let page = "# `--good`: another version\n\n## A b\n\n## A b\n\n```sh\n# no heading\n```\n";
    assert_eq!(anchors(page), ["--good-another-version", "a-b", "a-b-1"]);
}

#[test]
fn a_link_that_leads_nowhere_is_reported() {
    let text = "[a](https://example.org/x) [b](introduction.md) [c](none.md) [d](introduction.md#none) [e](../../README.md)";
    let document = Document {
        path: "docs/src/page.md".into(),
        text: format!("{text} [f]({REPOSITORY}README.md) [g]({REPOSITORY}none.md)"),
    };
    let expected = [
        "docs/src/page.md: `none.md`: there is no `docs/src/none.md`".to_owned(),
        "docs/src/page.md: `introduction.md#none`: `docs/src/introduction.md` has no heading `#none`"
            .to_owned(),
        format!(
            "docs/src/page.md: `../../README.md`: it is outside of the book: `{REPOSITORY}README.md` leads there"
        ),
        format!("docs/src/page.md: `{REPOSITORY}none.md`: there is no `none.md`"),
    ];
    assert_eq!(complaints(&document), expected);
}
