//! A pond with fish and algae, step by step. Cells are locked one row at a time.

use std::cell::{Cell, UnsafeCell};
use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// A random number generator that needs no crate (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn seeded(seed: u64) -> Random {
        Random(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub row: usize,
    pub column: usize,
}

impl Position {
    fn neighbours(self, rows: usize, columns: usize) -> impl Iterator<Item = Position> {
        let steps = [(0, 1), (1, 0), (0, columns - 1), (rows - 1, 0)];
        steps.into_iter().map(move |(down, right)| Position {
            row: (self.row + down) % rows,
            column: (self.column + right) % columns,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum Water {
    #[default]
    Clear,
    Algae(u8),
    Fish {
        energy: i32,
        age: u32,
    },
}

impl Water {
    fn symbol(&self) -> char {
        match self {
            Water::Clear => '.',
            Water::Algae(0..=4) => '"',
            Water::Algae(_) => '#',
            Water::Fish { age: 0..=9, .. } => 'f',
            Water::Fish { .. } => 'F',
        }
    }
}

/// A row of cells.
#[derive(Debug, Default, Clone)]
pub struct Row {
    cells: Vec<Water>,
}

impl Row {
    fn clear(columns: usize) -> Self {
        Row { cells: vec![Water::Clear; columns] }
    }

    pub fn fish(&self) -> usize {
        let is_fish = |cell: &&Water| matches!(cell, Water::Fish { .. });
        self.cells.iter().filter(is_fish).count()
    }
}

impl Index<usize> for Row {
    type Output = Water;

    fn index(&self, column: usize) -> &Water {
        &self.cells[column]
    }
}

impl IndexMut<usize> for Row {
    fn index_mut(&mut self, column: usize) -> &mut Water {
        &mut self.cells[column]
    }
}

impl Index<Range<usize>> for Row {
    type Output = [Water];

    fn index(&self, columns: Range<usize>) -> &[Water] {
        &self.cells[columns]
    }
}

/// Something that one user at a time may change.
pub struct Gate<T> {
    is_open: Cell<bool>,
    inside: UnsafeCell<T>,
}

impl<T> Gate<T> {
    pub fn new(inside: T) -> Self {
        Gate { is_open: Cell::new(true), inside: UnsafeCell::new(inside) }
    }

    pub fn enter(&self) -> Visit<'_, T> {
        assert!(self.is_open.replace(false), "somebody is inside");
        Visit { gate: self }
    }

    pub fn try_enter(&self) -> Option<Visit<'_, T>> {
        self.is_open.get().then(|| self.enter())
    }
}

impl<T: fmt::Debug> fmt::Debug for Gate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_enter() {
            Some(visit) => f.debug_tuple("Gate").field(&*visit).finish(),
            None => f.write_str("Gate(..)"),
        }
    }
}

/// Opens the gate when it is dropped.
pub struct Visit<'g, T> {
    gate: &'g Gate<T>,
}

impl<T> Deref for Visit<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the gate is closed as long as the visit lasts.
        unsafe { &*self.gate.inside.get() }
    }
}

impl<T> DerefMut for Visit<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the gate is closed as long as the visit lasts, and nobody else has this one.
        unsafe { &mut *self.gate.inside.get() }
    }
}

impl<T> Drop for Visit<'_, T> {
    fn drop(&mut self) {
        self.gate.is_open.set(true);
    }
}

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Census {
    pub fish: usize,
    pub algae: usize,
}

impl std::ops::AddAssign<&Water> for Census {
    fn add_assign(&mut self, water: &Water) {
        match water {
            Water::Clear => {}
            Water::Algae(density) => self.algae += usize::from(*density),
            Water::Fish { .. } => self.fish += 1,
        }
    }
}

#[derive(Debug)]
pub struct Pond {
    rows: Vec<Gate<Row>>,
    columns: usize,
    random: Random,
    history: VecDeque<Census>,
}

impl Index<usize> for Pond {
    type Output = Gate<Row>;

    fn index(&self, row: usize) -> &Gate<Row> {
        &self.rows[row]
    }
}

impl Pond {
    const MEMORY: usize = 50;

    pub fn new(rows: usize, columns: usize, seed: u64) -> Self {
        let clear = || Gate::new(Row::clear(columns));
        Pond {
            rows: std::iter::repeat_with(clear).take(rows).collect(),
            columns,
            random: Random::seeded(seed),
            history: VecDeque::with_capacity(Self::MEMORY),
        }
    }

    fn somewhere(&mut self) -> Position {
        let row = self.random.below(self.rows.len());
        let column = self.random.below(self.columns);
        Position { row, column }
    }

    pub fn put(&mut self, water: Water) -> Position {
        let position = self.somewhere();
        self[position.row].enter()[position.column] = water;
        position
    }

    fn clear_neighbour(&self, of: Position) -> Option<Position> {
        let mut neighbours = of.neighbours(self.rows.len(), self.columns);
        neighbours.find(|p| self[p.row].enter()[p.column] == Water::Clear)
    }

    /// Moves the fish at a place, which eats what is there.
    fn swim(&mut self, from: Position) {
        let fish = std::mem::take(&mut self[from.row].enter()[from.column]);
        let Water::Fish { energy, age } = fish else {
            self[from.row].enter()[from.column] = fish;
            return;
        };
        if energy == 0 {
            return;
        }
        let to = self.clear_neighbour(from).unwrap_or(from);
        let energy = energy - 1;
        self[to.row].enter()[to.column] = Water::Fish { energy, age: age + 1 };
    }

    fn grow(&mut self) {
        for row in &self.rows {
            let mut row = row.enter();
            for column in 0..self.columns {
                if let Water::Algae(density) = &mut row[column] {
                    *density = density.saturating_add(1);
                } else if row[column] == Water::Clear && self.random.chance(3) {
                    row[column] = Water::Algae(1);
                }
            }
        }
    }

    /// Swaps a row with the next one, and returns how many fish are in its first cells.
    pub fn stir(&mut self, at: usize, width: usize) -> usize {
        let mut row = self[at].enter();
        let mut below = self[(at + 1) % self.rows.len()].enter();
        std::mem::swap(&mut *row, &mut *below);
        let first = &row[0..width];
        drop(row);
        first.iter().filter(|cell| cell.symbol() == 'F').count()
    }

    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for row in &self.rows {
            for water in &row.enter().cells {
                census += water;
            }
        }
        census
    }

    pub fn step(&mut self) {
        self.grow();
        for row in 0..self.rows.len() {
            for column in 0..self.columns {
                self.swim(Position { row, column });
            }
        }
        if self.history.len() == Self::MEMORY {
            self.history.pop_front();
        }
        let census = self.census();
        self.history.push_back(census);
    }

    pub fn is_stable(&self) -> bool {
        let mut last = self.history.iter().rev().take(3);
        let Some(newest) = last.next() else {
            return false;
        };
        last.all(|census| census == newest)
    }
}

impl fmt::Display for Pond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            row.enter().cells.iter().try_for_each(|water| f.write_char(water.symbol()))?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

pub fn run(seed: u64) -> Pond {
    let mut pond = Pond::new(20, 60, seed);
    for age in 0..30 {
        pond.put(Water::Fish { energy: 12, age });
    }
    while !pond.is_stable() {
        pond.step();
        pond.stir(3, 10);
    }
    pond
}
