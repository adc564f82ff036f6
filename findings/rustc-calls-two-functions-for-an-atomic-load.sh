#!/bin/sh
# One would expect a relaxed load of an atomic to be one instruction in a debug build too: the method is a thin wrapper of an intrinsic, in a standard library
# that was compiled with optimisation, and the ordering is a constant.
#
# What happens: the crate that loads gets copies of both functions of `core` on the way, without optimisation. `AtomicU32::load` is called, and calls
# `atomic_load`, which looks at the ordering at run time. So a counter or a switch that is read in a loop costs two calls each time, where a plain static
# costs none. `#[inline(always)]` holds without optimisation, but the methods of atomics have `#[inline]`, as has
# `Cell::get`.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: found in a profile of a program; `library/core/src/sync/atomic.rs` has `#[inline]` at `load` and
# `atomic_load`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > lib.rs <<'RUST'
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

static SWITCH: AtomicU32 = AtomicU32::new(0);

#[unsafe(no_mangle)]
pub fn of_atomic() -> u32 {
    SWITCH.load(Ordering::Relaxed)
}

#[unsafe(no_mangle)]
pub fn of_cell(cell: &Cell<u32>) -> u32 {
    cell.get()
}

#[inline(always)]
fn always() -> u32 {
    7
}

#[unsafe(no_mangle)]
pub fn of_always() -> u32 {
    always()
}
RUST
# The calls in the first function whose label matches.
calls() {
    awk -v label="$1" '
        !inside && $0 ~ "^[^ \t.]*" label ".*:$" { inside = 1; next }
        inside && /^\t*\.?Lfunc_end|cfi_endproc/ { exit }
        inside && /^[ \t]+(callq?|bl)[ \t]/ { n++ }
        END { print n + 0 }' lib.s
}
{
    for level in 0 1; do
        rustc +1.95.0 --edition 2024 --crate-type lib --emit asm -C opt-level=$level lib.rs
        echo "opt-level $level"
        for function in of_atomic of_cell of_always; do
            echo "    calls in $function: $(calls $function)"
        done
        echo "    copies of \`AtomicU32::load\`: $(grep -c '^[^ ]*AtomicU32.*load.*:$' lib.s || true), of \`atomic_load\`: $(grep -c '^[^ ]*atomic_load.*:$' lib.s || true)"
    done
} > seen
cat seen
cmp -s seen - <<'SEEN' || { echo 'changed' >&2; exit 1; }
opt-level 0
    calls in of_atomic: 1
    calls in of_cell: 1
    calls in of_always: 0
    copies of `AtomicU32::load`: 1, of `atomic_load`: 1
opt-level 1
    calls in of_atomic: 0
    calls in of_cell: 0
    calls in of_always: 0
    copies of `AtomicU32::load`: 0, of `atomic_load`: 0
SEEN
