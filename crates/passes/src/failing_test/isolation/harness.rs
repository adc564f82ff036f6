//! Replaces the `main` of the user's own test harness, which finds tests, catches their panics and ends with a status, by a call
//! of the failing function alone: a harness that always ends with that status fails whatever the test does.

use super::leading::{Function, functions};
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::Expr;

/// Returns the changes after which `main` only calls a function or a closure that leads to the failure, the innermost first.
pub(super) fn direct_mains(program: &Program, failed: Position) -> Vec<EditSet> {
    let functions = functions(program);
    let is_main = |one: &&Function<'_>| one.is_plain_main();
    let Some(main) = functions.iter().find(is_main) else {
        return vec![];
    };
    let calls = calls(program, &functions, failed).into_iter();
    let changes = calls.map(|call| {
        let text = format!("fn main() {{ {call}; }}");
        let mut change = program.change();
        change.replace(&main.place(), &text);
        change.finish()
    });
    changes.flatten().collect()
}

/// Returns calls of functions and closures without arguments that lead to the failure, or, where the failing function is a
/// helper, of all.
fn calls(program: &Program, functions: &[Function<'_>], failed: Position) -> Vec<String> {
    let mut found: Vec<(Place, String)> = visit::collect(program, |at, node| {
        let Node::Expr(expr @ Expr::Closure(closure)) = node else {
            return None;
        };
        let place = at.place(expr);
        let is_around = failed.is_in(&place) && closure.inputs.is_empty();
        is_around.then(|| (place, format!("({})()", at.file.text(expr))))
    });
    let called = functions.iter().filter(|one| one.takes_nothing());
    let called = called.filter(|one| !one.is_plain_main());
    let (around, others): (Vec<_>, Vec<_>) =
        called.partition::<Vec<_>, _>(|one| failed.is_in(&one.body()));
    let call = |one: &Function<'_>| (one.body(), format!("{}()", one.word()));
    found.extend(around.into_iter().map(call));
    if found.is_empty() {
        found.extend(others.into_iter().map(call));
    }
    found.sort_by_key(|(place, _)| place.range.len());
    found.into_iter().map(|(_, call)| call).collect()
}
