//! Both versions are in the text, token for token, and what is common stands there once.

use super::{Difference, Side, narrowed, two_versions, version_of};
use reduce_syntax::{is_parsable, spaced};

/// A text without layout, and without commas that end a list or an arm with a block.
fn normalized(text: &str) -> String {
    let mut text = spaced(text);
    for closing in [')', ']', '}'] {
        text = text.replace(&format!(", {closing}"), &closing.to_string());
    }
    text.replace("} ,", "}")
}

/// Joins two versions, checks that each can be taken out, and returns the text without layout.
#[track_caller]
fn joined(before: &str, after: &str) -> String {
    let joined = two_versions(before, after).expect("both are understood");
    assert!(is_parsable(&joined), "{joined}");
    for (side, text) in [(Side::Before, before), (Side::After, after)] {
        let there = normalized(&version_of(&joined, side));
        assert_eq!(there, normalized(text), "{side:?} of\n{joined}");
    }
    joined
}

#[track_caller]
fn check(before: &str, after: &str, expected: &str) {
    assert_eq!(normalized(&joined(before, after)), normalized(expected));
}

#[test]
fn what_is_the_same_stands_there_once() {
    check(
        "fn f() { g(); } // a",
        "fn f() {\n g(); }",
        "fn f() { g(); }",
    );
    check("", "", "");
}

#[test]
fn items_differ_by_themselves() {
    check(
        "fn f() {} const A: u8 = 1; struct S;",
        "fn f() {} const A: u8 = 2; struct S; struct T;",
        "fn f() {} #[cfg(before)] const A: u8 = 1; #[cfg(after)] const A: u8 = 2; struct S;
         #[cfg(after)] struct T;",
    );
    check("", "fn f() {}", "#[cfg(after)] fn f() {}");
    check("#[a] fn f() {}", "", "#[cfg(before)] #[a] fn f() {}");
}

#[test]
fn a_statement_differs_within_what_is_around_it() {
    check(
        "mod m { impl S { fn f(&mut self) { if a { self.cap += o.cap; Ok(()) } else { b() } } } }",
        "mod m { impl S { fn f(&mut self) { if a { self.cap += o.len; Ok(()) } else { b() } } } }",
        "mod m { impl S { fn f(&mut self) { if a {
             #[cfg(before)] { self.cap += o.cap; }
             #[cfg(after)] { self.cap += o.len; }
             Ok(())
         } else { b() } } } }",
    );
    check(
        "fn f() { let a = 1; g!(a); }",
        "fn f() { let a = 2; g!(b); }",
        "fn f() { #[cfg(before)] let a = 1; #[cfg(before)] g!(a);
                  #[cfg(after)] let a = 2; #[cfg(after)] g!(b); }",
    );
}

#[test]
fn what_ends_a_block_stands_in_a_block() {
    check(
        "fn f() -> bool { a < b }",
        "fn f() -> bool { a <= b }",
        "fn f() -> bool { #[cfg(before)] { a < b } #[cfg(after)] { a <= b } }",
    );
    check(
        "fn f() { g() }",
        "fn f() { g(); }",
        "fn f() { #[cfg(before)] { g() } #[cfg(after)] g(); }",
    );
    check(
        "fn f() { g(); { h() } }",
        "fn f() { g(); }",
        "fn f() { g(); #[cfg(before)] { { h() } } }",
    );
    check(
        "fn f() -> String { format!(\"a\") }",
        "fn f() -> String { format!(\"b\") }",
        "fn f() -> String { #[cfg(before)] { format!(\"a\") } #[cfg(after)] { format!(\"b\") } }",
    );
}

#[test]
fn a_statement_that_is_a_call_or_a_name_has_the_attribute_itself() {
    check(
        "fn f() { g(1); a.b(); x; a + b; }",
        "fn f() { h(1); a.c(); y; a + c; }",
        "fn f() { #[cfg(before)] g(1); #[cfg(before)] a.b(); #[cfg(before)] x; #[cfg(before)] { a + b; }
                  #[cfg(after)] h(1); #[cfg(after)] a.c(); #[cfg(after)] y; #[cfg(after)] { a + c; } }",
    );
}

#[test]
fn the_places_of_a_difference_begin_behind_the_attributes() {
    let text = "fn f() { #[cfg(before)] x; #[cfg(after)] { y; } z; } #[cfg(after)] fn g() {}";
    let places = super::places_of_difference(text);
    let texts: Vec<&str> = places.iter().map(|at| &text[*at..*at + 2]).collect();
    assert_eq!(texts, ["x;", "{ ", "fn"]);
}

#[test]
fn a_condition_differs_within_the_whole() {
    check(
        "fn f() { if a < b { g() } else if c { h() } while d {} }",
        "fn f() { if a <= b { g() } else if c { h() } while e {} }",
        "fn f() { if { #[cfg(before)] { a < b } #[cfg(after)] { a <= b } } { g() } else if c { h() }
                  while { #[cfg(before)] { d } #[cfg(after)] { e } } {} }",
    );
}

#[test]
fn a_condition_that_binds_a_name_is_taken_one_level_up() {
    check(
        "fn f() { if let A(x) = a { g(x); } h(); }",
        "fn f() { if let B(x) = a { g(x); } h(); }",
        "fn f() { #[cfg(before)] { if let A(x) = a { g(x); } }
                  #[cfg(after)] { if let B(x) = a { g(x); } } h(); }",
    );
    check(
        "fn f() { if a && let A(x) = b { g(x); } }",
        "fn f() { if c && let A(x) = b { g(x); } }",
        "fn f() { #[cfg(before)] { if a && let A(x) = b { g(x); } }
                  #[cfg(after)] { if c && let A(x) = b { g(x); } } }",
    );
}

#[test]
fn arms_fields_variants_and_parameters_differ_by_themselves() {
    check(
        "fn f() { match a { A => 1, B => { 2 } C => 3 } }",
        "fn f() { match a { A => 4, B => { 5 } C => 3, D => 6 } }",
        "fn f() { match a { #[cfg(before)] A => 1, #[cfg(after)] A => 4,
             B => { #[cfg(before)] { 2 } #[cfg(after)] { 5 } }
             C => 3, #[cfg(after)] D => 6, } }",
    );
    check(
        "struct S { a: u8, b: u8 } struct T(u8); enum E { A, B(u8) }",
        "struct S { a: u16, b: u8 } struct T(u16); enum E { A, B(u16), C }",
        "struct S { #[cfg(before)] a: u8, #[cfg(after)] a: u16, b: u8 }
         struct T(#[cfg(before)] u8, #[cfg(after)] u16);
         enum E { A, B(#[cfg(before)] u8, #[cfg(after)] u16), #[cfg(after)] C }",
    );
    check(
        "fn f(a: u8) { S { a: 1, b, ..c } }",
        "fn f(a: u8, b: u8) { S { a: 2, b, ..c } }",
        "fn f(a: u8, #[cfg(after)] b: u8)
         { S { #[cfg(before)] a: 1, #[cfg(after)] a: 2, b, ..c } }",
    );
}

#[test]
fn what_is_around_the_lists_takes_the_whole() {
    check(
        "impl A for S { fn f() {} } fn g<T>() { a(); }",
        "impl B for S { fn f() {} } fn g<T: C>() { a(); }",
        "#[cfg(before)] impl A for S { fn f() {} } #[cfg(before)] fn g<T>() { a(); }
         #[cfg(after)] impl B for S { fn f() {} } #[cfg(after)] fn g<T: C>() { a(); }",
    );
    check(
        "fn f() { g(a, |x| { h(); x }) + 1; }",
        "fn f() { g(a, |x| { i(); x }) + 2; }",
        "fn f() { #[cfg(before)] { g(a, |x| { h(); x }) + 1; }
                  #[cfg(after)] { g(a, |x| { i(); x }) + 2; } }",
    );
}

#[test]
fn blocks_in_expressions_are_lists_too() {
    check(
        "fn f() { let y = g(a, |x| { h(); x }); }",
        "fn f() { let y = g(a, |x| { i(); x }); }",
        "fn f() { let y = g(a, |x| { #[cfg(before)] h(); #[cfg(after)] i(); x }); }",
    );
}

#[test]
fn attributes_of_the_file_differ_by_themselves() {
    check(
        "#![no_std] #![feature(a)] fn f() {}",
        "#![no_std] #![feature(b)] fn f() {}",
        "#![no_std] #![cfg_attr(before, feature(a))] #![cfg_attr(after, feature(b))] fn f() {}",
    );
}

#[test]
fn documentation_makes_no_difference() {
    let joined = two_versions("/// a\nfn f() {}", "/// b\nfn f() {}");
    assert_eq!(joined.as_deref(), Some("/// b\nfn f() {}\n"));
}

#[test]
fn other_conditions_stay() {
    check(
        "#[cfg(unix)] fn f() { cfg!(test) } #[test] fn t() { 1; }",
        "#[cfg(unix)] fn f() { cfg!(test) } #[test] fn t() { 2; }",
        "#[cfg(unix)] fn f() { cfg!(test) }
         #[test] fn t() { #[cfg(before)] { 1; } #[cfg(after)] { 2; } }",
    );
}

#[test]
fn what_has_our_names_or_is_not_understood_becomes_no_text_of_two_versions() {
    assert_eq!(two_versions("#[cfg(before)] fn f() {}", "fn f() {}"), None);
    assert_eq!(
        two_versions("fn f() {}", "#[cfg(not(after))] fn f() {}"),
        None
    );
    assert_eq!(two_versions("fn f( {}", "fn f() {}"), None);
}

#[test]
fn a_difference_may_shrink_and_be_renamed() {
    let whole = Difference::between("a.cap += b.cap; g(x < y + 1)", "a.cap += b.len; g(x <= y)");
    let is_part = |before: &str, after: &str| Difference::between(before, after).is_part_of(&whole);
    assert!(is_part("a.cap += b.cap;", "a.cap += b.len;"));
    assert!(is_part("q.0 += r.0;", "q.0 += r.1;"));
    assert!(is_part("i < j", "i <= j"));
    assert!(is_part("h()", "h()"));
    assert!(!is_part("a.cap += b.cap;", ""), "the faulty side is gone");
    assert!(!is_part("a.cap += b.cap;", "a.cap += 0;"));
    assert!(!is_part("i < j", "i > j"));
}

#[test]
fn of_what_was_swapped_nothing_goes() {
    let whole = Difference::between("f(a * p / 100, b)", "f(a / 100 * p, c)");
    let is_part = |before: &str, after: &str| Difference::between(before, after).is_part_of(&whole);
    assert!(is_part("a * p / 100", "a / 100 * p"));
    assert!(!is_part("a * p / 100", "a / 100"));
    assert!(is_part("f(b)", "f(c)"));
}

/// The texts that come first, and how many more there are.
#[track_caller]
fn check_narrowed(text: &str, expected: &[&str], n_more: usize) {
    let mut found: Vec<String> = narrowed(text).iter().map(|text| normalized(text)).collect();
    let expected: Vec<String> = expected.iter().map(|text| normalized(text)).collect();
    let more = found.split_off(expected.len().min(found.len()));
    assert_eq!(found, expected);
    assert_eq!(more.len(), n_more, "{more:#?}");
}

#[test]
fn a_part_of_the_difference_becomes_common() {
    let text = "#[cfg(before)] fn f() { 1; } #[cfg(after)] fn f() { g(); } fn h() { i();
                if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} #[cfg(after)] { c; } }";
    check_narrowed(
        text,
        &[
            "fn f() { #[cfg(before)] { 1; } #[cfg(after)] g(); } fn h() { i();
             if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} #[cfg(after)] c; }",
            "fn f() { g(); } fn h() { i();
             if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} #[cfg(after)] { c; } }",
            "fn f() { 1; } fn h() { i();
             if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} #[cfg(after)] { c; } }",
            "#[cfg(before)] fn f() { 1; } #[cfg(after)] fn f() { g(); } fn h() { i();
             if b {} #[cfg(after)] { c; } }",
            "#[cfg(before)] fn f() { 1; } #[cfg(after)] fn f() { g(); } fn h() { i();
             if a < b {} #[cfg(after)] { c; } }",
            "#[cfg(before)] fn f() { 1; } #[cfg(after)] fn f() { g(); } fn h() { i();
             if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} c; }",
            "#[cfg(before)] fn f() { 1; } #[cfg(after)] fn f() { g(); } fn h() { i();
             if { #[cfg(before)] { a < b } #[cfg(after)] { b } } {} }",
        ],
        6,
    );
}

#[test]
fn a_difference_of_one_place_only_gets_finer() {
    check_narrowed("fn f() {}", &[], 0);
    check_narrowed("fn f() { #[cfg(before)] a(); #[cfg(after)] b(); }", &[], 0);
    check_narrowed(
        "struct S; impl S { #[cfg(before)] fn f() { a(); b(); } #[cfg(after)] fn f() { a(); c(); } }",
        &["struct S; impl S { fn f() { a(); #[cfg(before)] b(); #[cfg(after)] c(); } }"],
        0,
    );
}

#[test]
fn a_change_that_was_made_in_several_places_is_undone_in_all() {
    let text =
        "#[cfg(before)] fn f(a: u8) -> u8 { g(1) } #[cfg(after)] fn f(a: u16) -> u16 { g(2) }";
    let found: Vec<String> = narrowed(text).iter().map(|text| normalized(text)).collect();
    let expected = "fn f(a: u8) -> u8 { #[cfg(before)] { g(1) } #[cfg(after)] { g(2) } }";
    assert!(found.contains(&normalized(expected)), "{found:#?}");
    let expected = "fn f(a: u16) -> u16 { #[cfg(before)] { g(1) } #[cfg(after)] { g(2) } }";
    assert!(found.contains(&normalized(expected)), "{found:#?}");
}

#[test]
fn a_field_becomes_common_with_what_sets_it() {
    let text = "struct S { #[cfg(before)] a: u8, #[cfg(after)] a: u16, #[cfg(after)] b: u8 }
                fn f() -> S { S { a: 1, #[cfg(after)] b: 2 } }";
    let found: Vec<String> = narrowed(text).iter().map(|text| normalized(text)).collect();
    let expected = "struct S { #[cfg(before)] a: u8, #[cfg(after)] a: u16, }
                    fn f() -> S { S { a: 1, } }";
    assert!(found.contains(&normalized(expected)), "{found:#?}");
}

/// Programs that differ from one another in many ways: every combination of some pieces at some places.
fn programs() -> Vec<String> {
    let statements = [
        "",
        "a();",
        "let x = b;",
        "x += 1;",
        "{ c() }",
        "if d { e(); } else { return; }",
    ];
    let ends = [
        "",
        "x",
        "match x { 1 => f(), _ => {} }",
        "loop { g(); break 1 }",
        "h!(x)",
    ];
    let items = [
        "",
        "const C: u8 = 1;",
        "impl S { fn m(&self) {} }",
        "struct S { a: u8 }",
    ];
    let mut programs = Vec::new();
    // A fixed walk through the combinations, as a random one would be.
    let mut state = 7_usize;
    let mut next = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for _ in 0..40 {
        let mut body = String::new();
        for _ in 0..next(4) {
            body += statements[next(statements.len())];
        }
        body += ends[next(ends.len())];
        let nested = format!(
            "if {} {{ {body} }} else {{ {} }}",
            ["p", "q && r"][next(2)],
            ends[next(ends.len())]
        );
        let inside = if next(2) == 0 { body } else { nested };
        programs.push(format!(
            "{} mod m {{ {} fn f({}) {{ {inside} }} }} {}",
            items[next(items.len())],
            items[next(items.len())],
            ["", "a: u8", "a: u8, b: u8"][next(3)],
            items[next(items.len())],
        ));
    }
    programs
}

#[test]
fn both_versions_are_in_the_text_of_any_two_programs() {
    let programs = programs();
    for before in &programs {
        for after in &programs {
            joined(before, after);
        }
    }
}
