//! The verdicts of a session: known ones, those that the workers are asked for, and those that the
//! search uses.

use super::ledger::Used;
use super::state::Session;
use crate::Failure;
use crate::answer::Answer;
use crate::ask::{Asking, Question};
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::event::Event;
use crate::figures::OtherCrash;
use crate::screen::Check;
use crate::store::Digest;
use crate::trace::{self, Decision, Proposer, Record};
use reduce_model::Inspection;
use reduce_oracle::{Cancel, CrashKind, Expectation, OracleError, Signature, Verdict};
use reduce_syntax::without_lone_names;

/// The largest number of different other crashes that are kept aside.
const MOST_OTHER_CRASHES: usize = 8;
/// The number of tokens above which it is not checked whether programs differ in names alone, as
/// that takes longer than it saves.
const MOST_TOKENS_ALIKE: u64 = 20_000;
/// The reason why a candidate is refused that names replaced items of the standard library.
const OF_STD: &str = "it names something of the standard library that has been replaced";
/// The reason why a program of a closed earlier way is refused.
const CLOSED: &str = "the search has come to it on an earlier way, which is closed";

/// The knowledge about a candidate before the oracle is asked.
pub(crate) enum Known {
    /// The candidate is not smaller than the best so far, or is refused without a question.
    NotSmaller,
    Verdict(Digest, Verdict),
    Unknown(Digest),
}

impl Session<'_> {
    /// Looks up the verdict on a candidate that a search proposes, if it is known.
    pub(crate) fn look_up(&mut self, candidate: &Candidate) -> Known {
        self.ledger.of_stage().tried += 1;
        let is_simpler = self.mode.accepts_any_size || self.best.is_beaten_by(candidate);
        if !is_simpler || self.refused_unasked(candidate).is_some() {
            return Known::NotSmaller;
        }
        self.recall(candidate)
    }

    /// Returns the reason why a candidate that is simpler than the best so far is refused without
    /// asking the oracle.
    fn refused_unasked(&self, candidate: &Candidate) -> Option<String> {
        if !self.mode.allows_words_of(candidate) {
            return Some(OF_STD.to_owned());
        }
        if self.mode.is_closed(candidate) {
            return Some(CLOSED.to_owned());
        }
        let may_be_undefined = self.tools.oracle.misses_undefined_behaviour();
        let changes_values = self.mode.stage.changes_values();
        let is_compared = may_be_undefined && changes_values;
        is_compared.then(|| self.best.lost_for_unsafe_code(candidate))?
    }

    /// Looks up the verdict of a candidate, if this run or an earlier one knows it.
    pub(super) fn recall(&mut self, candidate: &Candidate) -> Known {
        let key = self.key(candidate);
        let known = self.ledger.verdicts.get(&key);
        let is_known = known.is_some();
        let has_more_time = |verdict: &Verdict, timing| {
            *verdict == Verdict::TimedOut && self.best.pace.has_more_for(candidate, timing)
        };
        if let Some(known) = known.filter(|known| !has_more_time(&known.verdict, &known.timing)) {
            return Known::Verdict(key, known.verdict.clone());
        }
        let stored = match is_known {
            true => None,
            false => self.tools.kept.verdict(&key),
        };
        let Some(verdict) = stored else {
            let rejected = self.rejected_alike(candidate, key);
            return rejected.unwrap_or(Known::Unknown(key));
        };
        self.ledger.verdicts.recall(key, verdict.clone());
        Known::Verdict(key, verdict)
    }

    /// Looks up the verdict of a rejected candidate that differs from this one only in names that stand once, such
    /// as one that has lost another of many variants that nothing mentions. What is accepted is always asked about.
    fn rejected_alike(&mut self, candidate: &Candidate, key: Digest) -> Option<Known> {
        let is_small = candidate.tree.count_tokens() <= MOST_TOKENS_ALIKE;
        if !is_small || !self.tools.oracle.ignores_lone_names() {
            return None;
        }
        let rest = without_lone_names(&candidate.tree)?;
        let rest = self.key(&candidate.with_tree(rest));
        let (first, verdict) = self.ledger.verdicts.rejected_alike(key, rest)?;
        Some(Known::Verdict(first, verdict))
    }

    /// Makes a question about a candidate that a search proposes.
    ///
    /// # Errors
    /// Where no pipe can be made.
    pub(crate) fn question(&mut self, candidate: &Candidate) -> Result<Question, Failure> {
        let check = self.check(candidate);
        let (expectation, asking) = self.best.pace.expectation(candidate);
        self.question_of(candidate, check, expectation, asking)
    }

    /// Whether a candidate is worth a call of the compiler: it parses, and certainly lacks no name.
    pub(super) fn is_plausible(&self, candidate: &Candidate) -> bool {
        self.check(candidate).inspect(candidate) == Inspection::Plausible
    }

    /// Returns the answer about a candidate that is certainly not interesting, for which the
    /// compiler is not needed.
    pub(crate) fn refusal(&self, candidate: &Candidate) -> Option<Answer> {
        self.check(candidate).refusal(candidate)
    }

    fn check(&self, candidate: &Candidate) -> Check {
        let outside = self.tools.oracle.outside(&candidate.compile_options);
        self.best.check(candidate, outside)
    }

    fn question_of(
        &mut self,
        candidate: &Candidate,
        check: Check,
        expectation: Expectation,
        asking: Asking,
    ) -> Result<Question, Failure> {
        Ok(Question {
            id: self.ledger.next_question(),
            candidate: candidate.clone(),
            check,
            expectation,
            asking,
            cancel: Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?,
        })
    }

    /// Asks the compiler about a candidate now, even if its verdict is known and while other
    /// questions are under way.
    pub(super) fn answer_about(&mut self, candidate: &Candidate) -> Result<Answer, Failure> {
        let (expectation, asking) = self.best.pace.expectation(candidate);
        self.submit_and_wait(candidate, expectation, asking)
    }

    /// Asks the compiler about a candidate again, with no other process beside it and more time.
    pub(super) fn answer_alone(&mut self, candidate: &Candidate) -> Result<Answer, Failure> {
        let (expectation, _) = self.best.pace.expectation(candidate);
        self.submit_and_wait(candidate, expectation, Asking::Again)
    }

    /// Returns the verdict of a candidate that no search proposes and that no figure counts; `None` where it is
    /// clear without the compiler.
    ///
    /// # Errors
    /// Where our own surroundings fail, or the user stops the reduction.
    pub(crate) fn verdict_aside(
        &mut self,
        candidate: &Candidate,
    ) -> Result<Option<Verdict>, Failure> {
        if self.is_cancelled() {
            return Err(OracleError::Cancelled.into());
        }
        if !self.is_plausible(candidate) {
            return Ok(None);
        }
        Ok(Some(match self.recall(candidate) {
            Known::Verdict(_, verdict) => verdict,
            Known::Unknown(_) | Known::NotSmaller => self.answer_about(candidate)?.verdict,
        }))
    }

    /// Has a worker ask about a candidate without any check before, and waits for the answer.
    fn submit_and_wait(
        &mut self,
        candidate: &Candidate,
        expectation: Expectation,
        asking: Asking,
    ) -> Result<Answer, Failure> {
        let nothing = Check::Syntax(Vec::new());
        let question = self.question_of(candidate, nothing, expectation, asking)?;
        let id = question.id;
        self.pool.submit(question);
        match self.pool.wait_for(id) {
            Some(reply) => self.unless_changed(reply.answer),
            None => Err(Failure::environment(
                "failed to go on: all workers have ended",
            )),
        }
    }

    /// Returns an answer of the compiler unchanged, unless the toolchain or another input of verdicts was changed during the
    /// question: then the answer is `Cancelled`, and the search ends. A question that failed is treated alike, as the compiler
    /// may be gone.
    ///
    /// # Errors
    /// That of the question.
    pub(crate) fn unless_changed(
        &mut self,
        answer: Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        if let Some(message) = self.tools.oracle.take_notice() {
            self.emit(Event::Warning { message });
        }
        let needs_compiler = |answer: &Answer| answer.decider.is_of_compiler();
        if !answer.as_ref().is_ok_and(|answer| !needs_compiler(answer)) && self.notes_change() {
            return Ok(Answer::free(Verdict::Cancelled, Decider::End));
        }
        answer
    }

    /// Whether the compiler or another input of the verdicts was changed. Then the search comes to
    /// its end.
    pub(super) fn notes_change(&mut self) -> bool {
        self.mode.stop.for_change |= self.tools.oracle.has_changed();
        self.mode.stop.for_change
    }

    /// Remembers an answer, in this run and in the store.
    pub(crate) fn learn(&mut self, key: Digest, answer: &Answer) {
        self.ledger.learn(key, answer);
        let lasts = answer.decider.is_of_compiler() && may_be_stored(&answer.verdict);
        if lasts {
            self.tools.kept.keep_verdict(&key, &answer.verdict);
        }
    }

    /// Remembers that a candidate is interesting, as runs of it have shown that were no query.
    pub(crate) fn learn_interesting(&mut self, candidate: &Candidate) {
        let key = self.key(candidate);
        self.learn(key, &Answer::free(Verdict::Interesting, Decider::Joint));
    }

    /// Whether a candidate is known to fail as it should, but not to have the outcomes that the guard demands under mutants.
    pub(crate) fn is_refused_by_guard(&self, candidate: &Candidate) -> bool {
        let known = self.ledger.verdicts.get(&self.key(candidate));
        let verdict = known.map(|known| &known.verdict);
        matches!(verdict, Some(Verdict::OtherCrash(crash)) if crash.kind == CrashKind::OtherOutcome)
    }

    /// Counts a verdict that the search has used, writes it to the log, and keeps another crash aside.
    /// Without a key it is that nobody was asked about the candidate.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn count(
        &mut self,
        key: Option<Digest>,
        proposer: Proposer,
        kind: &str,
        candidate: &Candidate,
    ) -> Result<(), Failure> {
        if trace::is_on() {
            self.tell(key, proposer, kind, candidate);
        }
        let Some(key) = key else {
            self.ledger.count_not_smaller();
            return Ok(());
        };
        let Used {
            other_crash,
            is_late,
        } = self.ledger.count(key, kind);
        self.mode.stop.note_queries(self.ledger.figures.queries);
        if is_late {
            self.ledger.note_late(key, candidate);
        }
        other_crash.map_or(Ok(()), |crash| self.keep_aside(&crash, candidate))
    }

    /// Writes to the log what was decided about a candidate.
    fn tell(&self, key: Option<Digest>, proposer: Proposer, kind: &str, candidate: &Candidate) {
        let known = key.and_then(|key| self.ledger.verdicts.get(&key));
        let is_repeated = key.is_some_and(|key| self.ledger.verdicts.is_used(&key));
        let is_simpler = self.mode.accepts_any_size || self.best.is_beaten_by(candidate);
        let is_unasked = known.is_none() && is_simpler;
        let unasked = is_unasked
            .then(|| self.refused_unasked(candidate))
            .flatten();
        let record = Record {
            stage: self.mode.stage,
            round: self.mode.round,
            proposer,
            kind,
            is_on_detour: self.mode.is_on_detour,
            before: self.best(),
            candidate,
            decision: Decision {
                decider: match known {
                    None => Decider::Size,
                    Some(known) if is_repeated && known.decider.is_of_compiler() => Decider::Cache,
                    Some(known) => known.decider,
                },
                verdict: known.map(|known| &known.verdict),
                late: known.and_then(|known| known.timing.late),
                reason: match known {
                    None => unasked.as_deref(),
                    Some(known) => known.reason.as_deref(),
                },
            },
        };
        record.tell();
    }

    fn keep_aside(&mut self, crash: &Signature, candidate: &Candidate) -> Result<(), Failure> {
        let figures = &mut self.ledger.figures;
        if crash.kind == CrashKind::OtherOutcome {
            figures.refused_by_guard += 1;
            return Ok(());
        }
        figures.slippage += 1;
        self.name_other(crash, candidate)
    }

    /// Reports a crash that is not the one that is reduced, and keeps its program, unless the crash is known.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn name_other(
        &mut self,
        crash: &Signature,
        candidate: &Candidate,
    ) -> Result<(), Failure> {
        // Programs fail in many ways while they are edited; only a compiler should not.
        if !crash.is_of_compiler() {
            return Ok(());
        }
        let signature = crash.to_string();
        let crashes = &mut self.ledger.figures.other_crashes;
        let is_known = crashes.iter().any(|other| other.signature == signature);
        if is_known || crashes.len() >= MOST_OTHER_CRASHES {
            return Ok(());
        }
        let number = crashes.len() + 1;
        let output = self.tools.output;
        let arguments = self.tools.oracle.arguments(&candidate.compile_options);
        let kept_at = output.keep_aside(number, &candidate.tree, (&signature, &arguments))?;
        crashes.push(OtherCrash {
            signature: signature.clone(),
            kept_at: kept_at.clone(),
        });
        self.emit(Event::OtherCrash { signature, kept_at });
        Ok(())
    }

    /// Returns the key of a candidate's verdict.
    pub(super) fn key(&self, candidate: &Candidate) -> Digest {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.tools.oracle.digest(&candidate.compile_options));
        hasher.update(&candidate.tree.digest());
        *hasher.finalize().as_bytes()
    }
}

/// Whether a verdict also holds in other runs, unlike a deadline that passed.
fn may_be_stored(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled)
}
