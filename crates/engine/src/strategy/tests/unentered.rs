//! Blocks that no run enters.

use super::*;

const PROGRAM: [(&str, &str); 1] = [(
    "lib.rs",
    "fn f() { a(1); } fn g() { b(2); } fn h() { c(3); } fn k() { d(4); } fn l() { e(5); }",
)];

/// Finds the blocks that call something with one of these numbers.
fn calling(text: &str, numbers: &[char]) -> Vec<std::ops::Range<usize>> {
    let called = numbers.iter().filter_map(|number| text.find(*number));
    let block = |at: usize| Some(text[..at].rfind('{')?..at + text[at..].find('}')? + 1);
    called.filter_map(block).collect()
}

/// Reduces the program where the runs do not enter the first four blocks; returns what is left, and
/// the number of questions.
fn run(kept: &'static [&'static str]) -> (String, u64) {
    let oracle = ClosureOracle::new(move |candidate| match has_all(&candidate.tree, kept) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    });
    let oracle = oracle.entering_all_but(|text| calling(text, &['1', '2', '3', '4']));
    let oracle = oracle.linting(|_| [Vec::new(), Vec::new()]);
    let methods = methods_of(&["delete_dead_code"]);
    let setting = Setting::new(&PROGRAM, &oracle);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    (spaced(&found.unwrap().root()), oracle.asked())
}

/// Returns the program with `loop {}` in place of some texts.
fn emptied(calls: &[&str]) -> String {
    let mut text = PROGRAM[0].1.to_owned();
    for call in calls {
        text = text.replace(call, "loop {}");
    }
    spaced(&text)
}

#[test]
fn they_are_emptied_together() {
    let (left, asked) = run(&["e(5)"]);
    assert_eq!(left, emptied(&["a(1);", "b(2);", "c(3);", "d(4);"]));
    assert_eq!(asked, 1);
}

#[test]
fn one_that_is_needed_stays_alone() {
    let (left, asked) = run(&["e(5)", "c(3)"]);
    assert_eq!(left, emptied(&["a(1);", "b(2);", "d(4);"]));
    assert!(asked <= 8, "{asked}");
}
