//! Texts with less of the difference between their two versions.

use super::nodes::{Node, NodeList, key, nodes_of};
use super::projection::projected;
use super::{Side, two_versions, version_of};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, count_tokens};
use std::ops::Range;

/// Stand in place of the names of the versions where these become one.
const CHOSEN: &str = "chosen_version";
const LEFT: &str = "left_version";

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
    finer.into_iter().chain(joined).collect()
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
