//! The four designs of a query: what a user types, the same without what only people read, the
//! compiler alone, and the warm compiler.

use crate::Failure;
use crate::figures::{Run, Sample, compare, milliseconds, ratio};
use crate::inputs::{Last, Pair, pair};
use crate::package::{Package, Start, expected, pair_with_dependencies};

/// The numbers of lines of the programs: a reduction ends with about the first.
const LINES: [usize; 5] = [5, 30, 100, 500, 5_000];
const DEPENDENCIES: usize = 10;
/// The number of lines of a program with dependencies, each of which is used in a line of its own.
const LINES_WITH_DEPENDENCIES: usize = 50;

const DESIGNS: [&str; 4] = [
    "`cargo check`",
    "`cargo check`, quiet",
    Start::Anew.name(),
    Start::Warm.name(),
];

/// Measures all designs on programs of all sizes.
///
/// # Errors
/// When a compiler cannot be asked, or answers otherwise than it should.
pub(crate) fn measure_sizes(rounds: usize) -> Result<(), Failure> {
    print_head("Designs and sizes");
    for lines in LINES {
        let package = Package::new(&pair(lines, Last::Crash)[0], 0)?;
        for last in [Last::Crash, Last::Nothing] {
            let program = format!("{}, {lines} lines", last.name());
            let samples = measure(&package, &pair(lines, last), last, rounds)?;
            print_rows(&program, &samples);
        }
    }
    Ok(())
}

/// Measures all designs on a small crate that uses others.
///
/// # Errors
/// See [`measure_sizes`].
pub(crate) fn measure_dependencies(rounds: usize) -> Result<(), Failure> {
    print_head("Ten dependencies");
    let pair = |last| pair_with_dependencies(DEPENDENCIES, LINES_WITH_DEPENDENCIES, last);
    let package = Package::new(&pair(Last::Crash)[0], DEPENDENCIES)?;
    for last in [Last::Crash, Last::Nothing] {
        let program = format!("{}, {LINES_WITH_DEPENDENCIES} lines", last.name());
        let samples = measure(&package, &pair(last), last, rounds)?;
        print_rows(&program, &samples);
    }
    Ok(())
}

fn measure(
    package: &Package,
    pair: &Pair,
    last: Last,
    rounds: usize,
) -> Result<Vec<Sample>, Failure> {
    let loud = package.checks("loud", false)?;
    let quiet = package.checks("quiet", true)?;
    let mut anew = package.queries("anew", Start::Anew)?;
    let mut warm = package.queries("warm", Start::Warm)?;
    let text = |round: usize| &pair[round % 2];
    let is_expected = expected(last);
    let mut runs: [Run<'_>; 4] = [
        Box::new(|round| loud.check(text(round), last)),
        Box::new(|round| quiet.check(text(round), last)),
        Box::new(|round| Ok(anew.ask(text(round), is_expected)?.0)),
        Box::new(|round| Ok(warm.ask(text(round), is_expected)?.0)),
    ];
    compare(&mut runs, rounds)
}

fn print_head(title: &str) {
    println!("### {title}\n");
    println!("Quiet is with `RUSTC_ICE=0 RUST_BACKTRACE=0`, as replayed calls are. cargo compiles");
    println!("incrementally, which brings something where the last program compiled.\n");
    println!(
        "| program | design | wall, ms | CPU, ms | of the first | CPU | of the one above | CPU |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
}

fn print_rows(program: &str, samples: &[Sample]) {
    let mut above = samples[0];
    for (design, sample) in DESIGNS.iter().zip(samples) {
        let times = [sample.wall, sample.cpu].map(milliseconds);
        let ratios = [samples[0], above].map(|other| {
            let wall = ratio(sample.wall, other.wall);
            format!("{wall} | {}", ratio(sample.cpu, other.cpu))
        });
        println!(
            "| {program} | {design} | {} | {} |",
            times.join(" | "),
            ratios.join(" | ")
        );
        above = *sample;
    }
}
