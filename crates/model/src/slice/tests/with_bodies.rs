//! Slices of programs that are run: they grow by what the compiler misses too, and keep all bodies.

use super::super::{Lack, Seed};
use super::callers::{Row, names, print, sources};
use crate::model::Model;

const PROGRAM: &str = "fn test() { total(Cents(1)) }
#[derive(Debug)]
struct Cents(u8);
fn total(a: Cents) -> Cents { a + one() }
fn one() -> Cents { Cents(1) }
fn idle() {}
macro_rules! operators { ($t:ty, $o:ident) => { impl std::ops::$o for $t { idle(); } }; }
operators!(Cents, Add);
operators!(Cents, Sub);
trait Named {}
macro_rules! named { ($t:ty) => { impl Named for $t {} }; }
named!(u8);
named!(u16);
";
const PRINTED: [Row<'static>; 9] = [
    ("::test", "fn test", "", "::total ::Cents"),
    ("::Cents", "struct Cents", "", ""),
    ("::total", "fn total", "::Cents", "::one"),
    ("::one", "fn one", "::Cents", "::Cents"),
    ("::idle", "fn idle", "", ""),
    ("::{impl#0}", "operators!(Cents, Add)", "::Cents", ""),
    ("::{impl#1}", "operators!(Cents, Sub)", "::Cents", ""),
    ("::{impl#2}", "", "::Named", ""),
    ("::{impl#3}", "", "::Named", ""),
];

/// Checks which items are added for an error.
#[track_caller]
fn check_adds(message: &str, details: &[&str], added: &[&str]) {
    let sources = sources(PROGRAM);
    let (names, model) = (names(&sources, &PRINTED), Model::new(&sources));
    let slice = model.growing_slice(&names, &[Seed::Name("test".to_owned())]);
    let mut slice = slice.expect("it is printed").with_bodies();
    let text = |tree: reduce_syntax::SourceTree| print(tree.text(tree.root()));
    let before = text(slice.edits().apply(&sources));
    let expected = "fn test() { total(Cents(1)) } #[derive(Debug)] struct Cents(u8); \
                    fn total(a: Cents) -> Cents { a + one() } fn one() -> Cents { Cents(1) }";
    assert_eq!(before, print(expected));
    let lack = Lack {
        code: "E0277".to_owned(),
        message: message.to_owned(),
        details: details.iter().map(|&text| text.to_owned()).collect(),
        source: String::new(),
    };
    assert_eq!(slice.add(&[lack]), !added.is_empty());
    let after = text(slice.edits().apply(&sources));
    let new = after.lines().filter(|line| !before.contains(*line));
    let new = new.filter(|line| line.contains('!') || line.contains("trait"));
    assert_eq!(new.map(str::trim).collect::<Vec<_>>(), added, "{after}");
}

#[test]
fn a_call_of_a_macro_comes_with_what_it_implements() {
    check_adds(
        "cannot add `Cents` to `Cents`",
        &["the trait `Add` is not implemented for `Cents`"],
        &["macro_rules! operators {", "operators!(Cents, Add);"],
    );
}

#[test]
fn of_several_calls_the_one_for_the_named_type_comes() {
    check_adds(
        "the trait bound `u16: Named` is not satisfied",
        &[],
        &["macro_rules! named {", "named!(u16);"],
    );
}

#[test]
fn what_is_not_named_does_not_come() {
    check_adds("mismatched types", &[], &[]);
}
