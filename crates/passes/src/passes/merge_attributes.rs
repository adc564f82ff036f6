//! `merge_attributes`: merges attributes that stand together and have lists of the same sort, such as
//! `#![feature(a)]` and `#![feature(b)]`.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_model::Position;
use reduce_syntax::{EditSet, ListKind, TokenCursor};
use std::ops::Range;

pub(super) const PASS: Pass = Pass {
    name: "merge_attributes",
    about: "Writes the lists of attributes that stand together as one",
    example: ("#![feature(a)] #![feature(b)]", "#![feature(a, b)]"),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The attributes whose lists may as well be one.
const MERGED: [&str; 6] = ["allow", "deny", "derive", "expect", "feature", "warn"];

fn changes(program: &Program) -> Vec<EditSet> {
    let mut all: Vec<Listed<'_>> = attributes(program);
    all.sort_by_key(|one| (one.place.file, one.place.range.start));
    let runs = all.chunk_by(|one, next| one.is_before(next, program));
    let runs = runs.filter(|run| run.len() > 1);
    simplest_first(
        program,
        runs.filter_map(|run| merged(program, run))
            .collect::<Vec<_>>(),
    )
}

/// An attribute with a list, such as `#![feature(a)]`.
struct Listed<'p> {
    place: Place,
    /// The text of the attribute before its list, such as `#![feature`.
    head: String,
    /// The bytes of the list in the file.
    list: Range<usize>,
    text: &'p str,
}

fn attributes(program: &Program) -> Vec<Listed<'_>> {
    let lists = program.tree().lists.iter();
    let lists = lists.filter(|list| list.kind == ListKind::Attributes);
    let elements = lists.flat_map(|list| &list.elements);
    let places = elements.map(|element| Place::new(element.file, element.range.clone()));
    places.filter_map(|place| listed(program, place)).collect()
}

fn listed(program: &Program, place: Place) -> Option<Listed<'_>> {
    let text = &program.sources().text(place.file)[place.range.clone()];
    let cursor = TokenCursor::new(text);
    let name = 2 + usize::from(cursor.is(1, "!"));
    let is_list = MERGED.contains(&cursor.word(name)) && cursor.is(name + 1, "(");
    let close = cursor.closing(name + 1).filter(|_| is_list)?;
    let list = cursor.bytes(name + 1, close);
    let start = place.range.start;
    Some(Listed {
        head: (0..=name).map(|idx| cursor.word(idx)).collect(),
        list: start + list.start + 1..start + list.end - 1,
        text: text[list.start + 1..list.end - 1]
            .trim()
            .trim_end_matches(','),
        place,
    })
}

impl Listed<'_> {
    /// Whether another attribute of the same sort follows, with nothing but white space between them.
    fn is_before(&self, next: &Self, program: &Program) -> bool {
        let (end, start) = (self.place.range.end, next.place.range.start);
        self.place.file == next.place.file
            && self.head == next.head
            && end <= start
            && program.sources().text(self.place.file)[end..start]
                .trim()
                .is_empty()
    }
}

fn merged(program: &Program, run: &[Listed<'_>]) -> Option<EditSet> {
    let (first, others) = run.split_first()?;
    let texts: Vec<&str> = run
        .iter()
        .map(|one| one.text)
        .filter(|text| !text.is_empty())
        .collect();
    let mut change = program.change();
    let list = Place::new(first.place.file, first.list.clone());
    match list.range.is_empty() {
        true => change.insert(
            Position::new(list.file, list.range.start),
            &texts.join(", "),
        ),
        false => change.replace(&list, &texts.join(", ")),
    };
    for other in others {
        change.remove(&other.place);
    }
    change.finish()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn lists_of_one_sort_become_one() {
        check(
            &PASS,
            "#![feature(a)]\n#![feature(b, c,)]\n#![allow(d)] fn f() {}",
            &["#![feature(a, b, c)] #![allow(d)] fn f() {}"],
        );
        check(
            &PASS,
            "#[derive(A)] #[derive(B)] struct S;",
            &["#[derive(A, B)] struct S;"],
        );
    }

    #[test]
    fn what_does_not_stand_together_stays() {
        check_not_applicable(&PASS, "#[derive(A)] struct S; #[derive(B)] struct T;");
        check_not_applicable(&PASS, "#![feature(a)] #![allow(b)] fn f() {}");
        check_not_applicable(&PASS, "#[cfg(a)] #[cfg(b)] fn f() {}");
    }
}
