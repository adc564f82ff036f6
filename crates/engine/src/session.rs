//! The state of a reduction: the best candidate so far, what is known of others, the figures.

mod attempts;
mod edits;
mod figures;
mod forms;
mod history;
mod late;
mod looks;
mod moves;
mod phases;
mod size;
mod stop;

pub(crate) use attempts::Fingerprint;
pub(crate) use figures::Figures;
pub(crate) use moves::Again;

use attempts::Attempts;
use edits::Adopted;
use history::History;
use late::LateCandidate;
use looks::Looks;
use moves::Moves;
use size::Size;
use stop::Stop;

use crate::answer::{Answer, Effort, Timing};
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::event::{Event, Progress};
use crate::failure::Failure;
use crate::figures::{OtherCrash, PassStatistics, Phase};
use crate::methods::Methods;
use crate::output::OutputDirectory;
use crate::question::Oracle;
use crate::question::{Accepted, Check, Pool, QuestionId};
use crate::store::{Checkpoint, Digest, Store};
use crate::watch::{Looking, Watch};
use reduce_oracle::{Cancel, Linkage, Signature, TimeSpent, Verdict};
use reduce_syntax::{FileId, ResolvedNames, SourceTree};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// At most so often is progress reported.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// So many different other crashes are kept aside.
const MOST_OTHER_CRASHES: usize = 8;

/// What a session works with.
pub(crate) struct Tools<'r> {
    pub(crate) oracle: &'r dyn Oracle,
    pub(crate) store: Option<&'r dyn Store>,
    pub(crate) emit: &'r (dyn Fn(Event) + Sync),
    pub(crate) cancel: &'r Cancel,
    pub(crate) output: &'r OutputDirectory,
    pub(crate) watch: &'r dyn Watch,
    pub(crate) job: Digest,
    pub(crate) jobs: usize,
    pub(crate) started: Instant,
}

pub(crate) struct Session<'r> {
    tools: Tools<'r>,
    pub(crate) pool: Pool,
    /// Whether what is under way should come to its end.
    pub(crate) cancel: Stop,
    pub(crate) jobs: usize,
    best: Candidate,
    best_size: Size,
    /// What the output directory shows: the best so far, but on a detour what was before it.
    shown: Candidate,
    /// A person's edit of it that waits to be taken up.
    adopted: Option<Adopted>,
    tokens_at_start: u64,
    /// Files that syn cannot parse in the last accepted state.
    unparsable: BTreeSet<FileId>,
    /// The names of the best so far.
    names: Arc<OnceLock<ResolvedNames>>,
    verdicts: HashMap<Digest, Remembered>,
    questions: u64,
    figures: Figures,
    passes: Vec<PassStatistics>,
    pass: usize,
    round: u32,
    last_progress: Option<Instant>,
    /// Whether a candidate may be larger than the best so far.
    accepts_any_size: bool,
    attempts: Attempts,
    moves: Moves,
    /// The best so far before something larger was taken for its sake, until that is smaller again.
    before_growth: Option<Candidate>,
    phase: phases::Begin,
    phases: Vec<Phase>,
    /// What the compiler answered since the last whole round began.
    asked_in_round: HashSet<Digest>,
    /// How many edits of the last fixpoint the compiler has an answer for.
    possible_edits: u64,
    /// Candidates that ran out of time since the last whole round began.
    late: Vec<LateCandidate>,
    /// How many candidates ran out of time without which the result is not known to be minimal.
    out_of_time: u64,
    /// What the last accepted program of which that is known has used, if time is bounded by that.
    usual: Option<TimeSpent>,
    /// The size of that program.
    usual_tokens: u64,
    /// What is accepted now may not last.
    is_on_detour: bool,
    /// The only words of the standard library that a candidate may have, if that is asked for.
    std_limit: Option<BTreeSet<String>>,
    /// Whether an interrupted job goes on from what is accepted now.
    keeps_checkpoints: bool,
    /// What was the best so far before.
    history: History,
    looks: Looks,
}

/// A verdict that is known in this run.
struct Remembered {
    verdict: Verdict,
    /// What decided it, and what that has cost.
    decider: Decider,
    effort: Effort,
    timing: Timing,
    /// Whether the search has used it.
    used: bool,
}

/// What is known of a candidate before anybody is asked.
pub(crate) enum Known {
    /// It is not smaller than the best so far, or names what has been replaced.
    NotSmaller,
    Verdict(Digest, Verdict),
    Unknown(Digest),
}

impl<'r> Session<'r> {
    /// Begins with a candidate that is known to be interesting.
    pub(crate) fn new(tools: Tools<'r>, pool: Pool, best: Candidate, tokens_at_start: u64) -> Self {
        let mut session = Self {
            pool,
            cancel: Stop::new(tools.cancel),
            jobs: tools.jobs,
            best_size: Size::of(&best),
            shown: best.clone(),
            best,
            adopted: None,
            tokens_at_start,
            unparsable: BTreeSet::new(),
            names: Arc::default(),
            verdicts: HashMap::new(),
            questions: 0,
            figures: Figures::default(),
            passes: Vec::new(),
            pass: 0,
            round: 0,
            last_progress: None,
            accepts_any_size: false,
            attempts: Attempts::default(),
            moves: Moves::default(),
            before_growth: None,
            phase: phases::Begin::default(),
            phases: Vec::new(),
            asked_in_round: HashSet::new(),
            possible_edits: 0,
            late: Vec::new(),
            out_of_time: 0,
            usual: tools.oracle.usual(),
            usual_tokens: tokens_at_start,
            is_on_detour: false,
            std_limit: None,
            keeps_checkpoints: true,
            history: History::default(),
            looks: Looks::default(),
            tools,
        };
        session.history.push(session.best.clone());
        session.unparsable = unparsable_files(&session.best.tree);
        session
    }

    pub(crate) fn best(&self) -> &Candidate {
        &self.best
    }

    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    pub(crate) fn passes(&self) -> &[PassStatistics] {
        &self.passes
    }

    pub(crate) fn emit(&self, event: Event) {
        (self.tools.emit)(event);
    }

    /// Goes on from the last accepted state of an interrupted job.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn resume_with(&mut self, step: u64, state: Candidate) -> Result<(), Failure> {
        self.figures.steps = step;
        self.show(&state)?;
        self.history.push(state.clone());
        self.set_best(state);
        self.emit(Event::Resumed {
            steps: step,
            tokens: self.best_size.tokens,
        });
        Ok(())
    }

    /// Does some work as a pass of this name, whose time and candidates it is.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn in_pass<T>(
        &mut self,
        name: &str,
        round: u32,
        work: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.start_pass(name, round);
        let started = Instant::now();
        let result = work(self);
        self.passes[self.pass].seconds += started.elapsed().as_secs_f64();
        result
    }

    /// The same for work that a user may have left out; returns what it accepted.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn in_stage(
        &mut self,
        methods: &Methods,
        name: &str,
        round: u32,
        work: impl FnOnce(&mut Self) -> Result<u64, Failure>,
    ) -> Result<u64, Failure> {
        let is_wanted = methods.options.passes.contains(name);
        if self.cancel.is_cancelled() || !is_wanted {
            return Ok(0);
        }
        self.look_for_edit()?;
        self.look_again()?;
        if self.cancel.is_cancelled() {
            return Ok(0);
        }
        self.in_pass(name, round, work)
    }

    pub(crate) fn start_pass(&mut self, name: &str, round: u32) {
        self.round = round;
        self.pass = self.statistics_of(name);
        self.emit(Event::PassStarted {
            pass: name.to_owned(),
            round,
        });
    }

    /// Where the figures of a pass are.
    fn statistics_of(&mut self, name: &str) -> usize {
        if let Some(idx) = self.passes.iter().position(|pass| pass.pass == name) {
            return idx;
        }
        self.passes.push(PassStatistics {
            pass: name.to_owned(),
            ..Default::default()
        });
        self.passes.len() - 1
    }

    pub(crate) fn next_question(&mut self) -> QuestionId {
        self.questions += 1;
        QuestionId(self.questions)
    }

    /// What must hold for a candidate to be worth a question.
    pub(crate) fn check(&self, candidate: &Candidate) -> Check {
        let outside = self.tools.oracle.outside_names(&candidate.terms);
        match outside.filter(|_| candidate.terms == self.best.terms) {
            Some(outside) => Check::Names(Accepted {
                tree: self.best.tree.clone(),
                outside,
                names: self.names.clone(),
            }),
            None => Check::Syntax(self.changed_files(candidate)),
        }
    }

    /// The texts that must still parse.
    fn changed_files(&self, candidate: &Candidate) -> Vec<Arc<str>> {
        let best = &self.best.tree;
        let is_as_before = |file: FileId, text: &Arc<str>| {
            best.contains(file) && Arc::ptr_eq(&best.shared_text(file), text)
        };
        let is_changed = |file: FileId, text: &Arc<str>| {
            !self.unparsable.contains(&file) && !is_as_before(file, text)
        };
        let files = candidate
            .tree
            .files()
            .filter(|(file, _, text)| is_changed(*file, text));
        files.map(|(_, _, text)| text.clone()).collect()
    }

    pub(crate) fn look_up(&mut self, candidate: &Candidate) -> Result<Known, Failure> {
        self.passes[self.pass].tried += 1;
        let is_simpler = self.accepts_any_size || self.is_simpler(candidate);
        if !is_simpler || !self.is_within_std_limit(candidate) {
            return Ok(Known::NotSmaller);
        }
        self.recall(candidate)
    }

    /// The verdict of a candidate, if this run or an earlier one knows it.
    fn recall(&mut self, candidate: &Candidate) -> Result<Known, Failure> {
        let key = self.key(candidate);
        let known = self.verdicts.get(&key);
        if let Some(known) = known.filter(|known| !self.has_more_time(known, candidate)) {
            return Ok(Known::Verdict(key, known.verdict.clone()));
        }
        let stored = match self.tools.store.filter(|_| known.is_none()) {
            Some(store) => store.verdict(&key)?,
            None => None,
        };
        let Some(verdict) = stored else {
            return Ok(Known::Unknown(key));
        };
        // An earlier run asked the compiler.
        let remembered = Remembered {
            verdict: verdict.clone(),
            decider: Decider::Cache,
            effort: Effort::default(),
            timing: Timing::default(),
            used: false,
        };
        self.verdicts.insert(key, remembered);
        Ok(Known::Verdict(key, verdict))
    }

    /// Begins a round of passes, which leaves out what failed in earlier ones or tries all.
    pub(crate) fn begin_round(&mut self, leaves_out_failed: bool) {
        self.attempts.begin_round(leaves_out_failed);
        self.asked_in_round.clear();
        self.late.clear();
    }

    /// Notes that the last round has brought nothing, so that all that was asked in it is an edit of
    /// the result.
    pub(crate) fn end_at_fixpoint(&mut self) {
        if !self.is_on_detour {
            self.possible_edits = self.asked_in_round.len() as u64;
            self.out_of_time = self.count_late();
        }
    }

    /// How many edits of the last fixpoint the compiler has an answer for.
    pub(crate) fn possible_edits(&self) -> u64 {
        self.possible_edits
    }

    /// The best so far with its macro calls expanded.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn expand(&self) -> Result<Option<String>, Failure> {
        self.tools.oracle.expand(&self.best, self.tools.cancel)
    }

    /// A program in the usual layout, if there is a program for that.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn format(&self, text: &str) -> Result<Option<String>, Failure> {
        self.tools.oracle.format(text, self.tools.cancel)
    }

    /// Errors of the baseline that candidates may still have.
    pub(crate) fn allowed_errors(&self) -> BTreeSet<String> {
        let allowed = self.tools.oracle.allowed_errors();
        allowed
            .difference(&self.best.terms.forbidden)
            .cloned()
            .collect()
    }

    /// Whether this round tries an edit.
    pub(crate) fn is_worth_trying(&self, edit: &Fingerprint) -> bool {
        self.attempts.is_worth_trying(edit)
    }

    /// Notes an edit that failed.
    pub(crate) fn note_failed(&mut self, edit: Fingerprint) {
        self.attempts.note_failed(edit);
    }

    fn set_best(&mut self, best: Candidate) {
        self.best_size = Size::of(&best);
        self.unparsable = unparsable_files(&best.tree);
        self.names = Arc::default();
        self.best = best;
    }

    /// Whether a candidate is simpler than the best so far.
    pub(crate) fn is_simpler(&self, candidate: &Candidate) -> bool {
        let size = Size::of(candidate).cmp(&self.best_size);
        size.is_lt() || (size.is_eq() && candidate.tree.is_simpler_than(&self.best.tree))
    }

    /// Remembers an answer.
    pub(crate) fn learn(&mut self, key: Digest, answer: &Answer) -> Result<(), Failure> {
        let verdict = answer.verdict.clone();
        self.figures.add_effort(answer.effort);
        if answer.decider.asks_compiler() {
            self.figures.compiler_runs += 1;
            if let Some(store) = self.tools.store.filter(|_| may_be_stored(&verdict)) {
                store.keep_verdict(&key, &verdict)?;
            }
        }
        let remembered = Remembered {
            verdict,
            decider: answer.decider,
            effort: answer.effort,
            timing: answer.timing,
            used: false,
        };
        self.verdicts.insert(key, remembered);
        Ok(())
    }

    /// Counts a candidate that was not smaller than the best so far.
    pub(crate) fn count_not_smaller(&mut self) {
        self.figures.add_decision(Decider::Size, Effort::default());
    }

    /// Adds to our own time.
    pub(crate) fn add_overhead(&mut self, time: Duration) {
        self.figures.overhead += time;
    }

    /// Counts a verdict that the search has used, and keeps another crash aside.
    pub(crate) fn count(
        &mut self,
        key: Digest,
        kind: &str,
        candidate: &Candidate,
    ) -> Result<(), Failure> {
        let Some(remembered) = self.verdicts.get_mut(&key) else {
            return Ok(());
        };
        let is_first_use = !std::mem::replace(&mut remembered.used, true);
        if remembered.decider.asks_compiler() {
            self.asked_in_round.insert(key);
        }
        let is_interesting = remembered.verdict.is_interesting();
        let is_late = remembered.verdict == Verdict::TimedOut && remembered.timing.late.is_some();
        let (decider, effort) = match remembered.decider.asks_compiler() && !is_first_use {
            true => (Decider::Cache, Effort::default()),
            false => (remembered.decider, remembered.effort),
        };
        let figures = &mut self.figures;
        figures.add_decision(decider, effort);
        if decider.asks_compiler() {
            self.passes[self.pass].queries += 1;
            figures.add_query(kind, is_interesting);
        } else if decider == Decider::Cache {
            let is_from_earlier_run = remembered.decider == Decider::Cache;
            figures.cache_hits += 1;
            figures.cache_hits_from_earlier_runs += u64::from(is_from_earlier_run);
        }
        let crash = match &remembered.verdict {
            Verdict::OtherCrash(crash) if is_first_use => Some(crash.clone()),
            _ => None,
        };
        if is_late {
            self.note_late(key, candidate);
        }
        crash.map_or(Ok(()), |crash| self.keep_aside(&crash, candidate))
    }

    fn keep_aside(&mut self, crash: &Signature, candidate: &Candidate) -> Result<(), Failure> {
        self.figures.slippage += 1;
        // Programs fail in many ways while they are edited; only a compiler should not.
        if !crash.is_of_compiler() {
            return Ok(());
        }
        let signature = crash.to_string();
        let crashes = &self.figures.other_crashes;
        let is_known = crashes.iter().any(|other| other.signature == signature);
        if is_known || crashes.len() >= MOST_OTHER_CRASHES {
            return Ok(());
        }
        let kept_at =
            self.tools
                .output
                .keep_aside(crashes.len() + 1, &candidate.tree, &signature)?;
        self.figures.other_crashes.push(OtherCrash {
            signature: signature.clone(),
            kept_at: kept_at.clone(),
        });
        self.emit(Event::OtherCrash { signature, kept_at });
        Ok(())
    }

    /// Makes a candidate the best so far: in the store, then on disk, then in the figures. On a
    /// detour it may not stay the best, and nothing of it is kept. What a person has made of the result
    /// comes before it.
    pub(crate) fn accept(&mut self, candidate: Candidate) -> Result<(), Failure> {
        self.note_usual(&candidate);
        if self.is_on_detour {
            self.set_best(candidate);
            return Ok(());
        }
        if self.adopted.is_none() {
            self.look_for_edit()?;
        }
        if self.adopted.is_some() {
            return Ok(());
        }
        let step = self.figures.steps + 1;
        if self.keeps_checkpoints {
            self.keep_checkpoint(step, &candidate)?;
        }
        self.show(&candidate)?;
        self.history.push(candidate.clone());
        let size = Size::of(&candidate);
        let (tokens_before, tokens_after) = (self.best_size.tokens, size.tokens);
        self.note_growth(tokens_before, tokens_after);
        let statistics = &mut self.passes[self.pass];
        statistics.accepted += 1;
        statistics.tokens += tokens_before.saturating_sub(tokens_after);
        let pass = statistics.pass.clone();
        self.figures.steps = step;
        self.unparsable
            .retain(|file| candidate.tree.contains(*file));
        (self.best, self.best_size) = (candidate, size);
        self.names = Arc::default();
        self.emit(Event::StepAccepted {
            step,
            pass,
            tokens_before,
            tokens_after,
        });
        Ok(())
    }

    fn keep_checkpoint(&self, step: u64, candidate: &Candidate) -> Result<(), Failure> {
        let Some(store) = self.tools.store else {
            return Ok(());
        };
        Ok(store.keep_checkpoint(&self.tools.job, &checkpoint(step, candidate))?)
    }

    /// Writes a candidate to the output directory.
    fn show(&mut self, candidate: &Candidate) -> Result<(), Failure> {
        self.tools.output.write_best(&candidate.tree)?;
        self.shown = candidate.clone();
        Ok(())
    }

    /// Reports progress, and changes of the sources, unless that was done a moment ago.
    pub(crate) fn report_progress(&mut self) {
        let is_due = self
            .last_progress
            .is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
        if !is_due {
            return;
        }
        self.last_progress = Some(Instant::now());
        self.warn_of_changes(Looking::WhereTold);
        self.emit(Event::Progress(Progress {
            pass: self.passes[self.pass].pass.clone(),
            round: self.round,
            tokens_now: self.best_size.tokens,
            tokens_at_start: self.tokens_at_start,
            queries: self.figures.compiler_runs,
            cache_hits: self.figures.cache_hits,
            elapsed_seconds: self.tools.started.elapsed().as_secs_f64(),
        }));
    }

    /// Tells which of the user's sources are not any more as they were copied.
    pub(crate) fn warn_of_changes(&self, looking: Looking) {
        for path in self.tools.watch.changed_sources(looking) {
            let message =
                format!("`{path}` was changed; the reduction goes on with the copy of before");
            self.emit(Event::Warning { message });
        }
    }

    fn key(&self, candidate: &Candidate) -> Digest {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.tools.oracle.digest(&candidate.terms));
        hasher.update(&candidate.tree.digest());
        *hasher.finalize().as_bytes()
    }
}

/// Whether a verdict holds in other runs: a deadline that passed may be longer next time.
fn may_be_stored(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::TimedOut | Verdict::Cancelled)
}

fn checkpoint(step: u64, candidate: &Candidate) -> Checkpoint {
    let files = candidate.tree.files();
    let files = files.map(|(_, path, text)| (path.to_string(), text.clone()));
    Checkpoint {
        step,
        files: files.collect(),
        linkage: Linkage::clone(&candidate.terms.linkage),
        is_main: candidate.terms.is_main,
    }
}

fn unparsable_files(tree: &SourceTree) -> BTreeSet<FileId> {
    let files = tree
        .files()
        .filter(|(_, _, text)| !reduce_syntax::is_parsable(text));
    files.map(|(file, _, _)| file).collect()
}
