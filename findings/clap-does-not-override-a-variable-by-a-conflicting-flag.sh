#!/bin/sh
# One would expect the command line to come before the environment: a flag that excludes an option (`conflicts_with`) to win over the variable of that option
# (`env = "JOBS"`), which may be set for the whole session, as it wins over a default.
#
# Instead, clap takes a value of a variable for one that was given. `JOBS=3 tool --serial` ends with "the argument '--serial' cannot be used with '--jobs
# <JOBS>'", though nobody has typed `--jobs`; the message does not name the variable, and no option takes it back. An option that has a default value gives no
# conflict. In the same way a variable satisfies `requires`. `overrides_with` does not help, as it is for the command line alone.
#
# Version: clap 4.6.9 and rustc 1.95.0. Source: `check_explicit` in clap_builder's src/parser/matches/matched_arg.rs, where only a default is not explicit.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "tool"
version = "0.0.0"
edition = "2024"
[dependencies]
clap = { version = "=4.6.9", features = ["derive", "env"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use clap::Parser;

#[derive(Parser, Debug)]
struct Cli {

    #[arg(long, env = "TOOL_JOBS")]
    jobs: Option<u8>,
    #[arg(long, conflicts_with = "jobs")]
    serial: bool,
    #[arg(long, overrides_with = "jobs", conflicts_with = "jobs")]
    alone: bool,
    #[arg(long, requires = "jobs")]
    fair: bool,
    #[arg(long, default_value = "fast", conflicts_with = "slow")]
    mode: String,
    #[arg(long)]
    slow: bool,
}

fn main() {
    let calls = [("--serial", None), ("--serial", Some("3")), ("--alone", Some("3")), ("--fair", None), ("--fair", Some("3")), ("--slow", None)];
    for (arguments, variable) in calls {
        match variable {
            // SAFETY: there is one thread.
            Some(value) => unsafe { std::env::set_var("TOOL_JOBS", value) },
            None => unsafe { std::env::remove_var("TOOL_JOBS") },
        }
        let said = match Cli::try_parse_from(["tool", arguments]) {
            Ok(cli) => format!("jobs {:?}", cli.jobs),
            Err(error) => error.to_string().lines().take(2).collect::<Vec<_>>().join(""),
        };
        println!("{arguments}, variable {variable:?}: {said}");
    }
}
RUST
cargo +1.95.0 run --quiet > out 2> err || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other arguments are taken' >&2; exit 1; }
--serial, variable None: jobs None
--serial, variable Some("3"): error: the argument '--serial' cannot be used with '--jobs <JOBS>'
--alone, variable Some("3"): error: the argument '--alone' cannot be used with '--jobs <JOBS>'
--fair, variable None: error: the following required arguments were not provided:  --jobs <JOBS>
--fair, variable Some("3"): jobs Some(3)
--slow, variable None: jobs None
SEEN
