#!/bin/sh
# One would expect that an element which is removed from an array takes the comment behind it, on its own line, along, or at least that no comment
# comes to stand behind another element.
#
# What happens: to toml_edit, the comment after a comma belongs to what follows: it is the next element's prefix. Removing the first element leaves
# its comment, joined to the opening bracket; the comment of the last element is the array's own end, so that whatever is pushed comes between the last
# element and its comment, which then speaks of the new one. A key of a table is different: removing it removes the comment behind it.
#
# Version: toml_edit 0.23.10 and rustc 1.95.0. Source: `Array::trailing` and `Decor` of toml_edit.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "comments"
version = "0.0.0"
edition = "2024"
[dependencies]
toml_edit = "=0.23.10"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use toml_edit::DocumentMut;

fn main() {
    let text = "features = [\n  \"a\", # of a\n  \"b\", # of b\n]\n";
    let mut removed: DocumentMut = text.parse().unwrap();
    removed["features"].as_array_mut().unwrap().remove(0);
    print!("{removed}");
    let mut pushed: DocumentMut = text.parse().unwrap();
    pushed["features"].as_array_mut().unwrap().push("c");
    print!("{pushed}");
    let mut table: DocumentMut = "a = 1 # of a\nb = 2 # of b\n".parse().unwrap();
    table.remove("a");
    print!("{table}");
}
RUST
cargo run --quiet > out 2> err || { cat err; exit 1; }
cat out
diff - out <<'OUT' || { echo "changed: the comments are elsewhere" >&2; exit 1; }
features = [ # of a
  "b", # of b
]
features = [
  "a", # of a
  "b", "c", # of b
]
b = 2 # of b
OUT
