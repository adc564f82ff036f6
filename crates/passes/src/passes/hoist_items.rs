//! `hoist_items`: a function, constant or static around items goes, and leaves them where it stood.

use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, MacroDelimiter, Stmt, StmtMacro};

pub(super) const PASS: Pass = Pass {
    name: "hoist_items",
    about: "Replaces a function or constant by the items and macro calls in it",
    example: ("fn f() { struct S; m! { a } }", "struct S; m! { a }"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut around = Around {
        program,
        file: None,
        found: Vec::new(),
    };
    for file in program.files() {
        around.file = Some(file);
        around.visit_file(file.syntax);
    }
    simplest_first(program, around.found)
}

struct Around<'p, 's> {
    program: &'p Program<'s>,
    file: Option<SyntaxFile<'p>>,
    found: Vec<EditSet>,
}

impl<'p> Around<'p, '_> {
    fn block(&mut self, item: &impl Spanned, block: &'p Block) {
        let Some(file) = self.file else { return };
        let hoisted = block.stmts.iter().filter_map(|one| self.hoisted(file, one));
        let hoisted: Vec<String> = hoisted.collect();
        if hoisted.is_empty() {
            return;
        }
        let mut change = self.program.change();
        change.replace(&file.place(item), &hoisted.join(" "));
        self.found.extend(change.finish());
    }

    /// What a statement is as an item. Other statements go.
    fn hoisted(&self, file: SyntaxFile<'p>, statement: &Stmt) -> Option<String> {
        match statement {
            Stmt::Item(item) => Some(self.program.text(&file.place(item)).to_owned()),
            Stmt::Macro(call) if call.attrs.is_empty() => Some(self.call(file, call)),
            _ => None,
        }
    }

    /// A call between braces needs no semicolon, one between others does.
    fn call(&self, file: SyntaxFile<'p>, call: &StmtMacro) -> String {
        let place: Place = file.place(&call.mac);
        let text = self.program.text(&place);
        match call.mac.delimiter {
            MacroDelimiter::Brace(_) => text.to_owned(),
            _ => format!("{text};"),
        }
    }
}

impl<'p> Visit<'p> for Around<'p, '_> {
    fn visit_item(&mut self, item: &'p Item) {
        let value = match item {
            Item::Fn(one) => return self.block_and_inside(item, &one.block),
            Item::Const(one) => &one.expr,
            Item::Static(one) => &one.expr,
            _ => return visit::visit_item(self, item),
        };
        match &**value {
            Expr::Block(block) => self.block_and_inside(item, &block.block),
            _ => visit::visit_item(self, item),
        }
    }
}

impl<'p> Around<'p, '_> {
    fn block_and_inside(&mut self, item: &'p Item, block: &'p Block) {
        self.block(item, block);
        visit::visit_item(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn items_and_calls_of_macros_stay_and_other_statements_go() {
        check(
            &PASS,
            "fn f<T>(x: T) { use a::b; m!(c); let y = x; n! { d }; }",
            &["use a::b; m!(c); n! { d }"],
        );
    }

    #[test]
    fn constants_may_be_around_items_too() {
        check(
            &PASS,
            "const _: () = { impl A for S {} fn f() { struct T; } };",
            &[
                "impl A for S {} fn f() { struct T; }",
                "const _: () = { impl A for S {} struct T; };",
            ],
        );
    }

    #[test]
    fn without_items_in_it_a_function_stays() {
        check_not_applicable(&PASS, "fn f() { g(); } const C: u8 = { 1 };");
    }
}
