#!/usr/bin/env bash
# One would expect the text of a doc comment to be kept by what formats or prints code, as it is the value of an attribute: in Markdown two blanks at the end
# of a line break the line, and rustdoc makes a `<br>` of them.
#
# Instead, rustfmt keeps them in `///` and takes them away in `/** .. */`, and prettyplease takes them from the end of every line, so that the lines run
# together in the documentation. Neither says so, and what was `#[doc = "one  "]` becomes a comment without them in prettyplease's output, too. A backslash at
# the end of the line, Markdown's other way to break it, stays in both.
#
# Version: rustfmt 1.9.0-stable and rustdoc 1.95.0 (59807616e 2026-04-14), prettyplease 0.3.0 and syn 3.0.10. Source: `trim_trailing_spaces` in prettyplease's
# src/attr.rs, and running rustfmt.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "printed"
version = "0.0.0"
edition = "2024"
[dependencies]
prettyplease = "=0.3.0"
syn = { version = "=3.0.10", default-features = false, features = ["full", "parsing"] }
[workspace]
TOML
cat > src/main.rs <<'RUST'
fn main() {
    let file = syn::parse_file(&std::fs::read_to_string("docs.rs").unwrap()).unwrap();
    std::fs::write("pretty.rs", prettyplease::unparse(&file)).unwrap();
}
RUST
printf '/// one  \n/// two\npub struct Blanks;\n\n/// one\\\n/// two\npub struct Backslash;\n\n#[doc = "one  "]\n#[doc = "two"]\npub struct Attribute;\n\n/** one  \ntwo */\npub struct Block;\n' > docs.rs
cp docs.rs formatted.rs
rustfmt +1.95.0 --edition 2024 formatted.rs
cargo +1.95.0 run --quiet
for file in docs formatted pretty; do
    rustdoc +1.95.0 --edition 2024 --crate-name "$file" -o html "$file.rs"
    for name in Blanks Backslash Attribute Block; do
        broken=no
        ! grep -q -i '<p>one *<br' "html/$file/struct.$name.html" || broken=yes
        echo "$file $name: $broken"
    done
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other line breaks' >&2; exit 1; }
docs Blanks: yes
docs Backslash: yes
docs Attribute: yes
docs Block: yes
formatted Blanks: yes
formatted Backslash: yes
formatted Attribute: yes
formatted Block: no
pretty Blanks: no
pretty Backslash: yes
pretty Attribute: no
pretty Block: no
SEEN
