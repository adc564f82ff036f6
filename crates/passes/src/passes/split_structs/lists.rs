//! Splits a variable that holds a list or a tuple into a variable for each element, where it is only mentioned to get at one of them
//! by a number.

use super::{Shape, locals, part_name};
use crate::passes::expressions::binding;
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{BTreeSet, HashMap};
use syn::{Expr, ExprLit, Lit, Local, Member};

/// The most elements of a list or tuple that become variables.
const MOST_ELEMENTS: usize = 12;

pub(super) fn changes(program: &Program, reads: &Reads, words: &BTreeSet<&str>) -> Vec<EditSet> {
    let locals = locals(program);
    let split = locals.filter_map(|(file, local)| split(program, reads, words, file, local));
    split.collect()
}

/// Reads of elements, such as `x[1]` and `x.1`, by the position of `x`: the place of the whole expression, and the
/// number of the element.
pub(super) type Reads = HashMap<Position, (Place, usize)>;

pub(super) fn reads(program: &Program) -> Reads {
    let mut found = Reads::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(whole) = node
            && let Some((Expr::Path(base), idx)) = element(whole)
            && base.path.get_ident().is_some()
        {
            found.insert(at.place(base).start(), (at.place(whole), idx));
        }
    });
    found
}

/// Returns the expression of which an element is read, and the number of the element.
fn element(read: &Expr) -> Option<(&Expr, usize)> {
    match read {
        Expr::Index(read) => match &*read.index {
            Expr::Lit(ExprLit {
                lit: Lit::Int(number),
                ..
            }) => Some((&read.expr, number.base10_parse().ok()?)),
            _ => None,
        },
        Expr::Field(read) => match &read.member {
            Member::Unnamed(number) => Some((&read.base, usize::try_from(number.index).ok()?)),
            Member::Named(_) => None,
        },
        _ => None,
    }
}

fn split(
    program: &Program,
    reads: &Reads,
    words: &BTreeSet<&str>,
    file: SyntaxFile<'_>,
    local: &Local,
) -> Option<EditSet> {
    let (name, _) = binding(&local.pat)?;
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let elements = match &*init.expr {
        Expr::Tuple(tuple) => &tuple.elems,
        list => program.listed(file, list)?,
    };
    let mentions = program.mentions().of(file.position(&name.ident));
    let reads: Vec<&(Place, usize)> = mentions
        .iter()
        .map(|at| reads.get(at))
        .collect::<Option<_>>()?;
    if reads.is_empty() || elements.len() > MOST_ELEMENTS {
        return None;
    }
    let mutability = name.mutability.map_or("", |_| "mut ");
    let variable = |idx: usize| part_name(words, &name.ident, &idx.to_string());
    let mut text = String::new();
    for (idx, element) in elements.iter().enumerate() {
        let is_read = reads.iter().any(|(_, read)| *read == idx);
        if is_read || Shape::of(element) != Shape::Simple {
            let value = file.text(element);
            text += &format!("let {mutability}{} = {value}; ", variable(idx)?);
        }
    }
    let mut change = program.change();
    change.replace(&file.place(local), text.trim_end());
    for (whole, idx) in reads {
        if *idx >= elements.len() {
            return None;
        }
        change.replace(whole, &variable(*idx)?);
    }
    change.finish()
}
