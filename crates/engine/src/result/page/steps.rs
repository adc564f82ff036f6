//! The steps in a page: a slider over the programs, with what each step changed, and a table. The script makes the
//! programs of the woven parts; the table is there without it.

use crate::accept::{LoggedState, Occasion, Part, StepLog, Woven};
use maud::{Markup, PreEscaped, html};
use reduce_oracle::escape;
use serde_json::{Value, json};

/// The largest number of rows of the table, which are the last ones.
const MOST_ROWS: usize = 2_000;

/// The steps of a search, for the part of a page that shows them.
pub(super) struct Steps<'a> {
    states: &'a [LoggedState],
    woven: Woven,
}

impl<'a> Steps<'a> {
    /// Makes the steps of a log, with programs that need about so many bytes at most.
    pub(super) fn new(log: &'a StepLog, most: usize) -> Self {
        Self {
            states: log.states(),
            woven: log.woven_for_readers().within(most),
        }
    }

    /// Makes the section with the slider and the table.
    pub(super) fn section(&self) -> Markup {
        let (first, last) = (self.woven.first, self.states.len() - 1);
        html! {
            section id="steps" {
                h2 { "Step by step" }
                noscript { p { "The programs of the steps are shown by a script. The table below needs none." } }
                @if first > 0 {
                    p { "The programs before step " (first) " are left out, as they are too long for this page." }
                }
                div.stepping hidden {
                    div.controls {
                        label for="step" { "Step" }
                        button type="button" data-move="-1" aria-label="The step before" { "◀" }
                        input type="range" id="step" min=(first) max=(last) value=(last) step="1" aria-describedby="told";
                        button type="button" data-move="1" aria-label="The next step" { "▶" }
                        label { input type="checkbox" id="whole"; " whole program" }
                    }
                    p { output id="told" for="step" {} }
                    p.legend { del { "Deleted" } " by this step, " ins { "added" } " by it, and the rest as it was." }
                    div id="program" {}
                }
                details {
                    summary { "All steps in a table" }
                    (self.table())
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let n_left_out = self.states.len().saturating_sub(MOST_ROWS);
        html! {
            @if n_left_out > 0 { p { "The first " (n_left_out) " are left out." } }
            table {
                thead { tr { th scope="col" { "" } th scope="col" { "made by" } th scope="col" { "tokens" } th scope="col" { "queries until then" } } }
                tbody {
                    @for (number, state) in self.states.iter().enumerate().skip(n_left_out) {
                        tr { td { (number) } td { (what(state)) } td { (state.tokens) } td { (state.queries) } }
                    }
                }
            }
        }
    }

    /// Returns the data that the page's script needs to show the program of each step.
    pub(super) fn data(&self) -> Markup {
        let states = self.states.iter();
        let states = states.map(|state| json!([what(state), state.tokens, state.queries]));
        let files = self.woven.files.iter().map(|file| {
            let parts = file.parts.iter().map(part);
            json!({ "path": escape::line(file.path.as_str()), "parts": parts.collect::<Value>() })
        });
        let data = json!({
            "first": self.woven.first,
            "states": states.collect::<Value>(),
            "files": files.collect::<Value>(),
        });
        island("data", &data)
    }
}

/// Formats a piece of text as `[came, went, text]`, with the numbers of lines and bytes that are left out if there are
/// some; `went` is 0 for one that stays.
fn part(part: &Part) -> Value {
    let text = escape::lines(&part.text);
    let went = part.went.unwrap_or(0);
    match part.left_out.bytes {
        0 => json!([part.came, went, text]),
        bytes => json!([part.came, went, text, part.left_out.lines, bytes]),
    }
}

/// Says by what a program became the best so far, such as a pass or a person's edit.
fn what(state: &LoggedState) -> String {
    match (state.occasion, state.pass.as_str()) {
        (Occasion::Input, _) => "the original".to_owned(),
        (Occasion::Begun, _) => "prepared for the search".to_owned(),
        (Occasion::Accepted(_), pass) => pass.to_owned(),
        (Occasion::Resumed(step), _) => format!("steps 1 to {step} of an earlier run"),
        (Occasion::Adopted(_), _) => "an edit by hand".to_owned(),
        (Occasion::Form, "") => "another form".to_owned(),
        (Occasion::Form, pass) => format!("another form, after {pass}"),
    }
}

/// Embeds data for the script in a page. No text in it ends the element that it stands in.
pub(super) fn island(id: &str, data: &Value) -> Markup {
    let text = data.to_string().replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(text)) } }
}
