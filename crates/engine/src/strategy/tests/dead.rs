//! Tests of code that the compiler calls dead, and code that does not compile without it.

use super::*;

const PROGRAM: [(&str, &str); 1] = [(
    "lib.rs",
    "pub struct S; impl Clone for S { fn clone(&self) -> S { loop {} } } impl Copy for S {} fn crash() {}",
)];

/// Compiles a text as a compiler that finds an error in what is `Copy` and not `Clone`.
fn lint(text: &str) -> [Vec<usize>; 2] {
    let is_clone = text.contains("Clone");
    let error = text.find("Copy").filter(|_| !is_clone);
    [Vec::new(), error.into_iter().collect()]
}

fn run(kept: &'static str) -> (Found, u64) {
    let oracle = ClosureOracle::new(move |candidate| {
        match has_all(&candidate.tree, &["fn crash()", kept]) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.linting(lint);
    let methods = methods_of(&["delete_dead_code"]);
    let setting = Setting::new(&PROGRAM, &oracle);
    let found = setting.run_with(|session| run_to_fixpoint(session, &methods));
    (found.unwrap(), oracle.asked())
}

#[test]
fn what_is_idle_goes_with_what_does_not_compile_without_it() {
    let (found, asked) = run("struct S");
    assert_eq!(spaced(&found.root()), "struct S ; fn crash ( ) { }");
    assert_eq!(
        asked, 2,
        "once without what is idle, and once without visibilities"
    );
}

#[test]
fn what_is_idle_stays_where_something_is_lost_with_it() {
    let (found, asked) = run("impl Copy");
    let expected = PROGRAM[0].1.replace("pub ", "");
    assert_eq!(spaced(&found.root()), spaced(&expected));
    assert_eq!(
        asked, 2,
        "once without what is idle, and once without visibilities"
    );
}
