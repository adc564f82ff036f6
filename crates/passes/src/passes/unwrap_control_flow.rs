//! `unwrap_control_flow`: replaces a branch, a loop or a called closure by its body, and removes the `async` of
//! functions. A branch that only stands for its block, without the names that its pattern binds, is `hoist_parts`'
//! business.

mod asyncs;
mod firsts;
mod lifting;
mod loops;
mod patterns;
mod values;

use super::expressions::{blocks, contents, plain_block};
use super::functions::Shape;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::precedence::is_like_a_block;
use crate::program::{Change, Place, Program, SyntaxFile, simplest_first};
use reduce_syntax::EditSet;
use syn::{Block, Expr, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "unwrap_control_flow",
    about: "Does without a branch, loop, closure or `async` what they do",
    example: (
        "fn f() { match g() { x => h(x, x) } }",
        "fn f() { let x = g(); h(x, x) }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = asyncs::changes(program);
    for (file, block) in blocks(program) {
        let unwrapping = Unwrapping { program, file };
        for (idx, statement) in block.stmts.iter().enumerate() {
            let is_last = idx + 1 == block.stmts.len();
            unwrapping.statement(statement, is_last, &mut found);
        }
    }
    values::changes(program, &mut found);
    simplest_first(program, found)
}

/// Unwraps the statements and expressions of one file.
#[derive(Clone, Copy)]
pub(super) struct Unwrapping<'p> {
    pub(super) program: &'p Program,
    pub(super) file: SyntaxFile<'p>,
}

impl<'p> Unwrapping<'p> {
    fn statement(self, statement: &'p Stmt, is_last: bool, found: &mut Vec<EditSet>) {
        found.extend(self.lift(statement));
        match statement {
            Stmt::Local(local) => found.extend(self.without_else(local)),
            Stmt::Expr(expression, semicolon) => {
                let whole = self.file.place(statement);
                // The code that follows begins a statement of its own.
                let end = if is_last && semicolon.is_none() {
                    ""
                } else {
                    ";"
                };
                self.expression(expression, &Standing { whole, end }, found);
                if is_last && let Expr::Return(leaving) = expression {
                    found.extend(self.without_return(statement, leaving));
                }
            }
            Stmt::Item(_) | Stmt::Macro(_) => {}
        }
    }

    fn expression(self, expression: &'p Expr, standing: &Standing, found: &mut Vec<EditSet>) {
        match expression {
            Expr::Match(matching) => found.extend(self.arms(matching, standing)),
            Expr::If(branches) => {
                let parts = (&*branches.cond, &branches.then_branch);
                found.extend(self.condition(self.program.change(), parts, standing));
            }
            Expr::While(looping) => {
                let parts = (&*looping.cond, &looping.body);
                let mut change = self.program.change();
                self.leave_out_all(&looping.body, &mut change);
                found.extend(self.condition(change, parts, standing));
                found.extend(self.body(&looping.body, standing));
            }
            Expr::Loop(looping) => found.extend(self.body(&looping.body, standing)),
            Expr::ForLoop(looping) => found.extend(self.for_loop(looping, standing)),
            Expr::Tuple(tuple) => found.extend(self.one_by_one(tuple, standing)),
            _ => {}
        }
    }

    /// Makes statements of a tuple's elements: `a; b;` of `(a, b);`.
    fn one_by_one(self, tuple: &syn::ExprTuple, standing: &Standing) -> Option<EditSet> {
        if standing.end.is_empty() || tuple.elems.is_empty() {
            return None;
        }
        let elements = tuple.elems.iter().map(|one| self.file.text(one));
        let statements: Vec<String> = elements.map(|one| format!("{one};")).collect();
        let statements = statements.join(" ");
        self.program.replaced([&standing.whole], &statements)
    }

    /// Puts `e` in place of `return e;` at the end of a block.
    fn without_return(self, statement: &Stmt, leaving: &syn::ExprReturn) -> Option<EditSet> {
        let value = self.file.text(leaving.expr.as_deref()?);
        let statement = self.file.place(statement);
        self.program.replaced([&statement], value)
    }

    /// Returns the part of a body that stays: the contents of a block, or the whole of another expression.
    fn kept(self, body: &Expr) -> Kept {
        match plain_block(body) {
            Some(block) => self.contents(block),
            None => Kept {
                place: self.file.place(body),
                is_ended: is_like_a_block(body),
                idle: self.idle(body),
            },
        }
    }

    pub(super) fn contents(self, block: &Block) -> Kept {
        Kept {
            place: contents(self.file, block),
            is_ended: match block.stmts.last() {
                Some(Stmt::Expr(last, None)) => is_like_a_block(last),
                Some(Stmt::Macro(call)) => call.semi_token.is_some(),
                _ => true,
            },
            idle: match block.stmts.last() {
                Some(Stmt::Expr(last, None)) => self.idle(last),
                _ => None,
            },
        }
    }

    /// Returns the byte where a value begins, if the value does nothing, as a literal or a path does.
    fn idle(self, value: &Expr) -> Option<usize> {
        let place = self.file.place(value);
        (Shape::of(value) == Shape::Simple).then_some(place.range.start)
    }

    /// Replaces the parts of a statement around `kept`: `before` comes first, and the end of the statement
    /// last.
    fn around(
        self,
        mut change: Change<'_>,
        standing: &Standing,
        kept: &Kept,
        before: &str,
    ) -> Option<EditSet> {
        self.put_around(&mut change, standing, kept, before);
        change.finish()
    }

    /// Replaces the parts of a statement around `kept`, as a part of a change.
    pub(super) fn put_around(
        self,
        change: &mut Change<'_>,
        standing: &Standing,
        kept: &Kept,
        before: &str,
    ) {
        let Place { file, range: whole } = &standing.whole;
        let kept = kept.in_place_of(standing);
        let inner = &kept.place.range;
        change.replace(&Place::new(*file, whole.start..inner.start), before);
        let end = if kept.is_ended { "" } else { standing.end };
        change.replace(&Place::new(*file, inner.end..whole.end), end);
    }
}

/// The part of a statement that stays when the statement is replaced by it.
pub(super) struct Kept {
    pub(super) place: Place,
    /// Whether another statement may follow the part without a semicolon.
    pub(super) is_ended: bool,
    /// The byte where the part's value begins, if the value does nothing.
    pub(super) idle: Option<usize>,
}

impl Kept {
    /// Returns the part that stays in place of a statement, without a value that nobody takes, as the type of that
    /// may not be known then.
    fn in_place_of(&self, standing: &Standing) -> Self {
        let Place { file, range } = self.place.clone();
        let is_taken = standing.end.is_empty();
        match self.idle.filter(|_| !is_taken) {
            Some(end) => Self {
                place: Place::new(file, range.start..end),
                is_ended: true,
                idle: None,
            },
            None => Self {
                place: self.place.clone(),
                ..*self
            },
        }
    }
}

/// A statement that is replaced by a part of it.
pub(super) struct Standing {
    pub(super) whole: Place,
    /// The text that is needed after an expression in the statement's place.
    pub(super) end: &'static str,
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn what_is_taken_out_of_branches_is_taken_out_in_them() {
        check_has(
            &PASS,
            "fn f() -> Option<u8> { g(match x { A => Some(1), B => h(), C => return None, _ => { k(); Some(2) } }?); None }",
            "fn f() -> Option<u8> { g(match x { A => 1, B => h()?, C => return None, _ => { k(); 2 } }); None }",
        );
        check_has(
            &PASS,
            "fn f() { g(if x { Ok(1) } else if y { h() } else { Ok(2) }.unwrap()); }",
            "fn f() { g(if x { 1 } else if y { h().unwrap() } else { 2 }); }",
        );
        check_not_applicable(&PASS, "fn f() { match x { A => g(), B => h() }?; }");
    }

    #[test]
    fn a_match_with_one_arm_becomes_a_let() {
        check(
            &PASS,
            "fn f() { match g() { (a, b) => { h(a); h(b) } } i(); }",
            &["fn f() { let (a, b) = g(); h(a); h(b); i(); }"],
        );
        check(
            &PASS,
            "fn f() { match g() { a => S { a } } i(); }",
            &["fn f() { let a = g(); S { a }; i(); }"],
        );
        check(
            &PASS,
            "fn f() -> u8 { match g() { S { a, .. } => a } }",
            &["fn f() -> u8 { let S { a, .. } = g(); a }"],
        );
    }

    #[test]
    fn a_match_with_several_arms_becomes_an_if_let() {
        check(
            &PASS,
            "fn f() { match g() { A(x) => h(x), B => {} } }",
            &["fn f() { if let A(x) = g() { h(x) } }"],
        );
    }

    #[test]
    fn a_value_goes_that_nobody_takes() {
        check_has(
            &PASS,
            "fn f() { match g() { A(x) => { h(x); None } x => x.i() }; j(); }",
            "fn f() { if let A(x) = g() { h(x); } j(); }",
        );
        check_has(
            &PASS,
            "fn f() { match g() { x => { h(x); None } }; j(); }",
            "fn f() { let x = g(); h(x); j(); }",
        );
    }

    #[test]
    fn what_a_loop_maps_is_made_in_it() {
        check_has(
            &PASS,
            "fn f() { for x in a().map(|&y| S(y, 1)) { h(x); } }",
            "fn f() { for &y in a() { let x = S(y, 1); h(x); } }",
        );
        check(
            &PASS,
            "fn f() { for x in a().map(|&y| return y) { h(x); h(x); } }",
            &["fn f() { let x = a().map(|&y| return y); h(x); h(x); }"],
        );
    }

    #[test]
    fn an_if_let_becomes_a_let() {
        check(
            &PASS,
            "fn f() { if let A(x) = g() { h(x) } i(); }",
            &["fn f() { let A(x) = g(); h(x); i(); }"],
        );
        check(
            &PASS,
            "fn f() { if let Some(x) = g() { h(x); } }",
            &["fn f() { let x = g().unwrap(); h(x); }"],
        );
        check(
            &PASS,
            "fn f() { while let E::V(x) = E::V(1) { h(x); break; } }",
            &["fn f() { let x = 1; h(x); }", "fn f() { h(x); }"],
        );
    }

    #[test]
    fn what_a_match_passes_on_is_unwrapped() {
        check_has(
            &PASS,
            "fn f() { let a = match g() { None => return, Some(x) => x }; }",
            "fn f() { let a = g().unwrap(); }",
        );
        check_not_applicable(
            &PASS,
            "fn f() { let a = match g() { None => return, Some(x) => h(x) }; }",
        );
    }

    #[test]
    fn a_closure_captures_without_doing_more() {
        check(
            &PASS,
            "fn f() { g(|x| a.b().c(d, e)); g(|| a.b()) }",
            &["fn f() { g(|x| { a; loop {} }); g(|| a.b()) }"],
        );
    }

    #[test]
    fn a_let_goes_without_its_else() {
        check(
            &PASS,
            "fn f() { let A(x) = g() else { return; }; }",
            &["fn f() { let A(x) = g(); }"],
        );
        check(
            &PASS,
            "fn f() { let Ok(x) = g() else { return; }; }",
            &["fn f() { let x = g().unwrap(); }"],
        );
    }

    #[test]
    fn a_for_loop_becomes_a_let_of_one_value() {
        check(
            &PASS,
            "fn f() { for x in [a, b] { if c { continue; } g(x); break; } }",
            &[
                "fn f() { let x = a; if c { } g(x); }",
                "fn f() { let x = b; if c { } g(x); }",
            ],
        );
        check(
            &PASS,
            "fn f() { for _ in g { h(); break; } }",
            &["fn f() { h(); }"],
        );
        check(
            &PASS,
            "fn f() { for x in g { h(x) } i(); }",
            &["fn f() { let x = g; h(x); i(); }"],
        );
    }

    /// Checks the values that are bound in place of a loop over some values.
    #[track_caller]
    fn check_values(all: &str, expected: &[&str]) {
        let after = expected
            .iter()
            .map(|value| format!("fn f() {{ let x = {value}; g(x); }}"));
        let after: Vec<String> = after.collect();
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        check(
            &PASS,
            &format!("fn f() {{ for x in {all} {{ g(x); }} }}"),
            &after,
        );
    }

    #[test]
    fn a_loop_over_a_list_or_range_is_given_its_ends() {
        check_values("[a].iter()", &["a", "&a"]);
        check_values("&mut [a + b]", &["a + b", "&mut (a + b)"]);
        check_values("vec![a]", &["vec![a]", "a"]);
        check_values("0..10", &["0", "9"]);
        check_values("(1u8..=9).rev()", &["1u8", "9u8"]);
        check_values("a..b", &["a"]);
        check_values("[a].iter().copied().enumerate()", &["a", "(0, a)"]);
        check_values(
            "[a].iter().zip(&[b])",
            &["[a].iter().zip(&[b])", "(&a, &b)"],
        );
        check_values("a.iter()", &["a.iter()"]);
    }

    #[test]
    fn a_closure_for_each_value_is_a_loop() {
        check_has(
            &PASS,
            "fn f() { a.iter().for_each(|(x, y)| g(x, y)); }",
            "fn f() { for (x, y) in a.iter() { g(x, y) }; }",
        );
        check_has(
            &PASS,
            "fn f() { a.for_each(|x: u8| { g(x); }) }",
            "fn f() { for x in a { g(x); } }",
        );
    }

    #[test]
    fn a_loop_that_is_left_is_its_body() {
        check(
            &PASS,
            "fn f() { loop { g(); break } h(); }",
            &["fn f() { g(); h(); }"],
        );
        check(
            &PASS,
            "fn f() { let x = loop { break g() }; }",
            &["fn f() { let x = g(); }"],
        );
    }

    #[test]
    fn the_end_of_a_body_needs_no_return() {
        check(&PASS, "fn f() -> u8 { return 1; }", &["fn f() -> u8 { 1 }"]);
    }

    #[test]
    fn statements_of_a_block_stand_before_the_statement_that_it_is_in() {
        check(
            &PASS,
            "fn f() { let x = { g(); h }; }",
            &["fn f() { g(); let x = h; }"],
        );
        check_not_applicable(&PASS, "fn f() { let x = || { g(); h }; }");
    }

    #[test]
    fn statements_of_a_block_that_is_asserted_stand_before_the_assertion() {
        check(
            &PASS,
            "fn f() { assert_eq!({ let x = g(); x + 1 }, 2, \"{}\", { h(); 3 }); }",
            &["fn f() { let x = g(); assert_eq!(x + 1, 2, \"{}\", { h(); 3 }); }"],
        );
        check_not_applicable(&PASS, "fn f() { m!({ g(); h }); }");
    }

    #[test]
    fn a_tuple_that_nobody_takes_is_its_elements() {
        check(&PASS, "fn f() { (g(), h); }", &["fn f() { g(); h; }"]);
        check_not_applicable(&PASS, "fn f() -> (A, B) { (); (g(), h) }");
    }

    #[test]
    fn a_closure_that_is_called_is_its_body() {
        check(
            &PASS,
            "fn f() { let x = (|a: u8| { g(a) })(h()); }",
            &["fn f() { let x = { let a: u8 = h(); g(a) }; }"],
        );
        check(&PASS, "fn f() { (|| g())(); }", &["fn f() { g(); }"]);
    }

    #[test]
    fn an_async_function_is_plain_with_its_calls() {
        check(
            &PASS,
            "async fn f() {} async fn g() { f().await; h().await; }",
            &[
                "fn f() {} async fn g() { f(); h().await; }",
                "fn f() {} fn g() { f(); h(); }",
            ],
        );
        check_has(
            &PASS,
            "fn f() { async move { g().await } }",
            "fn f() { { g() } }",
        );
    }

    #[test]
    fn what_is_a_success_needs_no_unwrapping() {
        check(
            &PASS,
            "fn f() { g(Ok::<u8, ()>(a).unwrap()); { h(); Some(b) }.expect(c); { h(); Ok(()) }?; }",
            &[
                "fn f() { g(a); { h(); Some(b) }.expect(c); { h(); Ok(()) }?; }",
                "fn f() { g(Ok::<u8, ()>(a).unwrap()); { h(); b }; { h(); Ok(()) }?; }",
                "fn f() { g(Ok::<u8, ()>(a).unwrap()); { h(); Some(b) }.expect(c); { h(); }; }",
            ],
        );
        check_not_applicable(
            &PASS,
            "fn f() { g(Err(a).unwrap(), Ok(b).ok(), Ok(b, c).unwrap()); }",
        );
    }

    #[test]
    fn a_long_chain_is_cut_in_its_middle_and_whole() {
        check(
            &PASS,
            "fn f() { a.b().c().d().e(); }",
            &["fn f() { a.e(); }", "fn f() { a; }"],
        );
        check_not_applicable(&PASS, "fn f() { a.b().c(); }");
    }

    #[test]
    fn what_binds_nothing_is_left_to_hoisting() {
        check_not_applicable(
            &PASS,
            "fn f() { match g() { _ => h() } if let None = g() { h() } loop { g() } }",
        );
    }
}
