use super::super::record::{Rounds, Values};
use super::super::sites::{Site, SiteKind};
use super::super::{Probes, RunValues};
use crate::program::Program;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// The values that were seen in a round: `x` for what the loop binds, `=> e` for a branch, and else the text of an
/// expression.
type Seen<'s> = &'s [(&'s str, &'s str)];

/// The rounds in place of the only loop in a body.
fn unrolled(body: &str, rounds: &[Seen<'_>]) -> Option<Vec<String>> {
    let text = format!("fn f() {{ {body} }}");
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = Probes::of(&program);
    let idx = |seen: &str| {
        let is_meant = |site: &Site| match (&site.kind, seen.strip_prefix("=> ")) {
            (SiteKind::Bound(name), None) => name == seen,
            (SiteKind::Branch, Some(body)) => program.text(&site.place) == body,
            (kind, None) => kind.is_expression() && program.text(&site.place) == seen,
            _ => false,
        };
        let found: Vec<usize> = (0..probes.sites.all.len())
            .filter(|idx| is_meant(&probes.sites.all[*idx]))
            .collect();
        assert!(!found.is_empty(), "nothing is `{seen}`");
        found
    };
    let values = |round: &Seen<'_>| -> Values {
        let all = round.iter().flat_map(|(seen, value)| {
            let value = Some((*value).to_owned()).filter(|value| value != "-");
            idx(seen).into_iter().map(move |idx| (idx, value.clone()))
        });
        all.collect()
    };
    let mut observed = RunValues::default();
    let rounds = Rounds {
        values: rounds.iter().map(values).collect(),
        ..Rounds::default()
    };
    let looping = probes.sites.loops.first()?.idx;
    observed.loops.insert(looping, Some(rounds));
    Some(probes.unrollings(&observed).pop()?.rounds)
}

#[track_caller]
fn check(body: &str, rounds: &[Seen<'_>], expected: &[&str]) {
    let found = unrolled(body, rounds).unwrap_or_default();
    let in_one_line = |round: &String| {
        round
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace(" ;", ";")
    };
    assert_eq!(found.iter().map(in_one_line).collect::<Vec<_>>(), expected);
}

#[test]
fn each_round_has_its_values() {
    check(
        "for x in a { g(x + b, b); last = x } h();",
        &[
            &[("x", "1"), ("x + b", "3"), ("b", "2")],
            &[("x", "2"), ("x + b", "4"), ("b", "2")],
        ],
        &["g(3, 2); last = 1;", "g(4, 2); last = 2;"],
    );
}

#[test]
fn names_that_are_left_are_bound() {
    check(
        "for (i, mut x) in a { g(i); x.h(); }",
        &[&[("i", "0"), ("x", "7")]],
        &["{ let mut x = 7; g(0); x.h(); }"],
    );
    check(
        "for x in a { println!(\"{x}\"); let y = 1; }",
        &[&[("x", "7")], &[("x", "8")]],
        &[
            "{ let x = 7; println!(\"{x}\"); let y = 1; }",
            "{ let x = 8; println!(\"{x}\"); let y = 1; }",
        ],
    );
}

#[test]
fn an_element_that_is_written_is_bound_where_it_has_no_literal() {
    check(
        "for x in &[A(1), B, A(2)] { g(x); }",
        &[&[], &[], &[]],
        &[
            "{ let x = &A(1); g(x); }",
            "{ let x = &B; g(x); }",
            "{ let x = &A(2); g(x); }",
        ],
    );
    check("for x in a { g(x); }", &[&[], &[("x", "2")]], &["g(2);"]);
}

#[test]
fn a_condition_stays_where_what_it_binds_has_no_literal() {
    check(
        "while let Some(x) = a.next() { g(x, b); }",
        &[&[("x", "1"), ("b", "2")], &[("b", "3")]],
        &["g(1, 2);", "if let Some(x) = a.next() { g(x, 3); }"],
    );
    check(
        "while x < 9 { x += b; }",
        &[&[("b", "5")], &[("b", "4")]],
        &["x += 5;", "x += 4;"],
    );
}

#[test]
fn only_what_was_done_stays_of_branches() {
    let text = "for x in a { if x > 1 { g(x); } else if c { h(); } i(); }";
    check(
        text,
        &[
            &[("x", "2"), ("x > 1", "true")],
            &[("x", "1"), ("x > 1", "false"), ("c", "true")],
            &[("x", "1"), ("x > 1", "false"), ("c", "false")],
        ],
        &["{ g(2); } i();", "{ h(); } i();", "i();"],
    );
    check(
        "for x in a { if x > 1 { g() } }",
        &[&[("x > 1", "false")]],
        &[],
    );
}

#[test]
fn only_the_arm_that_was_taken_stays_of_a_match() {
    let text = "for x in a { match x { A(y) => g(y), B(z) if z > 1 => { h(z); } _ => {} } }";
    check(
        text,
        &[
            &[("=> g(y)", "true"), ("y", "4")],
            &[("=> { h(z); }", "true"), ("z", "5")],
            &[("=> {}", "true")],
        ],
        &["{ g(4) }", "{ h(5); }", "{}"],
    );
    check(
        "for x in &[A(1)] { match *x { A(y) => g(y), _ => {} } }",
        &[&[("=> g(y)", "true")]],
        &["{ let x = &A(1); if let A(y) = *x { g(y) } }"],
    );
}

#[test]
fn what_a_branch_looks_at_is_evaluated_still() {
    let text = "for x in a { if let Some(y) = g(x) { h(y); } }";
    check(
        text,
        &[
            &[("x", "1"), ("=> { h(y); }", "true"), ("y", "3")],
            &[("x", "2")],
        ],
        &["g(1); { h(3); }", "g(2);"],
    );
}

#[test]
fn a_match_of_which_the_arm_is_not_certain_stays() {
    let text = "for x in a { match b { A => g(), _ => {} } }";
    check(
        text,
        &[
            &[("x", "1"), ("=> g()", "-")],
            &[("=> g()", "true"), ("=> {}", "true")],
        ],
        &[
            "match b { A => g(), _ => {} }",
            "match b { A => g(), _ => {} }",
        ],
    );
}

#[test]
fn a_round_ends_where_the_loop_is_continued_or_left() {
    check(
        "for x in a { if x > 1 { h(x); continue; } g(x); }",
        &[
            &[("x", "1"), ("x > 1", "false")],
            &[("x", "2"), ("x > 1", "true"), ("=> continue", "true")],
        ],
        &["g(1);", "{ h(2); }"],
    );
    check(
        "loop { match g() { A(x) => h(x), B if b => break, C => { i(); } } j(); }",
        &[&[("=> h(x)", "true"), ("x", "1")], &[("=> break", "true")]],
        &["g(); { h(1) } j();", "g(); { () }"],
    );
}

#[test]
fn what_would_be_made_where_the_loop_is_continued_goes() {
    check(
        "for x in a { g(x); let Some(y) = b(x) else { continue }; h(y); }",
        &[
            &[("x", "1"), ("y", "3")],
            &[("x", "2"), ("=> continue", "true")],
        ],
        &[
            "{ g(1); let Some(y) = b(1) else { panic!() }; h(3); }",
            "{ g(2); }",
        ],
    );
}

#[test]
fn a_round_that_cannot_be_written_without_a_jump_is_left_out() {
    check(
        "'a: for x in a { for y in b { if y > x { continue 'a; } } g(x); }",
        &[
            &[("x", "1"), ("=> continue 'a", "true")],
            &[("x", "2"), ("=> continue 'a", "-")],
            &[("x", "3")],
        ],
        &["for y in b { if y > 3 { panic!(); } } g(3);"],
    );
}

#[test]
fn what_leaves_the_function_stays() {
    check(
        "for x in a { if b { return Err(x); } g(x)?; }",
        &[&[("x", "1"), ("b", "false")]],
        &["g(1)?;"],
    );
}

#[test]
fn a_loop_that_has_a_value_or_is_no_statement_is_none() {
    for body in [
        "for x in a { m!(break); }",
        "loop { if b { break 1; } g(); }",
        "#[allow(unused)] for x in a { g(x); }",
        "g(for x in a {})",
    ] {
        assert_eq!(unrolled(body, &[]), None, "{body}");
    }
}
