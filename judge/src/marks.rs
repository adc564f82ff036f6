//! For tests of judges: small programs in which definitions and mentions are marked. `/*=a*/` stands before a
//! definition, `/*a*/` before a mention of it, `/*out*/` before a mention of something from elsewhere;
//! `/*a+b*/` before what has two meanings.

use crate::input::{self, Input};
use crate::meaning::{Meaning, Place, Verdicts};
use crate::text::CrateText;
use anyhow::Result;
use camino::Utf8Path;
use reduce_syntax::{FileId, SourceTree};
use std::collections::BTreeSet;

/// Checks that a judge says of every mark what is marked.
#[track_caller]
pub fn check(code: &str, judge: impl Fn(&Input, &CrateText<'_>) -> Result<Verdicts>) {
    let directory = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(directory.path()).unwrap();
    let path = path.join("a.rs");
    std::fs::write(&path, code).unwrap();
    let input = input::collect(&path, &path).unwrap().remove(0);
    let sources = SourceTree::single(input.root.clone(), code.into());
    let text = CrateText::new(&sources);
    let verdicts = judge(&input, &text).unwrap();
    let file = sources.root();
    assert_ne!(marks(code).count(), 0);
    for (mark, at) in marks(code) {
        let place = Place { file, at };
        let names = mark.trim_start_matches('=').split('+');
        let expected: BTreeSet<_> = names.map(|name| meaning(code, file, name)).collect();
        let shown = text.shown(place);
        assert_eq!(verdicts.get(place), Some(&expected), "at {shown}");
    }
}

fn meaning(code: &str, file: FileId, name: &str) -> Meaning {
    let defines = |mark: &str| {
        let names = mark.strip_prefix('=').map(|names| names.split('+'));
        names.is_some_and(|mut names| names.next() == Some(name))
    };
    match marks(code).find(|(mark, _)| defines(mark)) {
        Some((_, at)) => Meaning::Inside(Place { file, at }),
        None if name == "out" => Meaning::Outside,
        None => Meaning::Unplaced(name.to_owned()),
    }
}

fn marks(code: &str) -> impl Iterator<Item = (&str, usize)> {
    code.match_indices("/*").map(|(at, _)| {
        let (mark, _) = code[at + 2..].split_once("*/").unwrap();
        (mark, at + mark.len() + 4)
    })
}
