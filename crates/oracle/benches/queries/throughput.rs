//! The rate of queries that several workers answer, each in a thread with a tree of its own.

use crate::Failure;
use crate::figures::{Sample, medians, milliseconds};
use crate::inputs::{Last, Pair, pair};
use crate::package::{Package, Queries, Start, expected};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

const LINES: usize = 100;
const WORKERS: [usize; 3] = [1, 2, 3];
/// The number of queries of one measurement, whoever answers them.
const QUERIES: usize = 60;

/// Measures all numbers of workers, with both ways to start a compiler.
///
/// # Errors
/// When a compiler cannot be asked, or answers otherwise than it should.
pub(crate) fn measure(rounds: usize) -> Result<(), Failure> {
    let pair = pair(LINES, Last::Crash);
    let package = Package::new(&pair[0], 0)?;
    let kinds = Start::BOTH.map(|start| WORKERS.map(|workers| (start, workers)));
    let kinds = kinds.as_flattened();
    let mut samples = vec![vec![]; kinds.len()];
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for kind in order {
            let (start, workers) = kinds[kind];
            samples[kind].push(sample(&package, &pair, start, workers)?);
        }
    }
    print(kinds, &samples);
    Ok(())
}

/// Measures all queries: the wall time is that of the whole, the CPU time that of all compilers.
fn sample(package: &Package, pair: &Pair, start: Start, workers: usize) -> Result<Sample, Failure> {
    // They begin together, and servers end when all is answered. The one who takes the time waits too.
    let (gate, left) = (Barrier::new(workers + 1), AtomicUsize::new(QUERIES));
    let work = &|nth: usize| {
        let mut queries = begin(package, pair, start, nth);
        gate.wait();
        let cpu = match &mut queries {
            Ok(queries) => answer_what_is_left(queries, pair, &left),
            Err(_) => Ok(Duration::ZERO),
        };
        gate.wait();
        queries.and(cpu)
    };
    thread::scope(|scope| {
        let spawn = |nth: usize| scope.spawn(move || work(nth));
        let threads: Vec<_> = (0..workers).map(spawn).collect();
        let wall = time_between(&gate);
        let mut cpu = Duration::ZERO;
        for thread in threads {
            cpu += thread.join().map_err(|_| "a worker panicked")??;
        }
        Ok(Sample { wall, cpu })
    })
}

fn time_between(gate: &Barrier) -> Duration {
    gate.wait();
    let started = Instant::now();
    gate.wait();
    started.elapsed()
}

/// Starts a worker that has answered a query: its server, if it has one, is there. The server belongs
/// to the thread that asks, so it is this thread's.
fn begin<'a>(
    package: &'a Package,
    pair: &Pair,
    start: Start,
    nth: usize,
) -> Result<Queries<'a>, Failure> {
    let mut queries = package.queries(&format!("worker{nth}"), start)?;
    queries.ask(&pair[1], expected(Last::Crash))?;
    Ok(queries)
}

/// Returns the CPU time of the compilers.
fn answer_what_is_left(
    queries: &mut Queries<'_>,
    pair: &Pair,
    left: &AtomicUsize,
) -> Result<Duration, Failure> {
    let take = || {
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        });
        taken.is_ok()
    };
    let mut cpu = Duration::ZERO;
    for text in pair.iter().cycle() {
        if !take() {
            break;
        }
        cpu += queries.ask(text, expected(Last::Crash))?.0.cpu;
    }
    Ok(cpu)
}

fn print(kinds: &[(Start, usize)], samples: &[Vec<Sample>]) {
    let cores = available_parallelism().map_or(0, usize::from);
    println!("### Throughput\n");
    println!("A crash of {LINES} lines, {cores} cores.\n");
    println!("| design | workers | queries a second | of one worker | CPU of a query, ms |");
    println!("|---|---:|---:|---:|---:|");
    let mut alone = 0.0;
    for ((start, workers), samples) in kinds.iter().zip(samples) {
        let Sample { wall, cpu } = medians(samples);
        let rate = QUERIES as f64 / wall.as_secs_f64();
        if *workers == 1 {
            alone = rate;
        }
        let (start, ratio) = (start.name(), rate / alone);
        let cpu = milliseconds(cpu / QUERIES as u32);
        println!("| {start} | {workers} | {rate:.1} | {ratio:.2} | {cpu} |");
    }
}
