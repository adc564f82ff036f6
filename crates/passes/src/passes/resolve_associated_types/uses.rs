//! Where associated types are mentioned.

use crate::passes::generics::last_name;
use crate::program::{Change, Place, Program, SyntaxFile};
use reduce_syntax::is_one_name;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{ItemImpl, ItemTrait, Path, PathArguments, QSelf};

/// `Self::Item`, `T::Item` or `<T as Trait>::Item`.
pub(super) struct Use<'p> {
    pub(super) place: Place,
    /// What stands for the type that has it.
    pub(super) subject: &'p str,
    of_trait: Option<String>,
    /// The path goes on.
    is_prefix: bool,
    pub(super) within: Within<'p>,
    /// The predicate that is about it and nothing else.
    pub(super) predicate: Option<Place>,
}

/// What `Self` is.
#[derive(Clone, Copy)]
pub(super) enum Within<'p> {
    Impl(&'p ItemImpl),
    Trait,
    Nothing,
}

/// All mentions, by the name of the associated type.
#[derive(Default)]
pub(super) struct Uses<'p> {
    all: HashMap<String, Vec<Use<'p>>>,
    /// `Trait<Item = u8>`: the trait's name and where the constraint stands.
    constraints: HashMap<String, Vec<(String, Place)>>,
}

impl<'p> Uses<'p> {
    pub(super) fn of(program: &'p Program<'_>) -> Self {
        let mut uses = Self::default();
        for file in program.files() {
            let mut walk = UsesWalk {
                file,
                within: Within::Nothing,
                predicate: None,
                uses: &mut uses,
            };
            walk.visit_file(file.syntax);
        }
        uses
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
        matches!(&self.within, Within::Impl(one) if std::ptr::eq(*one, block))
    }

    pub(super) fn put(&self, change: &mut Change<'_, '_>, value: &str) {
        if self.is_prefix && !is_one_name(value) {
            change.replace(&self.place, &format!("<{value}>"));
        } else {
            change.replace(&self.place, value);
        }
    }
}

struct UsesWalk<'p, 'u> {
    file: SyntaxFile<'p>,
    within: Within<'p>,
    predicate: Option<Place>,
    uses: &'u mut Uses<'p>,
}

impl<'p> UsesWalk<'p, '_> {
    fn within(&mut self, within: Within<'p>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.within, within);
        walk(self);
        self.within = outer;
    }

    /// The name after the trait, or after the first name of a path, may be that of an associated type.
    fn path(&mut self, qself: Option<&'p QSelf>, path: &'p Path) -> Option<()> {
        let (start, at, subject, of_trait) = match qself {
            Some(qself) => {
                let of_trait = qself.position.checked_sub(1);
                let of_trait = of_trait.and_then(|idx| path.segments.get(idx));
                let of_trait = of_trait.map(|segment| segment.ident.to_string());
                let start = self.file.place(&qself.lt_token);
                (start, qself.position, self.file.text(&qself.ty), of_trait)
            }
            None => {
                let first = path.segments.first()?;
                let is_name = path.leading_colon.is_none() && first.arguments.is_none();
                let start = self.file.place(first);
                is_name.then(|| (start, 1, self.file.text(first), None))?
            }
        };
        let segment = path.segments.get(at)?;
        let end = self.file.place(segment).1.end;
        let found = segment.arguments.is_none().then(|| Use {
            place: (start.0, start.1.start..end),
            subject,
            of_trait,
            is_prefix: at + 1 < path.segments.len(),
            within: self.within,
            predicate: self.predicate.take(),
        })?;
        let all = self.uses.all.entry(segment.ident.to_string());
        all.or_default().push(found);
        Some(())
    }
}

impl<'p> Visit<'p> for UsesWalk<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_item_impl(&mut self, block: &'p ItemImpl) {
        self.within(Within::Impl(block), |inside| {
            visit::visit_item_impl(inside, block);
        });
    }

    fn visit_item_trait(&mut self, definition: &'p ItemTrait) {
        self.within(Within::Trait, |inside| {
            visit::visit_item_trait(inside, definition);
        });
    }

    fn visit_type_path(&mut self, ty: &'p syn::TypePath) {
        self.path(ty.qself.as_ref(), &ty.path);
        self.predicate = None;
        visit::visit_type_path(self, ty);
    }

    /// The last name of an expression's path is no type.
    fn visit_expr_path(&mut self, expression: &'p syn::ExprPath) {
        let at = expression.qself.as_ref().map_or(1, |qself| qself.position);
        if at + 1 < expression.path.segments.len() {
            self.path(expression.qself.as_ref(), &expression.path);
        }
        visit::visit_expr_path(self, expression);
    }

    fn visit_predicate_type(&mut self, predicate: &'p syn::PredicateType) {
        self.predicate = Some(self.file.place(predicate));
        self.visit_type(&predicate.bounded_ty);
        self.predicate = None;
        for bound in &predicate.bounds {
            self.visit_type_param_bound(bound);
        }
    }

    fn visit_type(&mut self, ty: &'p syn::Type) {
        if !matches!(ty, syn::Type::Path(_)) {
            self.predicate = None;
        }
        visit::visit_type(self, ty);
    }

    fn visit_path(&mut self, path: &'p Path) {
        let last = path.segments.last();
        if let (Some(of), Some(PathArguments::AngleBracketed(arguments))) =
            (last_name(path), last.map(|segment| &segment.arguments))
        {
            for argument in &arguments.args {
                let name = match argument {
                    syn::GenericArgument::AssocType(one) => &one.ident,
                    syn::GenericArgument::Constraint(one) => &one.ident,
                    _ => continue,
                };
                let constraint = (of.to_string(), self.file.place(argument));
                let all = self.uses.constraints.entry(name.to_string());
                all.or_default().push(constraint);
            }
        }
        visit::visit_path(self, path);
    }
}
