//! Groups the literals of a program by their text, as equal ones often have to change together: a length, and what a
//! test expects of it.

use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::BTreeMap;
use std::slice::from_ref;
use syn::Lit;

/// The places of all literals of one text.
pub(super) struct Same<'p> {
    /// One of the literals with this text.
    pub(super) literal: &'p Lit,
    pub(super) places: Vec<Place>,
}

/// Returns all literals by their text, also those in macro calls whose arguments look like expressions.
pub(super) fn by_text(program: &Program) -> BTreeMap<&str, Same<'_>> {
    let mut all: BTreeMap<&str, Same<'_>> = BTreeMap::new();
    visit::each_also_in_macros(program, |at, node| {
        let Node::Lit(literal) = node else { return };
        let same = all.entry(at.text(literal)).or_insert(Same {
            literal,
            places: Vec::new(),
        });
        same.places.push(at.place(literal));
    });
    all
}

/// Replaces literals by simpler ones, which `simpler` makes of one and its text, the simplest first: in all places of the
/// same text, and in each alone.
pub(super) fn replacements(
    program: &Program,
    simpler: fn(&Lit, &str) -> Vec<String>,
) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, Same { literal, places }) in by_text(program) {
        let simpler = simpler(literal, text);
        let together = simpler.iter();
        found.extend(together.filter_map(|value| program.replaced(&places, value)));
        if let (Some(first), 2..) = (simpler.first(), places.len()) {
            let alone = places.iter();
            found.extend(alone.filter_map(|place| program.replaced(from_ref(place), first)));
        }
    }
    found
}

/// Replaces literals by the shortest ones of their sort, in all places of a text, and in each alone.
pub(super) fn shortest(
    program: &Program,
    shortest: fn(&Lit) -> &'static [&'static str],
) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, Same { literal, places }) in by_text(program) {
        let values = shortest(literal);
        if values.first() == Some(&text) {
            continue;
        }
        for value in values.iter().filter(|value| **value != text) {
            found.extend(program.replaced(&places, value));
            let alone = places.iter().filter(|_| places.len() > 1);
            found.extend(alone.filter_map(|place| program.replaced(from_ref(place), value)));
        }
    }
    found
}
