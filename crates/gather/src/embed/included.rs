//! The contents of a file that `include!` reads, as they stand in its place.

use super::files::EmbeddedFiles;
use super::positions::{Form, shape_of};
use super::{Part, embed};
use crate::inline::inline_modules;
use crate::modules::collect_sources;
use crate::rewriting::with_replaced;
use camino::Utf8Path;
use reduce_syntax::{Parsed, SourceTree, byte_range, bytes_before_code};
use std::sync::Arc;

/// A file's items. `prefix` is put before each of them. Their modules' files are looked for beside the
/// included file, so they come along.
pub(super) fn items_of(
    path: &Utf8Path,
    prefix: &str,
    files: &mut EmbeddedFiles<'_>,
) -> Option<String> {
    files.text(path)?;
    let read = |path: &Utf8Path| String::from_utf8(files.peek(path)?).ok().map(Arc::from);
    let mut sources = collect_sources(path, &read)?;
    let of_crate: Vec<_> = sources.files().map(|(file, ..)| file).collect();
    for file in of_crate {
        let embedded = embed(sources.text(file), sources.path(file), Part::File, files);
        sources.set_text(file, Arc::from(embedded));
    }
    let sources = inline_modules(&sources).unwrap_or(sources);
    bare_items(&sources, prefix)
}

/// A file as an expression: what it holds, and what that is to its neighbours.
pub(super) fn expression_of(
    path: &Utf8Path,
    files: &mut EmbeddedFiles<'_>,
) -> Option<(String, Form)> {
    let text = files.text(path)?;
    let code = &text[bytes_before_code(&text)..];
    let shape = shape_of(code)?;
    let embedded = embed(&code[shape.range], path, Part::Code, files);
    match shape.form {
        // A comment may be the last thing in it.
        Form::Statements => Some((format!("{{ {embedded}\n}}"), Form::Open)),
        form => Some((embedded, form)),
    }
}

/// The root file's items, without what may only stand at the beginning of a file.
fn bare_items(sources: &SourceTree, prefix: &str) -> Option<String> {
    let text = sources.text(sources.root());
    let parsed = Parsed::without_islands(text);
    let file = parsed.file()?;
    let attributes = file.attrs.iter().map(|one| (byte_range(one), ""));
    let items = file.items.iter().map(|one| byte_range(one).start);
    let prefixes = items.map(|start| (start..start, prefix));
    let edited = with_replaced(text, attributes.chain(prefixes));
    Some(with_last_line_ended(&edited[bytes_before_code(text)..]))
}

/// The text behind must not become part of a comment.
fn with_last_line_ended(text: &str) -> String {
    let text = text.trim();
    let last = text.rsplit('\n').next().unwrap_or_default();
    let end = if last.contains("//") { "\n" } else { "" };
    format!("{text}{end}")
}
