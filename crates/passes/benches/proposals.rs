//! Writes down what the passes, the slices, the relations and the ways to gather a crate make of real sources, so that two
//! commits can be compared: for whoever refactors them, and wants to know whether anything has changed.
//!
//! The sources are the fixtures of this repository, and crates that the lock file pins. Run in a worktree of each commit
//! `cargo bench -p reduce-passes --bench proposals -- DIRECTORY [OTHER]`. Each subject (a pass and the like) of each program is a
//! file of `DIRECTORY`. With `OTHER`, which an earlier call has written, it prints in what the two differ: lines that are there
//! alone, and lines that are here alone. Nothing is printed of what is the same but for its order, except that it is so.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its table"
)]

#[path = "proposals/observations.rs"]
mod observations;
#[path = "proposals/programs.rs"]
mod programs;

use observations::Observation;
use programs::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

/// The most lines that are printed of a subject, and the most characters of a line.
const MOST_LINES: usize = 3;
const LONGEST: usize = 160;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1);
    let directories: Vec<PathBuf> = arguments
        .filter(|argument| !argument.starts_with('-'))
        .map(PathBuf::from)
        .collect();
    let result = match directories.as_slice() {
        [directory] => write(directory),
        [directory, other] => write(directory).and_then(|()| compare(other, directory)),
        _ => Err(io::Error::other(
            "name a directory, and perhaps another one to compare it with",
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Observes all programs, and writes a file for each subject. The programs are shared out among threads: this takes long
/// otherwise.
fn write(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for merge in programs::merges() {
        save(directory, &merge.program, &observations::of_merge(&merge))?;
    }
    let programs = programs::all();
    let halves = programs.split_at(programs.len() / 2);
    let write_all = |programs: &[Program]| {
        let mut programs = programs.iter();
        programs.try_for_each(|program| save(directory, program, &observations::of(program)))
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| write_all(halves.1));
        write_all(halves.0)?;
        other.join().expect("no program makes an observation panic")
    })
}

fn save(directory: &Path, program: &Program, observations: &[Observation]) -> io::Result<()> {
    let observed = observations.iter().filter(|one| !one.entries.is_empty());
    for Observation { what, entries } in observed {
        let name = format!("{} {what}", program.name).replace('/', "-");
        fs::write(directory.join(name), entries.join("\n"))?;
    }
    Ok(())
}

/// Prints in what the files of two directories differ.
fn compare(before: &Path, after: &Path) -> io::Result<()> {
    let names: BTreeSet<String> = [before, after]
        .into_iter()
        .map(names)
        .collect::<io::Result<Vec<_>>>()?
        .concat()
        .into_iter()
        .collect();
    let mut n_same = 0;
    for name in names {
        // A subject of which nothing was found has no file.
        let [old, new] = [before, after]
            .map(|directory| fs::read_to_string(directory.join(&name)).unwrap_or_default());
        match old == new {
            true => n_same += 1,
            false => println!("{name}: {}", difference(&old, &new)),
        }
    }
    println!("{n_same} are the same");
    Ok(())
}

fn names(directory: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(directory)?;
    let name =
        |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    entries.map(name).collect()
}

/// The lines that only one of two texts has.
fn difference(old: &str, new: &str) -> String {
    let mut counts: BTreeMap<&str, isize> = BTreeMap::new();
    new.lines()
        .for_each(|line| *counts.entry(line).or_default() += 1);
    old.lines()
        .for_each(|line| *counts.entry(line).or_default() -= 1);
    let only = |is_wanted: fn(isize) -> bool, sign: char| {
        let lines = counts.iter().filter(move |(_, count)| is_wanted(**count));
        let line = move |(line, _): (&&str, &isize)| {
            format!(
                "\n  {sign} {}",
                line.chars().take(LONGEST).collect::<String>()
            )
        };
        (
            lines.clone().count(),
            lines.take(MOST_LINES).map(line).collect::<String>(),
        )
    };
    let (n_gone, gone) = only(|count| count < 0, '-');
    let (n_come, come) = only(|count| count > 0, '+');
    match n_gone + n_come {
        0 => "another order".to_owned(),
        _ => format!("{n_gone} lines gone, {n_come} new{gone}{come}"),
    }
}
