//! What a crate defines, in the order of its text, and which names are not its own to give.

use super::Region;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::{ItemParts, TokenCursor};
use std::collections::{BTreeMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, ImplItem, Item, Member, Pat};

/// A name that is defined, once for each definition.
pub(super) struct Definition {
    pub(super) sort: Sort,
    pub(super) name: String,
    /// Where it is known, if not in the whole crate.
    pub(super) region: Option<Region>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Type,
    Trait,
    Function,
    TypeParameter,
    ConstParameter,
    Lifetime,
    Variable,
    Field,
    Variant,
    Module,
    Macro,
    AssociatedType,
    Constant,
}

impl Sort {
    /// The names that people give, the most usual first.
    pub(super) fn names(self) -> impl Iterator<Item = String> {
        let (first, prefix): (&[&str], &str) = match self {
            Self::Type => (&["Foo", "Bar", "Baz", "A", "B", "D", "E", "F", "G"], "S"),
            Self::Trait => (&["Trait"], "Trait"),
            Self::Function => (&["foo", "bar", "baz", "f", "g", "h"], "f"),
            Self::TypeParameter => (&["T", "U", "V", "W", "X", "Y", "Z"], "T"),
            Self::ConstParameter => (&["N", "M", "K", "L", "O", "P"], "N"),
            Self::Lifetime => (&["'a", "'b", "'c", "'d", "'e", "'f"], "'a"),
            Self::Variable => (&["x", "y", "z", "a", "b", "c", "d", "e"], "x"),
            Self::Field => (&["a", "b", "c", "d", "e", "f"], "a"),
            Self::Variant => (&["A", "B", "C", "D", "E", "F"], "V"),
            Self::Module => (&["m", "n", "o", "p"], "m"),
            Self::Macro => (&["m", "n", "o", "p"], "m"),
            Self::AssociatedType => (&["Assoc"], "Assoc"),
            Self::Constant => (&["C", "D", "E", "F", "G"], "C"),
        };
        let first = first.iter().map(|&name| name.to_owned());
        first.chain((2_u32..100).map(move |n| format!("{prefix}{n}")))
    }
}

#[derive(Default)]
pub(super) struct Definitions {
    pub(super) all: Vec<Definition>,
    /// Names that others gave, or look for.
    pub(super) kept: HashSet<String>,
    /// Where fields are named in expressions and patterns.
    pub(super) members: HashSet<Position>,
    shorthand: HashSet<String>,
}

impl Definitions {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = Self::default();
        let mut traits = HashSet::new();
        for file in program.files() {
            Traits(&mut traits).visit_file(file.syntax);
        }
        let mut placed = BTreeMap::new();
        for file in program.files() {
            found.external_words(program.sources().text(file.id));
            let mut reader = DefinitionsWalk {
                file,
                traits: &traits,
                regions: Vec::new(),
                found: &mut found,
                placed: &mut placed,
            };
            reader.visit_file(file.syntax);
        }
        found.all = placed.into_values().collect();
        found.fields_of_shorthand();
        found
    }

    /// What is defined for the whole crate, by name.
    pub(super) fn globals(&self) -> HashSet<String> {
        let wide = self.all.iter().filter(|one| one.region.is_none());
        wide.map(|one| one.name.clone()).collect()
    }

    /// A variable that has a field's name in `S { name }` is renamed with that.
    fn fields_of_shorthand(&mut self) {
        let globals = self.globals();
        let names = self
            .shorthand
            .iter()
            .filter(|name| !globals.contains(*name));
        self.kept.extend(names.cloned());
    }

    /// The words of imports and paths from the standard library.
    fn external_words(&mut self, text: &str) {
        let mut is_import = false;
        let mut is_path = false;
        let cursor = TokenCursor::new(text);
        for idx in cursor.indices() {
            let (word, before) = (cursor.word(idx), cursor.before(idx, 1));
            let is_head = matches!(word, "core" | "std" | "alloc");
            is_import = (is_import || is_head && before == "use") && word != ";";
            is_path = is_head || is_path && (word == "::" || before == "::");
            if (is_import || is_path) && cursor.is_name(idx) {
                self.kept.insert(word.to_owned());
            }
        }
    }
}

struct Traits<'f>(&'f mut HashSet<String>);

impl<'p> Visit<'p> for Traits<'_> {
    fn visit_item_trait(&mut self, definition: &'p syn::ItemTrait) {
        self.0.insert(definition.ident.to_string());
        visit::visit_item_trait(self, definition);
    }
}

struct DefinitionsWalk<'p, 'f> {
    file: SyntaxFile<'p>,
    traits: &'f HashSet<String>,
    /// The items and functions around, but for functions in functions.
    regions: Vec<Region>,
    found: &'f mut Definitions,
    placed: &'f mut BTreeMap<Position, Definition>,
}

impl<'p> DefinitionsWalk<'p, '_> {
    fn define(&mut self, sort: Sort, name: &Ident) {
        self.add(sort, self.file.position(name), name.to_string(), None);
    }

    /// Defines something that is known in the innermost region.
    fn local(&mut self, sort: Sort, name: &Ident) {
        let region = self.regions.last().cloned();
        self.add(sort, self.file.position(name), name.to_string(), region);
    }

    fn add(&mut self, sort: Sort, at: Position, name: String, region: Option<Region>) {
        let definition = Definition { sort, name, region };
        self.placed.insert(at, definition);
    }

    fn within(&mut self, region: Region, walk: impl FnOnce(&mut Self)) {
        self.regions.push(region);
        walk(self);
        self.regions.pop();
    }

    fn keep(&mut self, name: &Ident) {
        self.found.kept.insert(name.to_string());
    }

    /// A name that an attribute makes known to others.
    fn keep_if_known(&mut self, attributes: &[Attribute], name: &Ident) {
        let is_known = |one: &Attribute| {
            let harmless = HARMLESS.iter().any(|name| one.path().is_ident(name));
            !harmless
        };
        if attributes.iter().any(is_known) {
            self.keep(name);
        }
    }

    fn item(&mut self, item: &'p Item) -> Option<()> {
        let parts = ItemParts::of(item)?;
        let (attributes, name) = (parts.attributes, parts.name?);
        let sort = match parts.keyword {
            "const" | "static" => Sort::Constant,
            "fn" => Sort::Function,
            "macro" => Sort::Macro,
            "mod" => Sort::Module,
            "trait" => Sort::Trait,
            "extern crate" => return None,
            _ => Sort::Type,
        };
        if name == "_" {
            return None;
        }
        if name == "main" || matches!(item, Item::Mod(module) if module.content.is_none()) {
            self.keep(name);
        }
        self.keep_if_known(attributes, name);
        self.define(sort, name);
        Some(())
    }

    fn impl_member(&mut self, member: &'p ImplItem, is_foreign: bool) -> Option<()> {
        let parts = ItemParts::of_impl_item(member)?;
        let (attributes, name) = (parts.attributes, parts.name?);
        let sort = match parts.keyword {
            "const" => Sort::Constant,
            "fn" => Sort::Function,
            _ => Sort::AssociatedType,
        };
        if is_foreign {
            self.keep(name);
        }
        self.keep_if_known(attributes, name);
        self.define(sort, name);
        Some(())
    }
}

/// Attributes that do not make a name known.
const HARMLESS: [&str; 12] = [
    "allow",
    "cfg",
    "cold",
    "deny",
    "derive",
    "doc",
    "expect",
    "inline",
    "must_use",
    "repr",
    "track_caller",
    "warn",
];

impl<'p> Visit<'p> for DefinitionsWalk<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p Attribute) {}

    fn visit_item(&mut self, item: &'p Item) {
        self.item(item);
        let is_region = !matches!(item, Item::Mod(_)) && self.regions.is_empty();
        if is_region {
            let region = self.file.place(item);
            self.within(region, |inside| visit::visit_item(inside, item));
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        let last = block
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        let is_foreign = last.is_some_and(|last| !self.traits.contains(&last.ident.to_string()));
        for member in &block.items {
            self.impl_member(member, is_foreign);
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_impl_item_fn(&mut self, function: &'p syn::ImplItemFn) {
        let region = self.file.place(function);
        self.within(region, |inside| visit::visit_impl_item_fn(inside, function));
    }

    fn visit_trait_item_fn(&mut self, function: &'p syn::TraitItemFn) {
        self.keep_if_known(&function.attrs, &function.sig.ident);
        self.define(Sort::Function, &function.sig.ident);
        let region = self.file.place(function);
        self.within(region, |inside| {
            visit::visit_trait_item_fn(inside, function)
        });
    }

    fn visit_trait_item_type(&mut self, one: &'p syn::TraitItemType) {
        self.keep_if_known(&one.attrs, &one.ident);
        self.define(Sort::AssociatedType, &one.ident);
        visit::visit_trait_item_type(self, one);
    }

    fn visit_trait_item_const(&mut self, one: &'p syn::TraitItemConst) {
        self.keep_if_known(&one.attrs, &one.ident);
        self.define(Sort::Constant, &one.ident);
        visit::visit_trait_item_const(self, one);
    }

    fn visit_item_foreign_mod(&mut self, block: &'p syn::ItemForeignMod) {
        for item in &block.items {
            match item {
                syn::ForeignItem::Fn(one) => self.keep(&one.sig.ident),
                syn::ForeignItem::Static(one) => self.keep(&one.ident),
                syn::ForeignItem::Type(one) => self.keep(&one.ident),
                _ => {}
            }
        }
    }

    fn visit_variant(&mut self, variant: &'p syn::Variant) {
        self.keep_if_known(&variant.attrs, &variant.ident);
        self.define(Sort::Variant, &variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &'p syn::Field) {
        if let Some(name) = &field.ident {
            self.define(Sort::Field, name);
        }
        visit::visit_field(self, field);
    }

    fn visit_type_param(&mut self, parameter: &'p syn::TypeParam) {
        self.local(Sort::TypeParameter, &parameter.ident);
        visit::visit_type_param(self, parameter);
    }

    fn visit_const_param(&mut self, parameter: &'p syn::ConstParam) {
        self.local(Sort::ConstParameter, &parameter.ident);
        visit::visit_const_param(self, parameter);
    }

    fn visit_lifetime_param(&mut self, parameter: &'p syn::LifetimeParam) {
        let Place { file, range: place } = self.file.place(&parameter.lifetime);
        let name = parameter.lifetime.to_string();
        let region = self.regions.last().cloned();
        self.add(
            Sort::Lifetime,
            Position::new(file, place.start),
            name,
            region,
        );
        visit::visit_lifetime_param(self, parameter);
    }

    fn visit_pat(&mut self, pattern: &'p Pat) {
        if let Pat::Ident(variable) = pattern
            && !variable.ident.to_string().starts_with(char::is_uppercase)
        {
            self.local(Sort::Variable, &variable.ident);
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_field_value(&mut self, field: &'p syn::FieldValue) {
        self.member(&field.member, field.colon_token.is_none());
        visit::visit_field_value(self, field);
    }

    fn visit_field_pat(&mut self, field: &'p syn::FieldPat) {
        self.member(&field.member, field.colon_token.is_none());
        visit::visit_field_pat(self, field);
    }
}

impl DefinitionsWalk<'_, '_> {
    fn member(&mut self, member: &Member, is_shorthand: bool) {
        let Member::Named(name) = member else { return };
        if is_shorthand {
            self.found.shorthand.insert(name.to_string());
        } else {
            self.found.members.insert(self.file.position(name));
        }
    }
}
