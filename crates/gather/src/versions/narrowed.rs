//! Texts with less of the difference between their two versions.

use super::difference::{Word, hunks, words};
use super::nodes::{Node, NodeList, key, nodes_of};
use super::projection::projected;
use super::{Side, two_versions, version_of};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, count_tokens};
use std::collections::BTreeMap;
use std::ops::Range;

/// Stand in place of the names of the versions where these become one.
const CHOSEN: &str = "chosen_version";
const LEFT: &str = "left_version";

/// So many changes are undone on trial.
const MOST_CHANGES: usize = 64;

/// Texts with less of the difference, the smallest first: parts of it become common as they are in one of the versions.
/// Before these comes the same difference in a finer form, if there is one that is smaller. None has all of a
/// text's difference left out.
#[must_use]
pub fn narrowed(text: &str) -> Vec<String> {
    let parsed = Parsed::new(text);
    let Some(file) = parsed.file() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    add_places(&nodes_of(file, text), text, &mut places);
    let finer = (!places.is_empty()).then(|| finer(text)).flatten();
    let halves = std::iter::successors(Some(places.len() / 2), |size| Some(size / 2));
    let sizes = halves.take_while(|size| *size > 0);
    let parts = sizes.flat_map(|size| places.chunks(size));
    let joined = parts.flat_map(|part| {
        let sides = [Side::After, Side::Before];
        sides.map(|side| joined(text, part, side))
    });
    finer
        .into_iter()
        .chain(joined)
        .chain(undone(text))
        .collect()
}

/// Texts in which one change is undone wherever it was made: such as another type, of which no place can go alone.
fn undone(text: &str) -> Vec<String> {
    let [before, after] = Side::ALL.map(|side| version_of(text, side));
    let mut changes: BTreeMap<(&str, &str), Vec<Change>> = BTreeMap::new();
    for change in changes_of(&before, &after) {
        let words = (&before[change.0.clone()], &after[change.1.clone()]);
        changes.entry(words).or_default().push(change);
    }
    let is_all = changes.len() < 2;
    let changes = changes.values().filter(|_| !is_all).take(MOST_CHANGES);
    let both = changes.flat_map(|places| {
        let back = places.iter().map(|(b, a)| (a.clone(), &before[b.clone()]));
        let forth = places.iter().map(|(b, a)| (b.clone(), &after[a.clone()]));
        [
            two_versions(&before, &with_replaced(&after, back)),
            two_versions(&with_replaced(&before, forth), &after),
        ]
    });
    let is_smaller = |new: &String| count_tokens(new) < count_tokens(text);
    both.flatten().filter(is_smaller).collect()
}

/// The bytes of what is gone, and of what has come.
type Change = (Range<usize>, Range<usize>);

fn changes_of(before: &str, after: &str) -> Vec<Change> {
    let (words_before, words_after) = (words(before), words(after));
    let bytes = |words: &[Word], range: Range<usize>, text: &str| {
        let start = words
            .get(range.start)
            .map_or(text.len(), |word| word.range.start);
        match words[range].last() {
            Some(last) => start..last.range.end,
            None => start..start,
        }
    };
    let hunks = hunks(&words_before, &words_after).into_iter();
    hunks
        .map(|(b, a)| {
            (
                bytes(&words_before, b, before),
                bytes(&words_after, a, after),
            )
        })
        .collect()
}

fn finer(text: &str) -> Option<String> {
    let [before, after] = Side::ALL.map(|side| version_of(text, side));
    let finer = two_versions(&before, &after)?;
    (count_tokens(&finer) < count_tokens(text)).then_some(finer)
}

/// A place at which the versions differ: where the names of the versions stand in its attributes.
type Place = Vec<(Side, Range<usize>)>;

/// The text with these places as they are in one of the versions.
fn joined(text: &str, places: &[Place], side: Side) -> String {
    let names = places.iter().flatten().map(|(of, range)| {
        let name = if *of == side { CHOSEN } else { LEFT };
        (range.clone(), name)
    });
    projected(&with_replaced(text, names), CHOSEN, LEFT)
}

/// Neighbours that are in one version alone are one place.
fn add_places(list: &NodeList, text: &str, places: &mut Vec<Place>) {
    let mut place = Place::new();
    for node in &list.elements {
        match name_of_version(node, text) {
            Some(name) => place.push(name),
            None => {
                places.extend(non_empty(std::mem::take(&mut place)));
                let lists = node.lists.iter();
                lists.for_each(|inner| add_places(inner, text, places));
            }
        }
    }
    places.extend(non_empty(place));
}

fn non_empty(place: Place) -> Option<Place> {
    (!place.is_empty()).then_some(place)
}

/// Where the name of the version stands that an element is in alone, as it is written in its first attribute.
fn name_of_version(node: &Node, text: &str) -> Option<(Side, Range<usize>)> {
    let text = &text[node.range.clone()];
    let end = text.find(']').filter(|_| text.starts_with('#'))? + 1;
    let attribute = key(&text[..end]);
    let is_it = |side: &Side| attribute == key(&side.attribute());
    let side = Side::ALL.into_iter().find(is_it)?;
    let start = node.range.start + text.find(side.cfg())?;
    Some((side, start..start + side.cfg().len()))
}
