use slotmap::{SecondaryMap, SlotMap};

#[test]
fn who_comes_later_takes_the_place_of_who_left() {
    let mut players = SlotMap::new();
    let mut scores = SecondaryMap::new();
    let bob = players.insert(());
    scores.insert(bob, 4);
    players.remove(bob);
    let eve = players.insert(());
    scores.entry(eve).unwrap().or_insert(40);
    assert_eq!(scores.len(), 1);
}
