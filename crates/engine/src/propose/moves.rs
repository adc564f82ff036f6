//! The linked crates that could not be moved into the program, and the conditions for trying them
//! again.

use crate::candidate::Candidate;
use crate::store::Digest;
use std::collections::{BTreeSet, HashMap};

/// The moves of linked crates into the program that have failed, by crate and by kind of move.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    failed: HashMap<Move, Failed>,
}

/// A kind of move, with the index of the linked crate that it moves; `None` for a move that
/// concerns the program itself.
type Move = (Option<usize>, &'static str);

/// A move of a linked crate that failed.
#[derive(Debug)]
struct Failed {
    /// The program for which the move failed.
    program: Program,
    /// The candidates of the move that ran out of time.
    late: Vec<Digest>,
}

/// The digest that tells a program from others, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Program {
    tokens: u64,
    digest: Digest,
}

/// The condition for trying a failed move again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// The program is half as large as when the move failed.
    Smaller,
    /// The program is another than when the move failed.
    Changed,
}

impl Moves {
    /// Whether a move has not failed yet, or may succeed now with this program.
    pub(crate) fn is_worth_trying(
        &self,
        program: &Candidate,
        unit: Option<usize>,
        kind: &'static str,
        again: Again,
    ) -> bool {
        let now = Program::of(program);
        match (self.failed.get(&(unit, kind)), again) {
            (None, _) => true,
            (Some(then), Again::Smaller) => now.tokens * 2 <= then.program.tokens,
            (Some(then), Again::Changed) => now != then.program,
        }
    }

    /// Notes a move that failed, and those of its candidates that ran out of time.
    pub(crate) fn note_failed(
        &mut self,
        program: &Candidate,
        unit: Option<usize>,
        kind: &'static str,
        late: Vec<Digest>,
    ) {
        let program = Program::of(program);
        self.failed.insert((unit, kind), Failed { program, late });
    }

    /// Returns the candidates that ran out of time in moves of crates which are still linked.
    pub(crate) fn late(&self, linked: &BTreeSet<usize>) -> Vec<Digest> {
        let is_open = |unit: Option<usize>| unit.is_none_or(|unit| linked.contains(&unit));
        let open = self.failed.iter().filter(|((unit, _), _)| is_open(*unit));
        open.flat_map(|(_, failed)| failed.late.iter().copied())
            .collect()
    }
}

impl Program {
    fn of(candidate: &Candidate) -> Self {
        Self {
            tokens: candidate.tree.count_tokens(),
            digest: candidate.tree.digest(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::CompileOptions;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    fn program(text: &str) -> Candidate {
        Candidate {
            tree: SourceTree::single("lib.rs".into(), Arc::from(text)),
            compile_options: CompileOptions::default(),
        }
    }

    #[test]
    fn a_move_that_failed_waits_for_another_program_or_one_half_as_large() {
        let mut moves = Moves::default();
        moves.note_failed(&program("a; b; c;"), Some(1), "merge", vec![]);
        let check = |text, again, expected| {
            let is_worth = moves.is_worth_trying(&program(text), Some(1), "merge", again);
            assert_eq!(is_worth, expected, "{text} {again:?}");
        };
        check("a; b; c;", Again::Changed, false);
        check("a; b;", Again::Changed, true);
        check("a; b;", Again::Smaller, false);
        check("a;", Again::Smaller, true);
        assert!(moves.is_worth_trying(&program("a; b; c;"), Some(2), "merge", Again::Smaller));
    }

    #[test]
    fn late_candidates_count_as_long_as_their_crate_is_linked() {
        let mut moves = Moves::default();
        moves.note_failed(&program("a;"), Some(1), "merge", vec![[1; 32]]);
        moves.note_failed(&program("a;"), None, "expand", vec![[2; 32]]);
        assert_eq!(moves.late(&BTreeSet::new()), [[2; 32]]);
        assert_eq!(moves.late(&BTreeSet::from([1])).len(), 2);
    }
}
