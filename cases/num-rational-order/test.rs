//! Musical intervals as ratios of frequencies.

use num_integer::Integer;
use num_rational::Ratio;
use std::cmp::Ordering;
use std::fmt::Debug;

const TONIC: (i64, i64) = (1, 1);

struct Case {
    name: &'static str,
    lower: (i64, i64),
    higher: (i64, i64),
    expected: Ordering,
}

impl Case {
    const fn less(name: &'static str, lower: (i64, i64), higher: (i64, i64)) -> Self {
        Case {
            name,
            lower,
            higher,
            expected: Ordering::Less,
        }
    }
}

fn interval<T: Clone + Integer>(pair: (T, T)) -> Ratio<T> {
    Ratio::new(pair.0, pair.1)
}

/// Brings an interval into one octave.
fn folded<T: Clone + Integer + Debug>(mut ratio: Ratio<T>) -> Ratio<T> {
    let one = T::one();
    let two = one.clone() + one.clone();
    let octave = Ratio::from_integer(two);
    while ratio >= octave {
        ratio = ratio / octave.clone();
    }
    while ratio < Ratio::from_integer(one.clone()) {
        ratio = ratio * octave.clone();
    }
    ratio
}

fn fifths(count: usize) -> Ratio<i64> {
    (0..count).fold(interval(TONIC), |ratio, _| ratio * interval((3, 2)))
}

#[test]
fn stacked_fifths_are_folded_into_an_octave() {
    assert_eq!(folded(fifths(0)), interval((1, 1)));
    assert_eq!(folded(fifths(2)), interval((9, 8)));
    assert_eq!(folded(fifths(4)), interval((81, 64)));
}

#[test]
fn intervals_are_ordered_by_size() {
    let cases = [
        Case::less("unison and octave", TONIC, (2, 1)),
        Case::less("tonic and comma", TONIC, (81, 80)),
        Case::less("fourth and fifth, an octave apart", (4, 3), (3, 1)),
        Case {
            name: "a fifth and itself",
            lower: (3, 2),
            higher: (6, 4),
            expected: Ordering::Equal,
        },
        Case {
            name: "octave and seventh",
            lower: (2, 1),
            higher: (15, 8),
            expected: Ordering::Greater,
        },
        Case::less("minor and major third", (6, 5), (5, 4)),
        Case::less("tritone and fifth", (45, 32), (3, 2)),
        Case::less("minor and major sixth", (8, 5), (5, 3)),
    ];
    for case in cases {
        let lower = interval(case.lower);
        let higher = interval(case.higher);
        assert_eq!(lower.cmp(&higher), case.expected, "{}", case.name);
        assert_eq!(higher.cmp(&lower), case.expected.reverse(), "{}", case.name);
    }
}

#[test]
fn a_comma_is_what_twelve_fifths_and_seven_octaves_differ_in() {
    let comma = fifths(12) / interval((128, 1));
    assert_eq!(comma, interval((531_441, 524_288)));
    assert!(comma > interval(TONIC));
}
