//! Finds the elements of two lists that belong to each other: a longest common subsequence, by the greedy algorithm
//! of Myers (An O(ND) Difference Algorithm and Its Variations, 1986, section 3).

use reduce_syntax::poll_interruption;

/// The most elements of the two lists without a partner with which the search goes on. Where there are more, only the ends have
/// something in common.
const MOST_APART: usize = 4096;

/// Returns the pairs of indices of a longest common subsequence of two lists, in ascending order. `None` belongs to nothing.
pub(super) fn aligned<K: PartialEq>(
    before: &[Option<K>],
    after: &[Option<K>],
) -> Vec<(usize, usize)> {
    let is_same = |b: usize, a: usize| before[b].is_some() && before[b] == after[a];
    let shortest = before.len().min(after.len());
    let start = (0..shortest).take_while(|&idx| is_same(idx, idx)).count();
    let from_end = |idx: usize| (before.len() - 1 - idx, after.len() - 1 - idx);
    let end = (0..shortest - start).take_while(|&idx| {
        let (b, a) = from_end(idx);
        is_same(b, a)
    });
    let end = end.count();
    let lengths = (before.len() - start - end, after.len() - start - end);
    let middle = common(lengths, &|b, a| is_same(start + b, start + a));
    let middle = middle.into_iter().map(|(b, a)| (start + b, start + a));
    let ends = (0..end).rev().map(from_end);
    (0..start)
        .map(|idx| (idx, idx))
        .chain(middle)
        .chain(ends)
        .collect()
}

/// For each diagonal (a difference of the two indices), the number of elements of the first list that are covered.
struct Reached {
    /// The number of covered elements of each diagonal; the first entry is that of the lowest diagonal.
    before: Vec<usize>,
    lowest: isize,
}

impl Reached {
    fn at(&self, diagonal: isize) -> Option<usize> {
        let idx = usize::try_from(diagonal - self.lowest).ok()?;
        self.before.get(idx).copied()
    }
}

fn common(
    (n_before, n_after): (usize, usize),
    is_same: &dyn Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut steps: Vec<Reached> = Vec::new();
    for n_apart in 0..=MOST_APART.min(n_before + n_after) {
        let lowest = -isize::try_from(n_apart).expect("it is bounded");
        let mut reached = Reached {
            before: vec![0; 2 * n_apart + 1],
            lowest,
        };
        poll_interruption();
        for (idx, place) in reached.before.iter_mut().enumerate().step_by(2) {
            let diagonal = lowest + isize::try_from(idx).expect("it is bounded");
            let (_, from) = previous(steps.last(), diagonal);
            let Some(mut a) = from.checked_add_signed(-diagonal) else {
                continue;
            };
            let mut b = from;
            while b < n_before && a < n_after && is_same(b, a) {
                (b, a) = (b + 1, a + 1);
            }
            *place = b;
            if b >= n_before && a >= n_after {
                return traced(&steps, (n_before, n_after));
            }
        }
        steps.push(reached);
    }
    Vec::new()
}

/// Returns the diagonal from which a further step comes to the given one, and how much of the first list is covered after it.
fn previous(before: Option<&Reached>, diagonal: isize) -> (isize, usize) {
    let Some(before) = before else {
        return (diagonal, 0);
    };
    let (below, above) = (before.at(diagonal - 1), before.at(diagonal + 1));
    match (below, above) {
        (Some(below), above) if above.is_none_or(|above| below >= above) => {
            (diagonal - 1, below + 1)
        }
        (_, above) => (diagonal + 1, above.unwrap_or(0)),
    }
}

/// Returns the matched pairs on the way to the ends of both lists.
fn traced(steps: &[Reached], (mut b, mut a): (usize, usize)) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for n_apart in (0..=steps.len()).rev() {
        let diagonal = signed(b) - signed(a);
        let last = n_apart.checked_sub(1).map(|idx| &steps[idx]);
        let (from, start) = previous(last, diagonal);
        while b > start {
            (b, a) = (b - 1, a - 1);
            pairs.push((b, a));
        }
        if last.is_some() {
            b = if from < diagonal { start - 1 } else { start };
            a = usize::try_from(signed(b) - from).expect("the way is within both lists");
        }
    }
    pairs.reverse();
    pairs
}

fn signed(idx: usize) -> isize {
    isize::try_from(idx).expect("a list is in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &str) {
        let keys = |text: &str| -> Vec<Option<char>> {
            let one = |letter| (letter != '.').then_some(letter);
            text.chars().map(one).collect()
        };
        let pairs = aligned(&keys(before), &keys(after));
        let letters = pairs.iter().map(|&(b, a)| {
            assert_eq!(before.chars().nth(b), after.chars().nth(a));
            before.chars().nth(b).unwrap()
        });
        assert_eq!(letters.collect::<String>(), expected);
        assert!(pairs.is_sorted());
    }

    #[test]
    fn the_longest_common_part_is_found() {
        check("abc", "abc", "abc");
        check("axbyc", "abzc", "abc");
        check("abcd", "cdab", "cd");
        check("aaba", "aa", "aa");
        check("", "a", "");
        check("ab", "", "");
    }

    #[test]
    fn it_is_as_long_as_the_table_of_all_lengths_says() {
        let words = [
            "",
            "a",
            "ab",
            "abcab",
            "bca",
            "cabbac",
            "aabbcc",
            "bbaacb",
            "cccab",
            "abacabadab",
        ];
        for before in words {
            for after in words {
                let keys = |text: &str| text.chars().map(Some).collect::<Vec<_>>();
                let pairs = aligned(&keys(before), &keys(after));
                let (b, a): (Vec<char>, Vec<char>) =
                    (before.chars().collect(), after.chars().collect());
                assert!(pairs.iter().all(|&(x, y)| b[x] == a[y]), "{before} {after}");
                assert!(
                    pairs
                        .windows(2)
                        .all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1)
                );
                assert_eq!(pairs.len(), longest(&b, &a), "{before} {after}");
            }
        }
    }

    fn longest(before: &[char], after: &[char]) -> usize {
        match (before, after) {
            ([b, before @ ..], [a, after @ ..]) if b == a => 1 + longest(before, after),
            ([_, fewer @ ..], [_, less @ ..]) => longest(fewer, after).max(longest(before, less)),
            _ => 0,
        }
    }

    #[test]
    fn what_has_no_key_belongs_to_nothing() {
        check("a.b", "a.b", "ab");
        check("..", "..", "");
    }
}
