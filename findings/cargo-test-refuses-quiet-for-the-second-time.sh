#!/usr/bin/env bash
# One would expect an option that only makes a program quiet to do no harm if it is given twice, or once to cargo and once to the test program, which are two
# programs.
#
# Instead, `cargo test -q -- --quiet` runs no test, and fails: a quiet cargo adds `--quiet` to the arguments of each test program, and libtest refuses to have
# an option twice. `CARGO_TERM_QUIET=true`, or `term.quiet` in a file, does the same to a script that has always said `cargo test -- -q`. The same holds for
# documentation tests. The status is 101, as for a test that has failed. `--nocapture` is refused the second time as well, while `--format` may stand beside
# `--quiet`. A program with a harness of its own gets nothing from cargo. So a tool that adds options to those of the user has to look whether they are there,
# and must know whether cargo is quiet.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21) and rustc 1.95.0 (59807616e 2026-04-14). Source: `cmd_builds` and `run_doc_tests` in
# src/cargo/ops/cargo_test.rs; `optgroups` in library/test/src/cli.rs, where each option is declared for a single use.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_TERM_QUIET CARGO_TERM_VERBOSE RUSTFLAGS || true
cd "$dir"
mkdir src tests
cat > Cargo.toml <<'TOML'
[package]
name = "twice"
version = "0.0.0"
edition = "2024"
[[test]]
name = "own"
harness = false
[workspace]
TOML
printf '//! ```\n//! let _ = 1;\n//! ```\n#[test]\nfn one() {}\n' > src/lib.rs
echo 'fn main() { println!("own harness: {:?}", std::env::args().skip(1).collect::<Vec<_>>()); }' > tests/own.rs
run() {
    status=0
    cargo +1.95.0 test "$@" > log 2>&1 || status=$?
    seen=$(sed -n 's/^test result: \([a-zA-Z]*\)\. \([0-9]* passed\).*/\1 \2/p; /^own harness/p; s/^error: \(Option.*\)/\1/p' log | uniq)
    echo "cargo test $*: status $status; $seen"
}
{
    run --quiet --lib
    run --lib -- --quiet
    run --quiet --lib -- --quiet
    run --quiet --lib -- -q
    run --quiet --doc -- --quiet
    export CARGO_TERM_QUIET=true
    echo 'with CARGO_TERM_QUIET=true:'
    run --lib -- --quiet
    run --lib -- --format pretty
    run --test own -- --quiet
    unset CARGO_TERM_QUIET
    echo 'without:'
    run --lib -- --nocapture --nocapture
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another option is refused' >&2; exit 1; }
cargo test --quiet --lib: status 0; ok 1 passed
cargo test --lib -- --quiet: status 0; ok 1 passed
cargo test --quiet --lib -- --quiet: status 101; Option 'quiet' given more than once
cargo test --quiet --lib -- -q: status 101; Option 'quiet' given more than once
cargo test --quiet --doc -- --quiet: status 101; Option 'quiet' given more than once
with CARGO_TERM_QUIET=true:
cargo test --lib -- --quiet: status 101; Option 'quiet' given more than once
cargo test --lib -- --format pretty: status 0; ok 1 passed
cargo test --test own -- --quiet: status 0; own harness: ["--quiet"]
without:
cargo test --lib -- --nocapture --nocapture: status 101; Option 'nocapture' given more than once
SEEN
