//! Tests with programs of an earlier way, which is closed.

use super::*;

const FILES: [(&str, &str); 1] = [("lib.rs", "fn crash() {} fn first() {} fn second() {}")];

/// Returns the program that is left where these programs are closed.
fn left(closed: &[&str]) -> String {
    let oracle = needing(&["fn crash"]);
    let digests = closed.iter().map(|text| {
        let tree = SourceTree::single("lib.rs".into(), Arc::from(*text));
        tree.digest()
    });
    let digests = digests.collect();
    let found = Setting::new(&FILES, &oracle).run_with(|session| {
        session.mode.close_way(digests);
        run_to_fixpoint(session, &methods_of(&["delete_items"]))
    });
    found.unwrap().root()
}

#[test]
fn a_program_of_a_way_that_is_closed_is_not_accepted_again() {
    let last = "fn crash ( ) { }";
    assert_eq!(left(&[]), last);
    let other = left(&[last]);
    assert!(other.contains("fn crash") && other != last, "{other}");
    let third = left(&[last, &other]);
    assert!(third.contains("fn crash"), "{third}");
    assert!(third != last && third != other, "{third}");
}
