//! Reduces the programs and packages of `cases/crashes`, each with one error or crash, and counts what it takes.

mod course;
mod generated;
mod input;
mod row;
mod source;

use crate::process::Run;
use crate::reduction::{FIXED, Surroundings, last_error};
use anyhow::{Context, Result, bail};
use course::Course;
use input::Input;
use row::Row;
use serde_json::Value;
use source::{CrashCase, Goal};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How far each case is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Only said to be there.
    List,
    /// It fails as it should, and so does the person's version.
    Check,
    /// It is reduced.
    Reduce,
}

/// How long a single result may be compiled.
const LONGEST: Duration = Duration::from_secs(90);

/// Goes through the cases with one of these names in theirs. Gives back whether all is right.
pub fn run(
    directory: &Path,
    names: &[String],
    extent: Extent,
    surroundings: &Surroundings,
) -> Result<bool> {
    let mut cases = CrashCase::read_all(directory)?;
    let is_named = |case: &CrashCase| names.iter().any(|name| case.name.contains(name.as_str()));
    cases.retain(|case| names.is_empty() || is_named(case));
    if cases.is_empty() {
        bail!("no case has this name");
    }
    if extent == Extent::List {
        print!("{}", row::list(&cases));
        return Ok(true);
    }
    let mut rows = Vec::new();
    for case in &cases {
        let mut row = Row::new(case);
        if let Err(error) = fill(&mut row, case, extent, surroundings) {
            row.error = Some(format!("{error:#}"));
        }
        println!("{row}");
        rows.push(row);
    }
    if extent == Extent::Reduce {
        println!("\n{}", row::table(&rows));
        if let Some(table) = row::large_table(&rows) {
            println!("{table}");
        }
    }
    let right = rows.iter().filter(|row| row.is_right()).count();
    println!("{right} as they should be, {} not", rows.len() - right);
    Ok(right == rows.len())
}

fn fill(
    row: &mut Row,
    case: &CrashCase,
    extent: Extent,
    surroundings: &Surroundings,
) -> Result<()> {
    let input = Input::make(case, &surroundings.work)?;
    input.check(case)?;
    let person = fs::read_to_string(&case.person)
        .with_context(|| format!("no person's version: `{}`", case.person.display()))?;
    input.check_person(case, &person)?;
    row.take_person(&person);
    if extent == Extent::Reduce {
        reduce(row, case, &input, surroundings)?;
    }
    Ok(())
}

fn reduce(
    row: &mut Row,
    case: &CrashCase,
    input: &Input,
    surroundings: &Surroundings,
) -> Result<()> {
    let output = input.directory.with_extension("result");
    if output.exists() {
        fs::remove_dir_all(&output)?;
    }
    let mut arguments = vec!["reduce".to_owned()];
    arguments.extend(input.arguments(case));
    let at = arguments.iter().position(|argument| argument == "--");
    let mut fixed: Vec<String> = FIXED.map(str::to_owned).into();
    fixed.push(output.display().to_string());
    if case.is_large {
        let told = input.directory.with_extension("candidates");
        fixed.extend(["--log".to_owned(), told.display().to_string()]);
    }
    let at = at.unwrap_or(arguments.len());
    arguments.splice(at..at, fixed);
    let started = Instant::now();
    let ended = input
        .program(case, &surroundings.cargo_reduce)
        .arguments(&arguments)
        .variable("CARGO_REDUCE_HOME", &surroundings.work.join("home"))
        .run(surroundings.longest)?;
    row.take_time(&ended, started.elapsed());
    let logged = format!("{}\n{}", ended.stdout, ended.stderr);
    fs::write(input.directory.with_extension("log"), logged)?;
    if !ended.is_success && !ended.is_late {
        bail!("`cargo-reduce` failed: {}", last_error(&ended.stderr));
    }
    let json = fs::read_to_string(output.join("reduction.json")).context("there is no result")?;
    let json: Value = serde_json::from_str(&json)?;
    row.take_figures(&json);
    if case.is_large {
        let page = fs::read_to_string(output.join("report.html"))?;
        row.course = Some(Course::read(&page)?);
    }
    row.does_reproduce = Some(does_reproduce(&json, &output, case)?);
    Ok(())
}

/// Whether the command that the result gives for it shows the failure. A result of several files is a
/// directory, in which the command is run.
fn does_reproduce(json: &Value, output: &Path, case: &CrashCase) -> Result<bool> {
    let text = |key: &str| json[key].as_str().with_context(|| format!("no `{key}`"));
    let command = text("reproduce")?;
    let result = Path::new(text("result")?);
    let directory = if result.is_dir() { result } else { output };
    let ended = Run::program(Path::new("sh"), directory)
        .arguments(&["-c", command])
        .run(LONGEST)?;
    let is_crash = ended.stderr.contains("internal compiler error");
    let is_goal = is_crash == (case.goal == Goal::Crash);
    Ok(is_goal && ended.stderr.contains(&case.says))
}
