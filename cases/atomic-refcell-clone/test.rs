//! A board that several threads look at, with views that may be cloned and narrowed.

use atomic_refcell::{AtomicRef, AtomicRefCell};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Todo,
    Doing,
    Done,
}

#[derive(Debug, Default)]
struct Board {
    cards: AtomicRefCell<BTreeMap<&'static str, Column>>,
    log: AtomicRefCell<Vec<String>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    InUse,
    NoSuchCard,
    NotNext { from: Column, to: Column },
}

/// All cards, for as long as it lives.
struct View<'a> {
    cards: AtomicRef<'a, BTreeMap<&'static str, Column>>,
}

impl<'a> View<'a> {
    fn count(&self, column: Column) -> usize {
        self.cards
            .values()
            .filter(|&&other| other == column)
            .count()
    }

    fn card(self, name: &str) -> AtomicRef<'a, Column> {
        AtomicRef::map(self.cards, |cards| &cards[name])
    }
}

impl Clone for View<'_> {
    fn clone(&self) -> Self {
        View {
            cards: AtomicRef::clone(&self.cards),
        }
    }
}

impl Board {
    fn with(names: &[&'static str]) -> Self {
        let board = Board::default();
        let mut cards = board.cards.borrow_mut();
        cards.extend(names.iter().map(|&name| (name, Column::Todo)));
        drop(cards);
        board
    }

    fn view(&self) -> View<'_> {
        View {
            cards: self.cards.borrow(),
        }
    }

    fn advance(&self, name: &str, to: Column) -> Result<(), Refusal> {
        let mut cards = self.cards.try_borrow_mut().map_err(|_| Refusal::InUse)?;
        let column = cards.get_mut(name).ok_or(Refusal::NoSuchCard)?;
        let from = *column;
        match (from, to) {
            (Column::Todo, Column::Doing) | (Column::Doing, Column::Done) => *column = to,
            (Column::Doing, Column::Todo) => *column = to,
            _ => return Err(Refusal::NotNext { from, to }),
        }
        self.log
            .borrow_mut()
            .push(format!("{name}: {from:?} to {to:?}"));
        Ok(())
    }
}

mod moves {
    use super::*;

    #[test]
    fn a_card_goes_from_column_to_column() {
        let board = Board::with(&["paint", "sand"]);
        assert_eq!(board.advance("sand", Column::Doing), Ok(()));
        assert_eq!(board.advance("sand", Column::Done), Ok(()));
        let refusal = Refusal::NotNext {
            from: Column::Todo,
            to: Column::Done,
        };
        assert_eq!(board.advance("paint", Column::Done), Err(refusal));
        assert_eq!(
            board.advance("glue", Column::Done),
            Err(Refusal::NoSuchCard)
        );
        let log = board.log.borrow();
        assert_eq!(*log, ["sand: Todo to Doing", "sand: Doing to Done"]);
    }
}

mod views {
    use super::*;

    #[test]
    fn many_threads_count_at_the_same_time() {
        let board = Board::with(&["cut", "drill", "sand"]);
        board.advance("drill", Column::Doing).unwrap();
        let counts: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| board.view().count(Column::Todo)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(counts, [2, 2, 2, 2]);
    }

    #[test]
    fn a_view_that_was_cloned_keeps_the_board_from_changing() {
        let board = Board::with(&["cut", "drill", "sand", "paint"]);
        board.advance("cut", Column::Doing).unwrap();
        board.advance("cut", Column::Done).unwrap();
        board.advance("drill", Column::Doing).unwrap();

        let overview = board.view();
        assert_eq!(overview.count(Column::Todo), 2);
        assert_eq!(board.advance("sand", Column::Doing), Err(Refusal::InUse));

        let drill = overview.clone().card("drill");
        assert_eq!(*drill, Column::Doing);
        assert_eq!(overview.count(Column::Done), 1);
        drop(overview);
        assert_eq!(board.advance("drill", Column::Done), Err(Refusal::InUse));

        drop(drill);
        assert_eq!(board.advance("drill", Column::Done), Ok(()));
        assert_eq!(board.view().count(Column::Done), 2);
    }
}
