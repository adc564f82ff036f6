//! Units of measure for floor plans. Macros make a type with its operators for each unit.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Div, Mul, Sub};
use std::str::FromStr;

/// A unit: a new type around a number, with what all of them can do.
macro_rules! unit {
    ($(#[$meta:meta])* $name:ident, $symbol:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(pub f64);

        impl $name {
            pub const SYMBOL: &'static str = $symbol;

            pub fn max(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            pub fn is_positive(self) -> bool {
                self.0 > 0.0
            }
        }

        impl Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                $name(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;

            fn sub(self, other: Self) -> Self {
                $name(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;

            fn mul(self, factor: f64) -> Self {
                $name(self.0 * factor)
            }
        }

        impl Div for $name {
            type Output = f64;

            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:.2} {}", self.0, Self::SYMBOL)
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold($name(0.0), |sum, each| sum + each)
            }
        }

        impl FromStr for $name {
            type Err = UnitError;

            fn from_str(text: &str) -> Result<Self, UnitError> {
                let number = text.strip_suffix(Self::SYMBOL);
                let number = number.ok_or(UnitError::Symbol(Self::SYMBOL))?;
                number.trim().parse().map($name).map_err(|_| UnitError::Number)
            }
        }
    };
}

/// What a product of two units is, and with it the quotients.
macro_rules! product {
    ($($a:ident * $b:ident = $c:ident;)*) => {
        $(
            impl Mul<$b> for $a {
                type Output = $c;

                fn mul(self, other: $b) -> $c {
                    $c(self.0 * other.0)
                }
            }

            impl Div<$a> for $c {
                type Output = $b;

                fn div(self, other: $a) -> $b {
                    $b(self.0 / other.0)
                }
            }
        )*
    };
}

/// Conversions that multiply by a constant.
macro_rules! convert {
    ($($from:ident => $to:ident: $factor:expr),* $(,)?) => {
        $(
            impl From<$from> for $to {
                fn from(value: $from) -> $to {
                    $to(value.0 * $factor)
                }
            }
        )*
    };
}

#[derive(Debug, Clone, PartialEq)]
pub enum UnitError {
    Symbol(&'static str),
    Number,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::Symbol(symbol) => write!(f, "`{symbol}` is missing"),
            UnitError::Number => f.write_str("this is not a number"),
        }
    }
}

unit!(
    /// A length.
    Meters,
    "m"
);
unit!(Feet, "ft");
unit!(SquareMeters, "m2");
unit!(CubicMeters, "m3");
unit!(Euros, "EUR");
unit!(
    /// What an area costs.
    EurosPerSquareMeter,
    "EUR/m2"
);

product! {
    Meters * Meters = SquareMeters;
    SquareMeters * Meters = CubicMeters;
    EurosPerSquareMeter * SquareMeters = Euros;
}

convert! {
    Feet => Meters: 0.3048,
    Meters => Feet: 1.0 / 0.3048,
}

macro_rules! rooms {
    ($($variant:ident => $name:literal),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum RoomKind {
            $($variant),+
        }

        impl RoomKind {
            pub const ALL: &'static [RoomKind] = &[$(RoomKind::$variant),+];

            pub fn name(self) -> &'static str {
                match self {
                    $(RoomKind::$variant => $name),+
                }
            }
        }
    };
}

rooms! {
    Kitchen => "kitchen",
    Bath => "bath room",
    Bedroom => "bed room",
    Hall => "hall",
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    pub kind: RoomKind,
    pub width: Meters,
    pub depth: Meters,
    pub ceiling: Meters,
}

impl Room {
    pub fn new(kind: RoomKind, width: impl Into<Meters>, depth: impl Into<Meters>) -> Self {
        Room { kind, width: width.into(), depth: depth.into(), ceiling: Meters(2.5) }
    }

    pub fn area(&self) -> SquareMeters {
        self.width * self.depth
    }

    pub fn volume(&self) -> CubicMeters {
        self.area() * self.ceiling
    }

    pub fn walls(&self) -> SquareMeters {
        (self.width + self.depth) * 2.0 * self.ceiling
    }
}

#[derive(Debug, Default)]
pub struct Prices {
    floors: BTreeMap<RoomKind, EurosPerSquareMeter>,
    paint: EurosPerSquareMeter,
}

impl Prices {
    pub fn new(paint: EurosPerSquareMeter) -> Self {
        Prices { paint, ..Prices::default() }
    }

    pub fn set(&mut self, kind: RoomKind, price: EurosPerSquareMeter) {
        self.floors.insert(kind, price);
    }

    fn floor(&self, kind: RoomKind) -> Option<EurosPerSquareMeter> {
        self.floors.get(&kind).copied()
    }
}

#[derive(Debug, Default)]
pub struct Plan {
    rooms: Vec<Room>,
}

impl Plan {
    pub fn room(&mut self, room: Room) -> &mut Self {
        self.rooms.push(room);
        self
    }

    pub fn area(&self) -> SquareMeters {
        self.rooms.iter().map(Room::area).sum()
    }

    pub fn volume(&self) -> CubicMeters {
        self.rooms.iter().map(Room::volume).sum()
    }

    pub fn widest(&self) -> Meters {
        let widths = self.rooms.iter().map(|room| room.width);
        widths.fold(Meters::default(), Meters::max)
    }

    /// What paint and floors cost together.
    pub fn cost(&self, prices: &Prices) -> Option<Euros> {
        let mut total = Euros(0.0);
        for room in &self.rooms {
            let floor = prices.floor(room.kind)? * room.area();
            let paint = room.walls() * prices.paint;
            total = total + floor + paint;
        }
        Some(total)
    }

    pub fn share(&self, kind: RoomKind) -> f64 {
        let rooms = self.rooms.iter().filter(|room| room.kind == kind);
        rooms.map(Room::area).sum::<SquareMeters>() / self.area()
    }

    pub fn table(&self) -> String {
        let mut table = String::new();
        for &kind in RoomKind::ALL {
            let share = self.share(kind) * 100.0;
            table.push_str(&format!("{:<10} {share:>5.1} %\n", kind.name()));
        }
        table.push_str(&format!("{} in all, {}\n", self.area(), self.volume()));
        table
    }
}

/// Reads a room from a line such as `4m x 12.5ft`.
pub fn parse_room(kind: RoomKind, line: &str) -> Result<Room, UnitError> {
    let (width, depth) = line.split_once('x').ok_or(UnitError::Number)?;
    let width = width.trim().parse::<Meters>()?;
    let depth = match depth.trim().parse::<Feet>() {
        Ok(feet) => Meters::from(feet),
        Err(_) => depth.trim().parse()?,
    };
    Ok(Room::new(kind, width, depth))
}

pub fn flat() -> Plan {
    let mut plan = Plan::default();
    plan.room(Room::new(RoomKind::Kitchen, Meters(3.2), Meters(4.0)))
        .room(Room::new(RoomKind::Bath, Feet(7.0), Feet(9.5)))
        .room(Room::new(RoomKind::Hall, Meters(1.4), Feet(20.0)));
    plan
}
