#!/bin/sh
# One would expect the crates that read a time limit from a text to differ in what they accept, and to agree on what they do accept: a limit that one program
# takes is as long in another.
#
# Instead, the same letters mean different times. `1M` is a month for humantime, fundu and parse_duration (of three lengths), and a minute for duration-str, as
# it takes no notice of case; jiff refuses it. A day is refused by jiff alone, as a `SignedDuration` has none. A number without a unit is
# seconds for three of them and an error for the other two. parse_duration passes over words that it does not know: `1 s ago` is one second. fundu, with all
# of its units, takes neither `1min` nor `1h 30m`, and duration-str no fraction.
#
# Version: humantime 2.4.0, jiff 0.2.46, parse_duration 2.1.1, duration-str 0.21.0, fundu 2.1.1 and rustc 1.95.0. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "limits"
version = "0.0.0"
edition = "2024"
[dependencies]
duration-str = { version = "=0.21.0", default-features = false }
fundu = "=2.1.1"
humantime = "=2.4.0"
jiff = { version = "=0.2.46", default-features = false, features = ["std"] }
parse_duration = "=2.1.1"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use std::time::Duration;

fn main() {
    for text in ["1m", "1M", "1min", "1h 30m", "1.5h", "1d", "1y", "90", "1 s ago"] {
        let fundu = fundu::DurationParser::with_all_time_units();
        let read = [
            ("humantime", humantime::parse_duration(text).ok()),
            ("jiff", text.parse::<jiff::SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok())),
            ("parse_duration", parse_duration::parse(text).ok()),
            ("duration-str", duration_str::parse(text).ok()),
            ("fundu", fundu.parse(text).ok().and_then(|time| Duration::try_from(time).ok())),
        ];
        let read = read.map(|(name, time)| format!("{name} {}", time.map_or("-".to_string(), |time| time.as_secs().to_string())));
        println!("{text}: {}", read.join(", "));
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other times' >&2; exit 1; }
1m: humantime 60, jiff 60, parse_duration 60, duration-str 60, fundu 60
1M: humantime 2630016, jiff -, parse_duration 2629746, duration-str 60, fundu 2629800
1min: humantime 60, jiff 60, parse_duration 60, duration-str 60, fundu -
1h 30m: humantime 5400, jiff 5400, parse_duration 5400, duration-str 5400, fundu -
1.5h: humantime 5400, jiff 5400, parse_duration 5400, duration-str -, fundu 5400
1d: humantime 86400, jiff -, parse_duration 86400, duration-str 86400, fundu 86400
1y: humantime 31557600, jiff -, parse_duration 31556952, duration-str 31536000, fundu 31557600
90: humantime -, jiff -, parse_duration 90, duration-str 90, fundu 90
1 s ago: humantime -, jiff -, parse_duration 1, duration-str -, fundu -
SEEN
