//! Aligns two lists: finds the elements that stand for each other, in the same order.

use std::collections::BTreeMap;

/// The most places by which the positions of two matched elements may differ, counted among elements equal to them.
const WINDOW: usize = 64;

/// Returns for each element of `left` the index of an equal one in `right`. The indices increase, and
/// as many elements as can be have one.
pub(super) fn align(left: &[String], right: &[String]) -> Vec<Option<usize>> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, key) in right.iter().enumerate() {
        places.entry(key).or_default().push(index);
    }
    let mut pairs = Vec::new();
    let mut n_seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, key) in left.iter().enumerate() {
        let nth = n_seen.entry(key).or_default();
        let near = nth.saturating_sub(WINDOW)..nth.saturating_add(WINDOW);
        let places = places.get(key.as_str()).map_or(&[][..], Vec::as_slice);
        let near = near.start.min(places.len())..near.end.min(places.len());
        pairs.extend(places[near].iter().rev().map(|&place| (index, place)));
        *nth += 1;
    }
    let mut aligned = vec![None; left.len()];
    for (index, place) in longest_increasing(&pairs) {
        if let Some(slot) = aligned.get_mut(index) {
            *slot = Some(place);
        }
    }
    aligned
}

/// Returns the longest part of `pairs` in which the second number increases. Pairs with one first number stand in falling order
/// of their second, so that no two of them are part of it.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair that ends such a part with the least second number; and for each pair
    // the one before it.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, place)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&(end, _)| end < place);
        before.push(length.checked_sub(1).map(|last| ends[last].1));
        match ends.get_mut(length) {
            Some(end) => *end = (place, at),
            None => ends.push((place, at)),
        }
    }
    let last = ends.last().map(|&(_, at)| at);
    let chain = std::iter::successors(last, |&at| before[at]);
    let mut chain: Vec<_> = chain.map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, expected: &[Option<usize>]) {
        let keys = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(align(&keys(left), &keys(right)), expected);
    }

    #[test]
    fn equal_elements_are_matched_in_order() {
        check("abc", "axbyc", &[Some(0), Some(2), Some(4)]);
        check("aa", "axa", &[Some(0), Some(2)]);
        check("", "a", &[]);
    }

    #[test]
    fn many_equal_elements_take_little_time() {
        let many = "a".repeat(20_000);
        let expected: Vec<_> = (0..many.len()).map(Some).collect();
        check(&many, &many, &expected);
    }

    #[test]
    fn one_that_stands_elsewhere_does_not_hinder_the_others() {
        check("cab", "abc", &[None, Some(0), Some(1)]);
        check("abca", "bca", &[None, Some(0), Some(1), Some(2)]);
    }
}
