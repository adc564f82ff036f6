#!/usr/bin/env bash
# One would expect `cfg_select!`, which Rust 1.95 has to replace the crate cfg-if's macro, to treat an arm that is not taken as that macro does: as tokens,
# which may be syntax of a later Rust, of another macro, or of none.
#
# Instead, each arm is parsed, those behind `_` included, and one that is not Rust for its place (items, statements, an expression, a type) is an error,
# though the compiler throws it away. Only names are not looked at: a module may have no file, and a macro need not exist. So whoever moves from `cfg_if!`
# may get errors on a system whose code has not changed, an arm cannot keep newer syntax from an older compiler, and a tool that shrinks the arms for other
# systems cannot leave them unfinished.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14) and cfg-if 1.0.4. Source: `CfgSelectResult` in compiler/rustc_builtin_macros/src/cfg_select.rs, which parses the
# other branches to report their errors, and `parse_cfg_select` in compiler/rustc_attr_parsing/src/attributes/cfg_select.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "arms"
version = "0.0.0"
edition = "2024"
[dependencies]
cfg-if = "=1.0.4"
[workspace]
TOML
check() {
    if cargo +1.95.0 check --quiet --message-format short > log 2>&1; then echo ok; else echo "refused, $(grep -c '^src.*: error: expected' log)"; fi
}
both() {
    echo "$1:"
    echo "cfg_if::cfg_if! { if #[cfg(windows)] { $1 } else { } }" > src/lib.rs
    echo "    cfg_if: $(check)"
    echo "cfg_select! { windows => { $1 } _ => { } }" > src/lib.rs
    echo "    cfg_select: $(check)"
    echo "cfg_select! { _ => { } windows => { $1 } }" > src/lib.rs
    echo "    cfg_select, behind the taken arm: $(check)"
}
{
    both 'fn one() {}'
    both 'this is not rust'
    both 'fn gen() {}'
    both 'pub fn one() { let five = ; }'
    both 'mod without_a_file;'
    both 'no_such_macro! { this is not rust }'
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other arms are refused' >&2; exit 1; }
fn one() {}:
    cfg_if: ok
    cfg_select: ok
    cfg_select, behind the taken arm: ok
this is not rust:
    cfg_if: ok
    cfg_select: refused, 1
    cfg_select, behind the taken arm: refused, 1
fn gen() {}:
    cfg_if: ok
    cfg_select: refused, 1
    cfg_select, behind the taken arm: refused, 1
pub fn one() { let five = ; }:
    cfg_if: ok
    cfg_select: refused, 1
    cfg_select, behind the taken arm: refused, 1
mod without_a_file;:
    cfg_if: ok
    cfg_select: ok
    cfg_select, behind the taken arm: ok
no_such_macro! { this is not rust }:
    cfg_if: ok
    cfg_select: ok
    cfg_select, behind the taken arm: ok
SEEN
