//! The cases as `cases/crashes` describes them: programs, programs that are generated, and packages.

use super::generated;
use crate::case::Krate;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A program or a package, and how it fails.
#[derive(Debug)]
pub struct CrashCase {
    /// Its name: that of the file or directory, and for programs what is asked for.
    pub name: String,
    /// What it is, for people.
    pub kind: String,
    /// Where the failing code comes from.
    pub source: Source,
    /// What is asked for.
    pub goal: Goal,
    /// A text of the failure that stays.
    pub says: String,
    /// Flags for rustc without which it does not fail.
    pub flags: Vec<String>,
    /// Where the version is that a person reduced by hand.
    pub person: PathBuf,
    /// Whether it is one of the large programs, of which the table says more.
    pub is_large: bool,
}

/// What cargo-reduce is asked to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// An error with this code.
    Error(String),
    /// A crash.
    Crash,
}

/// Where the failing code comes from.
#[derive(Debug)]
pub enum Source {
    /// One file of this text.
    Program(String),
    /// A package.
    Package(Box<PackageCase>),
}

/// A crate of the registry with a crash put into it, or a package of our own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageCase {
    /// The directory of the case.
    #[serde(skip)]
    pub directory: PathBuf,
    /// The crate; without it, the package is in `files`.
    #[serde(rename = "crate")]
    pub krate: Option<Krate>,
    /// Other crates of the registry that are members of the same workspace. Where there are any, the crate stands
    /// where its own `member` says.
    #[serde(default, rename = "member")]
    pub members: Vec<Krate>,
    /// How it fails.
    pub crash: Crash,
    /// What is put into it.
    #[serde(default, rename = "graft")]
    pub grafts: Vec<Graft>,
}

/// How a package fails.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// What kind of crash it is.
    pub kind: String,
    /// The first command of cargo that shows it.
    pub shows: Verb,
    /// A text of the compiler's message.
    pub says: String,
    /// The code of the error that is asked for; without it, the failure is a crash.
    pub error: Option<String>,
    /// Flags for rustc without which it does not crash.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// A command of cargo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// Type checking.
    Check,
    /// Everything.
    Build,
}

/// A text that is put into a file. Without a place it is appended; a file that is not there is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graft {
    /// The file, from the root of the package.
    pub file: PathBuf,
    /// The only place of this text is replaced.
    pub replaces: Option<String>,
    /// The text is put after the only place of this one.
    pub after: Option<String>,
    /// What is put there.
    pub text: String,
}

/// The entry of a program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    error: String,
    style: String,
}

/// Makes the first error a crash.
const ERRORS_CRASH: &str = "-Ztreat-err-as-bug=1";

impl CrashCase {
    /// All cases in a directory.
    pub fn read_all(directory: &Path) -> Result<Vec<Self>> {
        let mut cases = programs(&directory.join("programs"))?;
        cases.extend(generated_programs(&directory.join("generated")));
        cases.extend(packages(&directory.join("crates"), false)?);
        cases.extend(packages(&directory.join("large"), true)?);
        Ok(cases)
    }
}

/// Each program is there twice: its error, and the same as a crash.
fn programs(directory: &Path) -> Result<Vec<CrashCase>> {
    let listed = fs::read_to_string(directory.join("programs.toml"))?;
    let listed: BTreeMap<String, Program> = toml::from_str(&listed)?;
    let mut cases = Vec::new();
    for (name, program) in listed {
        let path = directory.join(format!("{name}.rs"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for goal in [Goal::Error(program.error.clone()), Goal::Crash] {
            let (end, flags) = match goal {
                Goal::Error(_) => ("error", vec![]),
                Goal::Crash => ("crash", vec![ERRORS_CRASH.to_owned()]),
            };
            cases.push(CrashCase {
                name: format!("{name}-{end}"),
                kind: program.style.clone(),
                source: Source::Program(text.clone()),
                goal,
                says: format!("error[{}]", program.error),
                flags,
                person: directory.join(format!("{name}.person.rs")),
                is_large: false,
            });
        }
    }
    Ok(cases)
}

fn generated_programs(directory: &Path) -> Vec<CrashCase> {
    let programs = generated::all();
    let cases = programs.map(|program| CrashCase {
        name: program.name.to_owned(),
        kind: program.kind.to_owned(),
        source: Source::Program(program.text),
        goal: Goal::Crash,
        says: program.says.to_owned(),
        flags: vec![ERRORS_CRASH.to_owned()],
        person: directory.join(format!("{}.person.rs", program.name)),
        is_large: false,
    });
    cases.into()
}

fn packages(directory: &Path, are_large: bool) -> Result<Vec<CrashCase>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut cases = Vec::new();
    for path in &paths {
        cases.push(package(path, are_large)?);
    }
    Ok(cases)
}

fn package(directory: &Path, is_large: bool) -> Result<CrashCase> {
    let path = directory.join("case.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut package: PackageCase =
        toml::from_str(&text).with_context(|| path.display().to_string())?;
    package.directory = directory.to_owned();
    let name = directory.file_name().context("a case has a name")?;
    Ok(CrashCase {
        name: name.to_string_lossy().into_owned(),
        kind: package.crash.kind.clone(),
        goal: match &package.crash.error {
            Some(code) => Goal::Error(code.clone()),
            None => Goal::Crash,
        },
        says: package.crash.says.clone(),
        flags: package.crash.flags.clone(),
        person: directory.join("person.rs"),
        is_large,
        source: Source::Package(Box::new(package)),
    })
}
