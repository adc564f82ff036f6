//! The parts on items that most programs do without: traits that they derive, defaults of parameters, comments, and
//! visibilities where there is one module. Derived traits and defaults come back where the compiler misses them.

use crate::ids::{NameId, Place};
use crate::model::Model;
use reduce_syntax::{EditSet, ListKind, TokenCursor, is_hint, remove_elements};
use std::collections::BTreeSet;

/// An element of the syntax tree: its list, and its index there.
pub(super) type ElementId = (usize, usize);

/// The traits of std that are derived, each with those that it needs besides.
const DERIVED: [(&str, &[&str]); 9] = [
    ("Clone", &[]),
    ("Copy", &["Clone"]),
    ("Debug", &[]),
    ("Default", &[]),
    ("Eq", &["PartialEq"]),
    ("Hash", &[]),
    ("Ord", &["PartialEq", "Eq", "PartialOrd"]),
    ("PartialEq", &[]),
    ("PartialOrd", &["PartialEq"]),
];
/// The name that stands for the default of a type parameter.
pub(super) const DEFAULT: &str = "=";

/// A trait that an item derives, or the default of one of its parameters.
#[derive(Debug)]
pub(super) struct Derived {
    pub(super) element: ElementId,
    /// The entry of the item that has the derived trait or the default.
    of: usize,
    pub(super) name: &'static str,
    pub(super) of_type: NameId,
}

/// The parts on items that may be trimmed.
#[derive(Debug, Default)]
pub(super) struct Trimmings {
    pub(super) derived: Vec<Derived>,
    silent: Vec<ElementId>,
    visibilities: Vec<ElementId>,
}

impl Trimmings {
    pub(super) fn of(model: &Model) -> Self {
        let mut trimmings = Self::default();
        for (list_idx, list) in model.tree().lists.iter().enumerate() {
            for (idx, element) in list.elements.iter().enumerate() {
                let (id, place) = ((list_idx, idx), Place::from(element));
                let text = model.text_at(&place);
                match list.kind {
                    ListKind::AttributeArguments => {
                        trimmings.derived.extend(derived(model, id, &place));
                    }
                    ListKind::Attributes if is_silent(text) => trimmings.silent.push(id),
                    ListKind::Attributes => {
                        trimmings.derived.extend(derived_alone(model, id, &place));
                    }
                    ListKind::Parts if is_visibility(text) => trimmings.visibilities.push(id),
                    ListKind::Parts if text.starts_with(DEFAULT) => {
                        trimmings.derived.extend(default(model, id, &place));
                    }
                    _ => {}
                }
            }
        }
        trimmings
    }

    /// Adds the edits that remove all derived traits but these, and visibilities where they are not needed.
    pub(super) fn remove(
        &self,
        model: &Model,
        kept: &BTreeSet<ElementId>,
        with_visibilities: bool,
        edits: &mut EditSet,
    ) {
        let derived = self.derived.iter().map(|one| one.element);
        let derived = derived.filter(|element| !kept.contains(element));
        let visibilities = match with_visibilities {
            true => self.visibilities.as_slice(),
            false => &[],
        };
        let silent = self.silent.iter().chain(visibilities).copied();
        let gone: BTreeSet<ElementId> = derived.chain(silent).collect();
        remove_elements(&model.tree().lists, gone, edits);
    }

    /// Returns a derived trait, with the traits that it needs among those that the same item
    /// derives.
    pub(super) fn with_needed<'t>(
        &'t self,
        derived: &'t Derived,
    ) -> impl Iterator<Item = ElementId> + 't {
        let needed = DERIVED.iter().find(|(name, _)| *name == derived.name);
        let needed = needed.map_or(&[] as &[&str], |(_, needed)| needed);
        let of_item = self.derived.iter().filter(|one| one.of == derived.of);
        let others = of_item.filter(|one| {
            let are_defaults = one.name == DEFAULT && derived.name == DEFAULT;
            are_defaults || needed.contains(&one.name)
        });
        others.map(|one| one.element).chain([derived.element])
    }
}

/// Reads a trait in an attribute that derives several.
fn derived(model: &Model, element: ElementId, place: &Place) -> Option<Derived> {
    let of = model.outline().innermost(place.start())?;
    let item = model.outline().all[of].place.range.start;
    let before = &model.sources().text(place.file)[item..place.range.start];
    let attribute = before.rsplit("#[").next()?.trim_start();
    let is_derive = attribute.starts_with("derive");
    is_derive.then(|| of_trait(model, element, of, model.text_at(place)))?
}

/// Reads the trait in an attribute that derives nothing else.
fn derived_alone(model: &Model, element: ElementId, place: &Place) -> Option<Derived> {
    let text = model.text_at(place).strip_prefix("#[derive(")?;
    let name = text.strip_suffix(")]")?.trim_end_matches(',');
    of_trait(
        model,
        element,
        model.outline().innermost(place.start())?,
        name,
    )
}

/// Returns a trait of std that an entry derives, unless its variants have an attribute that belongs
/// to the trait.
fn of_trait(model: &Model, element: ElementId, of: usize, path: &str) -> Option<Derived> {
    let text = path.rsplit("::").next()?.trim();
    let (name, _) = DERIVED.iter().find(|(name, _)| *name == text)?;
    let item = &model.outline().all[of];
    let cursor = TokenCursor::without_docs(model.text_at(&item.place));
    let mut all = cursor.indices();
    let is_held = *name == "Default" && all.any(|idx| cursor.are(idx, &["#", "[", "default", "]"]));
    let of_type = *item.names.first()?;
    (!is_held).then_some(Derived {
        element,
        of,
        name,
        of_type,
    })
}

/// Reads the default of a parameter of a type, which stands before the fields or variants.
fn default(model: &Model, element: ElementId, place: &Place) -> Option<Derived> {
    let of = model.outline().innermost(place.start())?;
    let item = &model.outline().all[of];
    let before = &model.sources().text(place.file)[item.place.range.start..place.range.start];
    let cursor = TokenCursor::without_docs(before);
    let head = cursor.skip_attributes(0)..cursor.len();
    let begins = |words: &[&str]| {
        words
            .iter()
            .any(|word| cursor.find(head.clone(), word).is_some())
    };
    let is_of_type = begins(&["struct", "enum", "union"]) && !begins(&["{", "("]);
    let of_type = *item.names.first()?;
    is_of_type.then_some(Derived {
        element,
        of,
        name: DEFAULT,
        of_type,
    })
}

fn is_silent(attribute: &str) -> bool {
    let begins = |start: &str| attribute.starts_with(start);
    let is_comment = begins("///") || begins("//!") || begins("/**") || begins("/*!");
    is_comment || is_hint(attribute)
}

fn is_visibility(part: &str) -> bool {
    part == "pub" || part.starts_with("pub(") || part.starts_with("pub (")
}
