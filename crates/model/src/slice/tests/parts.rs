//! Items with what they need, as rustc would print that.

use super::super::Seed;
use super::callers::{Row, names, print, sources};
use crate::model::Model;

const PROGRAM: &str = "trait Area { fn area(&self) -> u8; }
struct Square(Side);
struct Side;
impl Area for Square { fn area(&self) -> u8 { helper() } }
fn helper() -> u8 { other(); 1 }
fn other() {}
mod inner { pub struct Lone; impl Lone { fn new() -> Lone { Lone } } }
const fn three() -> u8 { 3 }
";
const PRINTED: [Row<'static>; 13] = [
    ("::Area", "trait Area", "", ""),
    ("::Area::area", "fn area(&self) -> u8;", "", ""),
    ("::Square", "struct Square", "::Side", ""),
    ("::Side", "struct Side", "", ""),
    ("::{impl#0}", "impl Area", "::Area ::Square", ""),
    ("::{impl#0}::area", "fn area(&self) -> u8 {", "", "::helper"),
    ("::helper", "fn helper", "", "::other"),
    ("::other", "fn other", "", ""),
    ("::inner", "mod inner", "", ""),
    ("::inner::Lone", "pub struct Lone", "", ""),
    ("::inner::{impl#0}", "impl Lone", "::inner::Lone", ""),
    (
        "::inner::{impl#0}::new",
        "fn new",
        "::inner::Lone",
        "::inner::Lone",
    ),
    ("::three", "const fn three", "", ""),
];

/// Checks the program that some parts leave; the parts are given by how they begin.
#[track_caller]
fn check(kept: &[&str], expected: &str) {
    let sources = sources(PROGRAM);
    let (names, model) = (names(&sources, &PRINTED), Model::new(&sources));
    let parts = model.known_parts(&names).expect("it is printed");
    let begin = |part: usize| {
        let edits = parts.slice([part]);
        edits.apply(&sources).text(sources.root()).to_string()
    };
    // A part is known by what its own slice keeps whole.
    let all = (0..parts.len()).filter(|&part| kept.iter().any(|kept| begin(part).contains(kept)));
    let left = parts.slice(all).apply(&sources);
    assert_eq!(print(left.text(left.root())), print(expected));
}

#[test]
fn a_part_stays_with_what_it_needs() {
    check(
        &["{ other(); 1 }"],
        "fn helper() -> u8 { other(); 1 } fn other() { loop {} }",
    );
    check(
        &["{ helper() }"],
        "trait Area { fn area(&self) -> u8; } struct Square(Side); struct Side; \
         impl Area for Square { fn area(&self) -> u8 { helper() } } fn helper() -> u8 { loop {} }",
    );
}

#[test]
fn members_of_an_impl_stay_with_it() {
    check(
        &["{ Lone }"],
        "mod inner { pub struct Lone; impl Lone { fn new() -> Lone { Lone } } }",
    );
}

#[test]
fn modules_and_imports_are_no_parts() {
    let sources = sources(&format!("use std::fmt;\n{PROGRAM}"));
    let (names, model) = (names(&sources, &PRINTED), Model::new(&sources));
    let parts = model.known_parts(&names).expect("it is printed");
    assert_eq!((parts.len(), parts.is_empty()), (9, false));
    let nothing = parts.slice([]).apply(&sources);
    assert_eq!(nothing.text(nothing.root()).trim(), "");
    assert!(
        model
            .known_parts(&crate::CompilerNames::default())
            .is_none()
    );
}

#[test]
fn all_bodies_go_that_can_be_emptied() {
    let sources = sources(PROGRAM);
    let left = Model::new(&sources).without_bodies().apply(&sources);
    let left = print(left.text(left.root()));
    assert_eq!(left.matches("loop {}").count(), 4, "{left}");
    assert!(
        left.contains("const fn three() -> u8 {\n    3\n}"),
        "{left}"
    );
}

#[test]
fn functions_with_bodies_say_something() {
    let text = "mod m { pub fn f() { loop {} } fn g() { h() } } fn h() {} const fn c() -> u8 { 1 } \
                struct S; impl S { fn k(&self) { h() } fn l() -> impl Copy { 1 } }";
    let path = |path: &[&str]| Seed::Path(path.iter().map(|&name| name.to_owned()).collect());
    let found = Model::new(&sources(text)).functions_with_bodies();
    assert_eq!(found, [path(&["m", "g"]), path(&["S", "k"])]);
}
