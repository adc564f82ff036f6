//! Functions that the unit tests of this crate share.

use crate::instrument::{Instrumented, Options, instrument};
use crate::mutant::Mutant;
use crate::reach::Reach;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// The mutants of a crate of one file that change something.
#[track_caller]
pub(crate) fn mutants_of(text: &str) -> Vec<Mutant> {
    let mut mutants = all_mutants_of(text);
    mutants.retain(Mutant::is_change);
    mutants
}

/// All mutants of a crate of one file, whose text with switches parses and has its lines.
#[track_caller]
pub(crate) fn all_mutants_of(text: &str) -> Vec<Mutant> {
    all_reaching(Reach::default(), text)
}

/// All mutants of a crate of one file with switches in the functions of a [`Reach`].
#[track_caller]
pub(crate) fn all_reaching(reach: Reach, text: &str) -> Vec<Mutant> {
    let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
    let options = Options {
        reach,
        ..Options::default()
    };
    let instrumented = instrument(&sources, &options);
    check_text(text, &instrumented);
    instrumented.mutants().to_vec()
}

#[track_caller]
fn check_text(text: &str, instrumented: &Instrumented) {
    let switched = instrumented.sources().text(instrumented.sources().root());
    assert!(reduce_syntax::is_parsable(switched), "{switched}");
    let is_as_long = |(line, switched): (&str, &str)| line.len() <= switched.len();
    assert!(text.lines().zip(switched.lines()).all(is_as_long));
}

/// Compares the mutants of a crate, as they read in the source.
#[track_caller]
pub(crate) fn check(text: &str, expected: &[&str]) {
    check_reaching(Reach::default(), text, expected);
}

/// Checks the mutants of a crate of one file with switches in the functions of a [`Reach`].
#[track_caller]
pub(crate) fn check_reaching(reach: Reach, text: &str, expected: &[&str]) {
    let mut mutants = all_reaching(reach, text);
    mutants.retain(Mutant::is_change);
    let found: Vec<&str> = mutants.iter().map(|one| one.mutated.trim()).collect();
    assert_eq!(found, expected);
}

/// Compares the files and functions that have mutants.
#[track_caller]
pub(crate) fn check_file(files: &[(&str, &str)], expected: &[&str]) {
    let files = files
        .iter()
        .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
    let sources = SourceTree::from_files(Utf8Path::new("src/lib.rs"), files).unwrap();
    let instrumented = instrument(&sources, &Options::default());
    let shown = |one: &Mutant| format!("{} {}", sources.path(one.file), one.function);
    let found: Vec<String> = instrumented.mutants().iter().map(shown).collect();
    assert_eq!(found, expected);
}
