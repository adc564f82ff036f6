//! A reduction whose queries take a given time, on as many workers as one likes: to measure how much of it can be done at
//! once, on any machine. Answers come from a record of earlier reductions; what it does not have is asked of the real
//! compiler, and recorded. Nobody sleeps: a clock is moved.

use super::asker::{Asker, Question, Reply, cancelled};
use super::compiler_tools::{CompilerTools, JudgedAnew, Told};
use super::crates::Crates;
use super::job_facts::JobFacts;
use super::oracle::{Oracle, Questioner, Refusals, Side};
use crate::answer::{Answer, Timing};
use crate::candidate::{Candidate, CompileOptions};
use crate::decider::Decider;
use crate::failure::Failure;
use crate::store::Digest;
use reduce_gather::Edition;
use reduce_model::{CompilerNames, Outside, Position};
use reduce_oracle::{Cancel, Expectation, TimeSpent, Verdict};
use reduce_passes::{Carving, ChangesByValues};
use reduce_syntax::EditSet;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A simulation of workers: the time that queries take, and a record of their answers.
pub struct Simulation {
    wait: Duration,
    state: Mutex<State>,
}

/// The state of a simulation: its clock, its figures, and the record of answers.
#[derive(Default)]
struct State {
    record: Record,
    now: Duration,
    figures: SimulatedFigures,
    /// Whether the search has ended.
    has_ended: bool,
}

impl State {
    /// Changes the figures, unless the search has ended.
    fn count(&mut self, count: impl FnOnce(&mut SimulatedFigures)) {
        if !self.has_ended {
            count(&mut self.figures);
        }
    }
}

/// The figures of a simulation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SimulatedFigures {
    /// The simulated time from the beginning of the search to its end, without the time that the
    /// search itself computes.
    pub time: Duration,
    /// The number of compiler calls that the workers have made during the search.
    pub on_workers: u64,
    /// The number of compiler calls that the search has made by itself, outside of the workers, one
    /// after the other.
    pub beside_workers: u64,
    /// The number of all calls whose answers were not in the record.
    pub not_recorded: u64,
}

/// The record of answers of earlier reductions.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    answers: BTreeMap<String, RecordedAnswer>,
    refusals: BTreeMap<String, Refusals>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct RecordedAnswer {
    verdict: Verdict,
    decider: Decider,
    spent: TimeSpent,
    reason: Option<String>,
}

impl Simulation {
    /// Makes a simulation in which each query takes the time `wait`, with the answers that an earlier one recorded
    /// (`None` for no answers).
    ///
    /// # Errors
    /// Where it is no such record.
    pub fn new(wait: Duration, record: Option<&[u8]>) -> Result<Self, serde_json::Error> {
        let record = record.map(serde_json::from_slice).transpose()?;
        let state = State {
            record: record.unwrap_or_default(),
            ..State::default()
        };
        Ok(Self {
            wait,
            state: Mutex::new(state),
        })
    }

    /// Returns the record of answers, for another simulation.
    ///
    /// # Errors
    /// Never: it has a JSON form.
    pub fn record(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&self.state().record)
    }

    /// Returns the figures of the simulation.
    #[must_use]
    pub fn figures(&self) -> SimulatedFigures {
        self.state().figures
    }

    /// Notes that the search has ended. What follows is not measured.
    pub(crate) fn end_search(&self) {
        let mut state = self.state();
        state.figures.time = state.now;
        state.has_ended = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts compiler calls that the search makes outside of the workers, and adds their time to
    /// the clock.
    pub(crate) fn call_beside(&self, calls: u64) {
        let mut state = self.state();
        state.count(|figures| figures.beside_workers += calls);
        state.now += self.wait * u32::try_from(calls).unwrap_or(u32::MAX);
    }

    /// Returns the value that is recorded under a name, or else finds and records it; `None` where the user has
    /// cancelled that.
    fn known_or<T: Clone>(
        &self,
        name: String,
        of: impl Fn(&mut Record) -> &mut BTreeMap<String, T>,
        find: impl FnOnce() -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        if let Some(known) = of(&mut self.state().record).get(&name) {
            return Ok(Some(known.clone()));
        }
        let found = find()?;
        if let Some(found) = &found {
            let mut state = self.state();
            state.count(|figures| figures.not_recorded += 1);
            of(&mut state.record).insert(name, found.clone());
        }
        Ok(found)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").finish_non_exhaustive()
    }
}

/// Workers of which each takes the same time for a query. They ask one after the other, and their clock says when they would
/// have had their answers.
pub(super) struct SimulatedWorkers {
    simulation: Arc<Simulation>,
    asker: Asker,
    jobs: usize,
    waiting: VecDeque<(Duration, Question)>,
    busy: Vec<(Duration, Question)>,
    done: VecDeque<Reply>,
}

impl SimulatedWorkers {
    pub(super) fn new(simulation: Arc<Simulation>, asker: Asker, jobs: usize) -> Self {
        Self {
            simulation,
            asker,
            jobs,
            waiting: VecDeque::new(),
            busy: Vec::new(),
            done: VecDeque::new(),
        }
    }

    pub(super) fn submit(&mut self, question: Question) {
        let now = self.simulation.state().now;
        self.end_until(now);
        self.waiting.push_back((now, question));
        self.begin(now);
    }

    /// Waits for the next reply; `None` if nothing was asked.
    pub(super) fn wait(&mut self) -> Option<Reply> {
        let now = self.simulation.state().now;
        self.end_until(now);
        if let Some(reply) = self.done.pop_front() {
            return Some(reply);
        }
        let next = self.busy.iter().map(|(end, _)| *end).min()?;
        self.simulation.state().now = next.max(now);
        self.end_until(next.max(now));
        self.done.pop_front()
    }

    /// Answers the questions that are done at the time `now`, and gives workers that are then free
    /// the questions that wait.
    fn end_until(&mut self, now: Duration) {
        let (cancelled_now, busy) = std::mem::take(&mut self.busy)
            .into_iter()
            .partition(|(_, question)| question.cancel.is_cancelled());
        self.busy = busy;
        for (_, question) in cancelled_now {
            self.reply(&question, Ok(cancelled()));
        }
        self.begin(now);
        while let Some(idx) = self.first_until(now) {
            let (end, question) = self.busy.remove(idx);
            let answer = self.asker.screen_and_ask(&question, None);
            self.reply(&question, answer);
            self.begin(end);
        }
    }

    fn first_until(&self, now: Duration) -> Option<usize> {
        let ends = self.busy.iter().enumerate();
        let first = ends.min_by_key(|(_, (end, question))| (*end, question.id))?;
        (first.1.0 <= now).then_some(first.0)
    }

    fn begin(&mut self, now: Duration) {
        while self.busy.len() < self.jobs
            && let Some((since, question)) = self.waiting.pop_front()
        {
            if question.cancel.is_cancelled() {
                self.reply(&question, Ok(cancelled()));
            } else if let Some(refusal) = question.check.refusal(&question.candidate) {
                self.reply(&question, Ok(refusal));
            } else {
                let begin = now.max(since);
                let mut state = self.simulation.state();
                state.count(|figures| figures.on_workers += 1);
                drop(state);
                self.busy.push((begin + self.simulation.wait, question));
            }
        }
    }

    fn reply(&mut self, question: &Question, answer: Result<Answer, Failure>) {
        let id = question.id;
        self.done.push_back(Reply { id, answer });
    }
}

/// An oracle that answers from a record where it can, and counts the simulated time of its calls.
pub(crate) struct SimulatedOracle<'a> {
    pub(crate) oracle: &'a dyn Oracle,
    pub(crate) simulation: Arc<Simulation>,
}

impl SimulatedOracle<'_> {
    fn beside(&self) -> &dyn Oracle {
        self.simulation.call_beside(1);
        self.oracle
    }
}

/// Makes a name that tells candidates of one reduction from each other.
fn name(base: &Digest, candidates: &[&Candidate]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(base);
    for one in candidates {
        hasher.update(format!("{:?}", one.compile_options).as_bytes());
        hasher.update(&one.tree.digest());
    }
    hasher.finalize().to_hex().to_string()
}

/// A questioner that asks about candidates which are not recorded.
struct RecordingQuestioner {
    questioner: Box<dyn Questioner>,
    simulation: Arc<Simulation>,
    base: Digest,
}

impl Questioner for RecordingQuestioner {
    fn ask(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        cancel: &Cancel,
    ) -> Result<Answer, Failure> {
        let find = || {
            let answer = self.questioner.ask(candidate, expectation, cancel)?;
            let is_certain = answer.verdict != Verdict::Cancelled;
            Ok(is_certain.then_some(RecordedAnswer {
                verdict: answer.verdict,
                decider: answer.decider,
                spent: answer.timing.spent,
                reason: answer.reason,
            }))
        };
        let name = name(&self.base, &[candidate]);
        let known = self
            .simulation
            .known_or(name, |record| &mut record.answers, find)?;
        let Some(known) = known else {
            return Ok(cancelled());
        };
        Ok(Answer {
            reason: known.reason,
            timing: Timing {
                spent: known.spent,
                expectation,
                ..Timing::default()
            },
            ..Answer::free(known.verdict, known.decider)
        })
    }
}

impl Oracle for SimulatedOracle<'_> {
    fn questioner(&self, worker: usize) -> Result<Box<dyn Questioner>, Failure> {
        Ok(Box::new(RecordingQuestioner {
            questioner: self.oracle.questioner(worker)?,
            simulation: Arc::clone(&self.simulation),
            base: self.oracle.digest(&CompileOptions::default()),
        }))
    }

    fn compiles_jointly(&self, compile_options: &CompileOptions) -> bool {
        self.oracle.compiles_jointly(compile_options)
    }

    fn accepts_jointly(&self, compile_options: &CompileOptions) -> bool {
        self.oracle.accepts_jointly(compile_options)
    }

    fn refused_jointly(
        &self,
        base: &Candidate,
        candidates: &[&Candidate],
        side: Side,
        cancel: &Cancel,
    ) -> Result<Refusals, Failure> {
        let all: Vec<&Candidate> = [base]
            .into_iter()
            .chain(candidates.iter().copied())
            .collect();
        let name = format!(
            "{} {}",
            name(&self.oracle.digest(&CompileOptions::default()), &all),
            side.is_brief
        );
        let find = || {
            let refusals = self
                .oracle
                .refused_jointly(base, candidates, side, cancel)?;
            let cpu = Duration::ZERO;
            Ok((!cancel.is_cancelled()).then_some(Refusals { cpu, ..refusals }))
        };
        let known = self
            .simulation
            .known_or(name, |record| &mut record.refusals, find)?;
        Ok(known.unwrap_or_default())
    }

    fn digest(&self, compile_options: &CompileOptions) -> Digest {
        self.oracle.digest(compile_options)
    }

    fn usual(&self) -> Option<TimeSpent> {
        self.oracle.usual()
    }

    fn has_changed(&self) -> bool {
        self.oracle.has_changed()
    }

    fn outside(&self, compile_options: &CompileOptions) -> Option<Arc<Outside>> {
        self.oracle.outside(compile_options)
    }
}

impl JobFacts for SimulatedOracle<'_> {
    fn allowed_errors(&self) -> BTreeSet<String> {
        self.oracle.allowed_errors()
    }

    fn arguments(&self, compile_options: &CompileOptions) -> Vec<String> {
        self.oracle.arguments(compile_options)
    }

    fn misses_undefined_behaviour(&self) -> bool {
        self.oracle.misses_undefined_behaviour()
    }

    fn runs_programs(&self) -> bool {
        self.oracle.runs_programs()
    }

    fn permits_other_causes(&self) -> bool {
        self.oracle.permits_other_causes()
    }

    fn ignores_lone_names(&self) -> bool {
        self.oracle.ignores_lone_names()
    }

    fn test(&self) -> Option<String> {
        self.oracle.test()
    }

    fn crates(&self) -> Option<&Crates> {
        self.oracle.crates()
    }

    fn edition(&self, compile_options: &CompileOptions) -> Option<Edition> {
        self.oracle.edition(compile_options)
    }

    fn has_good_version(&self) -> bool {
        self.oracle.has_good_version()
    }

    fn knows_right_values(&self) -> bool {
        self.oracle.knows_right_values()
    }
}

impl CompilerTools for SimulatedOracle<'_> {
    fn expand(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Option<String>, Failure> {
        self.beside().expand(candidate, cancel)
    }

    fn names(&self, candidate: &Candidate, cancel: &Cancel) -> Result<CompilerNames, Failure> {
        self.beside().names(candidate, cancel)
    }

    fn calls(&self, candidate: &Candidate, cancel: &Cancel) -> Result<CompilerNames, Failure> {
        self.beside().calls(candidate, cancel)
    }

    fn unused(&self, candidate: &Candidate, cancel: &Cancel) -> Result<EditSet, Failure> {
        self.beside().unused(candidate, cancel)
    }

    fn dead_names(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Vec<Position>, Failure> {
        self.beside().dead_names(candidate, cancel)
    }

    fn unentered(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Vec<EditSet>, Failure> {
        self.beside().unentered(candidate, cancel)
    }

    fn changes_by_values(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<ChangesByValues, Failure> {
        self.beside().changes_by_values(candidate, cancel)
    }

    fn carved(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Carving, Failure> {
        self.beside().carved(candidate, cancel)
    }

    fn judged_anew(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        self.beside().judged_anew(candidate, cancel)
    }

    fn expecting_anew(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<JudgedAnew>, Failure> {
        self.beside().expecting_anew(candidate, cancel)
    }

    fn judged_again(
        &self,
        smaller: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Candidate>, Failure> {
        self.beside().judged_again(smaller, cancel)
    }

    fn error_places(
        &self,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Position>>, Failure> {
        self.beside().error_places(candidate, cancel)
    }

    fn errors(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Option<Told>, Failure> {
        self.beside().errors(candidate, cancel)
    }

    fn format(&self, text: &str, cancel: &Cancel) -> Result<Option<String>, Failure> {
        // A formatter is no compiler, and takes milliseconds.
        self.oracle.format(text, cancel)
    }
}
