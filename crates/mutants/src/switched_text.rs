//! The text of a file with switches around what mutants change, and where each of them stands in it.
//!
//! Text is put in at byte positions and none goes but `&&` and `||`. There is no line break in it, so
//! lines stay where they are. Several switches may begin or end at one position: they nest.

use crate::changes::Switch;
use crate::mutant::{Mutant, MutantId};
use crate::runtime::MODULE;
use std::cmp::Reverse;
use std::ops::Range;

/// A file's text with switches.
#[derive(Debug, Clone, Default)]
pub(crate) struct SwitchedText {
    pub(crate) text: String,
    /// Where the mutants stand, in the order in which they end.
    pub(crate) places: Vec<SwitchPlace>,
    /// Where stretches of the original begin: here and there.
    origins: Vec<(usize, usize)>,
}

/// Where a mutant stands in a text with switches.
#[derive(Debug, Clone)]
pub(crate) struct SwitchPlace {
    pub(crate) id: MutantId,
    /// From the beginning of the switch to its end.
    pub(crate) whole: Range<usize>,
    /// What is executed if the mutant is on, if that is other text.
    pub(crate) other: Range<usize>,
}

/// A text that is put in at a position.
struct Insertion {
    at: usize,
    /// What comes first at one position: ends, the inner ones first, then beginnings, the outer first.
    order: (u8, Reverse<usize>, i64),
    text: String,
    /// How many bytes of the original it replaces.
    n_replaced: usize,
    mutant: usize,
    part: Part,
}

enum Part {
    Begin,
    Middle,
    /// With the bytes of the text that are executed if the mutant is on.
    End(Range<usize>),
}

impl SwitchedText {
    /// Puts the switches of `mutants` into `text`.
    pub(crate) fn new(text: &str, mutants: &[(&Mutant, &Switch)]) -> Self {
        let mut insertions: Vec<Insertion> = Vec::new();
        for (idx, (mutant, switch)) in mutants.iter().enumerate() {
            insertions.extend(insertions_of(idx, mutant, switch));
        }
        insertions.sort_by_key(|one| (one.at, one.order));
        let mut result = Self::default();
        let mut begins = vec![0; mutants.len()];
        let mut done = 0;
        for insertion in &insertions {
            result.keep(text, done..insertion.at);
            done = insertion.at + insertion.n_replaced;
            let start = result.text.len();
            result.text.push_str(&insertion.text);
            match &insertion.part {
                Part::Begin => begins[insertion.mutant] = start,
                Part::Middle => {}
                Part::End(other) => result.places.push(SwitchPlace {
                    id: mutants[insertion.mutant].0.id,
                    whole: begins[insertion.mutant]..result.text.len(),
                    other: start + other.start..start + other.end,
                }),
            }
        }
        result.keep(text, done..text.len());
        result
    }

    fn keep(&mut self, text: &str, range: Range<usize>) {
        self.origins.push((self.text.len(), range.start));
        self.text.push_str(&text[range]);
    }

    /// Puts a text in at a byte of the result.
    pub(crate) fn insert(&mut self, at: usize, text: &str) {
        self.text.insert_str(at, text);
        let shift = |byte: &mut usize| *byte += if *byte >= at { text.len() } else { 0 };
        for place in &mut self.places {
            for range in [&mut place.whole, &mut place.other] {
                shift(&mut range.start);
                shift(&mut range.end);
            }
        }
        self.origins.iter_mut().for_each(|(here, _)| shift(here));
    }

    /// The byte of the original that stands at, or next before, a byte of this text.
    pub(crate) fn origin(&self, byte: usize) -> usize {
        let next = self.origins.partition_point(|&(here, _)| here <= byte);
        let stretch = |idx: usize| self.origins.get(idx).copied();
        let (here, there) = next.checked_sub(1).and_then(stretch).unwrap_or((0, 0));
        let end = stretch(next).map_or(usize::MAX, |(_, there)| there);
        (there + byte.saturating_sub(here)).min(end)
    }
}

/// The texts that make a switch, with its beginning first.
fn insertions_of(idx: usize, mutant: &Mutant, switch: &Switch) -> Vec<Insertion> {
    let id = mutant.id;
    let (on, off) = (
        format!("{MODULE}::on({id})"),
        format!("{MODULE}::off({id})"),
    );
    let (range, mutated) = (mutant.range.clone(), mutated_text(mutant, switch));
    let surrounding = |begin: String, end: [&str; 3]| surrounding(idx, &range, begin, end);
    match switch {
        Switch::Instead(_) => surrounding(format!("(if {off} {{ "), [" } else { ", mutated, " })"]),
        Switch::Negated => surrounding("(".to_owned(), [") != ", &on, ""]),
        Switch::Skipped => surrounding(format!("if {off} {{ "), [" }", "", ""]),
        Switch::Inserted => {
            let begin = format!("if {on} {{ {}}} ", mutant.mutated);
            let mut both = surrounding(begin, ["", "", ""]);
            both[0].order = (1, Reverse(usize::MAX), 0);
            both[1].order = (1, Reverse(usize::MAX), 1);
            both
        }
        Switch::Unmatched(at) => {
            let mut both = self::surrounding(idx, &(*at..*at), format!(" if {off}"), ["", "", ""]);
            both[1].order.0 = 2;
            both
        }
        Switch::Exchanged { token, is_and } => {
            let (relation, value) = if *is_and { ("!=", &on) } else { ("==", &off) };
            let mut all = surrounding("(if (".to_owned(), [") } else { ", value, " })"]);
            all.push(Insertion {
                at: token.start,
                order: (2, Reverse(0), 0),
                text: format!(") {relation} {on} {{ ("),
                n_replaced: token.len(),
                mutant: idx,
                part: Part::Middle,
            });
            all
        }
    }
}

/// What is executed instead if the mutant is on.
fn mutated_text<'m>(mutant: &'m Mutant, switch: &'m Switch) -> &'m str {
    match switch {
        Switch::Instead(copy) => copy,
        _ => &mutant.mutated,
    }
}

/// Text before and after a range. Of the three texts after it, the second one is the other text.
fn surrounding(
    idx: usize,
    range: &Range<usize>,
    begin: String,
    [before, other, after]: [&str; 3],
) -> Vec<Insertion> {
    let number = i64::try_from(idx).expect("there are fewer mutants");
    let insertion = |at, order, text, part| Insertion {
        at,
        order,
        text,
        n_replaced: 0,
        mutant: idx,
        part,
    };
    let other_range = before.len()..before.len() + other.len();
    vec![
        insertion(
            range.start,
            (1, Reverse(range.end), number),
            begin,
            Part::Begin,
        ),
        insertion(
            range.end,
            (0, Reverse(range.start), -number),
            format!("{before}{other}{after}"),
            Part::End(other_range),
        ),
    ]
}
