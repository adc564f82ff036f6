//! The generics of a program, for the passes about them: items with parameters, the arguments for these,
//! mentions of lifetimes, and the types that implement traits.

mod implementations;
mod lifetimes;
mod reader;

pub(super) use implementations::{Implementation, Implementations};
pub(super) use lifetimes::{Role, Setting};

use crate::program::{Change, Place, Program, SyntaxFile};
use crate::visit;
use reduce_model::Position;
use std::collections::{BTreeMap, HashMap};
use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Ident, PathArguments,
    PathSegment, Signature, Type, WherePredicate,
};

/// An item or member that has generic parameters.
#[derive(Clone, Copy)]
pub(super) struct Owner<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) kind: OwnerKind,
    /// The position of the name of the item with the parameters; an impl has no name.
    pub(super) name: Option<Position>,
    pub(super) generics: &'p Generics,
    /// The signature, if the item is a function.
    pub(super) signature: Option<&'p Signature>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerKind {
    Impl,
    /// The item is a function that stands alone or in an inherent impl.
    Function,
    /// The item is a member of a trait or of a trait's impl.
    TraitMember,
    /// The item is a struct, an enum, a union or a type alias.
    Type,
    Other,
}

/// A generic parameter, by the index of the item that declares it, and by its own index there.
pub(super) type ParameterId = (usize, usize);

/// The number of a generic parameter or argument in its list, where lifetimes are counted on their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ordinal {
    pub(super) is_lifetime: bool,
    nth: usize,
}

/// A use of a parameter as the first name of a path, such as `T` in `T::Item`.
#[derive(Clone)]
pub(super) enum Head {
    /// A type such as `T::Item` or `<T as Trait>::Item`, with its place and the name of the item.
    Projection(Place, String),
    /// An expression such as `T::new`.
    Value,
}

/// All generic parameters, arguments, lifetimes and impls of a program.
pub(super) struct Index<'p> {
    program: &'p Program,
    pub(super) owners: Vec<Owner<'p>>,
    by_name: HashMap<Position, usize>,
    /// The parameters that are mentioned, by the positions of the mentions.
    meant: BTreeMap<Position, ParameterId>,
    arguments: HashMap<Position, (SyntaxFile<'p>, &'p AngleBracketedGenericArguments)>,
    pub(super) heads: HashMap<Position, Head>,
    /// Generic arguments in the headers of impls, by their places: the name before each, and its number in the list.
    pub(super) in_headers: HashMap<Place, (Position, Ordinal)>,
    pub(super) implementations: Implementations<'p>,
    /// The role of each lifetime, and the setting that says whether it may be left out, by position.
    pub(super) lifetimes: HashMap<Position, (Role, Setting)>,
}

impl<'p> Index<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut index = Self {
            program,
            owners: Vec::new(),
            by_name: HashMap::new(),
            meant: BTreeMap::new(),
            arguments: HashMap::new(),
            heads: HashMap::new(),
            in_headers: HashMap::new(),
            implementations: Implementations::new(program),
            lifetimes: lifetimes::lifetimes(program),
        };
        visit::each_also_in_macros(program, |at, node| index.node(at, node));
        for (idx, owner) in index.owners.iter().enumerate() {
            index.by_name.extend(owner.name.map(|name| (name, idx)));
            for nth in 0..owner.generics.params.len() {
                let mentions = index.mentions((idx, nth));
                index
                    .meant
                    .extend(mentions.map(|place| (place.start(), (idx, nth))));
            }
        }
        index
    }

    /// Returns the generic parameters that are mentioned in a place.
    pub(super) fn parameters_in(&self, place: &Place) -> impl Iterator<Item = ParameterId> {
        let inside = self.meant.range(place.start()..place.end());
        inside.map(|(_, parameter)| *parameter)
    }

    /// Returns the places that mention a generic parameter.
    pub(super) fn mentions(&self, parameter: ParameterId) -> impl Iterator<Item = Place> + use<'p> {
        let (owner, one) = self.declared(parameter);
        let name = name_place(owner.file, one);
        let all = self.program.mentions().of(name.start()).iter();
        all.map(move |at| Place::new(at.file, at.at..at.at + name.range.len()))
    }

    /// Returns the index of the item with generic parameters whose name stands at a position.
    pub(super) fn owner(&self, name: Position) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    /// Returns a parameter with the item that declares it.
    pub(super) fn declared(&self, (owner, idx): ParameterId) -> (&Owner<'p>, &'p GenericParam) {
        let owner = &self.owners[owner];
        (owner, &owner.generics.params[idx])
    }

    pub(super) fn ordinal(&self, id: ParameterId) -> Ordinal {
        let (owner, one) = self.declared(id);
        let is_lifetime = is_lifetime(one);
        let before = owner.generics.params.iter().take(id.1);
        let alike = before.filter(|one| self::is_lifetime(one) == is_lifetime);
        let nth = alike.count();
        Ordinal { is_lifetime, nth }
    }

    /// Returns the parameter of an item by its number among the lifetimes, or among the types and constants.
    pub(super) fn at_ordinal(&self, owner: usize, ordinal: Ordinal) -> Option<ParameterId> {
        let parameters = self.owners[owner].generics.params.iter().enumerate();
        let mut alike = parameters.filter(|(_, one)| is_lifetime(one) == ordinal.is_lifetime);
        alike.nth(ordinal.nth).map(|(idx, _)| (owner, idx))
    }

    /// Returns the generic arguments that the mentions of an item give for one of its parameters.
    pub(super) fn arguments_for(
        &self,
        id: ParameterId,
    ) -> impl Iterator<Item = (SyntaxFile<'p>, &'p GenericArgument)> {
        let ordinal = self.ordinal(id);
        let mentions = self.owners[id.0]
            .name
            .map(|name| self.program.mentions().of(name));
        let mentions = mentions.into_iter().flatten();
        mentions.filter_map(move |&mention| self.argument(mention, ordinal))
    }

    /// Begins a change that removes a generic parameter and the arguments for it. Returns also where else it is mentioned.
    pub(super) fn without(&self, id: ParameterId) -> (Change<'p>, Vec<Place>) {
        let (owner, one) = self.declared(id);
        let arguments = self.arguments_for(id);
        let arguments: Vec<Place> = arguments.map(|(file, one)| file.place(one)).collect();
        let mut change = self.program.change();
        change.remove(&owner.file.place(one));
        for place in &arguments {
            change.remove(place);
        }
        let is_argument = |place: &Place| arguments.iter().any(|one| place.is_within(one));
        let others = self.mentions(id).filter(|place| !is_argument(place));
        (change, others.collect())
    }

    /// Returns the generic argument with this number after the name at a position.
    pub(super) fn argument(
        &self,
        name: Position,
        ordinal: Ordinal,
    ) -> Option<(SyntaxFile<'p>, &'p GenericArgument)> {
        let (file, arguments) = self.arguments.get(&name)?;
        let mut all = with_ordinals(arguments);
        let (_, found) = all.find(|(one, _)| *one == ordinal)?;
        Some((*file, found))
    }
}

/// Returns generic arguments with their numbers, without those for associated types.
fn with_ordinals(
    arguments: &AngleBracketedGenericArguments,
) -> impl Iterator<Item = (Ordinal, &GenericArgument)> {
    let mut n_before = [0, 0];
    arguments.args.iter().filter_map(move |one| {
        let is_lifetime = match one {
            GenericArgument::Lifetime(_) => true,
            GenericArgument::Type(_) | GenericArgument::Const(_) => false,
            _ => return None,
        };
        let nth = n_before[usize::from(is_lifetime)];
        n_before[usize::from(is_lifetime)] += 1;
        Some((Ordinal { is_lifetime, nth }, one))
    })
}

pub(super) fn is_lifetime(parameter: &GenericParam) -> bool {
    matches!(parameter, GenericParam::Lifetime(_))
}

/// Returns the predicates of a where clause.
pub(super) fn predicates(generics: &Generics) -> impl Iterator<Item = &WherePredicate> {
    let clause = generics.where_clause.iter();
    clause.flat_map(|clause| &clause.predicates)
}

/// Returns the place of a parameter's name.
pub(super) fn name_place(file: SyntaxFile<'_>, parameter: &GenericParam) -> Place {
    file.place_of(match parameter {
        GenericParam::Type(one) => one.ident.span(),
        GenericParam::Const(one) => one.ident.span(),
        GenericParam::Lifetime(one) => one.lifetime.span(),
    })
}

/// Returns the position where a parameter's name begins.
pub(super) fn position_of(file: SyntaxFile<'_>, parameter: &GenericParam) -> Position {
    name_place(file, parameter).start()
}

/// Returns the name of a parameter that is a type or a constant.
pub(super) fn name_of(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Type(one) => Some(&one.ident),
        GenericParam::Const(one) => Some(&one.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// Returns the name of a type that is nothing but a name.
pub(super) fn plain_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// Returns the most frequent element; of several the first.
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

/// Returns the last name of a type that is a path.
pub(super) fn type_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => last_name(&path.path),
        _ => None,
    }
}

/// Returns the last name of a path.
pub(super) fn last_name(path: &syn::Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

/// Returns the names of all generic parameters in a list.
pub(super) fn names_of(generics: &Generics) -> impl Iterator<Item = String> {
    generics.params.iter().map(|parameter| match parameter {
        GenericParam::Lifetime(one) => one.lifetime.to_string(),
        GenericParam::Type(one) => one.ident.to_string(),
        GenericParam::Const(one) => one.ident.to_string(),
    })
}

/// Returns the types among the generic arguments of a segment.
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

/// Returns the types and constants among the generic arguments after a name.
pub(super) fn arguments_after(segment: &PathSegment) -> Vec<&GenericArgument> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(all) => Some(&all.args),
        _ => None,
    };
    let all = arguments.into_iter().flatten();
    all.filter(|one| !matches!(one, GenericArgument::Lifetime(_)))
        .collect()
}
