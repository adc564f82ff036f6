//! Makes the arguments with which cargo is called: as the user would, but on the copy and with our wrapper.

use crate::cargo_config::Wrappers;
use crate::compiler::capture;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::search::context::{BaselineContext, environment};
use crate::system::snapshot::Snapshot;
use camino::Utf8Path;
use std::collections::BTreeMap;

/// The minor version of the first cargo, 1.74, that knows `--keep-going`.
const FIRST_TO_KEEP_GOING: u32 = 74;

/// Returns the cargo command that the user would type, for people.
pub(crate) fn as_typed(verb: &str, input: &PackageInput) -> Vec<String> {
    std::iter::once(verb.to_owned())
        .chain(selection(input))
        .collect()
}

/// Returns the arguments of the cargo command; `manifest` is the user's. `verb` may have options.
pub(super) fn args(
    verb: &[&str],
    manifest: &Utf8Path,
    input: &PackageInput,
    snapshot: &Snapshot,
    context: &BaselineContext<'_>,
) -> Vec<String> {
    let manifest = snapshot
        .place_of(manifest)
        .unwrap_or_else(|| manifest.to_owned());
    let common = ["--manifest-path", manifest.as_str(), "--color", "never"];
    let words = verb.iter().chain(&common);
    let mut args: Vec<String> = words.map(|word| (*word).to_owned()).collect();
    args.extend(selection(input));
    let version = &context.toolchain.compiler.verbose_version;
    args.extend(keep_going(verb, &input.target, version));
    args
}

/// Returns the flag by which cargo compiles the other targets after one has failed: else the failure that is found would depend on how
/// many are compiled at a time. `version` is what the compiler says of itself.
fn keep_going(verb: &[&str], target: &TargetSelection, version: &str) -> Option<String> {
    let is_several = target.flag_of_several().is_some();
    let takes_it = matches!(verb.first(), Some(&"check" | &"build"));
    let is_known = minor_version(version).is_some_and(|minor| minor >= FIRST_TO_KEEP_GOING);
    (is_several && takes_it && is_known).then(|| "--keep-going".to_owned())
}

/// Returns the minor version in the compiler's output, such as the 95 of `release: 1.95.0`. cargo has the version of
/// its compiler.
fn minor_version(version: &str) -> Option<u32> {
    let mut lines = version.lines();
    let release = lines.find_map(|line| line.strip_prefix("release: 1."))?;
    release.split('.').next()?.parse().ok()
}

/// Returns the environment of the cargo command: compiled files go to `target`, records of compiler calls to `calls`. `wrappers` are the
/// user's.
pub(super) fn env(
    target: &Utf8Path,
    calls: &Utf8Path,
    wrappers: &Wrappers,
    input: &PackageInput,
    context: &BaselineContext<'_>,
) -> BTreeMap<String, String> {
    let mut env = environment::of_cargo(&context.user.vars, &context.toolchain);
    let added = serde_json::to_string(&input.rustc_args).expect("strings have a JSON form");
    env.extend([
        (
            "RUSTC_WRAPPER".to_owned(),
            context.capture_program.to_string(),
        ),
        ("CARGO_TARGET_DIR".to_owned(), target.to_string()),
        // The user's configuration may name another for what is compiled on the way.
        ("CARGO_BUILD_BUILD_DIR".to_owned(), target.to_string()),
        (capture::DIRECTORY_VARIABLE.to_owned(), calls.to_string()),
        (capture::ARGS_VARIABLE.to_owned(), added),
    ]);
    let named = [
        (capture::WRAPPER_VARIABLE, &wrappers.global),
        ("RUSTC_WORKSPACE_WRAPPER", &wrappers.workspace),
    ];
    for (name, wrapper) in named {
        env.extend(
            wrapper
                .iter()
                .map(|wrapper| (name.to_owned(), wrapper.clone())),
        );
    }
    let deadline = context
        .longest_call()
        .unwrap_or(context.longest_compilation());
    let seconds = deadline.as_secs().to_string();
    env.insert(capture::DEADLINE_VARIABLE.to_owned(), seconds);
    env
}

/// Returns the arguments of cargo that select the user's packages and targets.
pub(crate) fn selection(input: &PackageInput) -> Vec<String> {
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
        TargetSelection::Doc => args.push("--doc".to_owned()),
        TargetSelection::Fuzz { target, input } => {
            let words = ["--fuzz", target, "--input", input.as_str()];
            args.extend(words.map(str::to_owned));
        }
        TargetSelection::Bin(name) => args.extend(["--bin".to_owned(), name.clone()]),
        TargetSelection::Test(name) => args.extend(["--test".to_owned(), name.clone()]),
        TargetSelection::Example(name) => args.extend(["--example".to_owned(), name.clone()]),
        TargetSelection::Bench(name) => args.extend(["--bench".to_owned(), name.clone()]),
        several @ (TargetSelection::Tests
        | TargetSelection::Benches
        | TargetSelection::AllTargets) => {
            args.extend(several.flag_of_several().map(str::to_owned));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verb: &str, target: &TargetSelection, release: &str, expected: bool) {
        let version = format!("rustc {release}\nbinary: rustc\nrelease: {release}\nhost: a-b-c\n");
        let flag = keep_going(&[verb], target, &version);
        assert_eq!(flag.is_some(), expected, "{verb} {target:?} {release}");
    }

    #[test]
    fn cargo_keeps_going_where_several_targets_may_fail() {
        use TargetSelection::{AllTargets, Benches, Default, Lib, Tests};
        for target in [AllTargets, Benches, Tests] {
            check("check", &target, "1.95.0", true);
            check("build", &target, "1.74.0-nightly", true);
            check("check", &target, "1.73.0", false);
            // `cargo test` has another flag for what is run.
            check("test", &target, "1.95.0", false);
        }
        check("check", &Default, "1.95.0", false);
        check("check", &Lib, "1.95.0", false);
    }
}
