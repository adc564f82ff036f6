//! Prepares the program into which a crate is merged: finds a free name for the module, and renames the crate wherever the
//! program names it.

use super::Dependency;
use super::exports::exports;
use super::header::Header;
use super::names::{AtRoot, Renames, Renaming};
use super::top_level::{TopLevel, is_top, modules_around};
use crate::imports::ExternCrate;
use reduce_model::Model;
use reduce_syntax::{EditSet, FileId, SourceTree, TokenCursor};
use std::collections::BTreeSet;

/// Names that a new module never gets: those of crates that are always there, and keywords.
const TAKEN: [&str; 20] = [
    "std",
    "core",
    "alloc",
    "test",
    "proc_macro",
    "async",
    "await",
    "dyn",
    "gen",
    "try",
    "abstract",
    "become",
    "box",
    "do",
    "final",
    "macro",
    "override",
    "priv",
    "typeof",
    "virtual",
];

/// The program into which a crate is merged, with what is known of the new module.
pub(super) struct Program<'a> {
    sources: &'a SourceTree,
    model: Model,
    files: Vec<File<'a>>,
    /// The index of the program's root file in `files`.
    root: usize,
    header: Header,
    /// Whether `#![no_std]` has to go, as the crate uses `std`.
    gets_std: bool,
    renames: Renames,
    /// The name of the new module.
    pub(super) name: String,
    /// Whether the program has the crate's macros without importing them.
    pub(super) uses_macros: bool,
    /// Whether other crates can name the merged crate through the program (`pub use`).
    pub(super) is_public: bool,
    /// The macros that the program itself exports.
    pub(super) macros: BTreeSet<String>,
}

struct File<'a> {
    id: FileId,
    cursor: TokenCursor<'a>,
    top: TopLevel<'a>,
}

impl<'a> Program<'a> {
    pub(super) fn new(
        sources: &'a SourceTree,
        names: &[String],
        dependency: &Dependency<'_>,
    ) -> Option<Self> {
        let files = sources
            .files()
            .map(|(id, _, text)| File::new(id, text))
            .collect::<Option<Vec<File<'a>>>>()?;
        let root = files.iter().position(|file| file.id == sources.root())?;
        let header = Header::of(&files.get(root)?.cursor);
        let mut program = Self {
            sources,
            model: Model::new(sources),
            root,
            gets_std: header.no_std.is_some() && dependency.header.no_std.is_none(),
            header,
            renames: Renames::default(),
            name: String::new(),
            uses_macros: false,
            is_public: false,
            macros: files.iter().flat_map(File::exports).collect(),
            files,
        };
        let names = program.all_names(names);
        program.name = program.free_name(dependency, &names);
        let path = format!("crate::{}", program.name);
        let crates = names.into_iter().map(|name| (name, path.clone()));
        program.renames.crates = crates.collect();
        program.uses_macros = program.has_macro_use();
        program.is_public = program.files.iter().any(|file| program.is_shown_by(file));
        program.renames.at_root = AtRoot {
            module: Some(program.name.clone()),
            macros: program.macros_at_root(dependency),
        };
        Some(program)
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns whether the program still has no `std` once the crate is merged into it.
    pub(super) fn is_without_std(&self) -> bool {
        self.header.no_std.is_some() && !self.gets_std
    }

    /// Returns the names and imports at the top of the program's root.
    pub(super) fn top(&self) -> &TopLevel<'a> {
        &self.root_file().top
    }

    /// Returns whether a macro that the crate exports can be at the root.
    pub(super) fn has_room_for(&self, name: &str) -> bool {
        let is_imported = self.top().imports(name);
        !self.macros.contains(name) && (!is_imported || self.renames.at_root.macros.contains(name))
    }

    fn root_file(&self) -> &File<'a> {
        &self.files[self.root]
    }

    /// Returns the names of the crate in the program, with those that `extern crate dep as name` gives it at the root.
    fn all_names(&self, names: &[String]) -> Vec<String> {
        let mut all = names.to_vec();
        for (here, name) in &self.top().crates {
            if *here != "_" && names.iter().any(|one| one == name) {
                all.push((*here).to_owned());
            }
        }
        all.sort();
        all.dedup();
        all
    }

    fn free_name(&self, dependency: &Dependency<'_>, names: &[String]) -> String {
        let own = dependency.krate.name;
        let others = (2..).map(|number| format!("{own}_crate{number}"));
        let mut candidates = [own.to_owned(), format!("{own}_crate")]
            .into_iter()
            .chain(others);
        let is_free = |name: &String| !self.is_taken(name, dependency, names);
        candidates.find(is_free).unwrap_or_else(|| own.to_owned())
    }

    fn is_taken(&self, name: &str, dependency: &Dependency<'_>, names: &[String]) -> bool {
        let root = self.root_file();
        let is_from_crate = dependency.top.has_item(name);
        let is_of_macro = dependency.exports.iter().any(|one| one.name == name);
        TAKEN.contains(&name)
            // With the macro the module would import itself, beside the item of that name.
            || (is_of_macro && dependency.has_other(name))
            || root.top.defines(name, names)
            || (is_from_crate && root.top.imports(name))
            || (!names.iter().any(|one| one == name) && root.names_at_root(name))
    }

    fn has_macro_use(&self) -> bool {
        let root = self.root_file();
        let mut found = root.top.extern_crates.iter();
        found.any(|found| {
            let name = root.cursor.word(found.name());
            self.renames.crates.contains_key(name) && macro_use(&root.cursor, found).is_some()
        })
    }

    /// Returns whether a file makes the crate public by `pub use dep;` or `pub extern crate dep;`.
    fn is_shown_by(&self, file: &File<'_>) -> bool {
        let is_crate = |idx: usize| self.renames.crates.contains_key(file.cursor.word(idx));
        let is_public = |idx: usize| file.cursor.before(idx, 1) == "pub";
        let mut crates = file.top.extern_crates.iter();
        let mut imports = file.top.imports.iter();
        crates.any(|found| is_public(found.keyword) && is_crate(found.name()))
            || imports.any(|import| {
                let mut leaves = import.leaves.iter();
                is_public(import.keyword)
                    && leaves.any(|leaf| match leaf.path[..] {
                        [head] => is_crate(head) && !leaf.is_glob,
                        [head, last] => is_crate(head) && file.cursor.is(last, "self"),
                        _ => false,
                    })
            })
    }

    /// Returns the crate's exported macros that the root imports, and that it will have without the import too.
    fn macros_at_root(&self, dependency: &Dependency<'_>) -> BTreeSet<String> {
        let root = self.top();
        let exported = dependency
            .exports
            .iter()
            .filter(|export| !export.is_argument);
        let names = exported.map(|export| export.name);
        let others = |name: &str| {
            root.imports_from(name, &|head| self.renames.crates.contains_key(head))
                && !dependency.has_other(name)
                && !self.macros.contains(name)
        };
        let found = names.filter(|name| others(name));
        found.map(str::to_owned).collect()
    }

    /// Renames the crate throughout the program, without adding the module.
    pub(super) fn rewritten(&self) -> SourceTree {
        let mut edits = EditSet::new();
        for file in &self.files {
            let mut renaming = Renaming {
                file: file.id,
                cursor: &file.cursor,
                top: &file.top,
                model: &self.model,
                renames: &self.renames,
                is_root: file.id == self.sources.root(),
                edits: &mut edits,
            };
            renaming.rename();
            for found in &file.top.extern_crates {
                self.extern_crate(&mut renaming, found);
            }
            if let Some((first, last)) = self.header.no_std
                && renaming.is_root
                && self.gets_std
            {
                renaming.replace(first, last, "");
            }
        }
        edits.apply(self.sources)
    }

    fn extern_crate(&self, renaming: &mut Renaming<'_>, found: &ExternCrate) {
        let cursor = renaming.cursor;
        let here = cursor.word(found.here());
        let Some(new) = self.renames.crates.get(cursor.word(found.name())) else {
            return;
        };
        let is_at_root = renaming.is_root && is_top(renaming.cursor, found.keyword);
        if is_at_root && (here == self.name || here == "_") {
            let start = cursor.item_start(found.keyword);
            return renaming.replace(start, found.semicolon, "");
        }
        if let Some((first, last)) = macro_use(cursor, found) {
            renaming.replace(first, last, "");
        }
        renaming.extern_crate(found, new);
    }
}

impl<'a> File<'a> {
    fn new(id: FileId, text: &'a str) -> Option<Self> {
        let cursor = TokenCursor::balanced(text)?;
        let top = TopLevel::new(&cursor);
        Some(Self { id, cursor, top })
    }

    fn exports(&self) -> Vec<String> {
        let found = exports(&self.cursor);
        let names = found.iter().filter(|export| !export.is_argument);
        names.map(|export| export.name.to_owned()).collect()
    }

    /// Returns whether a path outside of all modules begins with a name.
    fn names_at_root(&self, name: &str) -> bool {
        let cursor = &self.cursor;
        let is_head =
            |idx: &usize| cursor.are(*idx, &[name, "::"]) && cursor.before(*idx, 1) != "::";
        let mut heads = cursor.indices().filter(is_head);
        heads.any(|idx| modules_around(cursor, idx).is_empty())
    }
}

/// Returns the first and last token of the `#[macro_use]` before an `extern crate`.
pub(super) fn macro_use(cursor: &TokenCursor<'_>, found: &ExternCrate) -> Option<(usize, usize)> {
    let start = cursor.item_start(found.keyword);
    let mut places = start..found.keyword;
    let first = places.find(|&idx| cursor.are(idx, &["#", "[", "macro_use"]))?;
    Some((first, cursor.partner(first + 1)?))
}
