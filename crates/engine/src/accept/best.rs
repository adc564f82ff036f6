//! The best candidate so far, with its names, its parsed form, and the earlier programs to go back
//! to.

use super::history::History;
use super::pace::Pace;
use super::size::Size;
use crate::candidate::Candidate;
use crate::screen::{Accepted, Check};
use camino::Utf8PathBuf;
use reduce_model::{Outside, ResolvedNames, UnsafeCode};
use reduce_passes::Program;
use reduce_syntax::{FileId, SourceTree, is_parsable, uninterrupted};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// The best candidate so far.
#[derive(Debug)]
pub(crate) struct Best {
    candidate: Candidate,
    size: Size,
    /// The files of the last accepted program that syn cannot parse.
    unparsable: BTreeSet<FileId>,
    /// The names of the best program, read by the first worker that needs them.
    names: Arc<OnceLock<ResolvedNames>>,
    /// The best program, parsed by the first search that needs it.
    program: RefCell<Option<Rc<Program>>>,
    /// The unsafe code of the best program, read by the first candidate that is compared with it.
    unsafe_code: OnceCell<Option<UnsafeCode>>,
    /// The program in the output directory: the best so far, or, while a larger program is on
    /// trial, the best before that trial.
    pub(crate) shown: Candidate,
    /// A person's edit of the program in the output directory, which waits until the search can go
    /// on from it.
    pub(crate) adopted: Option<Adopted>,
    /// The best program before something larger was taken for the sake of later stages, until the
    /// best is smaller again.
    before_growth: Option<Candidate>,
    /// The earlier programs that were the best so far.
    history: History,
    /// A program that was the best so far, and did not fail when it was run again.
    lost: Option<Candidate>,
    /// The time that the best program takes to compile and run.
    pub(crate) pace: Pace,
}

/// A person's edit of the program in the output directory, which waits until the search can go on
/// from it.
#[derive(Debug)]
pub(crate) struct Adopted {
    pub(crate) candidate: Candidate,
    pub(crate) path: Utf8PathBuf,
}

impl Best {
    /// Makes the best so far from a candidate that is known to be interesting.
    pub(crate) fn new(candidate: Candidate, pace: Pace) -> Self {
        let mut history = History::default();
        history.push(candidate.clone());
        Self {
            size: Size::of(&candidate),
            unparsable: unparsable_files(&candidate.tree),
            names: Arc::default(),
            program: RefCell::default(),
            unsafe_code: OnceCell::new(),
            shown: candidate.clone(),
            candidate,
            adopted: None,
            before_growth: None,
            history,
            lost: None,
            pace,
        }
    }

    pub(crate) fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Returns the best program, parsed: the same one for as long as it is the best.
    pub(crate) fn program(&self) -> Rc<Program> {
        let mut known = self.program.borrow_mut();
        let is_of_now = |program: &&Rc<Program>| *program.sources() == self.candidate.tree;
        if let Some(program) = known.as_ref().filter(is_of_now) {
            return program.clone();
        }
        // Its positions go before others come: those of a thread are forgotten together.
        *known = None;
        known
            .insert(Rc::new(Program::new(&self.candidate.tree)))
            .clone()
    }

    /// Forgets the parsed form of the best program, which is made anew for whoever asks next.
    pub(crate) fn forget_program(&self) {
        *self.program.borrow_mut() = None;
    }

    /// Returns the size of the best program in tokens.
    pub(crate) fn tokens(&self) -> u64 {
        self.size.tokens
    }

    /// Whether a candidate is simpler than the best so far.
    pub(crate) fn is_beaten_by(&self, candidate: &Candidate) -> bool {
        let size = Size::of(candidate).cmp(&self.size);
        size.is_lt() || (size.is_eq() && candidate.tree.is_simpler_than(&self.candidate.tree))
    }

    /// Puts another program in place of the best so far, which need not be smaller and is not added
    /// to the history. Nothing interrupts that: a search that is stopped on trial has to come back from it.
    pub(crate) fn replace(&mut self, candidate: Candidate) {
        let facts = || (Size::of(&candidate), unparsable_files(&candidate.tree));
        (self.size, self.unparsable) = uninterrupted(facts);
        self.names = Arc::default();
        self.unsafe_code = OnceCell::new();
        self.candidate = candidate;
    }

    /// Makes an accepted candidate the best so far, whose files have been checked: those that
    /// parsed before parse in it too.
    pub(crate) fn advance(&mut self, candidate: Candidate) {
        let size = Size::of(&candidate);
        self.note_growth(size.tokens);
        self.history.push(candidate.clone());
        self.unparsable
            .retain(|file| candidate.tree.contains(*file));
        (self.candidate, self.size) = (candidate, size);
        self.names = Arc::default();
        self.unsafe_code = OnceCell::new();
    }

    /// Adds a program to the history, so that the search may go back to it in the end.
    pub(crate) fn remember(&mut self, state: Candidate) {
        self.history.push(state);
    }

    /// Returns the check that a candidate must pass to be worth a question. `outside` is known
    /// where names are worth looking at.
    pub(crate) fn check(&self, candidate: &Candidate, outside: Option<Arc<Outside>>) -> Check {
        match outside.filter(|_| candidate.compile_options == self.candidate.compile_options) {
            Some(outside) => Check::Names(Accepted {
                tree: self.candidate.tree.clone(),
                outside,
                names: self.names.clone(),
            }),
            None => Check::Syntax(self.changed_files(candidate)),
        }
    }

    /// Says in words what a candidate has lost of what its unsafe code depends on; `None` if it has
    /// lost nothing.
    pub(crate) fn lost_for_unsafe_code(&self, candidate: &Candidate) -> Option<String> {
        let read = || UnsafeCode::of(&self.candidate.tree);
        let own = self.unsafe_code.get_or_init(read).as_ref();
        let own = own.filter(|own| own.is_there())?;
        own.lost_in(&UnsafeCode::of(&candidate.tree)?)
    }

    /// Returns the texts of those files of a candidate that must still parse: they differ from the
    /// best so far, and parsed before.
    fn changed_files(&self, candidate: &Candidate) -> Vec<Arc<str>> {
        let best = &self.candidate.tree;
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

    /// Remembers the best so far before a larger program takes its place, and forgets it once a
    /// program is as small again.
    fn note_growth(&mut self, tokens_after: u64) {
        let smallest = self.before_growth.as_ref();
        let smallest = smallest.map(|before| before.tree.count_tokens());
        match smallest {
            None if tokens_after > self.size.tokens => {
                self.before_growth = Some(self.candidate.clone());
            }
            Some(smallest) if tokens_after <= smallest => self.before_growth = None,
            _ => {}
        }
    }

    /// Whether the best program has grown, and is not yet smaller than it was before that.
    pub(crate) fn has_grown(&self) -> bool {
        self.before_growth.is_some()
    }

    /// Takes the program that was the best before it grew, if it has not become smaller since. It
    /// is forgotten.
    pub(crate) fn take_before_growth(&mut self) -> Option<Candidate> {
        self.before_growth.take()
    }

    /// Notes that the best so far does not fail any more.
    pub(crate) fn lose(&mut self) {
        self.lost = Some(self.candidate.clone());
    }

    /// Whether a program that was the best so far did not fail when it was run again.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Returns the programs that may be delivered, the best first, without the one that was seen
    /// not to fail.
    pub(crate) fn results(&self) -> Vec<Candidate> {
        let best = std::iter::once(&self.candidate);
        let before = self.history.newest_first();
        let before = before.filter(|state| **state != self.candidate);
        let is_possible = |state: &&Candidate| self.lost.as_ref() != Some(*state);
        best.chain(before).filter(is_possible).cloned().collect()
    }
}

fn unparsable_files(tree: &SourceTree) -> BTreeSet<FileId> {
    let files = tree.files().filter(|(_, _, text)| !is_parsable(text));
    files.map(|(file, _, _)| file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::CompileOptions;
    use reduce_syntax::interruptible;

    fn program(text: &str) -> Candidate {
        Candidate {
            tree: SourceTree::single("lib.rs".into(), Arc::from(text)),
            compile_options: CompileOptions::default(),
        }
    }

    fn best(text: &str) -> Best {
        Best::new(program(text), Pace::new(None, 1))
    }

    #[test]
    fn fewer_tokens_are_simpler_and_then_the_simpler_text_is() {
        let best = best("fn f() { g() }");
        assert!(best.is_beaten_by(&program("fn f() {}")));
        assert!(!best.is_beaten_by(&program("fn f() { g(); }")));
        assert!(best.is_beaten_by(&program("fn f(){g()}")));
    }

    #[test]
    fn what_was_there_before_the_program_grew_is_kept_until_it_is_smaller() {
        let mut best = best("a; b;");
        best.advance(program("a; b; c;"));
        best.advance(program("a; b; c;;;"));
        assert!(best.has_grown());
        best.advance(program("a;"));
        assert!(!best.has_grown());
        best.advance(program("a; b;"));
        assert_eq!(best.take_before_growth(), Some(program("a;")));
        assert!(!best.has_grown());
    }

    #[test]
    fn a_search_that_is_stopped_comes_back_to_another_program() {
        let mut best = best("a; b;");
        let is_stopped = || true;
        let replaced = interruptible(is_stopped, || best.replace(program("fn f() { g() }")));
        assert_eq!(replaced, Some(()));
        assert_eq!(best.candidate(), &program("fn f() { g() }"));
    }

    #[test]
    fn what_does_not_fail_any_more_is_no_result() {
        let mut best = best("a; b;");
        best.advance(program("a;"));
        assert_eq!(best.results(), [program("a;"), program("a; b;")]);
        best.lose();
        assert!(best.is_lost());
        assert_eq!(best.results(), [program("a; b;")]);
    }

    #[test]
    fn a_file_that_did_not_parse_need_not_parse_later() {
        let texts = |best: &Best, text: &str| match best.check(&program(text), None) {
            Check::Syntax(texts) => texts.len(),
            Check::Names(_) => panic!("no names are known from outside"),
        };
        assert_eq!(texts(&best("fn f( {"), "fn f("), 0);
        assert_eq!(texts(&best("fn f() {}"), "fn f("), 1);
    }
}
