//! Tests of what a program or a test finds when it is started, as cargo starts it.

use crate::support::{FEW_PASSES, Finished, Reduction, Running, World, exit_code, read_tree};
use std::process::Stdio;

/// Reduces in a directory of the workspace, as a user who has two variables that cargo's configuration sets too.
fn run_in(world: &World, directory: &str, args: &[&str]) -> Finished {
    let mut command = world.program(&["--no-daemon", "--no-cache", "--jobs", "2", "--output"]);
    command
        .arg(world.beside("out"))
        .args(["--passes", FEW_PASSES]);
    command.args(args).current_dir(world.work().join(directory));
    command.env("SHOP_DAY", "friday").env("SHOP_STREET", "here");
    let input = std::fs::File::open(world.beside("input"));
    let input = input.map_or_else(|_| Stdio::null(), Stdio::from);
    Running::start_reading(command, input).finish()
}

/// The signature of what is left of the one test in a target.
#[track_caller]
fn signature_of(target: &str) -> (String, Reduction) {
    let world = World::with("started-by-cargo");
    run_in(&world, "till", &["--test", target]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    (reduction.summary()["signature"].to_string(), reduction)
}

#[test]
fn a_program_is_run_in_the_directory_in_which_the_user_stands() {
    let world = World::with("started-by-cargo");
    run_in(&world, "", &["--run", "-p", "till"]).expect_failure(
        exit_code::NO_CRASH,
        &["a program that fails", "`cargo run -p till`"],
    );
    run_in(&world, "night", &["--run", "-p", "till"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reduction.reproduce(&world).expect_code(101);
    for text in ["left: 7", "right: 10"] {
        assert!(shown.everything().contains(text), "{shown}");
    }
}

/// The compiler does not say which files a program reads when it is run.
#[test]
fn a_program_of_a_single_file_finds_the_files_that_it_names() {
    let world = World::with("program-fails.rs");
    let write = |name: &str, text: &str| {
        std::fs::write(world.work().join(name), text).expect("written");
    };
    write("menu.txt", "soup\n");
    write("unrelated.txt", "bread\n");
    write(
        "menu.rs",
        "fn main() {\n    let menu = std::fs::read_to_string(\"menu.txt\").unwrap();\n    assert_eq!(menu.len(), 4);\n}\n",
    );
    run_in(&world, "", &["--run", "menu.rs"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reduction.reproduce(&world).expect_code(101);
    for text in ["left: 5", "right: 4"] {
        assert!(shown.everything().contains(text), "{shown}");
    }
    assert!(!world.beside("out/reduced/unrelated.txt").exists());
}

/// A script's package is made elsewhere, and a package may be named from anywhere; cargo starts the programs of both where it is called.
#[test]
fn a_program_whose_package_lies_elsewhere_finds_the_files_that_it_names_where_the_user_stands() {
    let world = World::with("started-by-cargo");
    let bar = world.work().join("bar");
    std::fs::create_dir_all(bar.join("lists")).expect("made");
    let write = |name: &str, text: &str| std::fs::write(bar.join(name), text).expect("written");
    write("lists/menu.txt", "soup\n");
    write("lists/unrelated.txt", "bread\n");
    write(
        "menu.rs",
        "---\n[package]\nedition = \"2021\"\n---\nfn main() {\n    \
         let menu = std::fs::read_to_string(\"lists/menu.txt\").unwrap();\n    assert_eq!(menu.len(), 4);\n}\n",
    );
    let ran = run_in(&world, "bar", &["--run", "menu.rs"]).expect_success();
    assert!(!ran.stderr().contains("directory of its package"), "{ran}");
    let reduction = Reduction::read(&world.beside("out"));
    let shown = reduction.reproduce(&world).expect_code(101);
    for text in ["left: 5", "right: 4"] {
        assert!(shown.everything().contains(text), "{shown}");
    }
    let delivered = read_tree(&world.beside("out"));
    let names: Vec<_> = delivered
        .keys()
        .map(|path| path.display().to_string())
        .collect();
    assert!(
        names.iter().any(|name| name.ends_with("lists/menu.txt")),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|name| name.ends_with("unrelated.txt")),
        "{names:?}"
    );
}

#[test]
fn a_program_reads_what_is_piped_in() {
    let world = World::with("started-by-cargo");
    std::fs::write(world.beside("input"), "5\n6\n").expect("written");
    run_in(&world, "", &["--run", "-p", "till"]).expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    let line = reduction.summary()["reproduce"].to_string();
    assert!(line.contains("< standard-input.txt"), "{line}");
    let shown = reduction.reproduce(&world).expect_code(101);
    assert!(shown.everything().contains("left: 21"), "{shown}");
}

#[test]
fn each_run_has_an_empty_directory_where_tests_may_write() {
    let (signature, reduction) = signature_of("scratch");
    assert!(signature.contains("left: \\\"7\\\""), "{signature}");
    assert!(
        !reduction.code().contains("evening"),
        "{}",
        reduction.code()
    );
}

#[test]
fn a_test_finds_the_variables_of_cargo_and_of_its_configuration() {
    let (signature, _) = signature_of("variables");
    assert!(signature.contains("left: 10"), "{signature}");
}
