//! Replaces types that the program defines by `()`, or the type of their only field; generic ones of several fields by a tuple,
//! and iterators by one of std.

use crate::passes::data::{Data, Definition, Kind, PathRole, Segment, Shape, Use, substituted};
use crate::passes::generics::{Implementation, last_name, names_of};
use crate::program::{Change, Place, Program};
use reduce_syntax::{EditSet, with_words};
use std::ops::Range;
use syn::GenericParam;

pub(super) fn changes(program: &Program, data: &Data<'_>) -> Vec<EditSet> {
    let types = data.definitions.iter().filter(|one| !one.is_variant());
    let changes = types.flat_map(|definition| {
        let one = One {
            program,
            data,
            definition,
        };
        let of_trait = definition.impls.iter().any(|one| !one.is_inherent());
        let kept = of_trait.then(|| one.by_unit(false)).flatten();
        let implementing = of_trait.then(|| one.unwrapped(true)).flatten();
        let whole = one.unwrapped(false);
        [
            one.by_unit(true),
            kept,
            implementing,
            whole,
            one.iterating(),
            of_trait.then(|| one.as_tuple()).flatten(),
        ]
    });
    changes.flatten().collect()
}

struct One<'d, 'p> {
    program: &'p Program,
    data: &'d Data<'p>,
    definition: &'d Definition<'p>,
}

impl One<'_, '_> {
    /// Replaces all mentions by `()`; the impls of traits go too, or become impls for `()`.
    fn by_unit(&self, without_impls: bool) -> Option<EditSet> {
        let mut change = self.without_definition(without_impls);
        let mut places = Vec::new();
        for segment in &self.definition.segments {
            if let Some(text) = in_role(segment, "()") {
                change.replace(&segment.prefix, &text);
                places.push(segment.prefix.clone());
            }
        }
        let variants = self.data.variants_of(self.definition).iter();
        for one in variants.chain([self.definition]).flat_map(|one| &one.uses) {
            change.replace(&one.whole, if one.is_pattern { "_" } else { "()" });
        }
        for stray in &self.definition.strays {
            change.replace(stray, "()");
        }
        if !without_impls {
            self.data.remove_unneeded(&places, &mut change);
        }
        change.finish()
    }

    fn without_definition(&self, without_impls: bool) -> Change<'_> {
        let mut change = self.program.change();
        self.definition.remove(&mut change);
        let impls = self.definition.impls.iter();
        for one in impls.filter(|one| without_impls || one.is_inherent()) {
            change.remove(&one.place());
        }
        let variants = self.data.variants_of(self.definition);
        for import in variants.iter().flat_map(|variant| &variant.imports) {
            change.remove(&import.whole);
        }
        change
    }

    /// Replaces a type by that of its only field: `S(T)` becomes `T`; the impls of traits go too, as `T` may implement them
    /// itself, or become impls for `T`. `None` if there are not enough arguments.
    fn unwrapped(&self, without_impls: bool) -> Option<EditSet> {
        let [field] = self.definition.fields.as_slice() else {
            return None;
        };
        let mut change = self.without_definition(without_impls);
        self.name_as(self.program.text(&field.ty), &mut change)?;
        for one in &self.definition.uses {
            self.unwrap_use(one, field.name, &mut change);
        }
        for read in &field.reads {
            read.unwrap(&mut change);
        }
        change.finish()
    }

    /// Replaces a type that implements `Iterator` by `std::iter::Empty`. `None` if there are not enough arguments.
    fn iterating(&self) -> Option<EditSet> {
        let is_iterator = |one: &&Implementation<'_>| {
            let of_trait = one.block.trait_.as_ref();
            let name = of_trait.and_then(|(path, _)| last_name(path));
            name.is_some_and(|name| name == "Iterator")
        };
        let of = self.definition.impls.iter().find(is_iterator)?;
        if !self.definition.strays.is_empty() {
            return None;
        }
        let ty = format!("std::iter::Empty<{}>", self.item(of)?);
        let mut change = self.without_definition(true);
        self.name_as(&ty, &mut change)?;
        for one in &self.definition.uses {
            let value = if one.is_pattern {
                "_"
            } else {
                "std::iter::empty()"
            };
            change.replace(&one.whole, value);
        }
        change.finish()
    }

    /// Replaces a struct with type parameters and several fields by a tuple, with its impls of traits. `None` if it has an impl
    /// of its own, or a value is made of it in another order.
    fn as_tuple(&self) -> Option<EditSet> {
        let of = self.definition;
        let is_generic = of
            .parameters()
            .any(|one| matches!(one, GenericParam::Type(_)));
        let is_plain = matches!(of.kind, Kind::Struct) && of.strays.is_empty();
        let has_own_members = of.impls.iter().any(|one| one.is_inherent());
        if !is_generic || !is_plain || of.fields.len() < 2 || has_own_members {
            return None;
        }
        let mut change = self.without_definition(false);
        let fields: Vec<&str> = of
            .fields
            .iter()
            .map(|one| self.program.text(&one.ty))
            .collect();
        self.name_as(&format!("({})", fields.join(", ")), &mut change)?;
        for one in &of.uses {
            self.write_as_tuple(one, &mut change)?;
        }
        for (idx, field) in of.fields.iter().enumerate() {
            for read in field.reads.iter().filter(|_| field.name.is_some()) {
                change.replace(&read.member, &idx.to_string());
            }
        }
        let is_made = |idx: usize| of.uses.iter().any(|one| one.segment == idx);
        let mut segments = of.segments.iter().enumerate();
        let is_function = |one: &Segment<'_>| one.role == PathRole::Value && one.is_last;
        let is_alone = segments.any(|(idx, one)| is_function(one) && !is_made(idx));
        (!is_alone).then(|| change.finish())?
    }

    /// Writes a value or pattern of the struct as a tuple: `S(a, b)` and `S { f: a, g: b }` become `(a, b)`.
    fn write_as_tuple(&self, one: &Use, change: &mut Change<'_>) -> Option<()> {
        change.delete(&self.definition.segments[one.segment].prefix);
        let Shape::Named(braces) = &one.shape else {
            return (one.shape != Shape::Unit).then_some(());
        };
        let names = one.parts.iter().map(|part| part.member.as_deref());
        let is_in_order = names.eq(self.definition.fields.iter().map(|field| field.name));
        if one.rest.is_some() || !is_in_order {
            return None;
        }
        let Range { start, end } = braces.range;
        change.replace(&Place::new(braces.file, start..start + 1), "(");
        change.replace(&Place::new(braces.file, end - 1..end), ")");
        let labels = one.parts.iter().filter_map(|part| part.label.as_ref());
        labels.for_each(|label| {
            change.delete(label);
        });
        Some(())
    }

    /// Returns the type of an iterator's items, in terms of the iterator's own parameters.
    fn item(&self, of: &Implementation<'_>) -> Option<String> {
        let item = of.file.text(&of.value("Item")?.ty);
        let own = of.file.place(&of.block.self_ty);
        let mut segments = self.definition.segments.iter();
        let args = &segments.find(|one| one.at.is_in(&own))?.args;
        let generics = self.definition.generics.into_iter();
        let names: Vec<String> = generics.flat_map(names_of).collect();
        let own_name = |word: &str| {
            let idx = args.iter().position(|arg| *arg == word)?;
            names.get(idx).map(String::as_str)
        };
        Some(with_words(item, own_name))
    }

    /// Writes another type wherever this one is mentioned as a type, with the arguments of the mention in place of
    /// this type's parameters. `None` if there are not enough arguments.
    fn name_as(&self, ty: &str, change: &mut Change<'_>) -> Option<()> {
        let is_type = |one: &&Segment<'_>| in_role(one, "").is_some();
        for segment in self.definition.segments.iter().filter(is_type) {
            let ty = substituted(ty, self.definition, segment)?;
            change.replace(&segment.prefix, &in_role(segment, &ty)?);
        }
        Some(())
    }

    fn unwrap_use(&self, one: &Use, name: Option<&str>, change: &mut Change<'_>) {
        let part = one.part(0, name, 1);
        let Some(part) = part.filter(|_| one.shape != Shape::Unit) else {
            if one.is_pattern {
                change.replace(&one.whole, "_");
            }
            return;
        };
        let context = self.program.expression_context(&one.whole);
        let is_loose = !one.is_pattern && context.needs_parentheses(self.program.text(&part.value));
        let brackets = if is_loose { ("(", ")") } else { ("", "") };
        one.leave(part, brackets, change);
    }
}

/// Returns the text of a type as it is written in place of a path's segment; `None` if that is no type, or says `Self`.
fn in_role(segment: &Segment<'_>, ty: &str) -> Option<String> {
    let is_other = segment.role == PathRole::Other || segment.name == "Self";
    match (segment.role, segment.is_last) {
        _ if is_other => None,
        (PathRole::Type, true) => Some(ty.to_owned()),
        (_, false) => Some(format!("<{ty}>")),
        _ => None,
    }
}
