//! Answers and verdicts that are made up, each about the words of a line.

use super::*;
use reduce_syntax::{FileId, SourceTree};

const CODE: &str = "fn a() { b(); c(); d } fn b() {} use e as b;";

/// The place of the `n`th occurrence of a text.
fn place(file: FileId, name: &str, n: usize) -> Place {
    let (at, _) = CODE.match_indices(name).nth(n).unwrap();
    Place { file, at }
}

fn check(answer: Option<Answer>, meant: &[Meaning], expected: (Subject, Standing)) {
    let sources = SourceTree::single("a.rs".into(), CODE.into());
    let text = CrateText::new(&sources);
    let called = place(sources.root(), "b", 0);
    let mut verdicts = Verdicts::default();
    for meaning in meant {
        verdicts.add(called, meaning.clone());
    }
    let imported = place(sources.root(), "e", 1);
    let definition = Meaning::Inside(place(sources.root(), "b", 1));
    verdicts.add(imported, definition.clone());
    let mut answers = Answers::from([(imported, Answer::Unknown)]);
    answers.extend(answer.map(|answer| (called, answer)));
    let tally = compare(&text, &answers, &verdicts);
    assert_eq!(
        tally.count(expected.0, expected.1),
        1 + usize::from(expected == (Subject::Inside, Standing::Unknown))
    );
    let contradicts = usize::from(expected.1.is_failure());
    assert_eq!(tally.contradictions.len(), contradicts);
}

fn with_places(check: impl FnOnce(Place, Place, Place)) {
    let sources = SourceTree::single("a.rs".into(), CODE.into());
    let file = sources.root();
    check(
        place(file, "b", 1),
        place(file, "c", 0),
        place(file, "e", 1),
    );
}

#[test]
fn the_same_definition_is_the_same() {
    with_places(|definition, other, _| {
        let meant = [Meaning::Inside(definition)];
        let inside = |standing| (Subject::Inside, standing);
        check(
            Some(Answer::Certain(definition)),
            &meant,
            inside(Standing::Same),
        );
        check(
            Some(Answer::Certain(other)),
            &meant,
            inside(Standing::Contradicts),
        );
        check(
            Some(Answer::Maybe(vec![other, definition])),
            &meant,
            inside(Standing::MaybeRight),
        );
        check(
            Some(Answer::Maybe(vec![other])),
            &meant,
            inside(Standing::MaybeWrong),
        );
        check(Some(Answer::Outside), &meant, inside(Standing::NotOutside));
        check(Some(Answer::Unknown), &meant, inside(Standing::Unknown));
        check(None, &meant, inside(Standing::Missing));
    });
}

#[test]
fn an_import_stands_for_what_it_imports() {
    with_places(|definition, _, import| {
        let meant = [Meaning::Inside(definition)];
        check(
            Some(Answer::Certain(import)),
            &meant,
            (Subject::Inside, Standing::Same),
        );
    });
}

#[test]
fn what_comes_from_elsewhere_is_outside() {
    with_places(|definition, _, _| {
        let meant = [Meaning::Outside];
        let outside = |standing| (Subject::Outside, standing);
        check(Some(Answer::Outside), &meant, outside(Standing::Outside));
        check(
            Some(Answer::Certain(definition)),
            &meant,
            outside(Standing::Contradicts),
        );
    });
}

#[test]
fn what_a_macro_makes_is_known_by_its_name() {
    with_places(|definition, other, _| {
        let meant = [Meaning::Unplaced("b".to_owned())];
        let unplaced = |standing| (Subject::Unplaced, standing);
        check(
            Some(Answer::Certain(definition)),
            &meant,
            unplaced(Standing::Same),
        );
        check(
            Some(Answer::Certain(other)),
            &meant,
            unplaced(Standing::Contradicts),
        );
    });
}
