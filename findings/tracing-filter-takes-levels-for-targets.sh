#!/usr/bin/env bash
# One would expect a filter of tracing (`RUST_LOG`) that is not understood to be refused by `EnvFilter::try_new`, and `parser=debug` to be about what is called `parser` and
# the modules in it.
#
# What happens: one blank after a comma, or a level by another name, makes a level the name of a target: `parser=debug, info` is `parser` and a target named
# " info" that has all levels; `warning` is a target, too. Both are accepted, and the program logs nothing of its other parts, not even errors. And
# a target is the beginning of a text, not a path: `parser=debug` is also about `parser_tables` and `parsers`, which are other crates.
#
# Version: tracing-subscriber 0.3.23, tracing 0.1.44 and rustc 1.95.0. Source: `cares_about` in tracing-subscriber's src/filter/env/directive.rs (`starts_with`).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUST_LOG || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "filters"
version = "0.0.0"
edition = "2024"
[dependencies]
tracing = "=0.1.44"
tracing-subscriber = { version = "=0.3.23", default-features = false, features = ["env-filter", "fmt", "registry", "std"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use tracing::{Level, enabled, subscriber::with_default};
use tracing_subscriber::{EnvFilter, prelude::*};

fn main() {
    for text in ["parser=debug,info", "parser=debug, info", "warn", "warning", "parser=loud"] {
        let Ok(filter) = EnvFilter::try_new(text) else {
            println!("{text:?} is refused");
            continue;
        };
        let trace = filter.to_string().contains("=trace");
        with_default(tracing_subscriber::registry().with(filter), || {
            println!(
                "{text:?} has a target at trace {trace}: debug of parser::x {}, of parser_tables {}, errors of others {}",
                enabled!(target: "parser::x", Level::DEBUG),
                enabled!(target: "parser_tables", Level::DEBUG),
                enabled!(target: "other", Level::ERROR),
            );
        });
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: filters are understood otherwise' >&2; exit 1; }
"parser=debug,info" has a target at trace false: debug of parser::x true, of parser_tables true, errors of others true
"parser=debug, info" has a target at trace true: debug of parser::x true, of parser_tables true, errors of others false
"warn" has a target at trace false: debug of parser::x false, of parser_tables false, errors of others true
"warning" has a target at trace true: debug of parser::x false, of parser_tables false, errors of others false
"parser=loud" is refused
SEEN
