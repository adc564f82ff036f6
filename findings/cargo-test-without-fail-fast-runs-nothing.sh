#!/bin/sh
# One would expect `cargo test --no-fail-fast` to run as many tests as it can. cargo says so itself to whoever tries `--keep-going`: "use `--no-fail-fast` to
# run as many tests as possible regardless of failure".
#
# What happens: it is about tests that fail when they run. Where one test program of a workspace does not compile, none is run, those of other packages
# included; the status is 101, and standard output is empty. So one broken example hides the result of everything. `cargo build --all-targets --keep-going`
# compiles the rest, and each program has to be started by hand then. `cargo test` has no option for it.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS || true
cd "$dir"
mkdir -p good/src good/tests broken/src broken/examples
printf '[workspace]\nmembers = ["good", "broken"]\nresolver = "3"\n' > Cargo.toml
for package in good broken; do
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n' "$package" > "$package/Cargo.toml"
    printf '#[test]\nfn of_%s() {}\n' "$package" > "$package/src/lib.rs"
done
printf '#[test]\nfn fails() {\n    panic!();\n}\n' > good/tests/first.rs
printf '#[test]\nfn passes() {}\n' > good/tests/second.rs
printf 'fn main() {}\n' > broken/examples/shown.rs

run() {
    status=0
    cargo +1.95.0 test --workspace "$@" > tests 2> err || status=$?
    sed -n 's/^test \([a-z_]*\) \.\.\. \(.*\)/    \1 \2/p' tests | sort > lines
    echo "$(wc -l < lines) tests, status $status"
    cat lines
}
{
    echo 'all compile:'
    run --no-fail-fast
    printf 'fn main() { undefined }\n' > broken/examples/shown.rs
    echo 'an example does not:'
    run --no-fail-fast
    echo '--keep-going:'
    run --keep-going
    sed -n 's/^  tip: /    /p' err
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other tests are run' >&2; exit 1; }
all compile:
4 tests, status 101
    fails FAILED
    of_broken ok
    of_good ok
    passes ok
an example does not:
0 tests, status 101
--keep-going:
0 tests, status 1
    use `--no-fail-fast` to run as many tests as possible regardless of failure
SEEN
