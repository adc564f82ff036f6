//! A case as its directory describes it: a crate of the registry, a bug, and a test that it fails.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A case: `case.toml`, and where it was read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The directory's name.
    #[serde(skip)]
    pub name: String,
    /// The directory.
    #[serde(skip)]
    pub directory: PathBuf,
    /// The crate under test.
    #[serde(rename = "crate")]
    pub krate: Krate,
    /// What is wrong with it.
    pub bug: Bug,
    /// The test that fails.
    pub test: Test,
    /// What the manifest has besides that of the published package.
    #[serde(default)]
    pub manifest: toml::Table,
}

/// A crate of the registry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Krate {
    /// Its name there.
    pub name: String,
    /// Its exact version.
    pub version: String,
    /// Features to activate.
    #[serde(default)]
    pub features: Vec<String>,
    /// Whether the feature `default` stays off.
    #[serde(default)]
    pub no_default_features: bool,
    /// Where it stands in a workspace that `files` holds; without it, it is the whole workspace.
    pub member: Option<PathBuf>,
}

/// What is wrong with the crate, and where the right one comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "BugTable")]
pub struct Bug {
    /// What kind of mistake it is.
    pub kind: String,
    /// The operator of `crates/mutants` that makes the right line of the wrong one, if there is one.
    pub undone_by: Option<String>,
    /// How the faulty package differs from the right one.
    pub origin: Origin,
    /// The difference in other forms that it may have in a result.
    pub forms: Vec<Form>,
}

/// How the faulty package differs from the right one.
#[derive(Debug, Clone)]
pub enum Origin {
    /// We have put a bug into the published crate.
    Put(Line),
    /// The published crate has the bug, and this next version does not.
    Published {
        /// The next version.
        good: String,
    },
}

/// A change of one line.
#[derive(Debug, Clone)]
pub struct Line {
    /// The file, from the root of the crate.
    pub file: PathBuf,
    /// The line, counted from 1, where `right` occurs more than once.
    pub number: Option<usize>,
    /// What stands there in the published crate.
    pub right: String,
    /// What takes its place.
    pub wrong: String,
}

/// The table `[bug]`: with `good`, or with `file`, `right` and `wrong`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BugTable {
    kind: String,
    undone_by: Option<String>,
    good: Option<String>,
    file: Option<PathBuf>,
    line: Option<usize>,
    right: Option<String>,
    wrong: Option<String>,
    #[serde(default)]
    forms: Vec<Form>,
}

impl TryFrom<BugTable> for Bug {
    type Error = &'static str;

    fn try_from(table: BugTable) -> Result<Self, Self::Error> {
        let is_long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains('\n'));
        if is_long(&table.right) || is_long(&table.wrong) {
            return Err("a bug that is put into the crate is one line");
        }
        let origin = match (table.good, table.file, table.right, table.wrong) {
            (Some(good), None, None, None) if table.line.is_none() => Origin::Published { good },
            (None, Some(file), Some(right), Some(wrong)) => Origin::Put(Line {
                file,
                number: table.line,
                right,
                wrong,
            }),
            _ => return Err("a bug has `good`, or else `file`, `right` and `wrong`"),
        };
        Ok(Self {
            kind: table.kind,
            undone_by: table.undone_by,
            origin,
            forms: table.forms,
        })
    }
}

/// A line with what it calls in place of the call, or with what stands for something that the test does not need.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Of the right line.
    pub right: String,
    /// Of the wrong one.
    pub wrong: String,
}

impl Bug {
    /// The forms that the change may have in a result, as wrong and right texts.
    pub fn forms(&self) -> impl Iterator<Item = (&str, &str)> {
        let line = match &self.origin {
            Origin::Put(line) => Some((&*line.wrong, &*line.right)),
            Origin::Published { .. } => None,
        };
        let others = self.forms.iter();
        let others = others.map(|form| (&*form.wrong, &*form.right));
        line.into_iter().chain(others)
    }
}

/// Which test fails, and where its text stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// What is special about the test.
    pub kind: String,
    /// On what kind of long setup the expected value depends, if it does.
    pub setup: Option<String>,
    /// The package that the test belongs to, if there are several.
    pub package: Option<String>,
    /// The kind of cargo's target.
    pub target: Target,
    /// The target's name; absent for libraries and doc tests.
    #[serde(default)]
    pub name: String,
    /// The test's path.
    pub filter: String,
    /// The file that has the test, from the root of the workspace.
    pub file: PathBuf,
    /// The line before which the text is inserted; without it, it is appended to a library.
    pub before: Option<String>,
    /// Whether values of the failure may change.
    #[serde(default)]
    pub answer: Answer,
}

/// The kind of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// A file of its own.
    Test,
    /// A unit test in the library.
    Lib,
    /// An example in the documentation of the library.
    Doc,
}

/// Where the right answer comes from, and with it what must be the same in the result's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Answer {
    /// It belongs to the whole setup: message and values stay.
    #[default]
    #[serde(rename = "setup")]
    Setup,
    /// It is computed from the input: the values may change.
    #[serde(rename = "input")]
    Input,
    /// The code under test panics whatever is expected: the numbers of the message may change.
    #[serde(rename = "panic inside")]
    PanicInside,
}

impl Case {
    /// Reads the case in a directory.
    pub fn read(directory: &Path) -> Result<Self> {
        let path = directory.join("case.toml");
        let text = fs::read_to_string(&path)
            .with_context(|| format!("failed to read `{}`", path.display()))?;
        let mut case: Case =
            toml::from_str(&text).with_context(|| format!("`{}`", path.display()))?;
        let name = directory.file_name().context("a case has a name")?;
        case.name = name.to_string_lossy().into_owned();
        case.directory = directory.to_owned();
        Ok(case)
    }

    /// All cases in a directory, by name.
    pub fn read_all(directory: &Path) -> Result<Vec<Self>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.join("case.toml").exists() {
                paths.push(path);
            }
        }
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    /// The test as a developer of the crate has written it; `None` if the published package has it.
    pub fn test_text(&self) -> Result<Option<String>> {
        let path = self.directory.join("test.rs");
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(fs::read_to_string(path)?))
    }

    /// The test as a person reduces it by hand.
    pub fn person_text(&self) -> Result<String> {
        let path = self.directory.join("person.rs");
        fs::read_to_string(&path).with_context(|| format!("failed to read `{}`", path.display()))
    }

    /// The case of a result that is a file of its own beside the test, and not put in its place: a doc test
    /// that became a plain one, or a test that has the code under test in it.
    pub fn beside_test(&self) -> Self {
        let mut case = self.clone();
        let package = self.test.package.as_deref().unwrap_or_default();
        case.test.target = Target::Test;
        case.test.name = "reduced".to_owned();
        case.test.file = Path::new(package).join("tests/reduced.rs");
        case
    }

    /// Arguments that select package and features, for cargo and cargo-reduce.
    pub fn selection(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(package) = &self.test.package {
            arguments.extend(["-p".to_owned(), package.clone()]);
        }
        if self.krate.no_default_features {
            arguments.push("--no-default-features".to_owned());
        }
        if !self.krate.features.is_empty() {
            arguments.extend(["--features".to_owned(), self.krate.features.join(",")]);
        }
        arguments
    }

    /// Arguments that select the target, for cargo and cargo-reduce.
    pub fn target(&self) -> Vec<String> {
        match self.test.target {
            Target::Test => vec!["--test".to_owned(), self.test.name.clone()],
            Target::Lib => vec!["--lib".to_owned()],
            Target::Doc => vec!["--doc".to_owned()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_put_into_a_line_or_mended_by_the_next_version() {
        let bug = |text: &str| toml::from_str::<Bug>(&format!("kind = 'k'\n{text}"));
        let put = bug("file = 'a.rs'\nright = '<'\nwrong = '>'").unwrap();
        assert_eq!(put.forms().collect::<Vec<_>>(), [(">", "<")]);
        let published = bug("good = '1.2.4'").unwrap();
        assert!(matches!(&published.origin, Origin::Published { good } if good == "1.2.4"));
        assert_eq!(published.forms().count(), 0);
        let with_form = bug("good = '1.2.4'\nforms = [{ right = '<', wrong = '>' }]").unwrap();
        assert_eq!(with_form.forms().collect::<Vec<_>>(), [(">", "<")]);
    }

    #[test]
    fn a_bug_that_is_put_and_published_or_neither_is_refused() {
        let bug = |text: &str| toml::from_str::<Bug>(&format!("kind = 'k'\n{text}"));
        assert!(bug("").is_err());
        assert!(bug("file = 'a.rs'\nright = '<'").is_err());
        assert!(bug("good = '1.2.4'\nright = '<'\nwrong = '>'").is_err());
        assert!(bug("file = 'a.rs'\nright = 'a\\nb'\nwrong = '>'").is_ok());
        assert!(bug("file = 'a.rs'\nright = \"a\\nb\"\nwrong = '>'").is_err());
    }
}
