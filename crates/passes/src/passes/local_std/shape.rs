//! Writes the generic parameters of a local type or trait, as many as its mentions give arguments for.

use super::arguments::Argument;
use super::uses::Mention;

/// The numbers and kinds of the generic parameters that a local type or trait has.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) n_lifetimes: usize,
    pub(super) others: Vec<Argument>,
    /// Whether some mentions have fewer arguments than others, so that a parameter needs a default.
    pub(super) has_default: bool,
}

impl Shape {
    /// Makes a shape of `n` type parameters that have a size.
    pub(super) fn of_types(n: usize) -> Self {
        Self {
            n_lifetimes: 0,
            others: vec![Argument::Type; n],
            has_default: false,
        }
    }

    /// Returns the shape that fits all mentions of an item: as many parameters as one of them has arguments at most.
    pub(super) fn of(mentions: &[Mention<'_>]) -> Self {
        let all = || mentions.iter().map(|one| &one.arguments);
        let n_others = all().map(|one| one.others.len()).max().unwrap_or(0);
        let nth = |idx: usize| all().filter_map(move |one| one.others.get(idx)).max();
        Self {
            n_lifetimes: all().map(|one| one.n_lifetimes).max().unwrap_or(0),
            others: (0..n_others).filter_map(nth).copied().collect(),
            has_default: all().any(|one| one.others.len() < n_others),
        }
    }

    /// Returns the shape with type parameters that need no size (`?Sized`).
    pub(super) fn unsized_types(mut self) -> Self {
        for one in &mut self.others {
            *one = match *one {
                Argument::Type => Argument::Unsized,
                other => other,
            };
        }
        self
    }

    /// Returns the names of the parameters, such as `<'a, T, N>`, or nothing.
    pub(super) fn arguments(&self) -> String {
        bracketed(self.listed(|name, _| name))
    }

    /// Returns the declarations of the parameters, such as `<'a, T: ?Sized, const N: usize>`, or nothing. `default`
    /// is what the last type is where nothing is said.
    pub(super) fn parameters(&self, default: Option<&str>) -> String {
        let default = default.map_or_else(String::new, |ty| format!(" = {ty}"));
        let last = self.others.len().saturating_sub(1);
        bracketed(self.listed(|name, idx| {
            let default = if idx == last { default.as_str() } else { "" };
            match self.others[idx] {
                Argument::Type => format!("{name}{default}"),
                Argument::Unsized => format!("{name}: ?Sized{default}"),
                Argument::Const => format!("const {name}: usize"),
            }
        }))
    }

    /// Returns the names of the lifetimes, and a text for each other parameter, made of its name and index.
    fn listed(&self, text: impl Fn(String, usize) -> String) -> Vec<String> {
        let others = (0..self.others.len()).map(|idx| text(self.name(idx), idx));
        (0..self.n_lifetimes).map(lifetime).chain(others).collect()
    }

    /// Returns the types of fields that mention each lifetime and type parameter: `&'a T` where there is a lifetime,
    /// `*const T` for a type without a size.
    pub(super) fn fields(&self) -> Vec<String> {
        let is_type = |idx: &usize| self.others[*idx] != Argument::Const;
        let types: Vec<usize> = (0..self.others.len()).filter(is_type).collect();
        let field = |nth: usize| {
            let ty = types.get(nth);
            let name = ty.map_or_else(|| "()".to_owned(), |&idx| self.name(idx));
            match nth < self.n_lifetimes {
                true => format!("&{} {name}", lifetime(nth)),
                false if ty.is_some_and(|&idx| self.others[idx] == Argument::Unsized) => {
                    format!("*const {name}")
                }
                false => name,
            }
        };
        (0..self.n_lifetimes.max(types.len())).map(field).collect()
    }

    /// Returns the name of the only parameter, if that is a type that has a size.
    pub(super) fn only_type(&self) -> Option<String> {
        (self.others == [Argument::Type]).then(|| self.name(0))
    }

    /// Returns the name of the parameter with this index, of those that are no lifetimes.
    pub(super) fn name(&self, idx: usize) -> String {
        let is_const = self.others[idx] == Argument::Const;
        let before = self.others[..idx].iter();
        let nth = before.filter(|one| (**one == Argument::Const) == is_const);
        letter(if is_const { "NM" } else { "TUVW" }, nth.count())
    }
}

fn lifetime(nth: usize) -> String {
    format!("'{}", letter("abc", nth))
}

/// Returns the letter of a number; where the letters do not suffice, the first with the number.
fn letter(letters: &str, nth: usize) -> String {
    match letters.get(nth..=nth) {
        Some(letter) => letter.to_owned(),
        None => format!("{}{nth}", &letters[..1]),
    }
}

/// Writes a list in angle brackets, unless it is empty.
pub(super) fn bracketed(all: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = all.into_iter().collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("<{}>", all.join(", ")),
    }
}
