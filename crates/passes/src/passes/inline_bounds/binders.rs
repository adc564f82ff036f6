//! Removes binders: `for<'a> fn(&'a u8)` becomes `fn(&u8)`, and `for<'a> A<'a>` becomes
//! `A<'static>`.

use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{BoundLifetimes, GenericParam, Lifetime, PathArguments};

/// Returns one change for each `for<..>`.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let of_file = |file: SyntaxFile<'_>| {
        let mut binders = Binders {
            file,
            open: Vec::new(),
            is_elidable: false,
            found: Vec::new(),
        };
        binders.visit_file(file.syntax);
        binders.found
    };
    let all = program.files().flat_map(of_file);
    all.filter_map(|one| change(program, &one)).collect()
}

struct Binder {
    place: Place,
    names: Vec<String>,
    /// Each mention of a lifetime that the binder declares, and whether it may be left out.
    mentions: Vec<(Place, bool)>,
}

fn change(program: &Program, binder: &Binder) -> Option<EditSet> {
    let mut change = program.change();
    change.delete(&binder.place);
    for (place, is_elidable) in &binder.mentions {
        change.replace(place, if *is_elidable { "" } else { "'static" });
    }
    change.finish()
}

struct Binders<'p> {
    file: SyntaxFile<'p>,
    /// The binders around the visited syntax, outermost first.
    open: Vec<Binder>,
    /// Whether the visited code is in the arguments of a function's type, where lifetimes may be left out.
    is_elidable: bool,
    found: Vec<Binder>,
}

impl<'p> Binders<'p> {
    fn binder(&mut self, lifetimes: Option<&BoundLifetimes>, walk: impl FnOnce(&mut Self)) {
        let Some(lifetimes) = lifetimes else {
            return walk(self);
        };
        let names = lifetimes.lifetimes.iter().filter_map(|one| match one {
            GenericParam::Lifetime(one) => Some(one.lifetime.ident.to_string()),
            _ => None,
        });
        self.open.push(Binder {
            place: self.file.place(lifetimes),
            names: names.collect(),
            mentions: Vec::new(),
        });
        walk(self);
        self.found.extend(self.open.pop());
    }

    fn elidable(&mut self, is_elidable: bool, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_elidable, is_elidable);
        walk(self);
        self.is_elidable = outer;
    }

    fn mention(&mut self, lifetime: &Lifetime, is_elidable: bool) {
        let place = self.file.place_of(lifetime.span());
        let name = lifetime.ident.to_string();
        let mut around = self.open.iter_mut().rev();
        if let Some(binder) = around.find(|one| one.names.contains(&name)) {
            binder.mentions.push((place, is_elidable));
        }
    }
}

impl<'p> Visit<'p> for Binders<'p> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_bound_lifetimes(&mut self, _lifetimes: &'p BoundLifetimes) {}

    fn visit_trait_bound(&mut self, bound: &'p syn::TraitBound) {
        self.binder(bound.lifetimes.as_ref(), |inside| {
            inside.elidable(false, |inside| inside.visit_path(&bound.path));
        });
    }

    fn visit_predicate_type(&mut self, predicate: &'p syn::PredicateType) {
        self.binder(predicate.lifetimes.as_ref(), |inside| {
            inside.elidable(false, |inside| {
                visit::visit_predicate_type(inside, predicate);
            });
        });
    }

    fn visit_type_fn_ptr(&mut self, pointer: &'p syn::TypeFnPtr) {
        self.binder(pointer.lifetimes.as_ref(), |inside| {
            inside.elidable(true, |inside| visit::visit_type_fn_ptr(inside, pointer));
        });
    }

    fn visit_expr_closure(&mut self, closure: &'p syn::ExprClosure) {
        self.binder(closure.lifetimes.as_ref(), |inside| {
            inside.elidable(true, |inside| visit::visit_expr_closure(inside, closure));
        });
    }

    fn visit_path_arguments(&mut self, arguments: &'p PathArguments) {
        let is_function = matches!(arguments, PathArguments::Parenthesized(_));
        self.elidable(is_function, |inside| {
            visit::visit_path_arguments(inside, arguments);
        });
    }

    fn visit_type_reference(&mut self, reference: &'p syn::TypeReference) {
        if let Some(lifetime) = &reference.lifetime {
            self.mention(lifetime, self.is_elidable);
        }
        self.visit_type(&reference.elem);
    }

    fn visit_lifetime(&mut self, lifetime: &'p Lifetime) {
        self.mention(lifetime, false);
    }
}
