//! Finds the part of a literal to which some steps lead, with the type that is written for the part.

use super::chains::{Step, bare, parts};
use super::inert::Inertness;
use super::numbers::{Class, Numbers, class_of, with_type};
use crate::passes::expressions::member_name;
use crate::passes::expressions::types::Types;
use crate::program::SyntaxFile;
use reduce_model::Resolution;
use syn::{Expr, ExprStruct, Member, Type};

/// The type that is written for a value, apart from what the value itself says.
#[derive(Clone, Copy)]
pub(super) enum Declared<'p> {
    /// No type is written: it follows from the value and from its mentions.
    Inferred,
    Written(&'p Type),
    Unknown,
}

/// The part of a literal to which the steps of a chain lead.
pub(super) struct Selection<'p> {
    pub(super) part: &'p Expr,
    /// The number of steps that lead to the part.
    pub(super) n_steps: usize,
    declared: Declared<'p>,
    /// The parts of the literals that are left out when the selected part takes their place.
    pub(super) left_out: Vec<&'p Expr>,
    /// Whether only tuples are on the way to the part: an array or a struct would say something of the part's type.
    pub(super) is_of_tuples: bool,
}

impl<'p> Selection<'p> {
    /// Follows the steps of a chain into a literal, as many as the literal has parts for.
    pub(super) fn of(
        known: &Inertness<'p>,
        types: &Types<'p>,
        (file, literal): (SyntaxFile<'p>, &'p Expr),
        declared: Declared<'p>,
        steps: &[Step],
    ) -> Self {
        let mut selection = Self {
            part: literal,
            n_steps: 0,
            declared,
            left_out: Vec::new(),
            is_of_tuples: true,
        };
        for step in steps {
            let (same, others): (Vec<_>, Vec<_>) = parts(selection.part)
                .into_iter()
                .partition(|(of_part, _)| of_part == step);
            let Some(&(_, part)) = same.first() else {
                break;
            };
            let around = bare(selection.part);
            selection.declared = match around {
                Expr::Struct(literal) => of_field(known, types, (file, literal), step),
                _ => selection.declared.after(step),
            };
            selection.is_of_tuples &= matches!(around, Expr::Tuple(_));
            selection
                .left_out
                .extend(others.iter().map(|(_, other)| *other));
            selection.part = part;
            selection.n_steps += 1;
        }
        selection
    }

    pub(super) fn class(&self, steps: &[Step]) -> Class {
        class_of(&steps[..self.n_steps])
    }

    /// Returns the selected part as text that has the same type wherever it stands; `None` if that is not certain.
    /// `numbers` are those of the whole literal.
    pub(super) fn text(
        &self,
        known: &Inertness<'p>,
        file: SyntaxFile<'p>,
        (class, numbers): (&Class, &Numbers),
        reads: &[Class],
    ) -> Option<String> {
        let text = || file.text(self.part).to_owned();
        let is_open = Numbers::of(known, file, self.part).are_open();
        match (self.declared, is_open) {
            (Declared::Inferred, false) => Some(text()),
            (Declared::Inferred, true) => numbers.are_free_in(class, reads).then(text),
            (Declared::Written(ty), true) => with_type(file, self.part, ty),
            (Declared::Unknown, true) => None,
            // A value that has parts, or is borrowed, may become another type where one is written.
            (_, false) => is_of_one_type(self.part).then(text),
        }
    }
}

impl Declared<'_> {
    /// Returns the type that is declared for a part, after one more step into a tuple or an array.
    fn after(self, step: &Step) -> Self {
        match self {
            Self::Inferred | Self::Unknown => self,
            Self::Written(ty) => within(ty, step),
        }
    }
}

fn within<'p>(ty: &'p Type, step: &Step) -> Declared<'p> {
    let part = match (ty, step) {
        (Type::Reference(reference), _) => return within(&reference.elem, step),
        (Type::Paren(inner), _) => return within(&inner.elem, step),
        (Type::Infer(_), _) => return Declared::Inferred,
        (Type::Tuple(tuple), Step::Member(name)) => {
            let idx = name.parse::<usize>().ok();
            idx.and_then(|idx| tuple.elems.iter().nth(idx))
        }
        (Type::Array(array), Step::Element(_)) => Some(&*array.elem),
        (Type::Slice(slice), Step::Element(_)) => Some(&*slice.elem),
        _ => None,
    };
    match part {
        Some(Type::Infer(_)) => Declared::Inferred,
        Some(part) => Declared::Written(part),
        None => Declared::Unknown,
    }
}

/// Returns the type of a struct's field, where it is certain which struct it is.
fn of_field<'p>(
    known: &Inertness<'p>,
    types: &Types<'p>,
    (file, literal): (SyntaxFile<'p>, &ExprStruct),
    step: &Step,
) -> Declared<'p> {
    let is_meant = |member: &&Member| *step == Step::Member(member_name(member));
    let member = literal
        .fields
        .iter()
        .map(|field| &field.member)
        .find(is_meant);
    let name = literal.path.segments.last();
    let name = name.map(|name| file.position(&name.ident));
    let meant = name.map(|name| known.program.model().resolve_at(name));
    let is_certain = matches!(meant, Some(Resolution::Certain(_)));
    member
        .filter(|_| is_certain)
        .and_then(|member| types.field(file, &literal.path, member))
        .map_or(Declared::Unknown, |wanted| Declared::Written(wanted.ty))
}

/// Whether an expression is a literal, maybe after an operator, or a path.
fn is_of_one_type(value: &Expr) -> bool {
    match value {
        Expr::Unary(unary) => is_of_one_type(&unary.expr),
        Expr::Paren(inner) => is_of_one_type(&inner.expr),
        other => matches!(other, Expr::Lit(_) | Expr::Path(_)),
    }
}
