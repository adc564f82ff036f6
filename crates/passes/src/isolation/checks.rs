//! Assertions that hold. What they compare is computed without them too, where that may change something.

use super::Isolating;
use super::leading::bodies_of_other_tests;
use super::variables::Variables;
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Stmt, Token};

/// Each assertion but the one that fails and those of other tests.
pub(super) fn passing(
    program: &Program,
    failed: Option<Position>,
    test: &str,
    variables: &Variables,
) -> Vec<Isolating> {
    let others = bodies_of_other_tests(program, test);
    let mut found = vec![];
    visit::each_also_in_macros(program, |at, node| {
        let call = match node {
            Node::Stmt(Stmt::Macro(one)) => &one.mac,
            Node::Expr(Expr::Macro(one)) => &one.mac,
            _ => return,
        };
        let start = at.place(call).start();
        if failed == Some(start) || others.iter().any(|body| start.is_in(body)) {
            return;
        }
        let Some(computed) = computed(at.file, call) else {
            return;
        };
        let place = match node {
            Node::Stmt(statement) => at.place(statement),
            _ => at.place(call),
        };
        let changes_nothing = variables
            .of_outside(&place)
            .all(|one| variables.is_plain(one));
        found.push(match node {
            Node::Stmt(_) if changes_nothing => Isolating::Remove(vec![place]),
            Node::Stmt(_) => Isolating::Replace(place, format!("let _ = {computed};")),
            _ => Isolating::Replace(place, format!("{{ let _ = {computed}; }}")),
        });
    });
    found
}

/// What an assertion of std computes, without its message. `None` of another macro.
fn computed(file: SyntaxFile<'_>, call: &Macro) -> Option<String> {
    let name = call.path.segments.last()?.ident.to_string();
    let operator = match name.trim_start_matches("debug_") {
        "assert" => None,
        "assert_eq" => Some("=="),
        "assert_ne" => Some("!="),
        _ => return None,
    };
    let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    let arguments = arguments.ok()?;
    let mut arguments = arguments.iter();
    let first = arguments.next()?;
    let Some(operator) = operator else {
        return Some(file.text(first).to_owned());
    };
    let second = arguments.next()?;
    let [first, second] = [first, second].map(|one| operand(file, one));
    Some(format!("{first} {operator} {second}"))
}

/// The two values that an `assert_eq!` or `assert_ne!` compares. `None` of another macro.
pub(super) fn operands(call: &Macro) -> Option<[Expr; 2]> {
    let name = call.path.segments.last()?.ident.to_string();
    let is_comparison = matches!(name.trim_start_matches("debug_"), "assert_eq" | "assert_ne");
    let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    let mut arguments = arguments.ok().filter(|_| is_comparison)?.into_iter();
    Some([arguments.next()?, arguments.next()?])
}

/// An expression that stands beside an operator.
fn operand(file: SyntaxFile<'_>, expr: &Expr) -> String {
    let text = file.text(expr);
    match expr {
        Expr::Array(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Reference(_)
        | Expr::Tuple(_)
        | Expr::Unary(_) => text.to_owned(),
        _ => format!("({text})"),
    }
}
