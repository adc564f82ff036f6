//! Finds the role of each lifetime, and whether it may be left out where it stands.

use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use std::collections::HashMap;
use syn::{
    FnArg, GenericArgument, GenericParam, Lifetime, ReceiverKind, Type, TypeParamBound,
    WherePredicate,
};

/// The role of a lifetime where it is mentioned: at a reference, as an argument, or as a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// The lifetime of a reference: `&'a T`, `&'a self`.
    Reference,
    /// An argument of a type: `S<'a>`.
    Argument,
    /// A bound: `T: 'a`, `'b: 'a`, `dyn A + 'a`.
    Bound,
}

/// The surroundings of a lifetime, which say whether it may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Setting {
    /// A function's signature or body, where lifetimes may be left out.
    Free,
    /// The header of an impl, where a path needs `'_`.
    Header,
    /// Fields, bounds and aliases, where no lifetime may be left out.
    Rigid,
}

/// Returns the lifetimes of a program by their positions, each with its role and its setting. Those in the arguments
/// of macros and after `use` are left out.
pub(super) fn lifetimes(program: &Program) -> HashMap<Position, (Role, Setting)> {
    let mut lifetimes = Lifetimes::default();
    visit::each(program, |at, node| lifetimes.node(at, node));
    lifetimes.found
}

#[derive(Default)]
struct Lifetimes {
    /// The items and blocks around the syntax that is visited next; some may have ended before it.
    around: Vec<(Place, Setting)>,
    /// The place of the inputs and the output of the function that was visited last.
    signature: Option<Place>,
    found: HashMap<Position, (Role, Setting)>,
}

impl Lifetimes {
    fn node(&mut self, at: At<'_>, node: Node<'_>) {
        match node {
            Node::Item(item) => self.around.push((at.place(item), Setting::Rigid)),
            Node::Block(block) => self.around.push((at.place(block), Setting::Free)),
            Node::Signature(one) => {
                let last = one.generics.where_clause.as_ref();
                let end = last.map_or(at.place(one).end(), |clause| at.place(clause).start());
                let start = at.place_of(one.paren_token.span.open()).range.start;
                self.signature = Some(Place::new(at.id, start..end.at));
                if let Some(FnArg::Receiver(receiver)) = one.inputs.first()
                    && let ReceiverKind::Reference(_, lifetime, _) = &receiver.kind
                {
                    self.add(at, Role::Reference, lifetime);
                }
            }
            Node::Type(Type::Reference(one)) => self.add(at, Role::Reference, &one.lifetime),
            Node::GenericArgument(GenericArgument::Lifetime(one)) => {
                self.add(at, Role::Argument, [one]);
            }
            Node::Bound(TypeParamBound::Lifetime(one)) => self.add(at, Role::Bound, [one]),
            Node::GenericParam(GenericParam::Lifetime(one)) => {
                self.add(at, Role::Bound, &one.bounds);
            }
            Node::Predicate(WherePredicate::Lifetime(one)) => {
                self.add(at, Role::Bound, one.bounds.iter().chain([&one.lifetime]));
            }
            _ => {}
        }
    }

    fn add<'a>(
        &mut self,
        at: At<'_>,
        role: Role,
        lifetimes: impl IntoIterator<Item = &'a Lifetime>,
    ) {
        for lifetime in lifetimes {
            let name = at.place(lifetime).start();
            let setting = match at.in_header {
                true => Setting::Header,
                false => self.setting(name),
            };
            self.found.insert(name, (role, setting));
        }
    }

    fn setting(&mut self, name: Position) -> Setting {
        if self.signature.as_ref().is_some_and(|one| name.is_in(one)) {
            return Setting::Free;
        }
        while self
            .around
            .pop_if(|(place, _)| !name.is_in(place))
            .is_some()
        {}
        self.around
            .last()
            .map_or(Setting::Rigid, |(_, setting)| *setting)
    }
}
