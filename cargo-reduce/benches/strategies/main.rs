//! All list algorithms times all strategies, on real crashes: the real program is run on each input
//! for each of them, and what it says about itself becomes a table.
//!
//! ```sh
//! cargo bench -p cargo-reduce --bench strategies -- --algorithm wddmin,probdd --strategy passes,hdd \
//!     --csv rows.csv [INPUT...]
//! ```
//!
//! Without an input the fixtures are reduced. Nothing is kept between two runs, so that each does all
//! of its work; run it on a machine that does nothing else, or look at the queries only.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its tables, and says how far it is"
)]

mod arguments;
mod cases;
mod inputs;
mod rows;
mod run;
mod totals;

use arguments::Arguments;
use cases::Cases;
use clap::Parser;
use inputs::Input;
use rows::Row;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The program that is measured.
const PROGRAM: &str = env!("CARGO_BIN_EXE_cargo-reduce");

fn main() -> ExitCode {
    match benchmark(&Arguments::parse().below(&user_directory())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the directory in which the user stands.
#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark is started by a user, like the program itself"
)]
fn user_directory() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    match std::env::var_os("PWD") {
        Some(directory) if current == Path::new(env!("CARGO_MANIFEST_DIR")) => directory.into(),
        _ => current,
    }
}

fn benchmark(arguments: &Arguments) -> Result<(), String> {
    let cases = arguments.read_cases()?;
    let inputs = find_inputs(arguments, &cases)?;
    let mut csv = arguments.csv.as_deref().map(Csv::create).transpose()?;
    println!("{}", rows::MARKDOWN_HEAD);
    let mut all = vec![];
    for input in &inputs {
        let case = cases.get(&input.name).cloned().unwrap_or_default();
        for row in run::all(Path::new(PROGRAM), input, &case, arguments)? {
            let row = row?;
            println!("{}", row.markdown());
            csv.as_mut().map_or(Ok(()), |csv| csv.write(&row))?;
            all.push(row);
        }
    }
    println!("\n{}", totals::markdown(&all));
    Ok(())
}

/// The inputs that were asked for. What is no input, and what is said of an input that is not there,
/// is told.
fn find_inputs(arguments: &Arguments, cases: &Cases) -> Result<Vec<Input>, String> {
    let found = match arguments.inputs.is_empty() {
        true => inputs::fixtures(cases)?,
        false => inputs::find_all(&arguments.inputs)?,
    };
    for skipped in &found.skipped {
        eprintln!("skipped: {skipped}");
    }
    for name in cases.keys() {
        if !found.inputs.iter().any(|input| &input.name == name) {
            eprintln!("warning: there is no input `{name}`, for which there are arguments");
        }
    }
    match found.inputs.is_empty() {
        true => Err("there is nothing to reduce".to_owned()),
        false => Ok(found.inputs),
    }
}

/// A file that has each row as soon as it is known: a benchmark takes long and may be stopped.
struct Csv(File);

impl Csv {
    fn create(path: &Path) -> Result<Self, String> {
        let file = File::create(path);
        let file =
            file.map_err(|error| format!("failed to write `{}`: {error}", path.display()))?;
        let mut csv = Self(file);
        csv.write_line(rows::CSV_HEAD)?;
        Ok(csv)
    }

    fn write(&mut self, row: &Row) -> Result<(), String> {
        self.write_line(&row.csv())
    }

    fn write_line(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.0, "{line}").map_err(|error| format!("failed to write the rows: {error}"))
    }
}
