//! Literals become the shortest of their sort: all of the same text together, since lengths must
//! often agree, then each alone.

use super::super::expressions::{MacroArguments, macro_arguments};
use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::EditSet;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Lit, Macro};

/// All changes of literals.
pub(super) fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (text, literals) in of_text(program) {
        for value in literals.values.iter().filter(|value| ***value != *text) {
            let mut together = vec![literals.places.clone()];
            if literals.places.len() > 1 {
                together.extend(literals.places.iter().map(|place| vec![place.clone()]));
            }
            for places in together {
                let mut change = program.change();
                for place in &places {
                    change.replace(place, value);
                }
                found.extend(change.finish());
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

type ByText<'s> = BTreeMap<&'s str, Same>;

fn of_text<'s>(program: &'s Program<'_>) -> ByText<'s> {
    let mut all = BTreeMap::new();
    for file in program.files() {
        let mut literals = Literals { program, file, all };
        literals.visit_file(file.syntax);
        all = literals.all;
    }
    all
}

struct Literals<'p, 's> {
    program: &'p Program<'s>,
    file: SyntaxFile<'p>,
    all: ByText<'p>,
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

impl<'ast> Visit<'ast> for Literals<'_, '_> {
    fn visit_lit(&mut self, literal: &'ast Lit) {
        let values = values(literal);
        let place = self.file.place(literal);
        let text = self.program.text(&place);
        if !values.is_empty() && values.first() != Some(&text) {
            let same = self.all.entry(text).or_default();
            same.values = values;
            same.places.push(place);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_abi(&mut self, _: &'ast syn::Abi) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        match macro_arguments(call) {
            MacroArguments::Expressions(all) => all.iter().for_each(|one| self.visit_expr(one)),
            MacroArguments::Statements(all) => all.iter().for_each(|one| self.visit_stmt(one)),
            MacroArguments::Unknown => {}
        }
        visit::visit_path(self, &call.path);
    }
}
