#!/bin/sh
# One would expect an error "unexpected end of the file", whose place is behind the last byte, to be shown with its label there by each crate that renders
# messages with source, and with the same line and column.
#
# Instead, miette leaves the label out: one sees the lines, and not what is wrong with them. The others show it. Where the file ends with a line end, the
# place is the first column of a third line, which is empty, for miette and codespan-reporting, and a fourth column of the second line, where no character is,
# for annotate-snippets and ariadne. One byte earlier all four show the label at the same place. A parser's errors are often at the very end.
#
# Version: miette 7.6.0, codespan-reporting 0.13.1, annotate-snippets 0.12.18, ariadne 0.6.0 and rustc 1.95.0. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "shown"
version = "0.0.0"
edition = "2024"
[dependencies]
annotate-snippets = "=0.12.18"
ariadne = "=0.6.0"
codespan-reporting = "=0.13.1"
miette = { version = "=7.6.0", default-features = false, features = ["fancy-no-backtrace"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use codespan_reporting::{diagnostic, files::SimpleFile, term};

fn annotate(text: &str, at: usize) -> String {
    let snippet = Snippet::source(text).path("in").annotation(AnnotationKind::Primary.span(at..at).label("label"));
    Renderer::plain().render(&[Level::ERROR.primary_title("bad").element(snippet)])
}

fn ariadne(text: &str, at: usize) -> String {
    let mut shown = Vec::new();
    let config = ariadne::Config::default().with_color(false).with_index_type(ariadne::IndexType::Byte);
    let label = ariadne::Label::new(("in", at..at)).with_message("label");
    let report = ariadne::Report::build(ariadne::ReportKind::Error, ("in", at..at)).with_config(config).with_label(label).finish();
    report.write(("in", ariadne::Source::from(text)), &mut shown).unwrap();
    String::from_utf8(shown).unwrap()
}

fn codespan(text: &str, at: usize) -> String {
    let mut shown = String::new();
    let label = diagnostic::Label::primary((), at..at).with_message("label");
    let error = diagnostic::Diagnostic::error().with_labels(vec![label]);
    term::emit_to_string(&mut shown, &term::Config::default(), &SimpleFile::new("in", text), &error).unwrap();
    shown
}

fn miette(text: &str, at: usize) -> String {
    let mut shown = String::new();
    let label = miette::LabeledSpan::at(at..at, "label");
    let report = miette::miette!(labels = vec![label], "bad").with_source_code(miette::NamedSource::new("in", text.to_string()));
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
    handler.render_report(&mut shown, report.as_ref()).unwrap();
    shown
}

fn main() {
    for (name, text, at) in [
        ("line end, one before", "ab\ncd\n", 5),
        ("line end, behind", "ab\ncd\n", 6),
        ("no line end, one before", "ab\ncd", 4),
        ("no line end, behind", "ab\ncd", 5),
    ] {
        for (library, render) in [("annotate-snippets", annotate as fn(&str, usize) -> String), ("ariadne", ariadne), ("codespan-reporting", codespan), ("miette", miette)] {
            let shown = render(text, at);
            let place = shown.split("in:").nth(1).map_or("none".to_string(), |place| {
                place.chars().take_while(|letter| letter.is_ascii_digit() || *letter == ':').collect()
            });
            println!("{name}, {library}: place {place}, label {}", if shown.contains("label") { "shown" } else { "not shown" });
        }
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is shown' >&2; exit 1; }
line end, one before, annotate-snippets: place 2:3, label shown
line end, one before, ariadne: place 2:3, label shown
line end, one before, codespan-reporting: place 2:3, label shown
line end, one before, miette: place 2:3, label shown
line end, behind, annotate-snippets: place 2:4, label shown
line end, behind, ariadne: place 2:4, label shown
line end, behind, codespan-reporting: place 3:1, label shown
line end, behind, miette: place 3:1, label not shown
no line end, one before, annotate-snippets: place 2:2, label shown
no line end, one before, ariadne: place 2:2, label shown
no line end, one before, codespan-reporting: place 2:2, label shown
no line end, one before, miette: place 2:2, label shown
no line end, behind, annotate-snippets: place 2:3, label shown
no line end, behind, ariadne: place 2:3, label shown
no line end, behind, codespan-reporting: place 2:3, label shown
no line end, behind, miette: place 2:3, label not shown
SEEN
