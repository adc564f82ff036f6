//! Finds the runs of token trees that syn does not understand.

use super::repair::{Form, Repair, range, repaired, repaired_around};
use crate::builder::ends_a_chunk;
use crate::interruption::poll_interruption;
use crate::token_trees::is_punct;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Item};

/// The largest number of token trees between the beginning of a repaired run and the place of the error; `MOST_AFTER` is
/// that between the error and its end.
const MOST_BEFORE: usize = 8;
const MOST_AFTER: usize = 12;
/// The largest number of chunks before the one with the error that a macro call may replace with it; `CHUNKS_AFTER` is
/// that behind it.
const CHUNKS_BEFORE: usize = 3;
const CHUNKS_AFTER: usize = 3;
/// The number of token trees behind the chunk with an error that are looked at.
const LOOK_AHEAD: usize = 24;

/// The number of token trees after an error that may be an extra word.
const EXTRA_AFTER: usize = 3;

/// Words that stand beside syntax that is the same without them.
const MODIFIERS: [&str; 18] = [
    "async", "auto", "await", "box", "const", "default", "final", "gen", "move", "pin", "pub",
    "raw", "safe", "static", "super", "type", "unsafe", "use",
];
/// Words by which the kind of syntax that they begin is known, so that a token before one of them may be left out.
const BEGINNINGS: [&str; 26] = [
    "async", "break", "const", "dyn", "enum", "extern", "fn", "for", "if", "impl", "let", "loop",
    "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "type",
    "unsafe", "use", "while",
];

/// Returns changes of a file, of these forms, by which syn understands it. `None` if it is more than `at_most`, or cannot
/// be found.
pub(super) fn repairs(trees: &[TokenTree], forms: &[Form], at_most: usize) -> Option<Vec<Repair>> {
    let mut repairs: Vec<Repair> = Vec::new();
    let mut first = 0;
    let mut known = 0;
    loop {
        let error = match first_error(repaired(&trees[first..], &repairs), first == 0) {
            Outcome::Parsed => return Some(repairs),
            Outcome::Failed { item, error } => {
                // An item that syn understands is not looked at again.
                let begun = trees.iter().position(|tree| range(tree).end > item);
                first = begun.filter(|idx| *idx > first).unwrap_or(first);
                error.unwrap_or(usize::MAX)
            }
        };
        let search = Search::new(trees, first, error, forms, &repairs);
        let found = search.smallest()?;
        // Each of them brings the first error farther, unless it covers others.
        known += usize::from(found.form.is_change());
        if known > 2 * at_most {
            return None;
        }
        repairs.retain(|one: &Repair| !covers(&found.range, &one.range));
        repairs.push(found);
        if repairs.iter().filter(|one| one.form.is_change()).count() > at_most {
            return None;
        }
    }
}

fn covers(range: &Range<usize>, other: &Range<usize>) -> bool {
    range.start <= other.start && other.end <= range.end
}

/// The outcome of parsing some items with syn.
enum Outcome {
    Parsed,
    Failed {
        /// The first byte of the item that syn does not understand.
        item: usize,
        /// The byte at which syn fails, unless it fails at the end of the text.
        error: Option<usize>,
    },
}

/// Parses items with syn until one has an error.
fn first_error(tokens: TokenStream, is_file: bool) -> Outcome {
    let mut outcome = Outcome::Parsed;
    let read = |input: ParseStream<'_>| {
        outcome = items(input, is_file);
        input.parse::<TokenStream>()
    };
    let all = read.parse2(tokens);
    match (outcome, all) {
        // Something in brackets is left that no item has taken.
        (Outcome::Parsed, Err(error)) => Outcome::failed(0, &error),
        (outcome, _) => outcome,
    }
}

impl Outcome {
    fn failed(item: usize, error: &syn::Error) -> Self {
        let at = error.span().byte_range();
        Self::Failed {
            item,
            // A token that is missing at the end has no place.
            error: (at.end > 0).then_some(at.start),
        }
    }
}

fn items(input: ParseStream<'_>, is_file: bool) -> Outcome {
    if is_file && let Err(error) = input.call(Attribute::parse_inner) {
        return Outcome::failed(0, &error);
    }
    while !input.is_empty() {
        let item = input.span().byte_range().start;
        if let Err(error) = input.parse::<Item>() {
            return Outcome::failed(item, &error);
        }
    }
    Outcome::Parsed
}

/// The search for one repair.
struct Search<'s> {
    /// The token trees of the item with the error, and some that follow it.
    window: &'s [TokenTree],
    is_file: bool,
    error: usize,
    forms: &'s [Form],
    known: &'s [Repair],
    /// Whether the error also occurs if all braces but those around it are emptied.
    is_hollow: bool,
}

/// Token trees in the same pair of brackets.
struct Level {
    trees: Vec<TokenTree>,
    /// The index of the tree with the error, or the number of trees if the error is behind them.
    at: usize,
    /// The byte at which the chunk with the error ends.
    end: usize,
    /// The first byte of the closing bracket, if there is one.
    close: Option<usize>,
}

impl<'s> Search<'s> {
    fn new(
        trees: &'s [TokenTree],
        first: usize,
        error: usize,
        forms: &'s [Form],
        known: &'s [Repair],
    ) -> Self {
        let of_item = &trees[first..];
        let at = of_item.iter().position(|tree| range(tree).end > error);
        let ahead = of_item.len().min(at.unwrap_or(of_item.len()) + LOOK_AHEAD);
        let more = of_item[ahead..].iter().position(ends_a_chunk);
        let end = more.map_or(of_item.len(), |more| ahead + more + 1);
        let mut search = Self {
            window: &of_item[..end],
            is_file: first == 0,
            error,
            forms,
            known,
            is_hollow: true,
        };
        search.is_hollow = search.error_with(None) == Some(error);
        search
    }

    /// Finds the smallest change by which syn reads on beyond the first error.
    fn smallest(&self) -> Option<Repair> {
        let levels = self.levels();
        let object = levels.last().and_then(Level::object);
        // A token that is left over in brackets is an error that syn tells of later, though it stands before others.
        let reads_on = |object: &Repair| {
            !self.known.contains(object) && self.error_with(Some(object)) != Some(self.error)
        };
        if object.as_ref().is_some_and(reads_on) {
            return object;
        }
        if self.forms == [Form::Object] {
            return None;
        }
        for level in levels.iter().rev() {
            let runs = level.runs();
            let mut farther = None;
            for repair in runs.iter().filter(|one| self.forms.contains(&one.form)) {
                match self.error_with(Some(repair)) {
                    None => return Some(repair.clone()),
                    Some(error) if error <= self.error || !level.is_beyond(error, repair) => {}
                    Some(error) if error >= level.end => return Some(repair.clone()),
                    Some(_) => farther = farther.or(Some(repair)),
                }
            }
            if farther.is_some() {
                return farther.cloned();
            }
            let chunks: Vec<Repair> = level.chunks().collect();
            let found = chunks.iter().find(|repair| {
                let error = self.error_with(Some(repair));
                error.is_none_or(|error| error > self.error && level.is_beyond(error, repair))
            });
            if found.is_some() {
                return found.cloned();
            }
        }
        None
    }

    /// Returns the byte at which syn fails with this change, if it does.
    fn error_with(&self, repair: Option<&Repair>) -> Option<usize> {
        poll_interruption();
        let mut repairs: Vec<Repair> = self.known.to_vec();
        if let Some(repair) = repair {
            repairs.retain(|one| !covers(&repair.range, &one.range));
            repairs.push(repair.clone());
        }
        let place = self.error.min(self.end().saturating_sub(1));
        let tokens = match self.is_hollow {
            true => repaired_around(self.window, &repairs, place),
            false => repaired(self.window, &repairs),
        };
        match first_error(tokens, self.is_file) {
            Outcome::Parsed => None,
            Outcome::Failed { error, .. } => Some(error.unwrap_or(self.end())),
        }
    }

    fn end(&self) -> usize {
        self.window.last().map_or(0, |last| range(last).end)
    }

    /// Returns, for each pair of brackets around the error, the token trees in it, from the outermost pair to the innermost.
    fn levels(&self) -> Vec<Level> {
        let mut levels = Vec::new();
        let mut trees = self.window.to_vec();
        let mut close = None;
        loop {
            let at = trees.iter().position(|tree| range(tree).end > self.error);
            let at = at.unwrap_or(trees.len());
            let inner = match trees.get(at) {
                Some(TokenTree::Group(group)) if range(&trees[at]).start < self.error => {
                    Some((group.stream(), range(&trees[at]).end - 1))
                }
                _ => None,
            };
            levels.push(Level::new(trees, at, close));
            match inner {
                Some((inner, end)) => (trees, close) = (inner.into_iter().collect(), Some(end)),
                None => return levels,
            }
        }
    }
}

impl Level {
    fn new(trees: Vec<TokenTree>, at: usize, close: Option<usize>) -> Self {
        let end_of = |idx: usize| range(&trees[idx]).end;
        let last = (at..trees.len()).find(|idx| ends_a_chunk(&trees[*idx]));
        let last = last.or(trees.len().checked_sub(1));
        let end = last.map_or(0, end_of);
        Self {
            trees,
            at,
            end,
            close,
        }
    }

    /// Repairs an error at the `(` of `Fn(u8)`: a `dyn` before the path, and before its `for<'a>` if it has one.
    fn object(&self) -> Option<Repair> {
        let is =
            |idx: usize, sign: char| self.trees.get(idx).is_some_and(|one| is_punct(one, sign));
        let is_name = |idx: usize| matches!(self.trees.get(idx), Some(TokenTree::Ident(_)));
        let TokenTree::Group(group) = self.trees.get(self.at)? else {
            return None;
        };
        let mut start = self.at.checked_sub(1).filter(|&last| is_name(last))?;
        if group.delimiter() != Delimiter::Parenthesis {
            return None;
        }
        while start >= 2 && is(start - 1, ':') && is(start - 2, ':') {
            let is_longer = start >= 3 && is_name(start - 3);
            start -= if is_longer { 3 } else { 2 };
        }
        if start > 0 && is(start - 1, '>') {
            let open = self.trees[..start]
                .iter()
                .rposition(|one| is_punct(one, '<'))?;
            let is_for = open > 0
                && matches!(&self.trees[open - 1], TokenTree::Ident(word) if word == "for");
            start = if is_for { open - 1 } else { start };
        }
        let at = range(&self.trees[start]).start;
        Some(Repair {
            range: at..at,
            form: Form::Object,
        })
    }

    /// Returns the changes of runs of tokens that contain the error or touch it. Those with a `<` or `>` that has no
    /// partner are the last, and those of the fewest tokens the first.
    fn runs(&self) -> Vec<Repair> {
        let trees = &self.trees;
        let starts = self.at.saturating_sub(MOST_BEFORE)..=self.at;
        let mut runs: Vec<(bool, usize, Repair)> = Vec::new();
        let mut push = |run: &[TokenTree], range: Range<usize>, form: Form| {
            let n_tokens = run.iter().map(count).sum::<usize>().max(1);
            runs.push((!has_partners(run), n_tokens, Repair { range, form }));
        };
        if 0 < self.at && self.at < trees.len() {
            let start = range(&trees[self.at]).start;
            push(&[], start..start, Form::Separator);
        }
        let beside = self.at.saturating_sub(1)..trees.len().min(self.at + EXTRA_AFTER);
        for idx in beside {
            let run = &trees[idx..=idx];
            if is_extra(&run[0]) {
                let before = idx.checked_sub(1).map(|before| &trees[before]);
                if trees.get(idx + 1).is_some_and(begins) {
                    push(run, range(&run[0]), Form::ExtraBefore);
                } else if before.is_some_and(|before| begins(before) || is_punct(before, '>')) {
                    push(run, range(&run[0]), Form::ExtraAfter);
                }
            }
        }
        for start in starts {
            let ends = start + 1..=trees.len().min(self.at + MOST_AFTER);
            for end in ends.filter(|end| *end >= self.at) {
                let run = &trees[start..end];
                if is_in_one_chunk(run) {
                    let bytes = range(&run[0]).start..range(&run[run.len() - 1]).end;
                    push(run, bytes, Form::Name);
                }
            }
        }
        // The change that adds a missing token comes after the one that drops a token too many.
        runs.sort_by_key(|(is_open, n_tokens, repair)| {
            let is_missing = repair.form == Form::Separator;
            (*is_open, *n_tokens, is_missing, Reverse(repair.range.start))
        });
        runs.into_iter().map(|(_, _, repair)| repair).collect()
    }

    /// Returns the changes that put a macro call in place of the chunk with the error and some chunks around it, the
    /// fewest chunks first.
    fn chunks(&self) -> impl Iterator<Item = Repair> + '_ {
        let ends: Vec<usize> = (0..self.trees.len())
            .filter(|idx| ends_a_chunk(&self.trees[*idx]))
            .map(|idx| idx + 1)
            .collect();
        let boundaries: BTreeSet<usize> = [0, self.trees.len()].into_iter().chain(ends).collect();
        let before: Vec<usize> = boundaries.range(..=self.at).rev().copied().collect();
        let after: Vec<usize> = boundaries.range(self.at..).copied().collect();
        let mut all: Vec<(usize, usize)> = Vec::new();
        for start in before.iter().take(CHUNKS_BEFORE) {
            let ends = after.iter().take(CHUNKS_AFTER);
            all.extend(ends.filter(|end| *end > start).map(|end| (*start, *end)));
        }
        all.sort_by_key(|(start, end)| end - start);
        all.into_iter().map(|(start, end)| Repair {
            range: range(&self.trees[start]).start..range(&self.trees[end - 1]).end,
            form: Form::Call,
        })
    }

    /// Returns whether syn's next error is behind the first token after a change, so that syn has read on.
    fn is_beyond(&self, error: usize, repair: &Repair) -> bool {
        let mut after = self.trees.iter().map(|tree| range(tree).start);
        let next = after.find(|start| *start >= repair.range.end);
        next.or(self.close).is_some_and(|next| error > next)
    }
}

/// Returns whether no chunk ends within a run before its last token. In angle brackets there may be commas.
fn is_in_one_chunk(run: &[TokenTree]) -> bool {
    let has_angles = run.iter().any(|tree| is_punct(tree, '<'));
    let inner = &run[..run.len() - 1];
    !inner
        .iter()
        .any(|tree| ends_a_chunk(tree) && !(has_angles && is_punct(tree, ',')))
}

/// Returns whether a token may be an extra one, without which the syntax is the same.
fn is_extra(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => MODIFIERS.iter().any(|one| word == one),
        TokenTree::Punct(punct) => matches!(punct.as_char(), '!' | '~' | '?'),
        _ => false,
    }
}

/// Returns whether a token shows by itself which kind of syntax begins there.
fn begins(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => BEGINNINGS.iter().any(|one| word == one),
        TokenTree::Punct(punct) => matches!(punct.as_char(), '|' | '&' | '*' | '?'),
        _ => false,
    }
}

/// Returns whether each `<` has its `>`, apart from those of `->` and `=>`.
fn has_partners(run: &[TokenTree]) -> bool {
    let mut open = 0;
    for (idx, tree) in run.iter().enumerate() {
        let before = idx.checked_sub(1).map(|before| &run[before]);
        let is_arrow = before.is_some_and(|one| is_punct(one, '-') || is_punct(one, '='));
        open += i32::from(is_punct(tree, '<'));
        open -= i32::from(is_punct(tree, '>') && !is_arrow);
        if open < 0 {
            return false;
        }
    }
    open == 0
}

fn count(tree: &TokenTree) -> usize {
    match tree {
        TokenTree::Group(group) => {
            2 + group
                .stream()
                .into_iter()
                .map(|one| count(&one))
                .sum::<usize>()
        }
        _ => 1,
    }
}
