//! A game that players join and leave while it runs. What they have done is kept beside them.

use slotmap::secondary::Entry;
use slotmap::{new_key_type, SecondaryMap, SlotMap};

new_key_type! {
    struct PlayerId;
}

#[derive(Debug, Clone, PartialEq)]
struct Player {
    name: String,
    lives: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Score {
    points: u32,
    hits: u32,
}

#[derive(Debug, Clone, Copy)]
enum Event<'a> {
    Joins(&'a str),
    Scores(&'a str, u32),
    Hit { by: &'a str, whom: &'a str },
    Leaves(&'a str),
}

#[derive(Default)]
struct Game {
    players: SlotMap<PlayerId, Player>,
    scores: SecondaryMap<PlayerId, Score>,
    refused: Vec<String>,
}

impl Game {
    fn id(&self, name: &str) -> Option<PlayerId> {
        let mut players = self.players.iter();
        players.find(|(_, player)| player.name == name).map(|(id, _)| id)
    }

    fn change_score(&mut self, id: PlayerId, change: impl FnOnce(&mut Score)) -> bool {
        match self.scores.entry(id) {
            Some(Entry::Occupied(mut entry)) => change(entry.get_mut()),
            Some(Entry::Vacant(entry)) => change(entry.insert(Score::default())),
            None => return false,
        }
        true
    }

    fn handle(&mut self, event: Event<'_>) -> Result<(), String> {
        let find = |game: &Game, name: &str| game.id(name).ok_or(format!("who is {}?", name));
        match event {
            Event::Joins(name) => {
                if self.id(name).is_some() {
                    return Err(format!("{} is here already", name));
                }
                let name = name.to_string();
                self.players.insert(Player { name, lives: 2 });
            }
            Event::Scores(name, points) => {
                let id = find(self, name)?;
                self.change_score(id, |score| score.points += points);
            }
            Event::Hit { by, whom } => {
                let (by, whom) = (find(self, by)?, find(self, whom)?);
                self.change_score(by, |score| {
                    score.hits += 1;
                    score.points += 5;
                });
                let player = &mut self.players[whom];
                player.lives -= 1;
                if player.lives == 0 {
                    self.players.remove(whom);
                }
            }
            Event::Leaves(name) => {
                let id = find(self, name)?;
                self.players.remove(id);
            }
        }
        Ok(())
    }

    fn after(events: &[Event<'_>]) -> Self {
        let mut game = Game::default();
        game.go_on(events);
        game
    }

    fn go_on(&mut self, events: &[Event<'_>]) {
        for &event in events {
            if let Err(reason) = self.handle(event) {
                self.refused.push(reason);
            }
        }
    }

    fn table(&self) -> Vec<(&str, u32)> {
        let mut table: Vec<(&str, u32)> = self
            .players
            .iter()
            .map(|(id, player)| {
                let score = self.scores.get(id).copied().unwrap_or_default();
                (player.name.as_str(), score.points)
            })
            .collect();
        table.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        table
    }

    /// Points per player of those who have any, rounded down.
    fn average(&self) -> Option<u32> {
        let sum: u32 = self.scores.values().map(|score| score.points).sum();
        sum.checked_div(self.scores.len() as u32)
    }
}

const START: [Event<'static>; 3] = [
    Event::Joins("ann"),
    Event::Joins("bob"),
    Event::Joins("cy"),
];

#[test]
fn nobody_has_points_at_first() {
    let game = Game::after(&START);
    assert_eq!(game.table(), [("ann", 0), ("bob", 0), ("cy", 0)]);
    assert_eq!(game.average(), None);
}

#[test]
fn who_is_hit_twice_is_out() {
    let hit = Event::Hit {
        by: "bob",
        whom: "cy",
    };
    let mut game = Game::after(&START);
    game.go_on(&[hit, Event::Scores("ann", 7), hit, hit]);
    assert_eq!(game.table(), [("bob", 10), ("ann", 7)]);
    assert_eq!(game.refused, ["who is cy?"]);
    assert_eq!(game.average(), Some(8));
}

#[test]
fn a_name_is_taken_only_once() {
    let mut game = Game::after(&START);
    game.go_on(&[Event::Joins("ann"), Event::Leaves("ann"), Event::Joins("ann")]);
    assert_eq!(game.refused, ["ann is here already"]);
    assert_eq!(game.players.len(), 3);
}

#[test]
fn a_key_of_somebody_that_left_is_worth_nothing() {
    let mut game = Game::after(&START);
    let bob = game.id("bob").unwrap();
    game.go_on(&[Event::Leaves("bob"), Event::Joins("dee")]);
    assert!(game.players.get(bob).is_none());
    let dee = game.id("dee").unwrap();
    assert!(game.change_score(dee, |score| score.points = 3));
    assert!(!game.change_score(bob, |score| score.points = 99));
    assert_eq!(game.table()[0], ("dee", 3));
}

#[test]
fn who_comes_later_takes_the_place_of_who_left() {
    let mut game = Game::after(&START);
    game.go_on(&[Event::Scores("ann", 20), Event::Scores("bob", 4)]);
    game.go_on(&[Event::Hit {
        by: "cy",
        whom: "ann",
    }]);
    assert_eq!(game.table(), [("ann", 20), ("cy", 5), ("bob", 4)]);
    assert_eq!(game.average(), Some(9));

    game.go_on(&[Event::Leaves("bob"), Event::Joins("eve")]);
    assert!(game.refused.is_empty());
    assert_eq!(game.table().last(), Some(&("eve", 0)));
    game.go_on(&[Event::Scores("eve", 40), Event::Scores("cy", 5)]);
    assert_eq!(game.table(), [("eve", 40), ("ann", 20), ("cy", 10)]);
    assert_eq!(game.average(), Some(23));
}
