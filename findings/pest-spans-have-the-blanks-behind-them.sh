#!/bin/sh
# One would expect the text of a pair, `as_str()`, to begin with the first token of the rule and to end with the last one, as blanks and comments that
# `WHITESPACE` and `COMMENT` skip are between the tokens, and belong to nobody.
#
# What happens: where a rule ends in something that may be missing (`word ~ "!"?`, `"!"*`, a group), and is missing, the blanks and comments before it were
# skipped already, and stay in the rule: the same word is "one", "one " or "one /* why */ ", depending on what follows. A rule `word+` keeps them behind one
# word, and gives them back behind the second one. So replacing or removing the text of a pair takes a comment along that belongs to what follows, and the end
# of a span is not the place where a `;` is missing. `as_str().trim()` is no help with comments.
#
# Version: pest and pest_derive 2.9.6, and rustc 1.95.0. Source: found by running it; pest's documentation shows that blanks are skipped at each `~`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "spans"
version = "0.0.0"
edition = "2024"
[dependencies]
pest = "=2.9.6"
pest_derive = "=2.9.6"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use pest::Parser;

#[derive(pest_derive::Parser)]
#[grammar_inline = r#"
WHITESPACE = _{ " " }
COMMENT = _{ "/*" ~ (!"*/" ~ ANY)* ~ "*/" }
word = @{ ASCII_ALPHA+ }
plain = { word }
option = { word ~ "!"? }
several = { word ~ "!"* }
group = { word ~ ("(" ~ ")")? }
words = { word+ }
file = { SOI ~ plain ~ ";" ~ option ~ ";" ~ several ~ ";" ~ group ~ ";" ~ words ~ ";" ~ EOI }
"#]
struct Grammar;

fn main() {
    for text in ["one ; one ; one ; one ; one two ;", "one /* why */; one /* why */; one! ; one() ; one /* why */;"] {
        println!("{text}");
        for pair in Grammar::parse(Rule::file, text).unwrap().next().unwrap().into_inner() {
            if pair.as_rule() != Rule::EOI {
                println!("    {:?}: {:?}", pair.as_rule(), pair.as_str());
            }
        }
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other spans' >&2; exit 1; }
one ; one ; one ; one ; one two ;
    plain: "one"
    option: "one "
    several: "one "
    group: "one "
    words: "one two"
one /* why */; one /* why */; one! ; one() ; one /* why */;
    plain: "one"
    option: "one /* why */"
    several: "one!"
    group: "one()"
    words: "one /* why */"
SEEN
