#!/usr/bin/env bash
# One would expect the words behind the three backticks of an example to be a set: `rust` says that it is Rust, `no_run` and `should_panic` say how it is
# tested, and a word that rustdoc does not know, such as mdBook's `editable` or `noplayground`, changes nothing where `rust` stands with it.
#
# Instead, the order decides. Behind a word that is not known, each of `no_run`, `should_panic` and `ignore` takes back that the example is Rust, although
# `rust` was written: `rust,editable,no_run` is no test any more, is not listed as ignored, and has no colours on its page, where it is now text in a language
# that is called `editable`. `rust,no_run,editable` is tested. `compile_fail`, `test_harness` and `standalone_crate` do not take it back. Nothing is printed,
# so that an example which no longer compiles goes unnoticed; and a tool which collects examples must follow the order to find the same ones.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14). Source: `LangString::parse` in src/librustdoc/html/markdown.rs, where the three words set
# `seen_rust_tags = !seen_other_tags`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
cat > words <<'WORDS'
rust,editable
rust,no_run,editable
rust,editable,no_run
editable,rust,no_run
editable,no_run,rust
rust,should_panic,editable
rust,editable,should_panic
rust,ignore,editable
rust,editable,ignore
rust,editable,compile_fail
rust,editable,standalone_crate
rust,editable,edition2021
WORDS
while read -r line; do
    printf '//! ```%s\n//! let word: u8 = "not a number";\n//! ```\n' "$line"
done < words > lib.rs
rustdoc +1.95.0 --edition 2024 --test lib.rs > log 2>&1 || true
rustdoc +1.95.0 --edition 2024 -o docs lib.rs
grep -o '<pre class="[a-z-]*' docs/lib/index.html | sed 's/.*"//' > classes
number=1
paste -d ' ' words classes | while read -r line class; do
    if grep -q "^test lib.rs - (line $number) " log; then test=tested; else test='no test'; fi
    echo "$line: $test, $class"
    number=$((number + 3))
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other examples are tested' >&2; exit 1; }
rust,editable: tested, rust
rust,no_run,editable: tested, rust
rust,editable,no_run: no test, language-editable
editable,rust,no_run: no test, language-editable
editable,no_run,rust: tested, rust
rust,should_panic,editable: tested, rust
rust,editable,should_panic: no test, language-editable
rust,ignore,editable: tested, rust
rust,editable,ignore: no test, language-editable
rust,editable,compile_fail: tested, rust
rust,editable,standalone_crate: tested, rust
rust,editable,edition2021: tested, rust
SEEN
