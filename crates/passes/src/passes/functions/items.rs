//! The functions of a program that are items, or members of traits and impls.

use crate::program::{Change, Place, SyntaxFile};
use crate::visit::{At, Home, Node};
use reduce_model::Position;
use syn::{Attribute, Block, ForeignItem, ImplItem, Item, Signature, TraitItem};

/// A function with a name: an item, or a member of a trait or impl.
#[derive(Clone)]
pub(in crate::passes) struct FunctionItem<'p> {
    pub(in crate::passes) at: At<'p>,
    pub(in crate::passes) whole: Place,
    attributes: &'p [Attribute],
    pub(in crate::passes) signature: &'p Signature,
    pub(in crate::passes) body: Option<&'p Block>,
}

impl<'p> FunctionItem<'p> {
    pub(in crate::passes) fn of(at: At<'p>, node: Node<'p>) -> Option<Self> {
        let (whole, attributes, signature, body) = match node {
            Node::Item(Item::Fn(one)) => (at.place(one), &one.attrs, &one.sig, Some(&*one.block)),
            Node::ForeignItem(ForeignItem::Fn(one)) => (at.place(one), &one.attrs, &one.sig, None),
            Node::ImplItem(ImplItem::Fn(one)) => {
                (at.place(one), &one.attrs, &one.sig, Some(&one.block))
            }
            Node::TraitItem(TraitItem::Fn(one)) => {
                (at.place(one), &one.attrs, &one.sig, one.default.as_ref())
            }
            _ => return None,
        };
        Some(Self {
            at,
            whole,
            attributes,
            signature,
            body,
        })
    }

    /// Returns the position of the function's name.
    pub(in crate::passes) fn position(&self) -> Position {
        self.at.position(&self.signature.ident)
    }

    /// Whether neither a trait that is implemented nor a test's harness gives the function its
    /// signature.
    pub(in crate::passes) fn is_free_to_change(&self) -> bool {
        let is_given = matches!(self.at.home, Home::Impl(block) if block.trait_.is_some());
        !is_given && !self.attributes.iter().any(is_of_test)
    }
}

/// Gives a return type to a function that has none.
pub(in crate::passes) fn insert_output(
    change: &mut Change<'_>,
    file: SyntaxFile<'_>,
    signature: &Signature,
    ty: &str,
) {
    let end = file.place_of(signature.paren_token.span.close()).end();
    change.insert(end, &format!(" -> {ty}"));
}

/// Puts predicates into the where clause of a function, before those that are there.
pub(in crate::passes) fn insert_predicates(
    change: &mut Change<'_>,
    file: SyntaxFile<'_>,
    signature: &Signature,
    text: &str,
) {
    let clause = signature.generics.where_clause.as_ref();
    let first = clause.and_then(|clause| clause.predicates.first());
    match (first, clause) {
        (Some(first), _) => change.insert(file.place(first).start(), &format!("{text}, ")),
        (None, Some(clause)) => change.insert(file.place(clause).end(), &format!(" {text}")),
        (None, None) => change.insert(file.place(signature).end(), &format!(" where {text}")),
    };
}

/// Whether an attribute makes a test or a benchmark: `#[test]`, `#[tokio::test]`, `#[bench]`; code
/// that is not seen calls such a function.
fn is_of_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "test" || last.ident == "bench")
}
