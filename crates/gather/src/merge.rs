//! Merges two crates into one: a dependency becomes a module at the root of the program that uses it.
//!
//! Before: `extern crate dep; fn f() -> dep::S { dep::m!() }` and, as `dep`,
//! `pub struct S; #[macro_export] macro_rules! m { () => { $crate::S } }`.
//! After: `mod dep { pub struct S; #[macro_export] macro_rules! m { () => { $crate::dep::S } }
//! pub use crate::{m}; } fn f() -> crate::dep::S { crate::dep::m!() }`.
//!
//! All is edited by tokens, so that macros are treated as everything else is, and syntax that nobody
//! but the compiler knows is no obstacle. The model says whether a name may mean something else than a
//! crate; the oracle decides whether it still crashes.
//!
//! See docs/decisions/merged-crates.md.

mod exports;
mod header;
mod module;
mod names;
mod program;
#[cfg(test)]
mod tests;
mod top_level;

use camino::Utf8PathBuf;
use exports::{Export, exports};
use header::Header;
use module::Module;
use program::Program;
use reduce_model::Model;
use reduce_syntax::{FileId, SourceTree, TokenCursor, bytes_before_code};
use std::ops::Range;
use top_level::{TopLevel, is_top};

/// A dependency that is to become a module of the program. Its text is one file: modules inlined, `cfg`s resolved, `env!` and
/// `include!` inlined, in the edition (2018 or later) of the crate that it goes into.
#[derive(Debug, Clone, Copy)]
pub struct CrateText<'a> {
    /// The crate's own name, with underscores. The module gets it where it is free.
    pub name: &'a str,
    /// The text of the crate.
    pub text: &'a str,
    /// The other crates that the text names, each with its name in the program: that of an extern crate, or `crate::other` for
    /// one that is a module already.
    pub externs: &'a [(String, String)],
}

/// A program into which a dependency was merged as a module.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The sources of the program with the new module.
    pub tree: SourceTree,
    /// The file and the bytes of the new `mod name { .. }`, with its attributes.
    pub module: (FileId, Range<usize>),
    /// The name of the new module.
    pub name: String,
}

/// Merges a crate into a program as a module of its root. The module replaces the extern crate that the program knows by `names`:
/// several where it is renamed, or where modules that were merged before know it by another name.
///
/// `None` if the brackets of a text do not match, or the crate does without `core`.
#[must_use]
pub fn merge_crate(
    sources: &SourceTree,
    names: &[String],
    krate: &CrateText<'_>,
) -> Option<Merged> {
    let dependency = Dependency::new(krate)?;
    let program = Program::new(sources, names, &dependency)?;
    let module = Module::new(&dependency, &program);
    let mut before = program.header().lacking(&dependency.header);
    before.push_str(&module.hoisted);
    insert(program.rewritten(), &before, &module.text, &program.name)
}

/// The text of the crate that becomes a module, with what was found out about it.
struct Dependency<'a> {
    krate: &'a CrateText<'a>,
    cursor: TokenCursor<'a>,
    top: TopLevel<'a>,
    model: Model,
    header: Header,
    exports: Vec<Export<'a>>,
}

impl<'a> Dependency<'a> {
    fn new(krate: &'a CrateText<'a>) -> Option<Self> {
        let text = krate.text.get(bytes_before_code(krate.text)..)?;
        let cursor = TokenCursor::balanced(text)?;
        let header = Header::of(&cursor);
        (!header.is_no_core).then(|| Self {
            krate,
            header,
            exports: exports(&cursor),
            top: TopLevel::new(&cursor),
            cursor,
            model: Model::new(&SourceTree::single(
                Utf8PathBuf::from("crate.rs"),
                text.into(),
            )),
        })
    }
}

impl Dependency<'_> {
    /// Returns whether the dependency's root has something other than a macro of this name.
    fn has_other(&self, name: &str) -> bool {
        let is_value = |idx: usize| {
            let is_defined = matches!(self.cursor.word(idx), "fn" | "const" | "static");
            is_defined && self.cursor.is(idx + 1, name) && is_top(&self.cursor, idx)
        };
        self.top.has_item(name) || self.top.imports(name) || (0..self.cursor.len()).any(is_value)
    }
}

/// Puts the module right after the inner attributes of the program's root, so that its macros are known below it.
fn insert(mut tree: SourceTree, before: &str, module: &str, name: &str) -> Option<Merged> {
    let root = tree.root();
    let text = tree.shared_text(root);
    let cursor = TokenCursor::balanced(&text)?;
    let place = Header::of(&cursor).end(&cursor, bytes_before_code(&text));
    let line_end = if place == 0 { "" } else { "\n" };
    let start = place + line_end.len() + before.len();
    let (above, below) = text.split_at_checked(place)?;
    let whole = format!("{above}{line_end}{before}{module}\n{below}");
    tree.set_text(root, whole.into());
    Some(Merged {
        tree,
        module: (root, start..start + module.len()),
        name: name.to_owned(),
    })
}
