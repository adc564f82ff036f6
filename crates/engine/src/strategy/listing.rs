//! The table of stages in words, for lists and pages.

use super::row::{Condition, Does, Phase, Row};
use super::stages::{PHASES, TIDY};
use crate::request::Stage;
use reduce_passes::{LAST_PASSES, Pass, ROUND_PASSES};

/// The largest number of passes that are named one by one.
const MOST_NAMED: usize = 4;

/// A phase of a reduction: what is done in it, in this order.
#[derive(Debug)]
pub struct ListedPhase {
    /// The time at which the phase comes, such as "at the beginning".
    pub when: &'static str,
    /// The name in `reduction.json` of the part of the search to which the phase's cost belongs; empty if there is
    /// none.
    pub part: &'static str,
    /// A text for each thing that is done, with the names of stages in backticks.
    pub steps: Vec<String>,
    /// The names of all passes and stages of the phase, without those that are only made on trial
    /// of another.
    names: Vec<&'static str>,
}

/// Returns all phases, in the order in which they first come.
pub fn listed_phases() -> impl Iterator<Item = ListedPhase> {
    let tidied = TIDY
        .iter()
        .map(|(stage, condition, _)| (*stage, *condition));
    let tidied = tidied.chain([(Stage::Print, None)]);
    let mut tidying = ListedPhase {
        when: "on the result of a search that was stopped, with a few looks",
        part: "",
        steps: Vec::new(),
        names: Vec::new(),
    };
    for (stage, condition) in tidied {
        let text = tidying.stage(stage);
        tidying.steps.push(on_condition(text, condition));
    }
    PHASES.into_iter().map(ListedPhase::new).chain([tidying])
}

impl ListedPhase {
    fn new(phase: &Phase) -> Self {
        let mut listed = Self {
            when: phase.when,
            part: phase.part.name(),
            steps: Vec::new(),
            names: Vec::new(),
        };
        listed.steps = listed.texts(phase.rows);
        listed
    }

    /// Whether a pass or stage of this name is made in the phase, not only on trial of another.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    fn texts(&mut self, rows: &[Row]) -> Vec<String> {
        rows.iter().flat_map(|row| self.text(row)).collect()
    }

    fn text(&mut self, row: &Row) -> Vec<String> {
        let text = match row.does {
            Does::Stage(stage, _) | Does::OwnStage(stage, _) => self.stage(stage),
            Does::OnTrial(stage, _, then) => {
                let stage = self.stage(stage);
                let n_names = self.names.len();
                let then = self.texts(then).join(", ");
                self.names.truncate(n_names);
                format!("{stage} (on trial: {then})")
            }
            Does::Passes(passes) => self.passes(passes),
            Does::AtOnce(passes) => {
                self.stage(Stage::AtOnce);
                self.passes(passes)
            }
            Does::Strategy => {
                self.stage(Stage::AtOnce);
                self.passes(ROUND_PASSES);
                let last = LAST_PASSES.iter().map(|pass| format!("`{}`", pass.name));
                format!("all passes but {}", last.collect::<Vec<_>>().join(", "))
            }
            Does::Rows(rows) => return self.texts(rows),
            Does::Rounds => "rounds".to_owned(),
        };
        vec![on_condition(text, row.condition)]
    }

    fn stage(&mut self, stage: Stage) -> String {
        self.names.push(stage.name());
        format!("`{stage}`")
    }

    fn passes(&mut self, passes: &'static [Pass]) -> String {
        let texts: Vec<String> = passes
            .iter()
            .map(|pass| self.stage(Stage::Pass(pass)))
            .collect();
        match texts.as_slice() {
            [first, .., last] if texts.len() > MOST_NAMED => {
                format!("the passes from {first} to {last}")
            }
            texts => texts.join(", "),
        }
    }
}

/// Adds to a text the condition on which a thing is done.
fn on_condition(text: String, condition: Option<Condition>) -> String {
    match condition {
        Some(condition) => format!("{text} {}", condition.name),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::PassChoice;

    #[test]
    fn every_pass_and_stage_that_may_be_chosen_has_a_row() {
        let phases: Vec<ListedPhase> = listed_phases().collect();
        for name in PassChoice::names() {
            assert!(phases.iter().any(|phase| phase.has(name)), "{name}");
        }
    }

    #[test]
    fn a_phase_says_what_is_done_in_order_and_on_which_condition() {
        let phase = listed_phases()
            .find(|phase| phase.has("expand_items"))
            .unwrap();
        assert_eq!(phase.when, "for each crate that has become a module");
        let steps: Vec<&str> = phase.steps.iter().map(String::as_str).collect();
        assert_eq!(
            steps[..3],
            [
                "`narrow_difference`",
                "`delete_dead_code`",
                "`keep_slice` with `--whole`"
            ]
        );
    }
}
