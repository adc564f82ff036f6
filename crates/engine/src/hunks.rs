//! The comparison of two texts, which finds the places where they differ. Most candidates have less
//! text than what they were made of, so that a shorter way than a least difference serves: after a
//! difference, both texts are taken up again where the same words follow in both for long, and so
//! early that little has to be inserted.

use std::collections::HashMap;
use std::ops::Range;

/// The number of equal words that have to follow a difference before it counts as ended.
const WINDOW: usize = 5;
/// The number of equal words that is enough to say that a difference has ended.
const LONG_RUN: usize = 40;
/// The largest number of places in the first text that are looked at for each word of the second.
const MOST_PLACES: usize = 8;
/// The number of removed words that count as much as an inserted word, or as a word by which a run
/// of equal words is shorter than `LONG_RUN`.
const PRICE_OF_WORD: usize = 4;

/// The number of common bytes that are looked at on each side of the differing part; all others are
/// skipped.
const CONTEXT: usize = 1_000;

/// The words after which a new element of a program begins.
const OPENING: [&str; 6] = ["}", ";", "{", "(", "[", ","];

/// A difference of two texts: a range of bytes of the first that goes, and one of the second that
/// comes in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) removed: Range<usize>,
    pub(crate) inserted: Range<usize>,
}

/// Finds the differences of two texts, in order.
pub(crate) fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    if before.is_empty() || after.is_empty() {
        let whole = Hunk {
            removed: 0..before.len(),
            inserted: 0..after.len(),
        };
        return Vec::from_iter((before != after).then_some(whole));
    }
    let (first, n_left_out) = same_at_both_ends(before, after);
    let middle = |text: &'_ str| first..text.len() - n_left_out;
    let (before, after) = (words(&before[middle(before)]), words(&after[middle(after)]));
    let comparison = Comparison::new(&before, &after);
    let offsets = (offsets(&before), offsets(&after));
    let bytes = |offsets: &[usize], range: Range<usize>| {
        first + offsets[range.start]..first + offsets[range.end]
    };
    let differences = comparison.differences().into_iter();
    let hunks = differences.map(|(removed, inserted)| Hunk {
        removed: bytes(&offsets.0, removed),
        inserted: bytes(&offsets.1, inserted),
    });
    hunks.collect()
}

/// Counts the bytes at the beginnings and at the ends of two texts that are equal and need not be
/// compared: most steps change a few places of a long text. Whole lines are left out.
fn same_at_both_ends(before: &str, after: &str) -> (usize, usize) {
    let same = |pairs: &mut dyn Iterator<Item = (u8, u8)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let at_begin = same(&mut before.bytes().zip(after.bytes()));
    let n_left = before.len().min(after.len()) - at_begin;
    let at_end = same(&mut before.bytes().rev().zip(after.bytes().rev()).take(n_left));
    let begin = &before.as_bytes()[..at_begin.saturating_sub(CONTEXT)];
    let first = begin.iter().rposition(|byte| *byte == b'\n');
    let end = before.len() - at_end.saturating_sub(CONTEXT);
    let last = before.as_bytes()[end..]
        .iter()
        .position(|byte| *byte == b'\n');
    (
        first.map_or(0, |at| at + 1),
        last.map_or(0, |at| before.len() - (end + at + 1)),
    )
}

/// Splits a text into words: names and numbers, white space, and each other character by itself.
fn words(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 'a',
        c if c.is_whitespace() => ' ',
        c => c,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_run = matches!(class(first), 'a' | ' ');
        let end = match is_run {
            true => rest.find(|c| class(c) != class(first)),
            false => Some(first.len_utf8()),
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = after;
    }
    words
}

/// Returns the offset at which each word begins, and that at which the last one ends.
fn offsets(words: &[&str]) -> Vec<usize> {
    let ends = words.iter().scan(0, |end, word| {
        *end += word.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Two texts as words, with an index of the first one.
struct Comparison<'t> {
    before: &'t [&'t str],
    after: &'t [&'t str],
    /// The places in the first text of each sequence of words, ascending.
    windows: HashMap<&'t [&'t str], Vec<usize>>,
    /// The number of words at the end that are the same in both texts.
    n_same_at_end: usize,
}

/// A difference as a range of words of each text.
type Difference = (Range<usize>, Range<usize>);

impl<'t> Comparison<'t> {
    fn new(before: &'t [&'t str], after: &'t [&'t str]) -> Self {
        let pairs = before.iter().rev().zip(after.iter().rev());
        let mut windows: HashMap<&[&str], Vec<usize>> = HashMap::new();
        for (at, window) in before.windows(WINDOW).enumerate() {
            windows.entry(window).or_default().push(at);
        }
        Self {
            before,
            after,
            windows,
            n_same_at_end: pairs.take_while(|(one, other)| one == other).count(),
        }
    }

    fn differences(&self) -> Vec<Difference> {
        let mut differences = Vec::new();
        let (mut here, mut there) = (0, 0);
        loop {
            let pairs = self.before[here..].iter().zip(&self.after[there..]);
            let n_same = pairs.take_while(|(one, other)| one == other).count();
            (here, there) = (here + n_same, there + n_same);
            if here == self.before.len() && there == self.after.len() {
                return differences;
            }
            let next = self.meeting(here, there);
            let difference = (here..next.0, there..next.1);
            differences.push(self.moved_to_a_border(difference, n_same));
            (here, there) = next;
        }
    }

    /// Finds the next places after a difference from which both texts go on with the same words.
    fn meeting(&self, here: usize, there: usize) -> (usize, usize) {
        let mut best = self.end_of_both(here, there);
        let mut lowest = usize::MAX;
        for at in there..self.after.len() {
            let n_inserted = at - there;
            if n_inserted * PRICE_OF_WORD >= lowest {
                break;
            }
            for place in self.places(here, at) {
                let n_missing = LONG_RUN - self.run(place, at).min(LONG_RUN);
                let price = place - here + (n_inserted + n_missing) * PRICE_OF_WORD;
                if price < lowest {
                    (best, lowest) = ((place, at), price);
                }
            }
        }
        best
    }

    /// Returns the places in the first text, from `here` on, where the words at `at` of the second
    /// one stand.
    fn places(&self, here: usize, at: usize) -> impl Iterator<Item = usize> + '_ {
        let window = self.after.get(at..at + WINDOW);
        let places = window.and_then(|window| self.windows.get(window));
        let places = places.map_or(&[][..], Vec::as_slice);
        let next = places.partition_point(|place| *place < here);
        places[next..].iter().copied().take(MOST_PLACES)
    }

    /// Counts the equal words from two places on; `LONG_RUN` where both texts end with them.
    fn run(&self, here: usize, there: usize) -> usize {
        let (before, after) = (&self.before[here..], &self.after[there..]);
        let pairs = before.iter().zip(after).take(LONG_RUN);
        let n_same = pairs.take_while(|(one, other)| one == other).count();
        match n_same == before.len() && n_same == after.len() {
            true => LONG_RUN,
            false => n_same,
        }
    }

    /// Returns where the common end of both texts begins, not before the given places.
    fn end_of_both(&self, here: usize, there: usize) -> (usize, usize) {
        let (n_before, n_after) = (self.before.len(), self.after.len());
        let n_left = (n_before - here).min(n_after - there);
        let n_same = self.n_same_at_end.min(n_left);
        (n_before - n_same, n_after - n_same)
    }

    /// Moves a deletion so that it begins where a person would say so: of `fn a() {} fn b() {}` as
    /// either is gone, it is not `a() {} fn ` that goes. So many words before it are the same in both.
    fn moved_to_a_border(&self, difference: Difference, n_same: usize) -> Difference {
        let (removed, inserted) = difference;
        if !inserted.is_empty() {
            return (removed, inserted);
        }
        let can_move =
            |by: &usize| self.before[removed.end - by] == self.before[removed.start - by];
        let most = (1..=n_same).take_while(can_move).count();
        let by = (0..=most)
            .max_by_key(|by| (self.border(removed.start - by), usize::MAX - by))
            .unwrap_or(0);
        (
            removed.start - by..removed.end - by,
            inserted.start - by..inserted.end - by,
        )
    }

    /// Rates a place in the first text by how clearly a new element of a program begins there.
    fn border(&self, at: usize) -> u8 {
        let is_space = |word: &&&str| word.trim().is_empty();
        let mut before = self.before[..at].iter().rev();
        let last = before.next();
        match (self.before.get(at), last) {
            (Some(here), _) if is_space(&here) => 0,
            (_, None) => 3,
            (_, Some(space)) if space.contains('\n') => 3,
            (_, Some(last)) if OPENING.contains(last) => 2,
            (_, Some(space)) if is_space(&space) => {
                1 + u8::from(before.next().is_some_and(|word| OPENING.contains(word)))
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the removed and the inserted text of each difference.
    #[track_caller]
    fn check(before: &str, after: &str, expected: &[(&str, &str)]) {
        let hunks = hunks(before, after);
        let texts = hunks
            .iter()
            .map(|hunk| (&before[hunk.removed.clone()], &after[hunk.inserted.clone()]));
        assert_eq!(texts.collect::<Vec<_>>(), expected);
        assert_eq!(applied(before, after, &hunks), after);
    }

    /// Makes the changes in the first text.
    fn applied(before: &str, after: &str, hunks: &[Hunk]) -> String {
        let mut text = String::new();
        let mut at = 0;
        for hunk in hunks {
            text += &before[at..hunk.removed.start];
            text += &after[hunk.inserted.clone()];
            at = hunk.removed.end;
        }
        text + &before[at..]
    }

    #[test]
    fn a_deleted_item_is_the_item() {
        let program = "fn a() {}\nfn b() {}\nfn c() {}\n";
        check(program, "fn a() {}\nfn c() {}\n", &[("fn b() {}\n", "")]);
        check(program, "fn b() {}\nfn c() {}\n", &[("fn a() {}\n", "")]);
    }

    #[test]
    fn a_text_that_comes_or_goes_is_one_change() {
        check("", "fn a() {}", &[("", "fn a() {}")]);
        check("fn a() {}", "", &[("fn a() {}", "")]);
        check("", "", &[]);
    }

    #[test]
    fn several_places_are_told_apart() {
        let program = "fn a(x: u8) { one(); } fn b(y: u8) { two(); three(); } fn c() {}";
        check(
            program,
            "fn a(x: u8) { } fn b(y: u8) { two(); three(); loop {} } fn c() {}",
            &[("one(); ", ""), ("", "loop {} ")],
        );
    }

    #[test]
    fn a_replacement_is_no_deletion_up_to_the_next_place_that_looks_alike() {
        let other = "fn x() { loop {} }\n".repeat(3);
        let before = format!("fn f() {{ g(1) }}\n{other}");
        let after = format!("fn f() {{ loop {{}} }}\n{other}");
        check(&before, &after, &[("g(1)", "loop {}")]);
    }

    #[test]
    fn a_change_in_a_long_text_has_its_place_in_it() {
        let rest = |from: usize| {
            let items = (from..from + 1_000).map(|number| format!("fn f{number}() {{ é() }}\n"));
            items.collect::<String>()
        };
        let before = format!("{}fn a() {{}}\nfn b() {{}}\n{}", rest(0), rest(1_000));
        let after = before.replace("fn b() {}\n", "");
        check(&before, &after, &[("fn b() {}\n", "")]);
        check(&before, &before, &[]);
        let (first, n_left_out) = same_at_both_ends(&before, &after);
        assert!(before.len() - first - n_left_out < 3 * CONTEXT);
    }

    #[test]
    fn the_changes_lead_from_one_text_to_the_other() {
        let words = ["fn ", "a", "(", ") ", "{", "}", "\n", "é", "x; "];
        let mut seed = 7u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize
        };
        for _ in 0..500 {
            let length = random() % 60;
            let before: Vec<&str> = (0..length).map(|_| words[random() % words.len()]).collect();
            let mut after = before.clone();
            after.retain(|_| random() % 4 > 0);
            if random() % 2 == 0 {
                after.insert(random() % (after.len() + 1), "loop {}");
            }
            let (before, after) = (before.concat(), after.concat());
            assert_eq!(applied(&before, &after, &hunks(&before, &after)), after);
        }
    }
}
