#!/bin/sh
# One would expect a write that changes nothing (the removal of a key that is not there, the insertion of the value that is there) to give a
# subscriber of sled no event, and later events to come as before.
#
# What happens: to the subscriber's iterator it is so. `Subscriber::next_timeout`, however, answers `Disconnected` ("channel is empty and sending half is
# closed") at that write, and at each later call, though the tree lives and is written to: it keeps the receiver of the write that came to nothing,
# and asks it again for ever. No event after that is ever seen. A program that waits with a limit, so that it can stop, takes the tree for dropped.
#
# Version: sled 0.34.7 and rustc 1.95.0. Source: `next_timeout` in src/subscriber.rs, which stores `existing` after every error.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "events"
version = "0.0.0"
edition = "2024"
[dependencies]
sled = "=0.34.7"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use sled::{Config, Db, Event};
use std::time::Duration;

fn name(event: Event) -> String {
    String::from_utf8_lossy(event.key()).into_owned()
}

fn writes(db: &Db, idle: &str) {
    db.insert("a", "1").unwrap();
    match idle {
        "removal" => drop(db.remove("none").unwrap()),
        "insertion" => drop(db.insert("a", "1").unwrap()),
        _ => {}
    }
    db.insert("b", "1").unwrap();
}

fn main() {
    for idle in ["nothing", "removal", "insertion"] {
        let db = Config::new().temporary(true).open().unwrap();
        let mut limited = db.watch_prefix("");
        let plain = db.watch_prefix("");
        writes(&db, idle);
        let plain: Vec<_> = plain.take(2).map(name).collect();
        let limited: Vec<_> = (0..3)
            .map(|_| match limited.next_timeout(Duration::from_millis(200)) {
                Ok(event) => name(event),
                Err(error) => format!("{error:?}"),
            })
            .collect();
        println!("{idle}: iterator {}; next_timeout {}", plain.join(" "), limited.join(" "));
    }
}
RUST
cargo run --quiet > out 2> err || { cat err; exit 1; }
cat out
diff - out <<'OUT' || { echo "changed: other events come" >&2; exit 1; }
nothing: iterator a b; next_timeout a b Timeout
removal: iterator a b; next_timeout a Disconnected Disconnected
insertion: iterator a b; next_timeout a Disconnected Disconnected
OUT
