//! `write_lists`: replaces an empty list and the calls of `push` on it by one list with these elements (`vec![1, 2]`), so that
//! other passes can unroll a loop over it.
//!
//! The elements are computed where the last one was, which is later than before.

use super::expressions::{binding, blocks};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::{Block, Expr, Local, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "write_lists",
    about: "Writes what is pushed into a list as its elements",
    example: (
        "fn f() { let mut x = vec![a]; x.push(b); x.push(c); g(x); }",
        "fn f() { let mut x = vec![a, b, c]; g(x); }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for (file, block) in blocks(program) {
        for statement in &block.stmts {
            if let Stmt::Local(local) = statement {
                found.extend(written(program, file, block, local));
            }
        }
    }
    simplest_first(program, found)
}

/// Returns the change that writes the elements which are pushed first onto a variable's list into the list itself, up
/// to another mention of the variable.
fn written(
    program: &Program,
    file: SyntaxFile<'_>,
    block: &Block,
    local: &Local,
) -> Option<EditSet> {
    let (name, _) = binding(&local.pat)?;
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let mut elements = elements(program, file, &init.expr)?;
    let mut pushes: Vec<Place> = Vec::new();
    for mention in program.mentions().of(file.position(&name.ident)) {
        let mut statements = block.stmts.iter();
        let Some(statement) = statements.find(|one| mention.is_in(&file.place(*one))) else {
            break;
        };
        let Some((list, element)) = pushed(statement) else {
            break;
        };
        if file.place(list).start() != *mention {
            break;
        }
        pushes.push(file.place(statement));
        elements.push(file.text(element));
    }
    let (last, others) = pushes.split_last()?;
    let mut change = program.change();
    change.remove(&file.place(local));
    for push in others {
        change.remove(push);
    }
    let pattern = file.text(&local.pat);
    let list = elements.join(", ");
    change.replace(last, &format!("let {pattern} = vec![{list}];"));
    change.finish()
}

/// Returns the elements of an expression that makes a list; `None` for another expression.
fn elements<'p>(
    program: &'p Program,
    file: SyntaxFile<'p>,
    made: &'p Expr,
) -> Option<Vec<&'p str>> {
    match made {
        Expr::Macro(_) => {
            let elements = program.listed(file, made)?;
            Some(elements.iter().map(|one| file.text(one)).collect())
        }
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else {
                return None;
            };
            let segments = &function.path.segments;
            let names: Vec<String> = segments.iter().map(|one| one.ident.to_string()).collect();
            let is_empty = matches!(
                names.iter().map(String::as_str).collect::<Vec<_>>()[..],
                ["Vec", "new" | "default" | "with_capacity"]
            );
            is_empty.then(Vec::new)
        }
        _ => None,
    }
}

/// Returns the list and the element of `x.push(e);`.
fn pushed(statement: &Stmt) -> Option<(&Expr, &Expr)> {
    let Stmt::Expr(Expr::MethodCall(call), Some(_)) = statement else {
        return None;
    };
    let is_push = call.method == "push" && call.args.len() == 1;
    is_push.then(|| Some((&*call.receiver, call.args.first()?)))?
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn what_is_pushed_first_is_written() {
        check(
            &PASS,
            "fn f() { let mut x: Vec<u8> = Vec::new(); x.push(a); g(); x.push(b); for y in x { h(y) } }",
            &["fn f() { g(); let mut x: Vec<u8> = vec![a, b]; for y in x { h(y) } }"],
        );
        check(
            &PASS,
            "fn f() { let mut x = vec![]; x.push(a); if g() { x.push(b); } x.push(c); }",
            &["fn f() { let mut x = vec![a]; if g() { x.push(b); } x.push(c); }"],
        );
    }

    #[test]
    fn lists_in_the_arguments_of_macros_are_written() {
        check(
            &PASS,
            "fn f() { assert!({ let mut x = Vec::new(); x.push(a); x }.b()); }",
            &["fn f() { assert!({ let mut x = vec![a]; x }.b()); }"],
        );
    }

    #[test]
    fn what_mentions_the_list_stays() {
        check_not_applicable(&PASS, "fn f() { let mut x = vec![]; g(&x); x.push(a); }");
        check_not_applicable(&PASS, "fn f() { let mut x = vec![]; y.push(x); }");
        check_not_applicable(&PASS, "fn f() { let mut x = Map::new(); x.push(1); }");
        check_not_applicable(
            &PASS,
            "fn f() { let mut x = vec![]; for y in z { x.push(y); } }",
        );
    }
}
