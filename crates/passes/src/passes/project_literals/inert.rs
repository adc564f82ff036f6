//! Tells which expressions do nothing when they are evaluated, and mean the same wherever they stand: literals,
//! names of variants, functions and plain constants, variables that never change, and literals of tuples, arrays
//! and structs of these.

use super::chains::{is_aggregate, parts};
use crate::passes::generics::plain_name;
use crate::program::{Program, SyntaxFile};
use reduce_model::{DefId, DefKind, Definition, Position, Resolution, WordId};
use std::collections::HashMap;
use syn::{Expr, ExprPath, Lit, Path, Type, UnOp};

/// The kinds of definitions whose names do nothing when they are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// A variant, a struct without fields or a function.
    Item,
    /// A constant, which may be a number.
    Constant,
    /// A variable that is bound once. Its type may follow from where it is mentioned.
    Variable,
}

/// The names of a program that do nothing when they are evaluated.
pub(super) struct Inertness<'p> {
    pub(super) program: &'p Program,
    /// The types of constants, by where their names stand.
    pub(super) constants: HashMap<Position, &'p Type>,
}

impl<'p> Inertness<'p> {
    /// Whether an expression does nothing when it is evaluated. A variable may be a part of it only where the
    /// literal around it says nothing of its type.
    pub(super) fn is_inert(&self, file: SyntaxFile<'p>, value: &Expr, may_vary: bool) -> bool {
        match value {
            Expr::Lit(literal) => !matches!(literal.lit, Lit::Verbatim(_)),
            Expr::Paren(inner) => self.is_inert(file, &inner.expr, may_vary),
            Expr::Group(inner) => self.is_inert(file, &inner.expr, may_vary),
            Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
                (UnOp::Neg(_), Expr::Lit(_)) => true,
                (UnOp::Not(_), Expr::Lit(literal)) => matches!(literal.lit, Lit::Bool(_)),
                _ => false,
            },
            Expr::Reference(borrow) => {
                borrow.mutability.is_none() && self.is_inert(file, &borrow.expr, may_vary)
            }
            Expr::Path(path) => match self.named(file, path) {
                Some(Named::Variable) => may_vary,
                named => named.is_some(),
            },
            Expr::Repeat(array) => {
                matches!(*array.len, Expr::Lit(_)) && self.is_inert(file, &array.expr, false)
            }
            aggregate if is_aggregate(aggregate) => {
                let may_vary = may_vary && matches!(aggregate, Expr::Tuple(_));
                let mut all = parts(aggregate).into_iter();
                all.all(|(_, part)| self.is_inert(file, part, may_vary))
            }
            _ => false,
        }
    }

    pub(super) fn named(&self, file: SyntaxFile<'p>, path: &ExprPath) -> Option<Named> {
        let last = path.path.segments.last().filter(|_| path.qself.is_none())?;
        let model = self.program.model();
        let word = model.word_at(file.position(&last.ident))?;
        match model.resolve(word) {
            Resolution::Certain(def) => self.defined(def),
            Resolution::Maybe(_) => None,
            Resolution::Outside | Resolution::Unknown => self.outside(word, path),
        }
    }

    fn defined(&self, def: DefId) -> Option<Named> {
        let definition = self.program.model().definition(def);
        match definition.kind {
            DefKind::Variant | DefKind::TupleStruct | DefKind::Function => Some(Named::Item),
            DefKind::Const => {
                let ty = self.constants.get(&definition.name)?;
                is_scalar(ty).then_some(Named::Constant)
            }
            DefKind::Variable => self.is_bound_once(definition).then_some(Named::Variable),
            _ => None,
        }
    }

    /// Returns the kind of definition that a name of another crate means: a variant by how it is written, and the
    /// constants of numbers.
    fn outside(&self, word: WordId, path: &ExprPath) -> Option<Named> {
        let name = self.program.model().text(word);
        let is_upper = |c: char| c.is_ascii_uppercase();
        if name.starts_with(is_upper) {
            if name.contains(|c: char| c.is_ascii_lowercase()) {
                return Some(Named::Item);
            }
            return is_constant_of_number(&path.path).then_some(Named::Constant);
        }
        None
    }

    /// Whether a variable is bound without `mut` and `ref`.
    fn is_bound_once(&self, variable: &Definition) -> bool {
        let text = self.program.sources().text(variable.name.file);
        let before = text[..variable.name.at].trim_end();
        !before.ends_with("mut") && !before.ends_with("ref")
    }
}

/// Whether a path is a constant of a number type, such as `u8::MAX`.
pub(super) fn is_constant_of_number(path: &Path) -> bool {
    let mut segments = path.segments.iter();
    let of = segments.next().map(|first| first.ident.to_string());
    segments.count() == 1 && of.is_some_and(|of| is_number(&of))
}

/// Whether a type is a number, or another without parts.
fn is_scalar(ty: &Type) -> bool {
    let name = plain_name(ty).map(ToString::to_string);
    name.is_some_and(|name| is_number(&name) || name == "bool" || name == "char")
}

/// Whether a type of this name is one of integers or floating point numbers.
pub(super) fn is_number(name: &str) -> bool {
    let is_size = |size: &str| matches!(size, "8" | "16" | "32" | "64" | "128" | "size");
    let integer = name.strip_prefix(['i', 'u']).is_some_and(is_size);
    integer || is_float(name)
}

pub(super) fn is_float(name: &str) -> bool {
    matches!(name, "f32" | "f64")
}
