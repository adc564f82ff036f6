//! Published crates in the work directory: cargo fetches them, and what is not needed of them is left out.

use crate::case::Krate;
use crate::process::Run;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Table, Value};

/// How long cargo may take to fetch a crate, or to compile it with all that it is linked with.
pub const LONGEST: Duration = Duration::from_secs(600);

/// Calls cargo, and gives back what it printed; an error if it fails.
pub fn cargo(directory: &Path, arguments: &[&str]) -> Result<String> {
    let target = directory.join("target");
    let ended = Run::cargo(directory, &target)
        .arguments(arguments)
        .run(LONGEST)?;
    if !ended.is_success {
        bail!("`cargo {}` failed:\n{}", arguments.join(" "), ended.stderr);
    }
    Ok(ended.stdout)
}

/// Where cargo keeps the source of a crate; it is fetched first.
pub fn source(krate: &Krate, work: &Path) -> Result<PathBuf> {
    let directory = work
        .join("fetch")
        .join(format!("{}-{}", krate.name, krate.version));
    fs::create_dir_all(directory.join("src"))?;
    fs::write(directory.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[workspace]\n[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [dependencies]\n{} = {{ version = \"={}\", default-features = false }}\n",
        krate.name, krate.version
    );
    fs::write(directory.join("Cargo.toml"), manifest)?;
    cargo(&directory, &["fetch"])?;
    let kept = format!("{}-{}", krate.name, krate.version);
    for registry in fs::read_dir(cargo_home()?.join("registry/src"))? {
        let package = registry?.path().join(&kept);
        if package.join("Cargo.toml").exists() {
            return Ok(package);
        }
    }
    bail!("cargo has not fetched `{kept}`")
}

/// Where cargo keeps what it fetches. `cargo metadata` does not tell it of a package without a library.
#[expect(
    clippy::disallowed_methods,
    reason = "the runner calls cargo with the environment that it has itself"
)]
fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = env::var_os("CARGO_HOME") {
        return Ok(PathBuf::from(home));
    }
    let home = env::var_os("HOME").context("neither `CARGO_HOME` nor `HOME` is set")?;
    Ok(Path::new(&home).join(".cargo"))
}

/// Copies a published package without its benchmarks and examples, but for one file. Its tests stay: cargo-reduce runs those that
/// compile without the dependencies of tests.
pub fn copy_published(from: &Path, to: &Path, kept: &Path) -> Result<()> {
    const LEFT_OUT: [&str; 4] = ["benches", "examples", "Cargo.lock", ".cargo-ok"];
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        copy_over(&entry.path(), &to.join(name))?;
    }
    if from.join(kept).is_file() {
        copy_over(&from.join(kept), &to.join(kept))?;
    }
    let manifest = to.join("Cargo.toml");
    fs::rename(&manifest, to.join("Cargo.toml.published"))?;
    Ok(())
}

/// Copies a file or a directory over what is there; nothing if there is none.
pub fn copy_over(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_over(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.is_file() {
        write(to, &fs::read(from)?)?;
    }
    Ok(())
}

/// Writes a file if it changes, since cargo compiles again what was written.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).ok().as_deref() != Some(content) {
        fs::create_dir_all(path.parent().context("a file is in a directory")?)?;
        fs::write(path, content)?;
    }
    Ok(())
}

/// The manifest as it was published, without targets and dependencies of the crate's own tests.
pub fn published_manifest(krate: &Path) -> Result<Table> {
    let text = fs::read_to_string(krate.join("Cargo.toml.published"))?;
    let mut manifest: Table = toml::from_str(&text)?;
    drop_features_of_tests(&mut manifest);
    for key in ["dev-dependencies", "bench", "test", "example", "workspace"] {
        manifest.remove(key);
    }
    if let Some(Value::Table(targets)) = manifest.get_mut("target") {
        for (_, target) in targets.iter_mut() {
            target
                .as_table_mut()
                .and_then(|target| target.remove("dev-dependencies"));
        }
    }
    if let Some(Value::Table(package)) = manifest.get_mut("package") {
        for key in ["autotests", "autobenches", "autoexamples"] {
            package.remove(key);
        }
    }
    Ok(manifest)
}

/// Leaves out of the features what concerns a dependency of the crate's own tests alone.
fn drop_features_of_tests(manifest: &mut Table) {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(|it| it.iter());
    let tables: Vec<&Table> = targets.filter_map(|(_, it)| it.as_table()).collect();
    let names = |key: &str| {
        let own = [&*manifest].into_iter();
        let tables = own.chain(tables.iter().copied());
        let found = tables.filter_map(|table| table.get(key)?.as_table());
        let found = found.flat_map(Table::keys).cloned();
        found.collect::<BTreeSet<String>>()
    };
    let others = [names("dependencies"), names("build-dependencies")];
    let mut of_tests = names("dev-dependencies");
    of_tests.retain(|name| others.iter().all(|others| !others.contains(name)));
    let is_of_tests = |part: &Value| {
        let dependency = part.as_str().and_then(|part| part.split_once('/'));
        dependency.is_some_and(|(name, _)| of_tests.contains(name))
    };
    if let Some(Value::Table(features)) = manifest.get_mut("features") {
        let parts = features.iter_mut().filter_map(|(_, it)| it.as_array_mut());
        for parts in parts {
            parts.retain(|part| !is_of_tests(part));
        }
    }
}

/// Writes the manifest of a package.
pub fn write_manifest(manifest: &Table, package: &Path) -> Result<()> {
    write(
        &package.join("Cargo.toml"),
        toml::to_string(manifest)?.as_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_of_tests_alone_is_left_out() {
        let text = "[features]\nf = ['a/x', 'b/x', 'c/x', 'd/x', 'g']\n\
            [dependencies]\na = '1'\n[build-dependencies]\nc = '1'\n\
            [target.'cfg(unix)'.dependencies]\nd = '1'\n\
            [dev-dependencies]\na = '1'\nb = '1'\nc = '1'\nd = '1'\n";
        let mut manifest: Table = toml::from_str(text).unwrap();
        drop_features_of_tests(&mut manifest);
        let features = Table::from_iter([("f".to_owned(), vec!["a/x", "c/x", "d/x", "g"].into())]);
        assert_eq!(manifest["features"], Value::Table(features));
    }
}
