//! Reads the elements that a loop goes through, where all of them are written: lists, ranges of
//! numbers, and those methods of iterators that change no element.

use crate::passes::expressions::literals::{integer, is_made_of_literals};
use crate::precedence::as_prefixed;
use crate::program::{Program, SyntaxFile};
use reduce_syntax::TokenCursor;
use syn::{Expr, ExprRange, Lit, LitInt, RangeLimits};

/// The list that a loop goes through, and the way in which the loop gets the elements.
#[derive(Clone, Copy)]
pub(super) struct Way<'e> {
    /// The list that the loop goes through, or the variable that holds it.
    pub(super) source: &'e Expr,
    pub(super) giving: Giving,
    is_enumerated: bool,
}

/// The operation on each element of a list before a loop gets it: a borrow, a copy, a clone, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Giving {
    Nothing,
    Lending,
    Copying,
    /// Each element of the list is cloned, by code that may do anything.
    Cloning,
}

impl<'e> Way<'e> {
    /// Reads the way in which a loop goes through all elements in their order; `None` for another
    /// way.
    pub(super) fn of(all: &'e Expr) -> Option<Self> {
        match all {
            Expr::Paren(inner) => Self::of(&inner.expr),
            Expr::Reference(one) if one.mutability.is_none() => {
                Self::of(&one.expr)?.then(Giving::Lending)
            }
            Expr::MethodCall(call) if call.args.is_empty() => {
                Self::of(&call.receiver)?.called(&call.method.to_string())
            }
            source => Some(Self {
                source,
                giving: Giving::Nothing,
                is_enumerated: false,
            }),
        }
    }

    fn called(self, method: &str) -> Option<Self> {
        match method {
            "into_iter" => Some(self),
            "iter" => self.then(Giving::Lending),
            "copied" if self.giving == Giving::Lending => self.then(Giving::Copying),
            "cloned" if self.giving == Giving::Lending => self.then(Giving::Cloning),
            "enumerate" if !self.is_enumerated => Some(Self {
                is_enumerated: true,
                ..self
            }),
            _ => None,
        }
    }

    fn then(self, giving: Giving) -> Option<Self> {
        let is_done = matches!(self.giving, Giving::Copying | Giving::Cloning);
        (!is_done && !self.is_enumerated).then_some(Self { giving, ..self })
    }

    /// Changes this way of iteration so that the loop gets a reference to each element, as `&list` does.
    pub(super) fn lending(self) -> Self {
        let giving = Giving::Lending;
        Self { giving, ..self }
    }

    /// Returns an element as the loop gets it, such as `&x` where the loop borrows, or `(0usize, x)` where it counts.
    pub(super) fn given(self, idx: usize, element: &str) -> String {
        let value = match self.giving {
            Giving::Lending => format!("&{}", as_prefixed(element)),
            _ => element.to_owned(),
        };
        match self.is_enumerated {
            true => format!("({idx}usize, {value})"),
            false => value,
        }
    }
}

/// Returns the elements that a loop over `all` goes through, each as the loop gets it, if all of them are written out.
pub(crate) fn gone_through(
    program: &Program,
    file: SyntaxFile<'_>,
    all: &Expr,
) -> Option<Vec<String>> {
    let way = Way::of(all)?;
    if let Expr::Range(range) = way.source {
        return of_range(way, range);
    }
    let elements = elements(program, file, way.source)?;
    if way.giving == Giving::Cloning && !elements.iter().all(|element| is_made_of_literals(element))
    {
        return None;
    }
    let numbered = elements.iter().enumerate();
    let given = numbered.map(|(idx, element)| way.given(idx, file.text(*element)));
    Some(given.collect())
}

/// Returns the elements of a list that is written out, such as `[a]`, `vec![a]` or `once(a)`.
pub(super) fn elements<'p>(
    program: &'p Program,
    file: SyntaxFile<'p>,
    list: &'p Expr,
) -> Option<Vec<&'p Expr>> {
    match list {
        Expr::Array(_) | Expr::Macro(_) => Some(program.listed(file, list)?.iter().collect()),
        Expr::Call(call) => {
            let name: String = file.text(&*call.func).split_whitespace().collect();
            let is_once = matches!(name.as_str(), "std::iter::once" | "core::iter::once");
            is_once.then(|| call.args.iter().collect())
        }
        _ => None,
    }
}

/// Returns the numbers of a short range.
fn of_range(way: Way<'_>, range: &ExprRange) -> Option<Vec<String>> {
    let (start, end) = (
        integer(range.start.as_deref()?)?,
        integer(range.end.as_deref()?)?,
    );
    let suffix = match start.suffix() {
        "" => end.suffix(),
        suffix => suffix,
    };
    let (first, last) = (number(start)?, number(end)?);
    let end = match range.limits {
        RangeLimits::HalfOpen(_) => last,
        RangeLimits::Closed(_) => last.checked_add(1)?,
    };
    let is_short = way.giving == Giving::Nothing && end.checked_sub(first)? <= 2;
    let numbers = is_short.then_some(first..end)?.enumerate();
    let elements = numbers.map(|(idx, number)| way.given(idx, &format!("{number}{suffix}")));
    Some(elements.collect())
}

fn number(literal: &LitInt) -> Option<u64> {
    literal.base10_parse().ok()
}

/// Whether a text is a value of literals: it names nothing, and evaluates nothing that could be
/// missed.
pub(super) fn is_literal_text(text: &str) -> bool {
    syn::parse_str(text).is_ok_and(|value| is_made_of_literals(&value))
}

/// Returns the types that the numbers of a text say they have, in order; empty ones where they say none.
pub(super) fn suffixes(text: &str) -> Vec<String> {
    let cursor = TokenCursor::new(text);
    let literals = cursor.indices().filter_map(|idx| {
        let literal: Lit = syn::parse_str(cursor.word(idx)).ok()?;
        match literal {
            Lit::Int(int) => Some(int.suffix().to_owned()),
            Lit::Float(float) => Some(float.suffix().to_owned()),
            _ => None,
        }
    });
    literals.collect()
}
