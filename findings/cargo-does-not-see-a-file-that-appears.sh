#!/bin/sh
# One would expect cargo to check again whatever a new file changes: rustc and clippy tell it which files they have read, and a file that is changed or
# removed later is noticed at once.
#
# What happens: a file that was looked for, and was not there, is in no list. A `clippy.toml` that is added changes nothing in a package that was checked
# before: `cargo clippy` says that all is finished, without the new warnings, until a source is touched. Once it was read, a change of it and its removal are
# seen. So is it with modules: beside `part.rs` a new `part/mod.rs` is an error (E0761), which nobody is told of where the crate was compiled before. Others
# see both in a fresh clone.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21) and clippy 0.1.95. Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS CLIPPY_CONF_DIR CLIPPY_ARGS || true
cd "$dir"
mkdir src
printf '[package]\nname = "checked"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > Cargo.toml
cat > src/lib.rs <<'RUST'
mod part;
pub fn sum(first: u8, second: u8, third: u8) -> u8 {
    part::one() + first + second + third
}
RUST
echo 'pub fn one() -> u8 { 1 }' > src/part.rs
run() {
    printf '%s: ' "$1"
    cargo +1.95.0 "$2" > log 2>&1 || true
    echo $(sed -n 's/^ *\(Checking\|Finished\).*/\1/p; s/^warning: \(this function.*\)/\1/p; s/^error\[\(.*\)\].*/\1/p' log)
}
{
    run 'without clippy.toml' clippy
    echo 'too-many-arguments-threshold = 2' > clippy.toml
    run 'with it' clippy
    sleep 1
    touch src/lib.rs
    run 'a source is touched' clippy
    sleep 1
    echo 'too-many-arguments-threshold = 3' > clippy.toml
    run 'it is changed' clippy
    rm clippy.toml
    run 'it is removed' clippy
    run 'one file' check
    mkdir src/part
    cp src/part.rs src/part/mod.rs
    run 'two files' check
    rm -rf target
    run 'two files, a fresh clone' check
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other changes are noticed' >&2; exit 1; }
without clippy.toml: Checking Finished
with it: Finished
a source is touched: Checking this function has too many arguments (3/2) Finished
it is changed: Checking Finished
it is removed: Checking Finished
one file: Checking Finished
two files: Finished
two files, a fresh clone: Checking E0761
SEEN
