//! Defines the mutant: one small change of the code under test, which a number switches on.

use reduce_syntax::{Edit, FileId, Token, common_length, tokens};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The number that switches a mutant on. It stays the same when other mutants are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(pub u32);

impl fmt::Display for MutantId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The kind of change that a mutant makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `<` becomes `<=` or `>`.
    Relation,
    /// `==` becomes `!=`.
    Equality,
    /// `&&` becomes `||`.
    Logic,
    /// `+` becomes `-`, `*` becomes `/`.
    Arithmetic,
    /// `<<` becomes `>>`, `&` becomes `|`.
    Bits,
    /// `+=` becomes `-=`, and `x += 1` becomes `x = 0`.
    Assignment,
    /// The condition of an `if`, a `while` or an arm is negated.
    Condition,
    /// Another condition is joined to one: `a.ends_with(b)` becomes `a.ends_with(b) && !a.is_empty()`.
    AddedCondition,
    /// `!x` and `-x` become `x`.
    Unary,
    /// `5` becomes `6` or `0`, `true` becomes `false`, `"a"` becomes `""`.
    Literal,
    /// `a..b` becomes `a..b + 1`.
    RangeEnd,
    /// An `if let` that takes an element becomes a loop.
    Repetition,
    /// A statement is left out, which may be a `return`.
    Statement,
    /// A statement about a variable, such as `a.close();`, that other functions have is executed at the end of a block too.
    Insertion,
    /// An arm of a `match` is left out, or does what another one does.
    Arm,
    /// An arm of a `match` is tried after all others.
    ArmOrder,
    /// A function returns a simple value at once.
    Return,
    /// `a.min(b)` becomes `a.max(b)`, `a.reverse()` becomes `a`, and a function is replaced by another one of equal signature.
    Call,
    /// `self.a(b);` becomes `self.c();`, and a variant without fields becomes the result of a function without arguments
    /// (`Self::new()`).
    ShorterCall,
    /// `f(a, b)` becomes `f(b, a)`, `x[i][j]` becomes `x[j][i]`, and `for x in y.iter()` becomes `for x in y.iter().rev()`.
    Order,
    /// A parameter or a field becomes another one of the same type, and the counter of a loop that of another loop over the same
    /// range.
    Variable,
    /// `Some(a)` becomes `None`, `Less` becomes `Greater`, and a variant without fields another one.
    Variant,
    /// Nothing changes: the switch only tells that a run has entered its function.
    Entry,
    /// Nothing changes: the switch only tells that a run has entered its block.
    Block,
}

impl Operator {
    /// Describes a mutant of this kind, in words that go on after "the mutant ..".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Relation => "compares in another way",
            Self::Equality => "asks for the opposite of equality",
            Self::Logic => "exchanges `&&` and `||`",
            Self::Arithmetic => "calculates with another operator",
            Self::Bits => "uses another operator on bits",
            Self::Assignment => "assigns with another operator",
            Self::Condition => "negates a condition",
            Self::AddedCondition => "joins another condition to one",
            Self::Unary => "leaves out a `!` or a `-`",
            Self::Literal => "has another literal",
            Self::RangeEnd => "ends a range one earlier or later",
            Self::Repetition => "goes on to the next element",
            Self::Statement => "leaves out a statement",
            Self::Insertion => "does at its end what another function does",
            Self::Arm => "leaves out an arm of a `match`, or takes another one",
            Self::ArmOrder => "tries an arm of a `match` after all others",
            Self::Return => "returns a simple value at once",
            Self::Call => "calls another method, or none",
            Self::ShorterCall => "calls a function that takes less",
            Self::Order => "exchanges two arguments or indices, or goes backwards",
            Self::Variable => "uses another variable or field",
            Self::Variant => "has another variant",
            Self::Entry | Self::Block => "changes nothing",
        }
    }
}

/// A change of the code under test, in terms of the sources as they were before any switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The number of the mutant.
    pub id: MutantId,
    /// The file that the mutant changes.
    pub file: FileId,
    /// The bytes that the mutant changes; none where it inserts a statement.
    pub range: Range<usize>,
    /// The line in which the range begins, counted from 1.
    pub line: usize,
    /// The function that the mutant is in, such as `graph::Graph::add_edge` or `<Set as Extend>::extend`.
    pub function: String,
    /// The bytes of the function that the mutant is in.
    pub function_range: Range<usize>,
    /// The kind of change.
    pub operator: Operator,
    /// The source text in `range`.
    pub original: String,
    /// The text that the mutant has in place of `original`.
    pub mutated: String,
    /// Whether the mutant is in the definition of a macro, whose calls may be in other crates.
    pub is_in_macro: bool,
    /// Whether the mutant is in an unsafe block or function, so that anything may follow from it.
    pub is_in_unsafe: bool,
}

impl Mutant {
    /// Whether the mutant is no [`Operator::Entry`], which changes nothing; an [`Operator::Block`] counts as a change.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.operator != Operator::Entry
    }

    /// Whether the mutant stands at the beginning of its function: a run that enters the function passes it.
    #[must_use]
    pub fn is_at_entry(&self) -> bool {
        matches!(self.operator, Operator::Return | Operator::Entry)
    }

    /// Returns a mutant of the same place that changes nothing.
    pub(crate) fn into_entry(self) -> Self {
        Self {
            operator: Operator::Entry,
            mutated: String::new(),
            ..self
        }
    }

    /// Returns the edit that makes this mutant of the original source: for a diff, not for a switch. It has no more tokens than
    /// it needs, so of `a < b` only the operator is replaced.
    #[must_use]
    pub fn edit(&self) -> Edit {
        let texts = [self.original.as_str(), self.mutated.as_str()];
        let is_within_token = |text: &str, byte: usize| {
            let mut ranges = tokens(text).into_iter().map(Token::range);
            ranges.any(|range| range.start < byte && byte < range.end)
        };
        let is_cut = |bytes: [usize; 2]| (0..2).any(|idx| is_within_token(texts[idx], bytes[idx]));
        let n_before = common_length(texts.map(str::chars));
        let before = (0..=n_before).rev().find(|&before| !is_cut([before; 2]));
        let before = before.unwrap_or(0);
        let rests = texts.map(|text| &text[before..]);
        let n_after = common_length(rests.map(|text| text.chars().rev()));
        let ends = |after: usize| texts.map(|text| text.len() - after);
        let after = (0..=n_after).rev().find(|&after| !is_cut(ends(after)));
        let after = after.unwrap_or(0);
        let changed = self.range.start + before..self.range.end - after;
        Edit::replace(self.file, &changed, &rests[1][..rests[1].len() - after])
    }
}

/// Groups mutants by their functions; the functions of a file come in the order of the source.
#[must_use]
pub fn by_function<'m>(mutants: impl IntoIterator<Item = &'m Mutant>) -> Vec<Vec<&'m Mutant>> {
    let mut functions: BTreeMap<_, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let Range { start, end } = mutant.function_range;
        // Files of several crates may have one number.
        let function = (mutant.file, start, end, &mutant.function);
        functions.entry(function).or_default().push(mutant);
    }
    functions.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::{EditSet, SourceTree};

    #[track_caller]
    fn check(text: &str, original: &str, mutated: &str, edited: Range<usize>) {
        let sources = SourceTree::single(Utf8PathBuf::from("a.rs"), text.into());
        let start = text.find(original).unwrap();
        let mutant = Mutant {
            id: MutantId(1),
            file: sources.root(),
            range: start..start + original.len(),
            line: 1,
            function: "f".to_owned(),
            function_range: 0..text.len(),
            operator: Operator::Relation,
            original: original.to_owned(),
            mutated: mutated.to_owned(),
            is_in_macro: false,
            is_in_unsafe: false,
        };
        let edit = mutant.edit();
        assert_eq!(edit.start..edit.end, edited);
        let mut set = EditSet::new();
        set.add(edit);
        let expected = text.replacen(original, mutated, 1);
        assert_eq!(set.apply(&sources).text(sources.root()), expected);
    }

    #[test]
    fn an_edit_has_only_what_changes() {
        check("x = a < b;", "a < b", "a <= b", 6..7);
        check("x = a<=b;", "a<=b", "a<b", 5..7);
        check("f(aa, 'é')", "aa, 'é'", "aa, 'è'", 6..10);
        check("f(12)", "12", "13", 2..4);
        check("f();", "f();", "", 0..4);
    }
}
