//! Tests of failing unit tests: only what is there for tests becomes smaller, and the result fails where it
//! goes in the user's package, by the command that the report names.

use crate::support::failing_test::run;
use crate::support::{FEW_PASSES, Finished, Reduction, Running, World, copy, exit_code, read_tree};

/// A failing unit test, and what its result must be like.
struct Case {
    /// The arguments that select the test.
    args: &'static [&'static str],
    /// The place of the result, as the report says it.
    place: &'static str,
    /// The file that the result is put into, and the text in place of which it goes: from the first text to
    /// the last of the second in it.
    file: &'static str,
    from: &'static str,
    to: &'static str,
    /// The most tokens that a result may have.
    at_most: u64,
    /// The command that the report names.
    command: &'static str,
    /// The texts that the failure prints.
    prints: &'static [&'static str],
    /// The file with the bug, the faulty text, and what should be there.
    mending: [&'static str; 3],
}

/// Reduces, puts the result where it goes, and runs the command in the package: the test fails, and passes once
/// the bug is mended.
#[track_caller]
fn check(case: &Case) -> Reduction {
    check_in(&World::with("unit-tests"), case, &[])
}

/// Reduces with these arguments too, and checks the result in the package.
#[track_caller]
fn check_in(world: &World, case: &Case, args: &[&str]) -> Reduction {
    let before = read_tree(world.work());
    run(world, &[case.args, args].concat()).expect_success();
    assert_eq!(read_tree(world.work()), before, "the user's files changed");
    let reduction = Reduction::read(&world.beside("out"));
    let (code, report) = (reduction.code(), reduction.report());
    let tokens = reduction.number("tokens_after");
    assert!(tokens <= case.at_most, "{tokens} tokens\n{code}");
    assert!(reduction.is_single_file(), "{code}");
    for text in [case.place, case.command] {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
    assert_eq!(reduction.summary()["reproduce"], case.command);
    put_in_place(world, case, code);
    let shown = run_command(world, case, 101);
    for text in case.prints {
        assert!(shown.everything().contains(text), "no `{text}` in\n{shown}");
    }
    let [file, faulty, right] = case.mending;
    replace_in(world, file, faulty, right);
    let shown = run_command(world, case, 0);
    assert!(shown.everything().contains("1 passed"), "{shown}");
    reduction
}

#[track_caller]
fn run_command(world: &World, case: &Case, code: i32) -> Finished {
    let mut shell = world.command("sh");
    shell.args(["-c", case.command]);
    Running::start(shell).finish().expect_code(code)
}

#[track_caller]
fn replace_in(world: &World, file: &str, faulty: &str, right: &str) {
    let path = world.work().join(file);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    assert!(text.contains(faulty), "no `{faulty}` in\n{text}");
    std::fs::write(path, text.replace(faulty, right)).expect("the file can be written");
}

#[track_caller]
fn put_in_place(world: &World, case: &Case, code: &str) {
    let path = world.work().join(case.file);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    // An import that is only there for tests goes too.
    let text = text.replace("#[cfg(test)]\nuse crate::tariff::Tariff;\n", "");
    let start = text.find(case.from).expect("it is in the file") + case.from.len();
    let end = start + text[start..].rfind(case.to).expect("it is in the file");
    let text = format!("{}{code}{}", &text[..start], &text[end..]);
    std::fs::write(path, text).expect("the file can be written");
}

#[test]
fn a_module_of_tests_is_reduced_without_the_code_under_test() {
    let reduction = check(&Case {
        args: &["--lib", "the_last_gram"],
        place: "in place of what is in the module `tariff::tests` in `src/tariff.rs`",
        file: "src/tariff.rs",
        from: "mod tests {",
        to: "}",
        at_most: 160,
        command: "cargo test --lib tariff::tests::the_last_gram_of_a_step_belongs_to_it -- --exact",
        // Without what the zone costs another price is right.
        prints: &["left: Some(12)", "right: Some(7)", "src/tariff.rs:"],
        mending: ["src/tariff.rs", "grams < *most", "grams <= *most"],
    });
    // Two other tests pass: one in the same module, and one elsewhere in the crate.
    assert_eq!(reduction.summary()["code_under_test"]["other_tests"], 2);
}

#[test]
fn tests_among_other_items_are_reduced_without_these() {
    check(&Case {
        args: &["--lib", "a_large_parcel", "--passes", FEW_PASSES],
        place: "in place of the tests and the `#[cfg(test)]` items that stand in the module `parcel`",
        file: "src/parcel.rs",
        from: "weight.min(a * b / 1000 * c / 5)\n    }\n}\n",
        to: "\n/// The heaviest",
        at_most: 110,
        command: "cargo test --lib parcel::a_large_parcel_counts_by_its_size -- --exact",
        // The assertion compares only the part that differs.
        prints: &["left: 900", "right: 4800"],
        mending: ["src/parcel.rs", "weight.min(", "weight.max("],
    });
}

#[test]
fn a_file_of_tests_is_reduced_with_its_modules() {
    check(&Case {
        args: &["--lib", "the_heaviest"],
        place: "in place of what is in the file `src/checks.rs`",
        file: "src/checks.rs",
        from: "",
        to: "",
        // The guard does not give up the parcel that weighs nothing.
        at_most: 135,
        command: "cargo test --lib checks::the_heaviest_pays_most -- --exact",
        prints: &["left: None", "right: Some(9)"],
        mending: ["src/tariff.rs", "grams < *most", "grams <= *most"],
    });
}

#[test]
fn a_test_of_a_program_is_reduced_without_the_program() {
    check(&Case {
        args: &["--bin", "counter", "--passes", FEW_PASSES],
        place: "in place of what is in the module `tests` in `src/bin/counter.rs`",
        file: "src/bin/counter.rs",
        from: "mod tests {",
        to: "}",
        // No mutant tells anything here, so that nothing goes that may matter.
        at_most: 70,
        command: "cargo test --bin counter tests::what_is_too_heavy_is_told -- --exact",
        prints: &["left: \"\"", "right: \"too heavy\""],
        mending: [
            "src/bin/counter.rs",
            "String::new()",
            "\"too heavy\".to_owned()",
        ],
    });
}

#[test]
fn a_test_that_sees_where_it_stands_is_reduced_with_its_crate() {
    let world = World::with("unit-tests");
    let args = ["--lib", "the_name_of_this_file", "--passes", FEW_PASSES];
    let finished = run(&world, &args).expect_success();
    let warning = "the whole crate is reduced: the test \
        `tariff::tests::the_name_of_this_file_is_short` does not fail in the same way";
    assert!(finished.everything().contains(warning), "{finished}");
    let reduction = Reduction::read(&world.beside("out"));
    assert!(reduction.summary()["goes_to"].is_null());
    let failure = reduction.summary()["failure"].to_string();
    assert!(failure.contains("13 bytes"), "{failure}");
}

/// The package beside the user's directory with the bug mended, and without the tests of the module.
fn mended(world: &World) -> String {
    let directory = world.beside("mended");
    copy(world.work(), &directory);
    let file = directory.join("src/tariff.rs");
    let text = std::fs::read_to_string(&file).expect("the file is there");
    let text = text.replace("grams < *most", "grams <= *most");
    let (code, _) = text
        .split_once("#[cfg(test)]\nmod tests")
        .expect("the tests are there");
    std::fs::write(file, code).expect("the file can be written");
    let path = directory.to_str().expect("the path is UTF-8");
    path.to_owned()
}

#[test]
fn with_a_good_version_a_test_is_reduced_that_passes_there() {
    let world = World::with("unit-tests");
    let passes = format!("{FEW_PASSES},recompute_expected");
    let good = mended(&world);
    let case = Case {
        args: &["--lib", "the_last_gram"],
        place: "in place of what is in the module `tariff::tests` in `src/tariff.rs`",
        file: "src/tariff.rs",
        from: "mod tests {",
        to: "}",
        at_most: 110,
        command: "cargo test --lib tariff::tests::the_last_gram_of_a_step_belongs_to_it -- --exact",
        prints: &["src/tariff.rs:"],
        mending: ["src/tariff.rs", "grams < *most", "grams <= *most"],
    };
    let reduction = check_in(&world, &case, &["--good", &good, "--passes", &passes]);
    let report = reduction.report();
    assert!(report.contains("- Passes with the code of: `"), "{report}");
    assert_eq!(reduction.summary()["also"][0]["command"], case.command);
}

#[test]
fn with_a_good_version_a_unit_test_is_reduced_apart_from_its_crate() {
    let world = World::with("unit-tests");
    let good = mended(&world);
    let args = ["--lib", "the_last_gram", "--whole", "--good", &good];
    let texts = ["apart from the crate", "leave out `--whole`"];
    run(&world, &args).expect_failure(exit_code::BAD_INPUT, &texts);
}
