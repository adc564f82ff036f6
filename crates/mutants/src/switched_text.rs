//! Writes a file with switches around the code that mutants change, and remembers the place of each switch.
//!
//! Text is put in at byte positions and none goes but `&&` and `||`. There is no line break in it, so
//! lines stay where they are. Several switches may begin or end at one position: they nest.

use crate::changes::Switch;
use crate::mutant::{Mutant, MutantId};
use crate::runtime::{MODULE, MODULE_IN_MACROS};
use std::cmp::Reverse;
use std::ops::Range;

/// The words, such as `if`, that begin an expression which may be a statement without a semicolon.
const BLOCK_LIKE: [&str; 8] = [
    "async", "const", "for", "if", "loop", "match", "unsafe", "while",
];

/// A file's text with switches in it, and their places.
#[derive(Debug, Clone, Default)]
pub(crate) struct SwitchedText {
    pub(crate) text: String,
    /// The places of the mutants' switches, in the order in which they end.
    pub(crate) places: Vec<SwitchPlace>,
    /// For each stretch of the original text, the byte where it begins in the text with switches, and in the original.
    origins: Vec<(usize, usize)>,
}

/// The place of a mutant in a text with switches.
#[derive(Debug, Clone)]
pub(crate) struct SwitchPlace {
    pub(crate) id: MutantId,
    /// The bytes of the whole switch, with the original code.
    pub(crate) whole: Range<usize>,
    /// The bytes that are executed if the mutant is on; empty if that is no other text.
    pub(crate) other: Range<usize>,
}

/// The order of insertions at one position: ends, the inner ones first; then those that begin and end there; then
/// beginnings, the outer ones first; then those that replace text. Of two that span the same bytes, the first
/// mutant is the outer one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    End(Reverse<usize>, Reverse<usize>),
    Alone(usize),
    Begin(Reverse<usize>, usize),
    Middle,
}

/// A text that is put in at a position of the original.
struct Insertion {
    at: usize,
    order: Order,
    text: String,
    /// The number of bytes of the original that the inserted text replaces.
    n_replaced: usize,
    mutant: usize,
    /// The bytes of the inserted text that are executed if the mutant is on.
    other: Range<usize>,
}

impl SwitchedText {
    /// Puts the switches of `mutants` into `text`.
    pub(crate) fn new(text: &str, mutants: &[(&Mutant, &Switch)]) -> Self {
        let mut insertions: Vec<Insertion> = Vec::new();
        for idx in 0..mutants.len() {
            insertions.extend(insertions_of(mutants, idx));
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
            if matches!(insertion.order, Order::Begin(..) | Order::Alone(_)) {
                begins[insertion.mutant] = start;
            }
            if matches!(insertion.order, Order::End(..) | Order::Alone(_)) {
                result.places.push(SwitchPlace {
                    id: mutants[insertion.mutant].0.id,
                    whole: begins[insertion.mutant]..result.text.len(),
                    other: start + insertion.other.start..start + insertion.other.end,
                });
            }
        }
        result.keep(text, done..text.len());
        result
    }

    fn keep(&mut self, text: &str, range: Range<usize>) {
        self.origins.push((self.text.len(), range.start));
        self.text.push_str(&text[range]);
    }

    /// Inserts a text at a byte of the text with switches.
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

    /// Returns the byte of the original that a byte of the text with switches comes from, or the nearest one before.
    pub(crate) fn origin(&self, byte: usize) -> usize {
        let next = self.origins.partition_point(|&(here, _)| here <= byte);
        let stretch = |idx: usize| self.origins.get(idx).copied();
        let (here, there) = next.checked_sub(1).and_then(stretch).unwrap_or((0, 0));
        let end = stretch(next).map_or(usize::MAX, |(_, there)| there);
        (there + byte.saturating_sub(here)).min(end)
    }
}

/// The mutants that join conditions to the same one by the same operator. They have one switch, so that a condition is not
/// followed by a question for each of them.
struct JoinedGroup {
    first: MutantId,
    last: MutantId,
}

impl JoinedGroup {
    /// Finds the group of a mutant, whose members follow each other.
    fn around(mutants: &[(&Mutant, &Switch)], idx: usize) -> Self {
        let key = |idx: usize| {
            let (mutant, switch) = mutants[idx];
            match switch {
                Switch::Joined { is_and, .. } => Some((&mutant.range, *is_and)),
                _ => None,
            }
        };
        let is_member = |other: &usize| key(*other) == key(idx);
        let first = (0..idx).rev().take_while(is_member).last();
        let last = (idx..mutants.len()).take_while(is_member).last();
        let id = |found: Option<usize>| mutants[found.unwrap_or(idx)].0.id;
        Self {
            first: id(first),
            last: id(last),
        }
    }

    /// Returns the texts before the conditions, and before and after the one that a mutant joins: an arm of the switch, which begins
    /// and ends at the ends of the group. The last mutant of several is the innermost.
    fn texts(&self, id: MutantId, is_and: bool, module: &str) -> (&'static str, String, String) {
        let number = |id: MutantId| id.0 - self.first.0 + 1;
        let operator = if is_and { "&&" } else { "||" };
        let question = match id == self.last {
            true => {
                let (first, count) = (self.first, number(self.last));
                format!(") {operator} match {module}::among({first}, {count}) {{ ")
            }
            false => String::new(),
        };
        let before = format!("{question}{} => ", number(id));
        match id == self.first {
            true => ("((", before, format!(", _ => {is_and} }})")),
            false => ("", before, ", ".to_owned()),
        }
    }
}

/// Returns the texts that are inserted for one of these mutants.
fn insertions_of(mutants: &[(&Mutant, &Switch)], idx: usize) -> Vec<Insertion> {
    let (mutant, switch) = mutants[idx];
    let module = match mutant.is_in_macro {
        true => MODULE_IN_MACROS,
        false => MODULE,
    };
    let on = format!("{module}::on({})", mutant.id);
    let off = format!("{module}::off({})", mutant.id);
    let alone = |at, [before, other, after]: [&str; 3]| {
        vec![insertion(
            idx,
            at,
            Order::Alone(idx),
            [before, other, after],
        )]
    };
    let around = |begin: String, end: [&str; 3]| {
        let Range { start, end: last } = mutant.range;
        let begins = Order::Begin(Reverse(last), idx);
        let ends = Order::End(Reverse(start), Reverse(idx));
        vec![
            insertion(idx, start, begins, [&begin, "", ""]),
            insertion(idx, last, ends, end),
        ]
    };
    match switch {
        Switch::Instead(copy) => {
            let (open, close) = parentheses(&mutant.original);
            let (open_copy, close_copy) = parentheses(copy);
            let begin = format!("(if {off} {{ {open}");
            let middle = format!("{close} }} else {{ {open_copy}");
            around(begin, [&middle, copy, &format!("{close_copy} }})")])
        }
        Switch::Negated => around("(".to_owned(), [") != ", &on, ""]),
        Switch::Joined { is_and, condition } => {
            let group = JoinedGroup::around(mutants, idx);
            let (begin, before, after) = group.texts(mutant.id, *is_and, module);
            around(begin.to_owned(), [&before, condition, &after])
        }
        Switch::Skipped => around(format!("if {off} {{ "), [" }", "", ""]),
        Switch::Inserted => {
            let before = format!("if {on} {{ ");
            alone(mutant.range.start, [&before, &mutant.mutated, "} "])
        }
        Switch::Wrapped => around(format!("{{ if {on} {{ }} "), [" }", "", ""]),
        Switch::Otherwise(copy) => {
            let before = format!("if {on} {{ ");
            alone(mutant.range.start, [&before, copy, " } else "])
        }
        Switch::OtherLoop(copy) => around(format!("if {off} {{ "), [" } else { ", copy, " }"]),
        Switch::Unmatched(at) => alone(*at, [" if ", &off, ""]),
        Switch::Last { pattern_end, arm } => {
            let Range { start, end: last } = mutant.range;
            let begins = Order::Begin(Reverse(last), idx);
            let ends = Order::End(Reverse(start), Reverse(idx));
            let condition = format!(" if {off}");
            vec![
                insertion(idx, *pattern_end, begins, [&condition, "", ""]),
                insertion(idx, last, ends, [" ", arm, ""]),
            ]
        }
        Switch::Exchanged { token, is_and } => {
            let (relation, value) = if *is_and { ("!=", &on) } else { ("==", &off) };
            let middle = format!(") {relation} {on} {{ (");
            let mut all = around("(if (".to_owned(), [") } else { ", value, " })"]);
            all.push(Insertion {
                n_replaced: token.len(),
                ..insertion(idx, token.start, Order::Middle, [&middle, "", ""])
            });
            all
        }
    }
}

/// Returns the parentheses that an expression needs at the beginning of a block: one like `if a {} + b` would end after its
/// block.
fn parentheses(expression: &str) -> (&'static str, &'static str) {
    let is_part_of_word = |part: char| part.is_alphanumeric() || part == '_';
    let after_word = expression.trim_start_matches(is_part_of_word);
    let word = &expression[..expression.len() - after_word.len()];
    // A block may have a label.
    match expression.starts_with(['{', '\'']) || BLOCK_LIKE.contains(&word) {
        true => ("(", ")"),
        false => ("", ""),
    }
}

/// Makes an inserted text of three parts, of which the second one is executed if the mutant is on.
fn insertion(
    mutant: usize,
    at: usize,
    order: Order,
    [before, other, after]: [&str; 3],
) -> Insertion {
    Insertion {
        at,
        order,
        text: format!("{before}{other}{after}"),
        n_replaced: 0,
        mutant,
        other: before.len()..before.len() + other.len(),
    }
}

#[cfg(test)]
mod tests {
    use crate::instrument::{Options, instrument};
    use crate::reach::Reach;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;

    /// Compares the body of a function with switches, with their paths left out.
    #[track_caller]
    fn check(body: &str, expected: &str) {
        check_reaching(Reach::Plain, body, expected);
    }

    #[track_caller]
    fn check_reaching(reach: Reach, body: &str, expected: &str) {
        let text = format!("fn f() -> S {{ {body} }}");
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.as_str().into());
        let options = Options {
            reach,
            ..Options::default()
        };
        let instrumented = instrument(&sources, &options);
        let root = instrumented.sources().root();
        let switched = &instrumented.texts[&root];
        let (crate_text, _module) = switched.text.split_once("\nmod ").unwrap();
        let (_, function) = crate_text.split_once("fn f() -> S { ").unwrap();
        let function = function.replace("crate::__reduce_mutants::", "");
        assert_eq!(function, format!("{expected} }}"));
        let begins = switched.text.find("fn f").unwrap();
        assert_eq!(
            switched.origin(begins),
            0,
            "what is before the first item is not of it"
        );
        let ends = switched.text.find("\nmod").unwrap() - 1;
        assert_eq!(switched.origin(ends), text.len() - 1);
    }

    #[test]
    fn what_begins_like_a_block_stands_in_parentheses() {
        check(
            "a(unsafe { b() } == c)",
            "if on(1) { } a((if off(2) { (unsafe { b() } == c) } else { (unsafe { b() } != c) }))",
        );
        check(
            "a(unsafely == c)",
            "a((if off(1) { unsafely == c } else { unsafely != c }))",
        );
    }

    #[test]
    fn switches_nest() {
        check("a == b", "(if off(1) { a == b } else { a != b })");
        check(
            "a<b",
            "(if off(1) { (if off(2) { a<b } else { a>b }) } else { a<=b })",
        );
        check(
            "a + b * c",
            "(if off(1) { a + (if off(2) { b * c } else { b / c }) } else { a - b * c })",
        );
        check(
            "a.b(c && d == e); S",
            "if on(1) { } if off(2) { a.b((if (c ) != on(3) { ( (if off(4) { d == e } else { d != e })) } else { on(3) })); } S",
        );
        check(
            "if a || b { c } else { d }",
            "if on(1) { } if ((if (a ) == on(3) { ( b) } else { off(3) })) != on(2) { c } else { d }",
        );
        check(
            "match a { B => c, _ => d }",
            "if on(1) { } match a { B if off(2) => c, _ => d }",
        );
        check_reaching(
            Reach::Constant,
            "match a { B(_) => c, B(0) => { d } B(E) => { g } }",
            "if on(1) { } match a { B(_) if off(2) => c, B(0) => { d } B(E) => { g } B(_) => c, }",
        );
    }

    #[test]
    fn a_copy_stands_in_one_line() {
        check(
            "a\n// b\n+ c(d)",
            "(if off(1) { a\n// b\n+ c(d) } else { a - c ( d ) })",
        );
    }
}
