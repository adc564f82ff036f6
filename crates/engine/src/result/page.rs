//! `report.html`: the report as a page for people, with what `report.md` says, and how the result came about. It is
//! one file that loads nothing: its policy forbids it, and lets no script run but ours, whatever the code
//! and the output in it say. What they say is escaped besides.
//!
//! All that depends on the machine and on its load stands in the section `time` alone. The rest is the same
//! for the same report and the same search.

mod code;
mod curve;
mod prose;
mod steps;
mod tables;

use super::report::{ReportText, Reporting};
use crate::accept::StepLog;
use crate::figures::Ended;
use crate::summary::{SearchCounts, Sizes, Summary};
use curve::{Axis, curve};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use reduce_oracle::escape;
use steps::Steps;

/// The style of the page.
const STYLE: &str = include_str!("page/page.css");
/// The script of the slider and the buttons.
const SCRIPT: &str = include_str!("page/page.js");

/// The largest number of bytes that the programs of all steps have in a page.
const MOST_FOR_STEPS: usize = 1_000_000;
/// The number of bytes that the programs of all steps may have in a page, however long the report
/// is.
const FEWEST_FOR_STEPS: usize = 250_000;
/// The bytes of the page for each byte of the report: it stands there twice, once with its colours.
const BYTES_FOR_REPORT: usize = 5;

/// Makes the text of `report.html`.
pub(super) fn page(summary: &Summary, report: &ReportText, log: &StepLog) -> String {
    let for_report = report.body.len() * BYTES_FOR_REPORT;
    let most = MOST_FOR_STEPS.saturating_sub(for_report);
    let steps = Steps::new(log, most.max(FEWEST_FOR_STEPS));
    let title = escape::line(&report.title);
    let body = html! {
        header {
            h1 { (title) }
            p.sizes { (sizes(summary)) }
            (copy_of("markdown", "Copy the report as Markdown"))
        }
        main {
            @if let Some(reporting) = &report.reporting { (before_reporting(reporting)) }
            section id="report" {
                h2 { "Report" }
                (prose::html(&report.body))
            }
            (steps.section())
            (way(log))
            (tables::passes(summary))
            (tables::queries(summary))
            @if !report.other_crashes.is_empty() { (other_crashes(&report.other_crashes)) }
            (markdown(report))
            (tables::time(summary, log))
        }
        (steps.data())
    };
    whole(&title, &body, Some(SCRIPT))
}

/// Makes a whole HTML page in the style of the report, with a title and a body. It is one file that loads nothing and has no script.
#[must_use]
pub fn html_page(title: &str, body: &Markup) -> String {
    whole(title, body, None)
}

/// Makes a whole HTML page with a title, a body and a script of ours.
fn whole(title: &str, body: &Markup, script: Option<&str>) -> String {
    // Nobody who has written a part of the body knows the digest of all of it.
    let nonce = blake3::hash(body.0.as_bytes()).to_hex();
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; \
         base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content="cargo-reduce";
                title { (title) }
                style nonce=(nonce) { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                @if let Some(script) = script { script nonce=(nonce) { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

/// Says how much smaller the program became, and what that took.
fn sizes(summary: &Summary) -> String {
    let Sizes {
        tokens_before,
        tokens_after,
        ..
    } = summary.sizes;
    let SearchCounts { steps, queries, .. } = &summary.counts;
    let stopped = match summary.ended {
        Ended::Cancelled => " The search was stopped before its end.".to_owned(),
        Ended::Unconfirmed => {
            " The last program did not fail any more: this is the last one that does.".to_owned()
        }
        ended => match ended.early() {
            Some(why) => format!(" The search ended early, as {why}."),
            None => String::new(),
        },
    };
    let known = match summary.counts.cache_hits {
        0 => String::new(),
        hits => format!(", with {hits} answers that were known"),
    };
    format!(
        "{tokens_before} tokens became {tokens_after} in {steps} steps and {queries} queries{known}.{stopped}"
    )
}

/// Makes a button that copies the text of an element.
fn copy_of(id: &str, words: &str) -> Markup {
    html! { button type="button" class="copy" data-copy=(id) hidden { (words) } }
}

/// Makes the section about what to do before the crash is reported.
fn before_reporting(reporting: &Reporting) -> Markup {
    html! {
        section id="reporting" {
            h2 { "Before you report it" }
            @if let Some(title) = &reporting.title {
                p { "A title for the issue: " code id="issue-title" { (escape::line(title)) } " " (copy_of("issue-title", "Copy")) }
            }
            p {
                @if let Some(search) = &reporting.search {
                    a href=(search) rel="noreferrer" { "Look whether it is known" }
                    ", or "
                }
                a href=(reporting.issue) rel="noreferrer" { "open a new issue" }
                " with this report. Nothing is sent before you follow a link."
            }
        }
    }
}

/// Draws the size of the program over the queries.
fn way(log: &StepLog) -> Markup {
    let states = log.states();
    let points = states
        .iter()
        .map(|state| (state.queries as f64, state.tokens));
    let axis = Axis {
        id: "over-queries",
        name: "queries",
        title: "Size of the program after each query",
    };
    html! {
        section id="curve" {
            h2 { "Size over queries" }
            (curve(&axis, &points.collect::<Vec<_>>()))
            p.legend { "A question whose answer was known counts as a query here and in the list of steps." }
        }
    }
}

fn other_crashes(crashes: &[(String, String)]) -> Markup {
    html! {
        section id="other-crashes" {
            h2 { "Other crashes" }
            p { "These candidates crashed in another way. They may be bugs of their own. Each directory stands beside this page." }
            ul {
                @for (signature, name) in crashes {
                    @let directory = format!("other-crashes/{name}/");
                    li { code { (escape::line(signature)) } " in " a href=(directory) { (directory) } }
                }
            }
        }
    }
}

/// Makes the section with the report as it is pasted.
fn markdown(report: &ReportText) -> Markup {
    html! {
        section id="as-markdown" {
            h2 { "The report as Markdown" }
            details {
                summary { "Show it" }

                pre { code id="markdown" { (escape::lines(&report.markdown())) } }
            }
        }
    }
}

#[cfg(test)]
mod tests;
