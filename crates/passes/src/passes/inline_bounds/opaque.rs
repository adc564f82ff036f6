//! Writes generic parameters as `impl`: `fn f<T: A>(x: T)` becomes `fn f(x: impl A)`.

use super::{bounds_of, type_parameter};
use crate::passes::generics::{Index, OwnerKind, ParameterId, plain_name, predicates};
use crate::program::{Change, Place, Program, SyntaxFile};
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{Ident, Signature, Type, TypeParamBound, WherePredicate};

/// Returns one change for each parameter of a function that only the type of one of its inputs
/// mentions.
pub(super) fn changes(program: &Program, index: &Index<'_>) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (idx, owner) in index.owners.iter().enumerate() {
        let is_of_a_trait = |name| program.mentions().definition(name).is_some();
        let is_first = !owner.name.is_some_and(is_of_a_trait);
        if owner.signature.is_some() && is_first {
            let all = 0..owner.generics.params.len();
            found.extend(all.filter_map(|nth| change(program, index, (idx, nth))));
        }
    }
    found
}

/// Writes a function's parameter as `impl`, and with one of a trait's method those of its impls.
fn change(program: &Program, index: &Index<'_>, parameter: ParameterId) -> Option<EditSet> {
    let (owner, _) = index.declared(parameter);
    let ordinal = index.ordinal(parameter);
    let mut change = program.change();
    inline(index, parameter, &mut change)?;
    for &mention in program.mentions().of(owner.name?) {
        if let Some(member) = index.owner(mention) {
            let parameter = index.at_ordinal(member, ordinal)?;
            inline(index, parameter, &mut change)?;
        } else if let Some((file, argument)) = index.argument(mention, ordinal) {
            change.remove(&file.place(argument));
        }
    }
    change.finish()
}

fn inline(index: &Index<'_>, parameter: ParameterId, change: &mut Change<'_>) -> Option<()> {
    let (owner, one) = index.declared(parameter);
    let ty = type_parameter(one)?;
    let signature = owner.signature?;
    let mut inputs = Inputs::new(owner.file, &ty.ident);
    inputs.read(signature);
    let place = inputs.only()?;
    if n_other_mentions(index, parameter, owner.kind)? != 1 {
        return None;
    }
    let bounds = bounds_of(owner.generics, ty);
    let text = opaque(owner.file, &bounds)?;
    change.remove(&owner.file.place(one));
    let about = predicates(owner.generics).filter(|one| is_about(one, &ty.ident));
    for predicate in about {
        change.remove(&owner.file.place(predicate));
    }
    change.replace_type(&place, &text);
    Some(())
}

/// Counts the mentions of a function's parameter outside of the predicates about this parameter alone.
fn n_other_mentions(index: &Index<'_>, parameter: ParameterId, kind: OwnerKind) -> Option<usize> {
    let (owner, one) = index.declared(parameter);
    let ty = type_parameter(one)?;
    let is_function = matches!(kind, OwnerKind::Function | OwnerKind::TraitMember);
    let about = predicates(owner.generics).filter(|one| is_about(one, &ty.ident));
    let n_about = about.count();
    let n_all = index.mentions(parameter).count();
    is_function.then(|| n_all.saturating_sub(n_about))
}

fn is_about(predicate: &WherePredicate, name: &Ident) -> bool {
    matches!(predicate, WherePredicate::Type(one)
        if one.lifetimes.is_none()
            && plain_name(&one.bounded_ty) == Some(name))
}

/// Returns some bounds as the text `impl A + B`; `None` if none of them is known to be a trait.
fn opaque(file: SyntaxFile<'_>, bounds: &[&TypeParamBound]) -> Option<String> {
    let is_trait = |bound: &&TypeParamBound| matches!(bound, TypeParamBound::Trait(one) if one.maybe.is_none());
    if bounds.is_empty() {
        return Some("impl Sized".to_owned());
    }
    let texts: Vec<&str> = bounds.iter().map(|&bound| file.text(bound)).collect();
    let is_possible = bounds.iter().any(is_trait);
    is_possible.then(|| format!("impl {}", texts.join(" + ")))
}

/// Finds the inputs of a function whose types are nothing but a name.
struct Inputs<'n, 'p> {
    file: SyntaxFile<'p>,
    name: &'n Ident,
    found: Vec<Place>,
}

impl<'n, 'p> Inputs<'n, 'p> {
    fn new(file: SyntaxFile<'p>, name: &'n Ident) -> Self {
        Self {
            file,
            name,
            found: Vec::new(),
        }
    }

    fn read(&mut self, signature: &Signature) {
        for input in &signature.inputs {
            if let syn::FnArg::Typed(input) = input {
                self.visit_type(&input.ty);
            }
        }
    }

    fn only(mut self) -> Option<Place> {
        self.found.pop().filter(|_| self.found.is_empty())
    }
}

impl Visit<'_> for Inputs<'_, '_> {
    fn visit_type(&mut self, ty: &Type) {
        if plain_name(ty) == Some(self.name) {
            self.found.push(self.file.place(ty));
        }
        // An opaque type may not stand in these.
        if !matches!(
            ty,
            Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_)
        ) {
            visit::visit_type(self, ty);
        }
    }

    fn visit_qself(&mut self, _qself: &syn::QSelf) {}

    fn visit_expr(&mut self, _expression: &syn::Expr) {}
}
