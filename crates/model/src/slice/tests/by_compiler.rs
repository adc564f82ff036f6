//! Slices by what rustc has printed of a small program.

use crate::compiler_names::{CompilerNames, HirLines};
use crate::model::Model;
use crate::slice::{Seed, SliceWidth};
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use std::sync::Arc;

const PROGRAM: &str = include_str!("../../compiler_names/printed/program.txt");
const PRINTED: [&str; 2] = [
    include_str!("../../compiler_names/printed/rustc-1.63.txt"),
    include_str!("../../compiler_names/printed/rustc-1.95.txt"),
];

fn program() -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("small.rs"), Arc::from(PROGRAM))
}

fn names(text: &str, sources: &SourceTree) -> CompilerNames {
    let mut lines = HirLines::default();
    text.lines().for_each(|line| lines.read(line));
    lines.names(|file| sources.find(file.as_ref()))
}

#[track_caller]
fn check(line: usize, width: SliceWidth, expected: &str) {
    let sources = program();
    let seeds = [Seed::Position(sources.root(), line, 9)];
    let about = PROGRAM.lines().next().expect("it has lines");
    let expected = &format!("{about}\n{expected}");
    for printed in PRINTED {
        let names = names(printed, &sources);
        let slices = Model::new(&sources).slices_by_compiler(&names, &seeds, &[width]);
        let edits = slices.first().expect("the seed is there");
        let sliced = edits.apply(&sources);
        let print = |text: &str| reduce_syntax::pretty(text).expect("parses");
        assert_eq!(print(sliced.text(sliced.root())), print(expected));
    }
}

/// The lines of the functions that are called `first`.
const FIRST: usize = 16;
const FIRST_IN_MATHS: usize = 13;
const SEED_ALONE: SliceWidth = SliceWidth {
    body_distance: 0,
    users: 0,
    with_imports: false,
};
const ALL_BODIES: SliceWidth = SliceWidth {
    body_distance: usize::MAX,
    ..SEED_ALONE
};
const SQUARE: &str = "const SIDES: usize = 4; pub struct Square(pub [u8; SIDES]);";

#[test]
fn a_name_reaches_what_it_means_alone() {
    // Neither the other function of this name, nor the struct that is called like the trait.
    let maths = "mod maths { use super::Square; impl std::ops::Add for Square { type Output = Square; \
                 fn add(self, _: Square) -> Square { super::first(self) } } }";
    let text = format!("{SQUARE} {maths} fn first(square: Square) -> Square {{ square }}");
    check(FIRST, ALL_BODIES, &text);
}

#[test]
fn impls_of_traits_of_std_come_along_with_their_types() {
    let maths = "mod maths { use super::Square; impl std::ops::Add for Square { type Output = Square; \
                 fn add(self, _: Square) -> Square { loop {} } } }";
    let text = format!("{SQUARE} {maths} fn first(square: Square) -> Square {{ square }}");
    check(FIRST, SEED_ALONE, &text);
}

#[test]
fn what_nothing_mentions_goes() {
    check(FIRST_IN_MATHS, ALL_BODIES, "mod maths { fn first() {} }");
}

#[test]
fn where_nothing_was_printed_there_is_no_slice() {
    let sources = program();
    let model = Model::new(&sources);
    let seeds = [Seed::Name("first".to_owned())];
    let slices = |names: &CompilerNames, seeds: &[Seed]| {
        model.slices_by_compiler(names, seeds, &[ALL_BODIES]).len()
    };
    assert_eq!(slices(&CompilerNames::default(), &seeds), 0);
    assert_eq!(slices(&names("error: nothing", &sources), &seeds), 0);
    let unnamed = [Seed::Name("nobody".to_owned())];
    assert_eq!(slices(&names(PRINTED[1], &sources), &unnamed), 0);
}

#[test]
fn text_that_belongs_to_another_program_does_no_harm() {
    let other = "fn a() {}\n// \u{e9}\nfn first() {}";
    let sources = SourceTree::single(Utf8PathBuf::from("small.rs"), Arc::from(other));
    let seeds = [Seed::Name("first".to_owned())];
    for printed in PRINTED {
        let names = names(printed, &sources);
        let slices = Model::new(&sources).slices_by_compiler(&names, &seeds, &[ALL_BODIES]);
        for edits in slices {
            assert!(edits.apply(&sources).count_tokens() <= sources.count_tokens());
        }
    }
}

#[test]
fn a_slice_by_names_alone_is_wider() {
    let sources = program();
    let seeds = [Seed::Name("first".to_owned())];
    let edits = Model::new(&sources).slice(&seeds, ALL_BODIES);
    let sliced = edits.expect("it is there").apply(&sources);
    assert!(sliced.text(sliced.root()).contains("fn first() {}"));
}
