//! Compiles programs, runs them with mutants on, and says what they did.

use crate::compiler::{Features, Workbench, command};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_mutants::{Instrumented, MUTANT_VARIABLE, MutantId, REACHED_VARIABLE};
use reduce_syntax::SourceTree;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The tests' programs take milliseconds.
const LONGEST_RUN: Duration = Duration::from_secs(20);

/// Compiles a program, and returns its path.
#[track_caller]
pub(crate) fn program(
    bench: &Workbench,
    name: &str,
    sources: &SourceTree,
    arguments: &[&str],
) -> Utf8PathBuf {
    program_with(bench, name, sources, arguments, Features::Stable)
}

/// Compiles a program with these features permitted, and returns its path.
#[track_caller]
pub(crate) fn program_with(
    bench: &Workbench,
    name: &str,
    sources: &SourceTree,
    arguments: &[&str],
    features: Features,
) -> Utf8PathBuf {
    let root = bench.write(name, sources);
    let program = bench.path().join(format!("{name}.program"));
    let mut all = vec!["--crate-type", "bin", "-o", program.as_str()];
    all.extend(arguments);
    let output = bench.rustc_with(&root, &all, features);
    let text = sources.text(sources.root());
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
    program
}

/// Runs a program with a mutant on: what it printed, with what it panicked, and how it ended.
pub(crate) fn run(
    program: &Utf8Path,
    mutant: Option<MutantId>,
    record: Option<&Utf8Path>,
) -> String {
    let mut command = command(program.as_str());
    command.env_remove(MUTANT_VARIABLE);
    if let Some(mutant) = mutant {
        command.env(MUTANT_VARIABLE, mutant.to_string());
    }
    if let Some(record) = record {
        command.env(REACHED_VARIABLE, record);
    }
    let output = output_in_time(&mut command);
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{stdout}{}{}", without_columns(&stderr), output.status)
}

/// Runs a program until its end, or until the time is over, and returns its output.
fn output_in_time(command: &mut Command) -> Output {
    let started = Instant::now();
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program can be started");
    while child.try_wait().expect("it is our child").is_none() {
        if started.elapsed() > LONGEST_RUN {
            child.kill().expect("it is our child");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.wait_with_output().expect("it has ended")
}

/// Panics stand in the same line with and without switches, but not in the same column. The number of a
/// thread is another in each run.
fn without_columns(stderr: &str) -> String {
    let place = |line: &str| -> Option<String> {
        let (_, place) = line.split_once(" panicked at ")?;
        let (place, _column) = place.trim_end_matches(':').rsplit_once(':')?;
        Some(format!("panicked at {}", place.rsplit('/').next()?))
    };
    let lines = stderr
        .lines()
        .map(|line| place(line).unwrap_or_else(|| line.to_owned()));
    lines.map(|line| line + "\n").collect()
}

/// The number of the mutant whose text in the source is `mutated`.
#[track_caller]
pub(crate) fn id_of(instrumented: &Instrumented, mutated: &str) -> MutantId {
    let mutant = instrumented
        .mutants()
        .iter()
        .find(|one| one.mutated == mutated);
    mutant.unwrap_or_else(|| panic!("no mutant `{mutated}`")).id
}
