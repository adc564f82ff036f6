#!/bin/sh
# One would expect a test to see the same `CARGO_*` variables at run time under `cargo nextest run` as under `cargo test`: nextest sets
# `CARGO_MANIFEST_DIR` and the fields of the package itself, to be like cargo in this.
#
# What happens: `CARGO_MANIFEST_PATH` and `CARGO_PKG_README` are missing. A test that reads one of them with `std::env::var(..).unwrap()` passes with
# cargo and fails with nextest, though `env!` of the same name works with both. All others of the package are there.
#
# Version: cargo-nextest 0.9.143 and cargo 1.95.0. Source: the list in nextest's page "Environment variables".
set -eu
case $(cargo nextest --version 2> /dev/null) in
"cargo-nextest 0.9.143"*) ;;
*) echo "this was seen with cargo-nextest 0.9.143" >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset CARGO_MANIFEST_PATH CARGO_PKG_README || true
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "variables"
version = "0.1.0"
edition = "2024"
[workspace]
TOML
cat > src/lib.rs <<'RUST'
#[test]
fn print() {
    let _ = (env!("CARGO_MANIFEST_PATH"), env!("CARGO_PKG_README"));
    for (name, _) in std::env::vars() {
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            println!("<{name}>");
        }
    }
}
RUST
cargo test --quiet --lib -- --nocapture > test.out 2> test.err || { cat test.err; exit 1; }
cargo nextest run --color never --no-capture > nextest.out 2> nextest.err || { cat nextest.err; exit 1; }
for run in test nextest; do
    sed -n 's/^.*<\(CARGO_[A-Z_]*\)>$/\1/p' "$run.out" | sort > "$run.names"
    echo "$run: $(wc -l < "$run.names") variables"
done
missing=$(comm -23 test.names nextest.names | tr '\n' ' ')
more=$(comm -13 test.names nextest.names | tr '\n' ' ')
echo "missing with nextest: $missing"
[ "$missing" = 'CARGO_MANIFEST_PATH CARGO_PKG_README ' ] && [ -z "$more" ] || { echo "changed: others are missing, or more are set" >&2; exit 1; }
