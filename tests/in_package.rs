//! Failing tests of packages whose build, profile or programs decide how the tests fail: the last look at the result sees
//! what the search has seen.

use crate::support::failing_test::{reproduce, run};
use crate::support::{Reduction, World};

const MANIFEST: &str =
    "[package]\nname = \"till\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
/// Discounts begin at four pieces, and are one too small.
const LIBRARY: &str = "pub fn price(pieces: u32) -> u32 {\n    if pieces > 3 { pieces * 9 + 1 } else { pieces * 10 }\n}\n";
const TEST: &str = "#[test]\nfn four_are_cheaper() {\n    let names = [\"ink\", \"pen\"];\n    assert_eq!(till::price(1), 10);\n    \
    assert_eq!(till::price(4), 36);\n    assert_eq!(names.len(), 2);\n}\n";

/// Reduces a test of that package. The result fails in the package with this text.
#[track_caller]
fn reduced(files: &[(&str, &str)], args: &[&str], prints: &str) -> Reduction {
    let world = World::with_files(files);
    run(&world, args).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reproduce(&world, &reduction, 101);
    assert!(shown.everything().contains(prints), "{shown}");
    reduction
}

#[test]
fn a_build_script_that_does_not_say_what_it_reads_changes_nothing() {
    let files = [
        ("Cargo.toml", MANIFEST),
        ("build.rs", "fn main() {}\n"),
        ("src/lib.rs", LIBRARY),
        ("tests/prices.rs", TEST),
    ];
    let reduction = reduced(&files, &["--test", "prices"], "left: 37");
    assert!(
        reduction.number("tokens_after") <= 25,
        "{}",
        reduction.code()
    );
}

#[test]
fn a_test_that_starts_a_program_beside_itself_is_reduced() {
    let program = "fn main() {\n    println!(\"{}\", till::price(4));\n}\n";
    let test = "#[test]\nfn prints_the_price() {\n    let names = [\"ink\", \"pen\"];\n    assert_eq!(names.len(), 2);\n    \
        let test = std::env::current_exe().unwrap();\n    let program = test.parent().unwrap().parent().unwrap().join(\"till\");\n    \
        let run = std::process::Command::new(program).output().unwrap();\n    \
        assert_eq!(String::from_utf8(run.stdout).unwrap().trim(), \"36\");\n}\n";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("src/main.rs", program),
        ("tests/prints.rs", test),
    ];
    let reduction = reduced(&files, &["--test", "prints"], "left: \"37\"");
    assert!(
        reduction.code().contains("current_exe"),
        "{}",
        reduction.code()
    );
    assert!(!reduction.code().contains("len()"), "{}", reduction.code());
}

#[test]
fn checks_of_overflow_are_those_of_the_users_profile() {
    let manifest = MANIFEST.replace(
        "[workspace]\n",
        "[dependencies]\nsums = { path = \"sums\" }\n\n[workspace]\n\n[profile.release.package.sums]\noverflow-checks = true\n",
    );
    // An inlined function is compiled with the test, where nothing is checked.
    let sums = "#[inline(always)]\npub fn tenfold(pieces: u8) -> u8 {\n    pieces * 10\n}\n\n#[inline(never)]\n\
        pub fn total(all: &[u8]) -> u8 {\n    all.iter().map(|pieces| tenfold(*pieces)).max().unwrap_or(0)\n}\n";
    let test = "#[test]\nfn many_are_counted() {\n    assert_eq!(sums::tenfold(30), 44);\n    let all = [1, 2, 30];\n    \
        assert_eq!(sums::total(&all), 44);\n}\n";
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", ""),
        (
            "sums/Cargo.toml",
            &MANIFEST
                .replace("till", "sums")
                .replace("\n[workspace]\n", ""),
        ),
        ("sums/src/lib.rs", sums),
        ("tests/many.rs", test),
    ];
    let args = ["--release", "--test", "many"];
    let reduction = reduced(&files, &args, "attempt to multiply with overflow");
    assert!(reduction.code().contains("total"), "{}", reduction.code());
}

#[test]
fn an_assertion_that_names_its_line_and_no_values_keeps_what_it_asserts() {
    let library = "pub struct Label(Vec<String>);\n\nimpl Label {\n    pub fn new() -> Self {\n        Label(Vec::new())\n    }\n\n    \
        pub fn line(mut self, name: &str, cents: u32) -> Self {\n        self.0.push(format!(\"{name} {}.{:02}\", cents / 100, cents % 10));\n        self\n    }\n\n    \
        pub fn text(&self) -> String {\n        self.0.join(\"\\n\")\n    }\n}\n\n\
        pub fn compare(line: u32, found: &str, wanted: &str) {\n    if found != wanted {\n        panic!(\"label differs in line {line}\");\n    }\n}\n\n\
        #[macro_export]\nmacro_rules! assert_label {\n    ($found:expr, $wanted:expr) => { $crate::compare(line!(), &$found, $wanted) };\n}\n";
    let test = "#[test]\nfn another() {\n    till::assert_label!(till::Label::new().text(), \"\");\n}\n\n#[test]\nfn prints_cents() {\n    \
        let label = till::Label::new().line(\"ink\", 125);\n    let longer = label.line(\"pen\", 240);\n    let text = longer.text();\n    \
        till::assert_label!(text, \"ink 1.25\\npen 2.40\");\n}\n";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", library),
        ("tests/labels.rs", test),
    ];
    let args = ["--test", "labels", "prints_cents"];
    let reduction = reduced(&files, &args, "label differs in line");
    let code = reduction.code();
    for part in [
        "\"ink\"",
        "125",
        "\"pen\"",
        "240",
        "\"ink 1.25\\npen 2.40\"",
    ] {
        assert!(code.contains(part), "no {part} in\n{code}");
    }
    assert!(!code.contains("another"), "{code}");
}

#[test]
fn values_that_an_assertion_prints_are_a_part_of_the_failure() {
    let library = "pub struct Label(Vec<String>);\n\nimpl Label {\n    pub fn new() -> Self {\n        Label(Vec::new())\n    }\n\n    \
        pub fn line(mut self, name: &str, cents: u32) -> Self {\n        self.0.push(format!(\"{name} {}.{:02}\", cents / 100, cents % 10));\n        self\n    }\n\n    \
        pub fn text(&self) -> String {\n        self.0.join(\"\\n\")\n    }\n}\n\n\
        pub fn compare(found: &str, wanted: &str) {\n    if found != wanted {\n        println!(\"wanted: {wanted}\");\n        println!(\"found: {found}\");\n        give_up();\n    }\n}\n\n\
        fn give_up() {\n    panic!(\"two texts differ\");\n}\n";
    let test = "#[test]\nfn prints_cents() {\n    let label = till::Label::new().line(\"pen\", 240);\n    let longer = label.line(\"ink\", 125);\n    \
        let text = longer.text();\n    let names = [\"pen\", \"ink\"];\n    assert_eq!(names.len(), 2);\n    till::compare(&text, \"pen 2.40\\nink 1.25\");\n}\n";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", library),
        ("tests/labels.rs", test),
    ];
    let reduction = reduced(&files, &["--test", "labels"], "found: pen 2.00");
    let code = reduction.code();
    for part in ["line(", "text()", "240", "125", "\"pen 2.40\\nink 1.25\""] {
        assert!(code.contains(part), "no {part} in\n{code}");
    }
}

/// A library prints the cents of an amount, of which it forgets the tens. Its program prints a line for each argument.
const TILL: &str = "pub fn line(amount: &str) -> String {\n    let (name, cents) = amount.split_once(':').unwrap();\n    \
    let cents: u32 = cents.parse().unwrap();\n    format!(\"{name} {}.{:02}\", cents / 100, cents % 10)\n}\n";
const PROGRAM: &str = "fn main() {\n    for amount in std::env::args().skip(1) {\n        println!(\"{}\", till::line(&amount));\n    }\n}\n";

/// Reduces a test of what the program prints. Mutants of the program and of its library guard it, and it passes
/// once the library is mended.
#[track_caller]
fn check_program(find: &str) {
    let test = format!(
        "#[test]\nfn prints_cents() {{\n    let names = [\"ink\", \"pen\"];\n    assert_eq!(names.len(), 2);\n    \
        let run = std::process::Command::new({find}).arg(\"pen:125\").output().unwrap();\n    \
        let text = String::from_utf8(run.stdout).unwrap();\n    let first = text.lines().next().unwrap().to_string();\n    \
        assert_eq!(first, \"pen 1.25\");\n}}\n"
    );
    let world = World::with_files(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", TILL),
        ("src/main.rs", PROGRAM),
        ("tests/prints.rs", &test),
    ]);
    run(&world, &["--test", "prints"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let code = reduction.code();
    let has_mutants = &reduction.summary()["code_under_test"]["asked"];
    assert!(has_mutants.as_u64() > Some(0), "{has_mutants}");
    assert!(!code.contains("names"), "{code}");
    assert!(code.contains("pen:125"), "{code}");
    reproduce(&world, &reduction, 101);
    let mended = TILL.replace("cents % 10)", "cents % 100)");
    std::fs::write(world.work().join("src/lib.rs"), mended).expect("it can be written");
    reproduce(&world, &reduction, 0);
}

#[test]
fn mutants_of_a_program_guard_the_test_that_starts_it_by_its_variable() {
    check_program("env!(\"CARGO_BIN_EXE_till\")");
}

#[test]
fn mutants_of_a_program_guard_the_test_that_finds_it_beside_itself() {
    check_program(
        "std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join(\"till\")",
    );
}
