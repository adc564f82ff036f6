//! The calls for the other tests of a package: those in its library, and those in the other files of its directory `tests`.
//!
//! cargo compiles them by nearly the same calls as the failing test, so that it need not be asked for them.

use super::linkage::linkable;
use super::{Plan, Sources};
use crate::compiler::args::{self, ArgGroup};
use crate::compiler::unit::Unit;
use crate::error::OracleError;
use crate::instrumented::Features;
use crate::search::original::package_dir;
use crate::system::files;
use crate::system::snapshot::all_files;
use camino::{Utf8Path, Utf8PathBuf};

/// The directory in which cargo looks for integration tests.
const TESTS: &str = "tests";

impl Plan {
    /// Returns the calls for the other integration tests of the plan's package, as far as cargo finds them without an entry in the
    /// manifest, each with the size of its root in bytes, in the order of their names. There are none if the package has no directory
    /// for them.
    ///
    /// # Errors
    /// Where a directory cannot be read.
    pub fn integration_tests_beside(&self) -> Result<Vec<(Self, u64)>, OracleError> {
        let tests = self.package_dir().join(TESTS);
        if !tests.is_dir() {
            return Ok(Vec::new());
        }
        let entries = files::entries(&tests)?.into_iter();
        let roots = entries.filter_map(|entry| root_of_test(entry.into_path()));
        let own = self.inputs.tree.join(&self.call.root);
        let with_all = self.clone().with_all_files()?;
        let mut found = Vec::new();
        for root in roots.filter(|root| *root != own) {
            let size = root.metadata().map_err(OracleError::io("read", &root))?;
            found.extend(with_all.rooted_at(&root).map(|plan| (plan, size.len())));
        }
        Ok(found)
    }

    /// Returns the call for the tests in a library that the plan links, where that belongs to the same package. These texts take the
    /// place of the library's own, and may have these features.
    ///
    /// # Errors
    /// Where a directory cannot be read.
    pub fn unit_tests_of(
        &self,
        unit: &Unit,
        texts: &Sources,
        features: Features,
    ) -> Result<Option<Self>, OracleError> {
        let package = |name: &str| self.call.env.get(name).map_or("", String::as_str);
        let is_own = unit.package == package("CARGO_PKG_NAME")
            && unit.version == package("CARGO_PKG_VERSION");
        let tree = &self.inputs.tree;
        let (Ok(root), Ok(cwd), true) = (
            unit.root.strip_prefix(tree),
            unit.cwd.strip_prefix(tree),
            is_own && !unit.is_proc_macro,
        ) else {
            return Ok(None);
        };
        let mut plan = self.with_args(self.unit_test_args(unit));
        plan.call.env.extend(unit.env.clone());
        features.permit(&mut plan.call.env);
        plan.call.cwd = cwd.to_owned();
        plan.call.root = root.to_owned();
        plan.call.crate_name.clone_from(&unit.name);
        plan.call.edition.clone_from(&unit.edition);
        plan.with_all_files()
            .map(|plan| Some(plan.with_texts(texts)))
    }

    /// Returns the arguments of a library's call with those of the test that links it: its harness, and what both link.
    fn unit_test_args(&self, unit: &Unit) -> Vec<String> {
        let is_kind = |group: &ArgGroup| matches!(&*group.name, "--crate-type" | "--emit");
        let groups = args::groups(&unit.args);
        let kinds: Vec<_> = groups.into_iter().filter(is_kind).collect();
        let mut own = args::without(&unit.args, &kinds);
        own.extend(["--test".to_owned(), "--emit=link".to_owned()]);
        let named = |name: &str, file: Option<&Utf8PathBuf>| match file {
            Some(file) => format!("--extern={name}={}", linkable(file)),
            None => format!("--extern={name}"),
        };
        own.extend(
            unit.externs
                .iter()
                .map(|(name, file)| named(name, file.as_ref())),
        );
        let is_new = |(name, file): &(String, Option<Utf8PathBuf>)| {
            let is_library = file.as_ref().is_some_and(|file| unit.is_artifact(file));
            !is_library && !unit.externs.iter().any(|(known, _)| known == name)
        };
        let of_tests = self.externs().into_iter().filter(is_new);
        own.extend(of_tests.map(|(name, file)| named(&name, file.as_ref())));
        let searched = args::dependency_directories(&self.call.args).into_iter();
        own.extend(searched.map(|directory| format!("-Ldependency={directory}")));
        own
    }

    /// Returns the plan for another crate root of the package; `None` where the plan's call names no root.
    fn rooted_at(&self, root: &Utf8Path) -> Option<Self> {
        let mut plan = self.with_args(args::with_root(&self.call.args, root)?);
        let inner = root.strip_prefix(&self.inputs.tree).unwrap_or(root);
        plan.call.root = inner.to_owned();
        Some(plan)
    }

    /// Lets the plan read all files of the package.
    fn with_all_files(mut self) -> Result<Self, OracleError> {
        let files = all_files(&self.package_dir(), &self.inputs.tree)?;
        self.inputs.files.extend(files);
        Ok(self)
    }

    fn package_dir(&self) -> Utf8PathBuf {
        package_dir(&self.call.env, &self.inputs.tree.join(&self.call.cwd))
    }
}

/// Returns the crate root of an integration test, if an entry of the directory `tests` is one.
fn root_of_test(entry: Utf8PathBuf) -> Option<Utf8PathBuf> {
    match entry.is_dir() {
        true => Some(entry.join("main.rs")).filter(|root| root.is_file()),
        false => (entry.extension() == Some("rs")).then_some(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::testing::plan;
    use std::collections::BTreeMap;

    /// Makes a package with these files, and a plan for the test `tests/a.rs` in it.
    fn package(files: &[&str]) -> (tempfile::TempDir, Plan) {
        let dir = tempfile::tempdir().unwrap();
        let tree = Utf8Path::from_path(dir.path()).unwrap();
        for file in files {
            files::write_below(tree, Utf8Path::new(file), "").unwrap();
        }
        let args = "--crate-name a --test tests/a.rs --extern b=/d/libb.rlib --extern c=/d/libc.rlib -L dependency=/d";
        let args = args.split(' ').map(str::to_owned);
        let mut plan = plan(tree.as_str()).with_args(args.collect());
        plan.call.root = "tests/a.rs".into();
        let package = [("CARGO_PKG_NAME", "b"), ("CARGO_PKG_VERSION", "1.0.0")];
        let package = package.map(|(name, value)| (name.to_owned(), value.to_owned()));
        plan.call.env.extend(package);
        plan.call.env.remove("RUSTC_BOOTSTRAP");
        (dir, plan)
    }

    #[test]
    fn other_files_and_directories_with_a_main_are_integration_tests() {
        let files = [
            "src/lib.rs",
            "tests/a.rs",
            "tests/common/mod.rs",
            "tests/data.txt",
            "tests/f/main.rs",
            "tests/z.rs",
        ];
        let (_dir, plan) = package(&files);
        let found = plan.integration_tests_beside().unwrap();
        let roots: Vec<_> = found
            .iter()
            .map(|(one, _)| one.call.root.as_str())
            .collect();
        assert_eq!(roots, ["tests/f/main.rs", "tests/z.rs"]);
        let (z, _) = &found[1];
        let root = plan.inputs.tree.join("tests/z.rs");
        assert_eq!(z.call.args[3], root);
        assert_eq!(z.call.args[4..], plan.call.args[4..]);
        assert!(
            z.inputs
                .files
                .contains(Utf8Path::new("tests/common/mod.rs"))
        );
    }

    #[test]
    fn unit_tests_link_what_the_library_and_the_test_link_but_not_the_library() {
        let (_dir, plan) = package(&["src/lib.rs", "tests/a.rs"]);
        let tree = &plan.inputs.tree;
        files::write_below(tree, Utf8Path::new("deps/libe.rlib"), "").unwrap();
        let args = "--crate-name b src/lib.rs --crate-type lib --emit=metadata,link --cfg d";
        let mut unit = Unit {
            name: "b".to_owned(),
            package: "b".to_owned(),
            version: "1.0.0".to_owned(),
            edition: "2024".to_owned(),
            is_proc_macro: false,
            links_native: false,
            artifact: "/d/libb.rmeta".into(),
            args: args.split(' ').map(str::to_owned).collect(),
            env: BTreeMap::new(),
            root: tree.join("src/lib.rs"),
            cwd: tree.clone(),
            externs: vec![("e".to_owned(), Some(tree.join("deps/libe.rmeta")))],
            configuration: Vec::new(),
        };
        let texts = Sources::from([("src/lib.rs".into(), "switched".into())]);
        let found = plan
            .unit_tests_of(&unit, &texts, Features::Unstable)
            .unwrap()
            .unwrap();
        let line = "--crate-name b src/lib.rs --cfg d --test --emit=link --extern=e=TREE/deps/libe.rlib --extern=c=/d/libc.rlib -Ldependency=/d";
        assert_eq!(
            found.call.args.join(" "),
            line.replace("TREE", tree.as_str())
        );
        assert_eq!(found.call.env["RUSTC_BOOTSTRAP"], "1");
        assert_eq!(
            (found.call.root.as_str(), found.call.edition.as_str()),
            ("src/lib.rs", "2024")
        );
        assert_eq!(found.inputs.texts, texts);
        unit.package = "c".to_owned();
        let of_other = plan.unit_tests_of(&unit, &texts, Features::AsCalled);
        assert_eq!(of_other.unwrap(), None);
    }
}
