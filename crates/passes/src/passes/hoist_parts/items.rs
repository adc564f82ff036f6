//! Removes a function, constant or static that has items in its body, and leaves these items in its place.

use crate::pass::{Rewriter, Work};
use crate::program::{Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use syn::{Block, Expr, Item, MacroDelimiter, Stmt};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let found = visit::collect(program, |at, node| {
        let Node::Item(item) = node else { return None };
        let statements = block(item)?.stmts.iter();
        let hoisted: Vec<String> = statements.filter_map(|one| hoisted(at.file, one)).collect();
        let is_something = !hoisted.is_empty();
        is_something.then(|| program.replaced([&at.place(item)], &hoisted.join(" ")))?
    });
    simplest_first(program, found)
}

/// Returns the block of a function, constant or static.
fn block(item: &Item) -> Option<&Block> {
    let value = match item {
        Item::Fn(one) => return Some(&one.block),
        Item::Const(one) => &*one.expr,
        Item::Static(one) => &*one.expr,
        _ => return None,
    };
    match value {
        Expr::Block(block) => Some(&block.block),
        _ => None,
    }
}

/// Returns the text of a statement as an item: a call between braces needs no semicolon, one between others does.
/// Other statements go.
fn hoisted(file: SyntaxFile<'_>, statement: &Stmt) -> Option<String> {
    match statement {
        Stmt::Item(item) => Some(file.text(item).to_owned()),
        Stmt::Macro(call) if call.attrs.is_empty() => Some(match call.mac.delimiter {
            MacroDelimiter::Brace(_) => file.text(&call.mac).to_owned(),
            _ => format!("{};", file.text(&call.mac)),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn items_and_calls_of_macros_stay_and_other_statements_go() {
        check(
            &WORK,
            "fn f<T>(x: T) { use a::b; m!(c); let y = x; n! { d }; }",
            &["use a::b; m!(c); n! { d }"],
        );
    }

    #[test]
    fn constants_may_be_around_items_too() {
        check(
            &WORK,
            "const _: () = { impl A for S {} fn f() { struct T; } };",
            &[
                "impl A for S {} fn f() { struct T; }",
                "const _: () = { impl A for S {} struct T; };",
            ],
        );
    }

    #[test]
    fn without_items_in_it_a_function_stays() {
        check_not_applicable(&WORK, "fn f() { g(); } const C: u8 = { 1 };");
    }

    #[test]
    fn a_function_is_replaced_by_the_items_in_it() {
        check_has(&WORK, "fn f() { struct S; m! { a } }", "struct S; m! { a }");
    }
}
