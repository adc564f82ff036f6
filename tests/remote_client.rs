//! The program that `--remote` starts, in place of which stands a script: it is missing, of another version, dies, or says nothing.

use crate::support::{
    FEW_PASSES, Reduction, Running, World, copy_program, exit_code, signal, wait_until,
};
use reduce_remote_protocol::{Answer, Counts, Hello, PROGRAM as CLIENT, Reply, line_of};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// A line of the shell that says a message.
fn says(message: &str) -> String {
    format!("echo '{}'\n", message.trim())
}

/// The lines of a client that finds its server.
fn finds_its_server() -> String {
    let there = Reply {
        id: 1,
        counts: Counts::default(),
        answer: Ok(Answer::There),
    };
    let open = says(&line_of(&there));
    format!(
        "{}read request\n{open}read request\n",
        says(&line_of(&Hello::own()))
    )
}

/// A program in a directory of its own, where a client may stand beside it.
struct Installed {
    world: World,
    dir: PathBuf,
}

impl Installed {
    fn new() -> Self {
        let world = World::with("ice-library");
        let dir = world.beside("bin");
        std::fs::create_dir(&dir).expect("it can be made");
        copy_program(&dir.join("cargo-reduce"));
        Self { world, dir }
    }

    /// The same with a client that is a script of these lines.
    fn with(lines: &str) -> Self {
        let installed = Self::new();
        let path = installed.dir.join(CLIENT);
        std::fs::write(&path, format!("#!/bin/sh\n{lines}")).expect("it can be written");
        let executable = PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, executable).expect("it can be made executable");
        installed
    }

    fn program(&self) -> Command {
        let program = self.dir.join("cargo-reduce");
        let mut command = self.world.command(program.to_str().expect("it is UTF-8"));
        command.args([
            "reduce",
            "--ice",
            "--no-daemon",
            "--no-cache",
            "--jobs",
            "1",
        ]);
        command.args(["--passes", FEW_PASSES, "--remote", "grpc://localhost:1"]);
        command.arg("--output").arg(self.world.beside("out"));
        command
    }
}

#[test]
fn remote_without_its_client_says_how_to_install_it() {
    let installed = Installed::new();
    let install = format!(
        "cargo install --locked {CLIENT}@{}",
        env!("CARGO_PKG_VERSION")
    );
    let finished = Running::start(installed.program()).finish();
    let said = [CLIENT, "--remote", &install];
    finished.expect_failure(exit_code::BAD_INPUT, &said);
}

#[test]
fn a_client_of_another_version_is_told_from_ours_with_how_to_install_that() {
    let other = Hello {
        version: "9.8.7".to_owned(),
        ..Hello::own()
    };
    let lines = says(&line_of(&other)) + "read request\n";
    let finished = Running::start(Installed::with(&lines).program()).finish();
    let said = ["is of version 9.8.7", "cargo install --locked"];
    finished.expect_failure(exit_code::BAD_INPUT, &said);
}

#[test]
fn a_client_that_dies_is_named_and_the_reduction_goes_on() {
    let dies = finds_its_server() + "echo 'out of luck' >&2\nkill -9 $$\n";
    let installed = Installed::with(&dies);
    let finished = Running::start(installed.program())
        .finish()
        .expect_success();
    let said = finished.stderr();
    let parts = ["goes on without the server", "has ended", "out of luck"];
    assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    Reduction::read(&installed.world.beside("out"));
}

#[test]
fn an_interrupt_ends_a_reduction_whose_client_says_nothing_and_the_client() {
    let silent = finds_its_server() + "echo $$ >\"$0.asked\"\nexec sleep 100000\n";
    let installed = Installed::with(&silent);
    let program = Running::start(installed.program());
    let note = installed.dir.join(format!("{CLIENT}.asked"));
    let client = wait_until("the client was asked", || {
        let number = std::fs::read_to_string(&note).ok()?;
        number.trim().parse::<u32>().ok()
    });
    signal(program.pid(), "INT");
    program.finish().expect_code(exit_code::STOPPED);
    assert!(
        !PathBuf::from(format!("/proc/{client}")).exists(),
        "it is left"
    );
}
