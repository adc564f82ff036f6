//! What the names of types and traits mean in each module of a crate, as far as its text says.

use super::{known, path_of_bound, words_of};
use reduce_syntax::{TokenCursor, UseLeaf, use_leaves};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    Ident, ItemEnum, ItemImpl, ItemMod, ItemStruct, ItemTrait, ItemTraitAlias, ItemType, ItemUnion,
    ItemUse, Path, Type, TypeParam, TypeParamBound, TypePath,
};

/// A module, counted in the order in which they begin. The root is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModuleId(pub(crate) usize);

impl ModuleId {
    pub(crate) const ROOT: Self = Self(0);
}

/// The names of all modules.
pub(crate) struct Scopes {
    modules: Vec<Module>,
    /// Modules by their own name. Several may share one.
    by_name: BTreeMap<String, Vec<ModuleId>>,
    /// The names of all traits, and of all types.
    traits: BTreeSet<String>,
    types: BTreeSet<String>,
}

#[derive(Default)]
struct Module {
    traits: BTreeSet<String>,
    types: BTreeSet<String>,
    /// Parameters of anything in the module.
    parameters: BTreeSet<String>,
    /// Paths that bound something, and are therefore traits.
    bounds: BTreeSet<Vec<String>>,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

impl Module {
    fn is_bound(&self, path: &[&str]) -> bool {
        let words: Vec<String> = path.iter().map(|&word| word.to_owned()).collect();
        self.bounds.contains(&words)
    }
}

/// So many imports may lead from one to the next.
const MAX_IMPORTS: usize = 8;

impl Scopes {
    fn empty() -> Self {
        Self {
            modules: vec![Module::default()],
            by_name: BTreeMap::new(),
            traits: BTreeSet::new(),
            types: BTreeSet::new(),
        }
    }

    /// Of a file that syn understands.
    pub(crate) fn of_file(file: &syn::File) -> Self {
        let mut collector = NameCollector {
            scopes: Self::empty(),
            module: ModuleId::ROOT,
        };
        collector.visit_file(file);
        collector.scopes
    }

    /// Of any text: what is defined, all in one module.
    pub(crate) fn of_words(cursor: &TokenCursor<'_>) -> Self {
        let mut scopes = Self::empty();
        for idx in cursor.indices() {
            let name = || cursor.word(idx + 1).to_owned();
            match cursor.word(idx) {
                "trait" => scopes.traits.extend([name()]),
                "struct" | "enum" | "union" | "type" => scopes.types.extend([name()]),
                _ => {}
            }
        }
        if let Some(root) = scopes.modules.first_mut() {
            root.globs.push(Vec::new());
        }
        scopes
    }

    /// Whether a path in a module means a trait.
    pub(crate) fn is_trait(&self, path: &[impl AsRef<str>], module: ModuleId) -> bool {
        let words: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
        self.leads_to_trait(&words, module, 0)
    }

    fn leads_to_trait(&self, path: &[&str], module: ModuleId, n_imports: usize) -> bool {
        let Some(scope) = self.modules.get(module.0) else {
            return false;
        };
        let first = path.first().copied().unwrap_or("");
        if first == "Self" || scope.parameters.contains(first) {
            return false;
        }
        // A type in a function may hide an imported trait.
        let is_type = path.len() == 1 && scope.types.contains(first);
        if is_type || scope.is_bound(path) {
            return !is_type;
        }
        match path {
            [name] => self.is_trait_in(name, module, n_imports),
            [.., parent, name] => self.is_trait_of(first, parent, name, n_imports),
            [] => false,
        }
    }

    /// Whether a module's own name means a trait.
    fn is_trait_in(&self, name: &str, module: ModuleId, n_imports: usize) -> bool {
        let scope = self.modules.get(module.0);
        let Some(scope) = scope.filter(|_| n_imports < MAX_IMPORTS) else {
            return false;
        };
        if scope.traits.contains(name) || scope.types.contains(name) {
            return scope.traits.contains(name);
        }
        if let Some(path) = scope.imports.get(name) {
            return self.is_import_of_trait(path, n_imports);
        }
        let brings = |glob: &Vec<String>| self.brings_trait(glob, name);
        scope.globs.iter().any(brings) || known::is_in_prelude(name)
    }

    fn is_import_of_trait(&self, path: &[String], n_imports: usize) -> bool {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        match words.as_slice() {
            [.., parent, name] => {
                let first = words.first().copied().unwrap_or("");
                self.is_trait_of(first, parent, name, n_imports + 1)
            }
            [name] => self.is_trait_by_spelling(name),
            [] => false,
        }
    }

    /// Whether all of what has this name is a trait.
    fn is_trait_by_spelling(&self, name: &str) -> bool {
        self.traits.contains(name) && !self.types.contains(name)
    }

    /// Whether `use glob::*` brings a trait of this name.
    fn brings_trait(&self, glob: &[String], name: &str) -> bool {
        let is_of_io = glob.first().is_some_and(|first| first == "std")
            && glob.get(1).is_some_and(|second| second == "io");
        is_of_io && known::is_in_io_prelude(name) || self.is_trait_by_spelling(name)
    }

    /// Whether `first::..::parent::name` is a trait.
    fn is_trait_of(&self, first: &str, parent: &str, name: &str, n_imports: usize) -> bool {
        let is_standard = matches!(first, "std" | "core" | "alloc");
        let own = self.by_name.get(parent).filter(|_| !is_standard);
        match own {
            Some(own) => own
                .iter()
                .any(|&module| self.is_trait_in(name, module, n_imports + 1)),
            None if known::is_standard(parent, name) => true,
            None => !is_standard && self.is_trait_by_spelling(name),
        }
    }
}

/// Collects the names of a file.
struct NameCollector {
    scopes: Scopes,
    module: ModuleId,
}

impl NameCollector {
    fn scope(&mut self) -> &mut Module {
        let last = self.scopes.modules.len() - 1;
        &mut self.scopes.modules[self.module.0.min(last)]
    }

    fn add_trait(&mut self, name: &Ident) {
        self.scopes.traits.insert(name.to_string());
        self.scope().traits.insert(name.to_string());
    }

    fn add_type(&mut self, name: &Ident) {
        self.scopes.types.insert(name.to_string());
        self.scope().types.insert(name.to_string());
    }

    fn add_bound(&mut self, path: &Path) {
        self.scope().bounds.insert(words_of(path));
    }

    fn add_import(&mut self, leaf: &UseLeaf<'_>) {
        let mut path: Vec<String> = leaf.prefix.iter().map(ToString::to_string).collect();
        match (leaf.name(), leaf.original()) {
            (Some(name), Some(original)) => {
                path.push(original.to_string());
                self.scope().imports.insert(name.to_string(), path);
            }
            _ => self.scope().globs.push(path),
        }
    }
}

impl<'ast> Visit<'ast> for NameCollector {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let outer = self.module;
        self.module = ModuleId(self.scopes.modules.len());
        self.scopes.modules.push(Module::default());
        let name = module.ident.to_string();
        let same = self.scopes.by_name.entry(name).or_default();
        same.push(self.module);
        visit::visit_item_mod(self, module);
        self.module = outer;
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.add_trait(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_trait_alias(&mut self, item: &'ast ItemTraitAlias) {
        self.add_trait(&item.ident);
        visit::visit_item_trait_alias(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add_type(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add_type(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.add_type(&item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        self.add_type(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        use_leaves(&item.tree)
            .iter()
            .for_each(|leaf| self.add_import(leaf));
    }

    fn visit_type_param(&mut self, parameter: &'ast TypeParam) {
        let name = parameter.ident.to_string();
        self.scope().parameters.insert(name);
        visit::visit_type_param(self, parameter);
    }

    fn visit_type_param_bound(&mut self, bound: &'ast TypeParamBound) {
        if let Some(path) = path_of_bound(bound) {
            self.add_bound(path);
        }
        visit::visit_type_param_bound(self, bound);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some((path, _)) = &item.trait_ {
            self.add_bound(path);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        if let Type::Path(TypePath {
            qself: Some(qself),
            path,
            ..
        }) = ty
        {
            let of_trait = path.segments.iter().take(qself.position);
            let words: Vec<String> = of_trait.map(|one| one.ident.to_string()).collect();
            if !words.is_empty() {
                self.scope().bounds.insert(words);
            }
        }
        visit::visit_type(self, ty);
    }
}
