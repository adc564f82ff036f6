//! Measures how much faster reductions are with more workers, as a table: nothing asserts on it.
//!
//! `cargo bench -p cargo-reduce --bench workers -- RECORD [ARGS..]` reduces with `cargo reduce ARGS` in the current directory, for
//! each number of workers with waves as wide, and for one worker without waves. No query is made that `RECORD` has an answer
//! for; what it does not have is asked of the compiler and added. Nobody waits: a clock is moved by what a query would
//! take, so that the number of workers does not depend on the machine. Our own time is added as it was.
//! `BENCH_WORKERS` names other numbers of workers, such as `1,16`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark starts programs and prints what it has measured"
)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const WORKERS: [u64; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Seconds that a query takes.
const WAITS: [f64; 3] = [0.01, 0.1, 1.0];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = words.iter().filter(|word| *word != "--bench").collect();
    let [record, args @ ..] = words.as_slice() else {
        println!("say a file for recorded answers, and the arguments of `cargo reduce`");
        return;
    };
    let record = std::path::absolute(record).unwrap();
    let workers = match std::env::var("BENCH_WORKERS") {
        Ok(named) => named.split(',').map(|one| one.parse().unwrap()).collect(),
        Err(_) => WORKERS.to_vec(),
    };
    println!(
        "| workers | width | queries | on workers | beside | tokens | waits | own time | 10 ms | 100 ms | 1 s |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut first: Option<Row> = None;
    for workers in workers {
        let row = Row::measure(&record, workers, args);
        let first = first.get_or_insert_with(|| row.clone());
        let faster = WAITS.map(|wait| format!("{:.1}", first.time(wait) / row.time(wait)));
        println!(
            "| {workers} | {workers} | {} | {} | {} | {} | {} | {:.1} s | {} |",
            row.queries,
            row.on_workers,
            row.beside,
            row.tokens,
            row.waits,
            row.own,
            faster.join(" | ")
        );
    }
}

/// A reduction.
#[derive(Clone)]
struct Row {
    queries: u64,
    tokens: u64,
    /// Calls of the compiler by workers, and beside them.
    on_workers: u64,
    beside: u64,
    /// The number of calls that follow one another.
    waits: u64,
    /// Seconds of our own.
    own: f64,
}

impl Row {
    fn measure(record: &Path, workers: u64, args: &[&String]) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let output: PathBuf = scratch.path().join("result");
        let number = workers.to_string();
        let run = Command::new(env!("CARGO_BIN_EXE_cargo-reduce"))
            .arg("reduce")
            .args([
                "--no-daemon",
                "--no-cache",
                "--jobs",
                &number,
                "--width",
                &number,
            ])
            .arg("--output")
            .arg(&output)
            .args(args)
            .env("CARGO_REDUCE_HOME", scratch.path().join("home"))
            .env(
                "CARGO_REDUCE_SIMULATE",
                format!("1000:{}", record.display()),
            )
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        let simulated = said.rsplit("simulated: ").next().unwrap();
        let mut numbers = simulated
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|n| n.parse().ok());
        let mut next = || -> u64 { numbers.next().unwrap() };
        let (milliseconds, on_workers, beside) = (next(), next(), next());
        let summary = std::fs::read(output.join("reduction.json")).unwrap();
        let summary: Value = serde_json::from_slice(&summary).unwrap();
        Self {
            queries: summary["queries"].as_u64().unwrap(),
            tokens: summary["tokens_after"].as_u64().unwrap(),
            on_workers,
            beside,
            waits: milliseconds / 1000,
            own: summary["overhead_seconds"].as_f64().unwrap(),
        }
    }

    /// Seconds with a query that takes `wait`.
    fn time(&self, wait: f64) -> f64 {
        self.own + wait * self.waits as f64
    }
}
