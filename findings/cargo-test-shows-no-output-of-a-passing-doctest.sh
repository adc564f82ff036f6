#!/bin/sh
# One would expect `cargo test -- --nocapture` and `cargo test -- --show-output` to show what a documentation test prints, as they show it for each other test
# of the same call: the options are passed on, and nothing refuses them.
#
# Instead, the output of a documentation test that passes is thrown away, in the editions 2021 and 2024. libtest does not run the example itself: rustdoc
# starts a program for it, and prints the program's output where it fails. rustdoc's own option `--no-capture`, which is unstable, shows it. Whoever looks for
# a line that an example prints finds it only once the example fails.
#
# Version: cargo and rustdoc 1.95.0, and a nightly of May 2026 for the unstable option. Source: `nocapture` in src/librustdoc/doctest.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > src/lib.rs <<'RUST'
//! ```
//! println!("example, passes");
//! ```
//! ```
//! println!("example, fails");
//! panic!();
//! ```
#[test]
fn unit() {
    println!("unit, passes");
}
RUST
# Which lines are shown by the rest of the arguments.
shown() {
    ! "$@" > said 2>&1 || { echo 'changed: all pass' >&2; exit 1; }
    echo "$edition, $*: $(grep -o '\(unit\|example\), [a-z]*$' said | sort | paste -s -d ';')"
}
for edition in 2021 2024; do
    printf '[package]\nname = "printing"\nversion = "0.0.0"\nedition = "%s"\n[workspace]\n' $edition > Cargo.toml
    shown cargo +1.95.0 test --quiet --no-fail-fast -- --show-output
    shown cargo +1.95.0 test --quiet --no-fail-fast -- --nocapture
    shown rustdoc +nightly --edition $edition --test -Z unstable-options --no-capture src/lib.rs
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is shown' >&2; exit 1; }
2021, cargo +1.95.0 test --quiet --no-fail-fast -- --show-output: example, fails;unit, passes
2021, cargo +1.95.0 test --quiet --no-fail-fast -- --nocapture: example, fails;unit, passes
2021, rustdoc +nightly --edition 2021 --test -Z unstable-options --no-capture src/lib.rs: example, fails;example, passes
2024, cargo +1.95.0 test --quiet --no-fail-fast -- --show-output: example, fails;unit, passes
2024, cargo +1.95.0 test --quiet --no-fail-fast -- --nocapture: example, fails;unit, passes
2024, rustdoc +nightly --edition 2024 --test -Z unstable-options --no-capture src/lib.rs: example, fails;example, passes
SEEN
