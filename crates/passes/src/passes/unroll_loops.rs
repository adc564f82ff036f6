//! `unroll_loops`: replaces a loop over a list of one or two elements by its body, exactly: the loop must go through
//! these elements and no others, and nothing in it may leave or continue it. Where that is not known,
//! `unwrap_control_flow` has its guesses.

mod jumps;
mod lists;
mod names;
mod single;
mod twice;

use super::expressions::blocks;
use super::unwrap_control_flow::{Standing, Unwrapping};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Program, SyntaxFile, simplest_first};
pub(crate) use jumps::Jumps;
pub(crate) use lists::gone_through as elements_gone_through;
use names::keeps_names_apart;
pub(super) use names::needs_no_block;
use reduce_syntax::EditSet;
use syn::{Block, Expr, ExprForLoop, Pat, Stmt};

pub(super) const PASS: Pass = Pass {
    name: "unroll_loops",
    about: "Replaces a loop over a list of one or two elements by its body",
    example: (
        "fn f() { for x in &[g()] { h(x); i(x); } }",
        "fn f() { let x = &g(); h(x); i(x); }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let loops = loops(program);
    let mut found: Vec<EditSet> = loops.iter().filter_map(|one| one.unrolled()).collect();
    found.extend(single::changes(program, &loops));
    simplest_first(program, found)
}

/// A loop that is a statement, and that nothing in it leaves or continues.
struct PlainLoop<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    looping: &'p ExprForLoop,
    statement: &'p Stmt,
    block: &'p Block,
    is_last: bool,
}

fn loops(program: &Program) -> Vec<PlainLoop<'_>> {
    let jumps = Jumps::of(program);
    let mut found = Vec::new();
    for (file, block) in blocks(program) {
        for (idx, statement) in block.stmts.iter().enumerate() {
            let Stmt::Expr(Expr::ForLoop(looping), _) = statement else {
                continue;
            };
            let can_go = looping.attrs.is_empty() && !names::binds_changeably(&looping.pat);
            if can_go && !jumps.leave(looping.label.as_ref(), &looping.body) {
                found.push(PlainLoop {
                    program,
                    file,
                    looping,
                    statement,
                    block,
                    is_last: idx + 1 == block.stmts.len(),
                });
            }
        }
    }
    found
}

impl<'p> PlainLoop<'p> {
    /// Puts the body in place of the loop, once for each element of a list that is written where the
    /// loop is.
    fn unrolled(&self) -> Option<EditSet> {
        let elements = lists::gone_through(self.program, self.file, &self.looping.expr)?;
        match elements.as_slice() {
            [value] => {
                let mut change = self.program.change();
                self.bind(value, &mut change);
                change.finish()
            }
            [first, second] => self.twice([first, second]),
            _ => None,
        }
    }

    /// Puts `let p = a; b` in place of the loop; in braces if names in it are those of others outside.
    fn bind(&self, value: &str, change: &mut Change<'_>) {
        let unwrapping = self.unwrapping();
        let binding = match &*self.looping.pat {
            Pat::Wild(_) if lists::is_literal_text(value) => String::new(),
            pattern => format!("let {} = {value};", self.file.text(pattern)),
        };
        let mut standing = self.standing();
        let mut kept = unwrapping.contents(&self.looping.body);
        let mut before = binding;
        if !keeps_names_apart(self) {
            before = format!("{{ {before}");
            standing.end = "}";
            kept.is_ended = false;
        }
        unwrapping.put_around(change, &standing, &kept, &before);
    }

    fn unwrapping(&self) -> Unwrapping<'p> {
        let Self { program, file, .. } = *self;
        Unwrapping { program, file }
    }

    fn standing(&self) -> Standing {
        let is_value = self.is_last && matches!(self.statement, Stmt::Expr(_, None));
        Standing {
            whole: self.file.place(self.statement),
            end: if is_value { "" } else { ";" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    /// Checks what becomes of the body of a function.
    #[track_caller]
    fn check_body(before: &str, after: &str) {
        let function = |body: &str| format!("fn f() {{ {body} }}");
        check(&PASS, &function(before), &[&function(after)]);
    }

    /// Checks that the body of a function stays as it is.
    #[track_caller]
    fn check_stays(body: &str) {
        check_not_applicable(&PASS, &format!("fn f() {{ {body} }}"));
    }

    /// Checks the value that is bound in place of a loop over a list.
    #[track_caller]
    fn check_value(all: &str, value: &str) {
        check_body(
            &format!("for x in {all} {{ g(x, x); }}"),
            &format!("let x = {value}; g(x, x);"),
        );
    }

    #[test]
    fn a_loop_over_one_element_binds_it() {
        check_value("[a()]", "a()");
        check_value("vec![a()]", "a()");
        check_value("&[a + b]", "&(a + b)");
        check_value("&vec![a]", "&a");
        check_value("[a].iter()", "&a");
        check_value("[a].into_iter()", "a");
        check_value("[a()].iter().copied()", "a()");
        check_value("[(1, \"a\")].iter().cloned()", "(1, \"a\")");
        check_value("std::iter::once(a)", "a");
        check_value("[a].iter().enumerate()", "(0usize, &a)");
    }

    #[test]
    fn a_loop_over_one_number_binds_it() {
        check_value("0..1", "0");
        check_value("(0..=0)", "0");
        check_value("1u8..2", "1u8");
        check_value("1..2u8", "1u8");
    }

    #[test]
    fn what_a_loop_goes_through_otherwise_is_not_known() {
        for all in [
            "[]",
            "0..0",
            "0..a",
            "0..10",
            "a",
            "a.iter()",
            "[a; 1]",
            "[a].iter().cloned()",
            "[a].iter().map(b)",
            "[&a].into_iter().copied()",
            "once(a)",
            "&mut [a]",
            "[a, b, c]",
            "vec![a; 2]",
        ] {
            check_stays(&format!("for x in {all} {{ g(x, x); }}"));
        }
    }

    #[test]
    fn a_loop_that_is_left_or_continued_stays() {
        for body in [
            "break;",
            "if a { continue; }",
            "m!(break);",
            "match a { b => continue }",
            "for y in b { continue 'c; }",
            "while a { loop { break 'c } }",
        ] {
            check_stays(&format!("'c: for x in [a()] {{ {body} g(x); }}"));
        }
        check_not_applicable(
            &PASS,
            "macro_rules! m { () => { break } } fn f() { loop { for x in [a()] { m!(); } } }",
        );
    }

    #[test]
    fn what_leaves_another_loop_stays_in_the_body() {
        check_body(
            "'c: for x in [a()] { while b { break; } 'd: { break 'd; } g(|| loop { break x }); }",
            "let x = a(); while b { break; } 'd: { break 'd; } g(|| loop { break x });",
        );
        check_body(
            "'c: loop { for x in [a()] { g(x); continue 'c; } }",
            "'c: loop { let x = a(); g(x); continue 'c; }",
        );
    }

    #[test]
    fn patterns_are_those_of_a_let() {
        check_body(
            "for &(x, S { y, .. }) in [(a, b)].iter() { g(x, y); }",
            "let &(x, S { y, .. }) = &(a, b); g(x, y);",
        );
        check_body("for _ in [a()] { g(); }", "let _ = a(); g();");
        check_body("for _ in 0..1 { g(); }", "g();");
        check_stays("for (ref mut x, _) in [a] { g(x, x); }");
    }

    #[test]
    fn names_that_others_have_after_the_loop_stay_in_braces() {
        check_body(
            "let x = a; for x in [b()] { g(x); } h(x);",
            "let x = a; { let x = b(); g(x); } h(x);",
        );
        check_body(
            "let y = a; for x in [b()] { let y = g(x); h(y) } println!(\"{y}\");",
            "let y = a; { let x = b(); let y = g(x); h(y) } println!(\"{y}\");",
        );
        check_body(
            "for x in [b()] { fn g() {} g(); } g();",
            "{ let x = b(); fn g() {} g(); } g();",
        );
        check_body(
            "for x in [b()] { m!(y = x); } g();",
            "{ let x = b(); m!(y = x); } g();",
        );
    }

    #[test]
    fn names_that_are_bound_anew_after_the_loop_need_no_braces() {
        check_has(
            &PASS,
            "fn f() { for x in [a()] { g(x); } for x in b { assert_eq!(x, 1); } let x = 1; h(x); }",
            "fn f() { let x = a(); g(x); for x in b { assert_eq!(x, 1); } let x = 1; h(x); }",
        );
    }

    #[test]
    fn the_value_of_a_body_is_ended_before_other_statements() {
        check_body("for x in [a()] { g(x) } h();", "let x = a(); g(x); h();");
        check_body("for x in [a()] { g(x) }", "let x = a(); g(x)");
        check_body(
            "for x in [a()] { if x { g() } } h();",
            "let x = a(); if x { g() } h();",
        );
    }

    #[test]
    fn two_plain_values_stand_where_they_are_used_once() {
        check_body("for x in [1, 2] { g(x); }", "g(1); g(2);");
        check_body("for x in &[1, -2] { g(x) } h();", "g(&1); g(&-2); h();");
        check_body("for x in [1, 2] { g(x) // a\n } h();", "g(1); g(2); h();");
        check_body("for x in 3..5u8 { g(x); }", "g(3u8); g(4u8);");
        check_body("for _ in 0..2 { g(); }", "g(); g();");
        check_body(
            "for x in [(1, \"a\"), (2, \"b\")] { x.0.g(); }",
            "(1, \"a\").0.g(); (2, \"b\").0.g();",
        );
    }

    #[test]
    fn two_values_stay_where_their_evaluation_or_type_could_change() {
        for looping in [
            "for x in [a(), b()] { g(x); }",
            "for x in [1, 2] { g(x, x); }",
            "for x in [1u8, 2] { g(x); }",
            "for mut x in [1, 2] { g(x); }",
            "for x in [1, 2] { println!(\"{x}\"); }",
            "for x in [1, 2] { let y = x; }",
            "for _ in [1, 2] { m!(y); }",
            "for x in [1, 2] { x += 1; }",
            "for x in [1, 2] { g(x); h(a, b, c, d, e, f); }",
        ] {
            check_stays(looping);
        }
    }

    #[test]
    fn a_variable_of_one_element_becomes_that_element() {
        check_has(
            &PASS,
            "fn f() { let x = vec![S(0, 1)]; for z in &x { write(&mut y, z.1); } for z in x { assert_eq!(read(&y), z); } }",
            "fn f() { let x = S(0, 1); let z = &x; write(&mut y, z.1); let z = x; assert_eq!(read(&y), z); }",
        );
        check_body(
            "let x: Vec<u8> = vec![a()]; for y in x { g(y, y); }",
            "let x: u8 = a(); let y = x; g(y, y);",
        );
        check_body(
            "let x = &[a()]; for y in x { g(y, y); } for y in x.iter().copied() { h(y); }",
            "let x = a(); let y = &x; g(y, y); let y = x; h(y);",
        );
        check_body(
            "let x = [a()]; for (i, y) in x.iter().enumerate() { g(i, y); }",
            "let x = a(); let (i, y) = (0usize, &x); g(i, y);",
        );
    }

    #[test]
    fn what_is_read_of_the_variable_is_the_element() {
        check_body(
            "let x = [a()]; for y in &x { g(y); } assert_eq!(x[0].b(), x.len());",
            "let x = a(); let y = &x; g(y); assert_eq!(x.b(), 1usize);",
        );
    }

    #[test]
    fn a_variable_that_is_used_otherwise_is_indexed() {
        check_body(
            "let x = [a()]; for y in x.iter() { g(y); } h(x);",
            "let x = [a()]; let y = &x[0]; g(y); h(x);",
        );
        check_body(
            "let x = vec![a()]; for (i, y) in x.iter().copied().enumerate() { g(i, y); } h(x);",
            "let x = vec![a()]; let (i, y) = (0usize, x[0]); g(i, y); h(x);",
        );
    }

    #[test]
    fn a_variable_that_may_change_or_is_not_known_stays() {
        for body in [
            "let mut x = vec![a()]; x.push(1); for y in x.iter() { g(y); }",
            "let x = &mut [a()]; for y in x.iter() { g(y); }",
            "let x = [a(), b()]; for y in x.iter() { g(y); }",
            "let x = b; for y in x.iter() { g(y); }",
            "let x: T = [a()]; for y in x { g(y); }",
            "let x = [a()]; for y in x { g(y); } println!(\"{x:?}\");",
            "let x = [a()]; for y in &x { break; }",
            "let x = [a()]; for y in x { g(y); } m!(x => 1);",
            "macro_rules! x { ($x:ident) => { $x } } let x = [a()]; for y in x { g(y); } x! { x };",
        ] {
            check_stays(body);
        }
    }

    #[test]
    fn loops_that_are_no_statement_or_have_attributes_stay() {
        check_stays("if a { g(for x in [b()] {}) }");
        check_stays("#[allow(unused)] for x in [b()] { g(x) }");
    }
}
