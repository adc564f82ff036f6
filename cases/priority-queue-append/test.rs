//! A clinic in which patients wait in several rooms, by urgency and then by time.

use priority_queue::PriorityQueue;
use std::cmp::Reverse;
use std::fmt::{self, Display};
use std::hash::Hash;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Routine,
    Urgent,
    Emergency,
}

type Rank = (Urgency, Reverse<u32>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Event<P> {
    Arrives(P, Urgency),
    Worsens(P),
    Leaves(P),
    Called,
}

struct Room<P: Hash + Eq> {
    waiting: PriorityQueue<P, Rank>,
    clock: u32,
    seen: Vec<P>,
}

impl<P: Hash + Eq + Clone + Display> Room<P> {
    fn opened_at(clock: u32) -> Self {
        Room {
            waiting: PriorityQueue::new(),
            clock,
            seen: Vec::new(),
        }
    }

    fn handle(&mut self, event: Event<P>) -> Option<P> {
        self.clock += 1;
        match event {
            Event::Arrives(patient, urgency) => {
                self.waiting.push(patient, (urgency, Reverse(self.clock)));
                None
            }
            Event::Worsens(patient) => {
                self.waiting
                    .change_priority_by(&patient, |rank| rank.0 = Urgency::Emergency);
                None
            }
            Event::Leaves(patient) => self.waiting.remove(&patient).map(|(patient, _)| patient),
            Event::Called => {
                let (patient, _) = self.waiting.pop()?;
                self.seen.push(patient.clone());
                Some(patient)
            }
        }
    }

    fn run(&mut self, events: impl IntoIterator<Item = Event<P>>) -> &mut Self {
        for event in events {
            self.handle(event);
        }
        self
    }

    /// Takes over those who wait in another room, which closes.
    fn take_over(&mut self, mut other: Room<P>) {
        self.waiting.append(&mut other.waiting);
        self.clock = self.clock.max(other.clock);
    }

    fn see_all(&mut self) -> String {
        while self.handle(Event::Called).is_some() {}
        List(&self.seen).to_string()
    }
}

struct List<'a, P>(&'a [P]);

impl<P: Display> Display for List<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, patient) in self.0.iter().enumerate() {
            let comma = if idx == 0 { "" } else { ", " };
            write!(f, "{comma}{patient}")?;
        }
        Ok(())
    }
}

fn arrivals<'a>(names: &[&'a str], urgency: Urgency) -> Vec<Event<&'a str>> {
    names
        .iter()
        .map(|&name| Event::Arrives(name, urgency))
        .collect()
}

#[test]
fn who_comes_first_is_seen_first() {
    let mut room = Room::opened_at(0);
    room.run(arrivals(&["ann", "bob", "cy"], Urgency::Routine));
    assert_eq!(room.see_all(), "ann, bob, cy");
}

#[test]
fn an_emergency_is_seen_before_all_others() {
    let mut room = Room::opened_at(800);
    room.run(arrivals(&["ann", "bob"], Urgency::Routine));
    room.run(arrivals(&["dee"], Urgency::Urgent));
    room.run([Event::Worsens("bob")]);
    assert_eq!(room.see_all(), "bob, dee, ann");
}

#[test]
fn who_leaves_is_not_called() {
    let mut room = Room::opened_at(0);
    room.run(arrivals(&["ann", "bob", "cy", "dee"], Urgency::Urgent));
    assert_eq!(room.handle(Event::Leaves("cy")), Some("cy"));
    assert_eq!(room.handle(Event::Leaves("cy")), None);
    assert_eq!(room.see_all(), "ann, bob, dee");
}

#[test]
fn patients_of_two_rooms_are_seen_in_order() {
    let mut east = Room::opened_at(100);
    east.run(arrivals(&["ann", "bob", "cy", "dee"], Urgency::Routine));
    east.run([Event::Called, Event::Leaves("dee")]);
    let mut west = Room::opened_at(120);
    west.run(arrivals(&["eve"], Urgency::Routine));
    west.run(arrivals(&["flo"], Urgency::Emergency));
    assert_eq!(List(&east.seen).to_string(), "ann");
    east.take_over(west);
    assert_eq!(east.waiting.len(), 4);
    assert_eq!(east.see_all(), "ann, flo, bob, cy, eve");
}
