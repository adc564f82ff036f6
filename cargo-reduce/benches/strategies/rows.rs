//! One run as a row of a Markdown table and of a CSV file.

use reduce_engine::{KindStatistics, Summary};

/// The head of the Markdown table.
pub(crate) const MARKDOWN_HEAD: &str = "\
| input | algorithm | strategy | tokens before | tokens after | queries | success | by kind | seconds | clean | outcome |
|---|---|---|---:|---:|---:|---:|---|---:|---|---|";

/// The head of the CSV file. The rates are fractions; a kind is `kind accepted/queries`.
pub(crate) const CSV_HEAD: &str = "input,algorithm,strategy,tokens_before,tokens_after,queries,\
    accepted,success_rate,kinds,seconds,clean,outcome";

/// One run.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) input: String,
    pub(crate) algorithm: String,
    pub(crate) strategy: String,
    pub(crate) outcome: Outcome,
}

/// The end of a run.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Reduced(Box<Summary>),
    /// The time was up. The summary is that of the best so far, where it could be written.
    TimedOut(Option<Box<Summary>>),
    Failed(String),
}

impl Row {
    /// Returns the summary of a reduction that did not fail; after a cap on its time not all that it would have found.
    fn summary(&self) -> Option<&Summary> {
        match &self.outcome {
            Outcome::Reduced(summary) => Some(summary),
            Outcome::TimedOut(summary) => summary.as_deref(),
            Outcome::Failed(_) => None,
        }
    }

    /// Returns the summary of a reduction that went to its end.
    pub(crate) fn finished(&self) -> Option<&Summary> {
        match &self.outcome {
            Outcome::Reduced(summary) => Some(summary),
            _ => None,
        }
    }

    fn outcome(&self) -> String {
        match &self.outcome {
            Outcome::Reduced(_) => "reduced".to_owned(),
            Outcome::TimedOut(_) => "timed out".to_owned(),
            Outcome::Failed(reason) => format!("failed: {reason}"),
        }
    }

    /// Returns the row as a line of the table under [`MARKDOWN_HEAD`].
    pub(crate) fn markdown(&self) -> String {
        let figures = match self.summary() {
            Some(summary) => markdown_figures(summary),
            None => vec!["–".to_owned(); 7],
        };
        let names = [&self.input, &self.algorithm, &self.strategy].map(String::clone);
        let cells = names.into_iter().chain(figures).chain([self.outcome()]);
        // A bar would end the cell.
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |", cells.join(" | "))
    }

    /// Returns the row as a line under [`CSV_HEAD`].
    pub(crate) fn csv(&self) -> String {
        let figures = match self.summary() {
            Some(summary) => csv_figures(summary),
            None => vec![String::new(); 8],
        };
        let names = [&self.input, &self.algorithm, &self.strategy].map(String::clone);
        let cells = names.into_iter().chain(figures).chain([self.outcome()]);
        let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
        cells.join(",")
    }
}

fn markdown_figures(summary: &Summary) -> Vec<String> {
    vec![
        summary.sizes.tokens_before.to_string(),
        summary.sizes.tokens_after.to_string(),
        summary.counts.queries.to_string(),
        percent(accepted(summary), summary.counts.queries),
        by_kind(summary, |kind| {
            let rate = percent(kind.accepted, kind.queries);
            format!("{} {rate} of {}", kind.kind, kind.queries)
        }),
        format!("{:.1}", summary.costs.wall_seconds),
        yes_or_no(summary.behaviour.clean == Some(true)),
    ]
}

fn csv_figures(summary: &Summary) -> Vec<String> {
    let accepted = accepted(summary);
    vec![
        summary.sizes.tokens_before.to_string(),
        summary.sizes.tokens_after.to_string(),
        summary.counts.queries.to_string(),
        accepted.to_string(),
        format!(
            "{:.4}",
            accepted as f64 / summary.counts.queries.max(1) as f64
        ),
        by_kind(summary, |kind| {
            format!("{} {}/{}", kind.kind, kind.accepted, kind.queries)
        }),
        format!("{:.3}", summary.costs.wall_seconds),
        yes_or_no(summary.behaviour.clean == Some(true)),
    ]
}

/// Queries that were interesting. Steps are not the same: a verdict that is known also makes one.
fn accepted(summary: &Summary) -> u64 {
    summary
        .breakdown
        .kinds
        .iter()
        .map(|kind| kind.accepted)
        .sum()
}

fn by_kind(summary: &Summary, cell: impl Fn(&KindStatistics) -> String) -> String {
    let kinds: Vec<String> = summary.breakdown.kinds.iter().map(cell).collect();
    kinds.join("; ")
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

/// A cell of a CSV file (RFC 4180).
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
