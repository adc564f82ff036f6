//! The names that a user may give on the command line: packages and targets of a workspace, and toolchains. They serve
//! completion, which must be quick and must change nothing, so that cargo is asked without a network, and rustup installs
//! nothing.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{look_up, run_quickly, toolchains};
use crate::error::OracleError;
use crate::system::process::Ending;
use camino::Utf8Path;
use cargo_metadata::{Metadata, MetadataCommand, Package, TargetKind};
use reduce_platform::Cancel;

/// The variables that keep a question from changing anything.
const CAREFUL: [(&str, &str); 2] = [("CARGO_NET_OFFLINE", "true"), ("RUSTUP_AUTO_INSTALL", "0")];

/// A member of a workspace, with the names of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The package's name.
    pub name: String,
    /// The packages that the member's manifest names.
    pub dependencies: Vec<String>,
    /// The package's features.
    pub features: Vec<String>,
    /// The package's binaries.
    pub bins: Vec<String>,
    /// The package's test targets.
    pub tests: Vec<String>,
    /// The package's examples.
    pub examples: Vec<String>,
    /// The package's benchmarks.
    pub benches: Vec<String>,
}

/// Returns the members of the workspace of a manifest, which is absolute; without one, of that which cargo finds from the
/// user's directory upwards. Nothing where cargo does not say.
///
/// # Errors
/// Where cargo cannot be started, or on cancellation.
pub fn list_members(
    manifest: Option<&Utf8Path>,
    user: &Surroundings,
    cancel: &Cancel,
) -> Result<Vec<Member>, OracleError> {
    let Some(cargo) = look_up("cargo".into(), user) else {
        return Ok(vec![]);
    };
    let args = ["metadata", "--no-deps", "--format-version=1"].map(str::to_owned);
    let manifest = manifest.map(|manifest| format!("--manifest-path={manifest}"));
    let args: Vec<String> = args.into_iter().chain(manifest).collect();
    let mut env = user.vars.clone();
    env.extend(CAREFUL.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let outcome = run_quickly(&cargo, &args, &env, &user.cwd, cancel)?;
    let metadata = match outcome.ending {
        Ending::Exited(0) => MetadataCommand::parse(outcome.stdout).ok(),
        _ => None,
    };
    Ok(metadata.as_ref().map(members).unwrap_or_default())
}

/// Returns rustup's names of the user's toolchains.
#[must_use]
pub fn list_toolchains(user: &Surroundings) -> Vec<String> {
    let directories = toolchains(user);
    let names = directories.iter().filter_map(|path| path.file_name());
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

fn members(metadata: &Metadata) -> Vec<Member> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(member)
        .collect()
}

fn member(package: &Package) -> Member {
    let targets = |kind: TargetKind| {
        let targets = package.targets.iter();
        let of_kind = targets.filter(|target| target.is_kind(kind.clone()));
        of_kind.map(|target| target.name.clone()).collect()
    };
    let dependencies = package.dependencies.iter();
    Member {
        name: package.name.to_string(),
        dependencies: dependencies.map(|one| one.name.clone()).collect(),
        features: package.features.keys().cloned().collect(),
        bins: targets(TargetKind::Bin),
        tests: targets(TargetKind::Test),
        examples: targets(TargetKind::Example),
        benches: targets(TargetKind::Bench),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Makes a directory with files, and the surroundings of somebody who stands in it.
    fn standing_in(files: &[(&str, &str)]) -> (tempfile::TempDir, Surroundings) {
        let temp = tempfile::tempdir().unwrap();
        let mut user = Surroundings::of_tests();
        user.cwd = Utf8Path::from_path(temp.path()).unwrap().to_owned();
        for (path, text) in files {
            let path = user.cwd.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (temp, user)
    }

    fn list(manifest: Option<&Utf8Path>, user: &Surroundings) -> Vec<Member> {
        list_members(manifest, user, &Cancel::new().unwrap()).unwrap()
    }

    #[test]
    fn a_member_is_listed_with_its_targets_features_and_dependencies() {
        let manifest = "[package]\nname = \"a\"\nedition = \"2024\"\n[features]\nfast = []\n\
                        [dependencies]\nlibc = \"0.2\"\n[workspace]\n";
        let (_temp, user) = standing_in(&[
            ("Cargo.toml", manifest),
            ("src/main.rs", ""),
            ("tests/one.rs", ""),
            ("tests/two/main.rs", ""),
            ("examples/shown.rs", ""),
            ("benches/timed.rs", ""),
        ]);
        let expected = Member {
            name: "a".to_owned(),
            dependencies: vec!["libc".to_owned()],
            features: vec!["fast".to_owned()],
            bins: vec!["a".to_owned()],
            tests: vec!["one".to_owned(), "two".to_owned()],
            examples: vec!["shown".to_owned()],
            benches: vec!["timed".to_owned()],
        };
        let found = list(None, &user);
        assert_eq!(found, std::slice::from_ref(&expected));
        let manifest = user.cwd.join("Cargo.toml");
        let elsewhere = Surroundings {
            cwd: "/".into(),
            ..user
        };
        let found = list(Some(&manifest), &elsewhere);
        assert_eq!(found, [expected]);
    }

    #[test]
    fn nothing_is_listed_where_cargo_does_not_say() {
        let (_temp, mut user) = standing_in(&[("Cargo.toml", "not toml [")]);
        assert_eq!(list(None, &user), []);
        user.vars.insert("PATH".to_owned(), String::new());
        assert_eq!(list(None, &user), []);
    }

    #[test]
    fn toolchains_are_listed_by_name() {
        let files = [("toolchains/nightly-x/a", ""), ("toolchains/1.95.0/a", "")];
        let (_temp, mut user) = standing_in(&files);
        let home = user.cwd.to_string();
        user.vars.insert("RUSTUP_HOME".to_owned(), home);
        assert_eq!(list_toolchains(&user), ["1.95.0", "nightly-x"]);
    }
}
