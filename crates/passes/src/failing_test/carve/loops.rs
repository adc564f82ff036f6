//! Loops: they become their rounds, one after the other.

use super::flow::UNTRACED;
use super::interpreter::Interpreter;
use super::literal::operand;
use super::steps::{Chain, Element};
use super::trace::{Event, Note, Time};
use super::values::{Evaluated, Stop, Value};
use crate::failing_test::run_values::BoundNames;
use std::collections::VecDeque;
use syn::{Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Pat};

/// The largest number of rounds of a loop that are written one after the other.
const MOST_ROUNDS: usize = 100;

/// The stop at a loop that is too long to be written out.
const TOO_LONG: Stop = Stop::GiveUp("a loop has more than 100 rounds");

/// The elements that a loop goes through.
enum Iterated<'p> {
    Chain(Chain<'p>),
    Elements(VecDeque<Value>),
    /// The elements of an iterator of the code under test, by its variable in the straight line.
    By(String),
    /// Elements of which only the trace tells.
    Told,
}

impl<'p> Interpreter<'_, 'p> {
    pub(super) fn for_loop(&mut self, one: &'p ExprForLoop, whole: &'p Expr) -> Evaluated {
        let mark = self.mark();
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let rounds = self.rounds(number);
        let chain = self.calling_chain(&one.expr, whole);
        let iterated = match chain {
            Some(chain) => Some(Iterated::Chain(chain)),
            None => {
                self.back_to(mark.clone());
                self.iterated(&one.expr, (number, &rounds))?
            }
        };
        let Some(mut iterated) = iterated else {
            self.back_to(mark);
            return self.kept(whole);
        };
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        let mut is_left = false;
        for (start, end) in rounds {
            let element = match &mut iterated {
                Iterated::Chain(chain) => match self.next_element(chain)? {
                    Some(Element::One(value)) => Some(value),
                    Some(Element::Untold) => None,
                    _ => return Err(UNTRACED),
                },
                Iterated::Elements(left) => left.pop_front(),
                Iterated::By(iterator) => Some(self.next_of_iterator(iterator, &one.pat)?),
                Iterated::Told => None,
            };
            let limit = self.enter_round(start, end);
            let result = self.in_scope(|inner| {
                inner.bind_told(&one.pat, number, element)?;
                inner.block(&one.body)
            });
            is_left = self.leave_round(limit, end, result)?;
            if is_left {
                break;
            }
        }
        match iterated {
            Iterated::Chain(mut chain) if !is_left => match self.next_element(&mut chain)? {
                Some(_) => Err(UNTRACED),
                None => Ok(Value::Unit),
            },
            Iterated::By(iterator) if !is_left => {
                self.has_no_next(&iterator)?;
                Ok(Value::Unit)
            }
            _ => Ok(Value::Unit),
        }
    }

    /// The chain of iterators that a loop goes through, if it calls functions: what they do is done between the rounds.
    fn calling_chain(&mut self, expression: &'p Expr, whole: &'p Expr) -> Option<Chain<'p>> {
        if !self.taint.is_in(&self.file().place(expression)) {
            return None;
        }
        let chain = self.chain(expression, whole).ok().flatten();
        chain.filter(Chain::calls)
    }

    /// The elements that a loop goes through which are no chain; nothing if the loop stays as it is written.
    fn iterated(
        &mut self,
        expression: &'p Expr,
        (number, rounds): (usize, &[(usize, usize)]),
    ) -> Result<Option<Iterated<'p>>, Stop> {
        let value = self.with_elements(expression)?;
        if let Some(elements) = self.elements(&value) {
            return Ok(Some(Iterated::Elements(elements.into())));
        }
        if self.is_clean(&value) || self.are_given(number, rounds) {
            return Ok(Some(Iterated::Told));
        }
        self.meets_rounds(number, &value)?;
        if !self.form.branches.are_gone() {
            return Ok(None);
        }
        let text = self.text_of(value)?.0;
        let text = format!("{}.into_iter()", operand(&text));
        let iterator = self.let_variable("elements", "", &text, false)?;
        Ok(Some(Iterated::By(self.text_of(iterator)?.0)))
    }

    /// Whether a loop has the same rounds where the test passes too: as many, and each binds the same values.
    fn are_given(&mut self, number: usize, rounds: &[(usize, usize)]) -> bool {
        let (sites, differing) = (self.sites, self.differing);
        let (Some(differing), Some(bound)) = (differing, sites.bound.get(&number)) else {
            return false;
        };
        let end = self.end_of_loop(number);
        if end.is_none_or(|time| differing.contains(&time)) {
            return false;
        }
        let frame = self.frame();
        let is_given = |event: &Event, site: usize| match event {
            Event::Noted(noted, Note::Literal(_), time) => {
                *noted == site && !differing.contains(time)
            }
            _ => false,
        };
        rounds.iter().all(|(start, end)| {
            let events = &frame.events[*start..*end];
            let mut all = bound.iter();
            all.all(|(_, site)| events.iter().any(|event| is_given(event, *site)))
        })
    }

    /// The time at which a loop comes to its end next.
    pub(super) fn end_of_loop(&mut self, number: usize) -> Option<Time> {
        let frame = self.frame();
        let mut events = frame.events[frame.cursor..frame.limit].iter();
        events.find_map(|event| match event {
            Event::Ended(one, time) if *one == number => Some(*time),
            _ => None,
        })
    }

    /// Binds what a round of a loop or a closure is given: as the trace has it, else as the list has it that is gone through.
    pub(super) fn bind_told(
        &mut self,
        pattern: &'p Pat,
        site: usize,
        element: Option<Value>,
    ) -> Result<(), Stop> {
        let sites = self.sites;
        let bound = sites.bound.get(&site).map_or(&[][..], |bound| bound);
        let names = BoundNames::in_pattern(pattern);
        let mut known = Vec::new();
        for (name, site) in bound.iter().filter(|(name, _)| names.contains(name)) {
            known.push((name, self.next_literal(*site)));
        }
        let is_taken_apart = element.as_ref().is_some_and(|element| {
            let is_changed = matches!(element, Value::Reference { is_mut: true, .. });
            is_changed || !self.is_clean(element)
        });
        let is_told = known.len() == names.len();
        if !is_taken_apart && is_told && known.iter().all(|(_, literal)| literal.is_some()) {
            for (name, literal) in known {
                let slot = self.slot(name, Value::Known(literal.unwrap_or_default()));
                self.declare(name, slot);
            }
            return Ok(());
        }
        let element = element.ok_or(Stop::GiveUp("a loop binds a value that has no literal"))?;
        self.bind(pattern, element)
    }

    pub(super) fn while_loop(&mut self, one: &'p ExprWhile, whole: &'p Expr) -> Evaluated {
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let mark = self.mark();
        let rounds = self.rounds(number);
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        for (start, end) in rounds {
            let round = self.in_scope(|inner| {
                // The condition is evaluated before the round begins.
                let value = inner.eval(looked_at(&one.cond))?;
                let is_clean = inner.is_clean(&value);
                match &*one.cond {
                    Expr::Let(condition) => inner.bind(&condition.pat, value)?,
                    _ => inner.has_decided(value, true)?,
                }
                if !is_clean && inner.stays(whole)? {
                    return Ok(None);
                }
                let limit = inner.enter_round(start, end);
                Ok(Some((limit, inner.block(&one.body))))
            })?;
            let Some((limit, result)) = round else {
                self.back_to(mark);
                return self.kept(whole);
            };
            if self.leave_round(limit, end, result)? {
                return Ok(Value::Unit);
            }
        }
        // It is asked once more, with another answer.
        let asked = self.eval(looked_at(&one.cond))?;
        match &*one.cond {
            Expr::Let(condition) => self.has_not_matched(&condition.pat, asked)?,
            _ => self.has_decided(asked, false)?,
        }
        Ok(Value::Unit)
    }

    pub(super) fn endless_loop(&mut self, one: &'p ExprLoop, whole: &'p Expr) -> Evaluated {
        let Some(number) = self.number_of_loop(&one.body) else {
            return self.kept(whole);
        };
        let rounds = self.rounds(number);
        if rounds.len() > MOST_ROUNDS {
            return Err(TOO_LONG);
        }
        for (start, end) in rounds {
            let limit = self.enter_round(start, end);
            let result = self.block(&one.body);
            if self.leave_round(limit, end, result)? {
                break;
            }
        }
        Ok(Value::Unit)
    }

    fn number_of_loop(&self, body: &Block) -> Option<usize> {
        let contents = self.file().inside(body.brace_token.span);
        self.sites.loops.get(&contents).copied()
    }

    /// The rounds of a loop, each with its first event and the one behind its last.
    fn rounds(&mut self, number: usize) -> Vec<(usize, usize)> {
        let frame = self.frame();
        let mut starts = Vec::new();
        let mut end = frame.limit;
        for idx in frame.cursor..frame.limit {
            match &frame.events[idx] {
                Event::Round(one) if *one == number => starts.push(idx + 1),
                Event::Ended(one, _) if *one == number => {
                    end = idx;
                    break;
                }
                _ => {}
            }
        }
        let ends = starts.iter().skip(1).map(|start| start - 1).chain([end]);
        starts
            .iter()
            .copied()
            .zip(ends.collect::<Vec<_>>())
            .collect()
    }

    /// Goes on behind a loop, whether it was walked through or not.
    pub(super) fn after_loop(&mut self, body: &Block) {
        let Some(number) = self.number_of_loop(body) else {
            return;
        };
        let frame = self.frame();
        let mut events = frame.events[frame.cursor..frame.limit].iter();
        if let Some(nth) =
            events.position(|event| matches!(event, Event::Ended(one, _) if *one == number))
        {
            frame.cursor += nth + 1;
        }
    }

    fn enter_round(&mut self, start: usize, end: usize) -> usize {
        let frame = self.frame();
        frame.cursor = frame.cursor.max(start);
        std::mem::replace(&mut frame.limit, end)
    }

    /// Returns whether the loop was left.
    fn leave_round(&mut self, limit: usize, end: usize, result: Evaluated) -> Result<bool, Stop> {
        self.frame().limit = limit;
        let result = result.and_then(|value| self.done_with(value));
        let frame = self.frame();
        match result {
            Ok(()) | Err(Stop::Continue) => {
                // What follows in the round belongs to the next time its condition is asked.
                frame.cursor = frame.cursor.min(end);
                Ok(false)
            }
            Err(Stop::Break) => Ok(true),
            Err(stop) => Err(stop),
        }
    }
}

/// The value that a condition looks at.
fn looked_at(condition: &Expr) -> &Expr {
    match condition {
        Expr::Let(one) => &one.expr,
        other => other,
    }
}
