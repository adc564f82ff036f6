//! The last check of the result: it is shown to the compiler as a person would do it. Where it does not fail any more
//! (a candidate was accepted by luck, names or layout matter to a crash), the result is the last step that still fails,
//! and the reduction ends with a failure that says so.

use super::delivery::{Delivery, OtherInPackage, deliver, unchecked};
use super::in_package::{deliver_in_package, unchecked_in_package};
use crate::ask::CompilerOracle;
use crate::ask::of_result;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::hurry::{for_a_moment, moment};
use crate::packaged::PackagedTest;
use crate::session::Session;
use crate::summary::Summary;
use crate::turns::Work;
use reduce_oracle::{FlagDifferences, Sample, Shown};
use std::fmt;

/// The result as it is delivered, and whether it is the best program of the search.
pub(crate) struct Confirmed {
    pub(crate) delivery: Delivery,
    /// The compiler runs that the confirmation took.
    pub(crate) runs: u64,
    /// The reason why the best so far could not be confirmed, if it could not.
    pub(crate) loss: Option<Loss>,
}

/// The reason why the best program of the search is not the result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loss {
    reason: Reason,
    /// Whether an earlier step still fails, and is the result; otherwise the result is the best
    /// program all the same.
    has_earlier: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Reason {
    /// The best so far fails in some runs.
    Unstable(Sample),
    /// The best so far did not fail when it was looked at.
    NotShown,
    /// The test fails where candidates are run, and has another outcome in its package.
    OtherInPackage(OtherInPackage),
    /// The result did not fail in several runs, though it need not fail in each.
    TooSeldom,
}

/// Compiles the best so far as a person would, and runs it a few times; if it does not fail, does the same with earlier
/// steps until one fails. That one is the best so far then. A test of a package is checked in a copy of the package.
///
/// # Errors
/// Where our own surroundings fail, or the compiler is not any more what it was.
pub(crate) fn confirm(
    context: &Context<'_>,
    session: &mut Session<'_>,
    (oracle, packaged): (&CompilerOracle, Option<&PackagedTest>),
    of_input: &Shown,
) -> Result<Confirmed, Failure> {
    let mut final_checks = FinalChecks {
        context,
        oracle,
        packaged,
        of_input,
        runs: 0,
        reason: session.best.is_lost().then_some(Reason::NotShown),
        not_shown: match oracle.may_pass() {
            true => Reason::TooSeldom,
            false => Reason::NotShown,
        },
    };
    let mut first = None;
    for state in session.best.results() {
        let (delivery, holds) = final_checks.at(&state)?;
        oracle.unless_changed()?;
        if holds {
            if state != *session.best() {
                session.end_with(state)?;
            }
            return Ok(final_checks.confirmed(delivery, true));
        }
        if final_checks.reason.is_none() {
            let what = "looking for the last step that still fails".to_owned();
            session.emit(Event::Preparing { what });
        }
        let other = delivery.other_in_package.clone();
        let reason = other.map_or(final_checks.not_shown.clone(), Reason::OtherInPackage);
        final_checks.reason.get_or_insert(reason);
        first.get_or_insert(delivery);
    }
    let delivery = match first {
        Some(first) => first,
        None => final_checks.at(session.best())?.0,
    };
    let not_shown = final_checks.not_shown.clone();
    final_checks.reason.get_or_insert(not_shown);
    Ok(final_checks.confirmed(delivery, false))
}

/// The checks of programs that may be the result, and what they have shown until now.
struct FinalChecks<'a> {
    context: &'a Context<'a>,
    oracle: &'a CompilerOracle,
    /// The test whose result goes into a package, if it is one.
    packaged: Option<&'a PackagedTest>,
    /// The compiler's output for the input.
    of_input: &'a Shown,
    runs: u64,
    /// The reason why the best so far is not the result.
    reason: Option<Reason>,
    /// The reason to give where a program does not fail in this check.
    not_shown: Reason,
}

impl FinalChecks<'_> {
    /// Checks a program that was accepted, and returns how it is delivered, and whether it fails each time. A user who has
    /// stopped the search waits for one run, if that is over in a moment, else for none.
    fn at(&mut self, state: &Candidate) -> Result<(Delivery, bool), Failure> {
        let (oracle, context) = (self.oracle, self.context);
        let turn = context.turn(Work::Query);
        let checked = for_a_moment(
            context.cancel,
            moment(state.tree.count_tokens()),
            |patient| match self.packaged {
                Some(test) => deliver_in_package(oracle, state, test, context, patient),
                None => {
                    let tool = context.request.property.goal.tool();
                    deliver(oracle, state, (tool, &context.site.scratch), patient)
                }
            },
        );
        drop(turn);
        let Some(delivery) = checked? else {
            let delivery = match self.packaged {
                Some(_) => {
                    let plan = oracle.plan(&state.compile_options);
                    unchecked_in_package(plan, self.of_input.clone())
                }
                None => unchecked(oracle, state, self.of_input, &context.site.scratch)?,
            };
            return Ok((delivery, true));
        };
        self.runs += delivery.runs;
        let is_hurried = self.context.cancel.is_cancelled();
        if !delivery.is_interesting || !self.oracle.must_be_stable() || is_hurried {
            let holds = delivery.is_interesting;
            return Ok((delivery, holds));
        }
        let stability = of_result(self.oracle, state, self.context)?;
        self.runs += u64::from(stability.runs);
        if !stability.is_stable() {
            self.reason = Some(Reason::Unstable(stability.sample()));
        }
        Ok((delivery, stability.is_stable()))
    }

    fn confirmed(self, delivery: Delivery, has_earlier: bool) -> Confirmed {
        let loss = self.reason.map(|reason| Loss {
            reason,
            has_earlier,
        });
        Confirmed {
            delivery,
            runs: self.runs,
            loss,
        }
    }
}

impl fmt::Display for OtherInPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            Some(failure) => write!(f, "in its package it fails in another way ({failure})")?,
            None => write!(f, "in its package it passes")?,
        }
        let FlagDifferences { here, there } = &self.flags;
        let named = |flags: &[String]| format!("`{}`", flags.join(" "));
        match (here.is_empty(), there.is_empty()) {
            (true, true) => write!(
                f,
                ", where it is compiled with the same flags among all files of the package"
            ),
            (true, false) => write!(f, ", where cargo compiles it with {}", named(there)),
            (false, true) => write!(f, ", where cargo compiles it without {}", named(here)),
            (false, false) => {
                let (there, here) = (named(there), named(here));
                write!(
                    f,
                    ", where cargo compiles it with {there} in place of {here}"
                )
            }
        }
    }
}

impl Loss {
    /// Makes the error for the user: what happened, what was written, what to do next.
    pub(crate) fn failure(self, summary: &Summary) -> Failure {
        let happened = match &self.reason {
            Reason::OtherInPackage(other) => other.to_string(),
            Reason::Unstable(sample) => format!("it fails only in {sample}"),
            Reason::NotShown => "its last check did not show the failure".to_owned(),
            Reason::TooSeldom => "it did not fail in any run of its last check".to_owned(),
        };
        let message = format!("failed to confirm the result: {happened}");
        let (result, tokens) = (&summary.delivered.result, summary.sizes.tokens_after);
        let written = match self.has_earlier {
            true => format!("`{result}` is the last step that still fails, with {tokens} tokens"),
            false => format!(
                "not even the input fails now; `{result}` is the smallest program that did, with \
                 {tokens} tokens"
            ),
        };
        let next = match &self.reason {
            Reason::OtherInPackage(_) => {
                "the test is compiled or run in another way in its package than among candidates: this failure does not come and go"
            }
            Reason::TooSeldom => {
                "candidates were accepted that fail seldom: `--repeat auto --at-least 2 --force` accepts fewer of them"
            }
            Reason::Unstable(_) | Reason::NotShown => {
                "with `--repeat auto --force` each candidate is run as often as a failure needs that does not show each time"
            }
        };
        Failure::new(FailureKind::UnstableCrash, message)
            .hint(written)
            .hint(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(here: &[&str], there: &[&str], expected: &str) {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let other = OtherInPackage {
            failure: None,
            flags: FlagDifferences {
                here: words(here),
                there: words(there),
            },
        };
        assert_eq!(
            other.to_string(),
            format!("in its package it passes, where {expected}")
        );
    }

    #[test]
    fn what_differs_in_the_package_is_named() {
        check(
            &[],
            &["-C opt-level=3", "-C lto"],
            "cargo compiles it with `-C opt-level=3 -C lto`",
        );
        check(&["-Zx"], &[], "cargo compiles it without `-Zx`");
        let expected = "cargo compiles it with `-Cpanic=abort` in place of `-Zx`";
        check(&["-Zx"], &["-Cpanic=abort"], expected);
        let expected = "it is compiled with the same flags among all files of the package";
        check(&[], &[], expected);
    }
}
