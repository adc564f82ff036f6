//! Tells whether numbers without a suffix keep their types where they are moved. `1` is what its surroundings make of
//! it: in place of `x.0`, and without what else was said of `x`, it could be an `i32` that was a `u64`. So such a
//! number is put in one place alone, or with its type where that is written.

use super::chains::{Step, bare, parts};
use super::inert::{Inertness, Named, is_float, is_number};
use crate::passes::generics::plain_name;
use crate::program::SyntaxFile;
use syn::{Expr, Lit, Type, UnOp};

/// A class of parts of a literal, which have one type: the steps to one of them, as all elements of an array are of one class.
pub(super) type Class = Vec<Step>;

/// Returns the class of the part of a literal to which these steps lead.
pub(super) fn class_of(steps: &[Step]) -> Class {
    let any = |step: &Step| match step {
        Step::Element(_) => Step::Element(0),
        Step::Member(name) => Step::Member(name.clone()),
    };
    steps.iter().map(any).collect()
}

/// The numbers in a literal, by the classes of parts that have one type.
pub(super) struct Numbers {
    /// The classes of numbers that are written without a suffix.
    open: Vec<Class>,
    /// The classes of numbers whose type something else than a suffix tells.
    typed: Vec<Class>,
}

impl Numbers {
    pub(super) fn of<'p>(known: &Inertness<'p>, file: SyntaxFile<'p>, value: &Expr) -> Self {
        let mut found = Self {
            open: Vec::new(),
            typed: Vec::new(),
        };
        found.read(known, file, value, &mut Vec::new());
        found
    }

    fn read<'p>(
        &mut self,
        known: &Inertness<'p>,
        file: SyntaxFile<'p>,
        value: &Expr,
        class: &mut Class,
    ) {
        match bare(value) {
            Expr::Lit(literal) if is_open(&literal.lit) => self.open.push(class.clone()),
            Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)) => {
                self.typed.push(class.clone());
            }
            Expr::Unary(unary) => self.read(known, file, &unary.expr, class),
            Expr::Repeat(array) => {
                class.push(Step::Element(0));
                self.read(known, file, &array.expr, class);
                class.pop();
            }
            Expr::Path(path) if known.named(file, path) == Some(Named::Item) => {}
            aggregate => {
                let parts = parts(aggregate);
                if parts.is_empty() {
                    self.typed.push(class.clone());
                }
                for (step, part) in parts {
                    class.extend(class_of(&[step]));
                    self.read(known, file, part, class);
                    class.pop();
                }
            }
        }
    }

    /// Whether any number is without a suffix.
    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the types of all numbers in a part follow from nothing but where it is read: `reads` has the classes
    /// of all that is read, and each number of the part is read once.
    pub(super) fn are_free_in(&self, class: &Class, reads: &[Class]) -> bool {
        let mut within = self.open.iter().filter(|open| open.starts_with(class));
        within.all(|open| {
            let n_reads = reads.iter().filter(|read| open.starts_with(read)).count();
            n_reads == 1 && !self.typed.contains(open)
        })
    }
}

fn is_open(literal: &Lit) -> bool {
    match literal {
        Lit::Int(number) => number.suffix().is_empty(),
        Lit::Float(number) => number.suffix().is_empty(),
        _ => false,
    }
}

/// Returns a number as text that has this type wherever it stands; `None` if the type is not one of numbers.
pub(super) fn with_type(file: SyntaxFile<'_>, value: &Expr, ty: &Type) -> Option<String> {
    let text = file.text(value);
    let number = match value {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => &unary.expr,
        other => other,
    };
    let Expr::Lit(literal) = number else {
        return None;
    };
    let name = plain_name(ty)?.to_string();
    is_number(&name).then_some(())?;
    let is_right = match &literal.lit {
        Lit::Int(number) => number.suffix().is_empty() && !is_float(&name),
        Lit::Float(number) => number.suffix().is_empty() && is_float(&name) && !text.ends_with('.'),
        _ => false,
    };
    // A number without a suffix is of one of these types anyway.
    let suffix = if matches!(&*name, "i32" | "f64") {
        ""
    } else {
        &name
    };
    is_right.then(|| format!("{text}{suffix}"))
}
