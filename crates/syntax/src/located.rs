//! The first and the last token of each kind of syntax. syn finds them by printing the syntax, which costs as much as it is long:
//! a walk that asks for the place of a function, of its block, and of each statement and expression in it prints every token as
//! often as it is deep. [`Located`] looks only at the fields with which syntax can begin and end.
//!
//! Places are those that `syn::spanned::Spanned` gives, so they follow the order in which syn prints fields, and leave out what it
//! does not print, such as the attributes of types. `tests/located.rs` compares the two.

mod expressions;
mod nodes;
mod tokens;

use proc_macro2::Span;
use syn::punctuated::{Pair, Punctuated};
use syn::spanned::Spanned;
use syn::{AttrStyle, Attribute};

/// Syntax with a first and a last token.
pub trait Located {
    /// Returns the place of the first token, or that of its opening bracket; `None` if there are no tokens.
    fn first_span(&self) -> Option<Span>;

    /// Returns the place of the last token, or that of its closing bracket; `None` if there are no tokens.
    fn last_span(&self) -> Option<Span>;
}

/// Implements [`Located`] for structs of syn. Lists the fields with which one can begin or end, in the order of their tokens; `..`
/// stands for fields between them.
macro_rules! structs {
    ($($node:ident { $($($field:ident).+),+ $(, .. $(, $($last:ident).+)+)? })+) => { $(
        impl Located for syn::$node {
            fn first_span(&self) -> Option<Span> {
                structs!(@first self; $($($field).+),+ $($(, $($last).+)+)?)
            }

            fn last_span(&self) -> Option<Span> {
                structs!(@last self; $($($field).+),+ $($(, $($last).+)+)?)
            }
        }
    )+ };
    (@first $node:ident; $($field:ident).+) => { $node.$($field).+.first_span() };
    (@first $node:ident; $($field:ident).+, $($($later:ident).+),+) => {
        $node.$($field).+.first_span().or_else(|| structs!(@first $node; $($($later).+),+))
    };
    (@last $node:ident; $($field:ident).+) => { $node.$($field).+.last_span() };
    (@last $node:ident; $($field:ident).+, $($($later:ident).+),+) => {
        structs!(@last $node; $($($later).+),+).or_else(|| $node.$($field).+.last_span())
    };
}
use structs;

/// Implements [`Located`] for enums of syn. Lists the variants with one value, and after `;` what becomes of others.
macro_rules! enums {
    ($($node:ident { $($variant:ident),+ $(; $other:pat => $span:expr)? })+) => { $(
        impl Located for syn::$node {
            fn first_span(&self) -> Option<Span> {
                match self {
                    $(Self::$variant(one) => one.first_span(),)+
                    $($other => $span,)?
                }
            }

            fn last_span(&self) -> Option<Span> {
                match self {
                    $(Self::$variant(one) => one.last_span(),)+
                    $($other => $span,)?
                }
            }
        }
    )+ };
}
use enums;

/// Returns the place of some syntax of a kind that syn may add, as syn finds it.
fn printed(syntax: &impl Spanned) -> Option<Span> {
    Some(syntax.span())
}

/// Only the outer attributes: the inner ones stand within the syntax that they belong to.
impl Located for Vec<Attribute> {
    fn first_span(&self) -> Option<Span> {
        self.iter().find(|one| is_outer(one))?.first_span()
    }

    fn last_span(&self) -> Option<Span> {
        self.iter().rfind(|one| is_outer(one))?.last_span()
    }
}

fn is_outer(attribute: &Attribute) -> bool {
    matches!(attribute.style, AttrStyle::Outer)
}

impl<T: Located, P: Located> Located for Punctuated<T, P> {
    fn first_span(&self) -> Option<Span> {
        let mut pairs = self.pairs();
        pairs.find_map(|pair| (pair.value().first_span()).or_else(|| pair.punct()?.first_span()))
    }

    fn last_span(&self) -> Option<Span> {
        let last = |pair: Pair<&T, &P>| {
            let (value, punct) = pair.into_tuple();
            punct
                .and_then(Located::last_span)
                .or_else(|| value.last_span())
        };
        self.pairs().rev().find_map(last)
    }
}

impl<T: Located + ?Sized> Located for &T {
    fn first_span(&self) -> Option<Span> {
        (**self).first_span()
    }

    fn last_span(&self) -> Option<Span> {
        (**self).last_span()
    }
}

impl<T: Located + ?Sized> Located for Box<T> {
    fn first_span(&self) -> Option<Span> {
        (**self).first_span()
    }

    fn last_span(&self) -> Option<Span> {
        (**self).last_span()
    }
}

impl<T: Located> Located for Option<T> {
    fn first_span(&self) -> Option<Span> {
        self.as_ref()?.first_span()
    }

    fn last_span(&self) -> Option<Span> {
        self.as_ref()?.last_span()
    }
}

impl<A: Located, B: Located> Located for (A, B) {
    fn first_span(&self) -> Option<Span> {
        self.0.first_span().or_else(|| self.1.first_span())
    }

    fn last_span(&self) -> Option<Span> {
        self.1.last_span().or_else(|| self.0.last_span())
    }
}
