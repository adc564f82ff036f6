//! The trace of a run, read as a tree: what happens in a function is apart from what happens in those that it calls.

use super::runtime::{ENTERED, LEFT, UNWOUND};
use crate::failing_test::run_values::runtime::{ENDED, NO_LITERAL, ROUND};

/// A thing that happens in a function or closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A site is passed, with the value there as a literal.
    Noted(usize, Option<String>),
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

/// Reads a trace. Returns the first function that was entered; other threads than its own say nothing.
pub(super) fn read(trace: &[u8]) -> Option<Call> {
    let trace = String::from_utf8_lossy(trace);
    let mut lines = trace.lines().filter_map(|line| line.split_once(' '));
    let is_beginning = |event: &str| event.starts_with(ENTERED);
    let (main, first) = lines.find(|(_, event)| is_beginning(event))?;
    let mut open = vec![entered(first)?];
    for (_, event) in lines.filter(|(thread, _)| *thread == main) {
        if is_beginning(event) {
            open.push(entered(event)?);
        } else if event.starts_with(LEFT) || event.starts_with(UNWOUND) {
            let mut call = open.pop()?;
            call.has_ended = event.starts_with(LEFT);
            match open.last_mut() {
                Some(outer) => outer.events.push(Event::Entered(call)),
                None => return Some(call),
            }
        } else {
            open.last_mut()?.events.push(event_of(event)?);
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

fn event_of(event: &str) -> Option<Event> {
    if let Some(number) = event.strip_prefix(ROUND) {
        return Some(Event::Round(number.parse().ok()?));
    }
    if let Some(number) = event.strip_prefix(ENDED) {
        return Some(Event::Ended(number.parse().ok()?));
    }
    let (number, value) = event.split_once(' ')?;
    let value = (value != NO_LITERAL).then(|| value.to_owned());
    Some(Event::Noted(number.parse().ok()?, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_nest_and_other_threads_are_left_out() {
        let trace = b"t (1\nt 2 5\nu (3\nt (4\nt .6\nt )4\nt <6\nt 7 -\nt !1\n";
        let inner = Call {
            site: 4,
            events: vec![Event::Round(6)],
            has_ended: true,
        };
        let events = vec![
            Event::Noted(2, Some("5".to_owned())),
            Event::Entered(inner),
            Event::Ended(6),
            Event::Noted(7, None),
        ];
        let expected = Call {
            site: 1,
            events,
            has_ended: false,
        };
        assert_eq!(read(trace), Some(expected));
    }

    #[test]
    fn a_run_that_was_ended_from_outside_has_a_trace_up_to_there() {
        let call = read(b"t (1\nt (2\nt 3 -\n").unwrap();
        let Event::Entered(inner) = &call.events[0] else {
            panic!("{call:?}");
        };
        assert_eq!(inner.events, [Event::Noted(3, None)]);
        assert!(!call.has_ended && !inner.has_ended);
    }
}
