//! Tests of the parts that may go from tests: each shows the texts without each part.

use super::*;
use crate::failing_test::expected::FailedComparison;
use crate::program::Program;
use camino::Utf8PathBuf;
use std::sync::Arc;

/// A text in which `$` stands before the assertion that fails.
struct Case {
    sources: SourceTree,
    line: usize,
    column: usize,
}

impl Case {
    fn new(text: &str) -> Self {
        let at = text.find('$').expect("an assertion is marked");
        let before = &text[..at];
        let sources = text.replacen('$', "", 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before
                .chars()
                .rev()
                .take_while(|char| *char != '\n')
                .count()
                + 1,
            sources: SourceTree::single(Utf8PathBuf::from("tests/a.rs"), Arc::from(sources)),
        }
    }

    fn failed(&self) -> FailedAt<'_> {
        FailedAt {
            path: "tests/a.rs",
            line: self.line,
            column: self.column,
        }
    }
}

fn text(sources: &SourceTree) -> String {
    let text = sources.text(sources.root());
    let tokens = reduce_syntax::tokens(text);
    let tokens: Vec<&str> = tokens.iter().map(|token| &text[token.range()]).collect();
    tokens.join(" ")
}

/// The texts without each part.
fn singles(case: &Case, isolation: &Isolation<'_>) -> Vec<String> {
    let all = (0..isolation.len()).filter_map(|idx| isolation.without([idx]));
    all.map(|edits| text(&edits.apply(&case.sources))).collect()
}

fn normalized(texts: &[&str]) -> Vec<String> {
    let tree = |text: &&str| SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from(*text));
    texts.iter().map(tree).map(|tree| text(&tree)).collect()
}

#[track_caller]
fn check_checks(before: &str, after: &[&str]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let failed = case.failed();
    let isolation = passing_checks(&program, Some(&failed), "t");
    assert_eq!(singles(&case, &isolation), normalized(after));
}

#[test]
fn all_other_tests_may_go() {
    let case = Case::new(
        "mod m { use super::*; #[test] fn a() { f() } /// Says.\n#[tokio::test] async fn b() { f() } \
         #[test] fn t() { $f() } } fn f() {} #[test] #[ignore] fn c() {} fn main() {}",
    );
    let program = Program::new(&case.sources);
    let edits = without_other_tests(&program, "t");
    let left = text(&edits.expect("a change").apply(&case.sources));
    let expected = "mod m { use super::*; #[test] fn t() { f() } } fn f() {} fn main() {}";
    assert_eq!([left], *normalized(&[expected]));
}

#[track_caller]
fn check_unrelated(before: &str, after: &[&str]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let isolation = unrelated_statements(&program, &case.failed());
    assert_eq!(singles(&case, &isolation), normalized(after));
}

#[track_caller]
fn check_cases(before: &str, after: &[&[&str]]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let lists = cases(&program, &case.failed());
    let found: Vec<Vec<String>> = lists.iter().map(|one| singles(&case, one)).collect();
    let expected: Vec<Vec<String>> = after.iter().map(|texts| normalized(texts)).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_mains(before: &str, after: &[&str]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let mains = direct_mains(&program, &case.failed()).into_iter();
    let found: Vec<String> = mains
        .map(|edits| text(&edits.apply(&case.sources)))
        .collect();
    assert_eq!(found, normalized(after));
}

#[test]
fn what_a_harness_calls_is_called_by_main() {
    check_mains(
        "fn a() { $f(); } fn b() {} pub fn main() -> E { run(&[a, b]) }",
        &["fn a() { f(); } fn b() {} pub fn main() { a(); }"],
    );
    check_mains(
        "fn main() { run(\"a\", || { $f(); }) }",
        &["fn main() { (|| { f(); })(); }"],
    );
    check_mains(
        "fn a() { c(1) } fn c(x: u8) { $f(x); } fn main() { run(&[a]) }",
        &["fn a() { c(1) } fn c(x: u8) { f(x); } fn main() { a(); }"],
    );
}

#[test]
fn a_main_that_a_macro_makes_stays() {
    check_mains("fn a() { $f(); } #[m] fn main() { run(&[a]) }", &[]);
    check_mains("#[test] fn a() { $f(); }", &[]);
}

#[test]
fn what_an_assertion_compares_is_still_computed() {
    check_checks(
        "fn t() { let mut x = f(); assert_eq!(x.pop(), Some(1), \"why\"); assert!(x.is_empty() || a); $assert_ne!(x, y); }",
        &[
            "fn t() { let mut x = f(); let _ = x.pop() == Some(1); assert!(x.is_empty() || a); assert_ne!(x, y); }",
            "fn t() { let mut x = f(); assert_eq!(x.pop(), Some(1), \"why\"); let _ = x.is_empty() || a; assert_ne!(x, y); }",
        ],
    );
}

#[test]
fn calls_of_functions_that_assert_are_assertions() {
    check_checks(
        "#[test] fn t() { let x = f(); it::assert_equal(x.pop(), [1]); assert_all(&x, 2); assert_none(1, f()); $assert!(g()); }",
        &[
            "#[test] fn t() { let x = f(); let _ = (x.pop(), [1]); assert_all(&x, 2); assert_none(1, f()); assert!(g()); }",
            "#[test] fn t() { let x = f(); it::assert_equal(x.pop(), [1]); assert_none(1, f()); assert!(g()); }",
            "#[test] fn t() { let x = f(); it::assert_equal(x.pop(), [1]); assert_all(&x, 2); assert!(g()); }",
        ],
    );
    check_checks(
        "#[test] fn t() { $assert!(g()); } #[test] fn u() { assert_none(1); }",
        &[],
    );
}

#[test]
fn calls_of_functions_that_assert_are_told_from_others() {
    for (text, expected) in [
        ("fn t() { $it::assert_equal(f(7), 1); }", true),
        ("fn t() { $assert_all(7); }", true),
        ("fn t() { $it::equal(assert_all(7)); }", false),
        ("fn t() { $assert_eq!(f(7), 1); }", false),
    ] {
        let case = Case::new(text);
        let program = Program::new(&case.sources);
        assert_eq!(
            is_asserting_call(&program, &case.failed()),
            expected,
            "{text}"
        );
    }
}

#[test]
fn what_is_passed_to_functions_that_assert_stays() {
    let lost = |before: &str, after: &str| {
        let case = Case::new(before);
        let program = Program::new(&case.sources);
        let literals = asserted_literals(&program, "t");
        let after = SourceTree::single(Utf8PathBuf::from("tests/a.rs"), Arc::from(after));
        literals.lost_in(&after).map(str::to_owned)
    };
    let before =
        "#[test] fn t() { $it::assert_equal(f(7), [1, 2, 1]); } #[test] fn u() { assert_no(3); }";
    let after = "fn t() { it::assert_equal(f(7, 2), vec![1, 2, 1]) }";
    assert_eq!(lost(before, after), None);
    let after = "fn t() { it::assert_equal(f(7), [1, 2]); g(1) }";
    assert_eq!(lost(before, after).as_deref(), Some("1"));
    assert_eq!(lost("fn t() { $assert_eq!(f(7), 1); }", "fn t() {}"), None);
    let before = "fn t() { $it::assert_label!(f(7), \"1\", [2]); assert_eq!(3, g()); }";
    let after = "fn t() { it::assert_label!(x, \"1\", [2]) }";
    assert_eq!(lost(before, after).as_deref(), Some("7"));
    let after = "fn t() { it::assert_label!(f(7), \"1\", [2]) }";
    assert_eq!(lost(before, after), None);
}

#[test]
fn what_macros_call_that_assert_asserts_too() {
    let text = "macro_rules! assert_label { ($a:expr) => { if $a.is_ready() { $crate::label::compare(line!(), &$a, $f(1)) } } } \
                macro_rules! label { ($a:expr) => { compare_all($a) } } fn assert_all() { other() }";
    let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), Arc::from(text));
    let found: Vec<_> = functions_of_assertion_macros(&sources)
        .into_iter()
        .collect();
    assert_eq!(found, ["compare"]);
}

#[test]
fn an_assertion_without_variables_goes() {
    check_checks(
        "fn t() { let n = [1, 2]; assert_eq!(f(&n), 1); debug_assert!(g()); $assert!(h()); }",
        &[
            "fn t() { let n = [1, 2]; debug_assert!(g()); assert!(h()); }",
            "fn t() { let n = [1, 2]; assert_eq!(f(&n), 1); assert!(h()); }",
        ],
    );
}

#[test]
fn an_assertion_that_calls_nothing_goes() {
    check_checks(
        "fn t() { let x = f(); let y = &mut g(); assert_eq!(x.0, -1, \"{}\", h()); assert!(*y > x.1 && !x.2); $assert!(h()); }",
        &[
            "fn t() { let x = f(); let y = &mut g(); assert!(*y > x.1 && !x.2); assert!(h()); }",
            "fn t() { let x = f(); let y = &mut g(); assert_eq!(x.0, -1, \"{}\", h()); assert!(h()); }",
        ],
    );
}

#[test]
fn assertions_of_other_tests_stay() {
    check_checks(
        "#[test] fn t() { $assert!(f()); } #[test] fn u() { assert!(g()); } fn v() { assert!(h()); }",
        &["#[test] fn t() { assert!(f()); } #[test] fn u() { assert!(g()); } fn v() {}"],
    );
}

#[test]
fn an_assertion_stays_an_expression_where_it_is_one() {
    check_checks(
        "fn t(x: u8) { match x { 0 => assert_ne!(x as u16, 1), _ => $assert!(false) } }",
        &["fn t(x: u8) { match x { 0 => { let _ = (x as u16) != 1; }, _ => assert!(false) } }"],
    );
}

#[test]
fn statements_of_other_variables_and_later_ones_are_unrelated() {
    check_unrelated(
        "#[test] fn t() { let a = f(); let mut b = g(); use std::fmt; a.h(); b.h(); let k = 1; $assert!(b.i(k)); b.j(); }",
        &[
            "#[test] fn t() { let mut b = g(); use std::fmt; b.h(); let k = 1; assert!(b.i(k)); b.j(); }",
            "#[test] fn t() { let a = f(); let mut b = g(); use std::fmt; a.h(); b.h(); let k = 1; assert!(b.i(k)); }",
        ],
    );
}

#[test]
fn what_a_statement_shares_through_another_is_related() {
    check_unrelated(
        "#[test] fn t() { let a = f(); let b = g(&a); b.h(); $assert!(a.i()); }",
        &[],
    );
}

#[test]
fn what_is_after_the_assertion_stays_in_a_loop_and_in_a_function_that_is_called() {
    check_unrelated(
        "#[test] fn t() { let mut x = 0; loop { $assert!(x < 3); x += f(); } }",
        &[],
    );
    check_unrelated(
        "fn helper(x: u8) { $assert!(x < 3); f(x); } #[test] fn t() { g(); helper(1); g(); }",
        &[
            "fn helper(x: u8) { assert!(x < 3); f(x); } #[test] fn t() { helper(1); g(); }",
            "fn helper(x: u8) { assert!(x < 3); f(x); } #[test] fn t() { g(); helper(1); }",
        ],
    );
}

#[test]
fn a_variable_in_a_text_is_a_mention() {
    check_unrelated(
        "#[test] fn t() { let a = f(); $assert!(g(), \"{a}\"); }",
        &[],
    );
}

#[test]
fn what_a_function_returns_stays() {
    check_unrelated(
        "#[test] fn t() -> Result<(), E> { $assert!(g()); Ok(()) }",
        &[],
    );
}

#[test]
fn calls_that_lead_to_the_assertion_are_cases() {
    check_cases(
        "fn check(x: u8, y: u8) { $assert_eq!(f(x), y); } #[test] fn t() { check(1, 2); check(3, 4); }",
        &[&[
            "fn check(x: u8, y: u8) { assert_eq!(f(x), y); } #[test] fn t() { check(3, 4); }",
            "fn check(x: u8, y: u8) { assert_eq!(f(x), y); } #[test] fn t() { check(1, 2); }",
        ]],
    );
    check_cases(
        "fn check(x: &mut X) { $assert_eq!(x.f(), 1); } #[test] fn t() { let mut x = X; check(&mut x); check(&mut x); }",
        &[],
    );
}

#[test]
fn elements_of_a_table_are_cases() {
    check_cases(
        "fn t() { let p = P; for (x, y) in [(1, 2), (3, 4)] { $assert_eq!(p.f(x), y); } }",
        &[&[
            "fn t() { let p = P; for (x, y) in [(3, 4)] { assert_eq!(p.f(x), y); } }",
            "fn t() { let p = P; for (x, y) in [(1, 2)] { assert_eq!(p.f(x), y); } }",
        ]],
    );
    check_cases(
        "const ALL: &[u8; 2] = &[1, 2]; fn t() { for x in ALL.iter() { $assert!(f(x)); } }",
        &[&[
            "const ALL: &[u8; 1] = &[2]; fn t() { for x in ALL.iter() { assert!(f(x)); } }",
            "const ALL: &[u8; 1] = &[1]; fn t() { for x in ALL.iter() { assert!(f(x)); } }",
        ]],
    );
    check_cases(
        "fn t() { let all = vec![a(), b()]; for x in all { $assert!(f(x)); } }",
        &[&[
            "fn t() { let all = vec![b()]; for x in all { assert!(f(x)); } }",
            "fn t() { let all = vec![a()]; for x in all { assert!(f(x)); } }",
        ]],
    );
}

#[test]
fn elements_of_imported_chained_and_passed_tables_are_cases() {
    check_cases(
        "mod m { pub const ALL: [u8; 2] = [1, 2]; } use m::ALL;
         fn t() { let more: [u8; 1] = [3]; for x in ALL.iter().chain(&more) { $assert!(f(x)); } }",
        &[&[
            "mod m { pub const ALL: [u8; 1] = [2]; } use m::ALL;
             fn t() { let more: [u8; 1] = [3]; for x in ALL.iter().chain(&more) { assert!(f(x)); } }",
            "mod m { pub const ALL: [u8; 1] = [1]; } use m::ALL;
             fn t() { let more: [u8; 1] = [3]; for x in ALL.iter().chain(&more) { assert!(f(x)); } }",
            "mod m { pub const ALL: [u8; 2] = [1, 2]; } use m::ALL;
             fn t() { let more: [u8; 0] = []; for x in ALL.iter().chain(&more) { assert!(f(x)); } }",
        ]],
    );
    check_cases(
        "fn check(r: &R, all: &[u8]) { for x in all { $assert!(r.f(x)); } }
         fn t() { let r = &R; check(r, &[1, 2]); check(r, g()); }",
        &[&[
            "fn check(r: &R, all: &[u8]) { for x in all { assert!(r.f(x)); } }
                 fn t() { let r = &R; check(r, &[2]); check(r, g()); }",
            "fn check(r: &R, all: &[u8]) { for x in all { assert!(r.f(x)); } }
                 fn t() { let r = &R; check(r, &[1]); check(r, g()); }",
        ]],
    );
    check_cases(
        "fn check(all: &[u8]) { for x in all { $assert!(f(x)); check(all); } } fn t() { check(&[1, 2]); }",
        &[],
    );
}

#[test]
fn rounds_of_a_loop_that_change_something_are_no_cases() {
    check_cases(
        "fn t() { let mut s = S; for x in [1, 2] { s.push(x); $assert!(s.f()); } }",
        &[],
    );
    check_cases(
        "fn t(s: &mut S) { for x in [1, 2] { s.push(x); $assert!(s.f()); } }",
        &[],
    );
    check_cases(
        "fn t() { let mut s = S; for x in [1, 2] { s.push(x); } $assert!(s.f()); }",
        &[],
    );
}

#[test]
fn a_loop_that_only_borrows_what_may_be_changed_has_cases() {
    let before = "fn t() { let mut s = S; s.g(); for (x, y) in [(1, 2), (3, 4)] { $assert_eq!(s.f(x), y, \"{s}\"); } }";
    let borrowing = "fn t() { let mut s = S; s.g(); for (x, y) in [(1, 2), (3, 4)] { let s = &s; $assert_eq!(s.f(x), y, \"{s}\"); } }";
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let loops = borrowing_loops(&program, &case.failed());
    let found: Vec<_> = loops.iter().map(|one| singles(&case, one)).collect();
    assert_eq!(found, [normalized(&[&borrowing.replace('$', "")])]);

    let rest = "{ let s = &s; assert_eq!(s.f(x), y, \"{s}\"); } }";
    let with = |list: &str| format!("fn t() {{ let mut s = S; s.g(); for (x, y) in {list} {rest}");
    check_cases(borrowing, &[&[&with("[(3, 4)]"), &with("[(1, 2)]")]]);

    let case = Case::new(borrowing);
    let program = Program::new(&case.sources);
    assert!(borrowing_loops(&program, &case.failed()).is_empty());
    let edits = without_borrows(&program, &case.failed()).unwrap();
    let expected = normalized(&[&before.replace('$', "")]);
    assert_eq!(text(&edits.apply(&case.sources)), expected[0]);
}

#[test]
fn a_table_that_is_used_twice_is_none() {
    check_cases(
        "const ALL: [u8; 2] = [1, 2]; fn t() { for x in ALL { $assert!(f(x, ALL.len())); } }",
        &[],
    );
}

#[test]
fn a_list_of_several_loops_is_written_in_each() {
    let written = |text: &str| {
        let case = Case::new(text);
        let program = Program::new(&case.sources);
        let edits = written_lists(&program, &case.failed())?;
        Some(self::text(&edits.apply(&case.sources)))
    };
    let check = |before: &str, after: &str| {
        assert_eq!(written(before), normalized(&[after]).pop(), "{before}");
    };
    check(
        "fn t() { let all = [a, b]; for x in &all { for y in all.iter() { $assert_eq!(f(x, y), 1); } } }",
        "fn t() { let all = [a, b]; for x in &[a, b] { for y in [a, b].iter() { assert_eq!(f(x, y), 1); } } }",
    );
    check(
        "const ALL: [u8; 2] = [1, 2]; fn t() { for x in ALL { $assert!(f(x, ALL.len())); } }",
        "const ALL: [u8; 2] = [1, 2]; fn t() { for x in [1, 2] { assert!(f(x, ALL.len())); } }",
    );
    let once = "fn t() { let all = [a, b]; for x in &all { $assert_eq!(f(x), 1); } }";
    assert_eq!(written(once), None);
    let calls =
        "fn t() { let all = [a(), b()]; for x in &all { $assert_eq!(f(x, all.len()), 1); } }";
    assert_eq!(written(calls), None);
}

#[test]
fn the_assertion_says_no_words() {
    let plain = |text: &str| {
        let case = Case::new(text);
        let program = Program::new(&case.sources);
        let edits = without_words(&program, &case.failed())?;
        Some(self::text(&edits.apply(&case.sources)))
    };
    let expected = normalized(&["fn t() { assert_eq!(f(), 1) }"]).pop();
    assert_eq!(
        plain("fn t() { $assert_eq!(f(), 1, \"{} of {x}\", g(),) }"),
        expected
    );
    assert_eq!(plain("fn t() { $assert_eq!(f(), 1) }"), None);
    assert_eq!(plain("fn t() { $assert!(f(), \"why\") }"), None);
}

#[test]
fn functions_tell_their_own_places() {
    let case = Case::new("#[track_caller] fn f() { $assert!(g()); } #[test] fn t() { f(); }");
    let program = Program::new(&case.sources);
    let edits = without_track_caller(&program).expect("one tells that of its caller");
    let result = edits.apply(&case.sources);
    let expected = ["fn f() { assert!(g()); } #[test] fn t() { f(); }"];
    assert_eq!([text(&result)], *normalized(&expected));
    assert!(without_track_caller(&Program::new(&result)).is_none());
}

#[test]
fn a_place_that_is_not_there_leads_nowhere() {
    let case = Case::new("fn t() { $assert!(f()); g(); }");
    let program = Program::new(&case.sources);
    for (path, line, column) in [
        ("tests/b.rs", 1, 1),
        ("tests/a.rs", 7, 1),
        ("tests/a.rs", 0, 0),
    ] {
        let failed = FailedAt { path, line, column };
        assert!(unrelated_statements(&program, &failed).is_empty());
        assert!(cases(&program, &failed).is_empty());
    }
}

/// Checks which literal of an original a program has lost.
#[track_caller]
fn check_literals(original: &str, program: &str, lost: Option<&str>) {
    let case = Case::new(original);
    let expected = expected_literals(&Program::new(&case.sources), &case.failed());
    let program = SourceTree::single(Utf8PathBuf::from("tests/a.rs"), Arc::from(program));
    assert_eq!(expected.lost_in(&program), lost);
}

#[test]
fn what_waits_before_the_assertion_may_flow_into_it() {
    check_unrelated(
        "fn t() { let x = f(); thread::sleep(D); g(); $assert_eq!(x.get(), 1); sleep(E); }",
        &[
            "fn t() { let x = f(); thread::sleep(D); assert_eq!(x.get(), 1); sleep(E); }",
            "fn t() { let x = f(); thread::sleep(D); g(); assert_eq!(x.get(), 1); }",
        ],
    );
}

#[test]
fn a_test_goes_on_waiting() {
    let original = "#[test] fn t() { f(); wait(); $assert_eq!(g(), None); } fn wait() { thread::sleep(d); } \
                    #[test] fn u() { sleep(e); }";
    check_literals(
        original,
        "#[test] fn t() { f(); sleep(d); assert_eq!(g(), None); }",
        None,
    );
    check_literals(
        original,
        "#[test] fn t() { f(); assert_eq!(g(), None); }",
        Some("sleep"),
    );
}

#[test]
fn a_literal_that_is_expected_stays_in_the_setup() {
    let original = "#[test] fn t() { let x = f(\"a\", 64, 1); $assert_eq!(g(x), (64, \"b\", 1)); }";
    check_literals(original, "f(64usize); assert_eq!(y, 64)", None);
    check_literals(original, "f(); assert_eq!(y, 64)", Some("64"));
    let nothing = "#[test] fn t() { let x = f(1, \"\"); $assert_eq!(g(x), (1, \"\", 2)); }";
    check_literals(nothing, "", None);
}

#[test]
fn literals_of_a_variable_that_nothing_mentions_may_go() {
    check_literals(
        "fn t() { let all = [1, 220]; a.insert(220); $assert_eq!(a.all()[1], 220); }",
        "fn t() { a.insert(220); assert_eq!(a.all()[1], 220); }",
        None,
    );
    check_literals(
        "fn t() { let all = [1, 220]; a.extend(all); $assert_eq!(a.all()[1], 220); }",
        "fn t() { let all = [1]; a.extend(all); assert_eq!(a.all()[1], 220); }",
        Some("220"),
    );
    // The literals that another assertion expected may go as well.
    check_literals(
        "fn t() { let a = [220]; let _ = f(a) == [1, 220]; let _ = g(220) == 1; $assert_eq!(a.all()[1], 220); }",
        "fn t() { let a = [220]; g(220); assert_eq!(a.all()[1], 220); }",
        None,
    );
}

#[test]
fn literals_of_the_side_that_computes_something_may_go() {
    let original =
        "let y = g(17, \"ab\", 64); $assert_eq!(f(y, 17), Some(\"ab\".to_string()), \"{}\", 64);";
    let original = format!("fn t() {{ {original} }}");
    check_literals(&original, "(\"ab\", \"ab\")", None);
    check_literals(&original, "(\"ab\", 17)", Some("ab"));
    // If both sides compute something, or none does, nothing tells which of them expects.
    let both = "fn t() { let y = g(17); $assert_eq!(f(y, 17), h()); }";
    check_literals(both, "17", Some("17"));
    let none = "fn t() { let y = g(17); $assert_eq!(y, 17); }";
    check_literals(none, "17", Some("17"));
}

#[test]
fn literals_of_what_is_called_count_and_those_of_others_do_not() {
    let original = "
        const ALL: &[&str] = &[\"x\"];
        fn setup() -> S { S::new(ALL).and('y') }
        #[test] fn other() { f(\"z\") }
        #[test] fn t() { $assert_eq!(setup().first(), [\"x\", \"y\", \"z\"]); }";
    check_literals(original, "[\"x\", \"x\", 'y', \"y\"]", None);
    check_literals(original, "[\"x\", 'y', \"y\"]", Some("x"));
    check_literals(original, "[\"x\", \"x\", \"y\"]", Some("y"));
}

#[test]
fn a_literal_that_stands_everywhere_says_nothing() {
    let original = "#[test] fn t() { f(10, 10, 10, 10); $assert_eq!(g(), 10); }";
    check_literals(original, "", None);
}

#[track_caller]
fn check_computed(text: &str, expected: bool) {
    let case = Case::new(text);
    let computed = computes_expected_value(&Program::new(&case.sources), &case.failed());
    assert_eq!(computed, expected, "{text}");
}

#[test]
fn a_round_trip_computes_what_it_expects() {
    check_computed(
        "fn t() { let x = vec![1, 2]; let y = encode(&x, 16); $assert_eq!(decode(&y), x); }",
        true,
    );
    check_computed(
        "fn t() { let s = f(1); let mut w = Vec::new(); for p in &s { p.write(&mut w); } \
         let mut i = w.as_slice(); for p in s { let r = P::read(&mut i); $assert_eq!(r, p); } }",
        true,
    );
    check_computed(
        "fn t() { let x = 300; let mut b = [0; 9]; write(&mut b, x); $assert_eq!(Some(x), read(&b).0); }",
        true,
    );
    check_computed(
        "fn t() { let x = 300; let mut b = [0; 9]; write(&mut b, x); $assert_eq!(read(&b), 300); }",
        false,
    );
}

#[test]
fn two_ways_to_compute_one_thing_compute_what_they_expect() {
    check_computed(
        "fn t() { let v = vec![3, 1]; let mut w = v.clone(); w.sort(); $assert_eq!(sorted(&v), w); }",
        true,
    );
    check_computed(
        "fn t() { let mut v = Own::new(); let mut w = Vec::new(); for x in [1, 2] { v.push(x); w.push(x); } \
         $assert_eq!(v.pop(), w.pop()); }",
        true,
    );
}

#[test]
fn what_somebody_has_written_down_is_not_computed() {
    check_computed(
        "fn t() { let mut g = G::new(); let a = g.add(); let b = g.add(); g.edge(a, b, 7); \
         let e = map([(a, 0), (b, 7)]); let r = walk(&g, a); $assert_eq!(r, e); }",
        false,
    );
    check_computed(
        "fn t() { let mut g = G::new(); let a = g.add(); let b = g.add(); g.edge(a, b, 7); \
         $assert_eq!(g.nearest(a, 7), b); }",
        false,
    );
    check_computed("fn t() { let x = f(1); $assert_eq!(x, g()); }", false);
    check_computed(
        "fn t() { for c in [C(1, 2)] { $assert_eq!(f(c.a), c.b); } }",
        false,
    );
    check_computed(
        "fn t() { for (a, b) in [(1, 2)] { $assert_eq!(f(a), b); } }",
        false,
    );
    check_computed(
        "fn t() { let (a, b) = (1, 2); $assert_eq!(f(a), b); }",
        false,
    );
    check_computed(
        "fn t() { let c = C(1, 2); let a = c.a; $assert_eq!(f(a), c.b); }",
        false,
    );
    check_computed("fn t() { let x = f(1); $assert!(x.g(x)); }", false);
}

#[track_caller]
fn check_printing(before: &str, after: &[&str]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let isolation = printing_statements(&program, &case.failed());
    assert_eq!(singles(&case, &isolation), normalized(after), "{before}");
}

#[test]
fn what_only_prints_goes() {
    check_printing(
        "#[test] fn f() { let mut a = g(); let b = a.h(); println!(\"{:?}\", a); for x in N::new(&a, b).iter(&a) { print!(\"{x} {}\", a[b].c); } $assert_eq!(a, 1); }",
        &[
            "#[test] fn f() { let mut a = g(); let b = a.h(); for x in N::new(&a, b).iter(&a) { print!(\"{x} {}\", a[b].c); } assert_eq!(a, 1); }",
            "#[test] fn f() { let mut a = g(); let b = a.h(); println!(\"{:?}\", a); assert_eq!(a, 1); }",
        ],
    );
}

#[test]
fn what_only_reads_for_nothing_goes() {
    let check = |statement: &str, borrowed: &[&str], gone: &[&str]| {
        let text = |statement: &str| {
            format!(
                "#[test] fn f() {{ let mut a = g(); let b = h(); {statement} $assert_eq!(a, b); }}"
            )
        };
        let case = Case::new(&text(statement));
        let program = Program::new(&case.sources);
        let plain = |all: &[&str]| -> Vec<String> {
            let all = all.iter().map(|one| text(one).replace('$', ""));
            let all: Vec<String> = all.collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            normalized(&all)
        };
        let found = borrowing_reads(&program, &case.failed());
        assert_eq!(singles(&case, &found), plain(borrowed), "{statement}");
        let found = reading_statements(&program, &case.failed());
        assert_eq!(singles(&case, &found), plain(gone), "{statement}");
    };
    check("let _ = b.len() == 3;", &[], &[""]);
    check("let _ = a.len() == 3;", &["let _ = (&a).len() == 3;"], &[]);
    check("let _ = (&a).len() == 3;", &[], &[""]);
    check(
        "let c: Vec<_> = b.iter().map(|d| match d { E(e) => format!(\"{e}\"), other => panic!(\"{other}\") }).collect();",
        &[],
        &[""],
    );
    check("b.root();", &[], &[""]);
    for statement in [
        "let c = b.len(); k(c);",
        "let _ = k(&a) == 3;",
        "let _ = fs::write(\"a\", 1);",
        "let _ = b.push(1);",
        "let _ = b.next()?;",
        "let Some(c) = b.first() else { return };",
        "let c = { n += 1; 2 };",
    ] {
        check(statement, &[], &[]);
    }
}

#[test]
fn a_value_that_is_taken_out_fails_where_that_is_called() {
    let check = |text: &str, expected| {
        let case = Case::new(text);
        let program = Program::new(&case.sources);
        assert_eq!(is_unwrapping(&program, &case.failed()), expected, "{text}");
    };
    check("fn t() { f(1).$expect(\"a\"); }", true);
    check("fn t() { f(1)\n.$unwrap(); }", true);
    check("fn t() { f($expect(1)); }", false);
    check("fn t() { f($panic!()).unwrap(); }", false);
}

#[test]
fn words_tell_what_changes_behind_references() {
    let check = |text: &str, expected| {
        let sources = SourceTree::single(Utf8PathBuf::from("a.rs"), Arc::from(text));
        assert_eq!(changes_behind_references(&sources), expected, "{text}");
    };
    check("struct S(Vec<u8>); // a Cell\nfn f(x: &mut S) {}", false);
    check("struct S(std::cell::RefCell<u8>);", true);
    check("struct S(AtomicUsize);", true);
    check("fn f(x: *mut u8) {}", true);
    check("static mut N: u8 = 0;", true);
}

#[test]
fn what_may_change_something_while_it_prints_stays() {
    let statements = [
        "println!(\"{}\", a.pop());",
        "println!(\"{}\", a.b.pop());",
        "println!(\"{}\", a[0].pop());",
        "println!(\"{}\", k(a));",
        "println!(\"{}\", k(&mut a));",
        "println!(\"{}\", b.lock());",
        "println!(\"{}\", { a = 2; a });",
        "println!(\"{}\", k(a = 2));",
        "for x in &a { k(x); }",
        "for x in a.drain() { println!(\"{x}\"); }",
        "for x in &a {}",
        "k(&a);",
    ];
    for statement in statements {
        let text = format!(
            "#[test] fn f() {{ let mut a = g(); let b = h(); {statement} $assert_eq!(a, 1); }}"
        );
        check_printing(&text, &[]);
    }
}

#[test]
fn what_is_called_of_a_variable_is_asked_for_by_a_reference() {
    let check = |statement: &str, borrowed: &[&str]| {
        let text = |statement: &str| {
            format!(
                "#[test] fn f() {{ let mut a = g(); let b = h(); {statement} $assert_eq!(a, 1); }}"
            )
        };
        let case = Case::new(&text(statement));
        let program = Program::new(&case.sources);
        let isolation = borrowing_statements(&program, &case.failed());
        let expected: Vec<_> = borrowed
            .iter()
            .map(|one| text(one).replace('$', ""))
            .collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        assert_eq!(
            singles(&case, &isolation),
            normalized(&expected),
            "{statement}"
        );
    };
    check(
        "for x in a.iter(b) { println!(\"{}\", a.c.d(b.e(), x.f())); }",
        &["for x in (&a).iter(b) { println!(\"{}\", (&a.c).d((&b).e(), (&x).f())); }"],
    );
    check(
        "for x in (&a).iter(b) { println!(\"{}\", (&a).c(x)); }",
        &[],
    );
    check("println!(\"{}\", a.k(&mut b));", &[]);
    check("a.pop();", &[]);
    check_printing(
        "#[test] fn f() { let mut a = g(); println!(\"{}\", (&a).c()); $assert_eq!(a, 1); }",
        &["#[test] fn f() { let mut a = g(); assert_eq!(a, 1); }"],
    );
}

/// Checks the assertions that one which fails with these values may become.
#[track_caller]
fn check_narrowings(before: &str, [left, right]: [&str; 2], after: &[(&str, &str, &str)]) {
    let case = Case::new(before);
    let program = Program::new(&case.sources);
    let failed = FailedComparison {
        at: case.failed(),
        left,
        right,
    };
    let narrowings = narrowings(&program, &failed).into_iter();
    let found = narrowings.map(|one| (text(&one.edits.apply(&case.sources)), one.left, one.right));
    let expected = after.iter().map(|(after, left, right)| {
        let after = normalized(&[after]).remove(0);
        (after, (*left).to_owned(), (*right).to_owned())
    });
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn an_assertion_is_narrowed_to_elements_that_differ() {
    check_narrowings(
        "fn t() { $assert_eq!(f(), vec![(1, 2), (3, 4), (5, 6)], \"why {}\", 1); }",
        ["[(1, 2), (3, 5), (7, 6)]", "[(1, 2), (3, 4), (5, 6)]"],
        &[
            (
                "fn t() { assert_eq!(f()[1], (3, 4), \"why {}\", 1); }",
                "(3, 5)",
                "(3, 4)",
            ),
            (
                "fn t() { assert_eq!(f()[2], (5, 6), \"why {}\", 1); }",
                "(7, 6)",
                "(5, 6)",
            ),
        ],
    );
    check_narrowings(
        "fn t() { $assert_eq!(&x, &[a, b]); }",
        ["[1, 2]", "[1, 3]"],
        &[("fn t() { assert_eq!((&x)[1], b); }", "2", "3")],
    );
    check_narrowings(
        "fn t() { $assert_eq!(x, expected); }",
        ["[1, 2]", "[1, 3]"],
        &[("fn t() { assert_eq!(x[1], expected[1]); }", "2", "3")],
    );
    check_narrowings(
        "fn t() { let x = [f(), 2]; let expected = vec![1, 3]; $assert_eq!(x, expected); }",
        ["[1, 2]", "[1, 3]"],
        &[(
            "fn t() { let x = [f(), 2]; let expected = vec![1, 3]; assert_eq!(x[1], 3); }",
            "2",
            "3",
        )],
    );
    check_narrowings(
        "const C: &str = \"a\\nb\"; fn t() { $assert_eq!(C, f()); }",
        ["\"a\\nb\"", "\"a\\nc\""],
        &[(
            "const C: &str = \"a\\nb\"; fn t() { assert_eq!(Some(\"b\"), f().lines().nth(1)); }",
            "Some(\"b\")",
            "Some(\"c\")",
        )],
    );
    check_narrowings(
        "mod m { pub static C: [u8; 2] = [1, 3]; } fn t() { $assert_eq!(f(), m::C); }",
        ["[1, 2]", "[1, 3]"],
        &[(
            "mod m { pub static C: [u8; 2] = [1, 3]; } fn t() { assert_eq!(f()[1], 3); }",
            "2",
            "3",
        )],
    );
}

#[test]
fn an_assertion_is_narrowed_to_fields_contents_and_lines() {
    check_narrowings(
        "fn t() { $assert_eq!((1, a + b), f().g(1)); }",
        ["(1, 3)", "(1, 2)"],
        &[("fn t() { assert_eq!(a + b, f().g(1).1); }", "3", "2")],
    );
    check_narrowings(
        "fn t() { $assert_eq!(x, S { n: 1, m: f() }); }",
        ["S { n: 1, m: 2 }", "S { n: 1, m: 3 }"],
        &[("fn t() { assert_eq!(x.m, f()); }", "2", "3")],
    );
    check_narrowings(
        "fn t() { $assert_eq!(x.get(1), Some(&(1, 11))); }",
        ["Some((1, 14))", "Some((1, 11))"],
        &[(
            "fn t() { assert_eq!(x.get(1).unwrap().1, 11); }",
            "14",
            "11",
        )],
    );
    check_narrowings(
        "fn t() { $assert_eq!(f()?, Err(e)); }",
        ["Err([1])", "Err([2])"],
        &[(
            "fn t() { assert_eq!(f()?.unwrap_err()[0], e[0]); }",
            "1",
            "2",
        )],
    );
    check_narrowings(
        "fn t() { $assert_eq!(x, g([(\"a\", 1)])); }",
        ["{\"a\": 2}", "{\"a\": 1}"],
        &[(
            "fn t() { assert_eq!(x[\"a\"], g([(\"a\", 1)])[\"a\"]); }",
            "2",
            "1",
        )],
    );
    check_narrowings(
        "fn t() { $assert_eq!(f(), \"a\\nb\"); }",
        ["\"a\\nc\"", "\"a\\nb\""],
        &[(
            "fn t() { assert_eq!(f().lines().nth(1), Some(\"b\")); }",
            "Some(\"c\")",
            "Some(\"b\")",
        )],
    );
}

#[test]
fn what_compares_no_parts_stays_whole() {
    let values = ["[1, 2]", "[1, 3]"];
    check_narrowings("fn t() { $assert_ne!(f(), x); }", values, &[]);
    check_narrowings("fn t() { $assert!(f() == x); }", values, &[]);
    check_narrowings("fn t() { $panic!(); }", values, &[]);
    check_narrowings("fn t() { $assert_eq!(f(), 1); }", ["2", "1"], &[]);
    let values = ["Some(2)", "Some(1)"];
    check_narrowings("fn t() { $assert_eq!(f(), Some(1)); }", values, &[]);
}

#[test]
fn a_function_that_says_yes_or_no_is_a_predicate() {
    let has = |text: &str| has_predicates(&SourceTree::single("t.rs".into(), text.into()));
    assert!(has(
        "#[test] fn t() { assert!(f(1)); } fn f(a: u8) -> bool { a > 1 }"
    ));
    assert!(!has(
        "#[test] fn t() { let a: bool = f(1).b(); } fn f(a: u8) -> Option<bool> { None }"
    ));
}
