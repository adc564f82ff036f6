//! Changes the paths to members that leave their impl: `S::f` becomes `f`.

use super::super::functions::{Family, Function};
use super::{Freeing, Tie};
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::HashMap;
use syn::{Expr, ExprCall, ExprPath, Fields, Ident, Item, PathSegment};

/// The paths of a program that are expressions, by the positions of their last names.
pub(in super::super) struct Paths<'p> {
    all: HashMap<Position, Mention<'p>>,
    /// The brackets that follow the names of structs without fields in expressions.
    brackets: HashMap<Position, &'static str>,
}

/// A path that mentions a function, and the call of it if it is called.
#[derive(Clone, Copy)]
pub(in super::super) struct Mention<'p> {
    pub(in super::super) at: At<'p>,
    pub(in super::super) path: &'p ExprPath,
    call: Option<&'p ExprCall>,
}

impl<'p> Paths<'p> {
    pub(in super::super) fn of(program: &'p Program) -> Self {
        let mut paths = Self {
            all: HashMap::new(),
            brackets: HashMap::new(),
        };
        visit::each_also_in_macros(program, |at, node| match node {
            Node::Expr(Expr::Call(call)) => {
                if let Expr::Path(path) = &*call.func {
                    paths.add(at, path, Some(call));
                }
            }
            Node::Expr(Expr::Path(path)) => paths.add(at, path, None),
            Node::Item(Item::Struct(one)) => {
                let empty = brackets(&one.fields);
                let empty = empty.map(|brackets| (at.position(&one.ident), brackets));
                paths.brackets.extend(empty);
            }
            _ => {}
        });
        paths
    }

    fn add(&mut self, at: At<'p>, path: &'p ExprPath, call: Option<&'p ExprCall>) {
        let mention = Mention { at, path, call };
        if let Some(name) = mention.name() {
            self.all.entry(at.position(name)).or_insert(mention);
        }
    }

    /// Returns the path whose last name stands at a position.
    pub(in super::super) fn get(&self, name: Position) -> Option<Mention<'p>> {
        self.all.get(&name).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Position, &Mention<'p>)> {
        self.all.iter()
    }
}

/// Returns the brackets that follow the name of a struct without fields in an expression.
fn brackets(fields: &Fields) -> Option<&'static str> {
    match fields {
        Fields::Unit => Some(""),
        Fields::Unnamed(fields) => fields.unnamed.is_empty().then_some("()"),
        Fields::Named(fields) => fields.named.is_empty().then_some("{}"),
    }
}

impl<'p> Mention<'p> {
    fn name(&self) -> Option<&'p Ident> {
        Some(&self.path.path.segments.last()?.ident)
    }

    /// Returns the segment before the path's last name, which names the type: `S::<u8>` of `S::<u8>::f`.
    pub(in super::super) fn owner(&self) -> Option<&'p PathSegment> {
        self.path.path.segments.iter().rev().nth(1)
    }

    /// Returns the place from the path's beginning to the end of its last name.
    fn head(&self) -> Option<Place> {
        let end = self.at.place(self.name()?).range.end;
        let Place { file, range } = self.at.place(self.path);
        Some(Place::new(file, range.start..end))
    }

    /// Returns the place from the path's beginning up to the first argument of its call, and the text that has to
    /// follow an argument that is put in front of that one.
    fn up_to_arguments(&self) -> (Place, &'static str) {
        match self.call.map(|call| (call, call.args.first())) {
            Some((call, Some(first))) => (self.at.up_to(call, first), ", "),
            Some((call, None)) => (self.at.place(call), ")"),
            None => (self.at.place(self.path), ")"),
        }
    }
}

/// Returns the positions that mention a function otherwise than in a method call, and the positions `more`.
pub(in super::super) fn mentions_by_path(family: &Family<'_>, more: &[Position]) -> Vec<Position> {
    let calls = family.calls.iter().filter(|call| call.receiver.is_none());
    let calls = calls.map(|call| call.at.position(call.name));
    let others = family.mentions.iter().chain(more).copied();
    calls.chain(others).collect()
}

impl<'p> Freeing<'_, 'p> {
    /// Adds the edits of all paths that name the functions which leave the impl.
    pub(super) fn mentions(&mut self) -> Option<()> {
        for family in self.families {
            for at in mentions_by_path(family, self.strays) {
                let mention = self.paths.get(at)?;
                self.by_path(family.first(), mention)?;
            }
        }
        Some(())
    }

    fn by_path(&mut self, function: &Function<'p>, mention: Mention<'p>) -> Option<()> {
        let name = function.name.to_string();
        let (place, text) = match self.tie {
            Tie::Needed => (mention.head()?, name),
            Tie::Generics | Tie::Predicate => {
                let arguments = self.turbofish(function, mention).unwrap_or_default();
                (mention.at.place(mention.path), name + &arguments)
            }
            Tie::Parameter => {
                let (place, end) = mention.up_to_arguments();
                let value = self.own_value(mention)?;
                (place, format!("{name}({value}{end}"))
            }
        };
        self.change.replace(&place, &text);
        Some(())
    }

    /// Returns a value of the type before a member's name, such as `S` for `S::f`, if the type is a struct without fields.
    fn own_value(&self, mention: Mention<'p>) -> Option<String> {
        let (owner, path) = (mention.owner()?, &mention.path.path);
        let is_plain = mention.path.qself.is_none() && path.leading_colon.is_none();
        let name = mention.at.position(&owner.ident);
        let definition = self.program.mentions().definition(name)?;
        let brackets = self.paths.brackets.get(&definition).filter(|_| is_plain)?;
        let ty = mention.at.between(path.segments.first()?, owner);
        Some(format!("{}{brackets}", self.program.text(&ty)))
    }
}
