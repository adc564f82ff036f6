//! Compares what our model says the names of crates mean with what the compiler and rust-analyzer say.
//!
//! - `input`: the crates that are compared, and how the compiler is called for them. `process` runs it.
//! - `text`: from lines and columns to bytes, and the words of a range.
//! - `meaning`: what a judge says about names.
//! - `compiler`: the compiler as a judge; `dump` reads the shape of what it prints.
//! - `analyzer`: rust-analyzer as a judge.
//! - `ours`: the model's answers.
//! - `compare`: answers against verdicts; `context` says in what way a name is written.
//! - `report`: what is printed, and whether all is well.

#[cfg(feature = "analyzer")]
mod analyzer;
mod compare;
mod compiler;
mod context;
mod dump;
mod input;
#[cfg(test)]
mod marks;
mod meaning;
mod ours;
mod process;
mod report;
mod text;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use input::Input;
use meaning::Verdicts;
use reduce_gather::{Configuration, collect_sources, configured_in_place};
use reduce_syntax::SourceTree;
use report::Report;
use std::process::ExitCode;
use text::CrateText;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let scratch = arguments
        .next()
        .context("usage: reduce-judge SCRATCH PATH..")?;
    let scratch = Utf8PathBuf::from(scratch);
    std::fs::create_dir_all(&scratch)?;
    let scratch = scratch.canonicalize_utf8()?;
    let mut report = Report::default();
    for path in arguments {
        for input in input::collect(Utf8Path::new(&path), &scratch)? {
            judge(&input, &mut report);
        }
    }
    report.print_total();
    Ok(if report.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Asks all judges about a crate and prints what comes of it.
fn judge(input: &Input, report: &mut Report) {
    let Some(sources) = sources(input) else {
        println!("{}: cannot be read", input.name);
        return;
    };
    let text = CrateText::new(&sources);
    let answers = ours::answers(&sources);
    println!("{}", input.name);
    for (judge, verdicts) in verdicts(input, &text) {
        match verdicts {
            Ok(verdicts) => {
                let tally = compare::compare(&text, &answers, &verdicts);
                report.add(judge, tally);
            }
            Err(error) => println!("  {judge}: silent: {error:#}"),
        }
    }
}

/// What each judge says. Where the two differ, the compiler is right: rust-analyzer does not know the
/// standard library.
#[cfg(feature = "analyzer")]
fn verdicts(input: &Input, text: &CrateText<'_>) -> Vec<(&'static str, Result<Verdicts>)> {
    let compiler = compiler::judge(input, text);
    let mut analyzer = analyzer::judge(input, text);
    if let (Ok(compiler), Ok(analyzer)) = (&compiler, &mut analyzer) {
        let count = analyzer.yield_to(compiler);
        if count > 0 {
            println!("  the judges differ on {count} names");
        }
    }
    vec![("compiler", compiler), ("analyzer", analyzer)]
}

/// What the compiler says.
#[cfg(not(feature = "analyzer"))]
fn verdicts(input: &Input, text: &CrateText<'_>) -> Vec<(&'static str, Result<Verdicts>)> {
    vec![("compiler", compiler::judge(input, text))]
}

/// The sources, with blanks where the configuration turns something off: a reduction decides that at its
/// beginning, too.
fn sources(input: &Input) -> Option<SourceTree> {
    let cfgs = input.cfgs().unwrap_or_default();
    let configuration = Configuration::from_lines(cfgs.iter().map(String::as_str));
    collect_sources(&input.root, &|path| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(configured_in_place(&text, &configuration).into())
    })
}
