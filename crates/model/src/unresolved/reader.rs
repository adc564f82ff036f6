//! Reads the names that a file defines and mentions, and resolves the mentions by scope.
//!
//! The direction to err in is always the same. A word that is not certainly a mention counts as a
//! definition, and every definition counts wherever it may be visible, whatever stands before it.

mod visit;

use super::attributes::{is_macro_use, is_test, leaves_alone};
use super::file::{
    Call, Callee, Definition, DefinitionKind, FileNames, Interner, Mention, MentionKind, Name,
    Place,
};
use crate::std_names::takes_expressions;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Expr, Fields, Item, Path, Token, UseTree};

/// Reads the names of a file. What stands at `#[test]` may not be compiled, unless it is said that
/// it is.
pub(super) fn read(file: &syn::File, compiles_tests: bool) -> FileNames {
    let mut reader = NamesByScope::new(compiles_tests);
    reader.visit_file(file);
    reader.finish()
}

/// The words that may begin a path and are no names.
const ROOTS: [&str; 3] = ["crate", "self", "super"];
/// The crates of the standard library, whose macros are those that they seem to be.
const STANDARD: [&str; 3] = ["alloc", "core", "std"];

/// The attribute of a test function, whose name a macro may have.
const TEST: &str = "test";

/// The extent in which the items of a scope are visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Extent {
    /// The scope of a module: its items are visible in it by their names, and by paths from
    /// everywhere.
    Module,
    /// The scope of a block: its items are visible in it, and nowhere else.
    Block,
    /// A scope that has variables and parameters only.
    #[default]
    Part,
}

#[derive(Default)]
struct Scope {
    /// The index at which the scope's mentions begin.
    first_mention: usize,
    defined: HashSet<Name>,
    extent: Extent,
    /// Whether the scope may not be compiled, or not as it is.
    is_configured: bool,
    /// Whether a `*` may define any name in the scope.
    has_glob: bool,
}

/// The names that a file mentions and defines, as far as it was read.
struct NamesByScope {
    names: Interner,
    roots: [Name; 3],
    standard: [Name; 3],
    file: FileNames,
    scopes: Vec<Scope>,
    /// The mentions of all open scopes, those of the innermost last.
    mentions: Vec<Mention>,
    /// The number of segments of the next path that name the trait of a qualified type.
    qualified: Option<usize>,
    compiles_tests: bool,
}

impl NamesByScope {
    fn new(compiles_tests: bool) -> Self {
        let mut names = Interner::default();
        Self {
            roots: ROOTS.map(|root| names.name(&root)),
            standard: STANDARD.map(|name| names.name(&name)),
            names,
            file: FileNames::default(),
            scopes: vec![Scope {
                extent: Extent::Module,
                ..Scope::default()
            }],
            mentions: Vec::new(),
            qualified: None,
            compiles_tests,
        }
    }

    fn finish(mut self) -> FileNames {
        let scope = self.scopes.pop().expect("the file's own scope is left");
        self.file.has_glob_on_top = scope.has_glob;
        self.close(&scope);
        self.mentions.sort_unstable();
        self.mentions.dedup();
        self.file.mentions = self.mentions;
        self.names.finish(&mut self.file);
        self.file
    }

    fn scoped(&mut self, extent: Extent, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope {
            first_mention: self.mentions.len(),
            extent,
            ..Scope::default()
        });
        visit(self);
        let scope = self.scopes.pop().expect("it was put there above");
        self.close(&scope);
    }

    /// Resolves the mentions of a scope that ends to what it defines, and leaves the rest to the
    /// scope around it.
    fn close(&mut self, scope: &Scope) {
        let mut kept = scope.first_mention;
        for idx in scope.first_mention..self.mentions.len() {
            let mention = &mut self.mentions[idx];
            mention.is_uncertain |= scope.is_configured;
            if resolve(mention, scope, &self.roots) {
                let may_be_crate = mention.path.len() > 1 || mention.kind == MentionKind::Import;
                let shadowed = mention.path.first().filter(|_| may_be_crate);
                self.file.shadowed.extend(shadowed);
            } else {
                self.mentions.swap(kept, idx);
                kept += 1;
            }
        }
        self.mentions.truncate(kept);
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("the file's own scope is left")
    }

    fn has_block(&self) -> bool {
        self.scopes
            .iter()
            .any(|scope| scope.extent == Extent::Block)
    }

    /// Returns the module and the blocks whose items are visible at the place that is being read.
    fn item_scopes(&mut self) -> impl Iterator<Item = &mut Scope> {
        let innermost = self
            .scopes
            .iter()
            .rposition(|scope| scope.extent != Extent::Part);
        let scopes = self.scopes.iter_mut().enumerate();
        let is_seen = move |(idx, scope): &(usize, &mut Scope)| {
            scope.extent == Extent::Block || Some(*idx) == innermost
        };
        scopes.filter(is_seen).map(|(_, scope)| scope)
    }

    fn mention(&mut self, path: Vec<Name>, kind: MentionKind) {
        self.mentions.push(Mention {
            path,
            kind,
            place: Place::Unknown,
            is_uncertain: false,
        });
    }

    /// Defines a name in the innermost scope.
    fn define(&mut self, name: &impl ToString) {
        let name = self.names.name(name);
        self.scope().defined.insert(name);
    }

    /// Defines a name in the innermost block or module. Where a module stands in a block, the block
    /// counts too.
    fn define_item(&mut self, name: Name, kind: DefinitionKind) {
        for scope in self.item_scopes() {
            scope.defined.insert(name);
        }
        if !self.has_block() {
            self.file.definitions.push(Definition { name, kind });
        }
    }

    fn define_other(&mut self, ident: &Ident) {
        let name = self.names.name(ident);
        self.define_item(name, DefinitionKind::Other);
    }

    /// Defines the words in some tokens, whatever they may stand for.
    fn define_words(&mut self, tokens: &TokenStream, is_everywhere: bool) {
        let mut is_macro = false;
        for token in tokens.clone() {
            match token {
                TokenTree::Group(group) => self.define_words(&group.stream(), is_everywhere),
                TokenTree::Ident(word) => {
                    self.define_word(&word, is_everywhere);
                    if is_macro {
                        self.own_macro(&word);
                    }
                    is_macro = word == "macro_rules" || word == "macro";
                    self.file.includes_by_macro |= word == "mod" || word == "include";
                }
                TokenTree::Punct(punct) => {
                    self.file.generates_macros |= is_macro && punct.as_char() == '$';
                }
                TokenTree::Literal(_) => {}
            }
        }
    }

    fn own_macro(&mut self, name: &Ident) {
        if takes_expressions(&name.to_string()) || name == TEST {
            let name = self.names.name(name);
            self.file.own_macros.insert(name);
        }
    }

    /// Notes the first name of a path that begins with `::`.
    fn outside(&mut self, first: &Ident) {
        let name = self.names.name(first);
        self.file.outside.insert(name);
    }

    fn define_word(&mut self, word: &Ident, is_everywhere: bool) {
        let (name, kind) = (self.names.name(word), DefinitionKind::Everywhere);
        self.file.arguments.unknown.insert(name);
        if is_everywhere {
            let definitions = &mut self.file.definitions;
            definitions.push(Definition { name, kind });
        } else {
            self.define_item(name, kind);
        }
    }

    /// Reads an attribute in the scope of the item at which it stands.
    fn attribute(&mut self, attribute: &Attribute) {
        if leaves_alone(attribute) {
            return;
        }
        if self.compiles_tests && is_test(attribute) {
            // A macro of this name would do something else.
            let name = self.names.name(&TEST);
            self.file.read_macros.insert(name);
            return;
        }
        self.scope().is_configured = true;
        if let Ok(list) = attribute.meta.require_list() {
            self.define_words(&list.tokens, true);
        }
    }

    /// Notes the number of fields of a struct or a variant whose fields have no names.
    fn fields(&mut self, ident: &Ident, fields: &Fields) {
        if let Fields::Unnamed(fields) = fields {
            self.takes(ident, fields.unnamed.len());
        }
    }

    /// Notes the number of arguments that a function, a tuple struct or a variant takes.
    fn takes(&mut self, ident: &Ident, n_arguments: usize) {
        let name = self.names.name(ident);
        self.file.arguments.takes.push((name, n_arguments));
    }

    /// Notes a name whose value may be called.
    fn value(&mut self, ident: &Ident) {
        let name = self.names.name(ident);
        self.file.arguments.unknown.insert(name);
    }

    fn call(&mut self, path: &Path, n_arguments: usize) {
        let mut names = path.segments.iter().rev().map(|part| &part.ident);
        let Some(last) = names.next().filter(|&last| last != "Self") else {
            return;
        };
        let before = names.next().map(|name| self.names.name(name));
        let name = self.names.name(last);
        let callee = before.map_or(Callee::Function(name), |before| {
            Callee::Qualified(before, name)
        });
        self.file.arguments.calls.push(Call {
            callee,
            n_arguments,
        });
    }

    fn method_call(&mut self, method: &Ident, n_arguments: usize) {
        let callee = Callee::Method(self.names.name(method));
        self.file.arguments.calls.push(Call {
            callee,
            n_arguments,
        });
    }

    fn item(&mut self, item: &Item) {
        let (ident, kind) = match item {
            Item::Const(item) => (&item.ident, DefinitionKind::Value),
            Item::Enum(item) => (&item.ident, DefinitionKind::Enum),
            Item::Fn(item) => (&item.sig.ident, DefinitionKind::Value),
            Item::Mod(item) => (&item.ident, DefinitionKind::Module),
            Item::Static(item) => (&item.ident, DefinitionKind::Value),
            Item::Struct(item) => (&item.ident, DefinitionKind::Other),
            Item::Trait(item) => (&item.ident, DefinitionKind::Other),
            Item::TraitAlias(item) => (&item.ident, DefinitionKind::Other),
            Item::Type(item) => (&item.ident, DefinitionKind::Other),
            Item::Union(item) => (&item.ident, DefinitionKind::Other),
            _ => return,
        };
        let name = self.names.name(ident);
        self.define_item(name, kind);
        match item {
            Item::Const(_) | Item::Static(_) => self.value(ident),
            Item::Struct(item) => self.fields(ident, &item.fields),
            _ => {}
        }
    }

    fn use_tree(&mut self, tree: &UseTree, path: &mut Vec<Name>) {
        match tree {
            UseTree::Path(part) => {
                path.push(self.names.name(&part.ident));
                self.use_tree(&part.tree, path);
                path.pop();
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                trees.for_each(|tree| self.use_tree(tree, path));
            }
            UseTree::Name(leaf) => self.import(&leaf.ident, None, path),
            UseTree::Rename(leaf) => self.import(&leaf.ident, Some(&leaf.rename), path),
            UseTree::Glob(_) => self.glob(path.clone()),
        }
    }

    fn import(&mut self, leaf: &Ident, rename: Option<&Ident>, prefix: &[Name]) {
        let mut path = prefix.to_vec();
        if leaf != "self" || path.is_empty() {
            path.push(self.names.name(leaf));
        }
        let Some(&last) = path.last() else { return };
        let is_std = path[0] != last && self.standard.contains(&path[0]);
        if !is_std {
            self.own_macro(rename.unwrap_or(leaf));
        }
        match rename {
            Some(rename) => {
                let name = self.names.name(rename);
                self.file.arguments.unknown.insert(name);
                self.define_item(name, DefinitionKind::Other);
            }
            None => self.define_item(last, DefinitionKind::Import(path.clone())),
        }
        self.mention(path, MentionKind::Import);
    }

    fn glob(&mut self, path: Vec<Name>) {
        for scope in self.item_scopes() {
            scope.has_glob = true;
        }
        if !self.has_block() {
            self.file.globs.push(path.clone());
        }
        if !path.is_empty() {
            self.mention(path, MentionKind::Import);
        }
    }

    /// Reads the arguments of a macro of the standard library, if they are expressions.
    fn expressions(&mut self, path: &Path, tokens: &TokenStream) -> Option<Vec<Expr>> {
        let name = path
            .get_ident()
            .filter(|name| takes_expressions(&name.to_string()))?;
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let expressions = parser.parse2(tokens.clone()).ok()?;
        let name = self.names.name(name);
        self.file.read_macros.insert(name);
        Some(expressions.into_iter().collect())
    }
}

/// Returns the first name of a path that is none of `crate`, `self` and `super`; but a lone `self`
/// is one.
fn first_name(path: &[Name], roots: &[Name; 3]) -> Option<Name> {
    let own = path.iter().find(|name| !roots.contains(name));
    own.or(path.first()).copied()
}

/// Returns whether a scope that ends resolves a mention for good. A module only decides whether the
/// name is visible: what it leads to is another matter.
fn resolve(mention: &mut Mention, scope: &Scope, roots: &[Name; 3]) -> bool {
    let name = first_name(&mention.path, roots);
    let is_defined = name.is_some_and(|name| scope.defined.contains(&name));
    if is_defined && scope.extent != Extent::Module {
        return true;
    }
    let is_rooted = mention
        .path
        .first()
        .is_some_and(|first| roots.contains(first));
    let place = match scope.extent {
        Extent::Module if is_defined || is_rooted => Place::Defined,
        _ if scope.has_glob => Place::Glob,
        Extent::Module => Place::Outside,
        Extent::Block | Extent::Part => return false,
    };
    if mention.place == Place::Unknown {
        mention.place = place;
        mention.is_uncertain |= scope.extent == Extent::Block;
    }
    false
}
