#!/bin/sh
# One would expect the variable of a flag (`#[arg(long, env = "SHOW")] show: bool`) to take what such variables hold elsewhere, "1" above all, and an empty one
# to mean that the flag is not given, as the flag itself takes no value.
#
# What happens: clap accepts `true` and `false` and nothing else, not "1", "yes" or "TRUE". An empty variable makes the program refuse to start with "a value is
# required for '--show' but none was supplied", which speaks of the flag, that may have no value, and not of the variable, which is at fault.
# The messages do not name the variable in the other case, either. A counted flag takes "2", and an option of a text takes the empty one.
# `FalseyValueParser` does what one would expect, and has to be asked for.
#
# Version: clap 4.6.9 and rustc 1.95.0. Source: `BoolValueParser` is the default of `ArgAction::SetTrue` (clap_builder's src/builder/action.rs).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset SHOW LEVEL NAME || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "flags"
version = "0.0.0"
edition = "2024"
[dependencies]
clap = { version = "=4.6.9", default-features = false, features = ["derive", "env", "error-context", "help", "std", "usage"] }
[workspace]
TOML
cat > src/main.rs <<'RUST'
use clap::{ArgAction, Parser};

#[derive(Parser, Debug)]
struct Args {
    #[arg(long, env = "SHOW")]
    show: bool,
    #[arg(short, env = "LEVEL", action = ArgAction::Count)]
    level: u8,
    #[arg(long, env = "NAME")]
    name: Option<String>,
}

fn main() {
    println!("{:?}", Args::parse());
}
RUST
cargo build --quiet 2> err || { cat err; exit 1; }
wants() {
    printed=$(env "$1" target/debug/flags 2>&1) || true
    printed=$(printf '%s\n' "$printed" | head -n 1)
    echo "$1: $printed"
    [ "$printed" = "$2" ] || { echo "changed: it was $2" >&2; exit 1; }
}
wants SHOW=true 'Args { show: true, level: 0, name: None }'
wants SHOW=false 'Args { show: false, level: 0, name: None }'
for value in 1 0 yes TRUE; do
    wants SHOW=$value "error: invalid value '$value' for '--show'"
done
wants SHOW= "error: a value is required for '--show' but none was supplied"
wants LEVEL=2 'Args { show: false, level: 2, name: None }'
wants NAME= 'Args { show: false, level: 0, name: Some("") }'
