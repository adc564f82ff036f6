//! Groups definitions that are alike, such as functions with as many parameters, so that one may stand for another.

use crate::passes::data::{Data, Definition, Kind, Shape};
use crate::passes::expressions::binding;
use crate::passes::generics::Implementations;
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use reduce_syntax::Located;
use std::collections::BTreeMap;
use syn::{Ident, Item, Stmt};

/// A definition that may stand for another one, or for which another one may stand.
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) whole: Place,
    /// The impls of a type, or of a trait.
    pub(super) impls: Vec<Place>,
    /// Whether the definition is an item; otherwise it is a variable.
    pub(super) is_item: bool,
}

/// A key that two definitions have in common if they are alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Alike {
    Type(String),
    /// A trait with this number of generic parameters.
    Trait(usize),
    /// A function with this number of parameters.
    Function(usize),
    Constant,
    Static,
    /// A variable of the block at this place.
    Variable(Position),
}

type Groups = BTreeMap<Alike, Vec<Candidate>>;

/// Returns groups of definitions that are alike, each in the order of the text.
pub(super) fn groups(program: &Program, data: &Data<'_>) -> Vec<Vec<Candidate>> {
    let mut groups = Groups::new();
    for one in &data.definitions {
        if let Some(alike) = type_key(data, one) {
            let found = Candidate {
                name: one.name.to_owned(),
                at: one.at,
                whole: one.whole.clone(),
                impls: one.impls.iter().map(|one| one.place()).collect(),
                is_item: true,
            };
            groups.entry(Alike::Type(alike)).or_default().push(found);
        }
    }
    let implementations = Implementations::new(program);
    visit::each(program, |at, node| {
        for (alike, name, whole) in definitions(at, node) {
            let position = at.position(name);
            let impls = match alike {
                Alike::Trait(_) => implementations
                    .of(position)
                    .map(|one| one.place())
                    .collect(),
                _ => Vec::new(),
            };
            let found = Candidate {
                name: name.to_string(),
                at: position,
                whole,
                impls,
                is_item: !matches!(alike, Alike::Variable(_)),
            };
            if name != "_" && name != "main" {
                groups.entry(alike).or_default().push(found);
            }
        }
    });
    let alike = groups.into_values();
    alike.filter(|group| group.len() > 1).collect()
}

/// Describes how a type is made: sort, parameters, fields or variants.
fn type_key(data: &Data<'_>, one: &Definition<'_>) -> Option<String> {
    let kind = match one.kind {
        Kind::Struct => "struct",
        Kind::Union => "union",
        Kind::Enum(_) => "enum",
        Kind::Alias(_) => "type",
        Kind::Variant(_) => return None,
    };
    let shape = match one.shape {
        Shape::Unit => "",
        Shape::Tuple(_) => "()",
        Shape::Named(_) => "{}",
    };
    let fields = one.fields.iter().map(|field| field.name.unwrap_or("_"));
    let variants = data.variants_of(one).iter().map(|one| one.name);
    let names: Vec<&str> = fields.chain(variants).collect();
    let n_generics = one.parameters().count();
    Some(format!("{kind} {n_generics} {shape} {}", names.join(" ")))
}

/// Returns what a node defines: an item other than a type, or the variables of a block.
fn definitions<'p>(at: At<'p>, node: Node<'p>) -> Vec<(Alike, &'p Ident, Place)> {
    let item = |alike, name, whole: &dyn Located| vec![(alike, name, at.place(&whole))];
    match node {
        Node::Item(Item::Trait(one)) => {
            item(Alike::Trait(one.generics.params.len()), &one.ident, one)
        }
        Node::Item(Item::Fn(one)) => {
            let alike = Alike::Function(one.sig.inputs.len());
            item(alike, &one.sig.ident, one)
        }
        Node::Item(Item::Const(one)) => item(Alike::Constant, &one.ident, one),
        Node::Item(Item::Static(one)) => item(Alike::Static, &one.ident, one),
        Node::Block(block) => {
            let open = at.place_of(block.brace_token.span.open()).start();
            let variable = |statement: &'p Stmt| match statement {
                Stmt::Local(local) => {
                    let (name, _) = binding(&local.pat)?;
                    Some((Alike::Variable(open), &name.ident, at.place(statement)))
                }
                _ => None,
            };
            block.stmts.iter().filter_map(variable).collect()
        }
        _ => Vec::new(),
    }
}
