//! How cargo is called: as the user would, but on the copy and with our wrapper.

use crate::baseline::{Setting, environment};
use crate::capture;
use crate::snapshot::Snapshot;
use crate::target::{PackageInput, TargetSelection};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// What the user would type, for people.
pub(in crate::baseline::package) fn as_typed(verb: &str, input: &PackageInput) -> Vec<String> {
    std::iter::once(verb.to_owned())
        .chain(selection(input))
        .collect()
}

/// All arguments; `manifest` is the user's, compiled files go to `target`. `verb` may have options.
pub(super) fn args(
    verb: &[&str],
    manifest: &Utf8Path,
    target: &Utf8Path,
    input: &PackageInput,
    snapshot: &Snapshot,
    setting: &Setting<'_>,
) -> Vec<String> {
    let manifest = snapshot
        .place_of(manifest)
        .unwrap_or_else(|| manifest.to_owned());
    let common = ["--manifest-path", manifest.as_str(), "--color", "never"];
    let words = verb.iter().chain(&common);
    let mut args: Vec<String> = words.map(|word| (*word).to_owned()).collect();
    args.extend(outer_config_args(snapshot, target, setting));
    args.extend(selection(input));
    args
}

/// What cargo would find above the user's directory, and does not find above the copy.
pub(super) fn outer_config_args(
    snapshot: &Snapshot,
    target: &Utf8Path,
    setting: &Setting<'_>,
) -> Vec<String> {
    match snapshot.place_of(&setting.user.cwd) {
        Some(_) => config_args(&outer_configs(snapshot, setting), target),
        None => vec![],
    }
}

/// The configuration files as arguments. As such they count for more than the environment, so what
/// that says of a place for compiled files is said again, after them.
fn config_args(configs: &[Utf8PathBuf], target: &Utf8Path) -> Vec<String> {
    let place = serde_json::to_string(target).expect("strings have a JSON form");
    let place = (!configs.is_empty()).then(|| format!("build.build-dir={place}"));
    let configs = configs.iter().map(|config| config.as_str().to_owned());
    configs
        .chain(place)
        .flat_map(|config| ["--config".to_owned(), config])
        .collect()
}

/// All of the environment: compiled files go to `target`, records of compiler calls to `calls`.
pub(super) fn env(
    target: &Utf8Path,
    calls: &Utf8Path,
    input: &PackageInput,
    setting: &Setting<'_>,
) -> BTreeMap<String, String> {
    let mut env = environment::of_cargo(&setting.user.vars, &setting.toolchain);
    let added = serde_json::to_string(&input.rustc_args).expect("strings have a JSON form");
    env.extend([
        (
            "RUSTC_WRAPPER".to_owned(),
            setting.capture_program.to_string(),
        ),
        ("CARGO_TARGET_DIR".to_owned(), target.to_string()),
        // The user's configuration may name another for what is compiled on the way.
        ("CARGO_BUILD_BUILD_DIR".to_owned(), target.to_string()),
        (capture::DIRECTORY_VARIABLE.to_owned(), calls.to_string()),
        (capture::ARGS_VARIABLE.to_owned(), added),
    ]);
    let deadline = setting
        .longest_call()
        .unwrap_or(setting.longest_compilation());
    let seconds = deadline.as_secs().to_string();
    env.insert(capture::DEADLINE_VARIABLE.to_owned(), seconds);
    env
}

/// The user's selection as cargo's arguments.
pub(in crate::baseline) fn selection(input: &PackageInput) -> Vec<String> {
    let mut args = vec![];
    args.extend(
        input
            .package
            .iter()
            .flat_map(|name| ["-p".to_owned(), name.clone()]),
    );
    match &input.target {
        TargetSelection::Default => {}
        TargetSelection::Lib => args.push("--lib".to_owned()),
        TargetSelection::Bin(name) => args.extend(["--bin".to_owned(), name.clone()]),
        TargetSelection::Test(name) => args.extend(["--test".to_owned(), name.clone()]),
        TargetSelection::Example(name) => args.extend(["--example".to_owned(), name.clone()]),
    }
    args.extend(
        input
            .features
            .iter()
            .flat_map(|f| ["--features".to_owned(), f.clone()]),
    );
    let flags = [
        (input.all_features, "--all-features"),
        (input.no_default_features, "--no-default-features"),
        (input.release, "--release"),
    ];
    args.extend(
        flags
            .iter()
            .filter(|(is_given, _)| *is_given)
            .map(|(_, flag)| (*flag).to_owned()),
    );
    args.extend(
        input
            .target_triple
            .iter()
            .flat_map(|t| ["--target".to_owned(), t.clone()]),
    );
    args
}

/// Configuration files that cargo would find above the user's directory but not above the copy,
/// the farthest first.
fn outer_configs(snapshot: &Snapshot, setting: &Setting<'_>) -> Vec<Utf8PathBuf> {
    let vars = &setting.user.vars;
    let home = vars.get("CARGO_HOME").map(Utf8PathBuf::from);
    let home = home.or_else(|| {
        vars.get("HOME")
            .map(|home| Utf8Path::new(home).join(".cargo"))
    });
    let outer = setting
        .user
        .cwd
        .ancestors()
        .filter(|dir| snapshot.place_of(dir).is_none() && !snapshot.tree.starts_with(dir));
    let dirs = outer
        .map(|dir| dir.join(".cargo"))
        .filter(|dir| Some(dir) != home.as_ref());
    let found = dirs.filter_map(|dir| {
        ["config", "config.toml"]
            .map(|name| dir.join(name))
            .into_iter()
            .find(|path| path.is_file())
    });
    let mut found: Vec<_> = found.collect();
    found.reverse();
    found
}
