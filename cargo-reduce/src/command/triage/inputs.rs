//! The inputs of a triage: files and packages that the user names one by one, by directory or by a list.

use crate::args::TriageArgs;
use crate::context::Context;
use crate::error::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{FileInput, Input, PackageInput};
use reduce_triage::{Listed, flags_at_top, key, read_list};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The names of directories in which no inputs are looked for, beside hidden ones.
const PASSED_OVER: [&str; 2] = ["target", "auxiliary"];

/// A file or a package that the user has given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TriageInput {
    /// The absolute path of the file, or of the package's directory.
    pub(super) path: Utf8PathBuf,
    /// The flags for rustc that were given with the input.
    pub(super) flags: Vec<String>,
    /// The edition of a file that asks for none.
    pub(super) edition: Option<String>,
    /// Whether the crash of the file is known: it is compared with, and makes no group.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_known: bool,
}

/// All inputs, and what is wrong with paths that are none.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) all: BTreeSet<TriageInput>,
    /// The reason why there is no input, by path.
    pub(super) refused: BTreeMap<Utf8PathBuf, String>,
}

impl Inputs {
    /// Finds the inputs that the arguments name.
    ///
    /// # Errors
    /// Where a list cannot be read.
    pub(super) fn of(args: &TriageArgs, context: &Context) -> Result<Self, CommandError> {
        let mut inputs = Self::default();
        let at = |path: &Utf8Path, flags: &[String], is_known| TriageInput {
            path: path.to_owned(),
            flags: [&args.rustc_args[..], flags].concat(),
            edition: args.edition.clone(),
            is_known,
        };
        for path in &args.inputs {
            inputs.add(at(&context.absolute(path), &[], false));
        }
        for list in &args.list {
            for Listed { path, flags } in listed(&context.absolute(list))? {
                inputs.add(at(&path, &flags, false));
            }
        }
        for directory in &args.known {
            inputs.add(at(&context.absolute(directory), &[], true));
        }
        Ok(inputs)
    }

    /// Adds what is at the path of an input: a file, a package, or what a directory has.
    fn add(&mut self, input: TriageInput) {
        let path = &input.path;
        let is_directory = path.is_dir();
        if is_directory && !path.join("Cargo.toml").is_file() {
            if let Err(error) = self.add_directory(&input) {
                self.refused.insert(path.to_owned(), error.to_string());
            }
        } else if is_directory || path.is_file() {
            self.all.insert(input);
        } else {
            let reason = "there is no such file or directory".to_owned();
            self.refused.insert(path.to_owned(), reason);
        }
    }

    fn add_directory(&mut self, directory: &TriageInput) -> io::Result<()> {
        for entry in directory.path.read_dir()? {
            let entry = entry?;
            let Ok(inner) = Utf8PathBuf::from_path_buf(entry.path()) else {
                let shown = Utf8PathBuf::from(entry.path().to_string_lossy().into_owned());
                self.refused
                    .insert(shown, "its name is no UTF-8".to_owned());
                continue;
            };
            let name = inner.file_name().unwrap_or_default();
            let is_passed_over = name.starts_with('.') || PASSED_OVER.contains(&name);
            let kind = entry.file_type()?;
            if kind.is_dir() && !is_passed_over || kind.is_file() && name.ends_with(".rs") {
                self.add(TriageInput {
                    path: inner,
                    ..directory.clone()
                });
            }
        }
        Ok(())
    }
}

fn listed(list: &Utf8Path) -> Result<Vec<Listed>, CommandError> {
    let text = std::fs::read_to_string(list)
        .map_err(|error| CommandError::bad_input(format!("failed to read `{list}`: {error}")))?;
    let directory = list.parent().unwrap_or(list);
    read_list(&text, directory).map_err(|error| {
        let line = error.line;
        CommandError::bad_input(format!("failed to read line {line} of `{list}`"))
            .hint("close the quotation mark")
    })
}

impl TriageInput {
    pub(super) fn is_package(&self) -> bool {
        self.path.is_dir()
    }

    /// The path as a person would write it in this directory.
    pub(super) fn name(&self, cwd: &Utf8Path) -> String {
        self.path
            .strip_prefix(cwd)
            .unwrap_or(&self.path)
            .to_string()
    }

    /// Returns the file as it is compiled, with the flags that comments at its top ask for. Flags of the user count more.
    pub(super) fn file(&self) -> FileInput {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let mut file = FileInput {
            path: self.path.clone(),
            rustc_args: self.flags.clone(),
            ..FileInput::default()
        };
        file.add_default_args(&flags_at_top(&text));
        let has_edition = file
            .rustc_args
            .iter()
            .any(|arg| arg.starts_with("--edition"));
        let asks = text
            .lines()
            .any(|line| line.trim_start().starts_with("//@ edition"));
        file.edition = self.edition.clone().filter(|_| !has_edition && !asks);
        file
    }

    /// Returns the package as the input of a reduction.
    pub(super) fn package(&self) -> Input {
        Input::Package(PackageInput {
            manifest_path: Some(self.path.join("Cargo.toml")),
            rustc_args: self.flags.clone(),
            ..PackageInput::default()
        })
    }

    /// Returns digits that depend on the sources of a package, its manifests and its flags.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub(super) fn key_of_package(&self) -> io::Result<String> {
        let mut waiting = vec![self.path.clone()];
        let mut files = BTreeMap::new();
        while let Some(directory) = waiting.pop() {
            for entry in directory.read_dir_utf8()? {
                let entry = entry?;
                let name = entry.file_name();
                let kind = entry.file_type()?;
                let is_source = [".rs", ".toml", ".lock"]
                    .iter()
                    .any(|end| name.ends_with(end));
                if kind.is_dir() && name != "target" && name != ".git" {
                    waiting.push(entry.path().to_owned());
                } else if kind.is_file() && is_source {
                    files.insert(entry.path().to_owned(), std::fs::read(entry.path())?);
                }
            }
        }
        let all = serde_json::to_string(&(files, self)).map_err(io::Error::from)?;
        Ok(key(&[&all]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::tree;

    fn input(path: &Utf8Path, flag: &str) -> TriageInput {
        TriageInput {
            path: path.to_owned(),
            flags: vec![flag.to_owned()],
            edition: Some("2021".to_owned()),
            is_known: false,
        }
    }

    #[test]
    fn files_and_packages_of_a_directory_are_found_and_paths_of_nothing_are_named() {
        let (_temp, root) = tree(&[
            ("a.rs", ""),
            ("sub/b.rs", ""),
            ("sub/auxiliary/c.rs", ""),
            ("package/Cargo.toml", ""),
            ("package/src/lib.rs", ""),
            ("notes.txt", ""),
            (".hidden/d.rs", ""),
        ]);
        let mut inputs = Inputs::default();
        inputs.add(input(&root, "-Zx"));
        inputs.add(input(&root.join("none.rs"), "-Zx"));
        let found: Vec<_> = inputs.all.iter().map(|input| input.name(&root)).collect();
        assert_eq!(found, ["a.rs", "package", "sub/b.rs"]);
        assert!(inputs.all.iter().all(|input| input.flags == ["-Zx"]));
        assert_eq!(inputs.refused.len(), 1);
    }

    #[test]
    fn the_edition_of_all_files_is_not_that_of_a_file_which_asks_for_one() {
        let (_temp, root) = tree(&[
            ("a.rs", "//@ edition: 2018\n"),
            ("b.rs", "// edition:2015\n// compile-flags: -Zy\n"),
            ("c.rs", ""),
        ]);
        let file = |name: &str| {
            let file = input(&root.join(name), "-Zx").file();
            (file.edition, file.rustc_args)
        };
        assert_eq!(file("a.rs").0, None);
        let (edition, args) = file("b.rs");
        assert_eq!(edition, None);
        assert_eq!(args, ["--edition=2015", "-Zy", "-Zx"]);
        assert_eq!(file("c.rs").0.as_deref(), Some("2021"));
    }

    #[test]
    fn a_package_that_is_edited_has_another_key() {
        let (_temp, root) = tree(&[("Cargo.toml", ""), ("src/lib.rs", ""), ("target/x.rs", "")]);
        let input = input(&root, "-Zx");
        let before = input.key_of_package().unwrap();
        std::fs::write(root.join("target/x.rs"), "fn f() {}").unwrap();
        assert_eq!(input.key_of_package().unwrap(), before);
        std::fs::write(root.join("src/lib.rs"), "fn f() {}").unwrap();
        assert_ne!(input.key_of_package().unwrap(), before);
    }
}
