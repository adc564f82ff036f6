//! Literals become the shortest of their sort: all of the same text together, since lengths must
//! often agree, then each alone.

use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::BTreeMap;
use std::slice::from_ref;
use syn::Lit;

/// All changes of literals.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, literals) in of_text(program) {
        let places = literals.places.as_slice();
        for value in literals.values.iter().filter(|value| **value != text) {
            found.extend(program.replaced(places, value));
            for alone in places.iter().filter(|_| places.len() > 1) {
                found.extend(program.replaced(from_ref(alone), value));
            }
        }
    }
    found
}

/// The literals of one text.
#[derive(Default)]
struct Same {
    places: Vec<Place>,
    values: &'static [&'static str],
}

fn of_text(program: &Program) -> BTreeMap<&str, Same> {
    let mut all: BTreeMap<&str, Same> = BTreeMap::new();
    visit::each_also_in_macros(program, |at, node| {
        let Node::Lit(literal) = node else { return };
        let (values, text) = (values(literal), at.text(literal));
        if !values.is_empty() && values.first() != Some(&text) {
            let same = all.entry(text).or_default();
            same.values = values;
            same.places.push(at.place(literal));
        }
    });
    all
}

fn values(literal: &Lit) -> &'static [&'static str] {
    match literal {
        Lit::Int(int) if matches!(int.base10_digits(), "0") => &["0"],
        Lit::Int(_) => &["0", "1"],
        Lit::Float(_) => &["0.0"],
        Lit::Str(_) => &["\"\""],
        Lit::ByteStr(_) => &["b\"\""],
        Lit::CStr(_) => &["c\"\""],
        Lit::Char(_) => &["' '"],
        Lit::Byte(_) => &["b' '"],
        _ => &[],
    }
}
