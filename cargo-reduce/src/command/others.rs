//! `--others`: what else makes the compiler crash is reduced too, one after the other, once the crash that was asked for is.

use super::reduce::{Waited, end, reduce};
use crate::args::ReduceArgs;
use crate::context::Context;
use crate::display::{Display, say};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_engine::{
    ExistingOutput, Failure, ForRustc, Goal, OTHERS, OtherCrash, OtherProgram, ReductionRequest,
    Summary,
};
use std::collections::{BTreeSet, VecDeque};

/// The largest number of other crashes that are reduced: a compiler that is told to crash at each error crashes in as
/// many ways as there are errors.
const MOST: usize = 8;

/// Reduces the other crashes that were met while `request` was reduced, and those that are met on the way. What cannot be
/// reduced is told, and the next one begins.
pub(super) async fn run(
    args: &ReduceArgs,
    request: &ReductionRequest,
    first: &Summary,
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let mut others = Others::of(first);
    let mut ends = Vec::new();
    while let Some(crash) = others.next() {
        let mut display = Display::new(&args.display, context);
        let position = others.position();
        display.note("Next crash", &format!("{position}: {}", crash.signature));
        let waited = match request_for(request, &crash, others.begun) {
            Ok(request) => reduce(args, request, context, &mut display).await,
            Err(error) => Err(error),
        };
        ends.push(match &waited {
            Ok(Waited::Finished(summary)) => {
                others.add(summary);
                let tokens = summary.sizes.tokens_after;
                format!(
                    "{tokens} tokens, `{}`: {}",
                    summary.delivered.result, crash.signature
                )
            }
            _ => format!("not reduced: {}", crash.signature),
        });
        if end(&waited, &mut display) == ExitStatus::Stopped {
            return Ok(ExitStatus::Stopped);
        }
    }
    for end in &ends {
        say(args.display.message_format, "Other", end);
    }
    Ok(ExitStatus::Reduced)
}

/// Says how other crashes are reduced, where some were met.
pub(super) fn advise(args: &ReduceArgs, goal: &Goal, first: &Summary) {
    let met = first.other_crashes.len();
    if met > 0 && *goal == Goal::Ice {
        let answers = match args.run.no_cache {
            true => "",
            false => "; it takes the answers of this run",
        };
        let message = format!(
            "the same command with `--others --force` reduces the other {met} crash(es) too{answers}"
        );
        say(args.display.message_format, "Others", &message);
    }
}

/// The request for another crash: the same way, to a directory of its own. What else is written of the first crash is not
/// written of this one: its name and its number are those of the first.
fn request_for(
    first: &ReductionRequest,
    crash: &OtherCrash,
    number: usize,
) -> Result<ReductionRequest, CommandError> {
    let other = OtherProgram::read(&crash.kept_at, &crash.signature).map_err(Failure::from)?;
    Ok(ReductionRequest {
        instead: Some(other),
        output: first.output.join(OTHERS).join(number.to_string()),
        existing_output: ExistingOutput::Refuse,
        log: None,
        for_rustc: ForRustc::default(),
        ..first.clone()
    })
}

/// The other crashes that wait to be reduced, each signature once.
struct Others {
    known: BTreeSet<String>,
    waiting: VecDeque<OtherCrash>,
    begun: usize,
}

impl Others {
    fn of(first: &Summary) -> Self {
        let mut others = Self {
            known: BTreeSet::from([first.behaviour.signature.to_string()]),
            waiting: VecDeque::new(),
            begun: 0,
        };
        others.add(first);
        others
    }

    /// Adds the other crashes of a reduction that are not known yet.
    fn add(&mut self, summary: &Summary) {
        for crash in &summary.other_crashes {
            let has_room = self.begun + self.waiting.len() < MOST;
            if has_room && self.known.insert(crash.signature.clone()) {
                self.waiting.push_back(crash.clone());
            }
        }
    }

    fn next(&mut self) -> Option<OtherCrash> {
        let next = self.waiting.pop_front()?;
        self.begun += 1;
        Some(next)
    }

    /// Returns the position of the crash that is being reduced among all known ones, such as `2 of 5`.
    fn position(&self) -> String {
        format!("{} of {}", self.begun, self.begun + self.waiting.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::summary;

    fn met(names: &[&str]) -> Summary {
        let crash = |name: &&str| OtherCrash {
            signature: (*name).to_owned(),
            kept_at: format!("/out/{name}").into(),
        };
        Summary {
            other_crashes: names.iter().map(crash).collect(),
            ..summary()
        }
    }

    #[test]
    fn each_crash_is_reduced_once_and_the_first_is_known() {
        let first = summary().behaviour.signature.to_string();
        let mut others = Others::of(&met(&["a", &first, "b"]));
        assert_eq!(others.next().unwrap().signature, "a");
        assert_eq!(others.position(), "1 of 2");
        others.add(&met(&[&first, "b", "a", "c"]));
        let rest: Vec<String> = std::iter::from_fn(|| Some(others.next()?.signature)).collect();
        assert_eq!(rest, ["b", "c"]);
    }

    #[test]
    fn there_is_an_end() {
        let names: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut others = Others::of(&met(&names[..5]));
        while others.next().is_some() {
            others.add(&met(&names));
        }
        assert_eq!(others.begun, MOST);
    }
}
