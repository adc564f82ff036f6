//! Where associated types are mentioned.

use crate::program::{Change, Place, Program};
use crate::visit::{self, At, Home, Node};
use reduce_syntax::is_one_name;
use std::collections::HashMap;
use syn::{
    Expr, GenericArgument, ItemImpl, Path, PathArguments, PathSegment, QSelf, Type, WherePredicate,
};

/// `Self::Item`, `T::Item` or `<T as Trait>::Item`.
pub(super) struct Use<'p> {
    pub(super) place: Place,
    /// What stands for the type that has it.
    pub(super) subject: &'p str,
    of_trait: Option<String>,
    /// The path goes on.
    is_prefix: bool,
    /// What `Self` is.
    pub(super) home: Home<'p>,
    /// The predicate that is about it and nothing else.
    pub(super) predicate: Option<Place>,
}

/// All mentions, by the name of the associated type.
#[derive(Default)]
pub(super) struct Uses<'p> {
    all: HashMap<String, Vec<Use<'p>>>,
    /// `Trait<Item = u8>`: the trait's name and where the constraint stands.
    constraints: HashMap<String, Vec<(String, Place)>>,
}

impl<'p> Uses<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut uses = Self::default();
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

    /// The name after the trait, or after the first name of a path, may be that of an associated type.
    fn path(
        &mut self,
        at: At<'p>,
        qself: Option<&QSelf>,
        path: &Path,
        predicate: Option<Place>,
    ) -> Option<()> {
        let (start, idx, subject, of_trait) = match qself {
            Some(qself) => {
                let of_trait = qself.position.checked_sub(1);
                let of_trait = of_trait.and_then(|idx| path.segments.get(idx));
                let of_trait = of_trait.map(|segment| segment.ident.to_string());
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
            of_trait,
            is_prefix: idx + 1 < path.segments.len(),
            home: at.home,
            predicate,
        })?;
        let all = self.all.entry(segment.ident.to_string());
        all.or_default().push(found);
        Some(())
    }

    fn constraints_in(&mut self, at: At<'_>, of: &PathSegment) {
        let PathArguments::AngleBracketed(arguments) = &of.arguments else {
            return;
        };
        for argument in &arguments.args {
            let name = match argument {
                GenericArgument::AssocType(one) => &one.ident,
                GenericArgument::Constraint(one) => &one.ident,
                _ => continue,
            };
            let all = self.constraints.entry(name.to_string());
            all.or_default()
                .push((of.ident.to_string(), at.place(argument)));
        }
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Use<'p>> {
        self.all.get(name).into_iter().flatten()
    }

    pub(super) fn constraints(&self, name: &str) -> impl Iterator<Item = &(String, Place)> {
        self.constraints.get(name).into_iter().flatten()
    }
}

impl Use<'_> {
    /// Whether it says nothing of another trait.
    pub(super) fn may_be_of(&self, trait_name: &str) -> bool {
        self.of_trait.as_ref().is_none_or(|name| name == trait_name)
    }

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
