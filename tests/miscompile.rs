//! Tests of two builds that print different things: what looks for undefined behaviour in a program, and what stays where
//! nobody does.

use crate::support::asked::{command_is, path_str, write_script};
use crate::support::{Finished, Reduction, Running, World, exit_code};
use std::path::PathBuf;
use std::process::Command;

/// The flag that stands for a fault of the compiler.
const WRONG: &str = "--miscompile=--cfg wrong";

fn command(world: &World) -> Command {
    let (out, rustc) = (world.beside("out"), world.real_compiler());
    let mut command = world.program(&[WRONG, "misread.rs", "--no-daemon", "--no-cache"]);
    command.args("--jobs 2 --edition 2021 --passes delete_statements".split(' '));
    command.args(["--rustc", path_str(&rustc), "--output", path_str(&out)]);
    command.env("RUSTUP_HOME", world.beside("rustup"));
    command
}

/// A toolchain with a Miri that refuses what has one text and not the other, and has its library in a directory. It is
/// called as the real one is, and says what that says.
fn install_miri(world: &World, undefined: &str) -> PathBuf {
    let bin = world.beside("rustup/toolchains/nightly-stand-in/bin");
    let library = world.beside("miri-library");
    for directory in [&bin, &library] {
        std::fs::create_dir_all(directory).expect("a directory can be made");
    }
    let says = "printf 'rustc 1.999.0-nightly (a 2026-01-01)\\nrelease: 1.999.0-nightly\\n'";
    let version = format!(
        "#!/bin/sh\n[ \"$1\" = -vV ] && {says} && exit\n[ \"$1\" = --print ] && echo /nowhere && exit\n"
    );
    write_script(&bin.join("rustc"), &format!("{version}exit 1\n"));
    let library = library.display();
    write_script(
        &bin.join("cargo-miri"),
        &format!(
            "#!/bin/sh\n[ \"$*\" = 'miri setup --print-sysroot' ] || exit 1\n\
             echo 'Preparing a sysroot for Miri' >&2\necho {library}\n"
        ),
    );
    let miri = format!(
        "{version}test \"$1\" = --sysroot={library} || exit 101\n\
         case \"$*\" in *-Zmiri-ignore-leaks*\" --\") ;; *) exit 101 ;; esac\n\
         case \"$*\" in *--emit*|*' -o '*) exit 101 ;; esac\n\
         for one; do case $one in *.rs) file=$one ;; esac; done\n{undefined}\n"
    );
    write_script(&bin.join("miri"), &miri);
    bin
}

const READS_NOTHING: &str = "has() { grep -qF \"$1\" \"$file\"; }\n\
    if has assume_init && ! { has 'fill(&mut place, 7)' && has 'place.write(value)'; }; then\n\
    echo 'error: Undefined Behavior: reading memory, but memory is uninitialized' >&2; exit 1\nfi";

fn reduced(world: &World) -> (Finished, Reduction) {
    let finished = Running::start(command(world)).finish().expect_success();
    (finished, Reduction::read(&world.beside("out")))
}

/// Checks that a statement is left if the value that is read depends on it, and gone otherwise.
#[track_caller]
fn check_code(reduction: &Reduction) {
    let code = reduction.code();
    for statement in ["fill(&mut place, 7)", "place.write(value)", "assume_init"] {
        assert!(code.contains(statement), "no `{statement}` in\n{code}");
    }
    assert!(
        !code.contains("println!(\"{}\", gauge.describe())"),
        "{code}"
    );
}

#[test]
fn where_nobody_looks_a_value_that_unsafe_code_reads_stays_written() {
    let world = World::with("misread.rs");
    let (finished, reduction) = reduced(&world);
    check_code(&reduction);
    let told = &reduction.summary()["undefined_behaviour"];
    assert_eq!(told["unchecked"], "Miri is not installed");
    let report = "- Undefined behaviour: nobody has looked for it (Miri is not installed)";
    assert!(
        reduction.report().contains(report),
        "{}",
        reduction.report()
    );
    let everything = finished.everything();
    for text in [
        "nobody looks for undefined behaviour",
        "Undefined maybe: nobody has looked",
    ] {
        assert!(everything.contains(text), "{everything}");
    }
}

#[test]
fn miri_is_asked_about_each_step_where_it_is_installed() {
    let world = World::with("misread.rs");
    install_miri(&world, READS_NOTHING);
    let (finished, reduction) = reduced(&world);
    check_code(&reduction);
    let told = &reduction.summary()["undefined_behaviour"];
    assert_eq!(
        told["checked_by"],
        "Miri (rustc 1.999.0-nightly (a 2026-01-01))"
    );
    assert!(reduction.report().contains("was asked about each step"));
    assert!(!finished.everything().contains("nobody"), "{finished}");
    command_is(&reduction, "--cfg wrong");
}

#[test]
fn a_program_in_which_miri_finds_undefined_behaviour_is_no_miscompilation() {
    let world = World::with("misread.rs");
    let undefined = "echo 'error: Undefined Behavior: entering unreachable code' >&2; exit 1";
    install_miri(&world, undefined);
    let finished = Running::start(command(&world)).finish();
    let texts = [
        "Miri finds undefined behaviour",
        "unreachable code",
        "MIRIFLAGS",
    ];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_program_that_miri_cannot_run_is_reduced_without_it() {
    let world = World::with("misread.rs");
    install_miri(
        &world,
        "echo 'error: unsupported operation: a foreign function' >&2; exit 1",
    );
    let (_, reduction) = reduced(&world);
    let told = reduction.summary()["undefined_behaviour"]["unchecked"].to_string();
    assert!(told.contains("a foreign function"), "{told}");
    check_code(&reduction);
}
