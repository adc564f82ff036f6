//! The phases of a search, one after the other, each with its costs and the size that it reached.

use crate::figures::Phase;
use crate::request::Part;

/// The phases that have ended, and the figures with which the current one began.
#[derive(Debug, Default)]
pub(super) struct Phases {
    ended: Vec<Phase>,
    begin: Standing,
}

/// The figures of a search at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    pub(super) queries: u64,
    pub(super) steps: u64,
    pub(super) seconds: f64,
}

impl Phases {
    /// Ends a phase, and begins the next. One of a name that was there before is added to it.
    pub(super) fn end(&mut self, part: Part, now: Standing, tokens_after: u64) {
        let begin = std::mem::replace(&mut self.begin, now);
        let phase = self.of(part);
        phase.tokens_after = tokens_after;
        phase.queries += now.queries - begin.queries;
        phase.steps += now.steps.saturating_sub(begin.steps);
        phase.seconds += now.seconds - begin.seconds;
    }

    fn of(&mut self, part: Part) -> &mut Phase {
        let idx = self.ended.iter().position(|one| one.phase == part.name());
        let idx = idx.unwrap_or_else(|| {
            self.ended.push(Phase {
                phase: part.name().to_owned(),
                ..Phase::default()
            });
            self.ended.len() - 1
        });
        &mut self.ended[idx]
    }

    pub(super) fn ended(&self) -> &[Phase] {
        &self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_comes_again_is_added_to_what_it_was() {
        let mut phases = Phases::default();
        let at = |queries, steps| Standing {
            queries,
            steps,
            seconds: 0.0,
        };
        phases.end(Part::Items, at(10, 2), 90);
        phases.end(Part::Crates, at(15, 3), 80);
        phases.end(Part::Items, at(17, 5), 60);
        let row = |one: &Phase| (one.phase.clone(), one.queries, one.steps, one.tokens_after);
        let rows: Vec<_> = phases.ended().iter().map(row).collect();
        let expected = [
            ("items".to_owned(), 12, 4, 60),
            ("crates".to_owned(), 5, 1, 80),
        ];
        assert_eq!(rows, expected);
    }
}
