//! Replaces items of the standard library by local ones: `struct Vec<T>(T);` for `Vec`, a trait with the members that
//! are named for `Iterator`. This is no pass, as it may make a program larger: who asks for it wants a program that
//! needs nothing of the library.
//!
//! What a local item is like is guessed from how it is used, so that there may be several forms of
//! it; which of them will do is the compiler's business.

mod arguments;
mod known;
mod shape;
mod traits;
mod types;
mod uses;

use crate::program::{Change, Program};
use reduce_model::{Position, home_in_std};
use reduce_syntax::{EditSet, SourceTree, TokenCursor};
use std::collections::BTreeSet;
use uses::{Imported, Role, StdUse, StdUses, Via, is_root};

/// A type or trait of the standard library that a program names, and what puts a local one in its
/// place.
#[derive(Debug, Clone)]
pub struct StdItem {
    /// The item's path from the library's root, such as `vec::Vec`.
    pub path: String,
    /// The changes that define a local item and change all that names it, the simplest first.
    pub forms: Vec<EditSet>,
}

/// Returns the paths of the items of the standard library that a program names: types, traits, functions and
/// constants, not macros, derives, modules and `Sized`, without which no type may have no size.
#[must_use]
pub fn std_names(sources: &SourceTree) -> BTreeSet<String> {
    let program = Program::new(sources);
    let StdUses { items, others, .. } = StdUses::of(&program);
    let paths = items.into_keys().chain(others);
    paths.filter(|path| path != "marker::Sized").collect()
}

/// Words of a program that mean the standard library if the program does not define them: its roots,
/// and what the prelude has. To see quickly that an edit brings one back.
#[must_use]
pub fn std_words(sources: &SourceTree) -> BTreeSet<String> {
    let is_std = |word: &str| is_root(word) || (word != "Sized" && home_in_std(word).is_some());
    let texts = sources.files().map(|(_, _, text)| text);
    let words = texts.flat_map(|text| {
        let cursor = TokenCursor::without_docs(text);
        let words: Vec<&str> = cursor.words().filter(|word| is_std(word)).collect();
        words.into_iter().map(str::to_owned)
    });
    words.collect()
}

/// Returns the types and traits of the standard library that a program names, in order of their paths, but for those
/// that the language gives a meaning.
#[must_use]
pub fn std_items(sources: &SourceTree) -> Vec<StdItem> {
    let program = Program::new(sources);
    let local = LocalItems::new(&program);
    let replaceable = local
        .uses
        .items
        .values()
        .filter(|item| is_replaceable(item));
    let replaced = replaceable.map(|item| StdItem {
        path: item.path.clone(),
        forms: local.forms(item),
    });
    replaced.filter(|item| !item.forms.is_empty()).collect()
}

fn is_replaceable(item: &StdUse<'_>) -> bool {
    let is_sugar = item.mentions.iter().any(|one| one.arguments.is_sugar);
    !is_sugar && !known::is_of_the_language(&item.path)
}

fn is_trait(item: &StdUse<'_>) -> bool {
    let is_bound = |role| matches!(role, Role::Trait | Role::Impl(..));
    let is_plain = |role| matches!(role, Role::Plain);
    let mut mentions = item.mentions.iter();
    let is_known = known::members_of(item.name()).is_some();
    mentions.clone().any(|one| is_bound(one.role))
        || (is_known && !mentions.any(|one| is_plain(one.role) && one.rest.is_empty()))
}

/// A program in which local items are to take the place of those of the standard library.
struct LocalItems<'p> {
    program: &'p Program,
    uses: StdUses<'p>,
    /// The position where local items are defined: before the first item of the crate's root that is no import. Imports may go.
    at: Position,
    /// The text before the keyword of each local definition: `pub `, or nothing.
    head: &'static str,
}

impl<'p> LocalItems<'p> {
    fn new(program: &'p Program) -> Self {
        let sources = program.sources();
        let root = sources.root();
        let text = sources.text(root);
        let file = program.files().find(|file| file.id == root);
        let first = file.and_then(|file| {
            let is_import =
                |item: &&syn::Item| matches!(item, syn::Item::Use(_) | syn::Item::ExternCrate(_));
            let item = file.syntax.items.iter().find(|item| !is_import(item))?;
            Some(file.place(item).start())
        });
        let is_public = TokenCursor::new(text).words().any(|word| word == "pub");
        Self {
            program,
            uses: StdUses::of(program),
            at: first.unwrap_or_else(|| Position::new(root, text.len())),
            head: if is_public { "pub " } else { "" },
        }
    }

    fn forms(&self, item: &StdUse<'_>) -> Vec<EditSet> {
        let Some(name) = self.name_for(item) else {
            return Vec::new();
        };
        let texts = match is_trait(item) {
            true => self.traits(item, &name),
            false => self.types(item, &name),
        };
        let changed = texts.iter().filter_map(|text| {
            let mut change = self.program.change();
            change.insert(self.at, &format!("{text}\n"));
            self.redirect(item, &name, &mut change);
            change.finish()
        });
        changed.collect()
    }

    /// Returns the name for a local item: that of the library's item, or another if the crate has that for something
    /// else, or if the prelude has it: then the program would name the library's item again once the local one is
    /// deleted.
    fn name_for(&self, item: &StdUse<'_>) -> Option<String> {
        let own = item.name();
        let mut others = self
            .uses
            .items
            .values()
            .filter(|other| other.path != item.path);
        let own_name = others
            .all(|other| other.name() != own)
            .then(|| own.to_owned());
        let module = item.path.rsplit("::").nth(1).unwrap_or_default();
        let mut letters = module.chars();
        let first = letters.next().map(|one| one.to_ascii_uppercase());
        let module: String = first.into_iter().chain(letters).collect();
        let names = own_name.into_iter().chain([format!("{module}{own}")]);
        let names = names.filter(|_| home_in_std(own).is_none());
        let mut all = names.chain([format!("Local{own}")]);
        all.find(|name| !self.uses.taken.contains(name))
    }

    /// Lets all that named an item name the local one. Imports of it go where the local one is at hand;
    /// elsewhere they import that.
    fn redirect(&self, item: &StdUse<'_>, name: &str, change: &mut Change<'_>) {
        for one in &item.mentions {
            match &one.via {
                Via::Import => {}
                Via::Path(place) => {
                    change.replace(place, &self.local_path(place.start(), name));
                }
                Via::Variant(at) => {
                    change.insert(*at, &format!("{}::", self.local_path(*at, name)));
                }
            }
        }
        let declarations = item
            .imports
            .chunk_by(|one, other| one.import.item == other.import.item);
        declarations.for_each(|leaves| self.redirect_imports(leaves, item, name, change));
    }

    /// Returns the path from a position to an item of the crate's root.
    fn local_path(&self, at: Position, name: &str) -> String {
        match self.is_in_root(at) {
            true => name.to_owned(),
            false => format!("crate::{name}"),
        }
    }

    fn is_in_root(&self, at: Position) -> bool {
        let model = self.program.model();
        let module = model
            .module_around(at)
            .map(|module| model.definition(module));
        module.is_some_and(|module| module.name == Position::new(self.at.file, 0))
    }

    /// Changes those leaves of a use declaration that import an item.
    fn redirect_imports(
        &self,
        leaves: &[Imported],
        item: &StdUse<'_>,
        name: &str,
        change: &mut Change<'_>,
    ) {
        let [Imported { import: first, .. }, ..] = leaves else {
            return;
        };
        let whole = &first.item;
        let head = head_of(self.program.text(whole));
        let is_at_hand = head.is_empty() && self.is_in_root(whole.start());
        let uses = leaves.iter().filter_map(|leaf| {
            let path = self.import_of_local(leaf, item, name);
            let is_needed = path != name || !is_at_hand;
            is_needed.then(|| format!("{head}use crate::{path};"))
        });
        let uses = uses.collect::<Vec<_>>().join(" ");
        if leaves.len() == first.n_leaves {
            match uses.is_empty() {
                true => change.remove(whole),
                false => change.replace(whole, &uses),
            };
            return;
        }
        for leaf in leaves {
            change.remove(leaf.import.whole());
        }
        if !uses.is_empty() {
            change.insert(whole.start(), &format!("{uses} "));
        }
    }

    /// Returns the text of an import of the local item, from the crate's root.
    fn import_of_local(&self, leaf: &Imported, item: &StdUse<'_>, name: &str) -> String {
        let rest: String = leaf.rest.iter().map(|one| format!("::{one}")).collect();
        let renaming = match leaf.import.renaming(self.program) {
            "" if rest.is_empty() && name != item.name() => format!(" as {}", item.name()),
            renaming => renaming.to_owned(),
        };
        format!("{name}{rest}{renaming}")
    }
}

/// Returns the attributes and the visibility of a use declaration.
fn head_of(text: &str) -> &str {
    let cursor = TokenCursor::new(text);
    let keyword = cursor.indices().find(|&idx| cursor.is(idx, "use"));
    let end = keyword.map_or(0, |idx| cursor.range(idx).start);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
