//! Slices that grow by what the compiler says. The messages are those of rustc 1.95 and of nightly 1.97, which say the same.

use super::super::{Contents, Lack, Seed};
use crate::compiler_names::{CompilerNames, HirLines};
use crate::ids::Place;
use crate::model::Model;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use std::sync::Arc;

const PROGRAM: &str = "\
pub fn fee(total: Cents, rate: Rate, late: Late) -> Cents { total * rate }
/// An amount of money.
#[derive(Debug, Copy, Clone, PartialEq)]
pub struct Cents(i64);
#[derive(Debug)]
pub struct Rate<T = u8, const N: u8 = 3>(T);
pub struct Late;
pub enum Level { #[default] Low }
impl Cents { #[must_use] pub fn in_words(&self) -> String { String::new() } }
impl Rate { pub fn in_words(&self) -> String { String::new() } }
impl std::ops::Mul<Rate> for Cents { type Output = Cents; fn mul(self, _: Rate) -> Cents { helper(); self } }
impl std::ops::Mul<u32> for Cents { type Output = Cents; fn mul(self, _: u32) -> Cents { self } }
impl Iterator for Late { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
impl std::ops::Deref for Late { type Target = u8; fn deref(&self) -> &u8 { &0 } }
impl Drop for Late { fn drop(&mut self) {} }
trait First { fn first() {} fn second() {} }
impl First for u8 { fn first() {} fn second() {} }
fn helper() {}
";

/// The compiler's printout of the program, as far as it is read: the places of the first function and of the types that it
/// mentions.
const PRINTED: &str = "
DefId(0:1 ~ lib[1]::fee) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:1:1: 1:76 (#0),
        DefId(0:2 ~ lib[1]::Cents),
        DefId(0:3 ~ lib[1]::Rate),
        DefId(0:4 ~ lib[1]::Late),
DefId(0:2 ~ lib[1]::Cents) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:4:1: 4:23 (#0),
DefId(0:3 ~ lib[1]::Rate) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:6:1: 6:46 (#0),
DefId(0:4 ~ lib[1]::Late) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:7:1: 7:17 (#0),
";

/// The slice of the function alone.
const FIRST: &str = "fn fee(total: Cents, rate: Rate, late: Late) -> Cents { total * rate } \
                     struct Cents(i64); struct Rate<T, const N: u8>(T); struct Late; \
                     impl Drop for Late { fn drop(&mut self) { loop {} } }";

fn names(sources: &SourceTree) -> CompilerNames {
    let mut lines = HirLines::default();
    PRINTED.lines().for_each(|line| lines.read(line));
    lines.names(|file| sources.find(file.as_ref()))
}

fn lack(code: &str, message: &str, details: &[&str]) -> Lack {
    Lack {
        code: code.to_owned(),
        message: message.to_owned(),
        details: details.iter().map(|&text| text.to_owned()).collect(),
        source: String::new(),
    }
}

/// Returns whether the slice grows by these errors, and the program that it then leaves.
fn grown(lacks: &[Lack]) -> (bool, String) {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(PROGRAM));
    let model = Model::new(&sources);
    let seeds = [Seed::Name("fee".to_owned())];
    let slice = model.growing_slice(&names(&sources), &seeds);
    let mut slice = slice.expect("the seed is there");
    let has_grown = slice.add(lacks);
    let left = slice.edits().apply(&sources);
    let text = reduce_syntax::pretty(left.text(left.root()));
    (has_grown, text.expect("parses"))
}

/// Checks what an error adds, which stands in the slice of the function alone or replaces something of it.
#[track_caller]
fn check_adds(lacks: &[Lack], added: &[&str]) {
    let without = grown(&[]).1;
    let (has_grown, with) = grown(lacks);
    assert_eq!(has_grown, !added.is_empty());
    let new: Vec<&str> = with
        .lines()
        .filter(|line| !without.contains(line))
        .collect();
    let new: Vec<&str> = new.into_iter().map(str::trim).collect();
    assert_eq!(new, added, "{with}");
}

#[test]
fn a_slice_begins_without_what_nothing_names() {
    let expected = reduce_syntax::pretty(FIRST).expect("parses");
    assert_eq!(grown(&[]), (false, expected));
}

#[test]
fn an_operator_comes_with_its_operands() {
    let error = lack(
        "E0369",
        "cannot multiply `Cents` by `Rate`",
        &[
            "Cents",
            "Rate",
            "an implementation of `Mul<Rate>` might be missing for `Cents`",
            "must implement `Mul<Rate>`",
            "the trait `Mul` must be implemented",
        ],
    );
    check_adds(
        &[error],
        &[
            "impl std::ops::Mul<Rate> for Cents {",
            "type Output = Cents;",
            "fn mul(self, _: Rate) -> Cents {",
        ],
    );
}

#[test]
fn a_derived_trait_comes_back_with_those_that_it_needs() {
    let equal = lack(
        "E0369",
        "binary operation `==` cannot be applied to type `Cents`",
        &[
            "an implementation of `PartialEq` might be missing for `Cents`",
            "consider annotating `Cents` with `#[derive(PartialEq)]`",
        ],
    );
    check_adds(&[equal], &["#[derive(PartialEq)]"]);
    let moved = lack(
        "E0382",
        "use of moved value: `total`",
        &[
            "move occurs because `total` has type `Cents`, which does not implement the `Copy` trait",
        ],
    );
    check_adds(&[moved], &["#[derive(Copy, Clone)]"]);
    let shown = lack("E0277", "`Rate` doesn't implement `Debug`", &[]);
    check_adds(&[shown], &["#[derive(Debug)]"]);
}

#[test]
fn defaults_of_parameters_come_back_together() {
    let missing = "missing generics for struct `Rate`";
    let details = [
        "expected at least 1 generic argument",
        "struct defined here, with at least 1 generic parameter: `T`",
    ];
    check_adds(
        &[lack("E0107", missing, &details)],
        &["struct Rate<T = u8, const N: u8 = 3>(T);"],
    );
    // Where some arguments are given, only the text names the type.
    let missing = "struct takes 2 generic arguments but 1 generic argument was supplied";
    let error = Lack {
        source: "Rate".to_owned(),
        ..lack("E0107", missing, &["expected 2 generic arguments"])
    };
    check_adds(&[error], &["struct Rate<T = u8, const N: u8 = 3>(T);"]);
}

#[test]
fn a_member_comes_with_its_type() {
    let error = lack(
        "E0599",
        "no method named `in_words` found for struct `Cents` in the current scope",
        &[
            "method not found in `Cents`",
            "method `in_words` not found for this struct",
        ],
    );
    check_adds(
        &[error],
        &["impl Cents {", "fn in_words(&self) -> String {"],
    );
}

#[test]
fn a_type_that_is_no_iterator_comes_with_its_iterator_alone() {
    let error = lack(
        "E0277",
        "`Late` is not an iterator",
        &[
            "the trait `Iterator` is not implemented for `Late`",
            "required for `Late` to implement `IntoIterator`",
            "the following other types implement trait `Deref`:\n  `u8`",
        ],
    );
    check_adds(
        &[error],
        &[
            "impl Iterator for Late {",
            "type Item = u8;",
            "fn next(&mut self) -> Option<u8> {",
        ],
    );
}

#[test]
fn a_message_that_names_no_trait_means_the_one_of_its_code() {
    let error = lack("E0614", "type `Late` cannot be dereferenced", &[]);
    let deref = [
        "impl std::ops::Deref for Late {",
        "type Target = u8;",
        "fn deref(&self) -> &u8 {",
    ];
    check_adds(&[error], &deref);
}

#[test]
fn several_errors_are_read_at_once() {
    let errors = [
        lack("E0425", "cannot find function `helper` in this scope", &[]),
        lack("E0277", "the trait bound `u8: First` is not satisfied", &[]),
    ];
    let added = ["trait First {}", "impl First for u8 {}", "fn helper() {"];
    check_adds(&errors, &added);
}

#[test]
fn a_message_that_names_nothing_adds_nothing() {
    check_adds(
        &[lack(
            "E0308",
            "mismatched types",
            &["expected `u8`, found `()`"],
        )],
        &[],
    );
    check_adds(&[lack("", "", &[])], &[]);
}

#[test]
fn where_only_a_type_is_named_all_that_it_implements_is_added() {
    let error = lack("E0605", "non-primitive cast: `Rate` as `u32`", &[]);
    check_adds(
        &[error],
        &[
            "#[derive(Debug)]",
            "struct Rate<T = u8, const N: u8 = 3>(T);",
            "impl Rate {}",
        ],
    );
}

const NAMESAKES: &str = "\
pub fn f(one: a::One) { one.get(); }
pub mod a { pub struct One; impl One { pub fn get(&self) {} } }
pub mod b { pub struct One; impl One { pub fn get(&self) {} } }
";

const PRINTED_OF_NAMESAKES: &str = "
DefId(0:1 ~ lib[1]::f) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:1:1: 1:24 (#0),
        DefId(0:2 ~ lib[1]::a::One),
DefId(0:2 ~ lib[1]::a::One) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:2:13: 2:28 (#0),
DefId(0:3 ~ lib[1]::a::{impl#0}) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:2:29: 2:62 (#0),
        DefId(0:2 ~ lib[1]::a::One),
DefId(0:4 ~ lib[1]::b::One) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:3:13: 3:28 (#0),
DefId(0:5 ~ lib[1]::b::{impl#0}) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:3:29: 3:62 (#0),
        DefId(0:4 ~ lib[1]::b::One),
";

#[test]
fn of_members_of_types_of_one_name_those_come_whose_type_is_there() {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(NAMESAKES));
    let mut lines = HirLines::default();
    PRINTED_OF_NAMESAKES
        .lines()
        .for_each(|line| lines.read(line));
    let names = lines.names(|file| sources.find(file.as_ref()));
    let model = Model::new(&sources);
    let seeds = [Seed::Name("f".to_owned())];
    let mut slice = model
        .growing_slice(&names, &seeds)
        .expect("the seed is there");
    let message = "no method named `get` found for struct `One` in the current scope";
    assert!(slice.add(&[lack("E0599", message, &[])]));
    let left = slice.edits().apply(&sources);
    let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
    let expected = "pub fn f(one: a::One) { one.get(); } \
                    pub mod a { pub struct One; impl One { pub fn get(&self) { loop {} } } }";
    assert_eq!(print(left.text(left.root())), print(expected));
}

#[test]
fn where_nothing_was_printed_no_slice_grows() {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(PROGRAM));
    let model = Model::new(&sources);
    let seeds = [Seed::Name("fee".to_owned())];
    assert!(
        model
            .growing_slice(&CompilerNames::default(), &seeds)
            .is_none()
    );
    let unknown = [Seed::Name("nobody".to_owned())];
    assert!(model.growing_slice(&names(&sources), &unknown).is_none());
}

#[test]
fn items_that_nothing_names_go_but_for_seeds() {
    let text = "fn seed() { Used; } struct Used; struct Unused; trait Lone { fn f() {} }";
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let seeds = [Seed::Name("seed".to_owned())];
    let left = model
        .unnamed_items(&seeds)
        .expect("some go")
        .apply(&sources);
    let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
    assert_eq!(
        print(left.text(left.root())),
        print("fn seed() { Used; } struct Used;")
    );
    assert!(Model::new(&left).unnamed_items(&seeds).is_none());
}

/// The slice of a module's text that `a` names something of, once these errors are known.
fn grown_within(module: &str, a: &str, contents: Contents, lacks: &[Lack]) -> (bool, String) {
    let text = format!("{module} {a}");
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let place = Place::new(sources.root(), 0..module.len());
    let mut slice = model.growing_slice_within(&place, contents);
    let has_grown = slice.add(lacks);
    let left = slice.edits().apply(&sources);
    let text = reduce_syntax::pretty(left.text(left.root()));
    (has_grown, text.expect("parses"))
}

#[test]
fn the_slice_of_a_module_grows_without_what_the_compiler_prints() {
    let module = "mod m { pub struct S(u8); impl S { fn f(&self) {} } pub struct T; \
                  pub fn all(_: S) -> impl Iterator<Item = u8> { [].into_iter() } \
                  mod n { pub fn g() { h() } fn h() {} } impl Drop for T { fn drop(&mut self) {} } }";
    let a = "fn a(s: m::S) { m::all(s) }";
    let left = |others: &str| {
        let all = "pub fn all(_: S) -> impl Iterator<Item = u8> { [].into_iter() }";
        let text = format!("mod m {{ pub struct S(u8); {all} {others} }} {a}");
        reduce_syntax::pretty(&text).expect("parses")
    };
    let grown = |lacks: &[Lack]| grown_within(module, a, Contents::Whole, lacks);
    assert_eq!(grown(&[]), (false, left("")));
    let missed = lack("E0425", "cannot find function `g` in this scope", &[]);
    let with_function = left("mod n { pub fn g() { loop {} } }");
    assert_eq!(grown(&[missed]), (true, with_function));
}

/// A program in which `a` leads to more by the name `Set` of another module, by the fields of `Set`, and by `get`, which
/// another type has too.
const CONTAINERS: &str = "\
mod m {
    pub use sets::Set;
    pub mod sets {
        use super::lists::{List, Node};
        pub struct Set<'s, #[may_dangle] T: Into<List<(), u8>>, const N: usize = 1> where T: Copy { list: List<&'s T, u8>, n: [u8; N] }
        impl<T> Set<'_, T> { pub fn get(&self) -> Option<Node<T>> { self.list.first() } pub fn other(&self) {} }
    }
    pub mod others { pub struct Set; impl Set { pub fn get(&self) {} } }
    pub mod lists {
        pub struct List<T, U>(T, U);
        pub enum Node<T> { Leaf(T), Inner(Deep) }
        pub enum Order { Up, Down }
        pub struct Deep;
        pub fn order(_: Order) {}
    }
}
";

#[test]
fn types_of_a_module_have_nothing_in_them_until_something_of_it_is_missing() {
    let a = "fn a(set: m::Set<u8>) { set.get(); m::lists::order(m::lists::Order::Up); }";
    let phantom = "::core::marker::PhantomData";
    let set =
        "pub struct Set<'s, #[may_dangle] T: Into<List<(), u8>>, const N: usize = 1> where T: Copy";
    let opaque = format!("{set} {{ opaque: ({phantom}<&'s ()>, {phantom}<T>,) }}");
    let whole = format!("{set} {{ list: List<&'s T, u8>, n: [u8; N] }}");
    let left = |set: &str, imported: &str, get: &str, others: &str| {
        let text = format!(
            "mod m {{ pub use sets::Set; \
             pub mod sets {{ use super::lists::{{{imported}}}; {set} {get} }} \
             pub mod lists {{ pub struct List<T, U>(({phantom}<T>, {phantom}<U>,)); {others} \
             pub fn order(_: Order) {{ loop {{}} }} }} }} {a}"
        );
        reduce_syntax::pretty(&text).expect("parses")
    };
    let grown = |lacks: &[Lack]| grown_within(CONTAINERS, a, Contents::Needed, lacks).1;
    let opaque_order = "pub enum Order { Opaque }";
    let get = "impl<T> Set<'_, T> { pub fn get(&self) -> Option<Node<T>> { loop {} } }";
    let node = format!("pub enum Node<T> {{ Opaque(({phantom}<T>,)) }}");
    let with_get = |order: &str| left(&opaque, "List, Node", get, &format!("{node} {order}"));
    assert_eq!(grown(&[]), with_get(opaque_order));

    let message =
        "no variant or associated item named `Up` found for enum `Order` in the current scope";
    let of_variant = lack("E0599", message, &[]);
    assert_eq!(
        grown(&[of_variant]),
        with_get("pub enum Order { Up, Down }")
    );

    let of_field = lack("E0609", "no field `list` on type `&Set<'_, u8>`", &[]);
    let with_fields = left(&whole, "List, Node", get, &format!("{node} {opaque_order}"));
    assert_eq!(grown(&[of_field]), with_fields);

    let mismatched = lack(
        "E0308",
        "mismatched types",
        &["expected struct `Set<'_, u8>`"],
    );
    assert_eq!(grown(&[mismatched]), with_fields);
}

#[test]
fn of_a_name_that_several_have_the_slice_of_a_module_has_the_one_that_is_meant() {
    let a = "fn a(_: m::others::Set) {}";
    let (_, left) = grown_within(CONTAINERS, a, Contents::Needed, &[]);
    let expected = format!("mod m {{ pub mod others {{ pub struct Set; }} }} {a}");
    assert_eq!(left, reduce_syntax::pretty(&expected).expect("parses"));
}

const OPERATORS: &str = "\
pub fn later(time: std::time::SystemTime, by: Span) -> std::time::SystemTime { time + by }
pub struct Span(u8);
pub struct Other;
impl std::ops::Add<Span> for std::time::SystemTime { type Output = Self; fn add(self, _: Span) -> Self { self } }
impl std::ops::Add<Other> for std::time::SystemTime { type Output = Self; fn add(self, _: Other) -> Self { self } }
impl Span { pub fn new() -> Self { Span(1) } }
";

#[test]
fn an_operand_of_another_type_means_an_operator_for_it() {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(OPERATORS));
    let model = Model::new(&sources);
    let printed = "
DefId(0:1 ~ lib[1]::later) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:1:1: 1:95 (#0),
        DefId(0:2 ~ lib[1]::Span),
DefId(0:2 ~ lib[1]::Span) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:2:1: 2:21 (#0),
";
    let mut lines = HirLines::default();
    printed.lines().for_each(|line| lines.read(line));
    let names = lines.names(|file| sources.find(file.as_ref()));
    let seeds = [Seed::Name("later".to_owned())];
    let mut slice = model.growing_slice(&names, &seeds).unwrap();
    let text = |slice: &crate::slice::GrowingSlice<'_>| {
        let tree = slice.edits().apply(&sources);
        reduce_syntax::spaced(tree.text(tree.root()))
    };
    let before = text(&slice);
    assert!(!before.contains("impl"), "{before}");
    let details = ["expected `Duration`, found `Span`"];
    assert!(slice.add(&[lack("E0308", "mismatched types", &details)]));
    let after = text(&slice);
    assert_eq!(after.matches("impl").count(), 1, "{after}");
    assert!(
        after.contains("Add < Span >") || after.contains("Add<Span>"),
        "{after}"
    );
}

/// The slice of what `seed` names in a program, with types that have no contents at first, as the model resolves names,
/// once these errors are known.
fn grown_by_model(text: &str, lacks: &[Lack]) -> String {
    let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
    let model = Model::new(&sources);
    let seeds = [Seed::Name("seed".to_owned())];
    let slice = model.growing_slice_resolved(&seeds, Contents::Needed);
    let mut slice = slice.expect("the seed is there");
    slice.add(lacks);
    let left = slice.edits().apply(&sources);
    reduce_syntax::pretty(left.text(left.root())).expect("parses")
}

#[track_caller]
fn check_by_model(text: &str, lacks: &[Lack], expected: &str) {
    let expected = reduce_syntax::pretty(expected).expect("parses");
    assert_eq!(grown_by_model(text, lacks), expected);
}

#[test]
fn without_a_printout_the_slice_of_a_seed_follows_what_the_model_resolves() {
    let text = "pub mod a { pub struct S(super::b::T); pub fn f(_: S) { g() } fn g() {} } \
                pub mod b { pub struct T; pub struct S; pub fn f() {} } \
                fn seed(s: a::S) { a::f(s) }";
    let of_a = "pub fn f(_: S) { loop {} }";
    let left = format!("pub mod a {{ pub struct S(); {of_a} }} fn seed(s: a::S) {{ a::f(s) }}");
    check_by_model(text, &[], &left);
    let of_field = lack("E0609", "no field `0` on type `S`", &[]);
    let whole = format!(
        "pub mod a {{ pub struct S(super::b::T); {of_a} }} pub mod b {{ pub struct T; }} \
         fn seed(s: a::S) {{ a::f(s) }}"
    );
    check_by_model(text, &[of_field], &whole);
}

#[test]
fn a_call_of_a_macro_leads_to_what_the_model_resolves_in_it_alone() {
    let text = "flags! { pub struct Flags: raw::Bits { const OPEN = 1; const SHUT = sys::SHUT; } } \
                flags! { pub struct Others: raw::Bits { const OPEN = 1; const SHUT = 2; } } \
                mod raw { pub struct Bits;  pub struct Bytes; } \
                fn seed(_: Flags) {}";
    check_by_model(
        text,
        &[],
        "flags! { pub struct Flags: raw::Bits { const OPEN = 1; const SHUT = sys::SHUT; } } \
         mod raw { pub struct Bits; } fn seed(_: Flags) {}",
    );
}

#[test]
fn a_private_import_stays_only_for_its_own_module() {
    let text = "pub mod errors { pub struct Error; } \
                pub mod a { use crate::errors::Error; pub struct A; pub fn unneeded() -> Error { Error } } \
                pub mod b { use crate::errors::Error; pub mod c { use super::*; pub fn f() -> Error { Error } } } \
                pub mod d { pub use crate::errors::Error; } \
                fn seed(_: a::A, _: d::Error) { b::c::f(); }";
    check_by_model(
        text,
        &[],
        "pub mod errors { pub struct Error; } pub mod a { pub struct A; } \
         pub mod b { use crate::errors::Error; \
         pub mod c { use super::*; pub fn f() -> Error { loop {} } } } \
         pub mod d { pub use crate::errors::Error; } \
         fn seed(_: a::A, _: d::Error) { b::c::f(); }",
    );
}

#[test]
fn an_import_leads_to_modules_and_to_nothing_else_of_their_names() {
    let text = "pub mod a { pub mod one { pub struct One; } pub mod two { pub struct Two; } } \
                pub mod other { pub fn one() {} pub fn a() {} } \
                use a::one::{One, self as first}; fn seed(_: One) { first::One; }";
    check_by_model(
        text,
        &[],
        "pub mod a { pub mod one { pub struct One; } } \
         use a::one::{One, self as first}; fn seed(_: One) { first::One; }",
    );
}

#[test]
fn an_import_of_a_needed_trait_stays_for_its_methods() {
    let text = "mod t { pub trait T { fn m(&self) {} } pub trait U { fn n(&self) {} } } \
                use t::{T as _, U as _}; fn seed<X: t::T>(x: X) { x.m(); }";
    check_by_model(
        text,
        &[],
        "mod t { pub trait T { fn m(&self) { loop {} } } } use t::T as _; fn seed<X: t::T>(x: X) { x.m(); }",
    );
}

#[test]
fn what_only_a_macro_makes_comes_with_the_calls_of_the_macro() {
    let text = "pub mod names { macro_rules! make { ($($bound:ident)?) => { pub trait Named $(: $bound)? {} } } make!(); \
                macro_rules! other { () => {} } other!(); } \
                fn seed(_: &dyn names::Named) {}";
    let missing = lack("E0405", "cannot find trait `Named` in module `names`", &[]);
    check_by_model(
        text,
        &[missing],
        "pub mod names { macro_rules! make { ($($bound:ident)?) => { pub trait Named $(: $bound)? {} } } make!(); } \
         fn seed(_: &dyn names::Named) {}",
    );
}

#[test]
fn an_impl_for_all_types_comes_with_its_trait() {
    let text = "pub struct Column; pub struct Name; pub trait IntoColumn { fn into_column(self) -> Column; } \
                impl<T: Into<Column>> IntoColumn for T { fn into_column(self) -> Column { self.into() } } \
                impl IntoColumn for String { fn into_column(self) -> Column { Column } } \
                impl Clone for Name { fn clone(&self) -> Self { Name } } \
                fn seed(name: Name) { name.clone().into_column(); }";
    let message = "the trait bound `Name: IntoColumn` is not satisfied";
    let missing = [
        lack("E0277", message, &[]),
        lack(
            "E0277",
            "the trait bound `Name: Clone` is not satisfied",
            &[],
        ),
    ];
    check_by_model(
        text,
        &missing,
        "struct Column; struct Name; trait IntoColumn { fn into_column(self) -> Column; } \
         impl<T: Into<Column>> IntoColumn for T { fn into_column(self) -> Column { loop {} } } \
         impl Clone for Name { fn clone(&self) -> Self { loop {} } } \
         fn seed(name: Name) { name.clone().into_column(); }",
    );
}

#[test]
fn an_impl_for_an_alias_comes_where_an_error_names_what_it_stands_for() {
    let text = "pub struct Shared<T: ?Sized>(Box<T>); pub trait Name {} pub type DynName = Shared<dyn Name>; \
                pub trait IntoName { fn into_name(self) -> DynName; } \
                impl IntoName for DynName { fn into_name(self) -> DynName { self } } \
                fn need<T: IntoName>(_: T) {} fn seed(name: Shared<dyn Name>) { need(name); }";
    let message = "the trait bound `Shared<dyn Name>: IntoName` is not satisfied";
    let missing = lack("E0277", message, &[]);
    let left = grown_by_model(text, &[missing]);
    assert!(left.contains("impl IntoName for DynName"), "{left}");
    assert!(!grown_by_model(text, &[]).contains("impl IntoName"));
}

#[test]
fn a_path_through_the_crates_own_name_leads_into_the_crate() {
    let text = "extern crate self as me; pub mod a { pub struct Named; pub struct Other; } \
                pub mod b { pub use me::a::{Named, Other}; } fn seed(_: me::b::Named) {}";
    check_by_model(
        text,
        &[],
        "extern crate self as me; pub mod a { pub struct Named; } pub mod b { pub use me::a::Named; } \
         fn seed(_: me::b::Named) {}",
    );
}

#[test]
fn the_default_of_an_enum_is_a_variant_without_contents() {
    let text =
        "#[derive(Default)] pub enum Level { High(Vec<u8>), #[default] Low } fn seed(_: Level) {}";
    check_by_model(
        text,
        &[],
        "#[derive(Default)] enum Level { #[default] Opaque } fn seed(_: Level) {}",
    );
}

#[test]
fn an_import_of_a_variant_goes_with_the_contents_of_its_enum() {
    let text = "pub mod a { pub enum Error { NotFound, Late } } pub use a::Error::NotFound; \
                pub struct NotFound; fn seed(_: a::Error) -> crate::NotFound { loop {} }";
    let left = grown_by_model(text, &[]);
    assert!(!left.contains("use a::Error"), "{left}");
    let missing = lack("E0599", "no variant `Late` found for enum `Error`", &[]);
    let left = grown_by_model(text, &[missing]);
    assert!(left.contains("use a::Error::NotFound"), "{left}");
}

#[test]
fn what_derived_code_misses_is_named_by_a_label() {
    let text = "extern crate self as me; pub mod a { pub struct Named; pub struct Other; } \
                #[derive(Makes)] pub struct Mine; fn seed(_: Mine) {}";
    let missing = lack("E0432", "unresolved import `me`", &["no `Named` in `a`"]);
    let left = grown_by_model(text, &[missing]);
    assert!(left.contains("struct Named"), "{left}");
    assert!(!left.contains("struct Other"), "{left}");
    assert!(!grown_by_model(text, &[]).contains("struct Named"));
}

#[test]
fn a_module_that_a_macro_makes_comes_with_the_call_that_names_it() {
    let text = "macro_rules! proxy { ($name:ident, $path:path) => { pub mod $name { pub use $path::*; } } } \
                pub mod a { pub struct Named; } proxy!(of_a, crate::a); proxy!(of_b, crate::a); pub use of_a::*; \
                fn seed(_: crate::Named) {}";
    let missing = lack(
        "E0432",
        "unresolved import `of_a`",
        &["use of unresolved module or unlinked crate `of_a`"],
    );
    let left = grown_by_model(text, &[missing]);
    assert!(left.contains("proxy!(of_a"), "{left}");
    assert!(!left.contains("proxy!(of_b"), "{left}");
}
