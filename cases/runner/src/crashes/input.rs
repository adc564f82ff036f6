//! The input of a reduction in the work directory: a file, or a package with a crash put into it.

use super::source::{CrashCase, Goal, Graft, PackageCase, Source, Verb};
use crate::case::Krate;
use crate::process::{Ended, Run};
use crate::published::{
    LONGEST, cargo, copy_over, copy_published, published_manifest, source, write, write_manifest,
};
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Where the input of a case is.
pub struct Input {
    /// The directory: the package, or what has the file.
    pub directory: PathBuf,
    target: PathBuf,
}

/// The file of a program.
const FILE: &str = "program.rs";

impl Input {
    /// Makes it anew.
    pub fn make(case: &CrashCase, work: &Path) -> Result<Self> {
        let directory = work.join("crashes").join(&case.name);
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        match &case.source {
            Source::Program(text) => write(&directory.join(FILE), text.as_bytes())?,
            Source::Package(package) => make_package(package, &directory, work)?,
        }
        Ok(Input {
            directory,
            target: work.join("target/crashes"),
        })
    }

    /// What selects the input and what is asked for, for cargo-reduce.
    pub fn arguments(&self, case: &CrashCase) -> Vec<String> {
        let mut arguments = match &case.goal {
            Goal::Error(code) => vec!["--error".to_owned(), code.clone()],
            Goal::Crash => vec!["--ice".to_owned()],
        };
        match &case.source {
            Source::Package(package) => arguments.extend(selection(package)),
            Source::Program(_) => {
                let fixed = [FILE, "--edition", "2021", "--", "--crate-type=lib"];
                arguments.extend(fixed.map(str::to_owned));
                arguments.extend(case.flags.iter().cloned());
            }
        }
        arguments
    }

    /// A program that is run beside the input. For a file, all that its compiler needs is set.
    pub fn program(&self, case: &CrashCase, program: &Path) -> Run {
        let run = Run::program(program, &self.directory);
        match case.source {
            Source::Program(_) if case.goal == Goal::Crash => {
                run.variable("RUSTC_BOOTSTRAP", Path::new("1"))
            }
            _ => run,
        }
    }

    /// Refuses an input that does not fail as the case says, or that fails earlier.
    pub fn check(&self, case: &CrashCase) -> Result<()> {
        let Source::Package(package) = &case.source else {
            return self.check_file(case, FILE, "the program");
        };
        let checked = self.cargo("check", package)?;
        if package.crash.shows == Verb::Check {
            return expect_failure(case, &checked, "`cargo check`");
        }
        ensure!(checked.is_success, "`cargo check` fails already");
        expect_failure(case, &self.cargo("build", package)?, "`cargo build`")
    }

    /// Refuses a person's version that does not fail as the case does.
    pub fn check_person(&self, case: &CrashCase, text: &str) -> Result<()> {
        let scratch = self.directory.with_extension("person");
        write(&scratch.join("person.rs"), text.as_bytes())?;
        let path = scratch.join("person.rs");
        self.check_file(case, &path.display().to_string(), "the person's version")
    }

    fn check_file(&self, case: &CrashCase, file: &str, what: &str) -> Result<()> {
        let object = self.directory.with_extension("o");
        let fixed = ["--edition", "2021", "--crate-type", "lib", "--emit", "obj"];
        let run = Run::program(Path::new("rustc"), &self.directory)
            .arguments(&fixed)
            .arguments(&[OsStr::new("-o"), object.as_os_str(), OsStr::new(file)])
            .arguments(&case.flags);
        let run = match case.goal {
            Goal::Crash => run.variable("RUSTC_BOOTSTRAP", Path::new("1")),
            Goal::Error(_) => run,
        };
        expect_failure(case, &run.run(LONGEST)?, what)
    }

    fn cargo(&self, verb: &str, package: &PackageCase) -> Result<Ended> {
        let run = Run::cargo(&self.directory, &self.target);
        let run = run.arguments(&[verb, "--locked"]);
        run.arguments(&selection(package)).run(LONGEST)
    }
}

fn expect_failure(case: &CrashCase, ended: &Ended, what: &str) -> Result<()> {
    ensure!(!ended.is_success && !ended.is_late, "{what} does not fail");
    let is_crash = ended.stderr.contains("internal compiler error");
    if is_crash != (case.goal == Goal::Crash) || !ended.stderr.contains(&case.says) {
        bail!("{what} fails in another way:\n{}", ended.stderr);
    }
    Ok(())
}

fn make_package(package: &PackageCase, directory: &Path, work: &Path) -> Result<()> {
    if let Some(krate) = &package.krate {
        put_published(krate, package.members.is_empty(), directory, work)?;
    }
    for member in &package.members {
        put_published(member, false, directory, work)?;
    }
    if !package.members.is_empty() {
        write_manifest(&workspace(package)?, directory)?;
    }
    copy_over(&package.directory.join("files"), directory)?;
    for graft in &package.grafts {
        put(graft, directory).with_context(|| graft.file.display().to_string())?;
    }
    write(
        &directory.join(".cargo/config.toml"),
        config(&package.crash.flags)?.as_bytes(),
    )?;
    put_lock(package, directory)
}

/// Copies a published crate to its place, which is the workspace itself or one of its members.
fn put_published(krate: &Krate, is_workspace: bool, directory: &Path, work: &Path) -> Result<()> {
    let directory = match is_workspace {
        true => directory.to_owned(),
        false => directory.join(place(krate)),
    };
    let source = source(krate, work)?;
    copy_published(&source, &directory, Path::new("none"))?;
    if !is_workspace {
        // The documentation of a member may include one.
        copy_over(&source.join("examples"), &directory.join("examples"))?;
    }
    let mut manifest = published_manifest(&directory)?;
    if is_workspace {
        manifest.insert("workspace".to_owned(), Value::Table(Table::new()));
    }
    write_manifest(&manifest, &directory)
}

/// Where a member of a workspace stands in it.
fn place(krate: &Krate) -> PathBuf {
    let member = krate.member.clone();
    member.unwrap_or_else(|| Path::new("crates").join(&krate.name))
}

/// The manifest of a workspace in which all members depend on each other and not on the registry's.
fn workspace(package: &PackageCase) -> Result<Table> {
    let mut members = Vec::new();
    let mut patched = Table::new();
    for krate in package.krate.iter().chain(&package.members) {
        let place = place(krate);
        let place = place.to_str().context("a path is UTF-8")?;
        members.push(Value::from(place));
        let path = Table::from_iter([("path".to_owned(), Value::from(place))]);
        patched.insert(krate.name.clone(), Value::Table(path));
    }
    let workspace = [
        ("members".to_owned(), Value::Array(members)),
        ("resolver".to_owned(), "2".into()),
    ];
    let patch = [("crates-io".to_owned(), Value::Table(patched))];
    Ok(Table::from_iter([
        (
            "workspace".to_owned(),
            Value::Table(Table::from_iter(workspace)),
        ),
        ("patch".to_owned(), Value::Table(Table::from_iter(patch))),
    ]))
}

/// Arguments that select package and features, for cargo and cargo-reduce.
fn selection(package: &PackageCase) -> Vec<String> {
    let mut arguments = Vec::new();
    let Some(krate) = &package.krate else {
        return arguments;
    };
    if !package.members.is_empty() {
        arguments.extend(["-p".to_owned(), krate.name.clone()]);
    }
    if krate.no_default_features {
        arguments.push("--no-default-features".to_owned());
    }
    if !krate.features.is_empty() {
        arguments.extend(["--features".to_owned(), krate.features.join(",")]);
    }
    arguments
}

/// Settings of cargo by which the crash shows.
fn config(flags: &[String]) -> Result<String> {
    let table = |key: &str, value: Value| Value::Table(Table::from_iter([(key.to_owned(), value)]));
    let mut config = Table::new();
    config.insert("env".to_owned(), table("RUSTC_BOOTSTRAP", "1".into()));
    config.insert(
        "build".to_owned(),
        table("rustflags", flags.to_vec().into()),
    );
    Ok(toml::to_string(&config)?)
}

/// The case's lock file. A case that has none yet gets the one that cargo makes.
fn put_lock(package: &PackageCase, directory: &Path) -> Result<()> {
    let [kept, used] = [&package.directory, directory].map(|it| it.join("Cargo.lock"));
    if !kept.exists() {
        cargo(directory, &["generate-lockfile"])?;
        fs::copy(&used, &kept)?;
    }
    copy_over(&kept, &used)
}

fn put(graft: &Graft, directory: &Path) -> Result<()> {
    let path = directory.join(&graft.file);
    let text = match path.exists() {
        true => fs::read_to_string(&path)?,
        false => String::new(),
    };
    write(&path, grafted(&text, graft)?.as_bytes())
}

fn grafted(text: &str, graft: &Graft) -> Result<String> {
    let (place, kept) = match (&graft.replaces, &graft.after) {
        (Some(replaced), None) => (replaced, ""),
        (None, Some(before)) => (before, before.as_str()),
        (None, None) => return Ok(format!("{text}{}", graft.text)),
        (Some(_), Some(_)) => bail!("it cannot both replace a text and come after one"),
    };
    let count = text.matches(place.as_str()).count();
    ensure!(count == 1, "`{place}` occurs {count} times");
    Ok(text.replacen(place.as_str(), &format!("{kept}{}", graft.text), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graft(replaces: Option<&str>, after: Option<&str>) -> Graft {
        Graft {
            file: PathBuf::new(),
            replaces: replaces.map(str::to_owned),
            after: after.map(str::to_owned),
            text: "+".to_owned(),
        }
    }

    #[test]
    fn a_text_is_put_in_a_place_that_occurs_once() {
        assert_eq!(grafted("abc", &graft(Some("b"), None)).unwrap(), "a+c");
        assert_eq!(grafted("abc", &graft(None, Some("b"))).unwrap(), "ab+c");
        assert_eq!(grafted("abc", &graft(None, None)).unwrap(), "abc+");
    }

    #[test]
    fn a_place_that_is_not_there_or_not_the_only_one_is_refused() {
        assert!(grafted("abc", &graft(Some("d"), None)).is_err());
        assert!(grafted("abb", &graft(None, Some("b"))).is_err());
        assert!(grafted("abc", &graft(Some("a"), Some("b"))).is_err());
    }

    fn package(rest: &str) -> PackageCase {
        let crash = "[crash]\nkind = 'k'\nshows = 'check'\nsays = 's'\n";
        toml::from_str(&format!("{crash}{rest}")).unwrap()
    }

    const FIRST: &str = "[crate]\nname = 'a'\nversion = '1.0.0'\nfeatures = ['x', 'y']\n";
    const SECOND: &str = "[[member]]\nname = 'b'\nversion = '1.0.0'\n";

    #[test]
    fn a_crate_with_members_is_selected_by_its_name() {
        assert!(selection(&package("")).is_empty());
        assert_eq!(selection(&package(FIRST)), ["--features", "x,y"]);
        let both = package(&format!("{FIRST}{SECOND}"));
        assert_eq!(selection(&both), ["-p", "a", "--features", "x,y"]);
    }

    #[test]
    fn the_members_of_a_workspace_take_the_place_of_the_published_crates() {
        let workspace = workspace(&package(&format!("{FIRST}{SECOND}"))).unwrap();
        let members = vec!["crates/a", "crates/b"];
        assert_eq!(workspace["workspace"]["members"], members.into());
        let patched = &workspace["patch"]["crates-io"];
        assert_eq!(patched["b"]["path"], "crates/b".into());
    }

    #[test]
    fn the_flags_of_a_crash_are_settings_of_cargo() {
        let config = config(&["-Zsome".to_owned()]).unwrap();
        assert!(config.contains("rustflags = [\"-Zsome\"]"), "{config}");
        assert!(config.contains("RUSTC_BOOTSTRAP = \"1\""), "{config}");
    }
}
