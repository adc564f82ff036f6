//! `simplify_arrays`: an array of so many equal elements has one or none.

use super::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::ExprRepeat;
use syn::visit::{self, Visit};

pub(super) const PASS: Pass = Pass {
    name: "simplify_arrays",
    about: "Makes `[]` or `[x]` of `[x; n]`",
    example: ("fn f() { [1; 0][0]; }", "fn f() { [][0]; }"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut arrays = Arrays {
        program,
        file: None,
        found: Vec::new(),
    };
    for file in program.files() {
        arrays.file = Some(file);
        arrays.visit_file(file.syntax);
    }
    simplest_first(program, arrays.found)
}

struct Arrays<'p, 's> {
    program: &'p Program<'s>,
    file: Option<SyntaxFile<'p>>,
    found: Vec<EditSet>,
}

impl<'p> Visit<'p> for Arrays<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_expr_repeat(&mut self, array: &'p ExprRepeat) {
        if let Some(file) = self.file {
            let place = file.place(array);
            let element = self.program.text(&file.place(&*array.expr));
            for text in ["[]".to_owned(), format!("[{element}]")] {
                let mut change = self.program.change();
                change.replace(&place, &text);
                self.found.extend(change.finish());
            }
        }
        visit::visit_expr_repeat(self, array);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_array_has_one_element_or_none() {
        check(
            &PASS,
            "const C: &[u8] = &[f(1); N];",
            &["const C: &[u8] = &[];", "const C: &[u8] = &[f(1)];"],
        );
    }

    #[test]
    fn lists_and_types_stay() {
        check_not_applicable(&PASS, "const C: [u8; 2] = [1, 2];");
    }
}
