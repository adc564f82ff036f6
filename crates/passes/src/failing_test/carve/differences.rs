//! Ends the line at a value that is another one with a good version of the code under test, with an assertion of that version's
//! value.
//!
//! Only what may flow into the line's own assertion counts, as versions differ in more than a bug.

use super::assertion::{Assertion, Differences, Met};
use super::interpreter::Interpreter;
use super::literal::operand;
use super::trace::Time;
use super::values::{Stop, Value};
use crate::program::Place;
use std::collections::BTreeMap;

/// The largest number of differences at which a line is ended, the earliest first.
const MOST_DIFFERENCES: usize = 6;

impl<'p> Interpreter<'_, 'p> {
    /// Ends the line with an assertion of a value, if it is the difference to end it at, and notes it if differences are looked for.
    /// `text` writes it.
    pub(super) fn meets(
        &mut self,
        time: Time,
        place: Place,
        text: impl FnOnce(&mut Self) -> Result<String, Stop>,
    ) -> Result<(), Stop> {
        let Some(Differences { expected, end }) = self.differences else {
            return Ok(());
        };
        let Some(expected) = expected.get(&time) else {
            return Ok(());
        };
        match end {
            Some((assertion, at)) if at == time => {
                let text = text(self)?;
                self.emit_effect(&assertion.of(&text, expected), false)?;
                Err(Stop::End)
            }
            Some(_) => Ok(()),
            None => {
                self.met.push(Met {
                    time,
                    place,
                    since: self.line.statements.len(),
                    decides: false,
                });
                Ok(())
            }
        }
    }

    /// Does the same for the number of rounds of a loop over what the code under test gives.
    pub(super) fn meets_rounds(&mut self, number: usize, iterated: &Value) -> Result<(), Stop> {
        if self.differences.is_none() {
            return Ok(());
        }
        let Some(time) = self.end_of_loop(number) else {
            return Ok(());
        };
        let place = self.sites.all[number].place.clone();
        self.meets(time, place, |inner| {
            let text = inner.text_of(iterated.clone())?.0;
            Ok(format!("{}.into_iter().count()", operand(&text)))
        })
    }

    /// The times of the first differences that may flow into the assertion at the end, and the form of that. Where the line ends in
    /// another way there are none, unless its failure `is_own`.
    pub(super) fn first_differences(&self, is_own: bool) -> Option<(Assertion, Vec<Time>)> {
        let other = is_own.then_some(Assertion::Equality);
        let assertion = Assertion::of_text(self.line.last()?).or(other)?;
        let slice = self.line.slice();
        let statements = self.line.statements.iter().enumerate();
        let texts: Vec<usize> = statements
            .filter(|(_, one)| one.scope.is_none())
            .map(|(idx, _)| idx)
            .collect();
        let flows = |since: usize| {
            let mut behind = texts.iter().filter(|idx| **idx >= since);
            behind.next().is_some_and(|idx| slice.contains(idx))
        };
        let met = self.met.iter();
        let met = met.filter(|one| one.decides || flows(one.since));
        let met: BTreeMap<Time, &Met> = met.map(|one| (one.time, one)).collect();
        let times = self.shorter_first(met.into_values());
        Some((
            assertion,
            times.into_iter().take(MOST_DIFFERENCES).collect(),
        ))
    }

    /// The times of differences in their order, but with a part before the whole that it is taken from, if less is expected of it.
    fn shorter_first<'m>(&self, met: impl Iterator<Item = &'m Met>) -> Vec<Time> {
        let length = |one: &Met| {
            let expected = self.differences.and_then(|all| all.expected.get(&one.time));
            expected.map_or(0, String::len)
        };
        let mut ordered: Vec<&Met> = Vec::new();
        for one in met {
            let is_part_of =
                |whole: &&&Met| whole.place.is_within(&one.place) && length(one) < length(whole);
            let wholes = ordered.iter().rev().take_while(is_part_of).count();
            ordered.insert(ordered.len() - wholes, one);
        }
        ordered.into_iter().map(|one| one.time).collect()
    }
}
