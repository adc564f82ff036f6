#!/bin/sh
# One would expect a token to have one column, and proc_macro2 to give for a token in a macro what `proc_macro`, which it wraps, gives; and a range of bytes,
# which it has a function for, to be that of the token.
#
# Instead, `proc_macro::Span::column` counts from 1, as `column!()` does, and `LineColumn::column` of proc_macro2 from 0: it takes one off. Lines are counted
# from 1 by both. `byte_range` of proc_macro2 is `0..0` for each token in a macro of a stable compiler, without an error, though the text of the token is
# known there; a note in its documentation says that it needs a nightly. Out of a macro, as in a unit test of the same function, proc_macro2 reads the text by
# itself, and the range is the true one. So a macro that cuts its source by ranges passes its test, and cuts nothing.
#
# Version: proc-macro2 1.0.107 with `span-locations`, and rustc 1.95.0. Source: `start` and `byte_range` of `Span` in src/wrapper.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir -p src macros/src
cat > Cargo.toml <<'TOML'
[package]
name = "places"
version = "0.0.0"
edition = "2024"
[dependencies]
macros = { path = "macros" }
proc-macro2 = { version = "=1.0.107", features = ["span-locations"] }
[profile.dev]
debug = 0
[workspace]
TOML
cat > macros/Cargo.toml <<'TOML'
[package]
name = "macros"
version = "0.0.0"
edition = "2024"
[lib]
proc-macro = true
[dependencies]
proc-macro2 = { version = "=1.0.107", features = ["span-locations"] }
TOML
cat > macros/src/lib.rs <<'RUST'
use proc_macro::TokenStream;

/// Where its last token is.
#[proc_macro]
pub fn place(tokens: TokenStream) -> TokenStream {
    let first = tokens.clone().into_iter().last().unwrap().span();
    let second = proc_macro2::TokenStream::from(tokens).into_iter().last().unwrap().span();
    let start = second.start();
    let (text, bytes) = (second.source_text(), second.byte_range());
    let said = format!(
        "proc_macro line {} column {}, proc_macro2 line {} column {}, text {text:?}, bytes {bytes:?}",
        first.line(), first.column(), start.line, start.column
    );
    format!("{said:?}").parse().unwrap()
}
RUST
cat > src/main.rs <<'RUST'
fn main() {
    println!("macro: {}", macros::place!(one two));
    println!("column!(): line {} column {}", line!(), column!());
    let text = "one two";
    let span = text.parse::<proc_macro2::TokenStream>().unwrap().into_iter().last().unwrap().span();
    let (start, bytes) = (span.start(), span.byte_range());
    println!("no macro: proc_macro2 line {} column {}, text {:?}, bytes {bytes:?}", start.line, start.column, span.source_text());
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other places' >&2; exit 1; }
macro: proc_macro line 2 column 46, proc_macro2 line 2 column 45, text Some("two"), bytes 0..0
column!(): line 3 column 55
no macro: proc_macro2 line 1 column 4, text Some("two"), bytes 4..7
SEEN
