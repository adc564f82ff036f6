//! The cost of a query, and the gain of the ways to make it cheaper. Run it on a machine that does
//! nothing else:
//!
//! ```sh
//! cargo bench -p reduce-oracle --bench queries -- [ROUNDS] [designs] [dependencies] [throughput] \
//!     [memory] [errors]
//! ```
//!
//! All tables are made where no names are given. The rows of one block of a table were measured in
//! the same rounds; all times are medians. The programs are for rustc 1.95, which one kind of them
//! crashes. All files lie in a temporary directory, from which code is run: set `TMPDIR` to one
//! that is in memory, as a reduction does.

#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]

mod checks;
mod designs;
mod errors;
mod figures;
mod inputs;
mod memory;
mod package;
mod throughput;

use reduce_oracle::capture;
use std::process::ExitCode;

/// The reason why there are no figures.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A function that prints one table, from so many rounds.
type Table = fn(usize) -> Result<(), Failure>;

const TABLES: [(&str, Table); 5] = [
    ("designs", designs::measure_sizes),
    ("dependencies", designs::measure_dependencies),
    ("throughput", throughput::measure),
    ("memory", memory::measure),
    ("errors", errors::measure),
];

const ROUNDS: usize = 15;

#[expect(
    clippy::disallowed_methods,
    reason = "cargo starts this benchmark as compiler wrapper too"
)]
fn main() -> Result<ExitCode, Failure> {
    if capture::is_requested(std::env::vars_os()) {
        return Ok(capture::main());
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok());
    let rounds = rounds.unwrap_or(ROUNDS).max(1);
    let is_table = |argument: &&String| TABLES.iter().any(|(name, _)| name == argument);
    let chosen: Vec<&String> = arguments.iter().filter(is_table).collect();
    println!("Medians of {rounds} rounds.");
    for (name, table) in TABLES {
        if chosen.is_empty() || chosen.iter().any(|chosen| *chosen == name) {
            println!();
            table(rounds)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
