//! Narrows the failing assertion to a part of what it compares: the element, field or line in which the two values differ. It
//! fails where the whole fails, and passes where the whole passes, under any version of the code under test (test case
//! purification, one step further: Xuan and Monperrus, 2014).
//!
//! `printed` says which parts of two values differ, as `{:?}` has printed them.

mod printed;

use super::FailedAt;
use super::checks::{Assertion, call_at};
use crate::failing_test::expected::{FailedComparison, elements_of_vec, is_value};
use crate::passes::binding;
use crate::precedence::as_receiver;
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use printed::{Difference, Part, differences};
use reduce_syntax::EditSet;
use syn::{Expr, ExprParen, ExprReference, Ident, Item, Lit, Local, Member};

/// The most differing parts of the two values that are tried.
const MOST_PARTS: usize = 4;
/// The methods that make an owned text of a string literal.
const TO_OWNED: [&str; 3] = ["into", "to_owned", "to_string"];

/// A change after which an assertion compares only a part of the values that it compared.
#[derive(Debug)]
pub struct Narrowing {
    /// The change of the assertion.
    pub edits: EditSet,
    /// The text that `{:?}` prints for this part of the first value.
    pub left: String,
    /// The text that `{:?}` prints for this part of the second value.
    pub right: String,
}

/// Returns the changes after which the failed `assert_eq!` compares one of the parts that differ, in their order. Whether each of
/// them compiles, and fails with these values, is left to who runs it.
#[must_use]
pub fn narrowings(program: &Program, failed: &FailedComparison<'_>) -> Vec<Narrowing> {
    let position = failed.at.position(program.sources());
    let Some((file, call)) = position.and_then(|position| call_at(program, position)) else {
        return vec![];
    };
    let Some(sides) = Assertion::of(&call).and_then(Assertion::equal_sides) else {
        return vec![];
    };
    let differences = differences(failed.left, failed.right).into_iter();
    let narrowings = differences.filter_map(|Difference { way, left, right }| {
        let mut change = program.change();
        for side in &sides {
            let (at, value) = constant(program, file, side).unwrap_or((file, side));
            let part = Value::Written(Box::new(value.clone())).part(at, &way)?;
            change.replace(&file.place(side), &part.text(at));
        }
        let edits = change.finish()?;
        Some(Narrowing { edits, left, right })
    });
    narrowings.take(MOST_PARTS).collect()
}

/// Returns the change that removes the message from the failed `assert_eq!`.
#[must_use]
pub fn without_words(program: &Program, failed: &FailedAt<'_>) -> Option<EditSet> {
    let (file, call) = call_at(program, failed.position(program.sources())?)?;
    let [_, last] = Assertion::of(&call)?.equal_sides()?;
    let inside = file.inside(*call.delimiter.span());
    let words = inside.after(&file.place(&last));
    let mut change = program.change();
    change.delete(&words);
    change.finish().filter(|_| !words.range.is_empty())
}

/// Returns the value of a variable or constant and the file of that value, if nothing in the value is computed.
fn constant<'p>(
    program: &'p Program,
    file: SyntaxFile<'p>,
    side: &Expr,
) -> Option<(SyntaxFile<'p>, &'p Expr)> {
    let Expr::Path(path) = side else {
        return None;
    };
    let name = file.position(&path.path.segments.last()?.ident);
    let defined = program.mentions().definition(name)?;
    let values = visit::collect(program, |at, node| {
        let (name, value) = match node {
            Node::Local(local) => value_of(local)?,
            Node::Item(Item::Const(item)) => (&item.ident, &*item.expr),
            Node::Item(Item::Static(item)) => (&item.ident, &*item.expr),
            _ => return None,
        };
        let is_it = at.file.position(name) == defined && is_value(value);
        is_it.then_some((at.file, value))
    });
    values.into_iter().next()
}

/// Returns the name of a variable that is never changed, and its initial value.
fn value_of(local: &Local) -> Option<(&Ident, &Expr)> {
    let (name, _) = binding(&local.pat)?;
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    Some((&name.ident, &*init.expr)).filter(|_| name.mutability.is_none())
}

/// A value that an assertion compares, or a part of such a value.
enum Value {
    /// The value is a literal expression in the source.
    Written(Box<Expr>),
    /// The value is read by this code, such as `a.b[0]`.
    Read(String),
}

impl Value {
    /// Returns the part of a value that these steps lead to.
    fn part(self, file: SyntaxFile<'_>, way: &[Part]) -> Option<Self> {
        way.iter().try_fold(self, |value, part| {
            value.written(part).or_else(|| value.read(file, part))
        })
    }

    fn written(&self, part: &Part) -> Option<Self> {
        match (self, part) {
            (Self::Read(_), _) => None,
            (Self::Written(value), Part::Line(idx)) => line(value, *idx).map(Self::Read),
            (Self::Written(value), _) => written(value, part).map(Box::new).map(Self::Written),
        }
    }

    fn read(&self, file: SyntaxFile<'_>, part: &Part) -> Option<Self> {
        let receiver = as_receiver(&self.text(file));
        Some(Self::Read(match part {
            Part::Element(idx) => format!("{receiver}[{idx}]"),
            Part::Field(name) => format!("{receiver}.{name}"),
            Part::Content("Err") => format!("{receiver}.unwrap_err()"),
            Part::Content(_) => format!("{receiver}.unwrap()"),
            Part::Key(key) => format!("{receiver}[{key}]"),
            Part::Line(idx) => format!("{receiver}.lines().nth({idx})"),
        }))
    }

    fn text(&self, file: SyntaxFile<'_>) -> String {
        match self {
            Self::Written(expr) => file.text(expr).to_owned(),
            Self::Read(text) => text.clone(),
        }
    }
}

/// Returns the expression for a part of a value that is written out in the source.
fn written(value: &Expr, part: &Part) -> Option<Expr> {
    match (value, part) {
        (Expr::Paren(ExprParen { expr, .. }) | Expr::Reference(ExprReference { expr, .. }), _) => {
            written(expr, part)
        }
        (Expr::Array(array), Part::Element(idx)) => array.elems.get(*idx).cloned(),
        (Expr::Macro(call), Part::Element(idx)) => elements_of_vec(&call.mac)?.get(*idx).cloned(),
        (Expr::Tuple(tuple), Part::Field(name)) => {
            let idx: usize = name.parse().ok()?;
            tuple.elems.get(idx).cloned()
        }
        (Expr::Struct(literal), Part::Field(name)) => {
            let mut fields = literal.fields.iter();
            let field = fields.find(|field| match &field.member {
                Member::Named(member) => member == name,
                Member::Unnamed(_) => false,
            })?;
            Some(field.expr.clone())
        }
        (Expr::Call(call), Part::Content(name)) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let is_it = path.path.segments.last()?.ident == *name;
            call.args.first().filter(|_| is_it).cloned()
        }
        _ => None,
    }
}

/// Returns a line of a text that is written out in the source, as a literal.
fn line(value: &Expr, idx: usize) -> Option<String> {
    let text = literal_text(value)?;
    Some(format!("Some({:?})", text.lines().nth(idx)?))
}

/// Returns the text of a string literal, also where an owned text is made of it.
fn literal_text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Paren(inner) => literal_text(&inner.expr),
        Expr::Reference(inner) => literal_text(&inner.expr),
        Expr::MethodCall(call) if TO_OWNED.iter().any(|name| call.method == name) => {
            literal_text(&call.receiver)
        }
        _ => None,
    }
}
