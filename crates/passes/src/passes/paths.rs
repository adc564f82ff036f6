//! Imports, modules and paths, as the passes see them that change how things are named.

mod mentions;

pub(super) use mentions::{PathMention, path_mentions};

use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::{FileId, ItemParts};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, ItemMod, ItemUse, UseTree};

/// A leaf of a use declaration.
pub(super) struct Import {
    pub(super) file: FileId,
    /// The whole declaration.
    pub(super) item: Place,
    /// The leaf with what is around it that is of no use to others.
    pub(super) leaf: Place,
    /// How many leaves the declaration has.
    pub(super) n_leaves: usize,
    /// Has attributes or a visibility, or begins with `::`.
    pub(super) is_special: bool,
    /// Without `self` at its end.
    pub(super) path: Vec<String>,
    /// Where its binding stands.
    pub(super) name: Position,
    pub(super) kind: ImportKind,
    /// What is between the braces of the module or block.
    pub(super) scope: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportKind {
    Name,
    /// `a::{self}`: of types and modules only.
    Itself,
    /// `a as b`, with the place of ` as b`.
    Renamed(usize, usize),
    /// `a as _`, likewise.
    Nameless(usize, usize),
    Glob,
}

/// A module with braces, or a file.
pub(super) struct Module {
    pub(super) file: FileId,
    /// What is between its braces.
    pub(super) range: Range<usize>,
    /// Before its first item.
    pub(super) start: usize,
    /// Its own name, unless it is a file.
    pub(super) name: Option<String>,
    /// The names of its items, and of its variants if it is an enum.
    pub(super) names: Vec<String>,
    pub(super) is_enum: bool,
}

impl Import {
    /// What goes with it: the leaf, or the whole declaration if it is its last.
    pub(super) fn whole(&self) -> &Place {
        match self.n_leaves {
            1 => &self.item,
            _ => &self.leaf,
        }
    }

    /// The name after `as`.
    pub(super) fn renamed<'s>(&self, program: &'s Program) -> Option<&'s str> {
        let (ImportKind::Renamed(start, end) | ImportKind::Nameless(start, end)) = self.kind else {
            return None;
        };
        let renaming = program.text(&Place::new(self.file, start..end));
        renaming.split_whitespace().next_back()
    }

    /// The path as text.
    pub(super) fn text(&self) -> String {
        self.path.join("::")
    }
}

/// What a crate has of each.
#[derive(Default)]
pub(super) struct Scopes {
    pub(super) imports: Vec<Import>,
    /// Modules and enums.
    pub(super) modules: Vec<Module>,
    /// `crate::`, `self::` and `::` at the beginning of use declarations.
    pub(super) import_heads: Vec<Place>,
}

/// Reads all use declarations, modules and enums.
pub(super) fn scopes(program: &Program) -> Scopes {
    let mut found = Scopes::default();
    for file in program.files() {
        let len = program.sources().text(file.id).len();
        let mut reader = ScopesWalk {
            file,
            scope: 0..len,
            found: &mut found,
        };
        reader.module(None, &file.syntax.items, 0..len);
        reader.visit_file(file.syntax);
    }
    found
}

struct ScopesWalk<'p, 'f> {
    file: SyntaxFile<'p>,
    scope: Range<usize>,
    found: &'f mut Scopes,
}

impl ScopesWalk<'_, '_> {
    fn module(&mut self, name: Option<String>, items: &[syn::Item], range: Range<usize>) {
        let start = items.first().map(|item| self.file.place(item).range.start);
        let name_of = |item: &syn::Item| name_of_item(item).map(ToString::to_string);
        self.found.modules.push(Module {
            file: self.file.id,
            start: start.unwrap_or(range.end),
            name,
            names: items.iter().filter_map(name_of).collect(),
            is_enum: false,
            range,
        });
    }

    /// `crate::`, `self::` and `::` before a use tree.
    fn import_head(&mut self, item: &ItemUse) {
        let Place { file, range: tree } = self.file.place(&item.tree);
        if let Some(colons) = &item.leading_colon {
            let colons = self.file.place(colons);
            self.found.import_heads.push(colons);
        }
        if let UseTree::Path(path) = &item.tree
            && (path.ident == "crate" || path.ident == "self")
        {
            let rest = self.file.place(&*path.tree).range.start;
            self.found
                .import_heads
                .push(Place::new(file, tree.start..rest));
        }
    }

    fn inside(&mut self, braces: proc_macro2::extra::DelimSpan, walk: impl FnOnce(&mut Self)) {
        let start = self.file.place_of(braces.open()).range.end;
        let end = self.file.place_of(braces.close()).range.start;
        let outer = std::mem::replace(&mut self.scope, start..end);
        walk(self);
        self.scope = outer;
    }
}

impl<'p> Visit<'p> for ScopesWalk<'p, '_> {
    fn visit_item_enum(&mut self, item: &'p syn::ItemEnum) {
        let variants = item.variants.iter();
        let range = self.file.place_of(item.brace_token.span.join()).range;
        self.found.modules.push(Module {
            file: self.file.id,
            start: range.start,
            name: Some(item.ident.to_string()),
            names: variants.map(|one| one.ident.to_string()).collect(),
            is_enum: true,
            range,
        });
        visit::visit_item_enum(self, item);
    }

    fn visit_item_mod(&mut self, module: &'p ItemMod) {
        let Some((braces, items)) = &module.content else {
            return;
        };
        self.inside(braces.span, |inside| {
            let name = module.ident.to_string();
            inside.module(Some(name), items, inside.scope.clone());
            visit::visit_item_mod(inside, module);
        });
    }

    fn visit_block(&mut self, block: &'p Block) {
        self.inside(block.brace_token.span, |inside| {
            visit::visit_block(inside, block);
        });
    }

    fn visit_item_use(&mut self, item: &'p ItemUse) {
        self.import_head(item);
        let mut leaves = Leaves {
            file: self.file,
            path: Vec::new(),
            found: Vec::new(),
        };
        leaves.read(&item.tree, self.file.place(&item.tree));
        let n_leaves = leaves.found.len();
        let is_plain = item.attrs.is_empty() && matches!(item.vis, syn::Visibility::Inherited);
        let is_special = item.leading_colon.is_some() || !is_plain;
        for leaf in leaves.found {
            self.found.imports.push(Import {
                file: self.file.id,
                item: self.file.place(item),
                leaf: leaf.element,
                n_leaves,
                is_special,
                path: leaf.path,
                name: leaf.name,
                kind: leaf.kind,
                scope: self.scope.clone(),
            });
        }
    }
}

struct Leaf {
    element: Place,
    path: Vec<String>,
    name: Position,
    kind: ImportKind,
}

struct Leaves<'p> {
    file: SyntaxFile<'p>,
    path: Vec<String>,
    found: Vec<Leaf>,
}

impl Leaves<'_> {
    /// `element` is the outermost tree in a group with no other leaf than those of this one.
    fn read(&mut self, tree: &UseTree, element: Place) {
        match tree {
            UseTree::Path(path) => {
                self.path.push(path.ident.to_string());
                self.read(&path.tree, element);
                self.path.pop();
            }
            UseTree::Group(group) if group.items.len() == 1 => {
                group.items.iter().for_each(|tree| {
                    self.read(tree, element.clone());
                });
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.read(tree, self.file.place(tree));
                }
            }
            UseTree::Name(leaf) => self.leaf(element, &leaf.ident, ImportKind::Name),
            UseTree::Rename(leaf) => {
                let name = self.file.place(&leaf.ident).range;
                let rename = self.file.place_of(leaf.rename.span()).range;
                let kind = match leaf.rename == "_" {
                    true => ImportKind::Nameless(name.end, rename.end),
                    false => ImportKind::Renamed(name.end, rename.end),
                };
                self.leaf(element, &leaf.ident, kind);
            }
            UseTree::Glob(glob) => {
                let Place { file, range: place } = self.file.place(&glob.star_token);
                self.push(
                    element,
                    Position::new(file, place.start),
                    self.path.clone(),
                    ImportKind::Glob,
                );
            }
        }
    }

    fn leaf(&mut self, element: Place, ident: &syn::Ident, kind: ImportKind) {
        let name = self.file.position(ident);
        if ident == "self" {
            let kind = match kind {
                ImportKind::Name => ImportKind::Itself,
                kind => kind,
            };
            return self.push(element, name, self.path.clone(), kind);
        }
        let own = std::iter::once(ident.to_string());
        let path = self.path.iter().cloned().chain(own).collect();
        self.push(element, name, path, kind);
    }

    fn push(&mut self, element: Place, name: Position, path: Vec<String>, kind: ImportKind) {
        self.found.push(Leaf {
            element,
            path,
            name,
            kind,
        });
    }
}

/// The name of an item that may be named by a path.
pub(super) fn name_of_item(item: &syn::Item) -> Option<&syn::Ident> {
    let parts = ItemParts::of(item)?;
    parts.name.filter(|_| parts.keyword != "macro")
}

/// The innermost module around a place.
pub(super) fn module_of(modules: &[Module], Position { file, at }: Position) -> Option<usize> {
    let is_around =
        |one: &(usize, &Module)| !one.1.is_enum && one.1.file == file && one.1.range.contains(&at);
    let around = modules.iter().enumerate();
    let around = around.filter(is_around);
    around
        .min_by_key(|(_, module)| module.range.len())
        .map(|(idx, _)| idx)
}
