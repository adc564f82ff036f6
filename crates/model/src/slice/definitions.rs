//! The definitions of a crate: what each defines, what it mentions, and in what it stands.

mod calls;
mod extent;

use reduce_syntax::{FileId, ModuleDirectory, Parsed, ParsedFiles, SourceTree, tokens};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Block, ImplItem, Item, ItemUse, Signature, TraitItem, Type, TypeParamBound, UseTree};

/// An identifier, interned.
pub(crate) type Name = u32;

/// What a definition is, as far as reachability cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
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
    /// A call of a macro that does not say what it defines: types or impls, by the names in it.
    Call,
    /// Anything else with a name.
    Other,
}

impl Kind {
    /// Whether a mention of the name is enough. Members of traits count: `x.member()` needs the
    /// trait.
    pub(crate) fn is_reached_by_name(&self) -> bool {
        matches!(self, Self::Other | Self::Call)
    }
}

/// A definition.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) file: FileId,
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) names: Vec<Name>,
    /// Identifiers in it, without those in its body and in other definitions in it.
    pub(crate) mentions: Vec<Name>,
    pub(crate) body: Option<Range<usize>>,
    pub(crate) body_mentions: Vec<Name>,
    pub(crate) parent: Option<usize>,
}

/// All definitions of a crate.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) all: Vec<Definition>,
    names: HashMap<String, Name>,
    texts: Vec<String>,
    by_name: HashMap<Name, Vec<usize>>,
    /// The files that are reached, each with the module that it is.
    pub(crate) modules: BTreeMap<FileId, Option<usize>>,
}

impl Definitions {
    /// The definitions of a crate whose files are `parsed`.
    pub(crate) fn collect(sources: &SourceTree, parsed: &ParsedFiles) -> Self {
        let mut collector = Collector {
            sources,
            parsed,
            result: Self::default(),
            identifiers: BTreeMap::new(),
            implemented: BTreeMap::new(),
        };
        collector.file(sources.root(), false, None);
        let mut result = collector.result;
        for (idx, definition) in result.all.iter().enumerate() {
            for &name in &definition.names {
                result.by_name.entry(name).or_default().push(idx);
            }
        }
        result
    }

    /// Whether no definition of the crate has a name, but imports may.
    pub(crate) fn only_imported(&self, name: Name) -> bool {
        let is_import = |idx: usize| matches!(self.all[idx].kind, Kind::Import { .. });
        self.by_name(name).all(is_import)
    }

    pub(crate) fn by_name(&self, name: Name) -> impl Iterator<Item = usize> + '_ {
        self.by_name.get(&name).into_iter().flatten().copied()
    }

    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        let name = self.names.get(name).copied();
        name.map(|name| self.by_name(name).collect())
            .unwrap_or_default()
    }

    /// The definitions at the end of a path. Names before the last decide between several, as far as
    /// they are still there: modules may have been dissolved.
    pub(crate) fn along(&self, path: &[String]) -> Vec<usize> {
        let Some((last, before)) = path.split_last() else {
            return Vec::new();
        };
        let Some(&last) = self.names.get(last) else {
            return Vec::new();
        };
        let found = self
            .by_name(last)
            .filter(|&idx| self.all[idx].names[0] == last);
        let matching = |idx| (self.n_around(idx, before), idx);
        let found: Vec<(usize, usize)> = found.map(matching).collect();
        let most = found.iter().map(|(n_found, _)| *n_found).max();
        let best = found.iter().filter(|(n_found, _)| Some(*n_found) == most);
        best.map(|(_, idx)| *idx).collect()
    }

    /// How many of some names a definition has around it.
    fn n_around(&self, idx: usize, names: &[String]) -> usize {
        let mut around = self.path(idx);
        around.pop();
        names.iter().filter(|name| around.contains(name)).count()
    }

    /// The names around a definition, outermost first, then its own if it has one. An impl has the
    /// names of its trait and its type.
    pub(crate) fn path(&self, idx: usize) -> Vec<String> {
        let parents = std::iter::successors(Some(idx), |&idx| self.all[idx].parent);
        let mut path: Vec<String> = parents.flat_map(|idx| self.names_of_one(idx)).collect();
        path.reverse();
        path
    }

    fn names_of_one(&self, idx: usize) -> Vec<String> {
        let names = match &self.all[idx].kind {
            Kind::Impl { of_trait, of_type } => vec![*of_type, *of_trait],
            _ => vec![self.all[idx].names.first().copied()],
        };
        let text = |name: Name| self.texts[name as usize].clone();
        names.into_iter().flatten().map(text).collect()
    }

    pub(crate) fn innermost(&self, file: FileId, at: usize) -> Option<usize> {
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
        self.texts.push(name.to_owned());
        new
    }
}

struct Collector<'s> {
    sources: &'s SourceTree,
    parsed: &'s ParsedFiles,
    result: Definitions,
    /// The identifiers of each file, with their positions, in order.
    identifiers: BTreeMap<FileId, Vec<(usize, Name)>>,
    /// By macro: the types that it makes impls of, whatever its calls name.
    implemented: BTreeMap<String, Vec<String>>,
}

/// Where a definition stands.
#[derive(Clone, Copy)]
struct Place {
    file: FileId,
    parent: Option<usize>,
}

impl Collector<'_> {
    fn file(&mut self, file: FileId, by_path_attribute: bool, parent: Option<usize>) {
        self.result.modules.insert(file, parent);
        let Some(syntax) = self.parsed.get(&file).and_then(Parsed::file) else {
            return;
        };
        self.read_identifiers(file);
        let is_root = file == self.sources.root();
        let path = self.sources.path(file);
        let directory = ModuleDirectory::of_file(path, is_root, by_path_attribute);
        self.items(&syntax.items, &directory, Place { file, parent });
    }

    fn read_identifiers(&mut self, file: FileId) {
        let text = self.sources.text(file);
        let words = tokens(text);
        let words = words.iter().filter(|token| token.kind.is_name());
        let found = words.map(|token| {
            let name = self.result.intern(&text[token.range()]);
            (token.range().start, name)
        });
        let found = found.collect();
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
                let (range, body) = (extent::of_function(function), Some(&*function.block));
                self.function(range, &function.sig, body, Kind::Other, place);
            }
            Item::Macro(call) if call.ident.is_none() => {
                let (kind, names) = match calls::defined_by(call) {
                    names if names.is_empty() => (Kind::Call, self.subjects_of(call)),
                    names => (Kind::Other, names),
                };
                self.define(item, kind, &names, place);
            }
            Item::Macro(definition) => {
                let names = names_of(item);
                let types = calls::implemented_by(definition);
                for name in &names {
                    self.implemented.insert(name.clone(), types.clone());
                }
                self.define(item, Kind::Other, &names, place);
            }
            Item::ExternCrate(_) => {
                self.define(item, Kind::ExternCrate, &[], place);
            }
            _ => {
                let names = names_of(item);
                self.define(item, Kind::Other, &names, place);
            }
        }
    }

    /// The types that a macro call is about.
    fn subjects_of(&self, call: &syn::ItemMacro) -> Vec<String> {
        let name = call
            .mac
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string());
        let own = name.and_then(|name| self.implemented.get(&name));
        let mut names = calls::types_in(call);
        names.extend(own.into_iter().flatten().cloned());
        names
    }

    fn module(&mut self, module: &syn::ItemMod, directory: &ModuleDirectory, place: Place) {
        let name = [module.ident.to_string()];
        let range = extent::of_module(module);
        let idx = self.define_with_header(range, 0..0, Kind::Module, &name, place);
        let inside = Place {
            parent: Some(idx),
            ..place
        };
        if let Some((_, items)) = &module.content {
            return self.items(items, &directory.inline(module), inside);
        }
        for (path, by_path_attribute) in directory.candidates(module) {
            match self.sources.find(&path) {
                Some(file) if !self.result.modules.contains_key(&file) => {
                    self.file(file, by_path_attribute, Some(idx));
                }
                _ => {}
            }
        }
    }

    fn impl_block(&mut self, block: &syn::ItemImpl, place: Place) {
        let path_name = |path: &syn::Path| path.segments.last().map(|one| one.ident.to_string());
        let of_trait = block.trait_.as_ref().and_then(|(path, _)| path_name(path));
        let is_parameter = |name: &String| {
            block
                .generics
                .type_params()
                .any(|param| param.ident == name)
        };
        let of_type = head_of(&block.self_ty).filter(|name| !is_parameter(name));
        let kind = Kind::Impl {
            of_trait: of_trait.map(|name| self.result.intern(&name)),
            of_type: of_type.map(|name| self.result.intern(&name)),
        };
        let is_of_trait = block.trait_.is_some();
        let range = extent::of_impl(block);
        let header = range.start..block.brace_token.span.open().byte_range().start;
        let idx = self.define_with_header(range, header, kind, &[], place);
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
                    let (range, body) = (extent::of_impl_function(function), Some(&function.block));
                    self.function(range, &function.sig, body, kind, inside);
                }
                ImplItem::Const(one) => {
                    self.define(item, kind, &[one.ident.to_string()], inside);
                }
                ImplItem::Type(one) => {
                    self.define(item, kind, &[one.ident.to_string()], inside);
                }
                _ => {
                    self.define(item, Kind::Required, &[], inside);
                }
            }
        }
    }

    fn trait_definition(&mut self, definition: &syn::ItemTrait, place: Place) {
        let mut names = vec![definition.ident.to_string()];
        names.extend(definition.items.iter().filter_map(name_of_trait_item));
        let range = extent::of_trait(definition);
        let header = range.start..definition.brace_token.span.open().byte_range().start;
        let idx = self.define_with_header(range, header, Kind::Other, &names, place);
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
                    let (range, body) = (extent::of_trait_function(function), &function.default);
                    self.function(range, &function.sig, body.as_ref(), kind, inside);
                }
                _ => {
                    self.define(item, kind, &names, inside);
                }
            }
        }
    }

    fn function(
        &mut self,
        range: Range<usize>,
        signature: &Signature,
        body: Option<&Block>,
        kind: Kind,
        place: Place,
    ) {
        let extent = Extent {
            mentions: range.clone(),
            body: body.map(extent::of_block),
            range,
        };
        self.define_extent(extent, kind, &[signature.ident.to_string()], place);
    }

    fn import(&mut self, import: &ItemUse, place: Place) {
        let idx = self.define(import, Kind::Import { glob: false }, &[], place);
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
                    let idx = self.define(part, Kind::Import { glob: false }, &[], place);
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
        place: Place,
    ) -> usize {
        let range = syntax.span().byte_range();
        self.define_with_header(range.clone(), range, kind, names, place)
    }

    /// What has other definitions in it mentions only what is in its header.
    fn define_with_header(
        &mut self,
        range: Range<usize>,
        header: Range<usize>,
        kind: Kind,
        names: &[String],
        place: Place,
    ) -> usize {
        let extent = Extent {
            range,
            mentions: header,
            body: None,
        };
        self.define_extent(extent, kind, names, place)
    }

    fn define_extent(
        &mut self,
        extent: Extent,
        kind: Kind,
        names: &[String],
        place: Place,
    ) -> usize {
        let Extent {
            range,
            mentions,
            body,
        } = extent;
        let all = self.identifiers_in(place.file, &mentions);
        let is_in_body = |at: &usize| body.as_ref().is_some_and(|body| body.contains(at));
        let (in_body, outside): (Vec<_>, Vec<_>) = all.iter().partition(|(at, _)| is_in_body(at));
        let definition = Definition {
            file: place.file,
            range,
            kind,
            mentions: sorted_names(&outside),
            body_mentions: sorted_names(&in_body),
            names: names.iter().map(|name| self.result.intern(name)).collect(),
            body,
            parent: place.parent,
        };
        self.result.all.push(definition);
        self.result.all.len() - 1
    }

    fn identifiers_in(&self, file: FileId, range: &Range<usize>) -> &[(usize, Name)] {
        let all = &self.identifiers[&file];
        let below = |byte: usize| all.partition_point(|(at, _)| *at < byte);
        &all[below(range.start)..below(range.end)]
    }
}

/// Byte ranges of a definition.
struct Extent {
    range: Range<usize>,
    /// Where its mentions are.
    mentions: Range<usize>,
    body: Option<Range<usize>>,
}

fn sorted_names(words: &[(usize, Name)]) -> Vec<Name> {
    let mut names: Vec<Name> = words.iter().map(|(_, name)| *name).collect();
    names.sort_unstable();
    names.dedup();
    names
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
        Type::Group(inner) => head_of(&inner.elem),
        Type::TraitObject(object) => object.bounds.iter().find_map(|bound| match bound {
            TypeParamBound::Trait(one) => one.path.segments.last().map(|one| one.ident.to_string()),
            _ => None,
        }),
        _ => None,
    }
}
