//! The package of a failing test, compiled and tested again with other files.

use super::{Bench, MANIFEST, capture_program};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Baseline, BaselineSite, Cancel, Goal, Input, OneTest, OracleError, PackageInput, PinnedInputs,
    Sources, TestPackage, Tested, Testing, find_baseline,
};
use std::collections::BTreeSet;
use std::sync::Arc;

const LIBRARY: &str = "pub fn sum(a: u32, b: u32) -> u32 { a - b }\n\
    #[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::sum(3, 1), 4); } }\n";

/// A world in which a test of a library fails.
struct World {
    bench: Bench,
    baseline: Baseline,
}

impl World {
    fn new() -> Self {
        Self::with(&[
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", LIBRARY),
            ("src/bin/tool.rs", "fn main() {}"),
            ("tests/whole.rs", ""),
        ])
    }

    fn with(files: &[(&str, &str)]) -> Self {
        let bench = Bench::with(files);
        let baseline = find(&bench).unwrap();
        Self { bench, baseline }
    }

    fn package(&self, root: &str) -> Option<TestPackage> {
        let package = self.baseline.package.as_ref().unwrap();
        package.of_unit_tests(Utf8Path::new(root))
    }

    /// Runs the test with this library.
    fn tested(&self, library: &str) -> Tested {
        let package = self.package("src/lib.rs").unwrap();
        self.run(&package, "tests::adds", ("src/lib.rs", library))
    }

    /// Runs a test with a file that has this text.
    fn run(&self, package: &TestPackage, test: &str, (path, text): (&str, &str)) -> Tested {
        let (scratch, builds, program) = places(&self.bench);
        let sources = Sources::from([(path.into(), Arc::from(text))]);
        let testing = Testing {
            surroundings: &self.bench.surroundings(&self.bench.user()),
            site: site(&scratch, &builds, &program),
            options: &self.bench.options(),
            note: &|_| {},
            cancel: &Cancel::new().unwrap(),
        };
        let test = OneTest::Libtest {
            path: test.to_owned(),
            is_ignored: false,
        };
        let tested = package.run(&test, &sources, &BTreeSet::new(), testing);
        tested.unwrap()
    }
}

/// Finds the failing test of a package.
fn find(bench: &Bench) -> Result<Baseline, OracleError> {
    let (scratch, builds, program) = places(bench);
    let site = site(&scratch, &builds, &program);
    find_baseline(
        &Goal::Test { filter: None },
        &Input::Package(PackageInput::default()),
        &bench.surroundings(&bench.user()),
        &site,
        &bench.options(),
        &|_| {},
        &Cancel::new().unwrap(),
    )
}

fn places(bench: &Bench) -> (Utf8PathBuf, Utf8PathBuf, Utf8PathBuf) {
    (
        bench.path("scratch"),
        bench.path("builds"),
        capture_program(),
    )
}

fn site<'s>(
    scratch: &'s Utf8Path,
    builds: &'s Utf8Path,
    program: &'s Utf8Path,
) -> BaselineSite<'s> {
    BaselineSite {
        scratch,
        builds,
        capture_program: program,
        plain_tests: &(),
    }
}

#[test]
fn a_test_is_run_again_in_its_package_with_other_files() {
    let world = World::new();
    let wanted = &world.baseline.property.signature;
    let tested = world.tested(LIBRARY);
    assert_eq!(tested.failure.as_ref(), Some(wanted));
    assert!(tested.stdout.contains("tests::adds"), "{}", tested.stdout);
    assert!(tested.stderr.contains("src/lib.rs:2:"), "{}", tested.stderr);
    let mended = LIBRARY.replace("a - b", "a + b");
    assert_eq!(world.tested(&mended).failure, None);
    let other = LIBRARY.replace("a - b", "a * b");
    let failure = world.tested(&other).failure.unwrap();
    assert_ne!(&failure, wanted);
    let broken = LIBRARY.replace("a - b", "");
    assert_eq!(world.tested(&broken).failure, None);
}

#[test]
fn what_a_test_links_stays_where_a_build_script_says_nothing_of_what_it_reads() {
    let text = "#[test] fn adds() { assert_eq!(crashing::sum(3, 1), 4); }";
    let world = World::with(&[
        ("Cargo.toml", MANIFEST),
        ("build.rs", "fn main() {}"),
        ("src/lib.rs", "pub fn sum(a: u32, b: u32) -> u32 { a - b }"),
        ("tests/whole.rs", text),
    ]);
    let pinned_inputs = PinnedInputs::of(&world.baseline.plan);
    let package = world.baseline.package.as_ref().unwrap();
    let package = package.of_test_target("tests/whole.rs".into()).unwrap();
    let tested = |text: &str| {
        world
            .run(&package, "adds", ("tests/whole.rs", text))
            .failure
    };
    let wanted = &world.baseline.property.signature;
    assert_eq!(tested(&text.replace(" fn", "\nfn")).as_ref(), Some(wanted));
    assert_eq!(tested(&text.replace('4', "2")), None);
    assert_eq!(pinned_inputs.change(), None);
}

#[test]
fn a_test_that_does_something_else_elsewhere_is_none_that_comes_and_goes() {
    let text = "#[test] fn is_called_otherwise() {
        let own = std::env::current_exe().unwrap();
        assert!(!own.file_stem().unwrap().to_str().unwrap().starts_with(\"whole\"));
    }";
    let bench = Bench::with(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", ""),
        ("tests/whole.rs", text),
    ]);
    let error = find(&bench).unwrap_err();
    let OracleError::OtherAmongCandidates {
        linked_by_cargo,
        here,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(linked_by_cargo, "failed assertion: assertion failed");
    assert_eq!(here, &None);
    let message =
        "failed to see the same failure where candidates are run: the test does not fail there";
    assert_eq!(error.to_string(), message);
}

#[test]
fn the_target_of_unit_tests_follows_from_their_crate_root() {
    let world = World::new();
    let test = OneTest::Libtest {
        path: "a::b".to_owned(),
        is_ignored: false,
    };
    let command = |root: &str| Some(world.package(root)?.command(&test));
    let library = command("src/lib.rs");
    assert_eq!(library.as_deref(), Some("cargo test --lib a::b -- --exact"));
    let program = command("src/bin/tool.rs");
    let expected = "cargo test --bin tool a::b -- --exact";
    assert_eq!(program.as_deref(), Some(expected));
    assert_eq!(command("tests/whole.rs"), None);
    assert_eq!(command("src/other.rs"), None);
}

#[test]
fn a_test_target_is_selected_by_its_root_too() {
    let world = World::new();
    let package = world.baseline.package.as_ref().unwrap();
    let command = |root: &str, test: &OneTest| {
        let target = package.of_test_target(Utf8Path::new(root))?;
        Some(target.command(test))
    };
    let test = OneTest::Libtest {
        path: "a::b".to_owned(),
        is_ignored: false,
    };
    let one = command("tests/whole.rs", &test);
    let expected = "cargo test --test whole a::b -- --exact";
    assert_eq!(one.as_deref(), Some(expected));
    let with_args = |args: &[&str]| {
        let args = args.iter().map(|arg| (*arg).to_owned());
        command("tests/whole.rs", &OneTest::OwnHarness(args.collect()))
    };
    let alone = with_args(&[]);
    assert_eq!(alone.as_deref(), Some("cargo test --test whole"));
    let named = with_args(&["a b"]);
    let expected = "cargo test --test whole -- 'a b'";
    assert_eq!(named.as_deref(), Some(expected));
    assert_eq!(command("src/lib.rs", &test), None);
}
