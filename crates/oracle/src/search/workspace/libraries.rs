//! Finds the library that a source file belongs to, and adds test targets to its package.

use super::Workspace;
use crate::error::OracleError;
use crate::system::files;
use crate::system::snapshot::Snapshot;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Edition, Package, TargetKind};
use toml_edit::{DocumentMut, Item};

/// The library of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Library {
    pub(crate) package: String,
    /// The name by which code refers to the library.
    pub(crate) name: String,
    pub(crate) edition: String,
    /// The path of the package's manifest, in the copy of the workspace.
    manifest: Utf8PathBuf,
    /// Whether cargo still looks for test targets in `tests/` if the manifest names some.
    finds_more_tests: bool,
}

impl Workspace {
    /// Returns the file in the copy of the workspace for a path that cargo or rustdoc has printed.
    pub(crate) fn printed_path(&self, path: &str, snapshot: &Snapshot) -> Option<Utf8PathBuf> {
        let root = self.metadata.workspace_root.as_path();
        let packages = self.metadata.workspace_packages();
        let directories = packages.iter().filter_map(|one| one.manifest_path.parent());
        let mut all = std::iter::once(root).chain(directories);
        all.find_map(|directory| {
            let place = snapshot.place_of(&directory.join(path))?;
            place.is_file().then_some(place)
        })
    }

    /// Returns the library of the package that a file of the copy belongs to.
    pub(crate) fn library_of(&self, file: &Utf8Path, snapshot: &Snapshot) -> Option<Library> {
        let packages = self.metadata.workspace_packages();
        let owners = packages.iter().filter_map(|package| {
            let manifest = snapshot.place_of(&package.manifest_path)?;
            let is_owner = manifest.parent().is_some_and(|dir| file.starts_with(dir));
            is_owner.then_some((manifest, *package))
        });
        let (manifest, package) = owners.max_by_key(|(manifest, _)| manifest.as_str().len())?;
        library(package, manifest)
    }
}

fn library(package: &Package, manifest: Utf8PathBuf) -> Option<Library> {
    let kinds = [TargetKind::Lib, TargetKind::RLib, TargetKind::ProcMacro];
    let mut targets = package.targets.iter();
    let target = targets.find(|target| target.kind.iter().any(|kind| kinds.contains(kind)))?;
    Some(Library {
        package: package.name.to_string(),
        name: target.name.replace('-', "_"),
        edition: target.edition.to_string(),
        manifest,
        finds_more_tests: package.edition != Edition::E2015,
    })
}

impl Library {
    /// Writes a test target into the copy. Returns its name: `name`, or one that no file has yet.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn add_test(&self, name: &str, text: &str) -> Result<String, OracleError> {
        let package = self.manifest.parent().unwrap_or(&self.manifest);
        let tests = package.join("tests");
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| {
            !tests.join(format!("{name}.rs")).exists() && !tests.join(name).exists()
        };
        let name = names.find(is_free).expect("numbers do not end");
        files::make_dir(&tests)?;
        files::write(&tests.join(format!("{name}.rs")), text)?;
        self.name_test(&name)?;
        Ok(name)
    }

    /// Adds dependencies for tests to the manifest, except those that the package already has. Returns the names of
    /// those that it did not.
    ///
    /// # Errors
    /// Where the manifest cannot be read or written.
    pub(crate) fn add_test_dependencies(
        &self,
        needed: Vec<(String, Item)>,
    ) -> Result<Vec<String>, OracleError> {
        let text = files::read(&self.manifest)?;
        let mut document = text
            .parse::<DocumentMut>()
            .map_err(|error| OracleError::Format {
                what: format!("`{}`", self.manifest),
                source: error.into(),
            })?;
        let has = |name: &str| {
            let tables = ["dependencies", "dev-dependencies"];
            let mut tables = tables.iter().filter_map(|table| document.get(table));
            tables.any(|table| table.get(name).is_some())
        };
        let missing: Vec<_> = needed.into_iter().filter(|(name, _)| !has(name)).collect();
        let names = missing.iter().map(|(name, _)| name.clone()).collect();
        for (name, item) in missing {
            document["dev-dependencies"][&name] = item;
        }
        files::replace(&self.manifest, &document.to_string())?;
        Ok(names)
    }

    /// Adds a test target to the manifest, if cargo would not find it otherwise.
    fn name_test(&self, name: &str) -> Result<(), OracleError> {
        let text = files::read(&self.manifest)?;
        if self.finds_more_tests && !is_automatic_off(&text) {
            return Ok(());
        }
        let named = format!("\n[[test]]\nname = \"{name}\"\npath = \"tests/{name}.rs\"\n");
        files::replace(&self.manifest, &(text + &named))
    }
}

/// Whether a manifest says that cargo should look for no tests.
fn is_automatic_off(manifest: &str) -> bool {
    let document = manifest.parse::<DocumentMut>();
    let automatic = document.ok().and_then(|document| {
        let package = document.get("package")?;
        package.get("autotests")?.as_bool()
    });
    automatic == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_manifest_that_says_so_has_no_automatic_tests() {
        assert!(is_automatic_off(
            "[package]\nname = \"a\"\nautotests = false\n"
        ));
        assert!(!is_automatic_off(
            "[package]\nname = \"a\"\nautotests = true\n"
        ));
        assert!(!is_automatic_off("[package]\nname = \"a\"\n"));
        assert!(!is_automatic_off("[workspace]\n"));
    }

    #[test]
    fn a_test_gets_a_free_name_and_is_named_where_cargo_would_not_find_it() {
        let temporary = tempfile::tempdir().unwrap();
        let directory = Utf8Path::from_path(temporary.path()).unwrap();
        let manifest = directory.join("Cargo.toml");
        let library = |finds_more_tests| Library {
            package: "a".to_owned(),
            name: "a".to_owned(),
            edition: "2021".to_owned(),
            manifest: manifest.clone(),
            finds_more_tests,
        };
        std::fs::write(&manifest, "[package]\nname = \"a\"\n").unwrap();
        assert_eq!(library(true).add_test("doc", "// 1").unwrap(), "doc");
        assert_eq!(files::read(&manifest).unwrap(), "[package]\nname = \"a\"\n");
        assert_eq!(library(false).add_test("doc", "// 2").unwrap(), "doc_2");
        let text = files::read(&manifest).unwrap();
        assert!(
            text.ends_with("[[test]]\nname = \"doc_2\"\npath = \"tests/doc_2.rs\"\n"),
            "{text}"
        );
        assert_eq!(
            files::read(&directory.join("tests/doc_2.rs")).unwrap(),
            "// 2"
        );
    }
}
