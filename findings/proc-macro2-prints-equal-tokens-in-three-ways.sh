#!/bin/sh
# One would expect the text of a token stream (`to_string`) to depend on its tokens alone, so that a macro which compares it, as with `ty.to_string() == "Vec
# < u8 >"`, does in its callers what it does in its unit test.
#
# Instead, three things decide. Within a macro, the stream that the compiler gave prints most blanks as its author has written them: `Vec<u8>` and `Vec < u8
# >` are two texts of equal tokens. The same tokens, collected into a new stream, have blanks of the compiler's choice: `a :: b`, but `x.y()`. In a unit test,
# where proc_macro2 itself prints, each token is set off: `a :: b`, `x . y ()`. A comparison of texts that has passed its test is false in the compiler, or
# for another author's blanks.
#
# Version: proc-macro2 1.0.107 and rustc 1.95.0. Source: `Display` in proc-macro2's src/fallback.rs; `print_tts` and `space_between` in
# compiler/rustc_ast_pretty/src/pprust/state.rs; and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir -p src macros/src
cat > Cargo.toml <<'TOML'
[package]
name = "texts"
version = "0.0.0"
edition = "2024"
[dependencies]
macros = { path = "macros" }
proc-macro2 = "=1.0.107"
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
proc-macro2 = "=1.0.107"
TOML
cat > macros/src/lib.rs <<'RUST'
use proc_macro::TokenStream;

/// The text of what it is given, and of the same tokens in a new stream.
#[proc_macro]
pub fn text(tokens: TokenStream) -> TokenStream {
    let tokens = proc_macro2::TokenStream::from(tokens);
    let collected: proc_macro2::TokenStream = tokens.clone().into_iter().collect();
    format!("({:?}, {:?})", tokens.to_string(), collected.to_string()).parse().unwrap()
}
RUST
cat > src/main.rs <<'RUST'
fn show((given, collected): (&str, &str), text: &str) {
    println!("in a macro:        {given}");
    println!("collected there:   {collected}");
    println!("out of the macro:  {}", text.parse::<proc_macro2::TokenStream>().unwrap());
}

fn main() {
    show(macros::text!(a::b x.y() Vec<u8>), "a::b x.y() Vec<u8>");
    show(macros::text!(a :: b x . y () Vec < u8 > /* none */), "a :: b x . y () Vec < u8 > /* none */");
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other texts' >&2; exit 1; }
in a macro:        a::b x.y() Vec<u8>
collected there:   a :: b x.y() Vec < u8 >
out of the macro:  a :: b x . y () Vec < u8 >
in a macro:        a :: b x.y() Vec < u8 >
collected there:   a :: b x.y() Vec < u8 >
out of the macro:  a :: b x . y () Vec < u8 >
SEEN
