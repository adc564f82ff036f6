//! The contents of a file that `include!` reads, as they stand in its place.

use super::positions::{Form, shape_of};
use super::reader::Reader;
use super::{Part, embed};
use crate::inline::inline_modules;
use crate::modules::collect_sources;
use camino::Utf8Path;
use reduce_syntax::{Edit, EditSet, Parsed, ParsedSyntax, SourceTree, bytes_before_code};
use std::sync::Arc;
use syn::spanned::Spanned;

/// A file's items. `prefix` is put before each of them. Their modules' files are looked for beside the
/// included file, so they come along.
pub(super) fn items_of(path: &Utf8Path, prefix: &str, reader: &mut Reader<'_>) -> Option<String> {
    reader.text(path)?;
    let read = |path: &Utf8Path| String::from_utf8(reader.peek(path)?).ok().map(Arc::from);
    let mut sources = collect_sources(path, &read)?;
    let files: Vec<_> = sources.files().map(|(file, ..)| file).collect();
    for file in files {
        let embedded = embed(sources.text(file), sources.path(file), Part::File, reader);
        sources.set_text(file, Arc::from(embedded));
    }
    let sources = inline_modules(&sources).unwrap_or(sources);
    bare_items(&sources, prefix)
}

/// A file as an expression: what it holds, and what that is to its neighbours.
pub(super) fn expression_of(path: &Utf8Path, reader: &mut Reader<'_>) -> Option<(String, Form)> {
    let text = reader.text(path)?;
    let code = &text[bytes_before_code(&text)..];
    let shape = shape_of(code)?;
    let embedded = embed(&code[shape.range], path, Part::Code, reader);
    match shape.form {
        // A comment may be the last thing in it.
        Form::Statements => Some((format!("{{ {embedded}\n}}"), Form::Open)),
        form => Some((embedded, form)),
    }
}

/// The root file's items, without what may only stand at the beginning of a file.
fn bare_items(sources: &SourceTree, prefix: &str) -> Option<String> {
    let root = sources.root();
    let parsed = Parsed::new(sources.text(root));
    let ParsedSyntax { file, offset } = parsed.syntax()?;
    let shifted = |of: &dyn Fn() -> std::ops::Range<usize>| of().start + offset..of().end + offset;
    let mut edits = EditSet::new();
    for attribute in &file.attrs {
        edits.add(Edit::delete(
            root,
            &shifted(&|| attribute.span().byte_range()),
        ));
    }
    for item in file.items.iter().filter(|_| !prefix.is_empty()) {
        let start = shifted(&|| item.span().byte_range()).start;
        edits.add(Edit::replace(root, &(start..start), prefix));
    }
    let edited = edits.apply(sources);
    Some(with_last_line_ended(&edited.text(root)[offset..]))
}

/// What stands behind must not become part of a comment.
fn with_last_line_ended(text: &str) -> String {
    let text = text.trim();
    let last = text.rsplit('\n').next().unwrap_or_default();
    let end = if last.contains("//") { "\n" } else { "" };
    format!("{text}{end}")
}
