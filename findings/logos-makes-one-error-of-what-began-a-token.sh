#!/bin/sh
# One would expect a lexer that meets what is no token to report the character at which it stands, and to go on behind it, so that one wrong character costs
# one character, and the rest of the file has its tokens.
#
# What happens: so it is where no token begins like that: `xyz` are three errors. Where one does, the error is as long as what might have become the token: a
# quote without its partner is one error up to the end of the file, keywords in it included. `---` is one error, as `--->` would be a token, and `1.` is a
# number and an error, as `1.5` would be one token. So the number of errors says nothing, and a lexer that skips its errors, as many do, loses a whole file by
# one quote without more than one message.
#
# Version: logos 0.16.1 and rustc 1.95.0. Source: found by running it; the documentation of `Lexer` and of `Logos` does not say how long an error is.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "lexer"
version = "0.0.0"
edition = "2024"
[dependencies]
logos = "=0.16.1"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use logos::Logos;

#[derive(Logos, Debug)]
#[logos(skip " +")]
enum Token {
    #[token("if")]
    If,
    #[token("abc")]
    Abc,
    #[regex("[0-9]+")]
    Whole,
    #[regex("[0-9]+\\.[0-9]+")]
    Float,
    #[regex("-+>")]
    Arrow,
    #[regex("\"[^\"]*\"")]
    Text,
}

fn main() {
    for text in ["if \"a\" if", "if xyz if", "if ab if", "if --- if", "if 1. if", "if \"a if 1 if"] {
        print!("{text:?}:");
        for (token, range) in Token::lexer(text).spanned() {
            match token {
                Ok(token) => print!(" {token:?}"),
                Err(()) => print!(" error({})", &text[range]),
            }
        }
        println!();
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: errors of another length' >&2; exit 1; }
"if \"a\" if": If Text If
"if xyz if": If error(x) error(y) error(z) If
"if ab if": If error(ab) If
"if --- if": If error(---) If
"if 1. if": If Whole error(.) If
"if \"a if 1 if": If error("a if 1 if)
SEEN
