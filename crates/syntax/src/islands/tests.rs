use super::Island;
use crate::lexer::count_tokens;
use crate::parse::Parsed;

/// The islands of a text, as they are written.
fn islands(text: &str) -> Vec<&str> {
    let parsed = Parsed::new(text);
    assert!(parsed.file().is_some(), "{text}");
    let texts = parsed.islands().iter();
    texts
        .map(|Island { range, .. }| &text[range.clone()])
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(islands(text), expected, "{text}");
}

/// The islands of a text in the body of a function.
#[track_caller]
fn check_in_body(text: &str, expected: &[&str]) {
    check(
        &format!("fn f() {{ g(); {text} h(); }} fn i() {{}}"),
        expected,
    );
}

#[test]
fn what_syn_understands_has_none() {
    check("fn f() { g(); } struct S;", &[]);
}

#[test]
fn a_word_before_what_syn_knows_is_one() {
    check_in_body("super let x = 1;", &["super"]);
    check_in_body("super let mut x = 1;", &["super"]);
    check_in_body("let f = use || { x };", &["use"]);
}

#[test]
fn types_are_one() {
    check_in_body("let x: unsafe<T> () = y;", &["unsafe<T> ()"]);
    check("type X = unsafe<T> ();", &["unsafe<T> ()"]);
    check(
        "struct S { a: u8, b: unsafe<T> (), c: u8 }",
        &["unsafe<T> ()"],
    );
}

#[test]
fn bounds_are_one() {
    check("fn f(x: &mut (dyn ?Sized + !Send)) {}", &["!Send"]);
    check("pub trait Foo<C: use<Self>> {}", &["use<Self>"]);
}

#[test]
fn items_are_one() {
    check("fn f() {} const C = g(); fn h() {}", &["const C = g();"]);
    check("fn f() {} const C = A::b; fn h() {}", &["const C = A::b;"]);
    check("fn f() {} reuse Tr::g; fn h() {}", &["reuse Tr::g;"]);
    check(
        "impl S { fn f() {} reuse Tr::{g, h} { self.0 } }",
        &["reuse Tr::{g, h} { self.0 }"],
    );
}

#[test]
fn what_lacks_a_separator_has_none() {
    check_in_body("let x = 1 let y = 2;", &[]);
}

#[test]
fn fields_that_are_words_are_one() {
    check_in_body("let y = x.use;", &["x.use"]);
    check_in_body("g(a, x.use, b);", &["x.use"]);
}

#[test]
fn a_bracket_without_a_partner_is_one() {
    check("fn f() { g() } } fn h() {}", &["}"]);
    check("fn f() { g(; h() } fn i() {}", &["("]);
    check("fn f() { g()", &["fn f() { g()", "{"]);
}

#[test]
fn items_and_statements_that_are_no_rust_are_one_by_one() {
    check("fn f() {} fn g(x) {} fn h() {}", &["fn g(x) {}"]);
    check_in_body("let x = match y { Err(!) };", &["match y { Err(!) }"]);
}

#[test]
fn several_are_found() {
    check(
        "fn f() { super let x = 1; g(use || 1, use |x| x); } fn g() { y.use; }",
        &["super", "use", "use", "y.use"],
    );
}

/// Constructs that stand in the middle of 200 functions, each with the most tokens that its islands
/// may have.
const CONSTRUCTS: [(&str, u64); 26] = [
    ("fn c(a: &str) -> usize { super let b = a.len(); b + 1 }", 1),
    (
        "fn c(a: String) -> usize { let f = use || a.len(); f() }",
        1,
    ),
    ("fn c(a: Rc<u8>) -> u8 { let b = a.use; *b + 1 }", 3),
    ("fn c(a: unsafe<T> &u8) -> u8 { 1 + 2 }", 6),
    ("impl Tr for W { reuse Tr::d { self.0 } fn e() {} }", 9),
    ("gen fn c() -> u8 { yield 1; yield 2; }", 1),
    ("fn c() -> u8 { let g = gen { yield 1; }; g.count() }", 6),
    ("async gen fn c() -> u8 { yield 1; }", 1),
    ("async fn c() { for await x in y() { z(x); } }", 1),
    (
        "fn c(a: u8) -> Option<u8> { if a > 3 { do yeet; } Some(a) }",
        2,
    ),
    ("impl const Tr for u8 { fn m(&self) -> u8 { *self } }", 1),
    ("fn c<T: ~const Tr>(a: &T) -> u8 { a.m() }", 1),
    (
        "fn c(a: Option<u8>) -> u8 { match a { (Some(b) if b > 1) => b, _ => 2 } }",
        8,
    ),
    (
        "fn c(a: Result<u8, E>) -> u8 { match a { Ok(b) => b, Err(!) } }",
        15,
    ),
    ("fn c(a: &pin mut u8) -> u8 { 1 + 2 }", 1),
    ("fn c<T: Tr<m(..): Send>>(_: T) -> u8 { 1 }", 9),
    ("fn c(a: u8) -> u8 { let mut ref b = a; *b + 1 }", 3),
    ("fn c<F: async Fn(u8) -> u8>(f: F) -> u8 { 1 }", 7),
    ("fn c<T: !Copy>(_: T) -> u8 { 1 }", 2),
    ("fn c(a: u8) -> u8 { let b = a + 1 let d = b + 1; d }", 0),
    ("const C = 5; fn c() -> u8 { 1 + 2 }", 5),
    ("fn c(a: u8) -> u8 { a + 1 } }", 1),
    (
        "fn c(a: u8) -> u8 { let b = a.match { 0 => 1, _ => 2 }; b }",
        12,
    ),
    ("trait C<T: use<Self>> { fn d() {} }", 4),
    ("fn c() -> u8 { let a = builtin # offset_of(u8, x); a }", 7),
    ("struct C where u8: Copy (u8);", 0),
];

#[test]
fn the_functions_around_what_syn_refuses_are_syntax() {
    for (construct, at_most) in CONSTRUCTS {
        let function =
            |idx| format!("fn f{idx}(a: u8) -> u8 {{ if a > 1 {{ g(a) }} else {{ a }} }}");
        let mut items: Vec<String> = (0..200).map(function).collect();
        items.insert(100, construct.to_owned());
        let text = items.join("\n");
        let parsed = Parsed::new(&text);
        let n_functions = parsed.file().unwrap().items.len();
        let islands = parsed.islands().iter();
        let islands = islands.map(|one| count_tokens(&text[one.range.clone()]));
        assert!(n_functions >= 201, "{construct}: {n_functions} items");
        assert!(islands.sum::<u64>() <= at_most, "{construct}");
        // The same construct, after a change elsewhere, is understood with as few changes.
        items.remove(50);
        let smaller = Parsed::with_repairs(&items.join("\n"), parsed.n_repairs());
        assert!(smaller.file().is_some(), "{construct}");
    }
}

/// Trait objects as editions before 2021 write them.
const OBJECTS: [&str; 10] = [
    "struct S { f: Box<Fn(u32) -> u32> }",
    "fn f(x: &Fn(u8), y: &'a mut FnMut(), z: Rc<::std::ops::Fn(A) -> B>) {}",
    "fn f() { let x: &(Fn(u8) + Send) = y as &Fn(u8); g::<Box<Fn()>>(x) }",
    "fn f(x: &(Fn(u8) + Send)) { x as &(Fn(u8) + Send) }",
    "type F = Fn(u8); impl Tr for Fn(u8) {}",
    "fn f(x: Box<for<'a> Fn(&'a u8) -> &'a u8>) -> Box<Fn(Box<Fn(u8)>)> { x }",
    "mod a { mod b { fn f(x: Option<Box<FnOnce() + 'static>>) {} } }",
    "fn f<T>(x: T) where T: Fn(u8), Box<Fn(u8)>: Tr {}",
    "fn f(x: &Tr, y: Box<Tr + Send>, z: &Fn()) {}",
    "struct S(Box<Fn(u8)>, Vec<Box<Fn(u8)>>);",
];

#[test]
fn trait_objects_of_older_editions_are_none() {
    for text in OBJECTS {
        check(text, &[]);
        assert_eq!(Parsed::new(text).n_repairs(), 0, "{text}");
        assert!(Parsed::without_islands(text).file().is_some(), "{text}");
    }
}

#[test]
fn trait_objects_of_older_editions_are_printed_without_dyn() {
    let printed = crate::pretty("fn f(x : &Fn(u8)->Box< ::a::FnMut()>) {}");
    let expected = "fn f(x: &Fn(u8) -> Box<::a::FnMut()>) {}\n";
    assert_eq!(printed.as_deref(), Some(expected));
}

#[test]
fn trait_objects_of_older_editions_stand_beside_islands() {
    let text = "fn f(x: &Fn(u8)) { super let y = x; let z: Box<Fn(u8)> = y; }";
    check(text, &["super"]);
    assert_eq!(Parsed::new(text).n_repairs(), 1);
    assert!(Parsed::without_islands(text).file().is_none());
}

#[test]
fn a_trait_object_begins_where_its_path_does() {
    let text = "type F = ::std::ops::Fn(u8);";
    let parsed = Parsed::new(text);
    let [syn::Item::Type(item)] = &parsed.file().unwrap().items[..] else {
        panic!("it is one type");
    };
    let syn::Type::TraitObject(object) = &*item.ty else {
        panic!("it is a trait object");
    };
    assert!(object.dyn_token.is_none());
    assert_eq!(&text[crate::byte_range(object)], "::std::ops::Fn(u8)");
}
