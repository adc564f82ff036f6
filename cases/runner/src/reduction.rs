//! A call of cargo-reduce, and what it delivers. Only this file knows the form of the result.

use crate::case::{Case, Target};
use crate::outcome::Outcome;
use crate::process::Run;
use crate::published::{copy_over, write};
use anyhow::{Context, Result, bail};
use reduce_syntax::TokenCursor;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How faithful the result has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The test alone.
    Default,
    /// The code under test too.
    Whole,
    /// The test, where the right package is known.
    Good,
    /// Anything that fails in the same way.
    Free,
}

impl Mode {
    /// The mode of a name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Mode::Default),
            "whole" => Some(Mode::Whole),
            "good" => Some(Mode::Good),
            "free" => Some(Mode::Free),
            _ => None,
        }
    }

    fn arguments(self, right: &Path) -> Vec<String> {
        match self {
            Mode::Default => vec![],
            Mode::Whole => vec!["--whole".to_owned()],
            Mode::Good => vec!["--good".to_owned(), right.display().to_string()],
            Mode::Free => vec!["--free".to_owned()],
        }
    }
}

/// Where programs and directories are.
pub struct Surroundings {
    /// The program under test.
    pub cargo_reduce: PathBuf,
    /// Where all is written.
    pub work: PathBuf,
    /// How long a reduction may take.
    pub longest: Duration,
}

/// What each call of cargo-reduce has, before the path of its output: no state of other runs, and no other
/// run beside it.
pub const FIXED: [&str; 6] = [
    "--no-daemon",
    "--no-cache",
    "--jobs",
    "1",
    "--force",
    "--output",
];

/// A test that goes into the package.
#[derive(Debug, Clone)]
pub struct ReducedTest {
    /// Its text: a file for `tests`, or what is pasted into the library.
    pub text: String,
    /// Other files of the test, from the root of the workspace.
    pub beside: Vec<(PathBuf, Vec<u8>)>,
    /// How it is run by itself, if it needs no package.
    pub alone: Option<Standalone>,
    /// Whether the test ends at an earlier value than the original does, so that it fails with other values.
    pub expects_anew: bool,
}

/// A program that has the code under test in it, or the crates that are linked to it beside it. The package would compile it with
/// other crates and lints.
#[derive(Debug, Clone)]
pub struct Standalone {
    /// Where it is, with its crates.
    directory: PathBuf,
    /// Its file in that directory.
    file: PathBuf,
    /// What compiles and runs it there.
    command: String,
}

impl Standalone {
    /// Runs a text in the place of the result, in a copy of its directory at `scratch`.
    pub fn run(&self, text: &str, scratch: &Path, longest: Duration) -> Result<Outcome> {
        if scratch.exists() {
            fs::remove_dir_all(scratch)?;
        }
        copy_over(&self.directory, scratch)?;
        write(&scratch.join(&self.file), text.as_bytes())?;
        let run = Run::program(Path::new("sh"), scratch).arguments(&["-c", &self.command]);
        Ok(Outcome::read(&run.run(longest)?, &self.file))
    }
}

impl ReducedTest {
    /// The same with another text.
    pub fn with_text(&self, text: String) -> Self {
        Self {
            text,
            ..self.clone()
        }
    }
}

/// What a reduction delivered.
#[derive(Debug)]
pub struct Reduction {
    /// The test.
    pub test: ReducedTest,
    /// How many queries it took, if the program says so.
    pub queries: Option<u64>,
    /// How many seconds it took, by our own clock.
    pub seconds: f64,
    /// Whether it was interrupted, so that the text is only the best until then.
    pub is_late: bool,
}

impl Reduction {
    /// Reduces the test of a case.
    pub fn run(
        case: &Case,
        mode: Mode,
        [right, faulty]: [&Path; 2],
        surroundings: &Surroundings,
    ) -> Result<Self> {
        let output = output(case, surroundings);
        let mut arguments = vec!["reduce".to_owned()];
        arguments.extend(case.target());
        arguments.push(case.test.filter.clone());
        arguments.extend(case.selection());
        arguments.extend(mode.arguments(right));
        arguments.extend(FIXED.map(str::to_owned));
        arguments.push(output.display().to_string());
        if output.exists() {
            fs::remove_dir_all(&output)?;
        }
        let started = Instant::now();
        let home = surroundings.work.join("home");
        let ended = Run::program(&surroundings.cargo_reduce, faulty)
            .arguments(&arguments)
            .variable("CARGO_REDUCE_HOME", &home)
            .run(surroundings.longest)?;
        let seconds = started.elapsed().as_secs_f64();
        let logged = format!("{}\n{}", ended.stdout, ended.stderr);
        fs::write(
            surroundings.work.join(&case.name).join("reduction.log"),
            logged,
        )?;
        if !ended.is_success && !ended.is_late {
            bail!("`cargo-reduce` failed: {}", last_error(&ended.stderr));
        }
        let delivered = read(&output, case, mode)?;
        Ok(Reduction {
            seconds,
            is_late: ended.is_late,
            ..delivered
        })
    }

    /// What an earlier call has delivered.
    pub fn of_earlier_call(case: &Case, mode: Mode, surroundings: &Surroundings) -> Result<Self> {
        read(&output(case, surroundings), case, mode)
    }
}

/// Where cargo-reduce writes what it delivers.
fn output(case: &Case, surroundings: &Surroundings) -> PathBuf {
    surroundings.work.join(&case.name).join("result")
}

/// Reads a directory that cargo-reduce has written.
fn read(output: &Path, case: &Case, mode: Mode) -> Result<Reduction> {
    let path = output.join("reduction.json");
    let json = fs::read_to_string(&path)
        .with_context(|| format!("there is no result: `{}`", path.display()))?;
    let json: Value = serde_json::from_str(&json)?;
    let result = Path::new(
        json["result"]
            .as_str()
            .context("`reduction.json` names the result")?,
    );
    let file = &case.test.file;
    let path = match result.is_dir() {
        true if result.join(file).exists() => result.join(file),
        true => only_test(result)?,
        false => result.to_owned(),
    };
    let text = fs::read_to_string(&path)
        .with_context(|| format!("the result has no test: `{}`", path.display()))?;
    let command = json["reproduce"].as_str().unwrap_or_default();
    let directory = if result.is_dir() { result } else { output };
    let is_alone = mode == Mode::Whole && !command.starts_with("cargo ");
    let alone = is_alone.then(|| Standalone {
        directory: directory.to_owned(),
        file: path.strip_prefix(directory).unwrap_or(&path).to_owned(),
        command: command.to_owned(),
    });
    let mut test = ReducedTest {
        text,
        beside: Vec::new(),
        alone,
        expects_anew: json["expects_anew"] == true,
    };
    match case.test.target {
        Target::Test if result.is_dir() => {
            test.beside = beside(result, file)?;
        }
        Target::Lib if mode != Mode::Whole => {
            test.text = module(&test.text, &case.test.filter).to_owned()
        }
        _ => {}
    }
    Ok(Reduction {
        test,
        queries: json["queries"].as_u64(),
        seconds: json["wall_seconds"].as_f64().unwrap_or_default(),
        is_late: json["ended"] == "cancelled",
    })
}

/// What stands beside a test below a root: its modules, and files that it reads. The code under test is not
/// taken, so that the judge runs a result against that of the package.
pub fn beside(root: &Path, test: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    let directory = test.parent().context("a test is in a directory")?;
    if root.join(directory).exists() {
        read_below(root, directory, &mut files)?;
    }
    files.retain(|(path, _)| path != test);
    Ok(files)
}

fn read_below(root: &Path, directory: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<()> {
    for entry in fs::read_dir(root.join(directory))? {
        let path = directory.join(entry?.file_name());
        if root.join(&path).is_dir() {
            read_below(root, &path, files)?;
        } else {
            let content = fs::read(root.join(&path))?;
            files.push((path, content));
        }
    }
    Ok(())
}

/// The test of a result in which it has another name than in the package.
fn only_test(result: &Path) -> Result<PathBuf> {
    let mut tests = Vec::new();
    for entry in fs::read_dir(result.join("tests"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs") {
            tests.push(path);
        }
    }
    match &tests[..] {
        [test] => Ok(test.clone()),
        _ => bail!(
            "the result has {} tests: `{}`",
            tests.len(),
            result.display()
        ),
    }
}

/// What is pasted into the library: of a whole library the module that the test is in, with its attribute.
/// Any other result is what goes into that module.
fn module(result: &str, filter: &str) -> String {
    let name = filter.split("::").next().unwrap_or_default();
    let cursor = TokenCursor::new(result);
    let start = ["#", "[", "cfg", "(", "test", ")", "]", "mod", name, "{"];
    let at = cursor.indices().find(|&at| cursor.are(at, &start));
    let end = at.and_then(|at| cursor.partner(at + start.len() - 1));
    match (at, end) {
        (Some(at), Some(end)) => result[cursor.bytes(at, end)].to_owned(),
        _ => format!("#[cfg(test)]\nmod {name} {{\n{result}\n}}\n"),
    }
}

/// The last line of the program's that tells of an error.
pub fn last_error(stderr: &str) -> &str {
    let mut lines = stderr.lines().rev();
    let error = lines.find(|line| line.starts_with("error"));
    error.unwrap_or(stderr.lines().last().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_a_test_is_taken_out_of_its_library() {
        let ours = "#[cfg(test)]\nmod b { fn c() { } }";
        let library = format!("fn a() {{}}\n#[cfg(test)] mod tests {{ }}\n{ours}\nfn d() {{}}");
        assert_eq!(module(&library, "b::c"), ours);
        let content = "use super::*; #[test] fn c() {}";
        let pasted = module(content, "b::c");
        assert!(pasted.starts_with("#[cfg(test)]\nmod b {"));
        assert!(pasted.contains(content));
    }
}
