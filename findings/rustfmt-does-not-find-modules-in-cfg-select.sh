#!/usr/bin/env bash
# One would expect rustfmt to find the file of each module that the source declares, as it does for `#[cfg(..)] mod name;` of any system, and for modules in
# the crate cfg-if's macro, which it knows by name; `cfg_select!` of the standard library is what replaces that macro since Rust 1.95.
#
# Instead, rustfmt 1.95.0 does not look into `cfg_select!`. The files of modules that are declared there are never formatted, nor are the modules below them,
# and `--check` ends with 0 whatever they look like. So a crate which changes from `cfg_if!` to `cfg_select!` keeps its green check, and loses the format
# of all that depends on the system. A tool that lists the files of a crate by what rustfmt goes through loses them as well. The files have to be named.
#
# Version: rustfmt 1.9.0 of Rust 1.95.0 (59807616e 2026-04-14). Source: found by running it; modules in `cfg_if!` are found by `visit_cfg_if` in
# src/modules.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
cat > lib.rs <<'RUST'
cfg_if::cfg_if! {
    if #[cfg(unix)] {
        mod old_unix;
    } else {
        mod old_other;
    }
}
cfg_select! {
    unix => {
        mod new_unix;
    }
    _ => {
        mod new_other;
    }
}
#[cfg(not(unix))]
mod attribute_other;
#[cfg(unix)]
mod attribute_unix;
RUST
modules='attribute_other attribute_unix new_other new_unix old_other old_unix'
write() { for module in $modules; do echo 'fn   spaces( ) { }' > "$module.rs"; done; }
check() {
    status=0
    rustfmt +1.95.0 --edition 2024 --check "$@" > log 2>&1 || status=$?
    echo "$1: status $status," $(sed -n 's/^Diff in .*\/\([a-z_]*\)\.rs:.*/\1/p' log | sort -u)
}
{
    write
    check lib.rs
    rustfmt +1.95.0 --edition 2024 lib.rs
    echo "left after formatting:" $(grep -l 'fn   spaces' *.rs)
    check lib.rs
    check new_unix.rs
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are found' >&2; exit 1; }
lib.rs: status 1, attribute_other attribute_unix old_other old_unix
left after formatting: new_other.rs new_unix.rs
lib.rs: status 0,
new_unix.rs: status 1, new_unix
SEEN
