//! Makes texts in which the difference between two versions is smaller.

use super::difference::{Word, hunks, words};
use super::nodes::{Node, NodeList, key, nodes_of};
use super::projection::projected;
use super::{Side, two_versions, version_of};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, count_tokens, names};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The name for the version that is chosen at a place where the versions are to become equal.
const CHOSEN: &str = "chosen_version";
const LEFT: &str = "left_version";

/// The most changes that are tried to be undone.
const MOST_CHANGES: usize = 64;

/// Returns texts whose two versions differ less, the smallest differences first: parts of the difference become common, as they
/// are in one of the versions. Before these comes the same difference in a finer form, if there is one that is smaller. None has
/// all of a text's difference left out.
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
    let parts = parts.map(|part| part.iter().collect());
    let parts: Vec<Vec<&Place>> = parts.chain(sharing_a_name(&places, text)).collect();
    let joined = parts.iter().flat_map(|part| {
        let sides = [Side::After, Side::Before];
        sides.map(|side| joined(text, part, side))
    });
    finer
        .into_iter()
        .chain(joined)
        .chain(undone(text))
        .collect()
}

/// Returns the first byte, behind its attribute, of each element that is in one version alone.
#[must_use]
pub fn places_of_difference(text: &str) -> Vec<usize> {
    let parsed = Parsed::new(text);
    let Some(file) = parsed.file() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    add_places(&nodes_of(file, text), text, &mut places);
    let starts = places.iter().flatten().map(|part| {
        let element = &text[part.element.clone()];
        part.element.start + element.len() - element.trim_start().len()
    });
    starts.collect()
}

/// Returns texts in which one change is undone in all places where it was made: such as a changed type, which has to be equal in
/// all places.
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
        let apart = |words: &str| format!(" {words} ");
        let back = places.iter();
        let back = back.map(|(b, a)| (a.clone(), apart(&before[b.clone()])));
        let forth = places.iter();
        let forth = forth.map(|(b, a)| (b.clone(), apart(&after[a.clone()])));
        [
            two_versions(&before, &with_replaced(&after, back)),
            two_versions(&with_replaced(&before, forth), &after),
        ]
    });
    let is_smaller = |new: &String| count_tokens(new) < count_tokens(text);
    both.flatten().filter(is_smaller).collect()
}

/// The bytes that only the first version has, and those that only the second has in their place.
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

/// A place at which the versions differ: an element of one version, with the corresponding one of the other version if there is
/// one.
type Place = Vec<Part>;

/// An element that is in one version alone.
#[derive(Clone)]
struct Part {
    side: Side,
    /// The bytes of the element after its first attribute, `#[cfg(before)]` or `#[cfg(after)]`.
    element: Range<usize>,
    /// The bytes of the version's name in that attribute.
    name: Range<usize>,
}

/// Makes the versions equal at these places, as they are in `side`.
fn joined(text: &str, places: &[&Place], side: Side) -> String {
    let names = places.iter().copied().flatten().map(|part| {
        let name = if part.side == side { CHOSEN } else { LEFT };
        (part.name.clone(), name)
    });
    projected(&with_replaced(text, names), CHOSEN, LEFT)
}

/// Groups the places that mention the same name, such as a field and the code that sets it: some can only become common together.
fn sharing_a_name<'p>(places: &'p [Place], text: &str) -> Vec<Vec<&'p Place>> {
    let mut of_names: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (idx, place) in places.iter().enumerate() {
        for part in place {
            for name in names(&text[part.element.clone()]) {
                of_names.entry(name).or_default().insert(idx);
            }
        }
    }
    let several = of_names.into_values();
    let several: BTreeSet<_> = several
        .filter(|of_name| of_name.len() > 1 && of_name.len() < places.len())
        .collect();
    let several = several.into_iter().take(MOST_CHANGES);
    several
        .map(|of_name| of_name.into_iter().map(|idx| &places[idx]).collect())
        .collect()
}

fn add_places(list: &NodeList, text: &str, places: &mut Vec<Place>) {
    let mut neighbours = Vec::new();
    for node in &list.elements {
        match part_of_version(node, text) {
            Some(part) => neighbours.push(part),
            None => {
                places.extend(paired(&std::mem::take(&mut neighbours), text));
                let lists = node.lists.iter();
                lists.for_each(|inner| add_places(inner, text, places));
            }
        }
    }
    places.extend(paired(&neighbours, text));
}

/// Pairs neighbouring elements of one version with those of the other: each with the one that begins with most of the same words.
/// Where there is one of each, they belong together.
fn paired(neighbours: &[Part], text: &str) -> Vec<Place> {
    let of_side = |side: Side| neighbours.iter().filter(move |part| part.side == side);
    let mut after: Vec<&Part> = of_side(Side::After).collect();
    let are_two = after.len() == 1 && of_side(Side::Before).count() == 1;
    let mut places = Vec::new();
    for part in of_side(Side::Before) {
        let likeness = |other: &Part| {
            let [one, other] = [part, other].map(|one| words(&text[one.element.clone()]));
            let pairs = one.iter().zip(&other);
            pairs
                .take_while(|(one, other)| one.text == other.text)
                .count()
        };
        let most = after.iter().enumerate().rev();
        let most = most
            .map(|(idx, other)| (likeness(other), idx))
            .max_by_key(|one| one.0);
        let partner = most.filter(|(likeness, _)| *likeness > 0 || are_two);
        let partner = partner.map(|(_, idx)| after.remove(idx).clone());
        places.push(std::iter::once(part.clone()).chain(partner).collect());
    }
    places.extend(after.into_iter().map(|part| vec![part.clone()]));
    places
}

/// Reads an element whose first attribute says that it is in one version alone.
fn part_of_version(node: &Node, text: &str) -> Option<Part> {
    let whole = &text[node.range.clone()];
    let end = whole.find(']').filter(|_| whole.starts_with('#'))? + 1;
    let attribute = key(&whole[..end]);
    let is_it = |side: &Side| attribute == key(&side.attribute());
    let side = Side::ALL.into_iter().find(is_it)?;
    let start = node.range.start + whole.find(side.cfg())?;
    Some(Part {
        side,
        element: node.range.start + end..node.range.end,
        name: start..start + side.cfg().len(),
    })
}
