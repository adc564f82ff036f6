//! Marks mutants in a text by comments with their numbers, so that their points are found again when the text is rewritten.
//!
//! When crates are merged and reduced, a point moves, is renamed around, or is copied with the function that it is
//! in. A comment beside it goes with it wherever text is edited rather than printed. A rewritten text is given
//! switches at the marked points alone, under the numbers that the mutants have in the original. A point whose text
//! is no more of the kind that it was has lost its mark: it is not the same mutant.

use crate::instrument::{Instrumented, Substitutes, all_mutants, instrument_as};
use crate::mark_text::{BEGIN, END, has_mark};
use crate::mutant::{Mutant, MutantId, Operator};
use reduce_syntax::{Edit, EditSet, FileId, SourceTree, Token, TokenKind, names, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The properties that tell a mutant from others at the same point: its operator, and its number among those of that operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kind {
    operator: Operator,
    /// The number of mutants of the same point and operator that come before this one.
    number: usize,
}

/// The mutants that are marked in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    kinds: BTreeMap<MutantId, Kind>,
    /// The names by which marked mutants replace others: a rewritten text has other definitions, so they are noted here.
    substitutes: Substitutes,
}

impl Marks {
    /// Marks some of the mutants of a crate in the sources in which they were found.
    #[must_use]
    pub fn mark(
        &mut self,
        sources: &SourceTree,
        mutants: &[Mutant],
        is_wanted: impl Fn(&Mutant) -> bool,
    ) -> EditSet {
        let mut marks: BTreeMap<(FileId, usize), String> = BTreeMap::new();
        let wanted = mutants.iter().filter(|one| is_wanted(one));
        let wanted: BTreeMap<_, MutantId> = wanted.map(|one| (change_of(one), one.id)).collect();
        // Mutants that do not compile stand in a rewritten text too, and count there.
        let all = all_mutants(sources);
        for (mutant, point, kind) in Points::new(sources).of(&all) {
            if let Some(&id) = wanted.get(&change_of(mutant)) {
                if !self.note_substitute(sources, mutant) {
                    continue;
                }
                self.kinds.insert(id, kind);
                let here = marks.entry((mutant.file, point)).or_default();
                *here += &format!(" {BEGIN}{id}{END} ");
            }
        }
        let mut edits = EditSet::new();
        for ((file, point), marks) in marks {
            edits.add(Edit::replace(file, &(point..point), &marks));
        }
        edits
    }

    /// Notes the name by which a mutant replaces another one; returns whether that worked or is not needed. A name has one
    /// substitute.
    fn note_substitute(&mut self, sources: &SourceTree, mutant: &Mutant) -> bool {
        let Some((name, other)) = substitution(sources, mutant) else {
            return true;
        };
        let known = self.substitutes.entry((mutant.operator, name));
        *known.or_insert_with(|| other.clone()) == other
    }

    /// Whether a mutant is marked.
    #[must_use]
    pub fn has(&self, id: MutantId) -> bool {
        self.kinds.contains_key(&id)
    }

    /// Returns a text that tells these marks from others, as a part of the key of stored verdicts.
    #[must_use]
    pub fn form(&self) -> String {
        format!("{:?} {:?}", self.kinds, self.substitutes)
    }

    /// Puts switches of the marked mutants into a text. A point that was copied has a switch in each copy, and all copies have
    /// one number.
    #[must_use]
    pub fn instrument(&self, sources: &SourceTree) -> Instrumented {
        self.instrumented(sources, false)
    }

    /// Puts switches of the marked mutants into a text, and switches that change nothing at the beginnings of all blocks, which
    /// tell what a run has entered.
    #[must_use]
    pub fn instrument_with_blocks(&self, sources: &SourceTree) -> Instrumented {
        self.instrumented(sources, true)
    }

    fn instrumented(&self, sources: &SourceTree, has_blocks: bool) -> Instrumented {
        let last = self.kinds.keys().next_back().map_or(0, |id| id.0);
        let points = Points::new(sources);
        let marks: BTreeMap<FileId, _> = points
            .tokens
            .keys()
            .map(|&f| (f, points.marks(f)))
            .collect();
        instrument_as(
            sources,
            1..last + 1,
            (has_blocks, &self.substitutes),
            |mutants| {
                let mut ids = BTreeMap::new();
                for (mutant, point, kind) in points.of(mutants) {
                    let here = marks.get(&mutant.file).and_then(|marks| marks.get(&point));
                    let mut here = here.into_iter().flatten();
                    let id = here.find(|id| self.kinds.get(id) == Some(&kind));
                    ids.extend(id.map(|&id| (mutant.id, id)));
                }
                let blocks = mutants.iter().filter(|one| one.operator == Operator::Block);
                ids.extend(blocks.map(|one| one.id).zip((last + 1..).map(MutantId)));
                ids
            },
        )
    }
}

/// Returns those of a crate's mutants that can have switches in a marked text: any compiler permits them.
#[must_use]
pub fn markable(sources: &SourceTree, mutants: &[Mutant]) -> Vec<Mutant> {
    let all = all_mutants(sources);
    let all: BTreeSet<_> = all.iter().map(change_of).collect();
    let markable = mutants.iter().filter(|one| all.contains(&change_of(one)));
    markable.cloned().collect()
}

/// Returns the name that a mutant replaces, and the name that it puts in its place. None for mutants that depend on no
/// definition.
fn substitution(sources: &SourceTree, mutant: &Mutant) -> Option<(String, String)> {
    match mutant.operator {
        Operator::Call | Operator::ShorterCall | Operator::Variable | Operator::Variant => {}
        _ => return None,
    }
    let edit = mutant.edit();
    let replaced = &sources.text(mutant.file)[edit.start..edit.end];
    let (name, other) = (names(replaced).next()?, names(&edit.text).next()?);
    Some((name.to_owned(), other.to_owned()))
}

/// Returns the key that tells a mutant from others of the same sources.
fn change_of(mutant: &Mutant) -> (FileId, usize, usize, Operator, &str) {
    let Range { start, end } = mutant.range;
    (mutant.file, start, end, mutant.operator, &mutant.mutated)
}

/// Whether a text has a mark.
#[must_use]
pub fn is_marked(sources: &SourceTree) -> bool {
    sources.files().any(|(_, _, text)| has_mark(text))
}

/// A mark in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The file that the mark is in.
    pub file: FileId,
    /// The byte at which the mark begins.
    pub start: usize,
    /// The mutant that the mark names.
    pub id: MutantId,
}

/// Finds the marks in a text.
#[must_use]
pub fn marks_in(sources: &SourceTree) -> Vec<Mark> {
    let points = Points::new(sources);
    let files = points.tokens.keys();
    let all = files.flat_map(|&file| {
        let comments = points.comments(file).into_iter();
        comments.map(move |(range, id)| Mark {
            file,
            start: range.start,
            id,
        })
    });
    all.collect()
}

/// Removes the marks from a text.
#[must_use]
pub fn without_marks(sources: &SourceTree) -> SourceTree {
    let points = Points::new(sources);
    let mut edits = EditSet::new();
    for &file in points.tokens.keys() {
        for (range, _) in points.comments(file) {
            edits.add(Edit::replace(file, &range, ""));
        }
    }
    edits.apply(sources)
}

/// The tokens of a crate's files, by which each mutant is assigned to a point: the token before which its mark stands.
struct Points<'s> {
    sources: &'s SourceTree,
    tokens: BTreeMap<FileId, Vec<Token>>,
}

impl<'s> Points<'s> {
    fn new(sources: &'s SourceTree) -> Self {
        let files = sources.files();
        let tokens = files.map(|(file, _, text)| (file, tokens(text))).collect();
        Self { sources, tokens }
    }

    /// Pairs each mutant with its point and its kind. Those of a file come in the order of the source.
    fn of<'m>(&self, mutants: &'m [Mutant]) -> Vec<(&'m Mutant, usize, Kind)> {
        let mut before: BTreeMap<(FileId, usize, Operator), usize> = BTreeMap::new();
        let mut points = Vec::new();
        for mutant in mutants {
            let Some(point) = self.point(mutant) else {
                continue;
            };
            let operator = mutant.operator;
            let number = before.entry((mutant.file, point, operator)).or_default();
            let kind = Kind {
                operator,
                number: *number,
            };
            *number += 1;
            points.push((mutant, point, kind));
        }
        points
    }

    /// Returns the point of a mutant: the first byte of the token before which it is marked. It is one that goes if what is
    /// mutated goes: of an operation the operator, of a statement or an arm the second token. The path that one may begin with
    /// becomes longer or shorter where modules do, but for its last name.
    fn point(&self, mutant: &Mutant) -> Option<usize> {
        let (start, n_later) = match mutant.operator {
            Operator::Statement | Operator::Arm | Operator::ArmOrder => (mutant.range.start, 1),
            Operator::Condition | Operator::RangeEnd | Operator::Repetition | Operator::Return => {
                (mutant.range.start, 0)
            }
            _ => (mutant.edit().start, 0),
        };
        let tokens = &self.tokens[&mutant.file];
        let mut next = tokens.partition_point(|token| token.range().start < start);
        if n_later > 0 {
            next = self.last_of_path(mutant.file, next);
        }
        let point = tokens.get(next + n_later)?.range().start;
        // A mark behind a number would move the point of `1.min(a)` to that number.
        let behind_number = next.checked_sub(2).is_some_and(|number| {
            tokens[number].kind == TokenKind::Integer && tokens[number].range().end + 1 == point
        });
        (!behind_number).then_some(point)
    }

    /// Returns the last token of the path (names and `::`) that begins at a token.
    fn last_of_path(&self, file: FileId, mut idx: usize) -> usize {
        let (text, tokens) = (self.sources.text(file), &self.tokens[&file]);
        let is_colons = |idx: usize| {
            let token = tokens.get(idx);
            token.is_some_and(|token| &text[token.range()] == "::")
        };
        let is_name = |idx: usize| tokens.get(idx).is_some_and(|token| token.kind.is_name());
        idx += usize::from(is_colons(idx));
        while is_name(idx) && is_colons(idx + 1) {
            idx += 2;
        }
        idx
    }

    /// Returns the marks of a file, by the tokens before which they stand.
    fn marks(&self, file: FileId) -> BTreeMap<usize, BTreeSet<MutantId>> {
        let tokens = &self.tokens[&file];
        let mut marks: BTreeMap<usize, BTreeSet<MutantId>> = BTreeMap::new();
        for (range, id) in self.comments(file) {
            let next = tokens.partition_point(|token| token.range().start < range.end);
            if let Some(token) = tokens.get(next) {
                marks.entry(token.range().start).or_default().insert(id);
            }
        }
        marks
    }

    /// Returns the ranges of a file's comments that are marks, each with the mutant's number.
    fn comments(&self, file: FileId) -> Vec<(Range<usize>, MutantId)> {
        let (text, tokens) = (self.sources.text(file), &self.tokens[&file]);
        let is_within_token = |at: usize| {
            let next = tokens.partition_point(|token| token.range().start <= at);
            next > 0 && tokens[next - 1].range().end > at
        };
        let begins = text.match_indices(BEGIN).map(|(at, _)| at);
        let begins = begins.filter(|at| !is_within_token(*at));
        let comment = |at: usize| {
            let (number, _) = text[at + BEGIN.len()..].split_once(END)?;
            let id = MutantId(number.parse().ok()?);
            Some((at..at + BEGIN.len() + number.len() + END.len(), id))
        };
        begins.filter_map(comment).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::mutants_of;
    use camino::Utf8PathBuf;
    use std::sync::Arc;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single(Utf8PathBuf::from("src/lib.rs"), Arc::from(text))
    }

    /// The marked text of a crate, and its marks: those of the mutants that read like this.
    fn marked(text: &str, wanted: &[&str]) -> (Marks, String) {
        let mut marks = Marks::default();
        let (sources, mutants) = (tree(text), mutants_of(text));
        let is_wanted = |one: &Mutant| wanted.contains(&one.mutated.trim());
        let result = marks.mark(&sources, &mutants, is_wanted).apply(&sources);
        assert_eq!(marks.kinds.len(), wanted.len(), "{mutants:?}");
        (marks, result.text(result.root()).to_owned())
    }

    /// The numbers and new texts of the mutants that have switches in a marked text.
    fn switched(marks: &Marks, text: &str) -> Vec<String> {
        let instrumented = marks.instrument(&tree(text));
        let root = instrumented.sources().root();
        assert!(reduce_syntax::is_parsable(
            instrumented.sources().text(root)
        ));
        let mutants = instrumented.mutants().iter();
        mutants
            .map(|one| format!("{} {}", one.id, one.edit().text))
            .collect()
    }

    /// All mutants of a text that are not found again where all of them are marked.
    fn lost(text: &str) -> Vec<String> {
        let (sources, mutants) = (tree(text), mutants_of(text));
        let mut marks = Marks::default();
        let marked = marks.mark(&sources, &mutants, |_| true).apply(&sources);
        let instrumented = marks.instrument(&marked);
        let found: BTreeSet<MutantId> = instrumented.mutants().iter().map(|one| one.id).collect();
        let lost = mutants
            .iter()
            .filter(|one| marks.has(one.id) && !found.contains(&one.id));
        lost.map(|one| format!("{}: {} -> {}", one.line, one.original, one.mutated))
            .collect()
    }

    #[test]
    fn marks_hide_no_mutant() {
        let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/changes");
        let mut n_files = 0;
        for entry in std::fs::read_dir(own).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(lost(&text), [""; 0], "{}", path.display());
            n_files += 1;
        }
        assert!(n_files > 10);
        let digits = vec!["a.max(1)"; 70].join(" + ");
        let long = format!("fn f() -> u8 {{ ({digits}).min(2) }}");
        assert_eq!(lost(&long), [""; 0]);
        let calls = "fn f() -> u8 { cmp::min(a, b) + u8::max(1, 2) - self.g(1.min(a)) }";
        assert_eq!(lost(calls), [""; 0]);
    }

    /// Marks mutants of a text, and looks for them in what a rewrite has made of the marked text.
    #[track_caller]
    fn check(text: &str, wanted: &[&str], rewrite: (&str, &str), expected: &[&str]) {
        let (marks, marked) = marked(text, wanted);
        assert_eq!(switched(&marks, &marked).len(), wanted.len(), "{marked}");
        assert!(marked.contains(rewrite.0), "{marked}");
        let rewritten = marked.replace(rewrite.0, rewrite.1);
        assert_eq!(switched(&marks, &rewritten), expected, "{rewritten}");
    }

    const LESS: &str = "fn f(len: u8, end: u8) -> bool { g(len); len < end }";

    #[test]
    fn a_mark_stands_before_what_the_mutant_changes() {
        let (_, marked) = marked(LESS, &["len <= end", "", "return true;"]);
        let expected =
            "fn f(len: u8, end: u8) -> bool {  /*@2*/ g /*@3*/ (len); len  /*@4*/ < end }";
        assert_eq!(marked, expected);
        assert!(is_marked(&tree(&marked)) && !is_marked(&tree(LESS)));
        for Mark { start, id, .. } in marks_in(&tree(&marked)) {
            assert!(marked[start..].starts_with(&format!("/*@{id}*/")));
        }
        assert_eq!(marks_in(&tree(&marked)).len(), 3);
        let without = without_marks(&tree(&marked));
        assert_eq!(
            reduce_syntax::spaced(without.text(without.root())),
            reduce_syntax::spaced(LESS)
        );
    }

    #[test]
    fn a_mutant_is_found_under_other_names() {
        check(LESS, &["len <= end"], ("len", "x"), &["4 <="]);
    }

    #[test]
    fn one_of_several_mutants_of_an_operator_is_meant() {
        check(LESS, &["len > end"], ("end", "y"), &["5 >"]);
    }

    #[test]
    fn an_operation_that_became_another_is_not_the_same_mutant() {
        check(LESS, &["len <= end"], ("<", "+"), &[]);
        check("fn f() -> u8 { g(5) }", &["0"], ("5", "0"), &[]);
    }

    #[test]
    fn a_statement_that_is_gone_leaves_no_mark_for_the_next() {
        let text = "fn f() { g(1); h(1); }";
        let (marks, marked) = marked("fn f() { g(a); h(b); }", &["", ""]);
        assert!(is_marked(&tree(&marked)), "{text}");
        assert_eq!(switched(&marks, &marked).len(), 2);
        let (first, rest) = (marked.find('g').unwrap(), marked.find('h').unwrap());
        let without = format!("{}{}", &marked[..first], &marked[rest..]);
        assert_eq!(switched(&marks, &without).len(), 1);
    }

    #[test]
    fn a_statement_is_found_where_the_path_that_it_begins_with_is_another() {
        for path in ["crate::", "crate::m::", "::m::n::", ""] {
            check("fn f() { crate::g(1); }", &[""], ("crate::", path), &["1 "]);
        }
    }

    #[test]
    fn the_other_field_is_known_where_fields_of_other_structs_have_its_name() {
        let text = "struct S { a: V, b: V } fn f(s: &S) { s.a.g(); }";
        let others = "struct T { a: W, c: W } struct S { a: V, b: V }";
        check(
            text,
            &["s.b.g()"],
            ("struct S { a: V, b: V }", others),
            &["2 b"],
        );
    }

    #[test]
    fn what_is_called_instead_is_known_where_signatures_are_others() {
        let text = "impl S { fn a(x: u8) -> S {} fn b(x: u8) -> S {} } fn f() -> S { S::a(1) }";
        let same = ("fn a(x: u8)", "fn a(y: u8)");
        check(text, &["S::b(1)"], same, &["1 b"]);
        let changed = ("fn b(x: u8) -> S {}", "fn b() -> T {} fn c(x: u8) -> S {}");
        check(text, &["S::b(1)"], changed, &["1 b"]);
    }

    #[test]
    fn the_method_that_takes_less_is_known_where_another_one_does() {
        let text =
            "impl S { fn a(&self, x: u8) {} fn b(&self) {} fn f(&self) -> u8 { self.a(x); 1 } }";
        let others = (
            "fn b(&self)",
            "fn c(&self, x: u8) {} fn d(&self) {} fn b(&self)",
        );
        check(text, &["self.b()"], others, &["4 b("]);
    }

    #[test]
    fn the_other_variant_is_known_where_a_type_has_others() {
        let text = "enum E { A, B } impl E { fn new() -> E { x } } fn f() -> S { E::A }";
        let others = ("enum E { A, B }", "enum E { A, C, B }");
        check(text, &["E::B", "E::new()"], others, &["1 B", "2 new()"]);
        let less = ("enum E { A, B }", "enum E { A }");
        check(text, &["E::B", "E::new()"], less, &["1 B", "2 new()"]);
    }

    #[test]
    fn a_field_has_one_other_in_all_crates() {
        let (mut marks, _) = marked(
            "struct S { a: V, b: V } fn f(s: &S) { s.a.g(); }",
            &["s.b.g()"],
        );
        let has_mark = |marks: &mut Marks, other: &str| {
            let text = format!("struct S {{ a: V, {other}: V }} fn f(s: &S) {{ s.a.g(); }}");
            let mutants = all_mutants(&tree(&text));
            let is_call = |one: &Mutant| one.operator == Operator::Variable;
            assert!(mutants.iter().any(is_call));
            let edits = marks.mark(&tree(&text), &mutants, is_call);
            is_marked(&edits.apply(&tree(&text)))
        };
        assert!(!has_mark(&mut marks, "c"));
        assert!(has_mark(&mut marks, "b"));
    }

    #[test]
    fn a_copy_has_the_number_of_the_original() {
        let second = "x < end } fn g(x: u8, end: u8) -> bool { x /*@4*/ < end";
        check(
            LESS,
            &["len <= end"],
            (
                "len  /*@4*/ < end",
                &second.replacen("x <", "len /*@4*/ <", 1),
            ),
            &["4 <=", "4 <="],
        );
    }

    #[test]
    fn several_mutants_may_be_marked_at_a_point() {
        let all = ["len <= end", "len > end", "return true;", "return false;"];
        check(
            LESS,
            &all,
            ("len", "x"),
            &["1 return false; ", "2 return true; ", "4 <=", "5 >"],
        );
    }

    #[test]
    fn a_string_has_no_marks() {
        let (marks, _) = marked(LESS, &["len <= end"]);
        assert!(switched(&marks, "fn f(a: u8) -> bool { g(\"/*@4*/\"); a < 2 }").is_empty());
    }
}
