//! Makes the text that takes the place of an `include!`, from the file that it reads.

use super::files::EmbeddedFiles;
use super::positions::{Form, shape_of};
use super::{Part, embed};
use crate::inline::inline_modules;
use crate::modules::collect_sources;
use crate::rewriting::with_replaced;
use camino::Utf8Path;
use reduce_syntax::{Parsed, SourceTree, byte_range, bytes_before_code};
use std::sync::Arc;

/// Returns the items of an included file, with its modules inlined and its own `include!` calls replaced. `prefix` is put before
/// each of them. Their modules' files are looked for beside the included file, so they come along.
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

/// Returns the text of an included file as an expression, and whether it needs parentheses beside operators.
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

/// Returns the items of the root file, without what may only stand at the beginning of a file, such as `#![..]`.
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

/// Trims a text, and ends its last line if that may be a comment, which would swallow the text behind it.
fn with_last_line_ended(text: &str) -> String {
    let text = text.trim();
    let last = text.rsplit('\n').next().unwrap_or_default();
    let end = if last.contains("//") { "\n" } else { "" };
    format!("{text}{end}")
}
