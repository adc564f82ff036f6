//! Tests that the real compiler makes of one file, run by the real libtest, one by one.

use super::*;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, run_quickly};
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeMap;

/// Each test fails in a way of its own, but for the last ones.
const SOURCE: &str = r#"
use std::{fmt, hint::black_box, process, thread};
#[test] fn equal() { assert_eq!(10, 64); }
#[test] fn with_message() { assert!(black_box(false), "custom {}", 1); }
#[test] fn plain() { assert!(black_box(false)); }
#[test] fn none() { black_box(None::<u8>).unwrap(); }
#[test] fn expected() { Err::<u8, _>("boo").expect("could not"); }
#[test] fn out_of_bounds() { let _ = vec![1, 2, 3][black_box(3)]; }
#[test] fn returned() -> Result<(), std::num::ParseIntError> { "x".parse::<u8>().map(|_| ()) }
#[test] #[should_panic] fn calm() {}
#[test] #[should_panic(expected = "needle")] fn other() { panic!("hay"); }
#[test] fn exits() { process::exit(3); }
#[test] fn aborts() { process::abort(); }
#[test] fn overflows() { fn f(n: u64) -> u64 { f(black_box(n + 1)) + black_box(1) } black_box(f(0)); }
#[test] fn caught() { let _ = std::panic::catch_unwind(|| panic!("a")); eprintln!("b"); panic!("c"); }
#[test] fn threads() { thread::spawn(|| panic!("inner")).join().unwrap(); }
#[test] fn talks() {
    print!("test result: FAILED. 0 passed");
    eprint!("thread 'talks' panicked at src/x.rs:1:2:\nfake");
    panic!("real");
}
struct Drops;
impl Drop for Drops { fn drop(&mut self) { panic!("in drop") } }
#[test] fn drops() { let _drops = Drops; panic!("first"); }
struct Shows;
impl fmt::Display for Shows { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { panic!("in fmt") } }
#[test] fn shows() { panic!("{}", Shows); }
extern "C" fn foreign() { panic!("in c") }
#[test] fn calls() { foreign(); }
#[test] fn allocates() { black_box(Vec::<u8>::with_capacity(black_box(isize::MAX as usize - 10))); }
#[test] fn succeeds() {}
#[test] #[ignore] fn ignored() { panic!("never") }
#[test] #[should_panic] fn panics() { panic!("as it should") }
"#;

/// The failures of these tests; the last ones have none.
const EXPECTED: [(&str, &str); 23] = [
    (
        "equal",
        "failed assertion: assertion `left == right` failed; left: 10; right: 64",
    ),
    ("with_message", "panic of the program: custom 1"),
    ("plain", "failed assertion: assertion failed"),
    (
        "none",
        "panic of the program: called `Option::unwrap()` on a `None` value",
    ),
    ("expected", "panic of the program: could not: \"boo\""),
    (
        "out_of_bounds",
        "panic of the program: index out of bounds: the len is 3 but the index is 3",
    ),
    (
        "returned",
        "returned error: ParseIntError { kind: InvalidDigit }",
    ),
    ("calm", "missing panic: test did not panic as expected"),
    (
        "other",
        "missing panic: panic did not contain expected string; panic message: \"hay\"; \
         expected substring: \"needle\"",
    ),
    ("exits", "exit status 3"),
    ("aborts", "abort"),
    ("overflows", "stack overflow"),
    ("caught", "panic of the program: c"),
    ("threads", "panic of the program: inner"),
    ("talks", "panic of the program: real"),
    (
        "drops",
        "abort: in drop; panic in a destructor during cleanup",
    ),
    (
        "shows",
        "abort: in fmt; thread panicked while processing panic",
    ),
    (
        "calls",
        "abort: in c; panic in a function that cannot unwind",
    ),
    (
        "allocates",
        "abort: memory allocation of 9223372036854775797 bytes failed",
    ),
    ("succeeds", ""),
    ("ignored", ""),
    ("panics", ""),
    ("gone", ""),
];

/// A compiled program, and the directory in which it is run.
struct Program {
    _temporary: tempfile::TempDir,
    dir: Utf8PathBuf,
    path: Utf8PathBuf,
}

impl Program {
    fn compile(source: &str) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(temporary.path().canonicalize().unwrap()).unwrap();
        files::write(&dir.join("src/a.rs"), source).unwrap();
        let program = Self {
            path: dir.join("program"),
            _temporary: temporary,
            dir,
        };
        let user = Surroundings::of_tests();
        let compiler = Compiler::find(Utf8Path::new("rustc"), &user, &Cancel::new().unwrap());
        let args = "src/a.rs --edition=2021 --test -Cdebuginfo=0 -o program";
        let made = program.start(&compiler.unwrap().path, args, &user.vars);
        assert_eq!(made.ending, Ending::Exited(0), "{}", made.stderr);
        program
    }

    fn start(&self, path: &Utf8Path, args: &str, vars: &BTreeMap<String, String>) -> Outcome {
        let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
        run_quickly(path, &args, vars, &self.dir, &Cancel::new().unwrap()).unwrap()
    }

    fn run(&self, args: &str) -> Outcome {
        let vars = BTreeMap::from([("RUST_BACKTRACE".to_owned(), "0".to_owned())]);
        self.start(&self.path, args, &vars)
    }

    fn run_test(&self, test: &str) -> (Outcome, String) {
        let outcome = self.run(&format!("--exact {test} --test-threads=1 --nocapture"));
        let test = test.to_owned();
        let failure = failure(&outcome, &Harness::Libtest { test });
        (outcome, failure)
    }
}

#[test]
fn each_way_to_fail_is_told_from_the_others() {
    let program = Program::compile(SOURCE);
    for (test, expected) in EXPECTED {
        let (outcome, found) = program.run_test(test);
        assert_eq!(found, expected, "{test}: {outcome:?}");
    }
}

#[test]
fn a_failure_in_std_has_a_place_there() {
    let program = Program::compile("#[test] fn removes() { vec![1].swap_remove(7); }");
    let (_, found) = program.run_test("removes");
    let place = "panic of the program at library/alloc/src/vec/mod.rs:";
    assert!(found.starts_with(place), "{found}");
}

#[test]
fn the_tests_that_are_there_and_those_that_fail_are_listed() {
    let program = Program::compile(SOURCE);
    let mut tests: Vec<(&str, &str)> = EXPECTED.to_vec();
    tests.retain(|(name, _)| *name != "gone");
    tests.sort_unstable();
    let names: Vec<&str> = tests.iter().map(|(name, _)| *name).collect();
    for args in ["--list", "--list --format=terse"] {
        assert_eq!(tests_listed(&program.run(args).stdout), names);
    }
    let ends_process = |failure: &str| {
        let kinds = ["abort", "exit", "stack"];
        kinds.iter().any(|kind| failure.starts_with(kind))
    };
    let mut args = "--test-threads=2 --exact".to_owned();
    for (name, _) in tests.iter().filter(|(_, failure)| ends_process(failure)) {
        args.push_str(&format!(" --skip {name}"));
    }
    tests.retain(|(_, failure)| !failure.is_empty() && !ends_process(failure));
    let failing: Vec<&str> = tests.iter().map(|(name, _)| *name).collect();
    assert_eq!(failed_tests(&program.run(&args).stdout), failing);
}

#[test]
fn a_test_in_which_the_process_dies_is_one_that_failed() {
    let source =
        "#[test] fn a() {} #[test] fn b() { panic!() } #[test] fn c() { std::process::abort() }";
    let program = Program::compile(source);
    for args in ["--test-threads=1", "--test-threads=1 --nocapture"] {
        assert_eq!(failed_tests(&program.run(args).stdout), ["b", "c"]);
    }
}
