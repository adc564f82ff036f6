//! Tests of small programs in a configuration.

use super::*;
use reduce_syntax::spaced;

/// `on` and `value = "1"` are set, and `off` and others are not.
fn configuration() -> Configuration {
    Configuration::from_lines([
        "on",
        "also",
        "value=\"1\"",
        "value=\"2\"",
        "",
        "r#type = \"a\"",
    ])
}

/// Checks what a text becomes, whatever its layout.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found = configured(text, &configuration());
    assert_eq!(spaced(&found), spaced(expected), "`{found}`");
}

#[track_caller]
fn check_same(text: &str) {
    assert_eq!(configured(text, &configuration()), text);
}

#[track_caller]
fn check_predicate(predicate: &str, expected: Option<bool>) {
    let tokens: TokenStream = predicate.parse().unwrap();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    assert_eq!(configuration().decide(&tokens), expected, "`{predicate}`");
    if let Ok(meta) = syn::parse_str::<Meta>(predicate) {
        assert_eq!(configuration().is_on(&meta), expected, "`{predicate}`");
    }
}

#[test]
fn predicates_are_decided_by_names_values_and_operators() {
    check_predicate("on", Some(true));
    check_predicate("off", Some(false));
    check_predicate("true", Some(true));
    check_predicate("false", Some(false));
    check_predicate("r#on", Some(true));
    check_predicate("r#type = \"a\"", Some(true));
    check_predicate("value = \"1\"", Some(true));
    check_predicate("value = r\"2\"", Some(true));
    check_predicate("value = \"3\"", Some(false));
    check_predicate("value", Some(false));
    check_predicate("all()", Some(true));
    check_predicate("any()", Some(false));
    check_predicate("all(on, also,)", Some(true));
    check_predicate("all(on, off)", Some(false));
    check_predicate("any(off, all(on, not(off)))", Some(true));
    check_predicate("not(true)", Some(false));
}

#[test]
fn what_is_not_understood_leaves_open_what_depends_on_it() {
    check_predicate("version(\"1.80\")", None);
    check_predicate("accessible(a::b)", None);
    check_predicate("a::b", None);
    check_predicate("1", None);
    check_predicate("value = 1", None);
    check_predicate("not(on, on)", None);
    check_predicate("not(version(\"1\"))", None);
    check_predicate("all(on, version(\"1\"))", None);
    check_predicate("all(off, version(\"1\"))", Some(false));
    check_predicate("any(on, version(\"1\"))", Some(true));
    check_predicate("any(off, version(\"1\"))", None);
    let deep = format!("{}on{}", "not(".repeat(2000), ")".repeat(2000));
    check_predicate(&deep, None);
}

#[test]
fn lines_are_what_the_compiler_prints_or_is_given() {
    let lines = [
        "  unix ",
        "feature = \"a\"",
        "key=\"a \\\"b\\\"\"",
        "panic=unwind",
    ];
    let configuration = Configuration::from_lines(lines);
    for on in [
        "unix",
        "feature = \"a\"",
        "key = \"a \\\"b\\\"\"",
        "panic = \"unwind\"",
    ] {
        let meta: Meta = syn::parse_str(on).unwrap();
        assert_eq!(configuration.is_on(&meta), Some(true), "`{on}`");
    }
}

#[test]
fn items_go_or_stay_without_their_condition() {
    check("#[cfg(off)] fn f() {} #[cfg(on)] fn g() {}", "fn g() {}");
    check("#[cfg(off)] mod m; #[cfg(on)] mod n;", "mod n;");
    check("#[cfg(off)] use a::{b, c}; use d;", "use d;");
    check("#[cfg(off)] macro_rules! m { () => {} } m! {}", "m! {}");
    check(
        "#[cfg(on)] m! { #[cfg(off)] a } #[cfg(off)] m!();",
        "m! { #[cfg(off)] a }",
    );
    check(
        "mod m { #[cfg(off)] struct S; #[cfg(on)] enum E {} }",
        "mod m { enum E {} }",
    );
    check("#[cfg(on)] #[cfg(off)] fn f() {}", "");
    check(
        "#[inline] #[cfg(on)] #[cfg(also)] pub fn f() {}",
        "#[inline] pub fn f() {}",
    );
}

#[test]
fn members_go() {
    check(
        "impl S { #[cfg(off)] fn f() {} #[cfg(on)] const A: u8 = 1; }",
        "impl S { const A: u8 = 1; }",
    );
    check(
        "trait T { #[cfg(off)] type A; #[cfg(on)] fn f(); }",
        "trait T { fn f(); }",
    );
    check(
        "extern \"C\" { #[cfg(off)] fn f(); #[cfg(on)] static A: u8; }",
        "extern \"C\" { static A: u8; }",
    );
    check("#[cfg(off)] extern \"C\" { fn f(); }", "");
}

#[test]
fn elements_of_lists_go_with_their_comma() {
    check(
        "struct S { #[cfg(off)] a: A, b: B, #[cfg(off)] c: C }",
        "struct S { b: B, }",
    );
    check(
        "struct S(#[cfg(off)] A, #[cfg(on)] pub B);",
        "struct S(pub B);",
    );
    check(
        "enum E { A, #[cfg(off)] B { b: u8 } , #[cfg(on)] C = 1 }",
        "enum E { A, C = 1 }",
    );
    check(
        "fn f(#[cfg(off)] a: A, #[cfg(on)] b: B) {}",
        "fn f(b: B) {}",
    );
    check("fn f(&self, #[cfg(off)] a: A) {}", "fn f(&self, ) {}");
    check(
        "fn f<#[cfg(off)] 'a, #[cfg(on)] T, #[cfg(off)] const N: u8>() {}",
        "fn f<T, >() {}",
    );
    check(
        "fn f() where #[cfg(off)] A: B, #[cfg(on)] C: D {}",
        "fn f() where C: D {}",
    );
    check("type F = fn(#[cfg(off)] A, B);", "type F = fn(B);");
    check(
        "fn f() { [#[cfg(off)] a, b, #[cfg(on)] c] }",
        "fn f() { [b, c] }",
    );
    check(
        "fn f() { g(#[cfg(off)] a, b).h(c, #[cfg(off)] d) }",
        "fn f() { g(b).h(c, ) }",
    );
    check(
        "fn f() { S { #[cfg(off)] a: 1, #[cfg(on)] b, ..c } }",
        "fn f() { S { b, ..c } }",
    );
    check(
        "fn f() { let S { #[cfg(off)] a, #[cfg(on)] b: c, .. } = d; }",
        "fn f() { let S { b: c, .. } = d; }",
    );
}

#[test]
fn a_tuple_of_which_one_expression_is_left_is_a_tuple() {
    check("fn f() { (#[cfg(off)] a, b) }", "fn f() { (b,) }");
    check("fn f() { (a, #[cfg(off)] b) }", "fn f() { (a,) }");
    check("fn f() { (#[cfg(off)] a, b,) }", "fn f() { (b,) }");
    check("fn f() { (a, #[cfg(on)] b) }", "fn f() { (a, b) }");
}

#[test]
fn arms_go() {
    check(
        "fn f() { match a { #[cfg(off)] 1 => {} #[cfg(off)] 2 => b, #[cfg(on)] 3 => {} _ => c } }",
        "fn f() { match a { 3 => {} _ => c } }",
    );
    check(
        "fn f() { match a { 1 => b, #[cfg(off)] _ if c => d } }",
        "fn f() { match a { 1 => b, } }",
    );
}

#[test]
fn statements_go() {
    check(
        "fn f() { #[cfg(off)] let a = 1; #[cfg(on)] let b = 2; }",
        "fn f() { let b = 2; }",
    );
    check(
        "fn f() { #[cfg(off)] { a } #[cfg(on)] { b } }",
        "fn f() { { b } }",
    );
    check(
        "fn f() { #[cfg(off)] return 1; #[cfg(on)] return 2; }",
        "fn f() { return 2; }",
    );
    check(
        "fn f() { #[cfg(off)] a!(b); #[cfg(on)] a! { c } #[cfg(off)] a! { d } }",
        "fn f() { a! { c } }",
    );
    check(
        "fn f() { #[cfg(off)] fn g() {} ; #[cfg(off)] a.b().c; d }",
        "fn f() { ; d }",
    );
    check(
        "fn f() { #[cfg(off)] if a { b } else { c } d }",
        "fn f() { d }",
    );
    check(
        "fn f() { g(|| { #[cfg(off)] a; b }) }",
        "fn f() { g(|| { b }) }",
    );
}

#[test]
fn what_the_compiler_does_not_take_out_stays() {
    check_same("fn f() { let a = #[cfg(off)] b; }");
    check_same("fn f() { #[cfg(off)] a = b; }");
    check_same("fn f() { (#[cfg(off)] a) }");
}

#[test]
fn conditions_that_are_not_understood_stay() {
    check_same("#[cfg(version(\"1.80\"))] fn f() {}");
    check_same("#[cfg_attr(version(\"1.80\"), inline)] fn f() {}");
    check_same("#[cfg] #[cfg()] #[cfg(on, on)] fn f() {}");
    check_same("fn f() { cfg!(version(\"1\")); cfg!(); my::cfg!(on); }");
    check(
        "#[cfg(on)] #[cfg(a(b))] fn f() {}",
        "#[cfg(a(b))] fn f() {}",
    );
}

#[test]
fn conditional_attributes_become_attributes() {
    check("#[cfg_attr(on, inline)] fn f() {}", "#[inline] fn f() {}");
    check("#[cfg_attr(off, inline)] fn f() {}", "fn f() {}");
    check(
        "#[cfg_attr(on, a, b(c, d), e = \"f\",)] fn f() {}",
        "#[a] #[b(c, d)] #[e = \"f\"] fn f() {}",
    );
    check("#[cfg_attr(on)] #[cfg_attr(on,)] fn f() {}", "fn f() {}");
    check(
        "#[cfg_attr(on, a, cfg_attr(off, b), cfg_attr(on, c, d), e)] fn f() {}",
        "#[a] #[c] #[d] #[e] fn f() {}",
    );
    check("#[cfg_attr(on, cfg(off))] fn f() {}", "");
    check("#[cfg_attr(on, cfg(on), a)] fn f() {}", "#[a] fn f() {}");
    check(
        "#[cfg_attr(on, cfg(x()), a)] fn f() {}",
        "#[cfg(x())] #[a] fn f() {}",
    );
    check(
        "#[cfg_attr(on, path = \"a.rs\")] mod m;",
        "#[path = \"a.rs\"] mod m;",
    );
    check(
        "#[cfg_attr(on, unsafe(no_mangle))] fn f() {}",
        "#[unsafe(no_mangle)] fn f() {}",
    );
    check(
        "fn f() { #[cfg_attr(on, allow(a))] g(); }",
        "fn f() { #[allow(a)] g(); }",
    );
    check("struct S { #[cfg_attr(off, a)] b: B }", "struct S { b: B }");
}

#[test]
fn inner_attributes_are_of_what_they_stand_in() {
    check("#![cfg(off)] fn f() {}", "");
    check("#![cfg(on)] #![no_std] fn f() {}", "#![no_std] fn f() {}");
    check("#![cfg_attr(on, a, b)] #![cfg_attr(off, c)]", "#![a] #![b]");
    check("mod m { #![cfg(off)] } fn f() {}", "fn f() {}");
    check("mod m { #![cfg(on)] } fn f() { #![cfg(off)] }", "mod m {}");
}

#[test]
fn a_file_that_is_off_is_empty() {
    assert_eq!(
        configured("#!/bin/x\n#![cfg(off)]\nfn f() {}", &configuration()),
        ""
    );
}

#[test]
fn what_stands_before_the_code_stays() {
    let found = configured(
        "\u{feff}#!/bin/x\n// \u{e9}\n#[cfg(off)] fn f() {} fn g() {}",
        &configuration(),
    );
    assert_eq!(found, "\u{feff}#!/bin/x\n// \u{e9}\nfn g() {}");
}

#[test]
fn documentation_goes_with_what_it_describes() {
    check(
        "/// a\n#[cfg(off)]\n/// b\nfn f() {}\n/// c\nfn g() {}",
        "/// c\nfn g() {}",
    );
    check(
        "/// a\n#[cfg(on)]\n/// b\nfn f() {}",
        "/// a\n/// b\nfn f() {}",
    );
}

#[test]
fn the_layout_of_the_rest_stays() {
    let text = "// a\n\n#[cfg(off)]\nfn f() {}\n\nmod  m {\n    // b\n    #[cfg(on)]\n    fn g() {} // c\n}\n";
    let expected = "// a\n\nmod  m {\n    // b\n    fn g() {} // c\n}\n";
    assert_eq!(configured(text, &configuration()), expected);
}

#[test]
fn cfg_as_a_value_becomes_the_value() {
    check(
        "fn f() { if cfg!(on) && !cfg!(off,) { a } }",
        "fn f() { if true && !false { a } }",
    );
    check(
        "const A: bool = core::cfg!(value = \"1\");",
        "const A: bool = true;",
    );
    check("fn f() -> bool { cfg!(off) }", "fn f() -> bool { false }");
    check_same("fn f() { assert!(cfg!(on)); }");
}

#[test]
fn the_branch_of_cfg_if_that_is_taken_stays() {
    let branches = "{ if #[cfg(off)] { fn a() {} } else if #[cfg(on)] { #[cfg(off)] fn b() {} fn c() {} } else { fn d() {} } }";
    check(
        &format!("cfg_if! {branches} fn e() {{}}"),
        "fn c() {} fn e() {}",
    );
    check(&format!("cfg_if::cfg_if! {branches}"), "fn c() {}");
    check(
        &format!("impl S {{ cfg_if::cfg_if! {branches} }}"),
        "impl S { fn c() {} }",
    );
    check(
        &format!("fn f() {{ ::cfg_if::cfg_if! {branches} }}"),
        "fn f() { fn c() {} }",
    );
    check("cfg_if!(if #[cfg(off)] { a!(); });", "");
    check(
        "cfg_if! { if #[cfg(off)] { a!(); } else { b!(); } }",
        "b!();",
    );
    check(
        "/// a\n cfg_if! { if #[cfg(on)] { fn f() {} } }",
        "fn f() {}",
    );
    check(
        "#[cfg(on)] cfg_if! { if #[cfg(on)] { fn f() {} } }",
        "fn f() {}",
    );
    check("#[cfg(off)] cfg_if! { if #[cfg(on)] { fn f() {} } }", "");
}

#[test]
fn branches_within_branches_are_chosen() {
    let mut text = "fn f() { g() }".to_owned();
    for _ in 0..20 {
        text = format!("cfg_if! {{ if #[cfg(on)] {{ {text} }} }}");
    }
    check(&text, "fn f() { g() }");
}

#[test]
fn a_branch_as_a_statement_is_one() {
    let branches =
        |value: &str| format!("cfg_if! {{ if #[cfg(on)] {{ {value} }} else {{ b() }} }}");
    let check_in = |value: &str, after: &str, expected: &str| {
        check(
            &format!("fn f() {{ {} {after} }}", branches(value)),
            expected,
        );
    };
    check_in("let a = 1;", "a", "fn f() { let a = 1; a }");
    check_in("a()", "", "fn f() { a() }");
    check_in("a()", "c()", "fn f() { a(); c() }");
    check_in("a() // b\n", "c()", "fn f() { a(); c() }");
    check_in("a() // b\n", "", "fn f() { a() }");
    check_in("a()", ";", "fn f() { a(); }");
    check_in("", "c()", "fn f() { c() }");
}

#[test]
fn the_arm_of_cfg_select_that_is_taken_stays() {
    check(
        "cfg_select! { off => { fn a() {} } all(on, also) => { fn b() {} } _ => {} }",
        "fn b() {}",
    );
    check(
        "std::cfg_select! { off => { fn a() {} } _ => { fn b() {} } }",
        "fn b() {}",
    );
    check(
        "fn f() { let a = cfg_select! { off => 1, _ => 2 }; }",
        "fn f() { let a = { 2 }; }",
    );
    check(
        "fn f() { let a = cfg_select! { on => { 1 }, _ => 2, }; }",
        "fn f() { let a = { 1 }; }",
    );
    check(
        "fn f() { cfg_select! { true => { g() } _ => {} } }",
        "fn f() { g() }",
    );
    check(
        "fn f() { cfg_select! { on => { g() } _ => {} } h() }",
        "fn f() { g(); h() }",
    );
}

#[test]
fn other_macros_and_undecided_choices_stay() {
    check_same("cfg_if! { if #[cfg(a())] { fn a() {} } else { fn b() {} } }");
    check_same("cfg_if! { a } cfg_if! { if a { b } } cfg_if! { if #[cfg(on)] [b] } cfg_if! {}");
    check_same(
        "cfg_select! { off => { a } } cfg_select! { a } cfg_select! {} cfg_select! { on => }",
    );
    check_same("other! { if #[cfg(on)] { fn a() {} } }");
    check_same("macro_rules! m { () => { #[cfg(off)] fn f() { cfg!(on) } } }");
}

#[test]
fn tests_go_unless_they_are_compiled() {
    let text = "#[test] fn f() {} #[cfg(test)] mod m { #[bench] fn g() {} } fn h() {}";
    check(text, "fn h() {}");
    let of_tests = Configuration::from_lines(["test"]);
    let expected = "#[test] fn f() {} mod m { #[bench] fn g() {} } fn h() {}";
    assert_eq!(spaced(&configured(text, &of_tests)), spaced(expected));
}

#[test]
fn syntax_without_a_tree_goes_too() {
    check(
        "#[cfg(off)] pub macro m() {} #[cfg(on)] pub macro n() {}",
        "pub macro n() {}",
    );
    check("#[cfg(off)] fn f(); #[cfg(on)] fn g();", "fn g();");
}

#[test]
fn text_that_does_not_parse_stays() {
    check_same("fn fn #[cfg(off)]");
    check_same("#[cfg(off)] fn f( {");
    check_same("");
}

/// Checks a text in a macro, as it is decided for another configuration in which `also` is on and
/// the rest of ours is off.
#[track_caller]
fn check_in_macros(text: &str, expected: &str) {
    let there = Configuration::from_lines(["also"]);
    let found = decided_in_macros(text, &configuration(), &there);
    assert_eq!(found, expected);
}

#[test]
fn predicates_in_macros_that_mean_something_else_elsewhere_become_constants() {
    check_in_macros(
        "macro_rules! m { ($a:item) => { #[cfg(on)] $a #[cfg(not(value = \"1\"))] $a } }",
        "macro_rules! m { ($a:item) => { #[cfg(all())] $a #[cfg(any())] $a } }",
    );
    check_in_macros(
        "m! { #![cfg_attr(on, a, b)] }",
        "m! { #![cfg_attr(all(), a, b)] }",
    );
    check_in_macros("m!(cfg!(not(on),))", "m!(cfg!(any(),))");
    check_in_macros(
        "m!(A, cfg(on), doc = \"a\", cfg_attr(not(on), b));",
        "m!(A, cfg(all()), doc = \"a\", cfg_attr(any(), b));",
    );
    check_in_macros(
        "#!x\nm! { é #[cfg(on)] a }",
        "#!x\nm! { é #[cfg(all())] a }",
    );
    check_in_macros(
        "m! { #![any(on, off)] #[not(on)] a }",
        "m! { #![all()] #[any()] a }",
    );
    check_in_macros(
        "m! { a { [#[cfg(on)] a] } }",
        "m! { a { [#[cfg(all())] a] } }",
    );
}

#[test]
fn other_predicates_and_what_is_none_stay_in_macros() {
    for text in [
        "m! { #[cfg(also)] #[cfg(off)] #[cfg(any(also, on))] #[cfg(all())] }",
        "macro_rules! m { (#[cfg($($a:tt)*)]) => { #[cfg($($a)*)] $b } }",
        "m! { #[doc(any(on))] any(on) cfg[on] #(any(on)) #[cfg] #[cfg()] }",
        "m! { #[cfg(version(\"1\"))] #[cfg(on, on)] # }",
        "m! { (",
        "",
    ] {
        check_in_macros(text, text);
    }
}

#[test]
fn deep_nesting_is_no_obstacle() {
    let text = format!(
        "m! {{ {}#[cfg(on)]{} }}",
        "[".repeat(3000),
        "]".repeat(3000)
    );
    assert!(
        decided_in_macros(&text, &configuration(), &Configuration::default()).contains("all()")
    );
    let nested = format!(
        "#[cfg_attr(on, {}a{})] fn f() {{}}",
        "cfg_attr(on, ".repeat(1000),
        ")".repeat(1000)
    );
    check(&nested, "#[a] fn f() {}");
}

#[test]
fn what_stays_keeps_its_place_if_that_is_asked_for() {
    let check = |text: &str, expected: &str| {
        assert_eq!(configured_in_place(text, &configuration()), expected);
    };
    check(
        "#[cfg(off)] fn a() {\n} #[cfg(on)] fn b() {}",
        "                    \n             fn b() {}",
    );
    check(
        "cfg_if! { if #[cfg(off)] { fn a() {} } else { fn b() {} } }",
        "                                              fn b() {}    ",
    );
    check(
        "fn f() { let a = cfg!(on); }",
        "fn f() { let a = true    ; }",
    );
    check("#![cfg(off)] fn é() {}", &" ".repeat(23));
}
