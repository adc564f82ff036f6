//! The tables that `--verbose` adds to the figures: phases, passes, kinds of candidates, deciders, and what a run costs.

use super::status;
use crate::display::printable::Printable;
use reduce_engine::{SearchOptions, Summary};

/// Returns the statistics of a search as lines.
pub(super) fn lines(summary: &Summary) -> Printable {
    let mut text = status("Search", &search(&summary.search));
    text += phases(summary);
    text += passes(summary);
    text += kinds(summary);
    text += deciders(summary);
    text += status("Costs", &costs(summary));
    text
}

fn phases(summary: &Summary) -> Printable {
    let widths = summary
        .breakdown
        .phases
        .iter()
        .map(|phase| phase.phase.len());
    let width = widths.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>8} {:>8} {:>8} {:>10}",
        "", "tokens", "queries", "steps", "seconds"
    );
    let mut text = match summary.breakdown.phases.is_empty() {
        true => return Printable::default(),
        false => status("Phases", &head),
    };
    for phase in &summary.breakdown.phases {
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>8} {:>10.1}",
            "", phase.phase, phase.tokens_after, phase.queries, phase.steps, phase.seconds
        ));
    }
    text
}

fn passes(summary: &Summary) -> Printable {
    let width = summary
        .breakdown
        .passes
        .iter()
        .map(|pass| pass.pass.len())
        .max()
        .unwrap_or(0);
    let mut text = status(
        "Passes",
        &format!(
            "{:width$} {:>8} {:>8} {:>8} {:>8} {:>10}",
            "", "tried", "queries", "accepted", "tokens", "seconds"
        ),
    );
    for pass in &summary.breakdown.passes {
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>8} {:>8} {:>10.1}",
            "", pass.pass, pass.tried, pass.queries, pass.accepted, pass.tokens, pass.seconds
        ));
    }
    text
}

/// Says how the program was searched, as a user would ask for it.
pub(super) fn search(options: &SearchOptions) -> String {
    let SearchOptions {
        algorithm,
        strategy,
        seed,
        initial_probability,
        prior,
        closure,
        passes,
        replace_std,
        as_main,
        width,
        verify_minimal,
    } = options;
    let probability = match initial_probability {
        Some(probability) => format!(" --initial-probability {probability}"),
        None => String::new(),
    };
    let flag = |is_set: bool, name: &'static str| if is_set { name } else { "" };
    let replace = flag(*replace_std, " --replace-std");
    let main = flag(*as_main, " --as-main");
    let verify = flag(*verify_minimal, " --verify-minimal");
    let width = match width.get() {
        1 => String::new(),
        width => format!(" --width {width}"),
    };
    let mut text = format!(
        "--algorithm {algorithm} --strategy {strategy} --seed {seed}{probability} \
         --prior {prior} --closure {closure}{replace}{main}{width}{verify}"
    );
    let passes = passes.to_string();
    if !passes.is_empty() {
        text += " ";
        text += &passes;
    }
    text
}

fn kinds(summary: &Summary) -> Printable {
    let names = summary.breakdown.kinds.iter().map(|kind| kind.kind.len());
    let width = names.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>8} {:>8} {:>8}",
        "", "queries", "accepted", "rate"
    );
    let mut text = status("Kinds", &head);
    for kind in &summary.breakdown.kinds {
        let rate = 100.0 * kind.accepted as f64 / kind.queries.max(1) as f64;
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>6.1} %",
            "", kind.kind, kind.queries, kind.accepted, rate
        ));
    }
    text
}

fn deciders(summary: &Summary) -> Printable {
    let names = summary
        .breakdown
        .deciders
        .iter()
        .map(|one| one.decider.name().len());
    let width = names.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>10} {:>8} {:>8}",
        "", "candidates", "ms wall", "ms CPU"
    );
    let mut text = status("Decided by", &head);
    for one in &summary.breakdown.deciders {
        let each = |seconds: f64| 1000.0 * seconds / one.candidates.max(1) as f64;
        text += Printable::line(&format!(
            "{:12} {:width$} {:>10} {:>8.1} {:>8.1}",
            "",
            one.decider.name(),
            one.candidates,
            each(one.wall_seconds),
            each(one.cpu_seconds)
        ));
    }
    text
}

/// Describes the time that the compiler and we have used.
fn costs(summary: &Summary) -> String {
    let runs = summary.counts.queries + summary.counts.speculative_queries;
    let each = |seconds: f64| 1000.0 * seconds / runs.max(1) as f64;
    let compiler = match summary.costs.warm_compiler {
        true => "warm compiler",
        false => "compiler started anew",
    };
    format!(
        "{compiler} ({}), {:.1} ms CPU a run, at most {} MiB; our own time {:.2} ms a run",
        summary.costs.cheapest_call,
        each(summary.costs.compiler_cpu_seconds),
        summary.costs.peak_memory_bytes.div_ceil(1 << 20),
        each(summary.costs.overhead_seconds)
    )
}
