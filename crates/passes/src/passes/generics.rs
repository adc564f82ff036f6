//! What the passes about generics look up: which items have parameters, where arguments for them are
//! given, where lifetimes are mentioned, and which types implement which traits.

mod implementations;
mod lifetimes;
mod reader;

pub(super) use implementations::{Implementation, Implementations};
pub(super) use lifetimes::{Role, Setting};

use crate::program::{Place, Program, SyntaxFile};
use crate::visit;
use reduce_model::Position;
use std::collections::{HashMap, HashSet};
use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Ident, ItemImpl,
    PathArguments, PathSegment, Signature, Type, WherePredicate,
};

/// Something that has generic parameters.
#[derive(Clone, Copy)]
pub(super) struct Owner<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) kind: OwnerKind,
    /// An impl has no name.
    pub(super) name: Option<Position>,
    pub(super) generics: &'p Generics,
    /// Only a function has one.
    pub(super) signature: Option<&'p Signature>,
    /// Only an impl has one.
    pub(super) block: Option<&'p ItemImpl>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerKind {
    Impl,
    /// A function that stands alone or in an inherent impl.
    Function,
    /// A member of a trait or of a trait's impl.
    TraitMember,
    /// A struct, an enum, a union or a type alias.
    Type,
    Other,
}

/// A parameter, by the index of its owner and its own.
pub(super) type ParameterId = (usize, usize);

/// Which arguments a parameter gets: the lifetimes among them are counted on their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ordinal {
    pub(super) is_lifetime: bool,
    nth: usize,
}

/// What a path means whose first name stands alone, such as `T` in `T::Item`.
#[derive(Clone)]
pub(super) enum Head {
    /// `T::Item` or `<T as Trait>::Item` as a type, and the name of the item.
    Projection(Place, String),
    /// `T::new` as an expression.
    Value,
}

/// All that there is of generics in a program.
pub(super) struct Index<'p> {
    program: &'p Program,
    pub(super) owners: Vec<Owner<'p>>,
    by_name: HashMap<Position, usize>,
    parameters: HashMap<Position, ParameterId>,
    arguments: HashMap<Position, (SyntaxFile<'p>, &'p AngleBracketedGenericArguments)>,
    pub(super) heads: HashMap<Position, Head>,
    /// Arguments that stand in the header of an impl, by their first byte.
    pub(super) in_headers: HashSet<Position>,
    pub(super) implementations: Implementations<'p>,
    /// What lifetimes are there for, by where they stand.
    pub(super) lifetimes: HashMap<Position, (Role, Setting)>,
}

impl<'p> Index<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut index = Self {
            program,
            owners: Vec::new(),
            by_name: HashMap::new(),
            parameters: HashMap::new(),
            arguments: HashMap::new(),
            heads: HashMap::new(),
            in_headers: HashSet::new(),
            implementations: Implementations::new(program),
            lifetimes: lifetimes::lifetimes(program),
        };
        visit::each_also_in_macros(program, |at, node| index.node(at, node));
        for (idx, owner) in index.owners.iter().enumerate() {
            index.by_name.extend(owner.name.map(|name| (name, idx)));
            let names = owner.generics.params.iter().enumerate();
            let names = names.map(|(nth, one)| (position_of(owner.file, one), (idx, nth)));
            index.parameters.extend(names);
        }
        index
    }

    /// The parameter that is meant at a place.
    pub(super) fn meant(&self, mention: Position) -> Option<ParameterId> {
        let declared = self.program.mentions().definition(mention)?;
        self.parameters.get(&declared).copied()
    }

    /// Where a parameter is mentioned.
    pub(super) fn mentions(&self, parameter: ParameterId) -> impl Iterator<Item = Place> + use<'p> {
        let declared = self.declared(parameter);
        let name = declared.map(|(owner, one)| name_place(owner.file, one));
        let program = self.program;
        name.into_iter().flat_map(|name| {
            let n_bytes = name.range.len();
            let all = program.mentions().of(name.start()).iter();
            all.map(move |at| Place::new(at.file, at.at..at.at + n_bytes))
        })
    }

    /// The owner whose name stands at a place.
    pub(super) fn owner(&self, name: Position) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    pub(super) fn parameter(&self, (owner, idx): ParameterId) -> Option<&'p GenericParam> {
        self.owners.get(owner)?.generics.params.get(idx)
    }

    /// A parameter with the item that declares it.
    pub(super) fn declared(&self, id: ParameterId) -> Option<(&'_ Owner<'p>, &'p GenericParam)> {
        self.owners.get(id.0).zip(self.parameter(id))
    }

    /// The first of some parameters that is a lifetime, or that is none.
    pub(super) fn parameter_where(
        &self,
        parameters: &[ParameterId],
        is_lifetime: bool,
    ) -> Option<ParameterId> {
        let is_it = |one: &ParameterId| self.parameter(*one).map(self::is_lifetime);
        let mut all = parameters.iter().copied();
        all.find(|one| is_it(one) == Some(is_lifetime))
    }

    pub(super) fn ordinal(&self, (owner, idx): ParameterId) -> Option<Ordinal> {
        let parameters = &self.owners.get(owner)?.generics.params;
        let is_lifetime = is_lifetime(parameters.get(idx)?);
        let before = parameters.iter().take(idx);
        let nth = before.filter(|one| self::is_lifetime(one) == is_lifetime);
        Some(Ordinal {
            is_lifetime,
            nth: nth.count(),
        })
    }

    /// The parameter of an owner that gets the arguments of this ordinal.
    pub(super) fn at_ordinal(&self, owner: usize, ordinal: Ordinal) -> Option<ParameterId> {
        let parameters = self.owners.get(owner)?.generics.params.iter().enumerate();
        let mut alike = parameters.filter(|(_, one)| is_lifetime(one) == ordinal.is_lifetime);
        alike.nth(ordinal.nth).map(|(idx, _)| (owner, idx))
    }

    /// A type's or constant's parameter of an owner, lifetimes not counted.
    pub(super) fn nth_non_lifetime(&self, owner: usize, nth: usize) -> Option<ParameterId> {
        let is_lifetime = false;
        self.at_ordinal(owner, Ordinal { is_lifetime, nth })
    }

    /// The arguments that are given for a parameter.
    pub(super) fn arguments_for(
        &self,
        id: ParameterId,
    ) -> impl Iterator<Item = (SyntaxFile<'p>, &'p GenericArgument)> {
        let owner = self.owners.get(id.0).and_then(|owner| owner.name);
        let mentions = owner.map_or(&[][..], |name| self.program.mentions().of(name));
        let given = mentions.iter().zip(std::iter::repeat(self.ordinal(id)));
        given.filter_map(|(&mention, ordinal)| self.argument(mention, ordinal?))
    }

    /// The argument that is given after the name at a place.
    pub(super) fn argument(
        &self,
        name: Position,
        ordinal: Ordinal,
    ) -> Option<(SyntaxFile<'p>, &'p GenericArgument)> {
        let (file, arguments) = self.arguments.get(&name)?;
        let is_alike = |one: &&GenericArgument| match one {
            GenericArgument::Lifetime(_) => ordinal.is_lifetime,
            GenericArgument::Type(_) | GenericArgument::Const(_) => !ordinal.is_lifetime,
            _ => false,
        };
        let found = arguments.args.iter().filter(is_alike).nth(ordinal.nth)?;
        Some((*file, found))
    }
}

pub(super) fn is_lifetime(parameter: &GenericParam) -> bool {
    matches!(parameter, GenericParam::Lifetime(_))
}

/// The predicates of a where clause.
pub(super) fn predicates(generics: &Generics) -> impl Iterator<Item = &WherePredicate> {
    let clause = generics.where_clause.iter();
    clause.flat_map(|clause| &clause.predicates)
}

/// Where the name of a parameter stands.
pub(super) fn name_place(file: SyntaxFile<'_>, parameter: &GenericParam) -> Place {
    file.place_of(match parameter {
        GenericParam::Type(one) => one.ident.span(),
        GenericParam::Const(one) => one.ident.span(),
        GenericParam::Lifetime(one) => one.lifetime.span(),
    })
}

/// The first byte of that.
pub(super) fn position_of(file: SyntaxFile<'_>, parameter: &GenericParam) -> Position {
    let Place { file: id, range } = name_place(file, parameter);
    Position::new(id, range.start)
}

/// The name of a parameter that is a type or a constant.
pub(super) fn name_of(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Type(one) => Some(&one.ident),
        GenericParam::Const(one) => Some(&one.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// The name that a type is, if it is nothing but a name.
pub(super) fn plain_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// What is there most often; of several the first.
pub(super) fn most_frequent<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for one in all {
        match counts.iter_mut().find(|(other, _)| *other == one) {
            Some((_, count)) => *count += 1,
            None => counts.push((one, 1)),
        }
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(one, _)| one)
}

/// The last name of a type that is a path.
pub(super) fn type_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => last_name(&path.path),
        _ => None,
    }
}

/// The last name of a path.
pub(super) fn last_name(path: &syn::Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

/// The names of all parameters.
pub(super) fn names_of(generics: &Generics) -> impl Iterator<Item = String> {
    generics.params.iter().map(|parameter| match parameter {
        GenericParam::Lifetime(one) => one.lifetime.to_string(),
        GenericParam::Type(one) => one.ident.to_string(),
        GenericParam::Const(one) => one.ident.to_string(),
    })
}

/// The types among the generic arguments of a segment.
pub(super) fn types_among(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(all) => Some(&all.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|one| match one {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
