#!/bin/sh
# One would expect that the first argument of a program does not depend on the directory in which `cargo run` is called: cargo builds
# the same executable at an absolute path. cargo 1.95.0 gives a path relative to that directory where the target directory is below it,
# and an absolute one where it is not, so that a program which changes its directory and then starts itself by
# its first argument works when it is called in `src` and fails at the top of the package. `cargo test` gives an absolute path in both.
# Version: cargo 1.95.0. Source: own experiment.
set -eu
dir=$(mktemp -d)
dir=$(cd "$dir" && pwd -P)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR
mkdir "$dir/src" "$dir/tests"
cd "$dir"
cat > Cargo.toml <<'TOML'
[package]
name = "first"
version = "0.1.0"
edition = "2024"
[workspace]
TOML
echo 'fn main() { println!("{}", std::env::args().next().unwrap()); }' > src/main.rs
echo 'fn main() { println!("{}", std::path::Path::new(&std::env::args().next().unwrap()).is_absolute()); }' > tests/t.rs
printf '[[test]]\nname = "t"\nharness = false\n' >> Cargo.toml
top=$(cargo +1.95.0 run --quiet --offline)
inner=$(cd src && cargo +1.95.0 run --quiet --offline)
test_top=$(cargo +1.95.0 test --quiet --offline --test t)
test_inner=$(cd src && cargo +1.95.0 test --quiet --offline --test t)
echo "cargo run at the top: $top"
echo "cargo run in src: $(echo "$inner" | sed "s|$dir|DIR|")"
echo "the path that cargo test gives is absolute: $test_top at the top, $test_inner in src"
test "$top" = "target/debug/first" || { echo "cargo run gives another path at the top now"; exit 1; }
test "$inner" = "$dir/target/debug/first" || { echo "cargo run gives another path in src now"; exit 1; }
test "$test_top $test_inner" = "true true" || { echo "cargo test gives other paths now"; exit 1; }
