//! Compiles the libraries that are preloaded, so that the oracle carries them: the fork servers of rustc and of compiled programs
//! (`shim/`), and the witness of who ends the process (`witness/`).
//!
//! Each is a library of its own for the very platform that this crate is compiled for, made by the
//! compiler that compiles this crate. Elsewhere the oracle carries nothing: it starts each compiler
//! anew, and does not know who has ended it.
//!
//! The script decides as well whether the parts for Linux alone are compiled (`cfg(linux_parts)`): the warm compiler, the sandbox,
//! and how processes are watched there. The feature `portable` leaves them out, so that what is used on other systems can be tested
//! on Linux.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The platforms that they are written for.
const SUPPORTED: [&str; 1] = ["x86_64-unknown-linux-gnu"];

#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script what to do in the environment"
)]
fn main() {
    println!("cargo::rerun-if-changed=shim");
    println!("cargo::rerun-if-changed=witness");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    println!("cargo::rustc-check-cfg=cfg(linux_parts)");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = variable("TARGET");
    let has_linux_parts =
        variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_FEATURE_PORTABLE").is_empty();
    if has_linux_parts {
        println!("cargo::rustc-cfg=linux_parts");
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    for (name, root) in [
        ("warm", "shim/lib.rs"),
        ("forks", "shim/program.rs"),
        ("witness", "witness/lib.rs"),
    ] {
        let library = out.join(format!("{name}.so"));
        if has_linux_parts && SUPPORTED.contains(&target.as_str()) {
            compile(name, root, &library, &target);
        } else {
            std::fs::write(&library, []).expect("the build script's directory can be written");
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a build script starts the compiler and is told which; it is no part of the program"
)]
fn compile(name: &str, root: &str, library: &Path, target: &str) {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args([root, "--crate-name", name, "--crate-type=cdylib"])
        .args(["--edition=2024", "--target", target, "-Cpanic=abort"])
        .args(["-Copt-level=2", "-Clto=fat", "-Cembed-bitcode=yes"])
        .args(["-Ccodegen-units=1", "-Cstrip=symbols"])
        .arg("-o")
        .arg(library);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let status = rustc
        .status()
        .expect("the compiler that compiles us can be started");
    assert!(status.success(), "`{root}` did not compile: {status}");
}
