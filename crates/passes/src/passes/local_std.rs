//! Local items in place of those of the standard library: `struct Vec<T>(T);` for `Vec`, a trait with
//! the members that are named for `Iterator`. This is no pass, as it may make a program larger: who
//! asks for it wants a program that needs nothing of the library.
//!
//! What a local item is like is guessed from how it is used, so that there may be several forms of
//! it; which of them will do is the compiler's business.

mod found;
mod known;
mod reader;
mod shape;
mod traits;
mod types;

use super::paths::{Import, ImportKind, Module, module_of};
use crate::program::{Change, Place, Program};
use found::{Imported, Item, NamedItems, Via};
use reader::{Reading, Role};
use reduce_model::Position;
use reduce_syntax::{EditSet, FileId, SourceTree, TokenCursor};
use std::collections::{BTreeMap, BTreeSet};

/// A type or trait of the standard library that a program names, and what puts a local one in its
/// place.
#[derive(Debug, Clone)]
pub struct StdItem {
    /// Its path from the library's root, such as `vec::Vec`.
    pub path: String,
    /// Changes that define it and change all that names it, the simplest first.
    pub forms: Vec<EditSet>,
}

/// The paths of all that a program names of the standard library: types, traits, functions and
/// constants, not macros, derives, modules and `Sized`, without which no type may have no size.
#[must_use]
pub fn std_names(sources: &SourceTree) -> BTreeSet<String> {
    let program = Program::new(sources);
    let reading = reader::read(&program);
    let NamedItems { items, others, .. } = found::find(&program, &reading);
    let paths = items.into_iter().map(|item| item.path).chain(others);
    paths.filter(|path| path != "marker::Sized").collect()
}

/// Words of a program that mean the standard library if the program does not define them: its roots,
/// and what the prelude has. To see quickly that an edit brings one back.
#[must_use]
pub fn std_words(sources: &SourceTree) -> BTreeSet<String> {
    let is_root = |word: &str| matches!(word, "std" | "core" | "alloc");
    let is_std =
        |word: &str| is_root(word) || (word != "Sized" && known::in_prelude(word).is_some());
    let texts = sources.files().map(|(_, _, text)| text);
    let words = texts.flat_map(|text| {
        let cursor = TokenCursor::without_docs(text);
        let words: Vec<&str> = cursor.words().filter(|word| is_std(word)).collect();
        words.into_iter().map(str::to_owned)
    });
    words.collect()
}

/// The types and traits of the standard library that a program names, in order of their paths, but
/// for those that the language gives a meaning.
#[must_use]
pub fn std_items(sources: &SourceTree) -> Vec<StdItem> {
    let program = Program::new(sources);
    let reading = reader::read(&program);
    let found = found::find(&program, &reading);
    let place = Definitions::new(&program);
    let all = found.items.iter();
    let replaceable = all.filter(|item| is_replaceable(item));
    let replaced = replaceable.map(|item| StdItem {
        path: item.path.clone(),
        forms: forms(&program, &reading, &found, &place, item),
    });
    replaced.filter(|item| !item.forms.is_empty()).collect()
}

fn is_replaceable(item: &Item) -> bool {
    let is_sugar = item.uses.iter().any(|one| one.arguments.is_sugar);
    !is_sugar && !known::is_of_the_language(&item.path)
}

/// Where definitions go, and what stands before their keywords.
struct Definitions {
    at: Position,
    head: &'static str,
}

impl Definitions {
    /// Before the first item of the root that is no import: imports may go.
    fn new(program: &Program) -> Self {
        let sources = program.sources();
        let root = sources.root();
        let text = sources.text(root);
        let file = program.files().find(|file| file.id == root);
        let first = file.and_then(|file| {
            let is_import =
                |item: &&syn::Item| matches!(item, syn::Item::Use(_) | syn::Item::ExternCrate(_));
            let item = file.syntax.items.iter().find(|item| !is_import(item))?;
            Some(file.place(item).range.start)
        });
        let is_public = TokenCursor::new(text).words().any(|word| word == "pub");
        Self {
            at: Position::new(root, first.unwrap_or(text.len())),
            head: if is_public { "pub " } else { "" },
        }
    }
}

fn forms(
    program: &Program,
    reading: &Reading<'_>,
    found: &NamedItems,
    place: &Definitions,
    item: &Item,
) -> Vec<EditSet> {
    let Some(name) = name_for(found, item) else {
        return Vec::new();
    };
    let texts = match is_trait(item) {
        true => traits::forms(program, reading, item, &name, place.head),
        false => types::forms(program, reading, item, &name, place.head),
    };
    let changed = texts.iter().filter_map(|text| {
        let mut change = program.change();
        change.insert(place.at, &format!("{text}\n"));
        redirect(program, found, item, &name, &mut change);
        change.finish()
    });
    changed.collect()
}

fn is_trait(item: &Item) -> bool {
    let is_bound = item.uses.iter().any(|one| one.role == Role::Trait);
    let is_type = |one: &found::Use| one.role == Role::Type && one.rest.is_empty();
    let is_known = known::members_of(item.name()).is_some();
    is_bound || (is_known && !item.uses.iter().any(is_type))
}

/// Its own name, or another if the crate has that for something else, or if the prelude has it: then
/// the program would name the library's item again once the local one is deleted.
fn name_for(found: &NamedItems, item: &Item) -> Option<String> {
    let own = item.name();
    let is_in_prelude = known::in_prelude(own).is_some();
    let is_alone = |other: &Item| other.path == item.path || other.name() != own;
    let own_name = found.items.iter().all(is_alone).then(|| own.to_owned());
    let module = item.path.rsplit("::").nth(1).unwrap_or_default();
    let mut letters = module.chars();
    let first = letters.next().map(|one| one.to_ascii_uppercase());
    let module: String = first.into_iter().chain(letters).collect();
    let names = own_name.into_iter().chain([format!("{module}{own}")]);
    let names = names.filter(|_| !is_in_prelude);
    let mut all = names.chain([format!("Local{own}")]);
    all.find(|name| !found.taken.contains(name))
}

/// Lets all that named an item name the local one.
fn redirect(
    program: &Program,
    found: &NamedItems,
    item: &Item,
    name: &str,
    change: &mut Change<'_>,
) {
    let modules = &found.scopes.modules;
    for one in &item.uses {
        match &one.via {
            Via::Import => {}
            Via::Path(place) => {
                let at = place.start();
                change.replace(place, &local_path(program, modules, at, name));
            }
            Via::Variant(at) => {
                let path = local_path(program, modules, *at, name);
                change.insert(*at, &format!("{path}::"));
            }
        }
    }
    redirect_imports(program, found, item, name, change);
}

/// A path from a position to an item of the root.
fn local_path(program: &Program, modules: &[Module], at: Position, name: &str) -> String {
    match is_in_root(program, modules, at) {
        true => name.to_owned(),
        false => format!("crate::{name}"),
    }
}

fn is_in_root(program: &Program, modules: &[Module], at: Position) -> bool {
    let module = module_of(modules, at).and_then(|idx| modules.get(idx));
    at.file == program.sources().root() && module.is_some_and(|module| module.name.is_none())
}

/// What becomes of a use declaration.
#[derive(Default)]
struct Declaration {
    leaves: Vec<Place>,
    n_leaves: usize,
    /// Imports of the local item.
    paths: Vec<String>,
}

/// Imports of the item are left out where the local one is at hand; elsewhere they import that.
fn redirect_imports(
    program: &Program,
    found: &NamedItems,
    item: &Item,
    name: &str,
    change: &mut Change<'_>,
) {
    let mut declarations: BTreeMap<(FileId, usize, usize), Declaration> = BTreeMap::new();
    for imported in &item.imports {
        let Some(import) = found.scopes.imports.get(imported.import) else {
            continue;
        };
        let Place { file, range } = &import.item;
        let key = (*file, range.start, range.end);
        let declaration = declarations.entry(key).or_default();
        declaration.leaves.push(import.leaf.clone());
        declaration.n_leaves = import.n_leaves;
        let path = import_of_local(program, import, imported, item, name);
        declaration.paths.extend(path);
    }
    for ((file, start, end), declaration) in declarations {
        declaration.apply(program, &Place::new(file, start..end), change);
    }
}

/// What is imported instead, unless the local item has the same name in the same scope.
fn import_of_local(
    program: &Program,
    import: &Import,
    imported: &Imported,
    item: &Item,
    name: &str,
) -> Option<String> {
    let (sources, file) = (program.sources(), import.file);
    let own = imported.rename.clone().or_else(|| {
        let is_other = imported.rest.is_empty() && name != item.name();
        is_other.then(|| item.name().to_owned())
    });
    let is_whole = imported.rest.is_empty() && own.is_none();
    let is_of_root = import.scope == (0..sources.text(file).len()) && file == sources.root();
    let is_at_hand = is_of_root && program.text(&import.item).starts_with("use");
    let is_itself = import.kind == ImportKind::Itself;
    let rest: String = imported.rest.iter().map(|one| format!("::{one}")).collect();
    let rename = own.map_or_else(String::new, |own| format!(" as {own}"));
    let path = format!("crate::{name}{rest}{rename}");
    (is_itself || !is_whole || !is_at_hand).then_some(path)
}

impl Declaration {
    fn apply(&self, program: &Program, item: &Place, change: &mut Change<'_>) {
        let head = head_of(program.text(item));
        let uses = self.paths.iter().map(|path| format!("{head}use {path};"));
        let uses: Vec<String> = uses.collect();
        match (self.leaves.len() == self.n_leaves, uses.is_empty()) {
            (true, true) => {
                change.remove(item);
            }
            (true, false) => {
                change.replace(item, &uses.join(" "));
            }
            (false, _) => {
                for leaf in &self.leaves {
                    change.remove(leaf);
                }
                if !uses.is_empty() {
                    let at = item.start();
                    change.insert(at, &format!("{} ", uses.join(" ")));
                }
            }
        }
    }
}

/// The attributes and the visibility of a use declaration.
fn head_of(text: &str) -> &str {
    let cursor = TokenCursor::new(text);
    let keyword = cursor.indices().find(|&idx| cursor.is(idx, "use"));
    let end = keyword.map_or(0, |idx| cursor.range(idx).start);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
