//! Tests of what holds for every source file of this repository under several configurations.

use super::SOURCES;
use reduce_gather::{Configuration, configured, decided_in_macros};
use reduce_syntax::{is_parsable, tokens};

/// The configurations: with nothing at all, without tests, and with tests.
const CONFIGURATIONS: [&[&str]; 3] = [
    &[],
    &["unix", "target_os=\"linux\"", "feature=\"full\""],
    &["test", "unix", "target_os=\"linux\"", "debug_assertions"],
];

fn configurations() -> impl Iterator<Item = Configuration> {
    let from_lines = |lines: &[&'static str]| Configuration::from_lines(lines.iter().copied());
    CONFIGURATIONS.into_iter().map(from_lines)
}

#[test]
fn a_configured_file_parses_and_is_done() {
    let mut n_changed = 0;
    for source in SOURCES.iter() {
        for configuration in configurations() {
            let text = configured(source.text(), &configuration);
            // The file itself parses.
            if text == source.text() {
                continue;
            }
            n_changed += 1;
            assert!(is_parsable(&text), "`{}`", source.path);
            assert!(tokens(&text).len() <= tokens(source.text()).len());
            assert_eq!(configured(&text, &configuration), text, "`{}`", source.path);
        }
    }
    assert!(n_changed > 50, "only {n_changed} files have changed");
}

#[test]
fn a_file_with_decided_predicates_parses() {
    for source in SOURCES.iter() {
        for (here, there) in configurations().zip(configurations().skip(1)) {
            let text = decided_in_macros(source.text(), &here, &there);
            let parses = text == source.text() || is_parsable(&text);
            assert!(parses, "`{}`", source.path);
        }
    }
}
