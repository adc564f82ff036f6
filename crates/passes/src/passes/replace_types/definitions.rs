//! Types that the program defines become `()`, or the type of their only field.

use crate::passes::data::{
    Data, Definition, Field, Kind, PathRole, Segment, Shape, Use, substituted,
};
use crate::program::{Change, Place, Program};
use reduce_syntax::EditSet;

pub(super) fn changes(program: &Program, data: &Data) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (idx, definition) in data.definitions.iter().enumerate() {
        if matches!(definition.kind, Kind::Variant(_)) {
            continue;
        }
        let one = One {
            program,
            data,
            idx,
            definition,
        };
        let of_trait = data.impls_of(idx).any(|one| !one.is_inherent);
        found.extend(one.by_unit(true));
        found.extend(of_trait.then(|| one.by_unit(false)).flatten());
        found.extend(one.unwrapped());
    }
    found
}

struct One<'d> {
    program: &'d Program,
    data: &'d Data,
    idx: usize,
    definition: &'d Definition,
}

impl One<'_> {
    /// All mentions become `()`; the impls of traits go too, or become impls for `()`.
    fn by_unit(&self, without_impls: bool) -> Option<EditSet> {
        let mut change = self.without_definition(without_impls);
        let mut places = Vec::new();
        for segment in self.data.segments_of(self.idx) {
            if let Some(text) = in_role(segment, "()") {
                change.replace(&segment.prefix, &text);
                places.push(segment.prefix.clone());
            }
        }
        let variants = self.definition.variants.iter().copied();
        for one in variants
            .chain([self.idx])
            .flat_map(|idx| self.data.uses_of(idx))
        {
            change.replace(&one.whole, if one.is_pattern { "_" } else { "()" });
        }
        for stray in self.data.strays(self.program, self.idx) {
            change.replace(&stray, "()");
        }
        if !without_impls {
            self.data
                .remove_unneeded(self.program, &places, &mut change);
        }
        change.finish()
    }

    fn without_definition(&self, without_impls: bool) -> Change<'_> {
        let mut change = self.program.change();
        self.data.remove(self.program, self.idx, &mut change);
        let impls = self.data.impls_of(self.idx);
        for one in impls.filter(|one| without_impls || one.is_inherent) {
            change.remove(&one.whole);
        }
        for variant in self.data.variants_of(self.definition) {
            for import in self.data.imports_of(self.program, variant) {
                change.remove(&import.whole);
            }
        }
        change
    }

    /// `S(T)` becomes `T`.
    fn unwrapped(&self) -> Option<EditSet> {
        let [field] = self.definition.fields.as_slice() else {
            return None;
        };
        let mut change = self.without_definition(false);
        for segment in self.data.segments_of(self.idx) {
            self.unwrap_mention(segment, field, &mut change)?;
        }
        for one in self.data.uses_of(self.idx) {
            self.unwrap_use(one, field, &mut change);
        }
        for read in self.data.reads_of(self.idx, self.definition.member(0)) {
            read.unwrap(&mut change);
        }
        change.finish()
    }

    /// `None` if there are not enough arguments.
    fn unwrap_mention(
        &self,
        segment: &Segment,
        field: &Field,
        change: &mut Change<'_>,
    ) -> Option<()> {
        if in_role(segment, "").is_none() {
            return Some(());
        }
        let ty = self.program.text(&field.ty);
        let ty = substituted(self.program, ty, &self.definition.generics, segment)?;
        let text = in_role(segment, &ty)?;
        change.replace(&segment.prefix, &text);
        Some(())
    }

    fn unwrap_use(&self, one: &Use, field: &Field, change: &mut Change<'_>) {
        let part = one.part(0, field.name.as_deref(), 1);
        let Some(part) = part.filter(|_| one.shape != Shape::Unit) else {
            if one.is_pattern {
                change.replace(&one.whole, "_");
            }
            return;
        };
        let Place { file, range: whole } = &one.whole;
        let value = &part.value.range;
        let setting = self.program.setting(&one.whole);
        let is_loose = !one.is_pattern && setting.needs_parentheses(self.program.text(&part.value));
        let (open, close) = if is_loose { ("(", ")") } else { ("", "") };
        change.replace(&Place::new(*file, whole.start..value.start), open);
        change.replace(&Place::new(*file, value.end..whole.end), close);
    }
}

/// What a type is written as where a segment stands; `None` if that is no type, or says `Self`.
fn in_role(segment: &Segment, ty: &str) -> Option<String> {
    let is_other = segment.role == PathRole::Other || segment.name == "Self";
    match (segment.role, segment.is_last) {
        _ if is_other => None,
        (PathRole::Type, true) => Some(ty.to_owned()),
        (_, false) => Some(format!("<{ty}>")),
        _ => None,
    }
}
