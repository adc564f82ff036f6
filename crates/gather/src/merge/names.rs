//! Renames crates in the paths that begin with them: in items, in imports, and in the tokens of macros.

use super::top_level::{TopLevel, is_top};
use crate::global_paths::begins_global_path;
use crate::imports::{ExternCrate, Import, Leaf};
use reduce_model::{Model, Position};
use reduce_syntax::{Edit, EditSet, FileId, TokenCursor};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The new names of the crates that a text names, and what else changes where they are named.
#[derive(Default)]
pub(super) struct Renames {
    /// The new names of crates, by their names in the text. A new name begins with `crate::`, or is
    /// that of an extern crate.
    pub(super) crates: BTreeMap<String, String>,
    /// The text that takes the place of the keyword `crate`.
    pub(super) own: Option<String>,
    /// The names that need no import at the program's root, as they are defined there now.
    pub(super) at_root: AtRoot,
}

/// The names that a crate brings to the program's root once it is a module there.
#[derive(Default)]
pub(super) struct AtRoot {
    /// The name of the module that the crate becomes.
    pub(super) module: Option<String>,
    /// The crate's exported macros that the root has without importing them.
    pub(super) macros: BTreeSet<String>,
}

/// A text in which crates are renamed, and the edits for that.
pub(super) struct Renaming<'a> {
    pub(super) file: FileId,
    pub(super) cursor: &'a TokenCursor<'a>,
    pub(super) top: &'a TopLevel<'a>,
    pub(super) model: &'a Model,
    pub(super) renames: &'a Renames,
    /// Whether the text is the root of the program.
    pub(super) is_root: bool,
    pub(super) edits: &'a mut EditSet,
}

impl Renaming<'_> {
    /// Renames crates everywhere but in `extern crate` items.
    pub(super) fn rename(&mut self) {
        let top = self.top;
        let mut position = 0;
        for import in &top.imports {
            self.paths(position..import.keyword);
            self.import(import);
            position = position.max(import.semicolon);
        }
        self.paths(position..self.cursor.len());
    }

    /// Puts `text` in place of the tokens from `first` to `last`.
    pub(super) fn replace(&mut self, first: usize, last: usize, text: &str) {
        let range = self.cursor.bytes(first, last);
        self.edits.add(Edit::replace(self.file, &range, text));
    }

    fn paths(&mut self, tokens: Range<usize>) {
        for idx in tokens {
            if self.cursor.is(idx, "crate") {
                self.own_crate(idx);
            } else if self.cursor.is(idx + 1, "::") && self.cursor.is_name(idx) {
                self.path(idx);
            }
        }
    }

    /// Replaces the keyword `crate` at the beginning of a path, but not in `pub(crate)` or `extern crate`. `$crate` may also be
    /// handed to a macro.
    fn own_crate(&mut self, idx: usize) {
        let Some(own) = &self.renames.own else { return };
        let goes_on = self.cursor.is(idx + 1, "::");
        let is_imported = self.cursor.is(idx + 1, "as") && self.cursor.before(idx, 1) == "use";
        let is_macro = self.cursor.before(idx, 1) == "$";
        let is_visibility = idx >= 3 && self.cursor.are(idx - 3, &["pub", "("]);
        if goes_on || is_imported || (is_macro && !is_visibility) {
            self.replace(idx, idx, own);
        }
    }

    /// Renames the crate with which a path that begins at `idx` may begin.
    fn path(&mut self, idx: usize) {
        let Some(new) = self.renames.crates.get(self.cursor.word(idx)) else {
            return;
        };
        match self.cursor.before(idx, 1) {
            "::" if begins_global_path(self.cursor, idx - 1) => self.global_path(idx, new),
            "::" | "." | "$" => {}
            _ if self.is_shadowed(idx) => {}
            _ if is_in_crate(new) => self.replace(idx, idx, new),
            _ => self.replace(idx, idx, &format!("::{new}")),
        }
    }

    fn global_path(&mut self, idx: usize, new: &str) {
        let first = if is_in_crate(new) { idx - 1 } else { idx };
        self.replace(first, idx, new);
    }

    /// Returns whether a crate's name may mean something else at this place.
    fn is_shadowed(&self, idx: usize) -> bool {
        let name = self.cursor.word(idx);
        let position = Position::new(self.file, self.cursor.range(idx).start);
        let head = self.model.outside_head(name, position);
        head.is_none_or(|head| head != name && !self.renames.crates.contains_key(head))
    }

    fn import(&mut self, import: &Import) {
        let is_gone = |leaf: &&Leaf| self.is_there_anyway(import, leaf);
        let gone: Vec<&Leaf> = import.leaves.iter().filter(is_gone).collect();
        if !gone.is_empty() && gone.len() == import.leaves.len() {
            let start = self.cursor.item_start(import.keyword);
            return self.replace(start, import.semicolon, "");
        }
        gone.into_iter().for_each(|leaf| self.leave_out(leaf));
        let mut heads = BTreeSet::new();
        for leaf in &import.leaves {
            if let Some(&head) = leaf.path.first()
                && let Some(new) = self.new_head(import, head)
            {
                if heads.insert(head) {
                    self.head(import, leaf, head, &new);
                }
                self.keep_name_of_self(leaf, &new);
            }
        }
    }

    /// Removes a leaf of an import, with the comma after it.
    fn leave_out(&mut self, leaf: &Leaf) {
        let (first, last) = leaf.tokens;
        let comma = Some(last + 1).filter(|&at| self.cursor.is(at, ","));
        self.replace(first, comma.unwrap_or(last), "");
    }

    /// Returns the text that replaces the first name of an import.
    fn new_head(&self, import: &Import, head: usize) -> Option<String> {
        if self.cursor.is(head, "crate") {
            return self.renames.own.clone();
        }
        let new = self.renames.crates.get(self.cursor.word(head))?;
        let is_crate = import.global.is_some() || !self.is_shadowed(head);
        (is_crate && self.cursor.before(head, 1) != "$").then(|| new.clone())
    }

    fn head(&mut self, import: &Import, leaf: &Leaf, head: usize, new: &str) {
        match import.global {
            Some(global) if is_in_crate(new) => self.replace(global, global, ""),
            _ => {}
        }
        let is_apart = import.global.is_none() && !is_in_crate(new) && leaf.tokens.0 == head;
        let is_first = head == import.keyword + 1;
        let prefix = if is_apart && is_first { "::" } else { "" };
        let is_whole = leaf.path.len() == 1 && leaf.alias.is_none() && !leaf.is_glob;
        let name = self.cursor.word(head);
        let alias = match is_whole && last_name(new) != name && name != "crate" {
            true => format!(" as {name}"),
            false => String::new(),
        };
        self.replace(head, head, &format!("{prefix}{new}{alias}"));
    }

    /// Keeps the name that `use dep::{self}` defines: `dep`, whatever the crate is called now.
    fn keep_name_of_self(&mut self, leaf: &Leaf, new: &str) {
        let [head, last] = leaf.path[..] else { return };
        let name = self.cursor.word(head);
        let is_self = self.cursor.is(last, "self") && leaf.alias.is_none() && !leaf.is_glob;
        if is_self && last_name(new) != name && name != "crate" {
            self.replace(last, last, &format!("self as {name}"));
        }
    }

    /// Returns whether the program's root has the imported name even without the import.
    fn is_there_anyway(&self, import: &Import, leaf: &Leaf) -> bool {
        let at_root = &self.renames.at_root;
        let Some(module) = &at_root.module else {
            return false;
        };
        let words = leaf.words(self.cursor);
        let from_crate = words
            .first()
            .and_then(|head| self.renames.crates.get(*head));
        let is_at_root = self.is_root && is_top(self.cursor, import.keyword);
        if !is_at_root || from_crate.is_none() || leaf.is_glob {
            return false;
        }
        match words[..] {
            [_] | [_, "self"] => leaf.name(self.cursor) == Some(module),
            [_, name] => leaf.alias.is_none() && at_root.macros.contains(name),
            _ => false,
        }
    }

    /// Replaces an `extern crate` by an import of the module `new`, or of the crate by its new name.
    pub(super) fn extern_crate(&mut self, found: &ExternCrate, new: &str) {
        let name = self.cursor.word(found.name());
        let keyword = match is_in_crate(new) {
            true => "use",
            false => "extern crate",
        };
        let alias = match found.alias.is_none() && last_name(new) != name {
            true => format!(" as {name}"),
            false => String::new(),
        };
        let text = format!("{keyword} {new}{alias}");
        self.replace(found.keyword, found.name(), &text);
    }
}

/// Returns whether the new name of a crate is a path within the program.
pub(super) fn is_in_crate(new: &str) -> bool {
    new.starts_with("crate::")
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
