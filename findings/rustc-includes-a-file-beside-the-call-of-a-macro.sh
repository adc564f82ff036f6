#!/bin/sh
# One would expect `include_str!("text")` in a macro to read the file beside the macro's definition, as the documentation says "relative to the current file",
# and as a C preprocessor searches beside the file that has the `#include`. A library could bring its data along like that.
#
# Instead, the path begins beside the outermost call, in the same crate and in another one, and so does the path of `include!` and of a `#[path] mod` that a
# macro makes. Where a file of this name lies there, it is read without a word, and one macro reads another file in each folder from which it is called.
# `file!()` and `env!("CARGO_MANIFEST_DIR")` are the caller's, too, so that a macro has no way to name a file of its own crate. Whoever moves a call to
# another folder, or writes a macro out by hand, changes what is read or not, depending on which of the two it is.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `resolve_path` in compiler/rustc_expand/src/base.rs, which takes the `source_callsite` of the span.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p library near far
cat > library/lib.rs <<'RUST'
#[macro_export]
macro_rules! text {
    () => { include_str!("text") };
}
#[macro_export]
macro_rules! nested {
    () => { $crate::text!() };
}
pub fn own() -> &'static str {
    text!()
}
RUST
cat > near/macros.rs <<'RUST'
macro_rules! local {
    () => { (include_str!("text"), include!("number")) };
}
macro_rules! module {
    () => { #[path = "inner.rs"] mod inner; };
}
RUST
cat > far/calls.rs <<'RUST'
module!();
pub fn call() {
    println!("macro of the library: {}; nested: {}", library::text!(), library::nested!());
    println!("macro of another folder: {:?}; module: {}", local!(), inner::FOLDER);
}
RUST
cat > root.rs <<'RUST'
#[macro_use]
#[path = "near/macros.rs"]
mod macros;
#[path = "far/calls.rs"]
mod calls;
fn main() {
    calls::call();
    println!("at the root: {}; in the library: {}", local!().0, library::own());
}
RUST
for folder in library near far .; do
    printf '%s' "$folder" > "$folder/text"
    echo "\"$folder\"" > "$folder/number"
    echo "pub const FOLDER: &str = \"$folder\";" > "$folder/inner.rs"
done
rustc +1.95.0 --edition 2024 --crate-type rlib --crate-name library library/lib.rs
rustc +1.95.0 --edition 2024 --extern library=liblibrary.rlib root.rs
./root > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are read' >&2; exit 1; }
macro of the library: far; nested: far
macro of another folder: ("far", "far"); module: far
at the root: .; in the library: library
SEEN
