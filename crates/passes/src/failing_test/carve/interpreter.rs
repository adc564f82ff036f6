//! Walks through a test as a run of it went, and writes what the code under test took part in.
//!
//! The test's own values are known from the trace, or are taken apart: a struct of the test becomes a value for each of its
//! fields. What the code under test gives stays an expression of the straight line.

use super::assertion::{Differences, Met};
use super::line::Line;
use super::sites::TraceSites;
use super::steps::Waiting;
use super::trace::{Call, Event, Note, Time, is_foreign};
use super::values::{Slot, Value};
use crate::failing_test::run_values::sites::SiteKind;
use crate::failing_test::taint::Taint;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::{ExprClosure, Member};

/// The largest number of functions that are entered one in the other.
const MOST_NESTED: usize = 40;

/// A closure with the variables that it sees.
#[derive(Clone)]
pub(super) struct Captured<'p> {
    pub(super) closure: &'p ExprClosure,
    pub(super) context: Context<'p>,
}

/// The variables and the type that code sees.
#[derive(Clone)]
pub(super) struct Context<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) scopes: Vec<HashMap<String, Slot>>,
    pub(super) self_type: Option<String>,
    /// The types that the parameters of the function and its impl stand for.
    pub(super) types: HashMap<String, String>,
}

/// A function that is being walked through.
pub(super) struct Frame<'t, 'p> {
    pub(super) context: Context<'p>,
    pub(super) events: &'t [Event],
    /// The events that are behind us, and the first that is not of the round we are in.
    pub(super) cursor: usize,
    pub(super) limit: usize,
    /// Whether the run ends in this code.
    pub(super) is_last: bool,
}

/// The branches and loops that stay of those that depend on the code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Branches {
    /// No branch or loop: there is only the code that ran.
    Resolved,
    /// The same, but the test ends well wherever the code under test decides otherwise than in the run.
    Assumed,
    /// Branches and loops that leave no function; the test ends well wherever another is decided otherwise than in the run.
    Ending,
    /// All branches and loops, with the functions that they leave.
    Kept,
}

impl Branches {
    /// Whether the line has only code that ran, and no branch on values of the code under test.
    pub(super) fn are_gone(self) -> bool {
        matches!(self, Self::Resolved | Self::Assumed)
    }
}

/// A form in which the straight line may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) branches: Branches,
    /// Whether what is used once stands where it is used, if that is in the next statement. Otherwise each value is dropped
    /// where the test did.
    pub(super) is_inlined: bool,
    /// Whether variables have the types that the test gives to what they were.
    pub(super) is_typed: bool,
    /// Whether a value of the code under test that can be copied is the first one that shows the same.
    pub(super) is_shared: bool,
}

impl Form {
    /// The straightest form, with values of the code under test shared.
    pub(super) const SHARED: Self = Self {
        branches: Branches::Resolved,
        is_inlined: true,
        is_typed: false,
        is_shared: true,
    };
}

impl<'t, 'p> Frame<'t, 'p> {
    /// Makes the frame of code that sees these variables, at the beginning of its events.
    pub(super) fn new(context: Context<'p>, events: &'t [Event]) -> Self {
        Self {
            context,
            events,
            cursor: 0,
            limit: events.len(),
            is_last: false,
        }
    }

    /// Makes the frame of a call of code that sees these variables.
    pub(super) fn of_call(context: Context<'p>, call: &'t Call) -> Self {
        Self {
            is_last: !call.has_ended,
            ..Self::new(context, &call.events)
        }
    }

    /// Whether the run has ended, and nothing was noted since this point.
    fn has_run_out(&self) -> bool {
        self.is_last && self.cursor == self.events.len()
    }
}

pub(super) struct Interpreter<'t, 'p> {
    pub(super) program: &'p Program,
    pub(super) sites: &'t TraceSites<'p>,
    /// The sites whose probe does not compile.
    pub(super) broken: &'t BTreeSet<usize>,
    pub(super) taint: &'t Taint,
    /// Where the code under test is named.
    pub(super) sources: &'t BTreeSet<Position>,
    pub(super) own: &'t OwnNames,
    pub(super) form: Form,
    /// The times of the values that differ where the test passes. Those that do not are literals, whatever gives them; nothing where
    /// only clean values are.
    pub(super) differing: Option<&'t BTreeSet<Time>>,
    /// The values of a good version, where the line ends at one that differs.
    pub(super) differences: Option<Differences<'t>>,
    /// The differences that were met.
    pub(super) met: Vec<Met>,
    /// The time at which the last value was noted.
    pub(super) noted_at: Time,
    pub(super) store: Vec<Value>,
    /// The names of the places in the store.
    pub(super) names: Vec<String>,
    /// The types of places that are fields of the test's structs.
    pub(super) types: HashMap<Slot, String>,
    pub(super) line: Line,
    pub(super) closures: Vec<Captured<'p>>,
    pub(super) waiting: Vec<Waiting<'p>>,
    pub(super) frames: Vec<Frame<'t, 'p>>,
    /// The literal that the last evaluated expression had, wherever it comes from.
    pub(super) observed: Option<String>,
    /// The variables that have values of the code under test which can be copied, by what these show and their types.
    pub(super) shared: HashMap<(String, String), String>,
    /// Whether the values of an assertion are evaluated.
    pub(super) is_in_assertion: bool,
    /// Whether the walk is in what the message of the failing assertion shows.
    pub(super) is_in_message: bool,
    pub(super) items: HashSet<Place>,
    pub(super) n_calls: usize,
    /// The number of branches that the code under test has decided, and of which only what ran is written.
    pub(super) n_resolved: usize,
    /// The expression that ends the test well, if it is known.
    pub(super) end_well: Option<&'static str>,
    /// Whether the assertion at the end fails whatever the code under test gives, once the test comes there.
    pub(super) is_end_decided: bool,
    /// Whether a line with assumptions may panic where the test would go on.
    pub(super) may_panic_instead: bool,
    /// Whether a loop goes through what is evaluated, so that its elements are wanted.
    pub(super) wants_elements: bool,
}

/// The names of what the test defines.
#[derive(Debug, Default)]
pub(super) struct OwnNames {
    pub(super) all: HashSet<String>,
    /// All names, of whatever kind.
    pub(super) defined: HashSet<String>,
    pub(super) functions: HashSet<String>,
    /// Structs and variants with fields in parentheses.
    pub(super) constructors: HashSet<String>,
    /// Structs and variants without fields.
    pub(super) units: HashSet<String>,
    /// The named fields of structs without parameters: the name of each, its type, and whether that is one of the code under test.
    pub(super) fields: HashMap<String, Vec<(String, String, bool)>>,
}

impl<'t, 'p> Interpreter<'t, 'p> {
    pub(super) fn frame(&mut self) -> &mut Frame<'t, 'p> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn file(&self) -> SyntaxFile<'p> {
        self.frames[self.frames.len() - 1].context.file
    }

    pub(super) fn text(&self, syntax: &impl reduce_syntax::Located) -> &'p str {
        self.file().text(syntax)
    }

    /// The value that was noted next at a site; nothing where it was not passed any more.
    pub(super) fn next_note(&mut self, site: usize) -> Option<Note> {
        let frame = self.frame();
        for idx in frame.cursor..frame.limit {
            if let Event::Noted(noted, value, time) = &frame.events[idx]
                && *noted == site
            {
                frame.cursor = idx + 1;
                let value = value.clone();
                self.noted_at = *time;
                return Some(value);
            }
        }
        None
    }

    /// The literal of the value that was noted next at a site.
    pub(super) fn next_literal(&mut self, site: usize) -> Option<String> {
        match self.next_note(site)? {
            Note::Literal(literal) => Some(literal),
            Note::NoLiteral | Note::OfType(_) | Note::Copied(..) => None,
        }
    }

    /// Whether a site is not passed any more as the run ends before.
    pub(super) fn ends_before(&mut self, site: usize) -> bool {
        !self.broken.contains(&site) && self.frame().has_run_out()
    }

    /// Moves on to the next mark of the site behind a loop or an assertion. Returns whether the run comes there.
    pub(super) fn comes_behind(&mut self, site: usize) -> bool {
        let found = self.find_end(site);
        self.frame().cursor += found.map_or(0, |nth| nth + 1);
        found.is_some()
    }

    /// The number of events before the mark that a site has at its end.
    pub(super) fn find_end(&mut self, site: usize) -> Option<usize> {
        let frame = self.frame();
        let mut events = frame.events[frame.cursor..frame.limit].iter();
        events.position(|event| matches!(event, Event::Ended(one, _) if *one == site))
    }

    /// Which of some sites was passed next.
    pub(super) fn next_of(&mut self, sites: &[usize]) -> Option<usize> {
        let frame = self.frame();
        for idx in frame.cursor..frame.limit {
            if let Event::Noted(noted, ..) = &frame.events[idx]
                && let Some(nth) = sites.iter().position(|site| site == noted)
            {
                frame.cursor = idx + 1;
                return Some(nth);
            }
        }
        None
    }

    /// The next function that was entered and is meant by `is_meant`, before the value of a place was noted.
    pub(super) fn next_call(
        &mut self,
        whole: &Place,
        is_meant: impl Fn(usize) -> bool,
    ) -> Option<&'t Call> {
        let end = self.sites.values.get(whole).copied();
        let sites = self.sites;
        let frame = self.frame();
        for idx in frame.cursor..frame.limit {
            match &frame.events[idx] {
                Event::Entered(call) if is_meant(call.site) => {
                    frame.cursor = idx + 1;
                    return Some(call);
                }
                Event::Noted(site, ..) => {
                    let site_there = &sites.all[*site];
                    // These are told at the beginning of a body, before all that is in it.
                    let is_told_before = matches!(
                        site_there.kind,
                        SiteKind::TypeOf(Some(_)) | SiteKind::Bound(_)
                    );
                    let is_inside = is_told_before || site_there.place.is_within(whole);
                    if Some(*site) == end || !is_inside {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the code under test has a part in a type, by its name in the run.
    pub(super) fn is_foreign(&self, ty: &str) -> bool {
        is_foreign(ty, &self.own.defined)
    }

    /// Whether a closure is entered next, before the value of a place was noted.
    pub(super) fn is_next_call(&mut self, whole: &Place, site: usize) -> bool {
        let cursor = self.frame().cursor;
        let next = self.next_call(whole, |entered| entered == site);
        self.frame().cursor = cursor;
        next.is_some()
    }

    /// Whether the literal that was noted last may stand for what the code under test has given.
    pub(super) fn is_given(&self, literal: &str) -> bool {
        let differing = self.differing.filter(|_| literal != "()");
        differing.is_some_and(|times| !times.contains(&self.noted_at))
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.frames.len() >= MOST_NESTED
    }
}

/// The name or number of a field.
pub(super) fn member(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(number) => number.index.to_string(),
    }
}
