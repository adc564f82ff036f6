//! The questioner that has the compiler decide candidates: in which form each is asked about, and
//! how the answer is read.

use super::crates::Crates;
use super::criteria::{Criteria, asked};
use super::oracle::Questioner;
use crate::answer::{Answer, Effort, Timing};
use crate::candidate::{Candidate, CompileOptions};
use crate::decider::Decider;
use crate::failure::Failure;
use crate::turns::Work;
use reduce_gather::Difference;
use reduce_guard::PointGone;
use reduce_oracle::{Cancel, Ending, Expectation, Plan, Property, RemoteServer, Verdict, Worker};
use std::collections::HashMap;
use std::time::Instant;

/// The reason for refusing a candidate whose two versions differ in another way than the versions
/// of the crates merged into it.
const OTHER_CHANGE: &str = "it is another change that breaks it";

/// The questioner that has the compiler decide one candidate after the other.
pub(super) struct CompilerQuestioner {
    pub(super) worker: Worker,
    pub(super) criteria: Criteria,
    pub(super) asked: HashMap<CompileOptions, (Plan, Property)>,
    /// The kind of work for which the questioner waits for a turn.
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
        self.worker.ask_server(server, &self.criteria.plan);
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

/// The place where the processes of a query run: this machine, or a server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here,
    Server,
}

/// Whether an answer of a server must not bound the time of other candidates: its program slept, and a server does not
/// say how long.
fn bounds_others_badly(answer: &Answer) -> bool {
    answer.verdict.is_interesting() && !answer.timing.spent.asleep.is_zero()
}

impl CompilerQuestioner {
    /// Decides a candidate on this machine or by a server; `None` where the server has no certain
    /// answer.
    fn ask_at(
        &mut self,
        place: Place,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Option<Answer>, Failure> {
        let (criteria, compile_options) = (&self.criteria, &candidate.compile_options);
        let (plan, property) = self
            .asked
            .entry(compile_options.clone())
            .or_insert_with(|| {
                let plan = criteria.plan(compile_options);
                let property = criteria.property(compile_options);
                asked(
                    (&plan, &property),
                    criteria.runs(compile_options).as_deref(),
                )
            });
        let is_alone = compile_options.linkage.modules.is_empty();
        let runs_on = || {
            let reason = criteria.prefilter.runs_on_in(&candidate.tree)?;
            is_alone.then(|| reason.to_owned())
        };
        if let Some(reason) = criteria.lost_in(candidate).or_else(runs_on) {
            let rejected = Answer::free(Verdict::Rejected, Decider::Syntax);
            return Ok(Some(rejected.because(reason)));
        }
        let started = Instant::now();
        let guard = criteria.guard(compile_options);
        let linked = (&*compile_options.linkage, criteria.crates.units());
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
        let loops = criteria.loops;
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
        let is_other_change = is_interesting && changes_difference(candidate, &criteria.crates);
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

/// Whether a candidate's two versions differ in something in which the versions of the crates
/// merged into it do not differ.
pub(super) fn changes_difference(candidate: &Candidate, crates: &Crates) -> bool {
    let Some(known) = crates.difference(&candidate.compile_options.linkage.modules) else {
        return false;
    };
    let mut difference = Difference::default();
    for (_, _, text) in candidate.tree.files() {
        difference.extend(Difference::of(text));
    }
    !difference.is_part_of(&known)
}
