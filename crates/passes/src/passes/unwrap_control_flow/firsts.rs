//! Computes the first or last value that a loop is given, as far as the program spells it out: lists
//! and ranges, and what adapters of iterators make of them.

use crate::passes::expressions::literals::integer;
use crate::precedence::as_prefixed;
use crate::program::{Program, SyntaxFile};
use syn::{Expr, ExprMethodCall, ExprRange, RangeLimits};

/// Says whether the first or the last value of a list is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// A value that a loop over a list gets.
#[derive(Clone)]
enum Value {
    Owned(String),
    /// An element that is borrowed, with the operator (such as `&`) before it.
    Borrowed(&'static str, String),
}

impl Value {
    fn text(self) -> String {
        match self {
            Self::Owned(text) => text,
            Self::Borrowed(operator, text) => format!("{operator}{}", as_prefixed(&text)),
        }
    }

    /// Returns the value as an iterator over references gives it, with a borrow operator such as `&`.
    fn borrowed(self, operator: &'static str) -> Self {
        match self {
            Self::Owned(text) => Self::Borrowed(operator, text),
            borrowed @ Self::Borrowed(..) => borrowed,
        }
    }

    fn owned(self) -> Self {
        match self {
            Self::Borrowed(_, text) | Self::Owned(text) => Self::Owned(text),
        }
    }
}

/// Returns the first or the last of the values that a loop goes through, exactly as the loop would get it; `None`
/// where it is not known.
pub(super) fn value_of(
    program: &Program,
    file: SyntaxFile<'_>,
    all: &Expr,
    end: End,
) -> Option<String> {
    let values = Values { program, file, end };
    Some(values.of(all)?.text())
}

struct Values<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    end: End,
}

impl Values<'_> {
    fn of(&self, all: &Expr) -> Option<Value> {
        match all {
            Expr::Repeat(repeat) => Some(self.owned(&repeat.expr)),
            Expr::Array(_) | Expr::Macro(_) => {
                self.one_of(self.program.listed(self.file, all)?.iter())
            }
            Expr::Range(range) => self.of_range(range),
            Expr::Reference(one) => {
                let operator = one.mutability.map_or("&", |_| "&mut ");
                Some(self.of(&one.expr)?.borrowed(operator))
            }
            Expr::Paren(inner) => self.of(&inner.expr),
            Expr::MethodCall(call) => self.adapted(call),
            _ => None,
        }
    }

    fn owned(&self, value: &Expr) -> Value {
        Value::Owned(self.file.text(value).to_owned())
    }

    fn one_of<'e>(&self, mut all: impl DoubleEndedIterator<Item = &'e Expr>) -> Option<Value> {
        let one = match self.end {
            End::First => all.next(),
            End::Last => all.next_back(),
        };
        Some(self.owned(one?))
    }

    /// Returns the first or the last value of a range; the last one is known if the range ends with a number.
    fn of_range(&self, range: &ExprRange) -> Option<Value> {
        let start = range.start.as_deref()?;
        if self.end == End::First {
            return Some(self.owned(start));
        }
        let end = integer(range.end.as_deref()?)?;
        let last: u128 = end.base10_parse().ok()?;
        let last = match range.limits {
            RangeLimits::Closed(_) => last,
            RangeLimits::HalfOpen(_) => last.checked_sub(1)?,
        };
        let suffix = match (end.suffix(), integer(start)) {
            ("", Some(start)) => start.suffix(),
            (suffix, _) => suffix,
        };
        Some(Value::Owned(format!("{last}{suffix}")))
    }

    fn adapted(&self, call: &ExprMethodCall) -> Option<Value> {
        let value = || self.of(&call.receiver);
        let argument = call.args.first();
        match call.method.to_string().as_str() {
            "iter" => Some(value()?.borrowed("&")),
            "iter_mut" => Some(value()?.borrowed("&mut ")),
            "cloned" | "copied" | "to_vec" => Some(value()?.owned()),
            "by_ref" | "fuse" | "into_iter" | "peekable" => value(),
            "step_by" | "take" if self.end == End::First => value(),
            "rev" => self.other_end().of(&call.receiver),
            "enumerate" => {
                let idx = match self.end {
                    End::First => 0,
                    End::Last => self.length(&call.receiver)?.checked_sub(1)?,
                };
                Some(Value::Owned(format!("({idx}, {})", value()?.text())))
            }
            "zip" => {
                let other = self.of(argument?)?.text();
                Some(Value::Owned(format!("({}, {other})", value()?.text())))
            }
            _ => None,
        }
    }

    /// Returns the number of values in a list.
    fn length(&self, all: &Expr) -> Option<usize> {
        match all {
            Expr::Array(array) => Some(array.elems.len()),
            Expr::Reference(one) => self.length(&one.expr),
            Expr::Paren(inner) => self.length(&inner.expr),
            Expr::MethodCall(call) => self.length(&call.receiver),
            _ => None,
        }
    }

    fn other_end(&self) -> Self {
        let end = match self.end {
            End::First => End::Last,
            End::Last => End::First,
        };
        Self { end, ..*self }
    }
}
