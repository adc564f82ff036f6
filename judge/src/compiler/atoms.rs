//! The small things of the compiler's dump that are printed in ways of their own: spans, names with
//! their hygiene, the ids of definitions and of nodes.

use crate::text::CrateText;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::FileId;
use std::collections::HashMap;
use std::ops::Range;

/// A definition of the crate itself, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalDef(pub u32);

/// A definition of any crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyDef<'t> {
    /// One of this crate, with its path: `a::S`.
    Local(LocalDef, &'t str),
    /// One of another crate.
    Foreign,
}

/// Reads `DefId(0:5 ~ krate[65fe]::a::S)`.
pub fn definition(text: &str) -> Option<AnyDef<'_>> {
    let inner = text.strip_prefix("DefId(")?;
    let (krate, rest) = inner.split_once(':')?;
    if krate.parse::<u32>().ok()? != 0 {
        return Some(AnyDef::Foreign);
    }
    let digits = rest.find(|character: char| !character.is_ascii_digit())?;
    let index = rest[..digits].parse().ok()?;
    let path = rest.split_once("]::").map_or("", |(_, path)| path);
    let path = &path[..closing(path)];
    Some(AnyDef::Local(LocalDef(index), path))
}

/// Where the parenthesis is that closes what was opened before `text`.
fn closing(text: &str) -> usize {
    text.find([')', ',']).unwrap_or(text.len())
}

/// Reads a definition of this crate.
pub fn local_definition(text: &str) -> Option<LocalDef> {
    match definition(text)? {
        AnyDef::Local(index, _) => Some(index),
        AnyDef::Foreign => None,
    }
}

/// A node within the body of an item: a variable, a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId {
    owner: LocalDef,
    index: u32,
}

/// Reads `HirId(DefId(0:5 ~ krate[65fe]::f).7)`.
pub fn node(text: &str) -> Option<NodeId> {
    let inner = text.strip_prefix("HirId(")?.strip_suffix(')')?;
    let (owner, index) = inner.rsplit_once('.')?;
    Some(NodeId {
        owner: local_definition(owner)?,
        index: index.parse().ok()?,
    })
}

/// A name as the compiler prints it, with the expansion that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'t> {
    pub text: &'t str,
    pub expansion: u32,
}

/// Reads `name#0`.
pub fn name(text: &str) -> Option<Name<'_>> {
    let (text, expansion) = text.rsplit_once('#')?;
    let text = text.strip_prefix("r#").unwrap_or(text);
    let is_name = !text.is_empty() && !text.contains([' ', '(', '"']);
    is_name.then_some(())?;
    let expansion = expansion.parse().ok()?;
    Some(Name { text, expansion })
}

/// A range of a file with the expansion that it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub file: FileId,
    pub range: Range<usize>,
    pub expansion: u32,
}

/// Reads the compiler's spans: knows from which directories it prints paths.
pub struct SpanReader<'a, 's> {
    text: &'a CrateText<'s>,
    files: HashMap<Utf8PathBuf, FileId>,
}

impl<'a, 's> SpanReader<'a, 's> {
    /// Paths may be printed absolutely or from one of these directories.
    pub fn new(text: &'a CrateText<'s>, directories: &[&Utf8Path]) -> Self {
        let mut files = HashMap::new();
        for (file, path, _) in text.sources().files() {
            files.insert(path.to_owned(), file);
            for directory in directories {
                if let Ok(short) = path.strip_prefix(directory) {
                    files.insert(short.to_owned(), file);
                }
            }
        }
        Self { text, files }
    }

    /// Reads `src/lib.rs:1:2: 3:4 (#0)`, if that is a file of the crate.
    pub fn read(&self, text: &str) -> Option<Span> {
        let (range, expansion) = text.strip_suffix(')')?.rsplit_once(" (#")?;
        let (start, end) = range.rsplit_once(": ")?;
        let (start, column) = start.rsplit_once(':')?;
        let (path, line) = start.rsplit_once(':')?;
        let (end_line, end_column) = end.split_once(':')?;
        let file = *self.files.get(Utf8Path::new(path))?;
        let from = (line.parse().ok()?, column.parse().ok()?);
        let to = (end_line.parse().ok()?, end_column.parse().ok()?);
        Some(Span {
            file,
            range: self.text.range(file, from, to)?,
            expansion: expansion.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_syntax::SourceTree;

    #[test]
    fn definitions_of_this_crate_have_number_zero() {
        let local = definition("DefId(0:5 ~ k[65fe]::a::{impl#0}::S)");
        assert_eq!(local, Some(AnyDef::Local(LocalDef(5), "a::{impl#0}::S")));
        let foreign = definition("DefId(2:5 ~ core[65fe]::a)");
        assert_eq!(foreign, Some(AnyDef::Foreign));
        assert_eq!(definition("Some"), None);
        assert_eq!(local_definition("DefId(0:0 ~ k[65fe])"), Some(LocalDef(0)));
    }

    #[test]
    fn nodes_have_an_owner_and_a_number() {
        let (owner, index) = (LocalDef(31), 7);
        let expected = Some(NodeId { owner, index });
        assert_eq!(node("HirId(DefId(0:31 ~ u[8db0]::g).7)"), expected);
    }

    #[test]
    fn names_may_be_raw_and_lifetimes() {
        let of = |text, expansion| Some(Name { text, expansion });
        assert_eq!(name("x#0"), of("x", 0));
        assert_eq!(name("r#type#12"), of("type", 12));
        assert_eq!(name("'a#0"), of("'a", 0));
        assert_eq!(name("Some"), None);
        assert_eq!(name("a.rs:1:1: 1:2 (#0)"), None);
    }

    #[test]
    fn spans_are_found_by_absolute_and_relative_paths() {
        let sources = SourceTree::single("/d/src/a.rs".into(), "fn a() {}".into());
        let text = CrateText::new(&sources);
        let spans = SpanReader::new(&text, &["/d".into()]);
        let expected = Span {
            file: sources.root(),
            range: 3..4,
            expansion: 3,
        };
        assert_eq!(
            spans.read("src/a.rs:1:4: 1:5 (#3)").as_ref(),
            Some(&expected)
        );
        assert_eq!(spans.read("/d/src/a.rs:1:4: 1:5 (#3)"), Some(expected));
        assert_eq!(spans.read("/rustc/a.rs:1:4: 1:5 (#3)"), None);
    }
}
