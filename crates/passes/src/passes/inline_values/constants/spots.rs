//! Finds constants with their values, and the places where a constant may be mentioned.

use super::super::super::paths::path_mentions;
use crate::passes::expressions::literals::is_literal;
use crate::passes::generics::{last_name, type_name};
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::HashMap;
use syn::{Expr, ImplItem, Item, Pat, Path, TraitItem, Type};

/// A constant, a static or an associated constant.
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) whole: Place,
    pub(super) home: Home,
    pub(super) value: Option<Value>,
}

/// The owner of a constant: a module, a trait or an impl.
#[derive(Clone)]
pub(super) enum Home {
    Module,
    Trait,
    /// An impl at this place, with the name of its type (empty if it has none).
    Impl(String, Place),
}

pub(super) struct Value {
    pub(super) place: Place,
    /// Whether the constant's value may stand in a pattern, as `1` and `-1` may.
    pub(super) is_pattern: bool,
}

/// A path that may name a constant.
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) stands: Stands,
}

/// The kind of syntax that the path of a constant stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// The path is an expression.
    Value,
    /// The path is a pattern.
    Pattern,
    /// The path is a generic argument, which syn takes for a type, or the default of a parameter.
    Argument,
}

#[derive(Default)]
pub(super) struct Spots {
    pub(super) constants: Vec<Constant>,
    /// The paths that may name a constant, by the positions of their last names.
    pub(super) found: HashMap<Position, Spot>,
}

impl Spots {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = Self::default();
        for path in path_mentions(program) {
            if let Some(last) = path.segments.last() {
                let place = Place::new(path.file, path.range.clone());
                found.add(Position::new(path.file, last.at), place, Stands::Value);
            }
        }
        visit::each(program, |at, node| match node {
            Node::Expr(Expr::Path(one)) => {
                let place = at.place(one);
                let stands = match is_default(program, &place) {
                    true => Stands::Argument,
                    false => Stands::Value,
                };
                found.spot(at, &one.path, place, stands);
            }
            Node::Type(Type::Path(one)) => {
                found.spot(at, &one.path, at.place(one), Stands::Argument);
            }
            Node::Pat(Pat::Path(one)) => {
                found.spot(at, &one.path, at.place(one), Stands::Pattern);
            }
            Node::Pat(pattern @ Pat::Ident(name)) if name.subpat.is_none() => {
                found.add(at.position(&name.ident), at.place(pattern), Stands::Pattern);
            }
            _ => found.constants.extend(constant(at, node)),
        });
        found
    }

    fn add(&mut self, name: Position, place: Place, stands: Stands) {
        self.found.insert(name, Spot { place, stands });
    }

    fn spot(&mut self, at: At<'_>, path: &Path, place: Place, stands: Stands) {
        if let Some(last) = last_name(path) {
            self.add(at.position(last), place, stands);
        }
    }
}

/// Whether an expression stands between a `=` and the end of a generic parameter.
fn is_default(program: &Program, place: &Place) -> bool {
    let text = program.sources().text(place.file);
    let before = text[..place.range.start].trim_end();
    let after = text[place.range.end..].trim_start();
    before.ends_with('=') && after.starts_with(['>', ','])
}

/// Reads a constant, static or associated constant; `None` for another node.
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
        is_pattern: is_literal(expression),
    });
    (name != "_").then(|| Constant {
        name: name.to_string(),
        position: at.position(name),
        whole,
        home,
        value,
    })
}
