#!/bin/sh
# One would expect a watcher of a folder to tell of changes: reading a file in it, or listing it, changes nothing.
#
# What happens, on Linux: notify reports `Access(Open(Any))` for each, and never that what was opened only for reading is closed again. So a program that
# reads a file upon each event about it calls itself for ever, unless it looks at the kind. Where a folder appears in a tree that is watched
# recursively, there is an `Open` of that folder, too, though nobody opened it but notify, which looks for folders in it.
#
# Version: notify 8.2.2 on Linux. Source: `WatchMask::OPEN` in `add_single_watch` of src/inotify.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "watch"
version = "0.0.0"
edition = "2024"
[dependencies]
notify = "=8.2.2"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use notify::{Event, RecursiveMode, Watcher};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{fs, path::Path};

fn print(events: &Receiver<notify::Result<Event>>, done: &str) {
    println!("{done}:");
    while let Ok(event) = events.recv_timeout(Duration::from_millis(500)) {
        let event = event.unwrap();
        let names: Vec<_> = event.paths.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
        println!("  {:?} {}", event.kind, names.join(" "));
    }
}

fn main() {
    fs::create_dir("tree").unwrap();
    fs::write("tree/file", "text").unwrap();
    let (sender, events) = channel();
    let mut watcher = notify::recommended_watcher(sender).unwrap();
    watcher.watch(Path::new("tree"), RecursiveMode::Recursive).unwrap();
    fs::read("tree/file").unwrap();
    print(&events, "a file is read");
    assert_eq!(fs::read_dir("tree").unwrap().count(), 1);
    print(&events, "the folder is listed");
    fs::create_dir("tree/folder").unwrap();
    print(&events, "a folder is made");
}
RUST
cargo run --quiet > out 2> err || { cat err; exit 1; }
cat out
diff - out <<'OUT' || { echo "changed: other events come" >&2; exit 1; }
a file is read:
  Access(Open(Any)) file
the folder is listed:
  Access(Open(Any)) tree
a folder is made:
  Create(Folder) folder
  Access(Open(Any)) folder
OUT
