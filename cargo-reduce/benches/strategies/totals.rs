//! All runs with the same algorithm and strategy together, and how they compare with the default.

use crate::rows::Row;
use reduce_engine::{SearchOptions, Summary};
use std::fmt::Write;

const HEAD: &str = "\
| algorithm | strategy | finished | size | queries | seconds | size × | queries × | seconds × |
|---|---|---:|---:|---:|---:|---:|---:|---:|";

/// Explains the columns.
const FOOT: &str = "\
`size` is the geometric mean of tokens after / before. The sums are of the runs that finished. The \
last three columns compare with the default, on the inputs that both have finished: below 1 is \
better.";

/// The table, with a line for each algorithm and strategy, in the order of the rows.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = format!("{HEAD}\n");
    for (algorithm, strategy) in pairs(rows) {
        let own = of(rows, algorithm, strategy);
        let default = SearchOptions::default();
        let default = of(rows, default.algorithm.name(), default.strategy.name());
        let cells = [own_cells(&own), relative_cells(&own, &default)].concat();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {algorithm} | {strategy} | {} |", cells.join(" | "));
    }
    text + "\n" + FOOT
}

fn pairs(rows: &[Row]) -> Vec<(&str, &str)> {
    let mut pairs = vec![];
    for row in rows {
        let pair = (row.algorithm.as_str(), row.strategy.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// Returns the results of an algorithm and a strategy, input by input; all have the same order of inputs.
fn of<'a>(rows: &'a [Row], algorithm: &str, strategy: &str) -> Vec<Option<&'a Summary>> {
    rows.iter()
        .filter(|row| row.algorithm == algorithm && row.strategy == strategy)
        .map(Row::finished)
        .collect()
}

fn own_cells(own: &[Option<&Summary>]) -> Vec<String> {
    let finished: Vec<&Summary> = own.iter().flatten().copied().collect();
    let sizes = finished
        .iter()
        .map(|summary| ratio(summary.sizes.tokens_after, summary.sizes.tokens_before));
    vec![
        format!("{} of {}", finished.len(), own.len()),
        geometric_mean(sizes).map_or("–".to_owned(), |mean| format!("{mean:.4}")),
        sum(&finished, |summary| summary.counts.queries as f64).to_string(),
        format!(
            "{:.1}",
            sum(&finished, |summary| summary.costs.wall_seconds)
        ),
    ]
}

fn relative_cells(own: &[Option<&Summary>], default: &[Option<&Summary>]) -> Vec<String> {
    let both = own
        .iter()
        .zip(default)
        .filter_map(|(own, default)| (*own).zip(*default));
    let (own, default): (Vec<&Summary>, Vec<&Summary>) = both.unzip();
    if own.is_empty() {
        return vec!["–".to_owned(); 3];
    }
    let sizes = own
        .iter()
        .zip(&default)
        .map(|(own, default)| ratio(own.sizes.tokens_after, default.sizes.tokens_after));
    let relative = |figure: fn(&Summary) -> f64| sum(&own, figure) / sum(&default, figure);
    let all = [
        geometric_mean(sizes).unwrap_or(f64::NAN),
        relative(|summary| summary.counts.queries as f64),
        relative(|summary| summary.costs.wall_seconds),
    ];
    all.map(|ratio| format!("{ratio:.3}")).into()
}

fn sum(summaries: &[&Summary], figure: fn(&Summary) -> f64) -> f64 {
    // The sum of no numbers would be -0.
    let figures = summaries.iter().map(|summary| figure(summary));
    figures.fold(0.0, |sum, figure| sum + figure)
}

/// Returns the ratio of two sizes. Nothing is smaller than a token.
fn ratio(part: u64, whole: u64) -> f64 {
    part.max(1) as f64 / whole.max(1) as f64
}

fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let len = ratios.len();
    let logarithms: f64 = ratios.map(f64::ln).sum();
    (len > 0).then(|| (logarithms / len as f64).exp())
}
