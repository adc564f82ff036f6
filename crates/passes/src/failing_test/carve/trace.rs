//! The trace of a run, read as a tree: what happens in a function is apart from what happens in those that it calls.

use super::literal::is_name;
use super::runtime::{COPIED, CUT, ENTERED, LEFT, UNWOUND};
use crate::failing_test::run_values::runtime::{ENDED, NO_LITERAL, ROUND};
use reduce_syntax::TokenCursor;
use std::collections::{BTreeMap, HashSet};

/// The number of an event in its trace.
pub(super) type Time = usize;

/// A thing that happens in a function or closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A site is passed, with the value there, at this time.
    Noted(usize, Note, Time),
    /// A round of a loop begins.
    Round(usize),
    /// A loop has come to its end, at this time.
    Ended(usize, Time),
    Entered(Call),
}

/// A value as the trace tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Note {
    Literal(String),
    /// A value without a literal.
    NoLiteral,
    /// A value without a literal, of this type.
    OfType(String),
    /// A value without a literal that can be copied: what it shows, and its type.
    Copied(String, String),
}

impl Note {
    /// The note that a probe has written.
    fn of_text(text: &str) -> Self {
        let copied = text.strip_prefix(COPIED);
        if let Some((shown, ty)) = copied.and_then(|text| text.rsplit_once(COPIED)) {
            return Self::Copied(shown.trim().to_owned(), ty.trim().to_owned());
        }
        match text.strip_prefix(NO_LITERAL) {
            Some("") => Self::NoLiteral,
            Some(ty) if ty.starts_with(' ') => Self::OfType(ty.trim_start().to_owned()),
            _ => Self::Literal(text.to_owned()),
        }
    }

    /// The literal, if the value has one.
    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(literal) => Some(literal),
            Self::NoLiteral | Self::OfType(_) | Self::Copied(..) => None,
        }
    }

    /// What is compared of the value with that of another run.
    fn compared(&self) -> Option<&str> {
        match self {
            Self::Copied(shown, _) => Some(shown),
            other => other.literal(),
        }
    }
}

/// Whether a type, by its name in a run, has something of the code under test in it: a name that is neither the standard library's nor one
/// of those that the test has `defined`. The crate that a unit test is in is code under test but for the test.
pub(super) fn is_foreign(ty: &str, defined: &HashSet<String>) -> bool {
    // Two ends of arguments are one token otherwise.
    let ty = ty.replace('>', "> ");
    let cursor = TokenCursor::new(&ty);
    let words: Vec<&str> = cursor.words().collect();
    let is_root = |idx: usize| {
        let is_inner = idx > 0 && words[idx - 1] == "::";
        !is_inner && is_name(words[idx]) && words.get(idx + 1) == Some(&"::")
    };
    let last = |mut idx: usize| {
        while words.get(idx + 1) == Some(&"::")
            && words.get(idx + 2).is_some_and(|one| is_name(one))
        {
            idx += 2;
        }
        words[idx]
    };
    let mut roots = (0..words.len()).filter(|idx| is_root(*idx));
    roots.any(|idx| match words[idx] {
        "alloc" | "core" | "std" => false,
        "crate" => !defined.contains(last(idx)),
        _ => true,
    })
}

/// A run through a function or closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) site: usize,
    pub(super) events: Vec<Event>,
    /// Whether the function has come to its end, without a panic.
    pub(super) has_ended: bool,
}

impl Call {
    /// Whether a value was noted that can be copied.
    pub(super) fn has_copied(&self) -> bool {
        self.events.iter().any(|event| match event {
            Event::Noted(_, note, _) => matches!(note, Note::Copied(..)),
            Event::Entered(inner) => inner.has_copied(),
            Event::Round(_) | Event::Ended(..) => false,
        })
    }
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
        return Some(Event::Ended(number.parse().ok()?, time));
    }
    let (number, value) = event.split_once(' ')?;
    Some(Event::Noted(
        number.parse().ok()?,
        Note::of_text(value),
        time,
    ))
}

/// The values that each of some other runs has where this one has another, by the time at which this one noted its own: the literal, or
/// nothing where that run has none, or did not come there as often. The number of a loop's rounds is a value as well.
pub(super) fn differences(run: &Call, others: &[Call]) -> Vec<BTreeMap<Time, Option<String>>> {
    let run = noted(run);
    let of_other = |other: &Call| {
        let other = noted(other);
        let mut found = BTreeMap::new();
        for (site, values) in &run {
            for (nth, (value, time)) in values.iter().enumerate() {
                let there = other.get(site).and_then(|values| values.get(nth));
                let there = there.map(|(there, _)| there);
                if there.is_none_or(|there| there.compared() != value.compared()) {
                    let literal = there.and_then(Note::literal);
                    found.insert(*time, literal.map(str::to_owned));
                }
            }
        }
        found
    };
    others.iter().map(of_other).collect()
}

/// The values in which all of some other runs differ from this one, and have the same; nothing where there is no other run.
pub(super) fn agreed(
    differences: Vec<BTreeMap<Time, Option<String>>>,
) -> Option<BTreeMap<Time, Option<String>>> {
    differences.into_iter().reduce(|mut all, one| {
        all.retain(|time, value| one.get(time) == Some(value));
        all
    })
}

/// The values that were noted at each site, in their order, with their times.
type Noted = BTreeMap<usize, Vec<(Note, Time)>>;

fn noted(call: &Call) -> Noted {
    let mut found = Noted::new();
    let mut open = vec![(call.events.iter(), BTreeMap::new())];
    while let Some((events, rounds)) = open.last_mut() {
        match events.next() {
            Some(Event::Noted(site, value, time)) => {
                found.entry(*site).or_default().push((value.clone(), *time));
            }
            Some(Event::Round(number)) => *rounds.entry(*number).or_insert(0_usize) += 1,
            Some(Event::Ended(number, time)) => {
                let n_rounds = rounds.remove(number).unwrap_or(0);
                let value = Note::Literal(n_rounds.to_string());
                found.entry(*number).or_default().push((value, *time));
            }
            Some(Event::Entered(inner)) => open.push((inner.events.iter(), BTreeMap::new())),
            None => drop(open.pop()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
            Event::Noted(2, Note::Literal("5".to_owned()), 0),
            Event::Entered(inner),
            Event::Ended(6, 4),
            Event::Noted(7, Note::NoLiteral, 5),
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
        let differing = |others: &[Call]| {
            let times = differences(&run, others).into_iter();
            times.flat_map(BTreeMap::into_keys).collect::<BTreeSet<_>>()
        };
        assert_eq!(differing(&[]), BTreeSet::new());
        assert_eq!(differing(&[run.clone(), other]), [3, 6].into());
    }

    #[test]
    fn a_value_that_can_be_copied_differs_by_what_it_shows() {
        let run = read_all(b"t (1\nt 2 = Id(1) = lib::Id\nt 2 = Id(2) = lib::Id\nt !1\n").unwrap();
        let other =
            read_all(b"t (1\nt 2 = Id(1) = lib::Id\nt 2 = Id(3) = lib::Id\nt !1\n").unwrap();
        let note = Note::Copied("Id(1)".to_owned(), "lib::Id".to_owned());
        assert_eq!(run.events[0], Event::Noted(2, note, 0));
        assert_eq!(differences(&run, &[other]), [BTreeMap::from([(1, None)])]);
    }

    #[test]
    fn what_others_give_counts_where_all_give_the_same() {
        let of = |all: &[(Time, Option<&str>)]| -> BTreeMap<Time, Option<String>> {
            let all = all.iter();
            all.map(|(time, value)| (*time, value.map(str::to_owned)))
                .collect()
        };
        let one = of(&[(1, Some("2")), (3, Some("4")), (5, None), (7, Some("8"))]);
        let other = of(&[(1, Some("2")), (3, Some("5")), (5, None)]);
        assert_eq!(
            agreed(vec![one.clone(), other]),
            Some(of(&[(1, Some("2")), (5, None)]))
        );
        assert_eq!(agreed(vec![one.clone()]), Some(one));
        assert_eq!(agreed(Vec::new()), None);
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
        let note = Note::NoLiteral;
        assert_eq!(inner.events, [Event::Noted(3, note, 1)]);
        assert!(!call.has_ended && !inner.has_ended);
    }

    #[test]
    fn a_type_that_another_crate_has_a_part_in_is_foreign() {
        let defined = ["A", "Bad", "test"].map(str::to_owned).into();
        let check = |ty: &str, expected| {
            assert_eq!(
                Note::of_text(&format!("- {ty}")),
                Note::OfType(ty.to_owned())
            );
            assert_eq!(is_foreign(ty, &defined), expected, "{ty}");
        };
        check("core::result::Result<lib::a::Time<u8>, crate::Bad>", true);
        check("alloc::vec::Vec<alloc::vec::Vec<&mut lib::A>>", true);
        check("alloc::vec::Vec<alloc::vec::Vec<crate::lib::A>>", false);
        check(
            "core::result::Result<u8, core::num::error::ParseIntError>",
            false,
        );
        check("crate::test::{{closure}}", false);
        check("crate::a::Json", true);
        check("core::option::Option<crate::split::{{closure}}>", true);
        assert_eq!(Note::of_text("-5_i8"), Note::Literal("-5_i8".to_owned()));
    }
}
