//! Tests of what people read: `README.md`, the book in `docs/src`, and the pages for those who work on the
//! program.
//!
//! - `commands` parses each `cargo reduce ..` that they show.
//! - `licenses` writes the book's page of the licenses of what is compiled into the program.
//! - `links` follows their relative links, and compares the book's table of contents with its pages.
//! - `options` writes the book's page of options from the definition of the command line.
//! - `stages` writes the table of stages into `ARCHITECTURE.md`.
//! - `exit_codes` compares the book's table of exit codes with the program's.
//! - `summary` compares what the book says of `reduction.json`, its schema included, with what is written.

mod commands;
mod exit_codes;
mod licenses;
mod links;
mod options;
mod stages;
mod summary;

use camino::{Utf8Path, Utf8PathBuf};

/// The pages outside of the book.
const PAGES: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// The directory of the book's pages, below the root of the repository.
const BOOK: &str = "docs/src";

/// A page of the documentation, with its text.
#[derive(Debug)]
struct Document {
    /// The path of the document below the root of the repository.
    path: Utf8PathBuf,
    text: String,
}

impl Document {
    /// Returns the complaints about some parts of the page, such as its links: a line for each against which there is a reason.
    fn complaints(
        &self,
        parts: Vec<String>,
        reason_against: impl Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        let wrong = parts.into_iter().filter_map(|part| {
            let reason = reason_against(&part)?;
            Some(format!("{}: `{part}`: {reason}", self.path))
        });
        wrong.collect()
    }
}

/// Returns all pages of the documentation: those of [`PAGES`], then those of the book by name.
fn documents() -> Vec<Document> {
    let pages = PAGES.map(Utf8PathBuf::from).into_iter();
    pages.chain(book()).map(document).collect()
}

/// Returns the paths of the book's pages, sorted by name.
fn book() -> Vec<Utf8PathBuf> {
    let entries = root().join(BOOK).read_dir_utf8().unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_owned());
    let mut pages: Vec<Utf8PathBuf> = names
        .filter(|name| name.ends_with(".md"))
        .map(|name| Utf8Path::new(BOOK).join(name))
        .collect();
    pages.sort();
    pages
}

fn document(path: Utf8PathBuf) -> Document {
    let text = std::fs::read_to_string(root().join(&path));
    let text = text.unwrap_or_else(|error| panic!("failed to read `{path}`: {error}"));
    Document { path, text }
}

#[expect(
    clippy::disallowed_methods,
    reason = "who runs the tests says whether pages are to be written"
)]
fn is_to_be_written() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// Compares a page of the book with what it is made from, or writes it with `UPDATE_DOCS=1`.
#[track_caller]
fn check_written(name: &str, page: &str) {
    check_page(&Utf8Path::new(BOOK).join(name), page);
}

/// Compares a part of a page outside of the book, between the comments `NAME` and `end of NAME`, with what it is made from, or
/// writes it with `UPDATE_DOCS=1`.
#[track_caller]
fn check_block(path: &str, name: &str, block: &str) {
    let text = document(path.into()).text;
    let marks = [
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    ];
    let (before, rest) = text.split_once(&marks[0]).expect("the part begins");
    let (_, after) = rest.split_once(&marks[1]).expect("the part ends");
    let page = [before, &marks[0], block, &marks[1], after].concat();
    check_page(path.into(), &page);
}

/// Compares the page at a path below the repository's root with the text that it should have, or writes that text with
/// `UPDATE_DOCS=1`.
#[track_caller]
fn check_page(path: &Utf8Path, page: &str) {
    let path = root().join(path);
    if is_to_be_written() {
        std::fs::write(&path, page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "`{path}` is not what it is made from; `UPDATE_DOCS=1 cargo test -p cargo-reduce --bin cargo-reduce documents` writes it"
    );
}

/// The root of the repository.
fn root() -> &'static Utf8Path {
    let package = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package is in the repository")
}
