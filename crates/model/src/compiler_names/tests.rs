//! Tests that read the texts which compilers have printed about a small program, whole and broken.

use super::*;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use std::sync::Arc;

const PRINTED: [&str; 2] = [
    include_str!("printed/rustc-1.63.txt"),
    include_str!("printed/rustc-1.95.txt"),
];

fn read(text: &str) -> CompilerNames {
    let sources = SourceTree::single(Utf8PathBuf::from("small.rs"), Arc::from(""));
    let mut lines = HirLines::default();
    text.lines().for_each(|line| lines.read(line));
    lines.names(|file| sources.find(file.as_ref()))
}

/// The line and column at which a definition begins, and what it mentions, in bodies and elsewhere.
type Summary<'n> = (Option<(usize, usize)>, Vec<&'n str>, Vec<&'n str>);

fn summary<'n>(names: &'n CompilerNames, path: &str) -> Summary<'n> {
    let printed = &names.definitions[path];
    let mentioned = |is_in_body: bool| {
        let mentions = printed.mentions.iter();
        let mentions = mentions.filter(|mention| mention.is_in_body == is_in_body);
        let paths: BTreeSet<&str> = mentions.map(|mention| &*mention.path).collect();
        paths.into_iter().collect()
    };
    let start = printed.start.map(|spot| (spot.line, spot.column));
    (start, mentioned(false), mentioned(true))
}

#[test]
fn definitions_have_a_place_and_mention_others() {
    for text in PRINTED {
        let names = read(text);
        let check = |path: &str, start, outside: &[&str], inside: &[&str]| {
            let expected: Summary<'_> = (Some(start), outside.to_vec(), inside.to_vec());
            assert_eq!(summary(&names, path), expected, "{path}");
        };
        check("::SIDES", (3, 1), &[], &[]);
        check("::Square", (4, 1), &[], &["::SIDES"]);
        check("::maths", (5, 1), &[], &[]);
        check("::maths::{impl#0}", (7, 5), &["::Square"], &[]);
        check(
            "::maths::{impl#0}::add",
            (9, 9),
            &["::Square"],
            &["::first"],
        );
        check("::first", (16, 1), &["::Square"], &[]);
        let (start, outside, _) = summary(&names, "::Made");
        assert_eq!((start, outside), (None, vec!["::Square"]));
    }
}

#[test]
fn a_mention_has_a_place() {
    for text in PRINTED {
        let names = read(text);
        let mentions = &names.definitions["::Square"].mentions;
        let near = mentions.iter().map(|mention| mention.near);
        let near: Vec<_> = near
            .map(|spot| spot.map(|spot| (spot.line, spot.column)))
            .collect();
        assert_eq!(near, [Some((4, 28))]);
    }
}

#[test]
fn what_stands_in_a_definition_is_found_at_it() {
    let names = read(PRINTED[1]);
    let around = |path| names.around(path);
    assert_eq!(around("::Square::{constructor#0}"), Some("::Square"));
    assert_eq!(around("::nothing::here"), None);
}

#[test]
fn text_that_is_cut_off_says_less() {
    for text in PRINTED {
        let whole = read(text);
        for end in (0..text.len()).step_by(977) {
            let part = read(&text[..end]);
            assert!(part.definitions.len() <= whole.definitions.len());
            for (path, printed) in &part.definitions {
                assert!(
                    printed
                        .mentions
                        .is_subset(&whole.definitions[path].mentions)
                );
            }
        }
    }
}

const BODIES: &str = include_str!("printed/bodies-1.95.txt");

fn bodies(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut lines = ThirLines::default();
    text.lines().for_each(|line| lines.read(line));
    CompilerNames::default().with_bodies(lines).bodies
}

#[test]
fn bodies_mention_what_they_call() {
    let bodies = bodies(BODIES);
    let mentions = |path: &str| bodies[path].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(mentions("::maths::{impl#0}::add"), ["::first"]);
    assert_eq!(mentions("::Square::0::{constant#0}"), ["::SIDES"]);
    assert_eq!(mentions("::first"), [""; 0]);
    assert_eq!(bodies.len(), 5);
}

#[test]
fn any_text_of_bodies_can_be_read() {
    assert!(bodies("error: nothing\nDefId(0:3 ~ a[1]::f)\nDefId(0:0 ~ a[1]):\n").is_empty());
    let whole = bodies(BODIES);
    for end in (0..BODIES.len()).step_by(97) {
        for (path, mentions) in bodies(&BODIES[..end]) {
            assert!(mentions.is_subset(&whole[&path]));
        }
    }
}

#[test]
fn any_text_can_be_read() {
    assert!(read("").is_empty());
    assert!(read("error: unknown `-Z unpretty` option\nfn main() {}\n").is_empty());
    for text in PRINTED {
        for broken in [
            text.replace("node: ", ""),
            text.replace(" ~ ", "~"),
            text.replace("(#0)", "(#)"),
            text.replace("    ", ""),
            text.replace(':', "\u{e9}"),
            text.lines().rev().collect::<Vec<_>>().join("\n"),
        ] {
            read(&broken);
        }
    }
}
