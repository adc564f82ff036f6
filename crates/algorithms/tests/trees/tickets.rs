//! Tickets and verdicts across the searches that a search of a tree is made of.

use crate::sample::Sample;
use reduce_algorithms::tree::{NodeId, TreeChange, TreeOptions, TreeSearch, TreeStrategy};
use reduce_algorithms::{Ddmin, Search, Ticket};

fn hdd(sample: &Sample) -> TreeSearch {
    let options = TreeOptions::published(TreeStrategy::Hdd);
    TreeSearch::new(
        sample.tree.clone(),
        options,
        |nodes: &[NodeId], _: &[u64]| Box::new(Ddmin::new(nodes.len())),
    )
}

/// Proposes as much as there is.
fn propose_all(search: &mut TreeSearch) -> Vec<(Ticket, TreeChange)> {
    std::iter::from_fn(|| search.propose()).collect()
}

#[test]
fn a_level_waits_for_all_verdicts_of_the_one_above() {
    let sample = Sample::new("R(-a(-c) -b)");
    let mut search = hdd(&sample);
    let first = propose_all(&mut search);
    let texts: Vec<String> = first
        .iter()
        .map(|(_, change)| sample.text(change))
        .collect();
    assert_eq!(texts, ["-b", "-a"]);
    search.answer(first[1].0, false);
    assert!(search.propose().is_none() && !search.is_done());
    search.answer(first[0].0, false);
    let second = propose_all(&mut search);
    assert_eq!(sample.text(&second[0].1), "-c");
    assert!(second[0].0 > first[1].0);
    search.answer(second[0].0, false);
    assert!(search.is_done());
}

#[test]
fn verdicts_for_an_earlier_search_or_for_void_tickets_are_ignored() {
    let sample = Sample::new("R(-a(-c -d -e) -b)");
    let mut search = hdd(&sample);
    let first = propose_all(&mut search);
    let answered = search.answer(first[0].0, true);
    assert_eq!(answered.void, [first[1].0]);
    assert_eq!(sample.text(&answered.accepted.unwrap().candidate), "-b");
    for (ticket, _) in &first {
        let late = search.answer(*ticket, true);
        assert!(late.accepted.is_none() && late.void.is_empty());
    }
    assert_eq!(sample.left(search.tree()), "Racde");
}

#[test]
fn a_ticket_that_nobody_has_is_never_void() {
    let sample = Sample::new("R(-a -b -c -d)");
    let mut search = hdd(&sample);
    let (ticket, _) = search.propose().unwrap();
    let answered = search.answer(ticket, true);
    assert!(answered.accepted.is_some() && answered.void.is_empty());
    assert_eq!(sample.left(search.tree()), "Rab");
    let (next, _) = search.propose().unwrap();
    assert!(next > ticket);
}

#[test]
fn a_tree_in_which_nothing_can_be_done_is_done_at_once() {
    for text in ["", "R", "R(a(b) c)", "a1 b1"] {
        let search = hdd(&Sample::new(text));
        assert!(search.is_done(), "{text}");
    }
}
