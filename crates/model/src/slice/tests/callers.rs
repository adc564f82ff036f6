//! Chains of callers in a small program, with what rustc would print of it.

use crate::compiler_names::{CompilerNames, Printed, PrintedMention, Spot};
use crate::model::Model;
use crate::slice::{BodyEnd, Seed, Spare};
use camino::Utf8PathBuf;
use reduce_syntax::{EditSet, SourceTree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A row about a definition: its path, the text with which it begins (nothing if a macro has made it), and the paths that it
/// mentions outside of bodies and in its own.
pub(super) type Row<'t> = (&'t str, &'t str, &'t str, &'t str);

pub(super) fn sources(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text))
}

pub(super) fn names(sources: &SourceTree, rows: &[Row<'_>]) -> CompilerNames {
    let mut names = CompilerNames::default();
    for (path, begin, outside, inside) in rows {
        let mention = |path: &str| PrintedMention {
            path: path.to_owned(),
            is_in_body: false,
            near: None,
        };
        let start = (!begin.is_empty()).then(|| spot(sources, begin));
        let mentions = outside.split_whitespace().map(mention).collect();
        let printed = Printed { start, mentions };
        names.definitions.insert((*path).to_owned(), printed);
        let called = inside.split_whitespace().map(str::to_owned).collect();
        names.bodies.insert((*path).to_owned(), called);
    }
    names
}

/// Finds the place where a text begins.
fn spot(sources: &SourceTree, begin: &str) -> Spot {
    let text = sources.text(sources.root());
    let before = &text[..text.find(begin).expect("it is there")];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or(before).len() + 1;
    let file = sources.root();
    Spot { file, line, column }
}

/// Returns the rest of a program with some chains to `seed`; nothing if there are none.
fn chained(text: &str, rows: &[Row<'_>], edits: fn(super::CallChains<'_>) -> EditSet) -> String {
    let sources = sources(text);
    let (names, model) = (names(&sources, rows), Model::new(&sources));
    let seeds = [Seed::Name("seed".to_owned())];
    let Some(chains) = model.call_chains(&names, &seeds) else {
        return String::new();
    };
    let left = edits(chains).apply(&sources);
    print(left.text(left.root()))
}

pub(super) fn print(text: &str) -> String {
    reduce_syntax::pretty(text).expect("parses")
}

#[track_caller]
fn check_nearest(text: &str, rows: &[Row<'_>], expected: &str) {
    let left = chained(text, rows, |chains| chains.slice([0], Spare::Nothing));
    assert_eq!(left, print(expected));
}

const PROGRAM: &str = "fn seed<T>() { leaf() }
fn leaf() { seed::<u8>() }
fn link<T>() { seed::<T>(); other() }
fn other() {}
pub fn near() { link::<u8>() }
fn hidden() { link::<u8>() }
pub fn far() { hidden() }
pub fn apart() { other() }
";
const PRINTED: [Row<'static>; 8] = [
    ("::seed", "fn seed", "", "::leaf"),
    ("::leaf", "fn leaf", "", ""),
    ("::link", "fn link", "", "::seed ::other"),
    ("::other", "fn other", "", ""),
    ("::near", "pub fn near", "", "::link"),
    ("::hidden", "fn hidden", "", "::link"),
    ("::far", "pub fn far", "", "::hidden"),
    ("::apart", "pub fn apart", "", "::other"),
];

#[test]
fn a_chain_ends_at_a_function_that_the_compiler_makes_by_itself() {
    check_nearest(
        PROGRAM,
        &PRINTED,
        "fn seed<T>() { leaf() } fn leaf() { loop {} } fn link<T>() { seed::<T>(); other() } \
         fn other() { loop {} } pub fn near() { link::<u8>() }",
    );
}

#[test]
fn a_function_that_cannot_be_named_from_outside_needs_a_caller() {
    let left = chained(PROGRAM, &PRINTED, |chains| {
        assert_eq!(chains.n_starts(), 2);
        chains.slice([1], Spare::Nothing)
    });
    assert!(left.contains("fn hidden") && left.contains("fn far"));
    assert!(!left.contains("fn near"));
}

#[test]
fn of_a_program_all_chains_begin_in_main() {
    let text = format!("{PROGRAM}fn main() {{ near() }}");
    let rows = [&PRINTED[..], &[("::main", "fn main", "", "::near")]].concat();
    let left = chained(&text, &rows, |chains| {
        let starts: Vec<usize> = (0..chains.n_starts()).collect();
        assert_eq!(starts.len(), 2, "`main`, and `far`, which nothing calls");
        chains.slice(starts, Spare::Nothing)
    });
    assert!(left.contains("fn main() {\n    near()\n}"), "{left}");
}

#[test]
fn without_callers_there_are_no_chains() {
    let rows = PRINTED.map(|(path, begin, outside, _)| (path, begin, outside, ""));
    assert_eq!(chained(PROGRAM, &rows, |_| EditSet::new()), "");
    let sources = sources(PROGRAM);
    let seeds = [Seed::Name("seed".to_owned())];
    let model = Model::new(&sources);
    let chains = model.call_chains(&CompilerNames::default(), &seeds);
    assert!(chains.is_none());
}

#[test]
fn what_calls_the_member_of_a_trait_calls_that_of_the_impl() {
    check_nearest(
        "trait Shape { fn seed(&self); }
struct Square;
impl Shape for Square { fn seed(&self) { leaf() } }
fn leaf() {}
fn draw(shape: &dyn Shape) { shape.seed() }
pub fn near() { draw(&Square) }
",
        &[
            ("::Shape", "trait Shape", "", ""),
            ("::Shape::seed", "fn seed(&self);", "", ""),
            ("::Square", "struct Square", "", ""),
            ("::{impl#0}", "impl Shape", "::Shape ::Square", ""),
            ("::{impl#0}::seed", "fn seed(&self) {", "", "::leaf"),
            ("::leaf", "fn leaf", "", ""),
            ("::draw", "fn draw", "::Shape", "::Shape::seed"),
            ("::near", "pub fn near", "", "::draw ::Square"),
        ],
        // Members of impls of traits are called through these, so nobody has to be found who calls them.
        "trait Shape { fn seed(&self); } struct Square; \
         impl Shape for Square { fn seed(&self) { leaf() } } fn leaf() { loop {} }",
    );
}

#[test]
fn what_mentions_a_type_may_call_the_operators_of_it() {
    check_nearest(
        "struct Sum<T>(T);
impl<T> std::ops::Add for Sum<T> { fn add(self, _: Sum<T>) { seed::<T>() } }
fn seed<T>() {}
pub fn near(sum: Sum<u8>) { sum + sum }
pub fn far() { other() }
fn other() {}
",
        &[
            ("::Sum", "struct Sum", "", ""),
            ("::{impl#0}", "impl<T>", "::Sum", ""),
            ("::{impl#0}::add", "fn add", "::Sum", "::seed"),
            ("::seed", "fn seed", "", ""),
            ("::near", "pub fn near", "::Sum", ""),
            ("::far", "pub fn far", "", "::other"),
            ("::other", "fn other", "", ""),
        ],
        "struct Sum<T>(T); \
         impl<T> std::ops::Add for Sum<T> { fn add(self, _: Sum<T>) { seed::<T>() } } \
         fn seed<T>() {} pub fn near(sum: Sum<u8>) { sum + sum }",
    );
}

#[test]
fn a_method_that_is_not_called_goes_although_its_name_is_mentioned() {
    check_nearest(
        "struct Line; struct Circle;
impl Line { fn add(&self) {} }
impl Circle { fn add(&self) {} }
fn seed<T>(line: Line, circle: Circle) { line.add() }
pub fn near() { seed::<u8>(Line, Circle) }
",
        &[
            ("::Line", "struct Line", "", ""),
            ("::Circle", "struct Circle", "", ""),
            ("::{impl#0}", "impl Line", "::Line", ""),
            ("::{impl#0}::add", "fn add(&self) {} }\nimpl", "", ""),
            ("::{impl#1}", "impl Circle", "::Circle", ""),
            ("::{impl#1}::add", "fn add(&self) {} }\nfn", "", ""),
            ("::seed", "fn seed", "::Line ::Circle", "::{impl#0}::add"),
            ("::near", "pub fn near", "", "::seed ::Line ::Circle"),
        ],
        "struct Line; struct Circle; impl Line { fn add(&self) { loop {} } } impl Circle {} \
         fn seed<T>(line: Line, circle: Circle) { line.add() } \
         pub fn near() { seed::<u8>(Line, Circle) }",
    );
}

#[test]
fn what_a_cfg_leaves_out_goes() {
    check_nearest(
        "pub struct Line;
#[cfg(test)] impl Clone for Line { fn clone(&self) -> Line { Line } }
impl Copy for Line {}
fn seed<T>(line: Line) {}
pub fn near() { seed::<u8>(Line) }
",
        &[
            ("::Line", "pub struct Line", "", ""),
            ("::seed", "fn seed", "::Line", ""),
            ("::near", "pub fn near", "", "::seed ::Line"),
        ],
        // The other impl was not printed either; but that may have another reason.
        "pub struct Line; impl Copy for Line {} fn seed<T>(line: Line) {} \
         pub fn near() { seed::<u8>(Line) }",
    );
}

const OF_MACROS: &str = "macro_rules! make { ($name:ident) => { pub struct $name; other!(); }; }
macro_rules! other { () => {}; }
macro_rules! area { ($of:ident) => { impl Area for $of {} }; }
make!(Line);
mod others { make!(Line); }
trait Area {}
area!(u8);
area!(u16);
fn seed<T>(line: Line, of: &dyn Area) {}
pub fn near() { seed::<u8>(Line, &1u8) }
";
const PRINTED_OF_MACROS: [Row<'static>; 9] = [
    ("::Line", "", "", ""),
    ("::others", "mod others", "", ""),
    ("::others::Line", "", "", ""),
    ("::Area", "trait Area", "", ""),
    ("::{impl#0}", "", "::Area", ""),
    ("::{impl#1}", "", "::Area", ""),
    ("::seed", "fn seed", "::Line ::Area", ""),
    ("::near", "pub fn near", "", "::seed ::Line"),
    ("::unused", "", "", ""),
];

#[test]
fn a_call_of_a_macro_stays_if_what_it_has_made_does() {
    check_nearest(
        OF_MACROS,
        &PRINTED_OF_MACROS,
        "macro_rules! make { ($name:ident) => { pub struct $name; other!(); }; } \
         macro_rules! other { () => {}; } make!(Line); trait Area {} \
         fn seed<T>(line: Line, of: &dyn Area) {} pub fn near() { seed::<u8>(Line, &1u8) }",
    );
}

#[test]
fn calls_that_mention_what_stays_come_along_where_they_may() {
    let left = chained(OF_MACROS, &PRINTED_OF_MACROS, |chains| {
        chains.slice([0], Spare::ImportsAndCalls)
    });
    assert!(left.contains("mod others"), "{left}");
}

#[test]
fn an_impl_that_a_call_has_made_comes_along_with_what_it_mentions() {
    let mut rows = PRINTED_OF_MACROS.to_vec();
    let sources = sources(OF_MACROS);
    rows.retain(|(path, ..)| *path != "::{impl#1}");
    let mut names = names(&sources, &rows);
    // The name in the call is where the macro has put it.
    let near = Some(spot(&sources, "u8);"));
    let block = names.definitions.get_mut("::{impl#0}").expect("printed");
    block.mentions = BTreeMap::from([("::Area", near)])
        .into_iter()
        .map(|(path, near)| PrintedMention {
            path: path.to_owned(),
            is_in_body: false,
            near,
        })
        .collect();
    let model = Model::new(&sources);
    let seeds = [Seed::Name("seed".to_owned())];
    let chains = model.call_chains(&names, &seeds).expect("there is one");
    let left = chains.slice([0], Spare::Nothing).apply(&sources);
    let left = left.text(left.root());
    assert!(
        left.contains("area!(u8)") && !left.contains("area!(u16)"),
        "{left}"
    );
    assert!(left.contains("macro_rules! area"), "{left}");
}

#[test]
fn of_callers_only_the_calls_stay_with_what_these_mention() {
    let text = "fn seed<T>(t: T) { leaf(); }
fn leaf() {}
pub fn near() -> usize { leaf(); let one = 1; let two = 2; for x in 0..one { leaf(); seed(x); } two }
";
    let rows = [
        ("::seed", "fn seed", "", "::leaf"),
        ("::leaf", "fn leaf", "", ""),
        ("::near", "pub fn near", "", "::seed ::leaf"),
    ];
    let expected = |end: &str, two: &str| {
        print(&format!(
            "fn seed<T>(t: T) {{ leaf(); }} fn leaf() {{}} \
             pub fn near() -> usize {{ let one = 1; {two} for x in 0..one {{ seed(x); }} {end} }}"
        ))
    };
    let loops = chained(text, &rows, |chains| {
        chains.keep_calls(BodyEnd::Loops).expect("some goes")
    });
    assert_eq!(loops, expected("loop {}", ""));
    let stays = chained(text, &rows, |chains| {
        chains.keep_calls(BodyEnd::Stays).expect("some goes")
    });
    assert_eq!(stays, expected("two", "let two = 2;"));
}

#[test]
fn a_member_of_an_impl_is_named_by_the_place_of_the_impl() {
    let text = "struct A;\nimpl A { fn f(&self) {} }\nimpl A { fn g(&self) {} fn f(&self) {} }\n";
    let sources = sources(text);
    let model = Model::new(&sources);
    let member = |line, name: &str| Seed::Member(sources.root(), line, 1, name.to_owned());
    let starts = |seed: Seed| -> Vec<usize> {
        let named = super::seeds::named(&model, &seed).into_iter();
        named
            .map(|idx| model.outline().all[idx].place.range.start)
            .collect()
    };
    assert_eq!(starts(member(3, "f")), [text.rfind("fn f").expect("there")]);
    assert_eq!(starts(member(2, "g")), [0; 0]);
    assert_eq!(starts(member(9, "f")), [0; 0]);
    let lasting = super::seeds::lasting(&model, &member(3, "f"));
    assert_eq!(lasting, [Seed::Path(vec!["A".to_owned(), "f".to_owned()])]);
}
