//! Changes of an `if` into a loop: of an `if let` that takes the next element, and of an `if` that asks for a length which its
//! body changes. And changes of the direction of a loop.
//!
//! A loop that was forgotten leaves the elements after the first one alone. Whatever they are, the outcome is the same then, unless a
//! mutant goes on to them.

use super::{ChangeCollector, Switch, in_one_line};
use crate::mutant::Operator;
use reduce_syntax::byte_range;
use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ExprIf, ExprLet, ExprMethodCall, Ident, Pat, Stmt};

/// Methods that take an element out of something and return it, or `None` in the end, such as `pop`.
const TAKING: [&str; 7] = [
    "next",
    "next_back",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
];

/// Methods that tell how many elements there are, or whether there are any.
const MEASURING: [&str; 2] = ["len", "is_empty"];

/// Methods whose iterators can go backwards.
const TWO_WAYS: [&str; 5] = ["bytes", "char_indices", "chars", "iter", "iter_mut"];

impl ChangeCollector<'_> {
    /// Notes that a `for` loop may go through its elements from the last to the first, or no longer does.
    pub(super) fn reversed(&mut self, repeated: &ExprForLoop) {
        let Expr::MethodCall(call) = &*repeated.expr else {
            return;
        };
        let goes_through = match call.method.to_string().as_str() {
            "rev" => self.text_of(&call.receiver).to_owned(),
            name if TWO_WAYS.contains(&name) => format!("{}.rev()", self.text_of(call)),
            _ => return,
        };
        if !self.knows_signatures() || !call.args.is_empty() {
            return;
        }
        let (element, body) = (self.text_of(&repeated.pat), self.text_of(&repeated.body));
        let label = repeated.label.as_ref();
        let label = label.map_or(String::new(), |label| format!("{} ", self.text_of(label)));
        let mutated = format!("{label}for {element} in {goes_through} {body}");
        if let Some(copy) = in_one_line(&mutated) {
            let switch = Switch::OtherLoop(copy);
            self.note(byte_range(repeated), mutated, Operator::Order, switch);
        }
    }

    /// Notes that an `if` without `else` may be a loop, if it takes an element from something, or asks for a length that its body
    /// can change.
    pub(super) fn repeated(&mut self, branches: &ExprIf) {
        let is_last = branches.then_branch.stmts.last().is_some_and(leaves);
        if branches.else_branch.is_some() || is_last {
            return;
        }
        let Some(mutated) = self.as_loop(branches) else {
            return;
        };
        if let Some(copy) = in_one_line(&mutated) {
            let switch = Switch::Otherwise(copy);
            self.note(byte_range(branches), mutated, Operator::Repetition, switch);
        }
    }

    /// Returns the text of the loop that takes the place of an `if`.
    fn as_loop(&self, branches: &ExprIf) -> Option<String> {
        let body = self.text_of(&branches.then_branch);
        let Some((chosen, taking)) = taken(&branches.cond) else {
            let is_again =
                !matches!(*branches.cond, Expr::Let(_)) && self.asks_for_length_again(branches);
            return is_again.then(|| format!("while {} {body}", self.text_of(&branches.cond)));
        };
        match (&*chosen.pat, is_place(&taking.receiver)) {
            (_, true) => Some(format!("while {} {body}", self.text_of(chosen))),
            (Pat::TupleStruct(some), false) if taking.method == "next" && some.elems.len() == 1 => {
                let taken_from = self.text_of(&taking.receiver);
                let element = self.text_of(&some.elems);
                Some(format!("for {element} in {taken_from} {body}"))
            }
            _ => None,
        }
    }

    /// Whether the condition of an `if` asks for the number of elements of something, and its body calls a method that may change
    /// this number.
    fn asks_for_length_again(&self, branches: &ExprIf) -> bool {
        let mut asked = Receivers::default();
        asked.visit_expr(&branches.cond);
        let mut changed = Receivers::default();
        changed.visit_block(&branches.then_branch);
        asked.0.iter().any(|(method, place)| {
            MEASURING.iter().any(|name| *method == name)
                && is_place(place)
                && (changed.0.iter()).any(|(_, whole)| self.is_part_of(place, whole))
        })
    }

    /// Whether a place is another one or a part of it: `a.b.c` is a part of `a.b`.
    fn is_part_of(&self, place: &Expr, whole: &Expr) -> bool {
        self.text_of(place) == self.text_of(whole)
            || match place {
                Expr::Field(field) => self.is_part_of(&field.base, whole),
                Expr::Index(indexed) => self.is_part_of(&indexed.expr, whole),
                Expr::Paren(inner) => self.is_part_of(&inner.expr, whole),
                _ => false,
            }
    }
}

/// Returns the call by which a condition takes an element, with the whole `let` condition.
fn taken(condition: &Expr) -> Option<(&ExprLet, &ExprMethodCall)> {
    let Expr::Let(chosen) = condition else {
        return None;
    };
    let Expr::MethodCall(call) = &*chosen.expr else {
        return None;
    };
    let is_taking = call.args.is_empty() && TAKING.iter().any(|name| call.method == name);
    is_taking.then_some((chosen, call))
}

/// The method calls in some code: the name of each method, with the receiver.
#[derive(Default)]
struct Receivers<'ast>(Vec<(&'ast Ident, &'ast Expr)>);

impl<'ast> Visit<'ast> for Receivers<'ast> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.0.push((&call.method, &call.receiver));
        visit::visit_expr_method_call(self, call);
    }
}

/// Whether an expression is a variable or a field of one, and no value that is made anew.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(indexed) => is_place(&indexed.expr),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Unary(operation) => is_place(&operation.expr),
        _ => false,
    }
}

/// Whether a statement leaves its block, so that nothing comes after it.
fn leaves(statement: &Stmt) -> bool {
    let Stmt::Expr(expr, _) = statement else {
        return false;
    };
    matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

#[cfg(test)]
mod tests {
    use crate::mutant::{Mutant, Operator};
    use crate::reach::Reach;
    use crate::testing::{all_reaching, check};

    #[test]
    fn a_loop_goes_through_its_elements_in_the_other_direction() {
        let checked = |text: &str, expected: &[&str]| {
            let all = all_reaching(Reach::Constant, text).into_iter();
            let reversed = all.filter(|one| one.operator == Operator::Order);
            let reversed: Vec<String> = reversed.map(|one| one.mutated).collect();
            assert_eq!(reversed, expected);
        };
        checked(
            "fn f() { 'a: for x in y.iter() { g(x) } h(); for x in y.iter().rev() { g(x); } }",
            &[
                "'a: for x in y.iter().rev() { g(x) }",
                "for x in y.iter() { g(x); }",
            ],
        );
        checked("fn f() { for x in y { g(x) } for x in z() { h() } }", &[]);
    }

    #[test]
    fn what_takes_an_element_goes_on_to_the_next_one() {
        check(
            "fn f() -> S { if let Some(a) = b.c.pop() { d[0] = a; } e }",
            &["while let Some(a) = b.c.pop() { d[0] = a; }", "", "1"],
        );
        check(
            "fn f() -> S { if let Some((a, b)) = c.iter().next() { g = a + b } h }",
            &[
                "for (a, b) in c.iter() { g = a + b }",
                "c.iter().next_back()",
                "a - b",
            ],
        );
    }

    #[test]
    fn what_asks_for_a_length_asks_again() {
        let check = |text: &str, expected: Option<&str>| {
            let text = format!("fn f() -> S {{ {text} d }}");
            let mutants = all_reaching(Reach::Plain, &text);
            let is_loop = |one: &&Mutant| one.operator == Operator::Repetition;
            let found = mutants.iter().find(is_loop);
            assert_eq!(found.map(|one| one.mutated.as_str()), expected);
        };
        let again = "while a < self.b.len() { self.c(); }";
        check("if a < self.b.len() { self.c(); }", Some(again));
        let again = "while !a.is_empty() { a.b(c); }";
        check("if !a.is_empty() { a.b(c); }", Some(again));
        check("if a.len() > 0 { b.c(); }", None);
        check("if a.b().len() > 0 { a.c(); }", None);
        check("if a.len() > 0 { a.b(); } else { c(); }", None);
    }

    #[test]
    fn what_takes_nothing_or_ends_is_done_once() {
        let others = |text: &str| {
            let text = format!("fn f() -> S {{ {text} }}");
            check(&text, &[]);
        };
        others("if let Some(a) = b.c { return a } d");
        others("if let Some(a) = b.peek() { c = a } d");
        others("if let Some(a) = b.pop() { return a } c");
        others("if let Some(a) = b.c().pop() { d = a } e");
    }
}
