//! Reduces failing tests of real crates with cargo-reduce, and judges each result: it must fail in the
//! package with the bug as the original test does, and pass in the package without it.

mod case;
mod crashes;
mod deletions;
mod files;
mod judge;
mod mend;
mod outcome;
mod package;
mod process;
mod published;
mod reduction;
mod table;
mod uses;

use anyhow::{Context, Result, bail};
use case::Case;
use judge::{Court, Judgement};
use reduction::{Mode, ReducedTest, Reduction, Surroundings};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use table::Row;

const USAGE: &str = "\
usage: reduce-cases [--list] [--check] [--judge] [--deletions] [--mode default|whole|good|free]
                    [--cargo-reduce PATH] [--work DIR] [--seconds N] [CASE..]
       reduce-cases --crashes [--list] [--check] [--cargo-reduce PATH] [--work DIR]
                    [--seconds N] [CASE..]
       reduce-cases --files DIR [--cargo-reduce PATH] [--work DIR] [--seconds N] [CASE..]
       reduce-cases --uses DIR..

  --crashes        reduce the errors and crashes in `crashes` instead of the failing tests
  --files          reduce the files that `list.tsv` in a directory names, each with what it emits,
                   and print a table of all
  --uses           reduce nothing, and print how many edits of each pass were accepted in the results
                   of earlier calls, which had these `--work` directories
  --list           only say which cases there are
  --check          only check that test and person's version pass without the bug and fail with it
  --judge          reduce nothing, and judge the results of an earlier call with the same `--work`
  --deletions      also judge what each single deletion makes of a right result
  --mode           what cargo-reduce may reduce [default: default]
  --cargo-reduce   the program [default: `cargo-reduce` in PATH]
  --work           where packages and results are written [default: target/work beside the runner]
  --seconds        how long a reduction may take before it is interrupted [default: 900]
  CASE             names of cases, or parts of them [default: all]";

/// How far each case is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    List,
    Check,
    Judge,
    Reduce,
    Deletions,
}

struct Arguments {
    are_crashes: bool,
    are_uses: bool,
    files: Option<PathBuf>,
    extent: Extent,
    mode: Mode,
    surroundings: Surroundings,
    names: Vec<String>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments> {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut arguments = Arguments {
        are_crashes: false,
        are_uses: false,
        files: None,
        extent: Extent::Reduce,
        mode: Mode::Default,
        surroundings: Surroundings {
            cargo_reduce: PathBuf::from("cargo-reduce"),
            work: runner.join("target/work"),
            longest: Duration::from_secs(900),
        },
        names: Vec::new(),
    };
    let mut given = env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || {
            given
                .next()
                .with_context(|| format!("`{argument}` needs a value"))
        };
        match argument.as_str() {
            "--crashes" => arguments.are_crashes = true,
            "--uses" => arguments.are_uses = true,
            "--files" => arguments.files = Some(PathBuf::from(value()?)),
            "--list" => arguments.extent = Extent::List,
            "--check" => arguments.extent = Extent::Check,
            "--judge" => arguments.extent = Extent::Judge,
            "--deletions" => arguments.extent = Extent::Deletions,
            "--mode" => arguments.mode = Mode::named(&value()?).context("no such mode")?,
            "--cargo-reduce" => {
                let path = PathBuf::from(value()?);
                arguments.surroundings.cargo_reduce = path.canonicalize()?;
            }
            "--work" => arguments.surroundings.work = PathBuf::from(value()?),
            "--seconds" => {
                arguments.surroundings.longest = Duration::from_secs(value()?.parse()?);
            }
            _ if argument.starts_with('-') => bail!("what is `{argument}`?\n{USAGE}"),
            _ => arguments.names.push(argument),
        }
    }
    std::fs::create_dir_all(&arguments.surroundings.work)?;
    arguments.surroundings.work = arguments.surroundings.work.canonicalize()?;
    Ok(arguments)
}

/// Goes through the cases. Gives back whether all is right.
fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.are_uses {
        uses::run(&arguments.names)?;
        return Ok(true);
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .context("the runner is in `cases`")?;
    if let Some(directory) = &arguments.files {
        return files::run(directory, &arguments.names, &arguments.surroundings);
    }
    if arguments.are_crashes {
        return run_crashes(&cases.join("crashes"), arguments);
    }
    let mut cases = Case::read_all(cases)?;
    cases.retain(|case| {
        let is_named = arguments
            .names
            .iter()
            .any(|name| case.name.contains(name.as_str()));
        is_named || arguments.names.is_empty()
    });
    if cases.is_empty() {
        bail!("no case has this name");
    }
    if arguments.extent == Extent::List {
        print!("{}", table::list(&cases));
        return Ok(true);
    }
    if arguments.mode == Mode::Whole && arguments.extent != Extent::Check {
        cases.retain(|case| {
            let is_judged = case.bug.forms().next().is_some();
            if !is_judged {
                println!(
                    "{}: left out, as a result with the code under test in it is judged by the line \
                     that mends it, and the case has none",
                    case.name
                );
            }
            is_judged
        });
    }
    let mut rows = Vec::new();
    for case in &cases {
        let row = row(case, arguments);
        println!("{row}");
        rows.push(row);
    }
    if arguments.extent != Extent::Check {
        println!("\n{}", table::table(&rows));
    }
    let right = rows.iter().filter(|row| row.is_right()).count();
    println!("{right} passed, {} failed", rows.len() - right);
    Ok(right == rows.len())
}

fn run_crashes(directory: &Path, arguments: &Arguments) -> Result<bool> {
    let extent = match arguments.extent {
        Extent::List => crashes::Extent::List,
        Extent::Check => crashes::Extent::Check,
        Extent::Reduce => crashes::Extent::Reduce,
        Extent::Judge => bail!("`--judge` is for failing tests"),
        Extent::Deletions => bail!("`--deletions` is for failing tests"),
    };
    let surroundings = &arguments.surroundings;
    crashes::run(directory, &arguments.names, extent, surroundings)
}

/// What became of a case. An error concerns this case alone.
fn row(case: &Case, arguments: &Arguments) -> Row {
    let mut row = Row::new(case);
    if let Err(error) = fill(&mut row, case, arguments) {
        row.error = Some(format!("{error:#}"));
    }
    row
}

fn fill(row: &mut Row, case: &Case, arguments: &Arguments) -> Result<()> {
    let Surroundings { work, .. } = &arguments.surroundings;
    let court = Court::open(case, work)?;
    let original = ReducedTest {
        text: court.faulty.original().to_owned(),
        beside: reduction::beside(&case.directory.join("files"), &case.test.file)?,
        alone: None,
        expects_anew: false,
    };
    row.before = Some(table::size(case, &original));
    let person = ReducedTest {
        text: case.person_text()?,
        beside: Vec::new(),
        alone: None,
        expects_anew: false,
    };
    row.person = Some(table::size(case, &person));
    let person = court.person(&person)?;
    row.judgement = Some(person);
    if person != Judgement::Right {
        bail!("the person's version: {person}");
    }
    if arguments.extent == Extent::Check {
        return Ok(());
    }
    row.judgement = None;
    let packages = [&court.right, &court.faulty].map(|package| package.directory.as_path());
    let reduction = match arguments.extent {
        Extent::Judge => Reduction::of_earlier_call(case, arguments.mode, &arguments.surroundings)?,
        _ => Reduction::run(case, arguments.mode, packages, &arguments.surroundings)?,
    };
    row.take(case, &reduction);
    let judgement = court.result(&reduction.test, arguments.mode)?;
    row.judgement = Some(judgement);
    if arguments.extent == Extent::Deletions && judgement == Judgement::Right {
        row.deletions = Some(court.deletions(&reduction.test, arguments.mode)?);
    }
    Ok(())
}
