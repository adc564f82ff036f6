//! The log of a reduction's steps, for whoever wants to see how the result came about: when each program
//! became the best so far, by what, and what it changed in the one before it. The texts are woven into one
//! (`weave`), so that the log needs about as much memory as the first program, however many steps follow.

mod weave;

pub(crate) use weave::{Part, Woven};

use reduce_syntax::SourceTree;
use std::time::Duration;
use weave::Weave;

/// A deleted text that is longer is kept by its first lines alone, in bytes.
const LONGEST_TEXT: usize = 16_000;
/// So many bytes of deleted texts are kept at most. Beyond that the oldest programs are forgotten.
const MOST_BYTES: usize = 16_000_000;

/// How a program has become the best so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// It is the input.
    Input,
    /// The search begins with it, as the input was prepared: a failing test apart from what comes after its failure.
    Begun,
    /// The step with this number was accepted.
    Accepted(u64),
    /// An interrupted job goes on from the step with this number.
    Resumed(u64),
    /// A person's edit has become the step with this number.
    Adopted(u64),
    /// It is another form of what was there, or an earlier program again: no step.
    Form,
}

/// A program of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoggedState {
    pub(crate) occasion: Occasion,
    /// The pass or stage that has made it.
    pub(crate) pass: String,
    /// Its size.
    pub(crate) tokens: u64,
    /// The queries of the search until then, with those whose verdict was known: as many in a search that has all
    /// verdicts from an earlier one.
    pub(crate) queries: u64,
    /// The time since the request.
    pub(crate) elapsed: Duration,
}

/// The programs that were the best so far, one after the other.
#[derive(Debug)]
pub(crate) struct StepLog {
    states: Vec<LoggedState>,
    weave: Weave,
    last: SourceTree,
}

impl StepLog {
    /// Begins with the input.
    pub(crate) fn new(input: &SourceTree) -> Self {
        let state = LoggedState {
            occasion: Occasion::Input,
            pass: String::new(),
            tokens: input.count_tokens(),
            queries: 0,
            elapsed: Duration::ZERO,
        };
        Self {
            states: vec![state],
            weave: Weave::new(input, LONGEST_TEXT),
            last: input.clone(),
        }
    }

    /// Adds what the search begins with, if that is not the input, before anything else.
    pub(crate) fn begin(&mut self, tree: &SourceTree, elapsed: Duration) {
        if *tree != self.last {
            let state = LoggedState {
                occasion: Occasion::Begun,
                pass: String::new(),
                tokens: tree.count_tokens(),
                queries: 0,
                elapsed,
            };
            self.push(state, tree);
        }
    }

    /// Adds a program. A step may leave its text as it was, such as one that leaves out a flag. What has neither
    /// another text nor is a step is not added.
    pub(crate) fn push(&mut self, state: LoggedState, tree: &SourceTree) {
        if state.occasion == Occasion::Form && *tree == self.last {
            return;
        }
        self.weave.advance(&self.last, tree);
        self.weave.keep_below(MOST_BYTES);
        self.states.push(state);
        self.last = tree.clone();
    }

    /// All programs that were the best so far, from the input to the last one.
    pub(crate) fn states(&self) -> &[LoggedState] {
        &self.states
    }

    /// Their texts.
    pub(crate) fn woven(&self) -> Woven {
        self.weave.finish(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("lib.rs".into(), Arc::from(text))
    }

    fn state(occasion: Occasion) -> LoggedState {
        LoggedState {
            occasion,
            pass: "delete_items".to_owned(),
            tokens: 1,
            queries: 1,
            elapsed: Duration::ZERO,
        }
    }

    #[test]
    fn what_the_search_begins_with_is_there_if_it_is_not_the_input() {
        let mut log = StepLog::new(&tree("a; b;"));
        log.begin(&tree("a; b;"), Duration::ZERO);
        assert_eq!(log.states().len(), 1);
        log.begin(&tree("a;"), Duration::ZERO);
        assert_eq!(log.states().len(), 2);
        assert_eq!(log.states()[1].occasion, Occasion::Begun);
    }

    #[test]
    fn a_step_that_leaves_the_text_as_it_was_is_there_and_the_same_in_another_form_is_not() {
        let mut log = StepLog::new(&tree("a; b;"));
        log.push(state(Occasion::Accepted(1)), &tree("a;"));
        log.push(state(Occasion::Accepted(2)), &tree("a;"));
        log.push(state(Occasion::Form), &tree("a;"));
        log.push(state(Occasion::Form), &tree("a ;"));
        assert_eq!(log.states().len(), 4);
        let texts = (0..4).map(|number| log.woven().text(number, "lib.rs".into()));
        assert_eq!(texts.collect::<Vec<_>>(), ["a; b;", "a;", "a;", "a ;"]);
    }
}
