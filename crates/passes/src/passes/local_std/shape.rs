//! The generic parameters of a local type or trait, as many as its mentions give arguments for.

use super::found::Use;
use super::reader::Argument;

/// How many parameters there are, and of which kinds.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) n_lifetimes: usize,
    pub(super) others: Vec<Argument>,
    /// Some mention has fewer arguments.
    pub(super) has_default: bool,
}

impl Shape {
    /// So many types that have a size.
    pub(super) fn of_types(n: usize) -> Self {
        Self {
            n_lifetimes: 0,
            others: vec![Argument::Type; n],
            has_default: false,
        }
    }

    /// What all mentions have in common.
    pub(super) fn of(uses: &[Use]) -> Self {
        let mut shape = Self::of_types(0);
        for one in uses {
            shape.n_lifetimes = shape.n_lifetimes.max(one.arguments.n_lifetimes);
            for (idx, argument) in one.arguments.others.iter().enumerate() {
                match shape.others.get_mut(idx) {
                    Some(known) => *known = (*known).max(*argument),
                    None => shape.others.push(*argument),
                }
            }
        }
        let n_others = shape.others.len();
        let n_of = |one: &Use| one.arguments.others.len();
        shape.has_default = uses.iter().any(|one| n_of(one) < n_others);
        shape
    }

    /// The same for types without a size.
    pub(super) fn unsized_types(&self) -> Self {
        let unsize = |one: &Argument| match one {
            Argument::Type => Argument::Unsized,
            other => *other,
        };
        Self {
            others: self.others.iter().map(unsize).collect(),
            ..self.clone()
        }
    }

    /// The names of the parameters, such as `<'a, T, N>`, or nothing.
    pub(super) fn arguments(&self) -> String {
        let lifetimes = (0..self.n_lifetimes).map(lifetime);
        let others = self
            .others
            .iter()
            .enumerate()
            .map(|(idx, _)| self.name(idx));
        bracketed(lifetimes.chain(others))
    }

    /// Their declarations, such as `<'a, T: ?Sized, const N: usize>`, or nothing. `default` is what
    /// the last type is where nothing is said.
    pub(super) fn parameters(&self, default: Option<&str>) -> String {
        let lifetimes = (0..self.n_lifetimes).map(lifetime);
        let last = self.others.len().saturating_sub(1);
        let others = self.others.iter().enumerate().map(|(idx, kind)| {
            let name = self.name(idx);
            let default = default.filter(|_| idx == last && *kind != Argument::Const);
            let default = default.map_or_else(String::new, |ty| format!(" = {ty}"));
            match kind {
                Argument::Type => format!("{name}{default}"),
                Argument::Unsized => format!("{name}: ?Sized{default}"),
                Argument::Const => format!("const {name}: usize"),
            }
        });
        bracketed(lifetimes.chain(others))
    }

    /// Fields that mention each lifetime and type: a reference where there is a lifetime, a pointer
    /// to what has no size.
    pub(super) fn fields(&self) -> Vec<String> {
        let is_type = |one: &(usize, &Argument)| *one.1 != Argument::Const;
        let types: Vec<(usize, &Argument)> =
            self.others.iter().enumerate().filter(is_type).collect();
        let field = |nth: usize| {
            let ty = types.get(nth).map(|(idx, kind)| (self.name(*idx), **kind));
            match (nth < self.n_lifetimes, ty) {
                (true, Some((name, _))) => format!("&{} {name}", lifetime(nth)),
                (true, None) => format!("&{} ()", lifetime(nth)),
                (false, Some((name, Argument::Unsized))) => format!("*const {name}"),
                (false, Some((name, _))) => name,
                (false, None) => "()".to_owned(),
            }
        };
        (0..self.n_lifetimes.max(types.len())).map(field).collect()
    }

    /// The type that is the only parameter, if it has a size.
    pub(super) fn only_type(&self) -> Option<String> {
        (self.others == [Argument::Type]).then(|| self.name(0))
    }

    fn name(&self, idx: usize) -> String {
        let is_const = self.others.get(idx) == Some(&Argument::Const);
        let names: &[&str] = match is_const {
            true => &["N", "M"],
            false => &["T", "U", "V", "W"],
        };
        let is_alike = |one: &&Argument| (**one == Argument::Const) == is_const;
        let nth = self.others.iter().take(idx).filter(is_alike).count();
        let known = names.get(nth).map(|name| (*name).to_owned());
        known.unwrap_or_else(|| format!("{}{nth}", names.first().unwrap_or(&"T")))
    }
}

fn lifetime(nth: usize) -> String {
    match ["'a", "'b", "'c"].get(nth) {
        Some(name) => (*name).to_owned(),
        None => format!("'a{nth}"),
    }
}

/// A list in angle brackets, unless it is empty.
pub(super) fn bracketed(all: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = all.into_iter().collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("<{}>", all.join(", ")),
    }
}
