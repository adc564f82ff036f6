//! The list of facts about a result, a line each.

use super::{Report, span};
use crate::figures::Ended;
use crate::summary::{Summary, but_for_late, but_for_skipped};
use reduce_guard::Fidelity;
use reduce_oracle::{CrashKind, Tool, UndefinedBehaviour};
use reduce_syntax::SourceTree;
use std::fmt::Write;

impl Report<'_> {
    /// Writes the list of facts.
    pub(super) fn facts(&self, out: &mut String) -> std::fmt::Result {
        let summary = self.summary;
        let title = match summary.behaviour.signature.noun() {
            "crash" => "Crash",
            _ => "Failure",
        };
        let failure = span(&self.public(&summary.behaviour.failure));
        writeln!(out, "- {title}: {failure}")?;
        if let Some(kept) = &summary.behaviour.kept {
            writeln!(out, "- What had to stay: {}", span(&self.public(kept)))?;
        }
        if summary.ended == Ended::Cancelled {
            writeln!(
                out,
                "- The reduction was stopped before its end: a smaller result may exist."
            )?;
        }
        if !summary.behaviour.checked {
            writeln!(
                out,
                "- The result was not compiled once more, as the reduction was stopped. It failed when it became the \
                 best so far. The output below is that of the original program."
            )?;
        }
        if let Some(why) = summary.ended.early() {
            writeln!(
                out,
                "- The search ended early, as {why}: a smaller result may exist."
            )?;
        }
        self.cost(out)?;
        if let Some(words) = of_fidelity(summary) {
            writeln!(out, "- {words}")?;
        }
        if let Some(rate) = summary.flaky.and_then(|flaky| flaky.result) {
            writeln!(out, "- It does not show each time: in {rate}")?;
        }
        if let Some(stability) = summary.stability {
            writeln!(out, "- Stability of the original: {stability}")?;
        }
        if let Some(told) = &summary.behaviour.undefined_behaviour {
            let told = of_undefined_behaviour(told);
            writeln!(out, "- Undefined behaviour: {told}")?;
        }
        if summary.may_be_of_macro {
            writeln!(
                out,
                "- It shows while procedural macros run, and may be theirs."
            )?;
        }
        // A reader of the command may have forgotten that the edition is the oldest.
        let is_crash = self.is_of_rustc() || self.tool != Tool::Rustc;
        let unsaid = match is_crash && !self.command.contains("--edition") {
            true => format!(
                ", which {} takes as the command names none",
                self.tool.program()
            ),
            false => String::new(),
        };
        writeln!(out, "- Edition: {}{unsaid}", span(self.edition))?;
        if self.summary.delivered.goes_to.is_none() {
            let flags: Vec<String> = self.flags.iter().map(|flag| self.public(flag)).collect();
            writeln!(out, "- Flags: {}", span_list(&flags))?;
        }
        let mut known = Vec::new();
        for success in summary.delivered.also.iter().map(|one| &one.compiler) {
            if !summary.delivered.compiler.starts_with(success.as_str())
                && !known.contains(&success)
            {
                writeln!(out, "- Works with: {}", span(success))?;
                known.push(success);
            }
        }
        for one in &summary.delivered.also {
            let line = |name: &String| span(&self.public(name));
            if let Some(version) = one.version.as_ref().map(line) {
                let how = match &summary.delivered.difference {
                    Some(_) => "Passes in the version",
                    None => "Passes with the code of",
                };
                writeln!(out, "- {how}: {version}")?;
            }
            if let Some(next) = one.broken_by.as_ref().map(line) {
                writeln!(out, "- Fails since: {next}")?;
            }
        }
        let features = features(self.reduced);
        if !features.is_empty() {
            writeln!(out, "- Features: {}", span_list(&features))?;
        }
        match summary.behaviour.clean {
            Some(true) => writeln!(out, "- No other error is reported.")?,
            Some(false) => {
                let errors = span_list(&summary.behaviour.remaining_errors);
                writeln!(out, "- Other errors that are reported too: {errors}")?;
            }
            None => writeln!(
                out,
                "- Whether there are other errors is not known: no compiler was asked."
            )?,
        }
        if let Some(neighbour) = &summary.behaviour.neighbour {
            let by = format!("{} ({})", span(&neighbour.command), neighbour.version);
            match neighbour.error.as_ref().map(|error| span(error)) {
                None => writeln!(out, "- It compiles with {by}.")?,
                Some(error) => writeln!(out, "- Another compiler refuses it, {by}: {error}")?,
            }
        }
        match summary.counts.carved_calls {
            0 => {
                if let Some(reason) = summary.counts.not_carved {
                    writeln!(out, "- Not written anew from what the test did: {reason}.")?;
                }
            }
            n_calls => {
                let calls = match n_calls {
                    1 => "the call".to_owned(),
                    _ => format!("{n_calls} calls"),
                };
                writeln!(out, "- Written anew from {calls} that the test made.")?;
            }
        }
        if summary.counts.expects_anew {
            writeln!(
                out,
                "- Asserts something else than the original test: what the code under test gives or decides here under the changes that mend the original."
            )?;
        }
        let skipped = but_for_skipped(&summary.counts.skipped);
        if summary.counts.out_of_time > 0 || !skipped.is_empty() {
            let late = but_for_late(summary.counts.out_of_time);
            writeln!(out, "- Minimal for each single edit{skipped}{late}.")?;
        }
        writeln!(out, "- Reduced with cargo-reduce.\n")
    }

    /// Writes how much time the program took, where the failure is that it takes long.
    fn cost(&self, out: &mut String) -> std::fmt::Result {
        let seconds = self.shown.duration.as_secs_f64();
        match self.summary.behaviour.signature.kind {
            CrashKind::Hang => writeln!(out, "- Stopped after {seconds:.1} s"),
            CrashKind::Slow => writeln!(out, "- Time: {seconds:.1} s"),
            _ => Ok(()),
        }
    }
}

/// Returns a sentence about how closely the reduction kept to the cause of the failure; `None`
/// where there is nothing to say.
fn of_fidelity(summary: &Summary) -> Option<&'static str> {
    match summary.fidelity {
        Fidelity::Test => None,
        Fidelity::Whole if summary.delivered.difference.is_some() => Some(
            "The code under test was reduced too (`--whole`), and so was the difference between its versions (`--good`).",
        ),
        Fidelity::Whole => Some(
            "The code under test was reduced too (`--whole`). What changes the outcome when it is changed has stayed.",
        ),
        Fidelity::Free => Some(
            "Only the failure was kept (`--free`): its cause may be another than in the original.",
        ),
    }
}

/// Says whether any tool has looked for undefined behaviour in the program.
fn of_undefined_behaviour(told: &UndefinedBehaviour) -> String {
    match told {
        UndefinedBehaviour::CheckedBy(who) => {
            format!("{who} was asked about each step, and finds none in this program.")
        }
        UndefinedBehaviour::Unchecked(reason) => format!(
            "nobody has looked for it ({reason}). A program that has it may print anything: run it with Miri before you report it."
        ),
    }
}

/// Returns the features that the crate root switches on.
fn features(tree: &SourceTree) -> Vec<String> {
    let text: String = tree.text(tree.root()).split_whitespace().collect();
    text.split("#![feature(")
        .skip(1)
        .filter_map(|rest| rest.split(")]").next())
        .flat_map(|names| names.split(','))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn span_list(items: &[String]) -> String {
    match items.is_empty() {
        true => "none".to_owned(),
        false => Vec::from_iter(items.iter().map(|item| span(item))).join(" "),
    }
}
