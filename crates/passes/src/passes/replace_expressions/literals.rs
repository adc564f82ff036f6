//! Literals become the shortest of their sort: all of the same text together, since lengths must
//! often agree, then each alone.

use crate::passes::literals::by_text;
use crate::program::Program;
use reduce_syntax::EditSet;
use std::slice::from_ref;
use syn::Lit;

/// All changes of literals.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, same) in by_text(program) {
        let values = values(same.literal);
        if values.first() == Some(&text) {
            continue;
        }
        let places = same.places.as_slice();
        for value in values.iter().filter(|value| **value != text) {
            found.extend(program.replaced(places, value));
            for alone in places.iter().filter(|_| places.len() > 1) {
                found.extend(program.replaced(from_ref(alone), value));
            }
        }
    }
    found
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
