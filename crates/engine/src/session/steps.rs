//! The steps of a search: it accepts candidates, and goes back to earlier states.

use super::state::Session;
use crate::Failure;
use crate::accept::Adopted;
use crate::accept::{LoggedState, Occasion, StepLog};
use crate::candidate::Candidate;
use crate::event::Event;
use crate::store::Checkpoint;
use reduce_oracle::{Linkage, Verdict};
use reduce_syntax::{SourceTree, uninterrupted};
use std::collections::BTreeMap;

impl Session<'_> {
    /// Begins the log of steps with the input, from which the best so far may have been prepared already.
    pub(crate) fn log_from(&mut self, input: &SourceTree) {
        let elapsed = self.tools.started.elapsed();
        let best = self.best.candidate();
        self.log = StepLog::new(input, &best.compile_options);
        self.log.begin(best, elapsed);
        self.show_live(&best.tree, self.best.tokens());
    }

    /// Gives a live view a program as the best so far.
    fn show_live(&self, tree: &SourceTree, tokens: u64) {
        let live = &self.tools.control.live;
        live.show(tree, self.tools.output.places(tree), false);
        live.note_size(tokens, &self.tools.started);
    }

    /// Makes a candidate the best so far: in the store, then on disk, then in the figures. On a
    /// detour it may not stay the best, and nothing of it is kept. What a person has made of the result
    /// comes before it.
    ///
    /// # Errors
    /// Where store or output directory cannot be written.
    pub(crate) fn accept(&mut self, candidate: Candidate) -> Result<(), Failure> {
        uninterrupted(|| self.take_step(candidate))
    }

    fn take_step(&mut self, candidate: Candidate) -> Result<(), Failure> {
        self.note_pace(&candidate);
        self.end_windows();
        if self.mode.is_on_detour {
            self.best.replace(candidate);
            return Ok(());
        }
        if self.best.adopted.is_none() {
            self.look_for_edit()?;
        }
        if self.best.adopted.is_some() {
            return Ok(());
        }
        let step = self.ledger.figures.steps + 1;
        if self.mode.keeps_checkpoints {
            self.keep_checkpoint(step, &candidate)?;
        }
        self.show(&candidate, Occasion::Accepted(step))?;
        let tokens_before = self.best.tokens();
        self.best.advance(candidate);
        let tokens_after = self.best.tokens();
        self.ledger.figures.steps = step;
        let statistics = self.ledger.of_stage();
        statistics.accepted += 1;
        statistics.tokens += tokens_before.saturating_sub(tokens_after);
        self.emit(Event::StepAccepted {
            step,
            pass: self.ledger.stage_name(),
            tokens_before,
            tokens_after,
        });
        Ok(())
    }

    /// Notes the time that an accepted candidate has used. What an earlier run has answered took no
    /// time in this one.
    fn note_pace(&mut self, accepted: &Candidate) {
        let key = self.key(accepted);
        let known = self.ledger.verdicts.get(&key);
        if let Some(known) = known.filter(|known| known.decider.asks_compiler()) {
            let spent = known.timing.spent;
            self.best.pace.note(spent, accepted.tree.count_tokens());
        }
    }

    /// Makes a person's edit the best so far, even if it is larger.
    ///
    /// # Errors
    /// Where store or output directory cannot be written.
    pub(super) fn adopt(&mut self, edit: Adopted) -> Result<(), Failure> {
        uninterrupted(|| self.take_edit(edit))
    }

    fn take_edit(&mut self, edit: Adopted) -> Result<(), Failure> {
        let Adopted { candidate, path } = edit;
        let step = self.ledger.figures.steps + 1;
        self.keep_checkpoint(step, &candidate)?;
        self.show(&candidate, Occasion::Adopted(step))?;
        self.best.remember(candidate.clone());
        self.ledger.figures.steps = step;
        self.ledger.forget_failures();
        // A person's program is not given up for the sake of a smaller one before it.
        self.best.take_before_growth();
        let tokens_before = self.best.tokens();
        self.best.replace(candidate);
        self.emit(Event::EditAdopted {
            path,
            step,
            tokens_before,
            tokens_after: self.best.tokens(),
        });
        Ok(())
    }

    /// Goes on from the last accepted state of an interrupted job, in which the user had skipped these runs of
    /// passes.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn resume_with(
        &mut self,
        step: u64,
        state: Candidate,
        skipped: BTreeMap<String, u64>,
    ) -> Result<(), Failure> {
        self.ledger.figures.steps = step;
        if !skipped.is_empty() {
            self.mode.stop.skip.note_earlier_use();
            self.ledger.remember_skipped(skipped);
        }
        self.show(&state, Occasion::Resumed(step))?;
        self.best.remember(state.clone());
        self.best.replace(state);
        self.emit(Event::Resumed {
            steps: step,
            tokens: self.best.tokens(),
        });
        Ok(())
    }

    /// Returns a state of a search with the results that its candidates have to keep: a test that was written anew or judged again
    /// has results of its own, which are not kept with it.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn judged_anew(&self, state: Candidate) -> Result<Candidate, Failure> {
        let judged = self
            .tools
            .in_turn(|oracle, cancel| oracle.judged_anew(&state, cancel))?;
        let judged = judged.map_or(state, |judged| judged.candidate);
        let again = self.judged_again(&judged)?;
        Ok(again.unwrap_or(judged))
    }

    /// Judges the best program again: as it is smaller than before, its candidates may have to enter fewer functions.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn judge_again(&mut self) -> Result<(), Failure> {
        if let Some(candidate) = self.judged_again(self.best())? {
            self.learn_interesting(&candidate);
            self.best.replace(candidate);
        }
        Ok(())
    }

    fn judged_again(&self, smaller: &Candidate) -> Result<Option<Candidate>, Failure> {
        let tools = &self.tools;
        tools.in_turn(|oracle, cancel| oracle.judged_again(smaller, cancel))
    }

    /// Ends a stopped search with the program before it grew, if it has not become smaller than
    /// that since.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn take_growth_back(&mut self) -> Result<(), Failure> {
        match self.best.take_before_growth() {
            Some(before) => self.end_with(before),
            None => Ok(()),
        }
    }

    /// Goes back from a trial to the program in the output directory, for a search that an error has ended: programs
    /// on trial may not last.
    pub(crate) fn return_to_shown(&mut self) {
        let shown = self.best.shown.clone();
        self.best.replace(shown);
    }

    /// Makes a candidate the result, in place of the best so far.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn end_with(&mut self, state: Candidate) -> Result<(), Failure> {
        uninterrupted(|| {
            self.keep_late_edit()?;
            self.show(&state, Occasion::Form)?;
            self.best.replace(state);
            Ok(())
        })
    }

    /// Runs the best so far once more, if it is time for that, to see whether it still fails. Where it
    /// does not fail the search comes to its end.
    ///
    /// A search that has accepted something by luck would build on it, and a compiler that was replaced
    /// meanwhile would answer about another program.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(super) fn look_again(&mut self) -> Result<(), Failure> {
        if !self.mode.takes_a_look(self.ledger.figures.steps) {
            return Ok(());
        }
        self.ledger.final_checks += 1;
        let best = self.best().clone();
        let verdict = self.answer_about(&best)?.verdict;
        // A program that was stopped at a deadline may only have been slow.
        let is_open = matches!(verdict, Verdict::TimedOut | Verdict::Cancelled);
        if !verdict.is_interesting() && !is_open {
            self.best.lose();
            self.mode.stop.for_loss = true;
        }
        Ok(())
    }

    fn keep_checkpoint(&self, step: u64, candidate: &Candidate) -> Result<(), Failure> {
        self.tools.kept.keep_checkpoint(&Checkpoint {
            skipped: self.ledger.skipped_runs().clone(),
            ..checkpoint(step, candidate)
        })
    }

    /// Writes a candidate to the output directory, and into the log of steps.
    fn show(&mut self, candidate: &Candidate, occasion: Occasion) -> Result<(), Failure> {
        self.tools.output.write_best(&candidate.tree)?;
        let state = LoggedState {
            occasion,
            pass: self.ledger.stage_name(),
            tokens: candidate.tree.count_tokens(),
            queries: self.ledger.figures.decided(),
            elapsed: self.tools.started.elapsed(),
        };
        self.show_live(&candidate.tree, state.tokens);
        self.log.push(state, candidate);
        self.best.shown = candidate.clone();
        Ok(())
    }
}

fn checkpoint(step: u64, candidate: &Candidate) -> Checkpoint {
    let files = candidate.tree.files();
    let files = files.map(|(_, path, text)| (path.to_string(), text.clone()));
    Checkpoint {
        step,
        files: files.collect(),
        linkage: Linkage::clone(&candidate.compile_options.linkage),
        is_main: candidate.compile_options.is_main,
        skipped: BTreeMap::new(),
    }
}
