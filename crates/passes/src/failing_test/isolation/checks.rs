//! Finds assertions that hold, to remove them from a failing test. An operand that may have an effect is still computed.

use super::Isolating;
use super::leading::bodies_of_other_tests;
use super::variables::Variables;
use crate::passes::is_assertion_name;
use crate::precedence::{Precedence, is_assignment, is_tight};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::{SourceTree, TokenCursor};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::visit::{Visit, visit_expr};
use syn::{Expr, Macro, Stmt, Token};

/// Returns the removals of all assertions but the failing one and those of other tests.
pub(super) fn passing(
    program: &Program,
    failed: Option<Position>,
    test: &str,
    variables: &Variables,
) -> Vec<Isolating> {
    let others = bodies_of_other_tests(program, test);
    let mut found = vec![];
    visit::each_call(program, |at, node, call| {
        let start = at.place(call).start();
        if failed == Some(start) || others.iter().any(|body| start.is_in(body)) {
            return;
        }
        let Some(assertion) = Assertion::of(call) else {
            return;
        };
        let computed = assertion.computed(at.file);
        let place = match node {
            Node::Stmt(statement) => at.place(statement),
            _ => at.place(call),
        };
        let changes_nothing = assertion.calls_nothing() || variables.are_plain_in(&place);
        found.push(match node {
            Node::Stmt(_) if changes_nothing => Isolating::Remove(vec![place]),
            Node::Stmt(_) => Isolating::Replace(place, format!("let _ = {computed};")),
            _ => Isolating::Replace(place, format!("{{ let _ = {computed}; }}")),
        });
    });
    found.extend(asserting_calls(program, &others, variables));
    found
}

/// Returns the removals of statements that call a function whose name says that it asserts something. What is passed is still
/// computed where that may matter.
fn asserting_calls(program: &Program, others: &[Place], variables: &Variables) -> Vec<Isolating> {
    visit::collect(program, |at, node| {
        let Node::Stmt(statement @ Stmt::Expr(Expr::Call(call), Some(_))) = node else {
            return None;
        };
        let place = at.place(statement);
        let is_of_other = others.iter().any(|body| place.is_within(body));
        if is_of_other || !is_asserting(&call.func) {
            return None;
        }
        let mut passed = call.args.iter();
        let changes_nothing = passed.all(is_there_already) || variables.are_plain_in(&place);
        let arguments = at.file.inside(call.paren_token.span);
        Some(match changes_nothing {
            true => Isolating::Remove(vec![place]),
            false => {
                let text = at.file.text_at(&arguments);
                Isolating::Replace(place, format!("let _ = ({text});"))
            }
        })
    })
}

/// Whether a function has a name that says that the function asserts something.
fn is_asserting(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let name = path.path.segments.last();
    name.is_some_and(|name| is_assertion_name(&name.ident.to_string()))
}

/// Returns the names of the functions that are called in definitions of assertion macros, such as an own `assert_near!`: such a
/// macro passes its arguments and its line on.
#[must_use]
pub fn functions_of_assertion_macros(sources: &SourceTree) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, _, text) in sources.files() {
        let cursor = TokenCursor::new(text);
        let is_definition = |idx: &usize| {
            cursor.are(*idx, &["macro_rules", "!"]) && is_assertion_name(cursor.word(idx + 2))
        };
        for definition in cursor.indices().filter(is_definition) {
            let body = definition + 3..cursor.closing(definition + 3).unwrap_or(definition + 3);
            let is_called = |idx: &usize| {
                let is_other = [".", "$"].contains(&cursor.word(idx - 1));
                cursor.is_name(*idx) && cursor.is(idx + 1, "(") && !is_other
            };
            found.extend(
                body.filter(is_called)
                    .map(|idx| cursor.word(idx).to_owned()),
            );
        }
    }
    found
}

/// Returns the macro call that begins at a position.
pub(super) fn call_at(program: &Program, position: Position) -> Option<(SyntaxFile<'_>, Macro)> {
    let mut found = None;
    visit::each_call(program, |at, _, call| {
        if at.place(call).start() == position {
            found = Some((at.file, call.clone()));
        }
    });
    found
}

/// An assertion of std, without its message.
pub(super) struct Assertion {
    /// The operator between the two sides, such as `==`; `None` for `assert!`, which has one side.
    operator: Option<&'static str>,
    arguments: Vec<Expr>,
}

impl Assertion {
    /// Reads an assertion of std; `None` of another macro.
    pub(super) fn of(call: &Macro) -> Option<Self> {
        let name = call.path.segments.last()?.ident.to_string();
        let operator = match name.trim_start_matches("debug_") {
            "assert" => None,
            "assert_eq" => Some("=="),
            "assert_ne" => Some("!="),
            _ => return None,
        };
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let n_sides = 1 + usize::from(operator.is_some());
        let arguments: Vec<Expr> = arguments.ok()?.into_iter().take(n_sides).collect();
        (arguments.len() == n_sides).then_some(Self {
            operator,
            arguments,
        })
    }

    /// Returns the two values that the assertion compares; `None` of `assert!`.
    pub(super) fn sides(self) -> Option<[Expr; 2]> {
        self.arguments.try_into().ok()
    }

    /// Returns the two values that `assert_eq!` compares; `None` of other assertions.
    pub(super) fn equal_sides(self) -> Option<[Expr; 2]> {
        let is_equality = self.operator == Some("==");
        self.sides().filter(|_| is_equality)
    }

    /// Returns the side that says which value is right: the one that calls nothing, if the other one calls something; else all
    /// sides.
    pub(super) fn expected(self) -> Vec<Expr> {
        let is_fixed = |side: &Expr| called_names(side).iter().all(|name| is_constructor(name));
        let (fixed, other): (Vec<_>, Vec<_>) = self.arguments.into_iter().partition(is_fixed);
        match fixed.len() {
            1 => fixed,
            _ => fixed.into_iter().chain(other).collect(),
        }
    }

    /// Whether the assertion only compares values that exist already, without any call.
    fn calls_nothing(&self) -> bool {
        self.arguments.iter().all(is_there_already)
    }

    /// Returns the text of the expression that the assertion computes.
    fn computed(&self, file: SyntaxFile<'_>) -> String {
        let Some(operator) = self.operator else {
            return file.text(&self.arguments[0]).to_owned();
        };
        let sides = self.arguments.iter().map(|side| operand(file, side));
        let sides: Vec<String> = sides.collect();
        sides.join(&format!(" {operator} "))
    }
}

/// Whether an expression is made of variables, fields, literals and references alone.
fn is_there_already(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_there_already(&field.base),
        Expr::Reference(reference) => {
            reference.mutability.is_none() && is_there_already(&reference.expr)
        }
        Expr::Paren(inner) => is_there_already(&inner.expr),
        Expr::Unary(unary) => is_there_already(&unary.expr),
        Expr::Binary(both) => {
            !is_assignment(&both.op)
                && is_there_already(&both.left)
                && is_there_already(&both.right)
        }
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_there_already),
        Expr::Array(array) => array.elems.iter().all(is_there_already),
        _ => false,
    }
}

/// Whether a function of this name only wraps a value, as `Some` does.
fn is_constructor(name: &str) -> bool {
    name.starts_with(char::is_uppercase) || SAME.contains(&name)
}

/// Returns the text of an expression, in parentheses if it cannot stand beside an operator.
fn operand(file: SyntaxFile<'_>, expr: &Expr) -> String {
    let text = file.text(expr);
    match is_tight(expr) || Precedence::of(expr) == Precedence::Prefix {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Methods, such as `to_string`, that return the same value in another form.
pub(super) const SAME: [&str; 12] = [
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "clone",
    "cloned",
    "copied",
    "into",
    "to_owned",
    "to_string",
    "to_vec",
];

/// Returns the names of all functions, methods and macros that an expression calls, in order.
pub(super) fn called_names(expr: &Expr) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            match expr {
                Expr::Call(call) => {
                    if let Expr::Path(path) = &*call.func {
                        let last = path.path.segments.last();
                        self.0.extend(last.map(|last| last.ident.to_string()));
                    }
                }
                Expr::MethodCall(call) => self.0.push(call.method.to_string()),
                _ => {}
            }
            visit_expr(self, expr);
        }
    }
    let mut names = Names(vec![]);
    names.visit_expr(expr);
    names.0
}
