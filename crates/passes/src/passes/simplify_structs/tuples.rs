//! Named fields become those of a tuple.

use super::One;
use crate::passes::data::{Kind, Part, Shape, Use};
use crate::program::{Change, Place};
use reduce_syntax::{Edit, EditSet};

impl One<'_> {
    /// `S { a: T }` as `S(T)`.
    pub(super) fn as_tuple(&self) -> Option<EditSet> {
        let Shape::Named(braces) = &self.definition.shape else {
            return None;
        };
        let is_union = self.definition.kind == Kind::Union;
        if self.definition.fields.is_empty() || self.definition.has_where {
            return None;
        }
        let mut change = self.program.change();
        if is_union {
            change.replace(&self.definition.keyword, "struct");
        }
        let end = if self.is_variant() { ")" } else { ");" };
        put_parentheses(braces, end, &mut change);
        let labels = self
            .definition
            .fields
            .iter()
            .filter_map(|one| one.label.as_ref());
        for label in labels {
            change.delete(label);
        }
        let braced = |one: &&Use| matches!(one.shape, Shape::Named(_));
        let uses = self.data.uses_of(self.idx).filter(braced);
        let has_base = |one: &Use| !one.is_pattern && one.rest.is_some();
        let uses: Vec<&Use> = uses.collect();
        if uses.iter().any(|one| has_base(one)) {
            return None;
        }
        let (ordered, others): (Vec<&Use>, Vec<&Use>) =
            uses.into_iter().partition(|one| self.is_in_order(one));
        for one in ordered {
            use_as_tuple(one, &mut change);
        }
        self.number_reads(&mut change);
        self.put_in_order(others, change.finish()?)
    }

    fn number_reads(&self, change: &mut Change<'_>) {
        if self.is_variant() {
            return;
        }
        for idx in 0..self.definition.fields.len() {
            for read in self.data.reads_of(self.idx, self.definition.member(idx)) {
                change.replace(&read.member_place, &idx.to_string());
            }
        }
    }

    /// Puts the values of the other uses in order, as they are after the edits. What lies in another
    /// comes first. `None` if a struct expression has no value for a field.
    fn put_in_order(&self, mut others: Vec<&Use>, mut edits: EditSet) -> Option<EditSet> {
        others.sort_by_key(|one| std::cmp::Reverse(one.whole.range.start));
        for one in others {
            if let Shape::Named(Place {
                file,
                range: braces,
            }) = &one.shape
            {
                let text = self.tuple_text(one, &edits)?;
                edits.add(Edit::replace(*file, braces, &text));
            }
        }
        Some(edits)
    }

    /// Whether the parts are the first fields, in their order.
    fn is_in_order(&self, one: &Use) -> bool {
        let is_field = |(idx, part): (usize, &Part)| {
            let field = self.definition.fields.get(idx);
            field.is_some_and(|field| field.name == part.member)
        };
        let is_partial = one.is_pattern && one.rest.is_some();
        let is_complete = is_partial || one.parts.len() == self.definition.fields.len();
        is_complete && one.parts.iter().enumerate().all(is_field)
    }

    fn tuple_text(&self, one: &Use, edits: &EditSet) -> Option<String> {
        let n = self.definition.fields.len();
        let value = |idx: usize| {
            let name = self.definition.fields.get(idx)?.name.as_deref();
            let part = one.part(idx, name, n);
            let text = part.map(
                |Part {
                     value: Place { file, range },
                     ..
                 }| { edits.text_within(self.program.sources(), *file, range) },
            );
            text.or_else(|| one.is_pattern.then(|| "_".to_owned()))
        };
        let values: Option<Vec<String>> = (0..n).map(value).collect();
        Some(format!("({})", values?.join(", ")))
    }
}

fn use_as_tuple(one: &Use, change: &mut Change<'_>) {
    if let Shape::Named(braces) = &one.shape {
        put_parentheses(braces, ")", change);
        let labels = one.parts.iter().filter_map(|part| part.label.as_ref());
        for label in labels {
            change.delete(label);
        }
    }
}

fn put_parentheses(
    Place {
        file,
        range: braces,
    }: &Place,
    end: &str,
    change: &mut Change<'_>,
) {
    change.replace(&Place::new(*file, braces.start..braces.start + 1), "(");
    change.replace(
        &Place::new(*file, braces.end.saturating_sub(1)..braces.end),
        end,
    );
}
