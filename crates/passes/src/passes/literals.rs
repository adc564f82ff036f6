//! The literals of a program, those of the same text together: lengths and expectations must often
//! agree.

use crate::program::{Place, Program};
use crate::visit::{self, Node};
use std::collections::BTreeMap;
use syn::Lit;

/// Literals of one text.
pub(super) struct Same<'p> {
    /// One of them.
    pub(super) literal: &'p Lit,
    pub(super) places: Vec<Place>,
}

/// All literals by their text, also those in macro calls whose arguments look like expressions.
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
