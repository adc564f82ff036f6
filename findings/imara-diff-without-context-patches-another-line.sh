#!/bin/sh
# One would expect a unified diff without lines of context, of the kind that `diff -U0` prints, to be applied at the right lines by `patch`, as it is with
# what similar and diffy print; or to be refused.
#
# Instead, `patch` puts the new line of imara-diff's output behind another one, without a word and with the status 0. Where nothing is removed, the first
# number of a hunk is by convention the line before the place; imara-diff writes the one behind it. `git apply --unidiff-zero` takes the same text as it was
# meant, as it goes by the second number: the two tools make different files of one patch. With lines of context, which are the default, there is no
# difference.
#
# Version: imara-diff 0.2.0, similar 3.2.1, diffy 0.5.2, rustc 1.95.0, GNU patch and git. Source: `UnifiedDiff::fmt` in imara-diff's src/unified_diff.rs adds
# one to each start.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "diffs"
version = "0.0.0"
edition = "2024"
[dependencies]
diffy = "=0.5.2"
imara-diff = "=0.2.0"
similar = "=3.2.1"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

const OLD: &str = "1\n2\n3\n4\n";
const NEW: &str = "1\n2\nnew\n3\n4\n";

fn main() {
    let input = InternedInput::new(OLD, NEW);
    let mut config = UnifiedDiffConfig::default();
    config.context_len(0);
    let imara = Diff::compute(Algorithm::Histogram, &input).unified_diff(&BasicLineDiffPrinter(&input.interner), config, &input).to_string();
    let similar = similar::TextDiff::from_lines(OLD, NEW).unified_diff().context_radius(0).to_string();
    let diffy = diffy::DiffOptions::new().set_context_len(0).create_patch(OLD, NEW).to_string();
    std::fs::write("old", OLD).unwrap();
    for (name, text) in [("imara-diff", imara), ("similar", similar), ("diffy", diffy)] {
        let hunk = &text[text.find("@@").unwrap()..];
        std::fs::write(name, format!("--- a/old\n+++ b/old\n{hunk}")).unwrap();
    }
}
RUST
cargo +1.95.0 run --quiet
git init --quiet .
for name in imara-diff similar diffy; do
    cp old kept
    echo "$name: $(grep '^@@' "$name")"
    patch --quiet -p1 < "$name"
    echo "patch, status $?: $(paste -s -d ' ' old)"
    cp kept old
    git apply --unidiff-zero "$name"
    echo "git, status $?: $(paste -s -d ' ' old)"
    cp kept old
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other lines are patched' >&2; exit 1; }
imara-diff: @@ -3,0 +3,1 @@
patch, status 0: 1 2 3 new 4
git, status 0: 1 2 new 3 4
similar: @@ -2,0 +3 @@
patch, status 0: 1 2 new 3 4
git, status 0: 1 2 new 3 4
diffy: @@ -2,0 +3 @@
patch, status 0: 1 2 new 3 4
git, status 0: 1 2 new 3 4
SEEN
