//! Constants with their values, and the places where a constant may be mentioned.

use super::super::expressions::is_tight;
use super::super::paths::path_mentions;
use crate::passes::generics::{last_name, type_name};
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::HashMap;
use syn::{Expr, GenericArgument, ImplItem, Item, Pat, Path, TraitItem, Type};

/// A constant, a static or an associated constant.
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) whole: Place,
    pub(super) home: Home,
    pub(super) value: Option<Value>,
}

/// What a constant belongs to.
#[derive(Clone)]
pub(super) enum Home {
    Module,
    Trait,
    /// With the name of the type, if it has one, and the place of the impl.
    Impl(String, Place),
}

pub(super) struct Value {
    pub(super) place: Place,
    pub(super) shape: Shape,
}

/// What an expression may stand in without brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// In anything: a literal.
    Literal,
    /// In a generic argument and a pattern: `-1`.
    Negative,
    /// In any expression.
    Atom,
    Other,
}

/// A path that may name a constant.
pub(super) struct Spot {
    pub(super) place: Place,
    around: Around,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Expression,
    GenericArgument,
    Pattern,
}

#[derive(Default)]
pub(super) struct Spots {
    pub(super) constants: Vec<Constant>,
    /// By where the last name of the path stands.
    pub(super) found: HashMap<Position, Spot>,
}

impl Spots {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut found = Self::default();
        for path in path_mentions(program) {
            let Some(last) = path.segments.last() else {
                continue;
            };
            let place = (path.file, path.range.clone());
            found.add((path.file, last.at), place, Around::Expression);
        }
        visit::each(program, |at, node| match node {
            Node::Expr(expression @ Expr::Path(one)) => {
                found.spot(at, &one.path, at.place(expression), Around::Expression);
            }
            Node::GenericArgument(argument) => {
                let path = match argument {
                    GenericArgument::Type(Type::Path(path)) => &path.path,
                    GenericArgument::Const(Expr::Path(path)) => &path.path,
                    _ => return,
                };
                found.spot(at, path, at.place(argument), Around::GenericArgument);
            }
            Node::Pat(pattern) => {
                let place = at.place(pattern);
                match pattern {
                    Pat::Path(path) => found.spot(at, &path.path, place, Around::Pattern),
                    Pat::Ident(name) if name.subpat.is_none() => {
                        found.add(at.position(&name.ident), place, Around::Pattern);
                    }
                    _ => {}
                }
            }
            _ => found.constants.extend(constant(at, node)),
        });
        found
    }

    fn add(&mut self, name: Position, place: Place, around: Around) {
        self.found.insert(name, Spot { place, around });
    }

    fn spot(&mut self, at: At<'_>, path: &Path, place: Place, around: Around) {
        if let Some(last) = last_name(path) {
            let name = at.position(last);
            // What stands around a generic argument or a pattern says more.
            if around != Around::Expression || !self.found.contains_key(&name) {
                self.add(name, place, around);
            }
        }
    }
}

/// A value with the brackets that it needs; `None` if it cannot stand there.
pub(super) fn in_brackets(
    value: &Value,
    text: &str,
    spot: Option<&Spot>,
    is_alone: bool,
) -> Option<String> {
    let around = spot.map_or(Around::Expression, |spot| spot.around);
    let is_simple = matches!(value.shape, Shape::Literal | Shape::Negative);
    match around {
        Around::Pattern => is_simple.then(|| text.to_owned()),
        Around::GenericArgument if is_simple => Some(text.to_owned()),
        Around::GenericArgument if text.starts_with('{') => Some(text.to_owned()),
        Around::GenericArgument => Some(format!("{{ {text} }}")),
        Around::Expression if is_alone => Some(text.to_owned()),
        Around::Expression => match value.shape {
            Shape::Literal | Shape::Atom => Some(text.to_owned()),
            Shape::Negative | Shape::Other => Some(format!("({text})")),
        },
    }
}

/// The constant that an item is.
fn constant(at: At<'_>, node: Node<'_>) -> Option<Constant> {
    let (name, whole, value) = match node {
        Node::Item(Item::Const(one)) => (&one.ident, at.place(one), Some(&*one.expr)),
        Node::Item(Item::Static(one)) => (&one.ident, at.place(one), Some(&*one.expr)),
        Node::ImplItem(ImplItem::Const(one)) => (&one.ident, at.place(one), Some(&one.expr)),
        Node::TraitItem(TraitItem::Const(one)) => {
            let value = one.default.as_ref().map(|(_, value)| value);
            (&one.ident, at.place(one), value)
        }
        _ => return None,
    };
    let home = match at.home {
        visit::Home::Nothing => Home::Module,
        visit::Home::Trait(_) => Home::Trait,
        visit::Home::Impl(block) => {
            let name = type_name(&block.self_ty).map(ToString::to_string);
            Home::Impl(name.unwrap_or_default(), at.place(block))
        }
    };
    let value = value.map(|expression| Value {
        place: at.place(expression),
        shape: shape(expression),
    });
    (name != "_").then(|| Constant {
        name: name.to_string(),
        position: at.position(name),
        whole,
        home,
        value,
    })
}

fn shape(expression: &Expr) -> Shape {
    match expression {
        Expr::Lit(_) => Shape::Literal,
        Expr::Unary(unary) if matches!(*unary.expr, Expr::Lit(_)) => Shape::Negative,
        _ if is_tight(expression) => Shape::Atom,
        _ => Shape::Other,
    }
}
