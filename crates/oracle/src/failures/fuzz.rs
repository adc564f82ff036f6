//! `--fuzz`: a fuzz target of cargo-fuzz with an input that makes it fail. It is written as an integration test of
//! the package into the copy of the workspace, and reduced as such: neither libFuzzer nor a sanitizer is needed.

use super::failure::Package;
use crate::compiler::target::{PackageInput, TargetSelection};
use crate::error::OracleError;
use crate::plain_tests::FuzzTarget;
use crate::search::context::BaselineContext;
use crate::search::workspace::libraries::Library;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Item, Table, TableLike};

/// The dependency that the package of the fuzz targets needs and a test does not.
const FUZZER: &str = "libfuzzer-sys";
/// The crate that makes inputs of other types than bytes and texts.
const ARBITRARY: &str = "arbitrary";
/// The line by which a manifest names `arbitrary`, where the fuzz targets have it from the fuzzer's crate.
const USUAL_ARBITRARY: &str = "{ version = \"1\", features = [\"derive\"] }";

/// Writes a fuzz target as a test of the package beside which `fuzz` lies. Returns what cargo compiles then.
///
/// # Errors
/// Where there is no such target, it cannot be written, or the input cannot be read.
pub(super) fn write(
    target: &str,
    input: &Utf8Path,
    package: &Package<'_>,
    context: &BaselineContext<'_>,
) -> Result<PackageInput, OracleError> {
    let unwritten = || OracleError::NotWritten {
        test: target.to_owned(),
    };
    let bytes = std::fs::read(input).map_err(|_| missing(format!("the input `{input}`"), None))?;
    let fuzz = Targets::find(target, package)?;
    let name = target.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let name = format!("fuzz_{name}");
    let test = context.plain_tests.of_fuzz_target(&FuzzTarget {
        source: &fuzz.source,
        input: &bytes,
        name: &name,
    });
    let test = test.ok_or_else(unwritten)?;
    let library = package
        .workspace
        .library_of(&fuzz.directory, package.snapshot);
    let library = library.ok_or_else(unwritten)?;
    let written = library.add_test(&name, &test.text)?;
    let needed = dependencies(&fuzz.manifest, &library.package, &fuzz.directory);
    add(
        with_arbitrary(needed, test.needs_arbitrary),
        &library,
        context,
    )?;
    Ok(PackageInput {
        package: Some(library.package),
        target: TargetSelection::Test(written),
        ..package.input.clone()
    })
}

/// The package of the fuzz targets, and one of them.
struct Targets {
    /// The directory of the fuzz targets in the copy of the workspace.
    directory: Utf8PathBuf,
    manifest: DocumentMut,
    source: String,
}

impl Targets {
    fn find(target: &str, package: &Package<'_>) -> Result<Self, OracleError> {
        let workspace = package.workspace;
        let directory = workspace.directory(package.input, package.snapshot)?;
        let directory = directory.join("fuzz");
        let text = std::fs::read_to_string(directory.join("Cargo.toml"));
        let manifest = text.ok().and_then(|text| text.parse::<DocumentMut>().ok());
        let is_missing = || missing(format!("the fuzz target `{target}`"), manifest.as_ref());
        let path = manifest
            .as_ref()
            .map(|manifest| source_of(manifest, target));
        let source = path.and_then(|path| std::fs::read_to_string(directory.join(path)).ok());
        let source = source.ok_or_else(is_missing)?;
        Ok(Self {
            directory,
            manifest: manifest.expect("its target was read"),
            source,
        })
    }
}

/// Adds the crate that makes inputs, where the targets have it from the fuzzer's crate.
fn with_arbitrary(mut needed: Vec<(String, Item)>, is_needed: bool) -> Vec<(String, Item)> {
    if is_needed && needed.iter().all(|(name, _)| name != ARBITRARY) {
        let usual = USUAL_ARBITRARY.parse().expect("it is a table");
        needed.push((ARBITRARY.to_owned(), Item::Value(usual)));
    }
    needed
}

/// Makes the error that something is not there, with the targets that are.
fn missing(what: String, fuzz: Option<&DocumentMut>) -> OracleError {
    let named = fuzz.into_iter().flat_map(programs);
    let named = named.filter_map(|one| one.get("name")?.as_str());
    let known = named.map(str::to_owned).collect();
    OracleError::FuzzMissing { what, known }
}

fn programs(fuzz: &DocumentMut) -> impl Iterator<Item = &Table> {
    let all = fuzz.get("bin").and_then(Item::as_array_of_tables);
    all.into_iter().flatten()
}

/// Returns the file of a target, as the manifest of the fuzz targets names it, or where cargo-fuzz puts it.
fn source_of(fuzz: &DocumentMut, target: &str) -> Utf8PathBuf {
    let is_named = |name: Option<&Item>| name.and_then(Item::as_str) == Some(target);
    let named = programs(fuzz).find(|one| is_named(one.get("name")));
    let path = named.and_then(|one| one.get("path")?.as_str());
    path.map_or_else(
        || format!("fuzz_targets/{target}.rs").into(),
        Utf8PathBuf::from,
    )
}

/// Returns the dependencies of the fuzz targets besides the package and the fuzzer.
fn dependencies(fuzz: &DocumentMut, package: &str, directory: &Utf8Path) -> Vec<(String, Item)> {
    let table = fuzz.get("dependencies").and_then(Item::as_table_like);
    let all = table.into_iter().flat_map(TableLike::iter);
    let is_own = |name: &str, item: &Item| {
        let renamed = item.get("package").and_then(Item::as_str);
        renamed.unwrap_or(name) == package
    };
    let others = all.filter(|(name, item)| *name != FUZZER && !is_own(name, item));
    let others = others.map(|(name, item)| {
        let mut item = item.clone();
        if let Some(path) = item.get("path").and_then(Item::as_str) {
            let path = normal(&directory.join(path));
            item["path"] = toml_edit::value(path.as_str());
        }
        (name.to_owned(), item)
    });
    others.collect()
}

/// Adds to the package the dependencies that its test needs and it does not have.
fn add(
    needed: Vec<(String, Item)>,
    library: &Library,
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    let added = library.add_test_dependencies(needed)?;
    if !added.is_empty() {
        context.remark(&format!(
            "the test needs these crates among the `dev-dependencies` of `{}`: {}",
            library.package,
            added.join(", ")
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a-fuzz\"\n[dependencies]\nlibfuzzer-sys = \"0.4\"\na = { path = \"..\" }\n\
        arbitrary = \"1\"\nb = { path = \"../b\" }\nown = { package = \"a\", path = \"..\" }\n\
        [[bin]]\nname = \"x\"\npath = \"targets/x.rs\"\n";

    #[test]
    fn a_target_is_where_its_manifest_says() {
        let fuzz: DocumentMut = MANIFEST.parse().unwrap();
        assert_eq!(source_of(&fuzz, "x"), "targets/x.rs");
        assert_eq!(source_of(&fuzz, "y"), "fuzz_targets/y.rs");
    }

    #[test]
    fn a_test_needs_what_the_target_needs_but_for_the_fuzzer() {
        let fuzz: DocumentMut = MANIFEST.parse().unwrap();
        let found = dependencies(&fuzz, "a", "/w/a/fuzz".into());
        let found: Vec<String> = found
            .iter()
            .map(|(name, item)| format!("{name}:{item}"))
            .collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("arbitrary:"), "{found:?}");
        assert!(
            found[1].starts_with("b:") && found[1].contains("/w/a/b"),
            "{found:?}"
        );
    }
}
