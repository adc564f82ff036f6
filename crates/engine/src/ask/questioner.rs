//! The questioner that asks about candidates: the form in which each is asked about, and the
//! reading of the answer.

use super::crates::Crates;
use super::loops::Loops;
use super::oracle::Questioner;
use crate::answer::{Answer, Effort, Timing};
use crate::candidate::{Candidate, CompileOptions};
use crate::decider::Decider;
use crate::failure::Failure;
use crate::screen::Prefilter;
use crate::turns::Work;
use reduce_gather::Difference;
use reduce_guard::{Guard, PointGone};
use reduce_oracle::{
    ArgGroup, Cancel, Ending, Expectation, FewerDifferences, Plan, Property, RemoteServer,
    TwoVersions, Variants, Verdict, Worker,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The reason for refusing a program that fails, and does not in the other version.
const OTHER_CHANGE: &str = "it is another change that breaks it";

/// Asks about one candidate after the other.
pub(super) struct CompilerQuestioner {
    pub(super) worker: Worker,
    pub(super) plan: Plan,
    pub(super) removable: Vec<ArgGroup>,
    pub(super) crates: Arc<Crates>,
    pub(super) property: Arc<Property>,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) prefilter: Arc<Prefilter>,
    pub(super) loops: Option<Loops>,
    pub(super) asked: HashMap<CompileOptions, (Plan, Property)>,
    /// The work for which a turn is needed.
    pub(super) work: Work,
}

impl Questioner for CompilerQuestioner {
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let answer = self.ask_at(Place::Here, candidate, expectation, cancel)?;
        Ok(answer.expect("what is asked here is not given back"))
    }

    fn use_server(&mut self, server: &RemoteServer) {
        self.worker.ask_server(server, &self.plan);
    }

    fn ask_remotely(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        let answer = self.ask_at(Place::Server, candidate, expectation, cancel)?;
        Ok(answer.filter(|answer| !bounds_others_badly(answer)))
    }

    fn work(&self) -> Work {
        self.work
    }
}

/// The place at which a candidate is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here,
    Server,
}

/// Whether the time of an answer bounds that of other candidates, and is not known well: a server does not say how long a
/// program slept.
fn bounds_others_badly(answer: &Answer) -> bool {
    answer.verdict.is_interesting() && !answer.timing.spent.asleep.is_zero()
}

impl CompilerQuestioner {
    /// Decides a candidate at a place; `None` where a server gives the question back.
    fn ask_at(
        &mut self,
        place: Place,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        let compile_options = &candidate.compile_options;
        let (plan, property) = self
            .asked
            .entry(compile_options.clone())
            .or_insert_with(|| {
                let plan = with_options(&self.plan, &self.removable, &self.crates, compile_options);
                let property = stricter(&self.property, compile_options);
                let runs = runs_of(self.guard.as_ref(), compile_options);
                asked((&plan, &property), runs)
            });
        let is_alone = compile_options.linkage.modules.is_empty();
        let runs_on = || {
            let reason = self.prefilter.runs_on_in(&candidate.tree)?;
            is_alone.then(|| reason.to_owned())
        };
        if let Some(reason) = self.prefilter.lost_in(&candidate.tree).or_else(runs_on) {
            let rejected = Answer::free(Verdict::Rejected, Decider::Syntax);
            return Ok(Some(rejected.because(reason)));
        }
        let started = Instant::now();
        let guard = guard_of(self.guard.as_ref(), compile_options);
        let linked = (&*compile_options.linkage, self.crates.units());
        let screened = guard.map(|guard| guard.screen(&candidate.tree, linked));
        let screened = match screened.transpose() {
            Ok(screened) => screened.flatten(),
            Err(PointGone(function)) => {
                let rejected = Answer::free(Verdict::Rejected, Decider::Syntax);
                let reason = format!("a point in `{function}` is gone that matters to the failure");
                return Ok(Some(rejected.because(reason)));
            }
        };
        let tree = screened.as_ref().unwrap_or(&candidate.tree);
        let worker = &mut self.worker;
        worker.expect(expectation);
        let loops = self.loops;
        let ask = |worker: &mut Worker| -> Result<_, Failure> {
            Ok(match loops {
                Some(loops) => loops.judge_with_ends(tree, worker, (plan, property), cancel)?,
                None => worker.judge(plan, &tree.to_files(), property, cancel)?,
            })
        };
        let answer = match place {
            Place::Here => Some(worker.asking_here(ask)?),
            Place::Server if !plan.may_be_asked_remotely() => None,
            Place::Server => worker.asking_remotely(ask)?,
        };
        let Some(answer) = answer else {
            return Ok(None);
        };
        let is_interesting = answer.verdict == Verdict::Interesting;
        let is_other_change = is_interesting && changes_difference(candidate, &self.crates);
        let (verdict, reason) = match is_other_change {
            true => (Verdict::Rejected, Some(OTHER_CHANGE.to_owned())),
            false => (answer.verdict, None),
        };
        Ok(Some(Answer {
            verdict,
            decider: match answer.ending {
                Ending::Decided => Decider::NewError,
                Ending::TimedOut | Ending::Exceeded => Decider::Deadline,
                _ => Decider::End,
            },
            effort: Effort {
                wall: answer.duration,
                cpu: answer.cpu,
                peak_memory_bytes: answer.peak_memory_bytes,
                overhead: started.elapsed().saturating_sub(answer.duration),
            },
            timing: Timing {
                late: answer.late,
                spent: answer.spent,
                expectation,
                is_asked_again: false,
            },
            reason,
        }))
    }
}

/// Whether the versions of a candidate differ otherwise than those of the crates that are in it.
fn changes_difference(candidate: &Candidate, crates: &Crates) -> bool {
    let Some(known) = crates.difference(&candidate.compile_options.linkage.modules) else {
        return false;
    };
    let mut difference = Difference::default();
    for (_, _, text) in candidate.tree.files() {
        difference.extend(Difference::of(text));
    }
    !difference.is_part_of(&known)
}

/// Returns the guard of candidates with these compile options, if they are guarded.
pub(super) fn guard_of<'g>(
    guard: Option<&'g Arc<dyn Guard>>,
    compile_options: &CompileOptions,
) -> Option<&'g dyn Guard> {
    let guard = guard.filter(|_| !compile_options.is_unguarded);
    guard.map(|guard| &**guard)
}

/// Returns the runs of the guard that decide about candidates with these compile options; `None` where one run as it is decides.
pub(super) fn runs_of<'g>(
    guard: Option<&'g Arc<dyn Guard>>,
    compile_options: &CompileOptions,
) -> Option<&'g Variants> {
    guard_of(guard, compile_options)?.runs(&compile_options.linkage)
}

/// Returns the plan and the property of a question: the given ones alone, or with the runs of a guard.
pub(super) fn asked(
    (plan, property): (&Plan, &Property),
    runs: Option<&Variants>,
) -> (Plan, Property) {
    match runs {
        Some(runs) => (runs.plan(plan), runs.property(property)),
        None => (plan.clone(), property.clone()),
    }
}

/// Returns the property without the errors that are not allowed any more.
pub(super) fn stricter(property: &Property, compile_options: &CompileOptions) -> Property {
    let allowed = property
        .allowed_errors
        .difference(&compile_options.forbidden);
    Property {
        allowed_errors: allowed.cloned().collect(),
        ..property.clone()
    }
}

/// Returns the plan as a candidate is compiled on some compile options.
pub(super) fn with_options(
    plan: &Plan,
    removable: &[ArgGroup],
    crates: &Crates,
    compile_options: &CompileOptions,
) -> Plan {
    let n_own = removable.len();
    let (own, of_first): (Vec<usize>, Vec<usize>) = compile_options
        .left_out
        .iter()
        .partition(|idx| **idx < n_own);
    let left_out: Vec<ArgGroup> = own.iter().map(|&idx| removable[idx].clone()).collect();
    let of_first: Vec<usize> = of_first.iter().map(|idx| idx - n_own).collect();
    let mut fewer = plan
        .without_args(&left_out)
        .with_fewer_differences(FewerDifferences {
            left_out: &of_first,
            shared: &compile_options.shared,
        });
    if compile_options.is_main {
        fewer = fewer.without_harness();
    }
    if let Some(revisions) = compile_options.revisions {
        fewer = fewer.with_versions_named(TwoVersions {
            before: revisions.first,
            after: revisions.second,
        });
    }
    fewer.linked(crates.units(), &compile_options.linkage)
}
