//! Numbers that an error names.

use super::{Found, Setting, make, methods, needing};

const PROGRAM: &str = "const A: u8 = f(f(f(f(0)))); const B: u8 = g(1 + 2 + 3);";
const SAID: &str = "error[E0080]: attempt to compute `u8::MAX + 1_u8`, which would overflow";

fn run(needed: &'static [&'static str], said: &str) -> Found {
    let oracle = needing(needed);
    let methods = methods().with_values(said);
    let setting = Setting::new(&[("lib.rs", PROGRAM)], &oracle);
    let found = setting.run_with(|session| make(session, &methods, "put_values").map(drop));
    found.expect("nothing fails")
}

#[test]
fn numbers_take_the_place_of_what_computes_them() {
    let found = run(&["255", "g (1 + 2 + 3)"], SAID);
    let expected = "const A : u8 = f ( 255 ) ; const B : u8 = g ( 1 + 2 + 3 ) ;";
    assert_eq!((found.root().as_str(), found.steps), (expected, 1));
}

#[test]
fn without_a_number_nothing_is_asked() {
    let found = run(&["f"], "error[E0308]: mismatched types");
    assert_eq!((found.steps, found.queries), (0, 0));
}
