#!/bin/sh
# One would expect `cargo doc` to write the documentation anew whenever a file that it is made of has changed, as `cargo check`, `build` and `test` do with a
# file that is read by `include_str!`, wherever it lies.
#
# What happens: `cargo doc` does not ask rustdoc which files it has read, and looks at the time of all files of the package. A README above the package, which
# is where that of a workspace lies (`#![doc = include_str!("../../README.md")]`), is none of them: the page keeps its old text, cargo says that all is
# finished, and only the change of a file in the package, or `cargo clean --doc`, brings the new one. A README in the package is noticed. On the other hand,
# each file of the package counts, also one that nobody reads: with it the documentation is made again.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21) and rustdoc 1.95.0. Source: found by running it; cargo's unstable option `-Z rustdoc-depinfo` is to end this.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS RUSTDOCFLAGS || true
cd "$dir"
mkdir -p package/src
cd package
printf '[package]\nname = "documented"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > Cargo.toml
cat > src/lib.rs <<'RUST'
#![doc = include_str!("../../ABOVE.md")]
#![doc = include_str!("../INSIDE.md")]
RUST
echo 'above: first' > ../ABOVE.md
echo 'inside: first' > INSIDE.md
echo 'nobody reads this' > other.txt
run() {
    cargo +1.95.0 "$2" > ../log 2>&1 || { cat ../log >&2; exit 1; }
    printf '%s, cargo %s:' "$1" "$2"
    echo '' $(sed -n 's/^ *\(Documenting\|Checking\).*/\1/p' ../log) $(grep -oE '(above|inside): [a-z]*' target/doc/documented/index.html | sort -u)
}
{
    run 'at first' doc
    run 'at first' check
    sleep 1
    echo 'above: second' > ../ABOVE.md
    run 'the file above is changed' doc
    run 'the file above is changed' check
    sleep 1
    echo 'inside: second' > INSIDE.md
    run 'the file inside is changed' doc
    sleep 1
    echo 'nobody reads that' > other.txt
    run 'another file is changed' doc
} > ../out
cat ../out
cmp -s ../out - <<'SEEN' || { echo 'changed: other files are noticed' >&2; exit 1; }
at first, cargo doc: Documenting above: first inside: first
at first, cargo check: Checking above: first inside: first
the file above is changed, cargo doc: above: first inside: first
the file above is changed, cargo check: Checking above: first inside: first
the file inside is changed, cargo doc: Documenting above: second inside: second
another file is changed, cargo doc: Documenting above: second inside: second
SEEN
