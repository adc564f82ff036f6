//! Finds the imports of a text and the names at its top level, by spelling, and tells in which modules a token stands.

use crate::imports::{ExternCrate, Import, extern_crates, imports};
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, BTreeSet};

/// The keywords of items with which a path may begin, so that their name may be taken for that of a crate.
const DEFINING: [&str; 6] = ["mod", "struct", "enum", "union", "trait", "type"];

/// The imports of a text, and the names outside of all braces.
pub(super) struct TopLevel<'t> {
    pub(super) imports: Vec<Import>,
    pub(super) extern_crates: Vec<ExternCrate>,
    /// The names that `extern crate` defines at the top level, each with the crate's own name. All of the crate sees it.
    pub(super) crates: BTreeMap<&'t str, &'t str>,
    items: BTreeSet<&'t str>,
    /// The names that are imported, each with the first name of its path.
    imported: BTreeMap<&'t str, &'t str>,
}

impl<'t> TopLevel<'t> {
    pub(super) fn new(cursor: &TokenCursor<'t>) -> Self {
        let (imports, extern_crates) = (imports(cursor), extern_crates(cursor));
        let at_top = imports
            .iter()
            .filter(|import| is_top(cursor, import.keyword));
        let imported = at_top.flat_map(|import| &import.leaves).filter_map(|leaf| {
            let head = leaf.path.first()?;
            Some((leaf.name(cursor)?, cursor.word(*head)))
        });
        let crates = extern_crates
            .iter()
            .filter(|one| is_top(cursor, one.keyword));
        let crates = crates.map(|one| (cursor.word(one.here()), cursor.word(one.name())));
        let is_item = |idx: &usize| {
            let is_defined = DEFINING.contains(&cursor.word(*idx)) && cursor.is_name(idx + 1);
            is_defined && is_top(cursor, *idx)
        };
        let items = cursor.indices().filter(is_item);
        Self {
            imported: imported.collect(),
            crates: crates.collect(),
            items: items.map(|idx| cursor.word(idx + 1)).collect(),
            imports,
            extern_crates,
        }
    }

    /// Returns whether the text has an item at its top level that may be taken for a crate `name`, unless the item comes from one
    /// of `crates`.
    pub(super) fn defines(&self, name: &str, crates: &[String]) -> bool {
        let is_foreign = |head: &&str| !crates.iter().any(|one| one == head);
        self.has_item(name)
            || self.imported.get(name).is_some_and(is_foreign)
            || self.crates.get(name).is_some_and(is_foreign)
    }

    /// Returns whether the text imports this name at its top level.
    pub(super) fn imports(&self, name: &str) -> bool {
        self.imported.contains_key(name)
    }

    /// Returns whether the text imports this name at its top level by a path that begins with one of `crates`.
    pub(super) fn imports_from(&self, name: &str, crates: &impl Fn(&str) -> bool) -> bool {
        let head = self.imported.get(name);
        head.is_some_and(|head| crates(head))
    }

    /// Returns whether the text has a module or type of this name at its top level.
    pub(super) fn has_item(&self, name: &str) -> bool {
        self.items.contains(name)
    }
}

/// Returns whether a token stands in no braces.
pub(super) fn is_top(cursor: &TokenCursor<'_>, idx: usize) -> bool {
    !cursor
        .groups_around(idx)
        .any(|opener| cursor.is(opener, "{"))
}

/// Returns whether a bracket opens a module.
pub(super) fn opens_module(cursor: &TokenCursor<'_>, opener: usize) -> bool {
    let is_named = opener >= 2 && cursor.is(opener - 2, "mod") && cursor.is_name(opener - 1);
    is_named && cursor.is(opener, "{")
}

/// Returns the names of the modules around a token, from the outermost on.
pub(super) fn modules_around<'t>(cursor: &TokenCursor<'t>, idx: usize) -> Vec<&'t str> {
    let modules = cursor
        .groups_around(idx)
        .filter(|&opener| opens_module(cursor, opener));
    let mut names: Vec<&str> = modules.map(|opener| cursor.before(opener, 1)).collect();
    names.reverse();
    names
}
