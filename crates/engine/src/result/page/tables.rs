//! The tables of a page: what passes and queries have done, and what depends on the machine.

use super::curve::{Axis, curve};
use super::steps::island;
use crate::accept::StepLog;
use crate::figures::PassStatistics;
use crate::summary::Summary;
use maud::{Markup, html};
use serde_json::Value;

/// Makes a table of these columns, of which the first has words.
fn table(columns: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        table {
            thead { tr { @for column in columns { th scope="col" { (column) } } } }
            tbody {
                @for row in rows {
                    tr {
                        @for (at, cell) in row.iter().enumerate() {
                            @if at == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

fn row(name: &str, numbers: &[u64]) -> Vec<String> {
    let name = std::iter::once(name.to_owned());
    name.chain(numbers.iter().map(u64::to_string)).collect()
}

fn has_tried(pass: &&PassStatistics) -> bool {
    pass.tried > 0
}

/// Makes the section with the parts of the search, and what each pass did.
pub(super) fn passes(summary: &Summary) -> Markup {
    let phases = summary.breakdown.phases.iter();
    let phases = phases.map(|one| row(&one.phase, &[one.tokens_after, one.queries, one.steps]));
    let passes = summary.breakdown.passes.iter().filter(has_tried);
    let passes = passes.map(|one| {
        row(
            &one.pass,
            &[one.tried, one.queries, one.accepted, one.tokens],
        )
    });
    let n_idle = summary
        .breakdown
        .passes
        .iter()
        .filter(|one| one.tried == 0)
        .count();
    html! {
        section id="passes" {
            h2 { "Passes" }
            @if !summary.breakdown.phases.is_empty() {
                h3 { "Parts of the search" }
                (table(&["", "tokens left", "queries", "steps"], &phases.collect::<Vec<_>>()))
                h3 { "Each pass" }
            }
            (table(&["", "tried", "queries", "accepted", "tokens removed"], &passes.collect::<Vec<_>>()))
            @if n_idle > 0 { p { "The other " (n_idle) " passes and stages had nothing to try." } }
        }
    }
}

/// Makes the tables of the queries by what candidates did, and of candidates by what decided them.
pub(super) fn queries(summary: &Summary) -> Markup {
    let kinds = summary.breakdown.kinds.iter().map(|one| {
        let rate = 100.0 * one.accepted as f64 / one.queries.max(1) as f64;
        let mut row = row(&one.kind, &[one.queries, one.accepted]);
        row.push(format!("{rate:.1} %"));
        row
    });
    let deciders = summary.breakdown.deciders.iter();
    let deciders = deciders.map(|one| row(one.decider.name(), &[one.candidates]));
    html! {
        section id="queries" {
            h2 { "Queries" }
            h3 { "By what candidates did" }
            (table(&["", "queries", "accepted", "rate"], &kinds.collect::<Vec<_>>()))
            h3 { "By what decided them" }
            (table(&["", "candidates"], &deciders.collect::<Vec<_>>()))
        }
    }
}

/// Makes the section of the figures that differ from machine to machine, and from run to run.
pub(super) fn time(summary: &Summary, log: &StepLog) -> Markup {
    let states = || log.states().iter();
    let seconds = states().map(|state| state.elapsed.as_secs_f64());
    let points = seconds.zip(states().map(|state| state.tokens));
    let axis = Axis {
        id: "over-time",
        name: "seconds",
        title: "Size of the program over the time",
    };
    let passes = summary.breakdown.passes.iter().filter(has_tried);
    let passes = passes.map(|one| vec![one.pass.clone(), in_seconds(one.seconds)]);
    let seconds_of_states = states().map(|state| state.elapsed.as_millis() as f64 / 1e3);
    html! {
        section id="time" {
            h2 { "Time" }
            p { "This differs from machine to machine, and from run to run." }
            (curve(&axis, &points.collect::<Vec<_>>()))
            (table(&["", ""], &costs(summary)))
            details {
                summary { "Time of each pass" }
                (table(&["", "time"], &passes.collect::<Vec<_>>()))
            }
            (island("times", &seconds_of_states.collect::<Value>()))
        }
    }
}

/// Returns the costs of a reduction in time and memory.
fn costs(summary: &Summary) -> Vec<Vec<String>> {
    let mebibytes = summary.costs.peak_memory_bytes.div_ceil(1 << 20);
    let rows = [
        (
            "From the request to the result",
            in_seconds(summary.costs.wall_seconds),
        ),
        (
            "CPU time of compilers and programs",
            in_seconds(summary.costs.compiler_cpu_seconds),
        ),
        ("Our own time", in_seconds(summary.costs.overhead_seconds)),
        ("Memory of a run, at most", format!("{mebibytes} MiB")),
        (
            "Runs ahead of time that became void",
            summary.counts.speculative_queries.to_string(),
        ),
    ];
    let rows = rows.into_iter();
    rows.map(|(name, value)| vec![name.to_owned(), value])
        .collect()
}

fn in_seconds(seconds: f64) -> String {
    format!("{seconds:.1} s")
}
