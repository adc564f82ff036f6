//! Finds what a program names of the standard library, and where: by imports, by paths from the
//! library's root or from an imported module, or by the prelude.

use super::super::paths::{Import, ImportKind, imports};
use super::arguments::Arguments;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node};
use reduce_model::{DefKind, Definition, Model, Position};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use syn::{
    Expr, ExprMethodCall, Item, ItemImpl, Pat, Path, PathSegment, Stmt, Type, TypeParamBound,
};

/// The items of the standard library that a program names, and the methods that it calls.
#[derive(Default)]
pub(super) struct StdUses<'p> {
    /// The types and traits of the library by their paths, such as `vec::Vec`.
    pub(super) items: BTreeMap<String, StdUse<'p>>,
    /// The paths of functions, constants and modules of the standard library that the program names.
    pub(super) others: BTreeSet<String>,
    /// The names that mean something of the crate, and not of the standard library.
    pub(super) taken: BTreeSet<String>,
    /// The first call of each method, by the method's name.
    pub(super) calls: BTreeMap<String, MethodCall>,
    /// The names of functions of the program that have a receiver.
    pub(super) methods: BTreeSet<String>,
    roles: HashMap<Position, Role<'p>>,
}

/// The mentions of a type or trait of the standard library.
#[derive(Default)]
pub(super) struct StdUse<'p> {
    /// The item's path from the library's root.
    pub(super) path: String,
    pub(super) mentions: Vec<Mention<'p>>,
    pub(super) imports: Vec<Imported>,
}

/// A mention of a type or trait of the standard library outside of imports.
pub(super) struct Mention<'p> {
    pub(super) via: Via,
    pub(super) arguments: Arguments,
    pub(super) role: Role<'p>,
    /// The segments of the path after the item's name: a variant, a function.
    pub(super) rest: Vec<String>,
}

pub(super) enum Via {
    /// The mention is a path at this place, which has to be rewritten.
    Path(Place),
    /// The mention is a path that begins with an imported name, and follows a change of the import.
    Import,
    /// The mention is a variant of the prelude, such as `Some`, which begins at this position.
    Variant(Position),
}

/// The role of a name in the syntax around it: a trait, a call with so many arguments, ..
#[derive(Clone, Copy)]
pub(super) enum Role<'p> {
    Plain,
    /// The name of a trait in a bound, or in `<T as Trait>`.
    Trait,
    /// The name of the trait that an impl implements.
    Impl(SyntaxFile<'p>, &'p ItemImpl),
    /// The name of a function that is called with this number of arguments.
    Call(usize),
    /// The name of a method whose call is a statement, so that nothing uses its value.
    Statement,
}

/// The first call of a method with some name, which stands for all calls with that name.
pub(super) struct MethodCall {
    pub(super) n_args: usize,
    /// Whether all calls of methods with this name are statements, whose value nothing uses.
    pub(super) is_statement: bool,
}

/// An import of an item, or of something in it.
pub(super) struct Imported {
    pub(super) import: Import,
    pub(super) rest: Vec<String>,
}

impl<'p> StdUses<'p> {
    /// Finds all that a program names of the standard library.
    pub(super) fn of(program: &'p Program) -> Self {
        let model = program.model();
        let mut found = Self::default();
        let names = model.definitions().filter(|(_, one)| is_item(model, one));
        let names = names.filter_map(|(def, _)| model.name(def));
        found.taken.extend(names.map(str::to_owned));
        for import in imports(program) {
            found.import(program, import);
        }
        visit::each(program, |at, node| found.read(model, at, node));
        found
    }

    fn read(&mut self, model: &Model, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(Item::Impl(block)) => {
                let path = block.trait_.as_ref().map(|(path, _)| path);
                self.note_path(at, path, Role::Impl(at.file, block));
            }
            Node::Bound(TypeParamBound::Trait(bound)) => {
                self.note_path(at, Some(&bound.path), Role::Trait);
            }
            Node::Type(Type::Path(ty)) if ty.qself.is_some() => {
                self.note_path(at, Some(&ty.path), Role::Trait);
            }
            Node::Expr(Expr::Path(path)) if path.qself.is_some() => {
                self.note_path(at, Some(&path.path), Role::Trait);
            }
            Node::Expr(Expr::Call(call)) => {
                if let Expr::Path(path) = &*call.func {
                    self.note_path(at, Some(&path.path), Role::Call(call.args.len()));
                }
            }
            Node::Expr(Expr::MethodCall(call)) => self.method(at, call),
            Node::Stmt(Stmt::Expr(Expr::MethodCall(call), Some(_))) => {
                self.roles
                    .insert(at.position(&call.method), Role::Statement);
            }
            Node::Signature(signature) if signature.receiver().is_some() => {
                self.methods.insert(signature.ident.to_string());
            }
            Node::Pat(Pat::Ident(name)) if name.subpat.is_none() => {
                let start = at.position(&name.ident);
                self.path(model, at, (start, start), &[]);
            }
            Node::Path(path) => {
                let segments: Vec<&PathSegment> = path.segments.iter().collect();
                if let Some(first) = segments.first() {
                    let starts = (at.place(path).start(), at.position(&first.ident));
                    self.path(model, at, starts, &segments);
                }
            }
            _ => {}
        }
    }

    /// Notes the role of a path before the path is read.
    fn note_path(&mut self, at: At<'p>, path: Option<&Path>, role: Role<'p>) {
        let first = path.and_then(|path| path.segments.first());
        let position = first.map(|first| at.position(&first.ident));
        self.roles.extend(position.map(|position| (position, role)));
    }

    fn method(&mut self, at: At<'p>, call: &ExprMethodCall) {
        let role = self.roles.get(&at.position(&call.method));
        let is_statement = matches!(role, Some(Role::Statement));
        let name = call.method.to_string();
        let known = self.calls.entry(name).or_insert(MethodCall {
            n_args: call.args.len(),
            is_statement,
        });
        known.is_statement &= is_statement;
    }

    /// Reads a path that begins at a place, at which a `::` may stand before its first name.
    fn path(
        &mut self,
        model: &Model,
        at: At<'p>,
        (start, first): (Position, Position),
        segments: &[&PathSegment],
    ) {
        let word = model.word_at(first);
        let path = word.and_then(|word| model.path_outside(word));
        let Some(path) = path.filter(|path| is_root(path.names[0])) else {
            return;
        };
        let Some(nth) = nth_item(&path.names) else {
            return self.other(&path.names);
        };
        let own = nth.checked_sub(path.n_before);
        let own = own.and_then(|idx| segments.get(idx));
        let via = match own {
            _ if path.is_imported && nth <= path.n_before => Via::Import,
            Some(own) => Via::Path(Place::new(
                start.file,
                start.at..at.place(&own.ident).range.end,
            )),
            None => Via::Variant(start),
        };
        let (item, rest) = split(&path.names, nth);
        let role = self.roles.get(&first).copied();
        let role = role.filter(|role| rest.is_empty() || matches!(role, Role::Call(_)));
        self.item(item).mentions.push(Mention {
            via,
            arguments: own.map_or_else(Arguments::default, |own| Arguments::of(own)),
            role: role.unwrap_or(Role::Plain),
            rest,
        });
    }

    fn item(&mut self, path: String) -> &mut StdUse<'p> {
        let item = self.items.entry(path.clone()).or_default();
        item.path = path;
        item
    }

    /// Notes the path of something that is neither a type nor a trait: a function, a constant, a module. A module of
    /// the root is named by what is taken from it.
    fn other(&mut self, path: &[impl AsRef<str>]) {
        if path.len() > 2 {
            let names: Vec<&str> = path[1..].iter().map(AsRef::as_ref).collect();
            self.others.insert(names.join("::"));
        }
    }

    fn import(&mut self, program: &Program, import: Import) {
        let renamed = import.renamed(program).map(|place| program.text(&place));
        let name = renamed.or(import.path.last().map(String::as_str));
        let is_glob = import.kind == ImportKind::Glob;
        let name = name.filter(|name| !is_glob && *name != "_");
        let name = name.map(str::to_owned);
        let model = program.model();
        let word = model.word_at(import.name);
        let is_outside = word.is_some_and(|word| model.path_outside(word).is_some());
        let is_of_std = is_outside && import.path.first().is_some_and(|root| is_root(root));
        match nth_item(&import.path).filter(|_| is_of_std) {
            Some(nth) => {
                let (item, mut rest) = split(&import.path, nth);
                if renamed.is_some() || !rest.is_empty() {
                    self.taken.extend(name);
                }
                rest.extend(is_glob.then(|| "*".to_owned()));
                self.item(item).imports.push(Imported { import, rest });
            }
            None => {
                if is_of_std && !is_glob {
                    self.other(&import.path);
                }
                self.taken.extend(name);
            }
        }
    }
}

impl StdUse<'_> {
    /// Returns the last name of the item's path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }
}

/// Whether a definition is an item or a generic parameter.
fn is_item(model: &Model, definition: &Definition) -> bool {
    let parent = definition.parent.map(|one| model.definition(one).kind);
    match definition.kind {
        DefKind::Field | DefKind::Variant | DefKind::Variable | DefKind::Label => false,
        DefKind::TypeAlias => !matches!(parent, Some(DefKind::Trait | DefKind::Impl)),
        kind => kind != DefKind::Macro,
    }
}

/// Whether a crate of this name is a part of the standard library.
pub(super) fn is_root(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

/// Returns the index of the first name in a path that is one of a type or trait.
fn nth_item(path: &[impl AsRef<str>]) -> Option<usize> {
    path.iter().position(|name| is_type_name(name.as_ref()))
}

fn is_type_name(name: &str) -> bool {
    let is_upper = name.starts_with(|one: char| one.is_ascii_uppercase());
    is_upper && (name.len() == 1 || name.contains(|one: char| one.is_ascii_lowercase()))
}

/// Splits a path into the item's path from the library's root, and what follows.
fn split(path: &[impl AsRef<str>], nth: usize) -> (String, Vec<String>) {
    let names: Vec<String> = path.iter().map(|one| one.as_ref().to_owned()).collect();
    (names[1..=nth].join("::"), names[nth + 1..].to_vec())
}
