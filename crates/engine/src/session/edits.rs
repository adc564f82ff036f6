//! Edits that a person makes of the best so far while it is searched. One that still fails in the same
//! way is gone on from, even if it is larger: the person helps. It stops what is under way, as that is
//! about another program; then the search begins anew with it. One that does not is kept aside.
//!
//! The result is looked at before each stage and each time before it is written; and in between when
//! the system tells that it was touched. So no edit is overwritten, and without one nothing is asked.

use super::state::Session;
use super::verdicts::Known;
use crate::Failure;
use crate::accept::Adopted;
use crate::answer::in_words;
use crate::candidate::Candidate;
use crate::event::Event;
use crate::output::HandEdit;
use crate::request::Stage;
use crate::store::Digest;
use crate::trace::Proposer;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::Verdict;
use reduce_syntax::{SourceTree, is_parsable};
use std::sync::Arc;

impl Session<'_> {
    /// Does some work, and repeats it from each edit that a person makes of the best so far
    /// meanwhile.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn redo_from_edits<T>(
        &mut self,
        mut work: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        loop {
            let result = work(self)?;
            if !self.take_up_edit()? {
                return Ok(result);
            }
        }
    }

    /// Looks whether a person has edited the result, and decides whether the edit is taken.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn look_for_edit(&mut self) -> Result<(), Failure> {
        let edits = self.tools.output.hand_edits(&self.best.shown.tree);
        if edits.is_empty() {
            return Ok(());
        }
        let decided = match edited_tree(&self.best.shown.tree, &edits) {
            Ok(tree) => self.decide_edit(tree)?,
            Err(reason) => Err(reason.to_owned()),
        };
        match decided {
            Ok(candidate) => {
                // A second edit before the first was taken up is one of the first.
                self.best.shown = candidate.clone();
                let path = common_path(&edits);
                self.best.adopted = Some(Adopted { candidate, path });
                self.mode.stop.for_edit = true;
                Ok(())
            }
            Err(reason) => {
                self.keep_rejected(&edits, &reason)?;
                self.tools.output.write_best(&self.best.shown.tree)
            }
        }
    }

    /// Looks for a person's edits of the result if the system tells that it was touched.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    pub(crate) fn look_if_touched(&mut self) -> Result<(), Failure> {
        match self.tools.watch.result_was_touched() {
            true => self.look_for_edit(),
            false => Ok(()),
        }
    }

    /// Makes an edit the best so far, if there is one that fails in the same way. Returns whether
    /// there was; the search has to begin anew then.
    ///
    /// # Errors
    /// Where our own surroundings fail.
    fn take_up_edit(&mut self) -> Result<bool, Failure> {
        self.look_for_edit()?;
        let Some(edit) = self.best.adopted.take() else {
            return Ok(false);
        };
        self.mode.stop.for_edit = false;
        self.adopt(edit)?;
        Ok(true)
    }

    /// Keeps a copy of an edit that came after the search had ended.
    ///
    /// # Errors
    /// Where the output directory cannot be written.
    pub(crate) fn keep_late_edit(&self) -> Result<(), Failure> {
        let edits = self.tools.output.hand_edits(&self.best.shown.tree);
        self.keep_rejected(&edits, "it came when the search had ended")
    }

    /// Decides about the edited program: returns it as a candidate, or the reason why it is not
    /// taken.
    fn decide_edit(&mut self, tree: SourceTree) -> Result<Result<Candidate, String>, Failure> {
        let candidate = Candidate {
            tree,
            compile_options: self.best.shown.compile_options.clone(),
        };
        let by_hand = self.ledger.index_of(Stage::HandEdit);
        let under_way = self.ledger.switch_to(by_hand);
        let stage = std::mem::replace(&mut self.mode.stage, Stage::HandEdit);
        let verdict = self.ask_now(&candidate);
        if let Ok(Verdict::Interesting) = verdict {
            self.ledger.of_stage().accepted += 1;
        }
        self.ledger.switch_to(under_way);
        self.mode.stage = stage;
        Ok(match verdict? {
            Verdict::Interesting => Ok(candidate),
            verdict => Err(in_words(&verdict)),
        })
    }

    /// Asks about one candidate and waits for the answer, while other questions may be under way.
    fn ask_now(&mut self, candidate: &Candidate) -> Result<Verdict, Failure> {
        self.ledger.of_stage().tried += 1;
        let (key, verdict) = match self.recall(candidate) {
            Known::Verdict(key, verdict) => (key, verdict),
            Known::Unknown(key) => (key, self.wait_for_verdict(key, candidate)?),
            Known::NotSmaller => return Ok(Verdict::Rejected),
        };
        self.count(Some(key), Proposer::default(), "edit by hand", candidate)?;
        Ok(verdict)
    }

    fn wait_for_verdict(&mut self, key: Digest, candidate: &Candidate) -> Result<Verdict, Failure> {
        let answer = self.answer_about(candidate)?;
        self.learn(key, &answer);
        Ok(answer.verdict)
    }

    fn keep_rejected(&self, edits: &[HandEdit], reason: &str) -> Result<(), Failure> {
        for edit in edits {
            let kept_at = self.tools.output.keep_rejected(edit)?;
            self.emit(Event::EditRejected {
                path: edit.place.clone(),
                reason: reason.to_owned(),
                kept_at,
            });
        }
        Ok(())
    }
}

/// Puts a person's texts into the program, or returns the reason why that is not possible. Files
/// that did not parse before need not parse now.
fn edited_tree(shown: &SourceTree, edits: &[HandEdit]) -> Result<SourceTree, &'static str> {
    let mut tree = shown.clone();
    for edit in edits {
        let text = std::str::from_utf8(&edit.bytes).map_err(|_| "it is not UTF-8")?;
        if is_parsable(shown.text(edit.file)) && !is_parsable(text) {
            return Err("it does not parse");
        }
        tree.set_text(edit.file, Arc::from(text));
    }
    Ok(tree)
}

/// Returns the file that was edited, or the directory of several.
fn common_path(edits: &[HandEdit]) -> Utf8PathBuf {
    match edits {
        [edit] => edit.place.clone(),
        _ => Utf8Path::new("reduced").to_owned(),
    }
}
