//! Tests of inputs, and of the places of results: unit tests and benchmarks of a package, a file
//! without `main`, a program that is piped in, and directories that tell one request from another.

use crate::support::{
    CASE, Case, Finished, PROGRAM, Reduction, Running, World, check, exit_code, only_result_in,
    read_tree, reproduces_with,
};
use serde_json::Value;

const FULLY_PERFORM: &[&str] = &["error performing operation: fully_perform"];

/// The most tokens of a result; a person's has 80.
const AT_MOST: u64 = 120;

fn command_of(reduction: &Reduction) -> &str {
    let command = reduction.summary()["reproduce"].as_str();
    command.expect("`reproduce` is a string")
}

#[track_caller]
fn check_target(args: &'static [&'static str]) -> Reduction {
    check(&Case {
        fixture: "test-builds",
        args,
        at_most: AT_MOST,
        factor: 1,
        crash: FULLY_PERFORM,
        ..CASE
    })
}

#[test]
fn a_crash_of_the_librarys_unit_tests_is_found_among_all_tests() {
    let reduction = check_target(&["--tests"]);
    let code = reduction.code();
    for gone in ["Table", "high_water"] {
        assert!(!code.contains(gone), "`{gone}` in\n{code}");
    }
    let command = command_of(&reduction);
    assert!(command.contains("--crate-type=lib"), "{command}");
    assert!(
        !command.contains("--test"),
        "nothing of the harness is left: {command}"
    );
}

#[test]
fn a_crash_of_a_benchmark_is_found() {
    let reduction = check_target(&["--bench", "tides"]);
    assert!(
        !reduction.code().contains("Instant"),
        "{}",
        reduction.code()
    );
}

#[test]
fn a_crash_of_any_target_is_found_among_all() {
    check_target(&["--all-targets"]);
}

#[test]
fn a_crate_whose_tests_crash_is_told_of_the_flag_that_compiles_them() {
    let world = World::with("test-builds");
    let refused = world.reduce(&["--no-daemon"]);
    refused.expect_failure(
        exit_code::NO_CRASH,
        &["`cargo build` succeeds", "`--tests`"],
    );
}

#[test]
fn what_runs_one_program_does_not_take_all_targets() {
    let world = World::with("test-builds");
    let command = world.program(&["--run", "--all-targets", "--no-daemon"]);
    let refused = Running::start(command).finish();
    refused.expect_failure(
        exit_code::BAD_INPUT,
        &["`--run` needs one target", "--bin NAME"],
    );
}

const NO_MAIN: Case = Case {
    fixture: "no-main.rs",
    args: &["no-main.rs", "--edition", "2021"],
    at_most: AT_MOST,
    factor: 1,
    crash: FULLY_PERFORM,
    ..CASE
};

#[test]
fn a_file_without_main_is_reduced_as_a_library() {
    let world = World::with(NO_MAIN.fixture);
    let output = world.beside("out");
    let output_arg = output.to_str().expect("the path is UTF-8");
    let args = [&["--no-daemon", "--output", output_arg], NO_MAIN.args].concat();
    let finished = world.reduce(&args).expect_success();
    let said = finished.stderr();
    assert!(said.contains("the file has no `main`"), "{said}");
    let reduction = Reduction::read(&output);
    let command = command_of(&reduction);
    assert!(command.contains("--crate-type"), "{command}");
    assert!(!said.contains("//@"), "the edition is given: {said}");
    reproduces_with(&reduction, &world, NO_MAIN.crash);
    assert!(reduction.number("tokens_after") <= AT_MOST);
}

#[test]
fn where_an_error_is_a_crash_the_lack_of_main_is_none() {
    let world = World::with("no-main.rs");
    let text = "pub struct Lamp; pub fn f(lamp: Lamp) { g(lamp); g(lamp); } fn g(_: Lamp) {}";
    std::fs::write(world.work().join("moved.rs"), text).expect("it can be written");
    let output = world.beside("out");
    let mut command = world.program(&["--no-daemon", "--output"]);
    command.arg(&output);
    command.args(["--ice", "moved.rs", "--edition", "2021", "--"]);
    command
        .arg("-Ztreat-err-as-bug")
        .env("RUSTC_BOOTSTRAP", "1");
    let finished = Running::start(command).finish().expect_success();
    assert!(finished.stderr().contains("the file has no `main`"));
    let reduction = Reduction::read(&output);
    let message = reduction.summary()["signature"]["message"].to_string();
    assert!(message.contains("E0382"), "{message}");
    reproduces_with(&reduction, &world, &["use of moved value"]);
}

/// Reduces a program in a file with some arguments for the compiler. Returns the command that shows the crash again.
fn command_for(text: &str, args: &[&str], crash: &str) -> String {
    let world = World::with("no-main.rs");
    std::fs::write(world.work().join("given.rs"), text).expect("it can be written");
    let output = world.beside("out");
    let mut command = world.program(&["--no-daemon", "--ice", "given.rs", "--output"]);
    command.arg(&output).arg("--").args(args);
    command.env("RUSTC_BOOTSTRAP", "1");
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&output);
    reproduces_with(&reduction, &world, &[crash]);
    command_of(&reduction).to_owned()
}

/// The crash of `ice-library`. With `-Zunpretty=thir-tree` types are checked even where the compiler is told to parse alone.
#[test]
fn that_a_call_prints_the_program_goes_where_the_crash_shows_without() {
    let text = "trait Ledger {}\npub trait Exchange { type Settled; }\n\
                impl Exchange for <dyn Ledger as Exchange>::Settled { type Settled = (); }\n\
                fn main() { println!(\"-\"); }\n";
    let crash = "was matchable against";
    for form in ["-Zunpretty=thir-tree", "-Zunpretty=mir"] {
        let command = command_for(text, &[form, "--crate-type", "lib"], crash);
        assert!(!command.contains("unpretty"), "{command}");
        assert!(command.contains("--crate-type lib"), "{command}");
    }
}

/// The crash of `errors-before-crash.rs`.
#[test]
fn a_crate_type_goes_where_the_crash_is_in_main() {
    let text = "impl std::ops::Neg for u8 { type Output = u8; fn neg(self) -> u8 { self } }\n\
                fn main() { let _ = match 5 { -128..=127_u8 => 1, _ => 2 }; }\n";
    let with_attribute = format!("#![crate_type = \"lib\"]\n{text}");
    let given: [(&str, &[&str]); 2] = [(text, &["--crate-type=lib"]), (&with_attribute, &[])];
    for (text, args) in given {
        let command = command_for(text, args, "Invalid `ConstKind`");
        assert!(!command.contains("crate-type"), "{command}");
    }
}

#[test]
fn a_crate_type_that_is_given_is_not_replaced() {
    let world = World::with(NO_MAIN.fixture);
    let args = [
        &["--no-daemon"],
        NO_MAIN.args,
        &["--", "--crate-type", "bin"],
    ]
    .concat();
    world
        .reduce(&args)
        .expect_failure(exit_code::NO_CRASH, &["E0601"]);
}

/// Runs `cargo reduce --ice - ARGS < FILE`.
fn piped(world: &World, file: &str, args: &[&str]) -> Finished {
    let line = format!("exec \"$@\" < {file}");
    let mut command = world.command("sh");
    let given = ["-c", &line, "sh", PROGRAM, "reduce", "--ice", "-"];
    command.args(given).args(args);
    Running::start(command).finish()
}

/// The only directory of results below another one.
#[track_caller]
#[test]
fn a_program_that_is_piped_in_is_reduced_into_a_directory_of_its_own() {
    let world = World::with(NO_MAIN.fixture);
    let before = read_tree(world.work());
    piped(&world, NO_MAIN.fixture, &["--edition", "2021"]).expect_success();
    let output = only_result_in(world.work());
    let name = output.file_name().expect("it has a name");
    assert!(name.to_string_lossy().starts_with("stdin."), "{name:?}");
    let reduction = Reduction::read(&output);
    reproduces_with(&reduction, &world, NO_MAIN.crash);
    assert!(reduction.number("tokens_after") <= AT_MOST);
    std::fs::remove_dir_all(world.work().join("target")).expect("it can be removed");
    assert_eq!(read_tree(world.work()), before, "something was written");
}

#[test]
fn nothing_that_is_piped_in_is_bad_input() {
    let world = World::with(NO_MAIN.fixture);
    piped(&world, "/dev/null", &["--no-daemon"])
        .expect_failure(exit_code::BAD_INPUT, &["standard input is empty"]);
}

/// Whether a second client with one more variable joined the job of the first.
fn joins_with(world: &World, variable: &str) -> bool {
    let mut first = world.start_to("out", &[]);
    first.wait_for("step-accepted");
    let mut command = world.ice(&["--output"]);
    command.arg(world.beside("out")).env(variable, "1");
    let second = Running::start(command).finish();
    first.finish().expect_success();
    second.stderr().contains("Joined")
}

#[test]
fn a_variable_that_no_query_sees_does_not_prevent_joining_a_job() {
    let world = World::with("ice-library");
    assert!(joins_with(&world, "A"));
}

#[test]
fn a_variable_that_the_compiler_reads_makes_another_job() {
    let world = World::with("ice-library");
    assert!(!joins_with(&world, "RUST_MIN_STACK"));
}

/// The names that a reduction says decide it, if it says so.
fn deciding_variables(world: &World, args: &[&str]) -> Option<Value> {
    let args = [&["--no-daemon"], args].concat();
    let finished = world.start_to("out", &args).finish().expect_success();
    let mut events = finished.events_named("variables-known").into_iter();
    events.next().map(|event| event["names"].clone())
}

#[test]
fn the_variables_that_a_program_names_decide_it() {
    let none = Some(Value::from(Vec::<String>::new()));
    assert_eq!(deciding_variables(&World::with("ice-library"), &[]), none);
    let world = World::with("no-main.rs");
    let path = world.work().join("no-main.rs");
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let text = text + "pub const SKU: Option<&str> = option_env!(\"SHOP_SKU\");\n";
    std::fs::write(&path, text).expect("it can be written");
    let named = deciding_variables(&world, NO_MAIN.args);
    assert_eq!(named, Some(Value::from(vec!["SHOP_SKU"])));
}

#[test]
fn any_variable_may_decide_where_a_build_script_or_a_macro_runs() {
    let script = World::with("build-script-cfg");
    assert_eq!(deciding_variables(&script, &[]), None);
    let derive = World::with("proc-macro-derive");
    assert_eq!(deciding_variables(&derive, &["-p", "mill"]), None);
}
