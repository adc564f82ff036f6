//! Tests of verdicts that come out of order.

use reduce_algorithms::{Ddmin, Search, Subset, Ticket};

fn propose(search: &mut Ddmin, n_candidates: usize) -> Vec<(Ticket, Subset)> {
    (0..n_candidates)
        .map(|_| search.propose().expect("the search is long"))
        .collect()
}

#[test]
fn a_success_voids_later_tickets_at_once_and_waits_for_earlier_ones() {
    let mut search = Ddmin::new(8);
    let proposed = propose(&mut search, 5);
    let tickets: Vec<Ticket> = proposed.iter().map(|(ticket, _)| *ticket).collect();
    search.answer(tickets[3], false);

    let answered = search.answer(tickets[1], true);
    assert!(answered.accepted.is_none());
    assert_eq!(answered.void, [tickets[2], tickets[4]]);
    assert!(search.propose().is_none());
    assert!(!search.is_done());

    let accepted = search.answer(tickets[0], false).accepted.unwrap();
    assert_eq!(
        (accepted.ticket, &accepted.candidate),
        (tickets[1], &proposed[1].1)
    );
    let (_, next) = search.propose().unwrap();
    assert_eq!(next.kept().collect::<Vec<_>>(), [4, 5]);
}

#[test]
fn an_earlier_success_takes_precedence_over_a_later_one_that_came_first() {
    let mut search = Ddmin::new(8);
    let proposed = propose(&mut search, 3);
    assert_eq!(search.answer(proposed[2].0, true).void, []);
    let answered = search.answer(proposed[0].0, true);
    assert_eq!(answered.accepted.unwrap().ticket, proposed[0].0);
    assert_eq!(answered.void, [proposed[1].0]);
}

#[test]
fn verdicts_of_void_or_answered_tickets_are_ignored() {
    let mut search = Ddmin::new(8);
    let proposed = propose(&mut search, 3);
    search.answer(proposed[0].0, true);
    let late = search.answer(proposed[2].0, true);
    assert!(late.accepted.is_none() && late.void.is_empty());

    let again = propose(&mut search, 2);
    search.answer(again[1].0, false);
    let changed = search.answer(again[1].0, true);
    assert!(changed.accepted.is_none() && changed.void.is_empty());
    let settled = search.answer(again[0].0, false);
    assert!(settled.accepted.is_none() && settled.void.is_empty());
}

#[test]
fn subsets_stay_as_they_are_when_the_search_goes_on() {
    let mut search = Ddmin::new(8);
    let proposed = propose(&mut search, 2);
    search.answer(proposed[0].0, false);
    search.answer(proposed[1].0, true);
    let (_, next) = search.propose().unwrap();
    assert_eq!(proposed[0].1.kept().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(next.removed().collect::<Vec<_>>(), [0, 1, 2, 3, 6, 7]);
    assert_eq!(next.newly_removed().collect::<Vec<_>>(), [6, 7]);
}
