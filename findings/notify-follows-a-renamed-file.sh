#!/bin/sh
# One would expect a watcher that was given the path of a file to speak of what is at this path, and of nothing that is elsewhere.
#
# What happens, on Linux: it follows the file. When that is renamed, there is `Modify(Name(From))` and no word about the new name (as there would be for a watched
# folder); writing to the file under its new name is then reported under the old one, where there is nothing. When another file takes the
# path by a rename, as editors save, there is `Remove(File)`, though a file is at the path; the watch has ended by that, so that what is written
# to it later is not seen, and `unwatch` says that there is no such watch.
#
# Version: notify 8.2.2 on Linux. Source: `handle_inotify` in src/inotify.rs, which names events by the path that belongs to the watch.
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
    let (sender, events) = channel();
    let mut watcher = notify::recommended_watcher(sender).unwrap();
    fs::write("old", "text").unwrap();
    watcher.watch(Path::new("old"), RecursiveMode::NonRecursive).unwrap();
    fs::rename("old", "new").unwrap();
    print(&events, "old becomes new");
    fs::write("new", "").unwrap();
    print(&events, "new is written to");
    watcher.unwatch(Path::new("old")).unwrap();

    fs::write("saved", "text").unwrap();
    fs::write("draft", "text").unwrap();
    watcher.watch(Path::new("saved"), RecursiveMode::NonRecursive).unwrap();
    fs::rename("draft", "saved").unwrap();
    print(&events, "draft becomes saved");
    fs::write("saved", "").unwrap();
    print(&events, "saved is written to");
    println!("unwatch: {:?}", watcher.unwatch(Path::new("saved")).unwrap_err().kind);
}
RUST
cargo run --quiet > out 2> err || { cat err; exit 1; }
cat out
diff - out <<'OUT' || { echo "changed: other events come" >&2; exit 1; }
old becomes new:
  Modify(Name(From)) old
new is written to:
  Access(Open(Any)) old
  Modify(Data(Any)) old
  Access(Close(Write)) old
draft becomes saved:
  Modify(Metadata(Any)) saved
  Remove(File) saved
saved is written to:
unwatch: WatchNotFound
OUT
