//! Benchmark of a candidate's cost besides the compiler: choosing it, the edits that make it, its
//! text, the count and hash of its tokens, the look-up of its verdict, and writing what changed.
//!
//! No compiler is asked: a candidate is interesting if it keeps what was declared to be needed. The
//! table has microseconds per candidate, of the candidates of a search that fit in [`BUDGET`]: means
//! for each part and for all, what 95 of 100 stay below, the mean of the last tenth, for which most
//! was accepted before, and the first, which pays for what the others share.
//!
//! A second table has the changes of the passes that rewrite, which are found anew in each state.
//!
//! Run with `cargo bench -p reduce-engine --bench overhead [-- LINES..]`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod program;
mod rewrites;
mod searches;

use program::program;
use reduce_syntax::ListKind;
use rewrites::Parsing;
use searches::{search_lists, search_tree};
use std::time::Duration;

/// The time for which a search is measured.
pub(crate) const BUDGET: Duration = Duration::from_secs(3);

/// Lines and files of the crates.
const CRATES: [(usize, usize); 6] = [
    (500, 1),
    (500, 5),
    (5_000, 1),
    (5_000, 10),
    (100_000, 1),
    (100_000, 50),
];

/// The largest number of lines of a crate on which passes that rewrite are measured.
const MOST_LINES_TO_REWRITE: usize = 5_000;

fn main() {
    let arguments = std::env::args().skip(1);
    let wanted: Vec<usize> = arguments.filter_map(|one| one.parse().ok()).collect();
    let parts = searches::PARTS.join(" | ");
    println!("| lines | files | search | candidates | {parts} | sum | 95th | last | first |");
    println!(
        "|---:|---:|---|{}",
        "---:|".repeat(5 + searches::PARTS.len())
    );
    for (lines, files) in CRATES {
        if wanted.is_empty() || wanted.contains(&lines) {
            let program = program(lines, files);
            for (name, kind) in [
                ("items", ListKind::Items),
                ("statements", ListKind::Statements),
            ] {
                let times = search_lists(&program, kind);
                println!("| {lines} | {files} | {name} {times}");
            }
            println!("| {lines} | {files} | worklist {}", search_tree(&program));
        }
    }
    println!("\n| lines | files | rewrites | changes | find | text | sum |");
    println!("|---:|---:|---|---:|---:|---:|---:|");
    for (lines, files) in CRATES {
        // Larger crates are not rewritten before they have become small.
        if lines <= MOST_LINES_TO_REWRITE && (wanted.is_empty() || wanted.contains(&lines)) {
            let program = program(lines, files);
            for (name, parsing) in [
                ("parsed once", Parsing::ForAll),
                ("parsed for each pass", Parsing::ForEach),
            ] {
                let row = rewrites::row(&program, parsing);
                println!("| {lines} | {files} | {name} | {row}");
            }
        }
    }
}
