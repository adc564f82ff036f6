//! The programs that are compiled: ordinary code of any length, with or without what crashes rustc
//! 1.95 at its end, or with a mistake there.

use std::fmt::Write;
use std::sync::Arc;

/// Ordinary items, separated by empty lines. `@` stands for a number, so that they can be there more
/// than once; some use those before them.
const ITEMS: &str = include_str!("items.txt");

/// The trigger of `fixtures/ice-library`, as it is when it is reduced.
const TRIGGER: &str = "\
trait Ledger {}
trait Exchange { type Settled; }
impl Exchange for <dyn Ledger as Exchange>::Settled { type Settled = (); }
";

/// The end of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// Code that crashes rustc.
    Crash,
    /// No more code: the program compiles.
    Nothing,
    /// A call of a function that is not defined. rustc holds this error back until it has checked the
    /// types of the caller.
    UnknownFunction,
    /// A type that is not defined.
    UnknownType,
    /// A value of another type.
    WrongType,
    /// A parenthesis that is not closed.
    Unparsable,
}

impl Last {
    /// Returns the name for a cell of a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Nothing => "compiles",
            Self::UnknownFunction => "unresolved function",
            Self::UnknownType => "unresolved type",
            Self::WrongType => "type error",
            Self::Unparsable => "syntax error",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Crash => TRIGGER,
            Self::Nothing => "",
            Self::UnknownFunction => "pub fn last() -> usize { parcel_count() }\n",
            Self::UnknownType => "pub fn last(_: Parcels) -> usize { 0 }\n",
            Self::WrongType => "pub fn last() -> usize { \"none\" }\n",
            Self::Unparsable => "pub fn last( -> usize { 0 }\n",
        }
    }
}

/// Two programs of so many lines. They are asked in turn, so that the file is written each time, as it
/// is for a candidate. One item stands first in one and behind the others in the other: all that is
/// between has moved, as it has where an item was removed, which decides what an incremental compiler
/// can use again.
pub(crate) type Pair = [Arc<str>; 2];

/// Makes a pair of programs of so many lines that end with `last`.
pub(crate) fn pair(lines: usize, last: Last) -> Pair {
    pair_with("", lines, last)
}

/// Makes a pair as [`pair`] does, with these lines at its beginning.
pub(crate) fn pair_with(first: &str, lines: usize, last: Last) -> Pair {
    let fixed = 1 + first.lines().count() + last.text().lines().count();
    let ordinary = ordinary(lines.saturating_sub(fixed));
    let (item, end) = ("pub const MOVED: u32 = 0;\n", last.text());
    let texts = [
        format!("{item}{first}{ordinary}{end}"),
        format!("{first}{ordinary}{item}{end}"),
    ];
    texts.map(Arc::from)
}

/// Returns ordinary code of so many lines.
pub(crate) fn ordinary(lines: usize) -> String {
    let items: Vec<&str> = ITEMS.trim_end().split("\n\n").collect();
    let mut text = String::new();
    let mut left = lines;
    for nth in 0.. {
        let item = items[nth % items.len()];
        let size = item.lines().count() + 1;
        if size > left {
            break;
        }
        let number = (nth / items.len()).to_string();
        text += &format!("{item}\n\n").replace('@', &number);
        left -= size;
    }
    for nth in 0..left {
        writeln!(text, "pub const LIMIT_{nth}: usize = {nth};").expect("a string takes all");
    }
    text
}
