//! Lists the definitions of a crate, in the order of its text, and the names that must not be changed.

use super::Region;
use crate::program::Program;
use crate::visit::{self, At, Home, Node};
use reduce_model::{DefKind, Definition, Model, Position, Resolution};
use reduce_syntax::{ItemParts, TokenCursor};
use std::collections::HashSet;
use syn::{Attribute, Expr, ForeignItem, Ident, Item, ItemImpl, Member, Pat};

/// A definition whose name may be changed.
pub(super) struct NamedDefinition<'p> {
    pub(super) names: UsualNames,
    pub(super) name: &'p str,
    /// The place in which the name is known; `None` if that is the whole crate.
    pub(super) region: Option<Region>,
}

/// The names that people usually give to one kind of definition, the most usual first, and the prefix of numbered names after
/// these.
#[derive(Clone, Copy)]
pub(super) struct UsualNames(&'static [&'static str], &'static str);

impl UsualNames {
    /// Returns the usual names for a definition; `None` if it cannot be renamed.
    fn of(model: &Model, definition: &Definition) -> Option<Self> {
        Some(match definition.kind {
            DefKind::TypeAlias if is_member(model, definition) => Self(&["Assoc"], "Assoc"),
            DefKind::Struct
            | DefKind::TupleStruct
            | DefKind::Union
            | DefKind::Enum
            | DefKind::TypeAlias => Self(&["Foo", "Bar", "Baz", "A", "B", "D", "E", "F", "G"], "S"),
            DefKind::Trait => Self(&["Trait"], "Trait"),
            DefKind::Function => Self(&["foo", "bar", "baz", "f", "g", "h"], "f"),
            DefKind::TypeParameter => Self(&["T", "U", "V", "W", "X", "Y", "Z"], "T"),
            DefKind::ConstParameter => Self(&["N", "M", "K", "L", "O", "P"], "N"),
            DefKind::Lifetime => Self(&["'a", "'b", "'c", "'d", "'e", "'f"], "'a"),
            DefKind::Variable => Self(&["x", "y", "z", "a", "b", "c", "d", "e"], "x"),
            DefKind::Field => Self(&["a", "b", "c", "d", "e", "f"], "a"),
            DefKind::Variant => Self(&["A", "B", "C", "D", "E", "F"], "V"),
            DefKind::Module | DefKind::Macro => Self(&["m", "n", "o", "p"], "m"),
            DefKind::Const | DefKind::Static => Self(&["C", "D", "E", "F", "G"], "C"),
            DefKind::ExternCrate | DefKind::Impl | DefKind::Label => return None,
        })
    }

    pub(super) fn all(self) -> impl Iterator<Item = String> {
        let Self(first, prefix) = self;
        let first = first.iter().map(|&name| name.to_owned());
        first.chain((2_u32..100).map(move |n| format!("{prefix}{n}")))
    }
}

/// Returns all definitions that may be renamed, in the order of the text.
pub(super) fn definitions(model: &Model) -> Vec<NamedDefinition<'_>> {
    let mut all: Vec<_> = model.definitions().collect();
    all.sort_by_key(|(_, one)| one.name);
    // A definition in the body of a macro is nowhere as a whole, and nobody knows its kind.
    all.retain(|(_, one)| !one.whole.range.is_empty());
    let named = all.into_iter().filter_map(|(def, definition)| {
        let (name, names) = (model.name(def)?, UsualNames::of(model, definition)?);
        let region = match definition.kind.is_local() {
            true => Some(region(model, definition)?),
            false => None,
        };
        let is_variable = definition.kind == DefKind::Variable;
        let is_constant = is_variable && name.starts_with(char::is_uppercase);
        let found = NamedDefinition {
            name,
            names,
            region,
        };
        (!is_constant && name != "_").then_some(found)
    });
    named.collect()
}

/// Returns the place in which a parameter or a variable is known: the member around it, else the outermost item.
fn region(model: &Model, definition: &Definition) -> Option<Region> {
    let around = std::iter::successors(definition.parent, |def| model.definition(*def).parent);
    let around = around.map(|def| model.definition(def));
    let around: Vec<_> = around.filter(|one| one.kind != DefKind::Module).collect();
    let is_method = |one: &&&Definition| one.kind == DefKind::Function && is_member(model, one);
    let found = around.iter().find(is_method).or(around.last())?;
    Some(found.whole.clone())
}

/// Whether a definition is a member of a trait or an impl.
fn is_member(model: &Model, definition: &Definition) -> bool {
    let parent = definition.parent.map(|one| model.definition(one).kind);
    matches!(parent, Some(DefKind::Trait | DefKind::Impl))
}

/// The names of a crate that must not be changed, or only with care.
#[derive(Default)]
pub(super) struct KeptNames {
    /// The names that are defined or looked up outside of the crate.
    pub(super) kept: HashSet<String>,
    /// The positions of fields' names in expressions and patterns.
    pub(super) members: HashSet<Position>,
    /// The fields that are written as `S { name }`, with the name of a variable.
    pub(super) shorthand: HashSet<String>,
}

impl KeptNames {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = Self::default();
        for file in program.files() {
            found.external_words(program.sources().text(file.id));
        }
        visit::each(program, |at, node| found.read(program.model(), at, node));
        found
    }

    fn read(&mut self, model: &Model, at: At<'_>, node: Node<'_>) {
        match node {
            Node::Item(item) => {
                if let Item::Enum(one) = item {
                    let variants = one.variants.iter();
                    variants.for_each(|one| self.keep_if_known(&one.attrs, &one.ident, false));
                }
                let is_file = matches!(item, Item::Mod(one) if one.content.is_none());
                self.parts(ItemParts::of(item), is_file);
            }
            Node::ImplItem(item) => {
                let is_foreign =
                    matches!(at.home, Home::Impl(block) if is_foreign(model, at, block));
                self.parts(ItemParts::of_impl_item(item), is_foreign);
            }
            Node::TraitItem(item) => self.parts(ItemParts::of_trait_item(item), false),
            Node::ForeignItem(ForeignItem::Fn(one)) => self.keep(&one.sig.ident),
            Node::ForeignItem(ForeignItem::Static(one)) => self.keep(&one.ident),
            Node::ForeignItem(ForeignItem::Type(one)) => self.keep(&one.ident),
            Node::Expr(Expr::Struct(one)) => {
                let fields = one.fields.iter();
                fields.for_each(|one| self.member(at, &one.member, one.colon_token.is_none()));
            }
            Node::Pat(Pat::Struct(one)) => {
                let fields = one.fields.iter();
                fields.for_each(|one| self.member(at, &one.member, one.colon_token.is_none()));
            }
            _ => {}
        }
    }

    fn parts(&mut self, parts: Option<ItemParts<'_>>, is_kept: bool) {
        if let Some(ItemParts {
            attributes,
            name: Some(name),
            ..
        }) = parts
        {
            self.keep_if_known(attributes, name, is_kept || name == "main");
        }
    }

    fn keep(&mut self, name: &Ident) {
        self.kept.insert(name.to_string());
    }

    /// Keeps a name that an attribute makes known outside of the crate, or for which `is_kept` is true.
    fn keep_if_known(&mut self, attributes: &[Attribute], name: &Ident, is_kept: bool) {
        let is_harmless = |one: &Attribute| HARMLESS.iter().any(|name| one.path().is_ident(name));
        if is_kept || !attributes.iter().all(is_harmless) {
            self.keep(name);
        }
    }

    fn member(&mut self, at: At<'_>, member: &Member, is_shorthand: bool) {
        let Member::Named(name) = member else { return };
        if is_shorthand {
            self.shorthand.insert(name.to_string());
        } else {
            self.members.insert(at.position(name));
        }
    }

    /// Keeps the names in imports and in paths from the standard library.
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

/// Whether an impl is one of a trait of another crate.
fn is_foreign(model: &Model, at: At<'_>, block: &ItemImpl) -> bool {
    let path = block.trait_.as_ref().map(|(path, _)| path);
    let last = path.and_then(|path| path.segments.last());
    last.is_some_and(|last| {
        let meant = model.resolve_at(at.position(&last.ident));
        matches!(meant, Resolution::Outside | Resolution::Unknown)
    })
}

/// Attributes that do not make a name known outside of the crate.
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
