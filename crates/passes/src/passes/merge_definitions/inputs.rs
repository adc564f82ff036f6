//! Merges parameters of one function that are of one type: one of them stands for both, and the
//! calls pass one argument less.

use super::MOST_PAIRS;
use crate::passes::functions::{Family, Functions, substitution};
use crate::program::Program;
use reduce_syntax::EditSet;

pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let families = functions.families.iter();
    let merged = families.flat_map(|family| {
        let pairs = pairs(family).into_iter();
        pairs.filter_map(move |(from, into)| merged(program, family, from, into))
    });
    merged.take(MOST_PAIRS).collect()
}

/// Returns the indices of neighbouring parameters that have the same type, in pairs. Where there are calls, it
/// matters of which the argument stays.
fn pairs(family: &Family<'_>) -> Vec<(usize, usize)> {
    let parameters = &family.first().parameters;
    let is_alike = |idx: &usize| {
        let ty = |idx: usize| parameters[idx].ty.map(|ty| parameters[idx].file.text(ty));
        ty(*idx).is_some() && ty(*idx) == ty(idx + 1)
    };
    let alike = (0..parameters.len().saturating_sub(1)).filter(is_alike);
    let is_called = !family.calls.is_empty();
    let both = |idx| [Some((idx + 1, idx)), is_called.then_some((idx, idx + 1))];
    alike.flat_map(both).flatten().collect()
}

/// Puts the parameter `into` in place of `from`, which the functions mention.
fn merged(program: &Program, family: &Family<'_>, from: usize, into: usize) -> Option<EditSet> {
    let mut change = program.change();
    let mut is_mentioned = false;
    for function in &family.functions {
        let [from, into] = [from, into].map(|idx| function.parameters.get(idx));
        let (from, name) = (from?, into?.name()?.ident.to_string());
        from.name()?;
        for mention in from.mentions(program) {
            let (place, text) = substitution(program, mention, &name)?;
            change.replace(&place, &text);
            is_mentioned = true;
        }
        change.remove(&from.whole);
    }
    for call in &family.calls {
        change.remove(&call.at.place(call.argument(family.first(), from)?));
    }
    let is_possible = is_mentioned && family.mentions.is_empty();
    change.finish().filter(|_| is_possible)
}
