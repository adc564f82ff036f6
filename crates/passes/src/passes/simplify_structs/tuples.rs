//! Turns a struct with named fields into a tuple struct, with all its uses.

use crate::passes::data::{Definition, Kind, Part, Shape, Use};
use crate::program::{Change, Place, Program};
use reduce_syntax::{Edit, EditSet};
use std::cmp::Reverse;

/// Makes a tuple struct of a struct with named fields: `S { a: T }` becomes `S(T)`. `None` if a struct
/// expression has a base, or no value for a field.
pub(super) fn as_tuple(program: &Program, of: &Definition<'_>) -> Option<EditSet> {
    let Shape::Named(braces) = &of.shape else {
        return None;
    };
    let uses = of
        .uses
        .iter()
        .filter(|one| matches!(one.shape, Shape::Named(_)));
    let mut has_base = uses
        .clone()
        .filter(|one| !one.is_pattern && one.rest.is_some());
    if of.fields.is_empty() || of.has_where() || has_base.next().is_some() {
        return None;
    }
    let mut change = program.change();
    if matches!(of.kind, Kind::Union) {
        change.replace(&of.keyword, "struct");
    }
    let end = if of.is_variant() { ")" } else { ");" };
    let labels = of.fields.iter().filter_map(|one| one.label.as_ref());
    put_parentheses(braces, end, labels, &mut change);
    let (ordered, others): (Vec<&Use>, Vec<&Use>) = uses.partition(|one| is_in_order(of, one));
    for one in ordered {
        if let Shape::Named(braces) = &one.shape {
            let labels = one.parts.iter().filter_map(|part| part.label.as_ref());
            put_parentheses(braces, ")", labels, &mut change);
        }
    }
    for (idx, field) in of.fields.iter().enumerate() {
        for read in &field.reads {
            change.replace(&read.member, &idx.to_string());
        }
    }
    put_in_order(program, of, others, change.finish()?)
}

fn put_parentheses<'a>(
    braces: &Place,
    end: &str,
    labels: impl Iterator<Item = &'a Place>,
    change: &mut Change<'_>,
) {
    let Place { file, range } = braces;
    change.replace(&Place::new(*file, range.start..range.start + 1), "(");
    change.replace(
        &Place::new(*file, range.end.saturating_sub(1)..range.end),
        end,
    );
    for label in labels {
        change.delete(label);
    }
}

/// Whether the parts of an expression or pattern are the first fields, in their order.
fn is_in_order(of: &Definition<'_>, one: &Use) -> bool {
    let is_field = |(idx, part): (usize, &Part)| {
        let field = of.fields.get(idx);
        field.is_some_and(|field| field.name == part.member.as_deref())
    };
    let is_partial = one.is_pattern && one.rest.is_some();
    let is_complete = is_partial || one.parts.len() == of.fields.len();
    is_complete && one.parts.iter().enumerate().all(is_field)
}

/// Writes uses of a struct whose values are in another order than the fields as tuples, with the values in the
/// fields' order, as they are after the edits. What lies in another comes first.
fn put_in_order(
    program: &Program,
    of: &Definition<'_>,
    mut others: Vec<&Use>,
    mut edits: EditSet,
) -> Option<EditSet> {
    others.sort_by_key(|one| Reverse(one.whole.range.start));
    for one in others {
        if let Shape::Named(braces) = &one.shape {
            let text = tuple_text(program, of, one, &edits)?;
            edits.add(Edit::replace(braces.file, &braces.range, &text));
        }
    }
    Some(edits)
}

fn tuple_text(
    program: &Program,
    of: &Definition<'_>,
    one: &Use,
    edits: &EditSet,
) -> Option<String> {
    let n = of.fields.len();
    let value = |idx: usize| {
        let part = one
            .part(idx, of.fields[idx].name, n)
            .map(|part| &part.value);
        let text = part.map(|place| edits.text_within(program.sources(), place.file, &place.range));
        text.or_else(|| one.is_pattern.then(|| "_".to_owned()))
    };
    let values: Option<Vec<String>> = (0..n).map(value).collect();
    Some(format!("({})", values?.join(", ")))
}
