//! Toolchains made of shell scripts.

use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A home with scripts in it.
struct Home {
    _dir: tempfile::TempDir,
    path: Utf8PathBuf,
}

impl Home {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
        Self { _dir: dir, path }
    }

    /// Writes an executable script.
    fn script(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.path.join(name);
        files::write(&path, &format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes a compiler that says this version.
    fn compiler(&self, name: &str, version: &str) -> Utf8PathBuf {
        self.script(name, &format!("echo 'rustc {version}'"))
    }

    /// Writes rustup, as a shim for rustc and cargo, whose toolchain is named by a variable.
    fn rustup(&self) {
        let rustup = self.script(
            "cargo/bin/rustup",
            &format!(
                "echo {}/toolchains/${{RUSTUP_TOOLCHAIN:-stable}}",
                self.path
            ),
        );
        symlink(&rustup, self.path.join("cargo/bin/rustc")).unwrap();
        symlink(&rustup, self.path.join("cargo/bin/cargo")).unwrap();
    }

    fn user(&self, vars: &[(&str, &str)]) -> Surroundings {
        let path = ("PATH", format!("{}/cargo/bin:/usr/bin:/bin", self.path));
        let vars = vars
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .chain([path]);
        let vars = vars.map(|(name, value)| (name.to_owned(), value)).collect();
        Surroundings {
            cwd: self.path.clone(),
            vars,
            rustc: None,
        }
    }
}

fn find(user: &Surroundings) -> Result<Toolchain, OracleError> {
    Toolchain::find(user, &Cancel::new().unwrap())
}

#[test]
fn a_shim_is_resolved_to_the_compiler_of_the_toolchain_that_was_chosen() {
    let home = Home::new();
    home.rustup();
    let stable = home.compiler("toolchains/stable/bin/rustc", "1.95.0");
    let nightly = home.compiler("toolchains/nightly/bin/rustc", "1.97.0-nightly");
    let by_default = find(&home.user(&[])).unwrap().compiler;
    assert_eq!(
        (&by_default.path, by_default.command.as_str()),
        (&stable, "rustc +stable")
    );
    let chosen = find(&home.user(&[("RUSTUP_TOOLCHAIN", "nightly")]))
        .unwrap()
        .compiler;
    assert_eq!(
        (&chosen.path, chosen.command.as_str()),
        (&nightly, "rustc +nightly")
    );
    assert_eq!(chosen.version(), "rustc 1.97.0-nightly");
    assert_ne!(chosen.identity, by_default.identity);
}

#[test]
fn the_name_of_the_host_is_no_part_of_a_toolchain() {
    let home = Home::new();
    home.rustup();
    let version = "1.95.0'; echo 'host: x86_64-unknown-linux-gnu";
    for (name, expected) in [
        ("stable-x86_64-unknown-linux-gnu", "rustc +stable"),
        (
            "nightly-2026-01-02-x86_64-unknown-linux-gnu",
            "rustc +nightly-2026-01-02",
        ),
        (
            "stable-x86_64-unknown-linux-musl",
            "rustc +stable-x86_64-unknown-linux-musl",
        ),
        ("mine", "rustc +mine"),
    ] {
        let path = home.compiler(&format!("toolchains/{name}/bin/rustc"), version);
        let chosen = find(&home.user(&[("RUSTUP_TOOLCHAIN", name)])).unwrap();
        assert_eq!(chosen.compiler.command, expected);
        let mut by_path = home.user(&[]);
        by_path.rustc = Some(path);
        assert_eq!(find(&by_path).unwrap().compiler.command, expected);
    }
}

#[test]
fn a_compiler_on_the_search_path_is_called_by_its_name() {
    let home = Home::new();
    let path = home.compiler("cargo/bin/rustc", "1.95.0");
    let on_path = find(&home.user(&[])).unwrap().compiler;
    assert_eq!((&on_path.path, on_path.command.as_str()), (&path, "rustc"));
    let mut user = home.user(&[]);
    let elsewhere = home.compiler("mine/rustc", "1.95.0");
    user.rustc = Some(elsewhere.clone());
    let named = find(&user).unwrap().compiler;
    assert_eq!(named.command, elsewhere);
    assert_eq!(named.without_path().command, "rustc");
    assert_eq!(on_path.without_path().command, "rustc");
}

#[test]
fn a_compiler_that_the_user_names_goes_before_a_variable() {
    let home = Home::new();
    let by_option = home.compiler("mine/rustc", "mine");
    let by_variable = home.compiler("theirs/rustc", "theirs");
    let mut user = home.user(&[("RUSTC", "theirs/rustc")]);
    let found = find(&user).unwrap();
    assert!(found.is_named);
    assert_eq!(found.compiler.path, by_variable);
    user.rustc = Some(by_option.clone());
    assert_eq!(find(&user).unwrap().compiler.path, by_option);
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let mut user = Home::new().user(&[]);
    user.rustc = Some("/nowhere/rustc".into());
    let error = find(&user).unwrap_err().to_string();
    let expected = "failed to find a working compiler at `/nowhere/rustc`: there is no such file";
    assert_eq!(error, expected);
}

#[test]
fn a_compiler_that_does_not_work_is_named_with_what_it_says() {
    let home = Home::new();
    let mut user = home.user(&[]);
    user.rustc = Some(home.script("rustc", "echo 'no such toolchain' >&2; exit 1"));
    let error = find(&user).unwrap_err().to_string();
    assert!(
        error.ends_with("/rustc`: exit status 1: no such toolchain"),
        "{error}"
    );
}

#[test]
fn the_identity_changes_when_the_compiler_is_built_anew() {
    let home = Home::new();
    let mut user = home.user(&[]);
    user.rustc = Some(home.compiler("rustc", "1.0"));
    let compiler = find(&user).unwrap().compiler;
    let before = compiler.identity;
    assert_eq!(find(&user).unwrap().compiler.identity, before);
    let files = compiler.digest_of_files();
    assert_eq!(compiler.digest_of_files(), files);
    home.compiler("rustc", "1.0'; : '");
    assert_ne!(find(&user).unwrap().compiler.identity, before);
    assert_ne!(compiler.digest_of_files(), files);
}

#[test]
fn cargo_is_the_one_that_called_us_or_the_one_of_the_toolchain() {
    let home = Home::new();
    home.rustup();
    home.compiler("toolchains/stable/bin/rustc", "1.95.0");
    let beside = home.script("toolchains/stable/bin/cargo", "");
    let other = home.script("other/cargo", "");
    let cargo = |vars: &[(&str, &str)]| {
        let user = home.user(vars);
        find(&user)
            .unwrap()
            .cargo(&user, &Cancel::new().unwrap())
            .unwrap()
    };
    assert_eq!(cargo(&[]), beside);
    assert_eq!(cargo(&[("CARGO", other.as_str())]), other);
    let shim = home.path.join("cargo/bin/cargo");
    assert_eq!(cargo(&[("CARGO", shim.as_str())]), beside);
}
