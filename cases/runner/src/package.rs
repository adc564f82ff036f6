//! A package in the work directory: a published crate, with the bug or without it, and a test.

use crate::case::{Case, Krate, Line, Origin, Target};
use crate::outcome::Outcome;
use crate::process::Run;
use crate::published::{
    LONGEST, cargo, copy_over, copy_published, published_manifest, source, write, write_manifest,
};
use anyhow::{Context, Result, ensure};
use reduce_syntax::tokens;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Table, Value};

/// How long cargo may take for another test, when all that it is linked with was compiled.
pub const LONGEST_AGAIN: Duration = Duration::from_secs(90);

/// Which of the two packages of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Without the bug: as it was published, or the next version.
    Right,
    /// With the bug: as it was published, if it has the bug itself.
    Faulty,
}

/// A package, or a workspace with it, that cargo can compile.
pub struct Package<'c> {
    case: &'c Case,
    variant: Variant,
    /// The root of the workspace.
    pub directory: PathBuf,
    /// Where its crates are compiled to. The right packages of all cases share one directory, and so do the
    /// faulty ones; with one for both, cargo would take the right library for the faulty one.
    target: PathBuf,
    /// The file of the test without any test of ours; empty for test targets.
    around: String,
    /// The test that the case starts with; `None` where it has none of its own.
    original: Option<String>,
}

impl<'c> Package<'c> {
    /// Makes the package anew: the crate, the files of the case, a bug that is put into it, the original test.
    pub fn make(case: &'c Case, variant: Variant, work: &Path) -> Result<Self> {
        let name = match variant {
            Variant::Right => "right",
            Variant::Faulty => "faulty",
        };
        let directory = work.join(&case.name).join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        let krate = match &case.krate.member {
            Some(member) => directory.join(member),
            None => directory.clone(),
        };
        let source = source(&crate_of(case, variant), work)?;
        copy_published(&source, &krate, &case.test.file)?;
        copy_over(&case.directory.join("files"), &directory)?;
        if let (Variant::Faulty, Origin::Put(line)) = (variant, &case.bug.origin) {
            put_bug(line, &krate)?;
        }
        let path = directory.join(&case.test.file);
        let published = fs::read_to_string(&path).ok();
        let (around, original) = match (case.test.target, case.test_text()?) {
            (Target::Test, Some(text)) => (String::new(), text),
            (Target::Test, None) => (String::new(), published.context("no `test.rs`")?),
            (_, text) => (
                published.context("the test's file is not there")?,
                text.context("no `test.rs`")?,
            ),
        };
        let package = Package {
            case,
            variant,
            directory,
            target: work.join("target").join(name),
            around,
            original: Some(original),
        };
        package.put_original()?;
        package.put_lock()?;
        Ok(package)
    }

    /// The same package, in which another case says where a test is put.
    pub fn with_case<'d>(&self, case: &'d Case) -> Package<'d> {
        Package {
            case,
            variant: self.variant,
            directory: self.directory.clone(),
            target: self.target.clone(),
            around: String::new(),
            original: None,
        }
    }

    /// Runs the test that the package has. In a file of its own there are no others beside a result, and
    /// what it is called does not matter.
    pub fn run(&self, is_original: bool) -> Result<Outcome> {
        let mut arguments = vec!["test".to_owned(), "--locked".to_owned()];
        arguments.extend(self.case.selection());
        arguments.extend(self.case.target());
        if is_original || self.case.test.target != Target::Test {
            arguments.push(self.case.test.filter.clone());
        }
        let longest = if is_original { LONGEST } else { LONGEST_AGAIN };
        let run = Run::cargo(&self.directory, &self.target).arguments(&arguments);
        Ok(Outcome::read(&run.run(longest)?, &self.case.test.file))
    }

    /// Puts the test of the case into the package, with the files beside it.
    pub fn put_original(&self) -> Result<()> {
        copy_over(&self.case.directory.join("files"), &self.directory)?;
        match &self.original {
            Some(original) => self.put(original),
            None => Ok(fs::remove_file(self.directory.join(&self.case.test.file))?),
        }
    }

    /// Puts other files of a test into the package.
    pub fn put_beside(&self, files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
        for (path, content) in files {
            write(&self.directory.join(path), content)?;
        }
        Ok(())
    }

    /// Puts a test in the place of the one that is there.
    pub fn put(&self, test: &str) -> Result<()> {
        let text = match &self.case.test.before {
            _ if self.case.test.target == Target::Test => test.to_owned(),
            None => format!("{}\n{test}", self.around),
            Some(before) => {
                let at = self.around.find(before);
                let at = at.with_context(|| format!("`{before}` is not in the file"))?;
                format!("{}{test}{}", &self.around[..at], &self.around[at..])
            }
        };
        write(&self.directory.join(&self.case.test.file), text.as_bytes())?;
        self.put_manifest(!has_test(test))
    }

    /// The test that the case starts with.
    pub fn original(&self) -> &str {
        self.original.as_deref().unwrap_or_default()
    }

    /// The manifests of the crate and of the package that has the test.
    fn put_manifest(&self, has_main: bool) -> Result<()> {
        let Some(member) = &self.case.krate.member else {
            let mut manifest = published_manifest(&self.directory)?;
            manifest.insert("workspace".to_owned(), Value::Table(Table::new()));
            return self.put_test_manifest(manifest, &self.directory, has_main);
        };
        let krate = self.directory.join(member);
        write_manifest(&published_manifest(&krate)?, &krate)?;
        let package = self
            .case
            .test
            .package
            .as_deref()
            .context("the test has a package")?;
        let own = self
            .case
            .directory
            .join("files")
            .join(package)
            .join("Cargo.toml");
        let manifest = toml::from_str(&fs::read_to_string(own)?)?;
        self.put_test_manifest(manifest, &self.directory.join(package), has_main)
    }

    /// The manifest of the package that has the test, with what the case adds. A test without `#[test]`
    /// has a `main`, and no harness.
    fn put_test_manifest(&self, mut manifest: Table, package: &Path, has_main: bool) -> Result<()> {
        merge(&mut manifest, &self.case.manifest);
        if self.case.test.target == Target::Test {
            let path = self.directory.join(&self.case.test.file);
            let path = path.strip_prefix(package)?.display().to_string();
            let mut target = Table::new();
            target.insert("name".to_owned(), self.case.test.name.clone().into());
            target.insert("path".to_owned(), path.into());
            target.insert("harness".to_owned(), (!has_main).into());
            manifest.insert("test".to_owned(), vec![Value::Table(target)].into());
        }
        write_manifest(&manifest, package)
    }

    /// The case's lock file for this version of the crate. A case that has none yet gets the one that cargo makes.
    fn put_lock(&self) -> Result<()> {
        let name = match (self.variant, &self.case.bug.origin) {
            (Variant::Right, Origin::Published { .. }) => "Cargo.good.lock",
            _ => "Cargo.lock",
        };
        let [kept, used] = [
            self.case.directory.join(name),
            self.directory.join("Cargo.lock"),
        ];
        if !kept.exists() {
            cargo(&self.directory, &["generate-lockfile"])?;
            fs::copy(&used, &kept)?;
        }
        fs::copy(&kept, &used)?;
        Ok(())
    }
}

/// The crate in the version that a variant is made from.
fn crate_of(case: &Case, variant: Variant) -> Krate {
    let mut krate = case.krate.clone();
    if let (Variant::Right, Origin::Published { good }) = (variant, &case.bug.origin) {
        krate.version.clone_from(good);
    }
    krate
}

/// Whether a text has a test of libtest, by the word `test` or `rstest` in an attribute, or in `proptest!`.
fn has_test(text: &str) -> bool {
    let all = tokens(text);
    let texts: Vec<&str> = all.iter().map(|token| &text[token.range()]).collect();
    let is_attribute = |at: usize| {
        let inside = texts[at..].iter().skip(2).take_while(|&&text| text != "]");
        inside.clone().any(|text| text.ends_with("test"))
    };
    let is_macro = |at: usize| matches!(texts[at], "proptest" | "quickcheck");
    (0..texts.len()).any(|at| match texts[at] {
        "#" => is_attribute(at),
        _ => is_macro(at) && texts.get(at + 1) == Some(&"!"),
    })
}

fn merge(into: &mut Table, other: &Table) {
    for (key, value) in other {
        match (into.get_mut(key), value) {
            (Some(Value::Table(into)), Value::Table(other)) => merge(into, other),
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

fn put_bug(line: &Line, krate: &Path) -> Result<()> {
    let path = krate.join(&line.file);
    let text = fs::read_to_string(&path)?;
    let text = with_bug(&text, line).with_context(|| path.display().to_string())?;
    fs::write(path, text)?;
    Ok(())
}

/// The text with the wrong line in place of the right one.
fn with_bug(text: &str, bug: &Line) -> Result<String> {
    let lines = text.split_inclusive('\n');
    let Some(line) = bug.number else {
        let count = text.matches(&bug.right).count();
        ensure!(
            count == 1,
            "`{}` occurs {count} times; give the line",
            bug.right
        );
        return Ok(text.replacen(&bug.right, &bug.wrong, 1));
    };
    let mut has_changed = false;
    let lines = lines.zip(1..).map(|(text, number)| {
        has_changed |= number == line && text.contains(&bug.right);
        match number == line {
            true => text.replacen(&bug.right, &bug.wrong, 1),
            false => text.to_owned(),
        }
    });
    let changed: String = lines.collect();
    ensure!(has_changed, "`{}` is not in line {line}", bug.right);
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug(number: Option<usize>) -> Line {
        Line {
            file: PathBuf::new(),
            number,
            right: "<".to_owned(),
            wrong: ">".to_owned(),
        }
    }

    #[test]
    fn a_bug_is_put_into_the_only_place_or_the_line_that_is_named() {
        assert_eq!(with_bug("a\nb < c\n", &bug(None)).unwrap(), "a\nb > c\n");
        assert_eq!(with_bug("a <\nb <\n", &bug(Some(2))).unwrap(), "a <\nb >\n");
    }

    #[test]
    fn a_bug_without_a_place_is_refused() {
        assert!(with_bug("a\n", &bug(None)).is_err());
        assert!(with_bug("a < b < c\n", &bug(None)).is_err());
        assert!(with_bug("a < b\nc\n", &bug(Some(2))).is_err());
    }

    #[test]
    fn a_test_is_known_by_its_attribute() {
        assert!(has_test("#[test]\nfn f() {}"));
        assert!(has_test(
            "#[tokio::test(flavor = \"current_thread\")] async fn f() {}"
        ));
        assert!(has_test("#[rstest] fn f() {}"));
        assert!(has_test("proptest! { }"));
        assert!(!has_test("#[derive(Debug)] struct A; fn main() { test() }"));
    }

    #[test]
    fn the_manifest_of_a_case_has_precedence() {
        let mut manifest: Table =
            toml::from_str("[package]\nname = 'a'\nedition = '2018'").unwrap();
        merge(
            &mut manifest,
            &toml::from_str("[package]\nedition = '2021'").unwrap(),
        );
        let expected: Table = toml::from_str("[package]\nname = 'a'\nedition = '2021'").unwrap();
        assert_eq!(manifest, expected);
    }
}
