//! Writes the module that is appended to the crate root and reads which mutant is on.
//!
//! It names everything from its own `extern crate std`, so that it works in crates without `std`,
//! without a prelude, and in all editions. It has no unsafe code and nothing public, but for what macros ask. While a thread is
//! in it, that thread's switches are off: what the module calls may be an allocator with switches.

use crate::reach::Reach;
use std::ops::Range;

/// The path of the module that reads which mutant is on. `crate` is the crate root in all editions.
pub(crate) const MODULE: &str = "crate::__reduce_mutants";
/// The path of that module in the output of a macro, which may be in another crate.
pub(crate) const MODULE_IN_MACROS: &str = "$crate::__reduce_mutants";

/// The attributes that silence lints about switches: about their expressions, and about overflow in what a mutant calculates.
const ALLOW: &str = "#![allow(warnings, arithmetic_overflow, overflowing_literals, \
     unconditional_panic, static_mut_refs)] ";

/// The features of the compiler that the module needs if its functions are `const`.
const FEATURES: &str = "#![feature(core_intrinsics, const_eval_select)] ";

/// Returns the attributes that are put before the first item of the crate root.
pub(crate) fn attributes(reach: Reach) -> String {
    match reach {
        Reach::Plain => ALLOW.to_owned(),
        Reach::Constant | Reach::MacroOperators | Reach::Macros => format!("{FEATURES}{ALLOW}"),
    }
}

/// Returns the text of the module that reads which mutant is on, for mutants of these numbers.
pub(crate) fn module(numbers: Range<u32>, reach: Reach) -> String {
    let question = match reach {
        Reach::Plain => QUESTION,
        Reach::Constant | Reach::MacroOperators | Reach::Macros => CONSTANT_QUESTION,
    };
    // The output of macros in other crates uses the module too, so that it is public there.
    let (keywords, visibility) = match reach {
        Reach::Plain | Reach::Constant => ("mod", "pub(crate)"),
        Reach::MacroOperators | Reach::Macros => ("#[doc(hidden)] pub mod", "pub"),
    };
    TEXT.replace("THE_QUESTION", question)
        .replace("THE_KEYWORDS", keywords)
        .replace("THE_VISIBILITY", visibility)
        .replace("FIRST_NUMBER", &numbers.start.to_string())
        .replace("END_NUMBER", &numbers.end.to_string())
        .replace("SWITCH_COUNT", &numbers.len().to_string())
}

/// The source of the function that tells whether a mutant is on.
const QUESTION: &str = "
    #[inline(always)]
    THE_VISIBILITY fn on(number: u32) -> bool {
        is_on(number)
    }

    #[inline(always)]
    THE_VISIBILITY fn off(number: u32) -> bool {
        !on(number)
    }

    // The place of the mutant that is on among these, counted from 1; 0 where it is none of them.
    #[inline(always)]
    THE_VISIBILITY fn among(first: u32, count: u32) -> u32 {
        place_among(first, count)
    }";

/// The source of the function that tells `const` functions whether a mutant is on. Where the compiler evaluates them, none is on.
const CONSTANT_QUESTION: &str = "
    #[inline(always)]
    THE_VISIBILITY const fn on(number: u32) -> bool {
        const fn never(_: u32) -> bool {
            false
        }
        self::host::intrinsics::const_eval_select((number,), never, is_on)
    }

    #[inline(always)]
    THE_VISIBILITY const fn off(number: u32) -> bool {
        !on(number)
    }

    // The place of the mutant that is on among these, counted from 1; 0 where it is none of them.
    #[inline(always)]
    THE_VISIBILITY const fn among(first: u32, count: u32) -> u32 {
        const fn none(_: u32, _: u32) -> u32 {
            0
        }
        self::host::intrinsics::const_eval_select((first, count), none, place_among)
    }";

const TEXT: &str = r#"
THE_KEYWORDS __reduce_mutants {
    extern crate std as host;

    use self::host::cell::Cell;
    use self::host::io::Write as _;
    use self::host::option::Option::Some;
    use self::host::result::Result::Ok;
    use self::host::sync::atomic::{AtomicU32, AtomicU8};
    use self::host::sync::atomic::Ordering::{Acquire, Relaxed, Release};

    const UNREAD: u32 = !0;
    const UNPASSED: u8 = 0;
    const OFF: u8 = 1;
    const ON: u8 = 2;
    const NEW: AtomicU8 = AtomicU8::new(UNPASSED);

    // The number of the mutant, or that the variable was not read yet.
    static MUTANT: AtomicU32 = AtomicU32::new(UNREAD);
    // The answer of each switch, once it was passed. Code without optimisation calls a function for each access, so that there
    // is only one where a switch was passed before.
    static SAID: [AtomicU8; SWITCH_COUNT] = [NEW; SWITCH_COUNT];

    self::host::thread_local! {
        static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
    }

THE_QUESTION

    #[inline(always)]
    fn is_on(number: u32) -> bool {
        let said = SAID[(number - FIRST_NUMBER) as usize].load(Relaxed);
        said == ON || (said == UNPASSED && looked_up(number, 1) != 0)
    }

    // The answer of several that have one switch is that of the first.
    #[inline(always)]
    fn place_among(first: u32, count: u32) -> u32 {
        let said = SAID[(first - FIRST_NUMBER) as usize].load(Relaxed);
        if said == OFF { 0 } else { looked_up(first, count) }
    }

    #[cold]
    #[inline(never)]
    fn looked_up(first: u32, count: u32) -> u32 {
        if IS_INSIDE.try_with(|inside| inside.replace(true)).unwrap_or(true) {
            return 0;
        }
        if MUTANT.load(Acquire) == UNREAD {
            read();
        }
        let place = MUTANT.load(Relaxed).wrapping_sub(first).wrapping_add(1);
        let place = if place <= count { place } else { 0 };
        let said = if place != 0 { ON } else { OFF };
        if SAID[(first - FIRST_NUMBER) as usize].swap(said, Relaxed) == UNPASSED {
            record(first, count);
        }
        let _ = IS_INSIDE.try_with(|inside| inside.set(false));
        place
    }

    // Two threads may read at the same time: they read the same.
    fn read() {
        let text = self::host::env::var("CARGO_REDUCE_MUTANT").unwrap_or_default();
        let number = text.parse::<u32>().unwrap_or(0);
        let is_ours = number >= FIRST_NUMBER && number < END_NUMBER;
        MUTANT.store(if is_ours { number } else { 0 }, Release);
    }

    // The file is opened anew each time, so that the program has no descriptor that is not its own.
    fn record(first: u32, count: u32) {
        if let Some(path) = self::host::env::var_os("CARGO_REDUCE_MUTANTS_REACHED") {
            let file = self::host::fs::OpenOptions::new().append(true).create(true).open(path);
            if let Ok(mut file) = file {
                let mut number = first;
                while number < first + count {
                    let _ = file.write_all(&number.to_le_bytes());
                    number += 1;
                }
            }
        }
    }
}
"#;
