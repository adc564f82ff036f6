#!/bin/sh
# One would expect the line that a panic message names and the line of the same place in its backtrace to be one line: the frame below the functions of the
# panic itself is where the panic began.
#
# Instead, they differ in a macro of the user's own. The message (as `Location::caller()` and `line!()`) names the outermost call of a macro, and the
# backtrace, which is read from the debug information, the line in the definition. A frame of the message's line does not exist at all. For macros of other
# crates, `assert!` among them, both name the call, unless `-C collapse-macro-debuginfo` says otherwise: `yes` makes the two agree.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `span_as_caller_location` in compiler/rustc_middle/src/mir/consts.rs takes the
# `expansion_cause`, and debug information goes by `collapse_debuginfo`, whose default is `external`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > lines.rs <<'RUST'
macro_rules! check {
    ($number:expr) => {
        assert!(
            $number < 3,
            "too large",
        );
    };
}
fn main() {
    let number = std::env::args().count() + 4;

    check!(number);
}
RUST
lines() {
    rustc +1.95.0 --edition 2024 -g "$@" lines.rs
    ! RUST_BACKTRACE=1 ./lines 2> err || { echo 'no panic' >&2; exit 1; }
    message=$(sed -n 's/^thread .* panicked at lines.rs:\([0-9]*\):.*/\1/p' err)
    frame=$(sed -n '/: lines::main$/{n;s/.*lines.rs:\([0-9]*\):.*/\1/p;}' err)
    echo "message $message, frame $frame"
}
usual=$(lines)
collapsed=$(lines -C collapse-macro-debuginfo=yes)
echo "usually: $usual; with collapse-macro-debuginfo=yes: $collapsed"
[ "$usual" = 'message 12, frame 3' ] || { echo 'changed: other lines' >&2; exit 1; }
[ "$collapsed" = 'message 12, frame 12' ] || { echo 'changed: other lines with the option' >&2; exit 1; }
