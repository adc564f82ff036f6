//! What the passes about generics look up: which items have parameters, where arguments for them are
//! given, where lifetimes are mentioned, and which types implement which traits.

mod implementations;
mod lifetimes;
mod reader;

pub(super) use implementations::{Implementation, Implementations};
pub(super) use lifetimes::{LifetimeUse, Role, Setting};

use crate::program::{Place, Program, SyntaxFile};
use lifetimes::Lifetimes;
use reduce_model::Position;
use std::collections::{HashMap, HashSet};
use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Ident, Item, ItemImpl,
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
#[derive(Default)]
pub(super) struct Index<'p> {
    pub(super) owners: Vec<Owner<'p>>,
    by_name: HashMap<Position, usize>,
    parameters: HashMap<Position, ParameterId>,
    lifetime_of_mention: HashMap<Position, Position>,
    arguments: HashMap<Position, (SyntaxFile<'p>, &'p AngleBracketedGenericArguments)>,
    pub(super) heads: HashMap<Position, Head>,
    /// Arguments that stand in the header of an impl, by their first byte.
    pub(super) in_headers: HashSet<Position>,
    pub(super) implementations: Implementations<'p>,
    /// The mentions of each lifetime parameter, by where its name stands.
    pub(super) lifetimes: HashMap<Position, Vec<LifetimeUse>>,
}

impl<'p> Index<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut index = Self::read(program);
        index.implementations = Implementations::new(program);
        index.lifetimes = Lifetimes::of(program);
        index.link();
        index
    }

    fn link(&mut self) {
        for (idx, owner) in self.owners.iter().enumerate() {
            self.by_name.extend(owner.name.map(|name| (name, idx)));
            for (nth, one) in owner.generics.params.iter().enumerate() {
                let name = position_of(owner.file, one);
                self.parameters.insert(name, (idx, nth));
            }
        }
        for (declared, uses) in &self.lifetimes {
            let starts = uses.iter().map(|one| one.place.start());
            let pairs = starts.map(|mention| (mention, *declared));
            self.lifetime_of_mention.extend(pairs);
        }
    }

    /// The parameter that is meant at a place.
    pub(super) fn meant(&self, program: &Program, mention: Position) -> Option<ParameterId> {
        let lifetime = self.lifetime_of_mention.get(&mention).copied();
        let declared = lifetime.or_else(|| program.mentions().definition(mention));
        self.parameters.get(&declared?).copied()
    }

    /// Where a parameter is mentioned.
    pub(super) fn mentions(&self, program: &Program, parameter: ParameterId) -> Vec<Position> {
        let Some((owner, one)) = self.declared(parameter) else {
            return Vec::new();
        };
        let declared = position_of(owner.file, one);
        match self.lifetimes.get(&declared) {
            Some(uses) => {
                let starts = uses.iter().map(|one| one.place.start());
                starts.collect()
            }
            None => program.mentions().of(declared).to_vec(),
        }
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

/// The parameters of an item other than a function, and its name: an impl has none.
pub(super) fn generics_of(item: &Item) -> Option<(Option<&Ident>, &Generics)> {
    Some(match item {
        Item::Const(one) => (Some(&one.ident), &one.generics),
        Item::Enum(one) => (Some(&one.ident), &one.generics),
        Item::Impl(one) => (None, &one.generics),
        Item::Struct(one) => (Some(&one.ident), &one.generics),
        Item::Trait(one) => (Some(&one.ident), &one.generics),
        Item::TraitAlias(one) => (Some(&one.ident), &one.generics),
        Item::Type(one) => (Some(&one.ident), &one.generics),
        Item::Union(one) => (Some(&one.ident), &one.generics),
        _ => return None,
    })
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
