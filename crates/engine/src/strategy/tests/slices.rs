//! Tests of which slices are tried, and in which order.

use super::super::slices::{keep_reached, keep_slice};
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, methods};
use crate::propose::{Methods, Named};
use crate::request::Stage;
use crate::session::Session;
use reduce_model::{Lack, Seed};
use reduce_oracle::Verdict;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compiler's printout of the program: that `crash` calls `g` of the module `m`.
const PRINTED: &str = "
DefId(0:1 ~ lib[1]::m) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:1:1: 1:26 (#0),
DefId(0:2 ~ lib[1]::m::g) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:1:9: 1:24 (#0),
DefId(0:3 ~ lib[1]::crash) => OwnerNodes {
    node: ParentedNode {
        span: lib.rs:3:1: 3:20 (#0),
    bodies: {
        span: lib.rs:3:14: 3:18 (#0),
        DefId(0:2 ~ lib[1]::m::g),
";

/// Makes two functions of one name, and as many others as make the program large.
fn program(n_others: usize) -> String {
    let names = "mod m { pub fn g() { h() } }\nmod n { pub fn g() {} }\nfn crash() { m::g() }\n";
    let others = (0..n_others).map(|idx| format!("fn f{idx}() {{}}\n"));
    names.to_owned() + &others.collect::<String>()
}

/// Keeps a slice of a program. `is_printed` says whether the compiler prints what names mean; the verdict is
/// interesting if the function is there and `lacks` is not.
fn sliced(n_others: usize, is_printed: bool, lacks: &'static str) -> Found {
    let text = program(n_others);
    let whole = super::spaced(&text);
    let oracle = ClosureOracle::new(move |candidate| {
        let tree = &candidate.tree;
        let is_whole = super::spaced(tree.text(tree.root())) == whole;
        match has_all(tree, &["fn crash"]) && (is_whole || !has_all(tree, &[lacks])) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.naming(move |_| is_printed.then(|| PRINTED.to_owned()));
    let files = [("lib.rs", text.as_str())];
    let named = Named {
        seeds: vec![Seed::Name("crash".to_owned())],
        pointed_at: Vec::new(),
        made: Vec::new(),
        raw_message: String::new(),
    };
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| keep_slice(session, &methods(), &named).map(drop));
    found.unwrap()
}

const BY_COMPILER: &str = "mod m { pub fn g ( ) { loop { } } } fn crash ( ) { m :: g ( ) }";
const BY_SPELLING: &str = "mod m { pub fn g ( ) { loop { } } } mod n { pub fn g ( ) { loop { } } } fn crash ( ) { m :: g ( ) }";

#[test]
fn the_first_slice_follows_what_the_compiler_says() {
    let found = sliced(60, true, "mod n");
    assert_eq!((found.root().as_str(), found.queries), (BY_COMPILER, 1));
}

#[test]
fn slices_by_spelling_come_where_the_compiler_says_nothing() {
    let found = sliced(60, false, "fn f1 ( )");
    assert_eq!((found.root().as_str(), found.queries), (BY_SPELLING, 1));
}

#[test]
fn of_a_small_program_the_compiler_is_not_asked() {
    let found = sliced(10, true, "fn f1 ( )");
    assert_eq!((found.root().as_str(), found.queries), (BY_SPELLING, 1));
}

#[test]
fn of_a_large_program_it_is_asked_once_spelling_did_not_help() {
    let found = sliced(4000, true, "mod n");
    assert_eq!(found.root(), BY_COMPILER);
    assert!(found.queries > 1);
    let found = sliced(4000, true, "fn f1 ( )");
    assert_eq!((found.root().as_str(), found.queries), (BY_SPELLING, 1));
}

#[test]
fn no_more_slices_are_tried_than_without_the_compiler() {
    // No slice is interesting.
    let [with, without] = [true, false].map(|is_printed| sliced(60, is_printed, "fn crash"));
    assert_eq!((with.steps, without.steps), (0, 0));
    let n_tried = |found: &Found| found.queries + found.cache_hits;
    assert!(n_tried(&with) <= n_tried(&without), "{with:?} {without:?}");
}

/// Keeps a slice of a large program that names many modules alike. The compiler misses something that has no name in the
/// first `n_lacking` slices that grow.
fn kept_of_large(n_lacking: usize, methods: &Methods) -> Found {
    let namesakes = (0..100).map(|idx| format!("mod n{idx} {{ pub fn g() {{}} }}\n"));
    let text = program(4000) + &namesakes.collect::<String>();
    let oracle = super::needing(&["fn crash", "mod m"]).naming(|_| Some(PRINTED.to_owned()));
    let n_told = AtomicUsize::new(0);
    let oracle = oracle.saying_errors(move |_| {
        let is_lacking = n_told.fetch_add(1, Ordering::Relaxed) < n_lacking;
        let lack = || Lack {
            message: "something is missing".to_owned(),
            ..Lack::default()
        };
        Some(is_lacking.then(lack).into_iter().collect())
    });
    let named = Named {
        seeds: vec![Seed::Name("crash".to_owned())],
        ..Named::default()
    };
    let files = [("lib.rs", text.as_str())];
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| keep_slice(session, methods, &named).map(drop));
    found.expect("nothing fails")
}

#[test]
fn in_a_large_program_a_slice_grows_by_what_the_model_says() {
    let found = kept_of_large(0, &methods());
    assert_eq!((found.root().as_str(), found.queries), (BY_COMPILER, 1));
    let with_bodies = kept_of_large(0, &methods().keeping_bodies(true));
    assert!(with_bodies.root().contains("mod n99"), "{with_bodies:?}");
}

#[test]
fn in_what_is_left_of_a_large_program_a_slice_grows() {
    // The slices by the model lack something, with the contents of types and without.
    let found = kept_of_large(2, &methods());
    assert_eq!((found.root().as_str(), found.steps), (BY_COMPILER, 2));
}

/// Keeps a slice of a program in which `crash` needs `h` of the same module as `g`, as the compiler says by these errors. The
/// verdict is interesting if both are there.
fn grown(errors: impl Fn(&str) -> Option<Vec<Lack>> + Send + Sync + 'static) -> Found {
    let text = program(60).replace("{ h() } }", "{} pub fn h() {} pub fn unneeded() {} }");
    let text = text.replace("{ m::g() }", "{ m::g(); m::h() }");
    let oracle =
        ClosureOracle::new(
            |candidate| match has_all(&candidate.tree, &["fn crash", "fn h"]) {
                true => Verdict::Interesting,
                false => Verdict::Compiles,
            },
        );
    let oracle = oracle
        .naming(|_| Some(PRINTED.to_owned()))
        .saying_errors(errors);
    let named = Named {
        seeds: vec![Seed::Name("crash".to_owned())],
        raw_message: "error: it crashes".to_owned(),
        ..Named::default()
    };
    let files = [("lib.rs", text.as_str())];
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| keep_slice(session, &methods(), &named).map(drop));
    found.unwrap()
}

/// Returns the compiler's errors where `h` is missing, beside the error that the input has.
fn without_h(text: &str) -> Vec<Lack> {
    let lack = |code: &str, message: &str| Lack {
        code: code.to_owned(),
        message: message.to_owned(),
        ..Lack::default()
    };
    let missing = lack("E0425", "cannot find function `h` in module `m`");
    let of_input = lack("", "it crashes");
    let is_missing = !text.contains("fn h()");
    [of_input]
        .into_iter()
        .chain(is_missing.then_some(missing))
        .collect()
}

#[test]
fn a_slice_grows_by_what_the_compiler_misses() {
    let found = grown(|text| Some(without_h(text)));
    let expected = "mod m { pub fn g ( ) { loop { } } pub fn h ( ) { loop { } } } fn crash ( ) { m :: g ( ) ; m :: h ( ) }";
    assert_eq!(found.root(), expected);
    // The question about missing names is asked outside of the search.
    assert_eq!((found.steps, found.queries), (1, 1));
}

#[test]
fn a_slice_of_which_nothing_can_be_said_is_tried_as_before() {
    let missing = |_: &str| {
        Some(vec![Lack {
            message: "something is wrong".to_owned(),
            ..Lack::default()
        }])
    };
    let (without, silent) = (grown(|_| None), grown(missing));
    assert_eq!(without.root(), silent.root());
    assert!(without.root().contains("fn h"), "{without:?}");
    assert_eq!(silent.queries, without.queries);
}

/// Keeps what the entry of a program leads to of which a crate has become a part.
fn reached(n_others: usize, entry: &str, is_guarded: bool) -> Found {
    let text = program(n_others);
    let oracle =
        ClosureOracle::new(
            |candidate| match has_all(&candidate.tree, &["fn crash", "{ h() }"]) {
                true => Verdict::Interesting,
                false => Verdict::Compiles,
            },
        );
    let oracle = oracle.naming(|_| Some(PRINTED.to_owned()));
    let oracle = oracle.saying_errors(|_| Some(Vec::new()));
    let methods = methods().slicing_merged(&[Seed::Name(entry.to_owned())], is_guarded);
    let files = [("lib.rs", text.as_str())];
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| {
        let keep = |session: &mut Session<'_>| keep_reached(session, &methods, 1);
        session
            .in_chosen_stage(&methods, Stage::KeepSlice, 1, keep)
            .map(drop)
    });
    found.unwrap()
}

#[test]
fn a_merged_program_keeps_the_bodies_of_what_its_entry_leads_to() {
    let expected = "mod m { pub fn g ( ) { h ( ) } } fn crash ( ) { m :: g ( ) }";
    for is_guarded in [true, false] {
        let found = reached(60, "crash", is_guarded);
        assert_eq!((found.root().as_str(), found.steps), (expected, 1));
    }
}

#[test]
fn a_merged_program_that_is_small_or_has_no_known_entry_is_not_sliced() {
    for (n_others, entry) in [(10, "crash"), (60, "nobody")] {
        let found = reached(n_others, entry, true);
        assert_eq!((found.steps, found.queries), (0, 0), "{n_others} {entry}");
    }
}
