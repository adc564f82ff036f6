//! Knows the variables that can be named where an expression stands.

use syn::Ident;

/// The most variables of a type that are tried; more are hardly ever needed.
const MOST_TYPED: usize = 2;

/// The variables around an expression in the order of their declaration.
#[derive(Default)]
pub(super) struct Scope {
    declared: Vec<(String, Option<String>)>,
}

impl Scope {
    pub(super) fn declare(&mut self, name: String, ty: Option<&str>) {
        self.declared.push((name, ty.map(str::to_owned)));
    }

    pub(super) fn len(&self) -> usize {
        self.declared.len()
    }

    /// Forgets all variables but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.declared.truncate(len);
    }

    /// Returns the names of the first variables whose type is known.
    pub(super) fn typed(&self) -> impl Iterator<Item = &str> {
        let typed = self.declared.iter().filter(|(_, ty)| ty.is_some());
        typed.map(|(name, _)| name.as_str()).take(MOST_TYPED)
    }

    /// Returns the first variable of a type, unless it is `except`, or is shadowed.
    pub(super) fn of_type(&self, ty: &str, except: Option<&Ident>) -> Option<String> {
        let is_of_type = |(_, other): &&(String, Option<String>)| other.as_deref() == Some(ty);
        let (name, _) = self.declared.iter().find(is_of_type)?;
        let is_it = self.declared.iter().rev().find(|(other, _)| other == name);
        let is_visible = is_it.is_some_and(|it| it.1.as_deref() == Some(ty));
        let is_another = except.is_none_or(|except| *except != name);
        (is_visible && is_another).then(|| name.clone())
    }
}
