#!/bin/sh
# One would expect `--remap-path-prefix` to be about the paths that a program has in it, and `cargo fix` to apply the suggestions which it counts, or to end
# with an error where it cannot.
#
# Instead, with the option in `RUSTFLAGS`, as reproducible builds have it, `cargo fix` changes nothing, prints the warnings, tells to "run `cargo fix` to apply
# 1 suggestion", and ends with 0. The option also changes the names of files in rustc's messages, JSON included: they name a file that does not exist, and
# cargo passes over what it cannot read. In the same call, the list of dependencies has the true names. Whoever looks up the lines of a message in its file
# has to know the option.
#
# Version: cargo and rustc 1.95.0. Source: found by running it; rustc's book says of the option that it is for "all output, including compiler diagnostics".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
mkdir src
printf '[package]\nname = "remapped"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > Cargo.toml
for flags in '--remap-path-prefix src=/build' '-C debuginfo=1'; do
    echo 'pub fn one() -> u8 { let mut number = 1; number }' > src/lib.rs
    status=0
    RUSTFLAGS=$flags cargo +1.95.0 fix --lib --allow-no-vcs > said 2>&1 || status=$?
    echo "$flags: status $status"
    grep -o 'run `cargo fix[^`]*` to apply.*)\|Fixed .*\|--> .*' said || true
    cat src/lib.rs
done > out
rustc +1.95.0 --remap-path-prefix src=/build --edition 2024 --crate-type lib --emit metadata=made.rmeta,dep-info=made.d src/lib.rs
grep -o 'src/lib.rs:' made.d >> out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is fixed' >&2; exit 1; }
--remap-path-prefix src=/build: status 0
--> /build/lib.rs:1:26
run `cargo fix --lib -p remapped` to apply 1 suggestion)
pub fn one() -> u8 { let mut number = 1; number }
-C debuginfo=1: status 0
Fixed src/lib.rs (1 fix)
pub fn one() -> u8 { let number = 1; number }
src/lib.rs:
SEEN
