//! Finds the mentions of associated types.

use crate::program::{Change, Place, Program, SyntaxFile};
use crate::visit::{self, At, Home, Node};
use reduce_model::{DefId, Resolution};
use reduce_syntax::is_one_name;
use std::collections::HashMap;
use syn::{
    Expr, GenericArgument, Ident, ItemImpl, Path, PathArguments, PathSegment, QSelf, Type,
    WherePredicate,
};

/// A mention of an associated type: `Self::Item`, `T::Item` or `<T as Trait>::Item`.
pub(super) struct Use<'p> {
    pub(super) place: Place,
    /// The text of the type that has the associated type.
    pub(super) subject: &'p str,
    meaning: Meaning<'p>,
    /// Whether the path goes on after the associated type.
    is_prefix: bool,
    /// The impl or trait around the mention, which says what `Self` is.
    pub(super) home: Home<'p>,
    /// The predicate of a where clause that is about the mention of the associated type and nothing else.
    pub(super) predicate: Option<Place>,
}

/// All mentions of associated types, by their names.
pub(super) struct Uses<'p> {
    program: &'p Program,
    all: HashMap<&'p str, Vec<Use<'p>>>,
    /// The constraints of associated types, such as `Trait<Item = u8>`.
    constraints: HashMap<&'p str, Vec<(Meaning<'p>, Place)>>,
}

impl<'p> Uses<'p> {
    pub(super) fn in_program(program: &'p Program) -> Self {
        let mut uses = Self {
            program,
            all: HashMap::new(),
            constraints: HashMap::new(),
        };
        // The type that a predicate is about, and the predicate.
        let mut bounded: Option<(&Type, Place)> = None;
        visit::each(program, |at, node| match node {
            Node::Predicate(predicate @ WherePredicate::Type(one)) => {
                bounded = Some((&one.bounded_ty, at.place(predicate)));
            }
            Node::Type(whole @ Type::Path(ty)) => {
                let predicate = bounded.take_if(|(bounded, _)| std::ptr::eq(*bounded, whole));
                let predicate = predicate.map(|(_, place)| place);
                uses.path(at, ty.qself.as_ref(), &ty.path, predicate);
            }
            Node::Expr(Expr::Path(one)) => {
                // The last name of an expression's path is no type.
                let idx = one.qself.as_ref().map_or(1, |qself| qself.position);
                if idx + 1 < one.path.segments.len() {
                    uses.path(at, one.qself.as_ref(), &one.path, None);
                }
            }
            Node::PathSegment(segment) => uses.constraints_in(at, segment),
            _ => {}
        });
        uses
    }

    /// Notes a path in which a name may be that of an associated type: the name after the trait in
    /// `<T as Trait>::Item`, the second in `T::Item`.
    fn path(
        &mut self,
        at: At<'p>,
        qself: Option<&QSelf>,
        path: &'p Path,
        predicate: Option<Place>,
    ) -> Option<()> {
        let (start, idx, subject, of_trait) = match qself {
            Some(qself) => {
                let of_trait = qself.position.checked_sub(1);
                let of_trait = of_trait.and_then(|idx| path.segments.get(idx));
                let of_trait = of_trait.map(|segment| at.text(&segment.ident));
                let start = at.place(&qself.lt_token);
                (start, qself.position, at.text(&qself.ty), of_trait)
            }
            None => {
                let first = path.segments.first()?;
                let is_name = path.leading_colon.is_none() && first.arguments.is_none();
                is_name.then(|| (at.place(first), 1, at.text(first), None))?
            }
        };
        let segment = path.segments.get(idx)?;
        let end = at.place(segment).range.end;
        let found = segment.arguments.is_none().then(|| Use {
            place: Place::new(start.file, start.range.start..end),
            subject,
            meaning: Meaning::new(self.program, at.file, &segment.ident, of_trait),
            is_prefix: idx + 1 < path.segments.len(),
            home: at.home,
            predicate,
        })?;
        let all = self.all.entry(at.text(&segment.ident));
        all.or_default().push(found);
        Some(())
    }

    fn constraints_in(&mut self, at: At<'p>, of: &'p PathSegment) {
        let PathArguments::AngleBracketed(arguments) = &of.arguments else {
            return;
        };
        for argument in &arguments.args {
            let name = match argument {
                GenericArgument::AssocType(one) => &one.ident,
                GenericArgument::Constraint(one) => &one.ident,
                _ => continue,
            };
            let meaning = Meaning::new(self.program, at.file, name, Some(at.text(&of.ident)));
            let all = self.constraints.entry(at.text(name));
            all.or_default().push((meaning, at.place(argument)));
        }
    }

    /// Returns the mentions of an associated type.
    pub(super) fn of<'u>(&'u self, wanted: Associated<'u>) -> impl Iterator<Item = &'u Use<'p>> {
        let all = self.all.get(wanted.name).into_iter().flatten();
        all.filter(move |one| one.meaning.may_be(wanted))
    }

    /// Returns the places where an associated type is constrained.
    pub(super) fn constraints<'u>(
        &'u self,
        wanted: Associated<'u>,
    ) -> impl Iterator<Item = &'u Place> {
        let all = self.constraints.get(wanted.name).into_iter().flatten();
        let all = all.filter(move |(meaning, _)| meaning.may_be(wanted));
        all.map(|(_, place)| place)
    }
}

/// An associated type that is looked for.
#[derive(Clone, Copy)]
pub(super) struct Associated<'p> {
    name: &'p str,
    of_trait: &'p str,
    /// The definition of the associated type in its trait, if the trait is one of the crate.
    definition: Option<DefId>,
}

impl<'p> Associated<'p> {
    /// Makes the query for an associated type by its name in the trait or in an impl of it.
    pub(super) fn new(
        program: &Program,
        file: SyntaxFile<'p>,
        name: &Ident,
        of_trait: &Ident,
    ) -> Self {
        Self {
            name: file.text(name),
            of_trait: file.text(of_trait),
            definition: Meaning::new(program, file, name, None).definition,
        }
    }
}

/// The definition that a mention of an associated type may mean.
struct Meaning<'p> {
    /// The definition of the associated type in its trait, or in an impl of another crate's trait.
    definition: Option<DefId>,
    is_outside: bool,
    /// The trait that stands before the name, as in `<T as Trait>::Item`.
    of_trait: Option<&'p str>,
}

impl<'p> Meaning<'p> {
    fn new(
        program: &Program,
        file: SyntaxFile<'_>,
        name: &Ident,
        of_trait: Option<&'p str>,
    ) -> Self {
        let model = program.model();
        let resolution = model.resolve_at(file.position(name));
        let definition = match resolution {
            Resolution::Certain(def) => Some(def),
            _ => None,
        };
        Self {
            definition: definition.map(|def| model.implemented_member(def).unwrap_or(def)),
            is_outside: resolution == Resolution::Outside,
            of_trait,
        }
    }

    fn may_be(&self, wanted: Associated<'_>) -> bool {
        let is_named = self.of_trait == Some(wanted.of_trait);
        match (self.definition, wanted.definition) {
            (Some(definition), Some(wanted)) => definition == wanted,
            _ if self.is_outside => is_named,
            _ => is_named || self.of_trait.is_none(),
        }
    }
}

impl Use<'_> {
    pub(super) fn is_within_impl(&self, block: &ItemImpl) -> bool {
        matches!(self.home, Home::Impl(one) if std::ptr::eq(one, block))
    }

    pub(super) fn put(&self, change: &mut Change<'_>, value: &str) {
        if self.is_prefix && !is_one_name(value) {
            change.replace(&self.place, &format!("<{value}>"));
        } else {
            change.replace(&self.place, value);
        }
    }
}
