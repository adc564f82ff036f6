//! Reads imports and paths, for the passes that change how things are named.

mod mentions;

pub(super) use mentions::{PathMention, path_mentions};

use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::{UseEnd, UseLeaf, use_leaves};
use syn::{Item, ItemUse, Visibility};

/// An import: one leaf of a use declaration.
pub(crate) struct Import {
    /// The place of the whole use declaration.
    pub(crate) item: Place,
    /// The number of leaves of the import's use declaration.
    pub(crate) n_leaves: usize,
    /// The place that goes with the import: the whole declaration if it has no other leaf, else the leaf with the
    /// text that only it needs.
    whole: Place,
    /// Whether the import has attributes or a visibility, or begins with `::`.
    pub(crate) is_special: bool,
    /// The path of the import, without `self` at its end.
    pub(crate) path: Vec<String>,
    /// The position of the last word of the import's path.
    pub(crate) name: Position,
    pub(crate) kind: ImportKind,
    /// The place between the braces of the module or block around the import.
    pub(crate) scope: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImportKind {
    Name,
    /// An import `a::{self}`, which names types and modules only.
    Itself,
    /// An import `a as b`, with the place of ` as b`.
    Renamed(Place),
    Glob,
}

impl Import {
    /// Returns the place to delete in order to delete the import.
    pub(super) fn whole(&self) -> &Place {
        &self.whole
    }

    /// Returns the place of the name after `as` in the import.
    pub(crate) fn renamed(&self, program: &Program) -> Option<Place> {
        let ImportKind::Renamed(Place { file, range }) = &self.kind else {
            return None;
        };
        let name = self.renaming(program).split_whitespace().next_back()?;
        Some(Place::new(*file, range.end - name.len()..range.end))
    }

    /// Returns the text ` as x` of an import that gives another name.
    pub(super) fn renaming<'s>(&self, program: &'s Program) -> &'s str {
        match &self.kind {
            ImportKind::Renamed(place) => program.text(place),
            _ => "",
        }
    }

    /// Returns the path of the import as text.
    pub(super) fn text(&self) -> String {
        self.path.join("::")
    }
}

/// Returns the positions of the names that are imported.
pub(crate) fn imported_names(program: &Program) -> Vec<Position> {
    let all = imports(program).into_iter();
    all.map(|import| import.name).collect()
}

/// Reads all use declarations.
pub(crate) fn imports(program: &Program) -> Vec<Import> {
    visit::collect(program, |at, node| match node {
        Node::Item(Item::Use(item)) => imports_of(program, at.file, item),
        _ => Vec::new(),
    })
}

fn imports_of(program: &Program, file: SyntaxFile<'_>, item: &ItemUse) -> Vec<Import> {
    let place = file.place(item);
    let leaves = use_leaves(&item.tree);
    let is_plain = item.attrs.is_empty() && matches!(item.vis, Visibility::Inherited);
    let import = |leaf: &UseLeaf<'_>| {
        let whole = leaf.element.map(|element| file.place(element));
        let last = leaf.original().or(leaf.prefix.last().copied())?;
        Some(Import {
            n_leaves: leaves.len(),
            whole: whole.unwrap_or_else(|| place.clone()),
            is_special: item.leading_colon.is_some() || !is_plain,
            path: path(leaf),
            name: file.position(last),
            kind: kind(file, leaf),
            scope: program.model().items_around(place.start())?.clone(),
            item: place.clone(),
        })
    };
    leaves.iter().filter_map(import).collect()
}

fn path(leaf: &UseLeaf<'_>) -> Vec<String> {
    let last = leaf.original().filter(|name| *name != "self");
    let names = leaf.prefix.iter().copied().chain(last);
    names.map(ToString::to_string).collect()
}

fn kind(file: SyntaxFile<'_>, leaf: &UseLeaf<'_>) -> ImportKind {
    match leaf.end {
        UseEnd::Name(name) if name == "self" => ImportKind::Itself,
        UseEnd::Name(_) => ImportKind::Name,
        UseEnd::Rename(name, new) => {
            ImportKind::Renamed(file.between(name, new).after(&file.place(name)))
        }
        UseEnd::Glob => ImportKind::Glob,
    }
}
