#!/usr/bin/env bash
# One would expect the payload of a panic to be a `&'static str` for a message without arguments, and a `String` for one with arguments, as it has to be
# formatted; so that code which knows its own `panic!("value {}", ..)` catches it and asks for a `String`.
#
# Instead, the type depends on how the arguments are written. A text, or a whole number without a sign, that is written there as it is becomes a part of the
# message when it is compiled, and the payload is a `&str`; so it is with what `line!()`, `stringify!` and another `format_args!` give. A constant of the same
# value, `true`, `-1` and `1.5` make a `String`. A sole `"{}"` makes a `String` even of a literal. Of the standard messages, an overflow and `unwrap` of `None`
# give a `&str`, and `expect` of `None` and an index that is too great give a `String`. A harness that looks for one of the types loses messages as soon as
# somebody replaces a number by a name; `payload_as_str` looks for both.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), with and without optimisation. Source: `flatten_format_args` and `inline_literals` in
# compiler/rustc_ast_lowering/src/format.rs, and `begin_panic_handler` in library/std/src/panicking.rs, which asks `Arguments::as_str`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
cat > main.rs <<'RUST'
use std::hint::black_box;
use std::panic::{catch_unwind, set_hook};

const FIVE: u8 = 5;
const TEXT: &str = "text";

macro_rules! kinds {
    ($($what:expr;)*) => {
        $(
            let payload = catch_unwind(|| { let _ = $what; }).unwrap_err();
            let kind = if payload.is::<&'static str>() { "&str" } else if payload.is::<String>() { "String" } else { "other" };
            println!("{}: {kind}", stringify!($what));
        )*
    };
}

fn main() {
    set_hook(Box::new(|_| {}));
    let (none, five) = (black_box(None::<u8>), black_box(5));
    kinds! {
        panic!("text");
        panic!("value {}", 5);
        panic!("value {}", 0x1f);
        panic!("value {}", "text");
        panic!("value {}", line!());
        panic!("value {}", stringify!(text));
        panic!("value {}", format_args!("text {}", 5));
        panic!("value {}", FIVE);
        panic!("value {}", TEXT);
        panic!("value {}", -1);
        panic!("value {}", 1.5);
        panic!("value {}", true);
        panic!("value {:?}", "text");
        panic!("value {:2}", 5);
        panic!("{}", "text");
        todo!("value {}", 5);
        todo!("value {}", FIVE);
        none.unwrap();
        none.expect("text");
        [1, 2][five];
        255 + black_box(1u8);
    }
}
RUST
rustc +1.95.0 --edition 2024 -A unconditional_panic -A arithmetic_overflow main.rs -o main
rustc +1.95.0 --edition 2024 -A unconditional_panic -A arithmetic_overflow -O -C overflow-checks=on main.rs -o optimised
./main > out
./optimised | cmp - out || { echo 'changed: optimisation makes a difference' >&2; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other types' >&2; exit 1; }
panic!("text"): &str
panic!("value {}", 5): &str
panic!("value {}", 0x1f): &str
panic!("value {}", "text"): &str
panic!("value {}", line!()): &str
panic!("value {}", stringify!(text)): &str
panic!("value {}", format_args!("text {}", 5)): &str
panic!("value {}", FIVE): String
panic!("value {}", TEXT): String
panic!("value {}", -1): String
panic!("value {}", 1.5): String
panic!("value {}", true): String
panic!("value {:?}", "text"): String
panic!("value {:2}", 5): String
panic!("{}", "text"): String
todo!("value {}", 5): &str
todo!("value {}", FIVE): String
none.unwrap(): &str
none.expect("text"): String
[1, 2][five]: String
255 + black_box(1u8): &str
SEEN
