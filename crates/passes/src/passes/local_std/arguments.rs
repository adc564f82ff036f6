//! Reads the generic arguments of a mention of an item of the standard library.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The arguments between the angle brackets of a mention.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) n_lifetimes: usize,
    pub(super) others: Vec<Argument>,
    /// The names of associated types in a mention's arguments, as in `Item = ..` and `Item: ..`.
    pub(super) bound: Vec<String>,
    /// Whether the arguments are written as `Fn(A) -> B`.
    pub(super) is_sugar: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    Type,
    /// A type that has no size, as far as its syntax says.
    Unsized,
    Const,
}

impl Arguments {
    pub(super) fn of(segment: &PathSegment) -> Self {
        let mut arguments = Self::default();
        match &segment.arguments {
            PathArguments::None => {}
            PathArguments::Parenthesized(_) => arguments.is_sugar = true,
            PathArguments::AngleBracketed(all) => {
                all.args.iter().for_each(|one| arguments.add(one));
            }
        }
        arguments
    }

    fn add(&mut self, argument: &GenericArgument) {
        match argument {
            GenericArgument::Lifetime(_) => self.n_lifetimes += 1,
            GenericArgument::Type(ty) if is_unsized(ty) => self.others.push(Argument::Unsized),
            GenericArgument::Type(_) => self.others.push(Argument::Type),
            GenericArgument::Const(_) => self.others.push(Argument::Const),
            GenericArgument::AssocType(one) => self.bound.push(one.ident.to_string()),
            GenericArgument::Constraint(one) => self.bound.push(one.ident.to_string()),
            _ => {}
        }
    }
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}
