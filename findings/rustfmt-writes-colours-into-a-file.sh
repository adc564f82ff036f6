#!/bin/sh
# One would expect `rustfmt --check` to print colours to a terminal alone, as rustc, cargo and clippy do, whose `auto` means just that; and none at all where
# `NO_COLOR` is set.
#
# What happens: `auto` asks the variable `TERM` and looks at nothing else. Where it names a terminal that has colours, which it does in every shell that a
# person uses, the difference that goes to a file or a pipe has the escape sequences in it, and `NO_COLOR=1` changes nothing. `cargo fmt --check` is
# the same. Under a CI, which sets no `TERM`, the same call is plain: a script that reads the difference works there and fails by hand. Only
# `--color never` helps, behind `--` for `cargo fmt`.
#
# Version: rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `OutputWriter` in src/rustfmt_diff.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
echo 'fn main(){}' > src/main.rs
printf '[package]\nname = "plain"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > Cargo.toml
unset NO_COLOR CLICOLOR CLICOLOR_FORCE CARGO_TERM_COLOR || true
escape=$(printf '\033')
show() {
    name=$1
    shift
    "$@" > difference 2> /dev/null < /dev/null && { echo "$name: no difference" >&2; exit 1; }
    grep -q '^.*+fn main() {}' difference || { echo "$name: another difference" >&2; exit 1; }
    if grep -q "$escape" difference; then echo "$name: colours"; else echo "$name: plain"; fi
}
{
    show 'TERM=xterm' env TERM=xterm rustfmt +1.95.0 --check src/main.rs
    show 'TERM=xterm NO_COLOR=1' env TERM=xterm NO_COLOR=1 rustfmt +1.95.0 --check src/main.rs
    show 'TERM=xterm cargo fmt' env TERM=xterm cargo +1.95.0 fmt --check
    show 'no TERM' env -u TERM rustfmt +1.95.0 --check src/main.rs
    show 'TERM=dumb' env TERM=dumb rustfmt +1.95.0 --check src/main.rs
    show 'TERM=xterm --color never' env TERM=xterm rustfmt +1.95.0 --color never --check src/main.rs
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: colours in other cases' >&2; exit 1; }
TERM=xterm: colours
TERM=xterm NO_COLOR=1: colours
TERM=xterm cargo fmt: colours
no TERM: plain
TERM=dumb: plain
TERM=xterm --color never: plain
SEEN
