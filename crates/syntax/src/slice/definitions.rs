//! The definitions of a crate: what each defines, what it mentions, and in what it stands.

use crate::parse::{ParsedFile, forget_spans, parse_file};
use crate::source::{FileId, SourceTree};
use crate::{modules::ModuleDirectory, tokens};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Block, ImplItem, Item, ItemUse, Signature, TraitItem, Type, UseTree};

/// An identifier, interned.
pub(super) type Name = u32;

/// What a definition is, as far as reachability cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A module: stays if something in it stays.
    Module,
    /// An impl, with the last name of its trait and of its type.
    Impl {
        of_trait: Option<Name>,
        of_type: Option<Name>,
    },
    /// A member that comes with what it is a member of.
    Required,
    /// A member that stays only if it is mentioned.
    Provided,
    /// A leaf of a use declaration.
    Import { glob: bool },
    /// `extern crate`: stays, since imports alone may need it.
    ExternCrate,
    /// Anything else with a name.
    Other,
}

impl Kind {
    /// Whether a mention of the name is enough. Members of traits count: `x.member()` needs the
    /// trait.
    pub(super) fn is_reached_by_name(&self) -> bool {
        matches!(self, Self::Other)
    }
}

/// A definition.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) file: FileId,
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    pub(super) names: Vec<Name>,
    /// Identifiers in it, without those in its body and in other definitions in it.
    pub(super) mentions: Vec<Name>,
    pub(super) body: Option<Range<usize>>,
    pub(super) body_mentions: Vec<Name>,
    pub(super) parent: Option<usize>,
}

/// All definitions of a crate.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) all: Vec<Definition>,
    names: HashMap<String, Name>,
    by_name: HashMap<Name, Vec<usize>>,
}

impl Definitions {
    pub(super) fn collect(sources: &SourceTree) -> Self {
        let mut collector = Collector {
            sources,
            result: Self::default(),
            identifiers: BTreeMap::new(),
            seen: Vec::new(),
        };
        collector.file(sources.root(), false, None);
        forget_spans();
        let mut result = collector.result;
        for (idx, definition) in result.all.iter().enumerate() {
            for &name in &definition.names {
                result.by_name.entry(name).or_default().push(idx);
            }
        }
        result
    }

    pub(super) fn by_name(&self, name: Name) -> impl Iterator<Item = usize> + '_ {
        self.by_name.get(&name).into_iter().flatten().copied()
    }

    pub(super) fn named(&self, name: &str) -> Vec<usize> {
        let name = self.names.get(name).copied();
        name.map(|name| self.by_name(name).collect())
            .unwrap_or_default()
    }

    pub(super) fn innermost(&self, file: FileId, at: usize) -> Option<usize> {
        let contains = |idx: &usize| {
            let one = &self.all[*idx];
            one.file == file && one.range.contains(&at)
        };
        (0..self.all.len())
            .filter(contains)
            .min_by_key(|&idx| self.all[idx].range.len())
    }

    fn intern(&mut self, name: &str) -> Name {
        let name = name.trim_start_matches("r#");
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let new = Name::try_from(self.names.len()).expect("fewer than 2^32 identifiers");
        self.names.insert(name.to_owned(), new);
        new
    }
}

struct Collector<'s> {
    sources: &'s SourceTree,
    result: Definitions,
    /// The identifiers of each file, with their positions, in order.
    identifiers: BTreeMap<FileId, Vec<(usize, Name)>>,
    seen: Vec<FileId>,
}

/// Where a definition stands.
#[derive(Clone, Copy)]
struct Place {
    file: FileId,
    offset: usize,
    parent: Option<usize>,
}

impl Collector<'_> {
    fn file(&mut self, file: FileId, by_path_attribute: bool, parent: Option<usize>) {
        self.seen.push(file);
        let ParsedFile::Syntax {
            file: parsed,
            offset,
        } = parse_file(self.sources.text(file))
        else {
            return;
        };
        self.read_identifiers(file);
        let is_root = file == self.sources.root();
        let path = self.sources.path(file);
        let directory = ModuleDirectory::of_file(path, is_root, by_path_attribute);
        self.items(
            &parsed.items,
            &directory,
            Place {
                file,
                offset,
                parent,
            },
        );
    }

    fn read_identifiers(&mut self, file: FileId) {
        let text = self.sources.text(file);
        let is_word = |first: char| first.is_alphabetic() || first == '_';
        let words = tokens(text)
            .into_iter()
            .filter(|token| text[token.range()].starts_with(is_word));
        let found = words
            .map(|token| {
                (
                    token.range().start,
                    self.result.intern(&text[token.range()]),
                )
            })
            .collect();
        self.identifiers.insert(file, found);
    }

    fn items(&mut self, items: &[Item], directory: &ModuleDirectory, place: Place) {
        for item in items {
            self.item(item, directory, place);
        }
    }

    fn item(&mut self, item: &Item, directory: &ModuleDirectory, place: Place) {
        match item {
            Item::Mod(module) => self.module(module, directory, place),
            Item::Impl(block) => self.impl_block(block, place),
            Item::Trait(definition) => self.trait_definition(definition, place),
            Item::Use(import) => self.import(import, place),
            Item::Fn(function) => {
                self.function(
                    item,
                    &function.sig,
                    Some(&function.block),
                    Kind::Other,
                    place,
                );
            }
            Item::ExternCrate(_) => {
                self.define(item, Kind::ExternCrate, &[], None, place);
            }
            _ => {
                let names = names_of(item);
                self.define(item, Kind::Other, &names, None, place);
            }
        }
    }

    fn module(&mut self, module: &syn::ItemMod, directory: &ModuleDirectory, place: Place) {
        let name = [module.ident.to_string()];
        let idx = self.define(module, Kind::Module, &name, None, place);
        self.result.all[idx].mentions.clear();
        let inside = Place {
            parent: Some(idx),
            ..place
        };
        if let Some((_, items)) = &module.content {
            return self.items(items, &directory.inline(module), inside);
        }
        for (path, by_path_attribute) in directory.candidates(module) {
            match self.sources.find(&path) {
                Some(file) if !self.seen.contains(&file) => {
                    self.file(file, by_path_attribute, Some(idx));
                }
                _ => {}
            }
        }
    }

    fn impl_block(&mut self, block: &syn::ItemImpl, place: Place) {
        let path_name = |path: &syn::Path| path.segments.last().map(|one| one.ident.to_string());
        let of_trait = block.trait_.as_ref().and_then(|(path, _)| path_name(path));
        let of_type = head_of(&block.self_ty);
        let kind = Kind::Impl {
            of_trait: of_trait.map(|name| self.result.intern(&name)),
            of_type: of_type.map(|name| self.result.intern(&name)),
        };
        let is_of_trait = block.trait_.is_some();
        let idx = self.define(block, kind, &[], None, place);
        let header_end = block.brace_token.span.open().byte_range().start + place.offset;
        self.only_header(idx, header_end);
        let inside = Place {
            parent: Some(idx),
            ..place
        };
        for item in &block.items {
            let kind = if is_of_trait {
                Kind::Required
            } else {
                Kind::Provided
            };
            match item {
                ImplItem::Fn(function) => {
                    self.function(item, &function.sig, Some(&function.block), kind, inside);
                }
                ImplItem::Const(one) => {
                    self.define(item, kind, &[one.ident.to_string()], None, inside);
                }
                ImplItem::Type(one) => {
                    self.define(item, kind, &[one.ident.to_string()], None, inside);
                }
                _ => {
                    self.define(item, Kind::Required, &[], None, inside);
                }
            }
        }
    }

    fn trait_definition(&mut self, definition: &syn::ItemTrait, place: Place) {
        let mut names = vec![definition.ident.to_string()];
        names.extend(definition.items.iter().filter_map(name_of_trait_item));
        let idx = self.define(definition, Kind::Other, &names, None, place);
        let header_end = definition.brace_token.span.open().byte_range().start + place.offset;
        self.only_header(idx, header_end);
        let inside = Place {
            parent: Some(idx),
            ..place
        };
        for item in &definition.items {
            let kind = if is_required(item) {
                Kind::Required
            } else {
                Kind::Provided
            };
            let names: Vec<String> = name_of_trait_item(item).into_iter().collect();
            match item {
                TraitItem::Fn(function) => {
                    self.function(item, &function.sig, function.default.as_ref(), kind, inside);
                }
                _ => {
                    self.define(item, kind, &names, None, inside);
                }
            }
        }
    }

    fn function(
        &mut self,
        item: &impl Spanned,
        signature: &Signature,
        body: Option<&Block>,
        kind: Kind,
        place: Place,
    ) {
        self.define(item, kind, &[signature.ident.to_string()], body, place);
    }

    fn import(&mut self, import: &ItemUse, place: Place) {
        let idx = self.define(import, Kind::Import { glob: false }, &[], None, place);
        let mut leaves = Vec::new();
        self.import_tree(&import.tree, &mut Vec::new(), place, &mut leaves);
        self.merge_leaves(idx, &leaves);
    }

    /// Adds a definition for each part of a group; returns what a tree imports, as indices.
    fn import_tree(
        &mut self,
        tree: &UseTree,
        path: &mut Vec<String>,
        place: Place,
        leaves: &mut Vec<Import>,
    ) {
        match tree {
            UseTree::Path(segment) => {
                path.push(segment.ident.to_string());
                self.import_tree(&segment.tree, path, place, leaves);
                path.pop();
            }
            UseTree::Group(group) => {
                for part in &group.items {
                    let mut inner = Vec::new();
                    self.import_tree(part, path, place, &mut inner);
                    let idx = self.define(part, Kind::Import { glob: false }, &[], None, place);
                    self.merge_leaves(idx, &inner);
                    leaves.extend(inner);
                }
            }
            UseTree::Name(leaf) => leaves.push(Import::new(path, &leaf.ident.to_string())),
            UseTree::Rename(leaf) => leaves.push(Import::new(path, &leaf.rename.to_string())),
            UseTree::Glob(_) => leaves.push(Import {
                name: None,
                path: path.clone(),
            }),
        }
    }

    /// A part of a use tree imports what its leaves import; with several leaves, it stays if one of
    /// them does.
    fn merge_leaves(&mut self, idx: usize, leaves: &[Import]) {
        let names: Vec<Name> = leaves
            .iter()
            .filter_map(|leaf| leaf.name.as_ref())
            .map(|name| self.result.intern(name))
            .collect();
        let common = leaves
            .first()
            .map(|leaf| leaf.path.clone())
            .unwrap_or_default();
        let common = common
            .into_iter()
            .enumerate()
            .take_while(|(at, name)| leaves.iter().all(|leaf| leaf.path.get(*at) == Some(name)))
            .map(|(_, name)| self.result.intern(&name))
            .collect();
        let glob = leaves.iter().any(|leaf| leaf.name.is_none());
        let definition = &mut self.result.all[idx];
        definition.kind = Kind::Import { glob };
        definition.names = names;
        definition.mentions = common;
    }

    fn define(
        &mut self,
        syntax: &impl Spanned,
        kind: Kind,
        names: &[String],
        body: Option<&Block>,
        place: Place,
    ) -> usize {
        let shifted = |range: Range<usize>| range.start + place.offset..range.end + place.offset;
        let range = shifted(syntax.span().byte_range());
        let body = body.map(|block| shifted(block.span().byte_range()));
        let (mut mentions, mut body_mentions) = (Vec::new(), Vec::new());
        for (at, name) in self.identifiers_in(place.file, &range) {
            match &body {
                Some(body) if body.contains(&at) => body_mentions.push(name),
                _ => mentions.push(name),
            }
        }
        for list in [&mut mentions, &mut body_mentions] {
            list.sort_unstable();
            list.dedup();
        }
        let names = names.iter().map(|name| self.result.intern(name)).collect();
        let Place { file, parent, .. } = place;
        let definition = Definition {
            file,
            range,
            kind,
            names,
            mentions,
            body,
            body_mentions,
            parent,
        };
        self.result.all.push(definition);
        self.result.all.len() - 1
    }

    /// Leaves out mentions in the members.
    fn only_header(&mut self, idx: usize, header_end: usize) {
        let (file, start) = (self.result.all[idx].file, self.result.all[idx].range.start);
        let header = self.identifiers_in(file, &(start..header_end));
        self.result.all[idx].mentions = header.into_iter().map(|(_, name)| name).collect();
    }

    fn identifiers_in(&self, file: FileId, range: &Range<usize>) -> Vec<(usize, Name)> {
        let all = &self.identifiers[&file];
        let below = |byte: usize| all.partition_point(|(at, _)| *at < byte);
        all[below(range.start)..below(range.end)].to_vec()
    }
}

/// A leaf of a use tree: what it is called here, or nothing for a glob.
struct Import {
    name: Option<String>,
    path: Vec<String>,
}

impl Import {
    fn new(path: &[String], name: &str) -> Self {
        // `use a::{self}` imports `a`.
        let name = match (name, path.last()) {
            ("self", Some(module)) => module.clone(),
            _ => name.to_owned(),
        };
        Self {
            name: Some(name),
            path: path.to_vec(),
        }
    }
}

fn names_of(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(one) => one.ident.to_string(),
        Item::Enum(one) => one.ident.to_string(),
        Item::Macro(one) => return one.ident.iter().map(ToString::to_string).collect(),
        Item::Static(one) => one.ident.to_string(),
        Item::Struct(one) => one.ident.to_string(),
        Item::TraitAlias(one) => one.ident.to_string(),
        Item::Type(one) => one.ident.to_string(),
        Item::Union(one) => one.ident.to_string(),
        _ => return Vec::new(),
    };
    vec![name]
}

fn name_of_trait_item(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Const(one) => Some(one.ident.to_string()),
        TraitItem::Fn(one) => Some(one.sig.ident.to_string()),
        TraitItem::Type(one) => Some(one.ident.to_string()),
        _ => None,
    }
}

fn is_required(item: &TraitItem) -> bool {
    match item {
        TraitItem::Const(one) => one.default.is_none(),
        TraitItem::Fn(one) => one.default.is_none(),
        TraitItem::Type(one) => one.default.is_none(),
        _ => true,
    }
}

/// The name that a type begins with, through references and the like.
fn head_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|one| one.ident.to_string()),
        Type::Reference(inner) => head_of(&inner.elem),
        Type::Ptr(inner) => head_of(&inner.elem),
        Type::Slice(inner) => head_of(&inner.elem),
        Type::Array(inner) => head_of(&inner.elem),
        Type::Paren(inner) => head_of(&inner.elem),
        _ => None,
    }
}
