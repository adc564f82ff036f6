#!/bin/sh
# One would expect `rustc --check-cfg 'cfg()'`, which only turns the check of `cfg` names on, to know each name that the compiler sets by itself: it does not
# complain of `debug_assertions`, `doc` or `unix`, and `test` is set by `--test`.
#
# Instead, `test` is unknown, with `--test` as well, by which it is set. `#[cfg(test)]` is warned of, and so is each `#[test]` alone, which becomes a
# `cfg(test)` inside; the help there proposes to look at a "`test` crate". Under `-D warnings` no file with a test compiles. cargo adds `--check-cfg
# 'cfg(docsrs,test)'` to each call, so that nobody sees it before the call is made without cargo.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `fill_well_known` in compiler/rustc_session/src/config/cfg.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > known.rs <<'RUST'
#[cfg(any(debug_assertions, doc, unix, panic = "abort", target_os = "linux", miri, clippy))]
pub fn known() {}
RUST
cat > tests.rs <<'RUST'
#[test]
fn adds() {
    assert_eq!(1 + 1, 2);
}
RUST
warnings() { rustc +1.95.0 --edition 2024 --test "$@" 2>&1 | grep -c '^warning: unexpected `cfg`' || true; }
known=$(warnings known.rs --check-cfg 'cfg()')
alone=$(warnings tests.rs --check-cfg 'cfg()')
cargos=$(warnings tests.rs --check-cfg 'cfg()' --check-cfg 'cfg(docsrs,test)')
unchecked=$(warnings tests.rs)
echo "other names: $known; a test: $alone; as cargo calls it: $cargos; without the check: $unchecked"
rustc +1.95.0 --edition 2024 --test --check-cfg 'cfg()' tests.rs 2>&1 | grep -e '^warning: unex' -e '= help'
[ "$known $alone $cargos $unchecked" = '0 1 0 0' ] || { echo 'changed: another number of warnings' >&2; exit 1; }
