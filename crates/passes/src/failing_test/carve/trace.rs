//! The trace of a run, read as a tree: what happens in a function is apart from what happens in those that it calls.

use super::runtime::{CUT, ENTERED, LEFT, UNWOUND};
use crate::failing_test::run_values::runtime::{ENDED, NO_LITERAL, ROUND};
use std::collections::{BTreeMap, BTreeSet};

/// The number of an event in its trace.
pub(super) type Time = usize;

/// A thing that happens in a function or closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A site is passed, with the value there as a literal, at this time.
    Noted(usize, Option<String>, Time),
    /// A round of a loop begins.
    Round(usize),
    /// A loop has come to its end.
    Ended(usize),
    Entered(Call),
}

/// A run through a function or closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) site: usize,
    pub(super) events: Vec<Event>,
    /// Whether the function has come to its end, without a panic.
    pub(super) has_ended: bool,
}

/// Reads a trace. Returns the first function that was entered; other threads than its own say nothing. `is_async` says of the site
/// of a function whether its calls may take turns.
pub(super) fn read(trace: &[u8], is_async: impl Fn(usize) -> bool) -> Result<Call, &'static str> {
    if trace.is_empty() {
        return Err("the run did not come to its end in time with its probes");
    }
    let trace = String::from_utf8_lossy(trace);
    if trace.lines().any(|line| line == CUT) {
        return Err("the run is longer than the 30,000 events that a trace may have");
    }
    let all = first_call(&trace, &|_| true);
    // Futures may take turns.
    let found = all.or_else(|| first_call(&trace, &|site| !is_async(site)));
    found.ok_or("the run has left no trace in which calls end in turn")
}

/// Reads the calls of functions that are told of.
fn first_call(trace: &str, is_told: &dyn Fn(usize) -> bool) -> Option<Call> {
    let mut lines = trace.lines().filter_map(|line| line.split_once(' '));
    let is_beginning = |event: &str| event.starts_with(ENTERED);
    let (main, first) = lines.find(|(_, event)| is_beginning(event))?;
    let mut open = vec![entered(first)?];
    let site = |event: &str| {
        let mut marks = [ENTERED, LEFT, UNWOUND].into_iter();
        marks
            .find_map(|mark| event.strip_prefix(mark))?
            .parse()
            .ok()
    };
    let first = open[0].site;
    let of_main = lines.filter(|(thread, _)| *thread == main);
    for (time, (_, event)) in of_main.enumerate() {
        if site(event).is_some_and(|site| site != first && !is_told(site)) {
            continue;
        }
        if is_beginning(event) {
            open.push(entered(event)?);
        } else if event.starts_with(LEFT) || event.starts_with(UNWOUND) {
            let mut call = open.pop()?;
            if !event[1..].starts_with(&call.site.to_string()) {
                return None;
            }
            call.has_ended = event.starts_with(LEFT);
            match open.last_mut() {
                Some(outer) => outer.events.push(Event::Entered(call)),
                None => return Some(call),
            }
        } else {
            open.last_mut()?.events.push(event_of(event, time)?);
        }
    }
    // A run that was ended from outside has left nothing.
    while let Some(call) = open.pop() {
        match open.last_mut() {
            Some(outer) => outer.events.push(Event::Entered(call)),
            None => return Some(call),
        }
    }
    None
}

fn entered(event: &str) -> Option<Call> {
    Some(Call {
        site: event.strip_prefix(ENTERED)?.parse().ok()?,
        events: Vec::new(),
        has_ended: false,
    })
}

fn event_of(event: &str, time: Time) -> Option<Event> {
    if let Some(number) = event.strip_prefix(ROUND) {
        return Some(Event::Round(number.parse().ok()?));
    }
    if let Some(number) = event.strip_prefix(ENDED) {
        return Some(Event::Ended(number.parse().ok()?));
    }
    let (number, value) = event.split_once(' ')?;
    let value = (value != NO_LITERAL).then(|| value.to_owned());
    Some(Event::Noted(number.parse().ok()?, value, time))
}

/// The times at which a value was noted that no other run has at the same site, which passed it as often before.
pub(super) fn differing(run: &Call, others: &[Call]) -> BTreeSet<Time> {
    let others: Vec<_> = others.iter().map(noted).collect();
    let mut differing = BTreeSet::new();
    for (site, values) in noted(run) {
        for (nth, (value, time)) in values.into_iter().enumerate() {
            let is_there = |other: &Noted<'_>| {
                let values = other.get(&site).and_then(|values| values.get(nth));
                values.is_some_and(|(there, _)| *there == value)
            };
            if !others.iter().all(is_there) {
                differing.insert(time);
            }
        }
    }
    differing
}

/// The values that were noted at each site, in their order, with their times.
type Noted<'c> = BTreeMap<usize, Vec<(Option<&'c str>, Time)>>;

fn noted(call: &Call) -> Noted<'_> {
    let mut found = Noted::new();
    let mut open = vec![call.events.iter()];
    while let Some(events) = open.last_mut() {
        match events.next() {
            Some(Event::Noted(site, value, time)) => {
                let values = found.entry(*site).or_default();
                values.push((value.as_deref(), *time));
            }
            Some(Event::Entered(inner)) => open.push(inner.events.iter()),
            Some(Event::Round(_) | Event::Ended(_)) => {}
            None => drop(open.pop()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(trace: &[u8]) -> Result<Call, &'static str> {
        read(trace, |_| false)
    }

    #[test]
    fn calls_nest_and_other_threads_are_left_out() {
        let trace = b"t (1\nt 2 5\nu (3\nt (4\nt .6\nt )4\nt <6\nt 7 -\nt !1\n";
        let inner = Call {
            site: 4,
            events: vec![Event::Round(6)],
            has_ended: true,
        };
        let events = vec![
            Event::Noted(2, Some("5".to_owned()), 0),
            Event::Entered(inner),
            Event::Ended(6),
            Event::Noted(7, None, 5),
        ];
        let expected = Call {
            site: 1,
            events,
            has_ended: false,
        };
        assert_eq!(read_all(trace), Ok(expected));
    }

    #[test]
    fn a_value_differs_that_another_run_does_not_have_there() {
        let run = read_all(b"t (1\nt 2 5\nt (4\nt 3 -\nt 2 6\nt )4\nt 2 7\nt 5 8\nt !1\n").unwrap();
        let other = read_all(b"t (1\nt 2 5\nt (4\nt 3 -\nt 2 0\nt )4\nt 2 7\nt )1\n").unwrap();
        assert_eq!(differing(&run, &[]), BTreeSet::new());
        assert_eq!(differing(&run, &[run.clone(), other]), [3, 6].into());
    }

    #[test]
    fn a_run_that_was_too_long_for_a_trace_is_not_read() {
        assert!(read_all(b"t (1\nt 2 5\ncut\nu (3\n").is_err());
    }

    #[test]
    fn a_run_that_was_ended_from_outside_has_a_trace_up_to_there() {
        let call = read_all(b"t (1\nt (2\nt 3 -\n").unwrap();
        let Event::Entered(inner) = &call.events[0] else {
            panic!("{call:?}");
        };
        assert_eq!(inner.events, [Event::Noted(3, None, 1)]);
        assert!(!call.has_ended && !inner.has_ended);
    }
}
