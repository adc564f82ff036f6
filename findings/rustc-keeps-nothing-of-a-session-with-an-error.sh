#!/bin/sh
# One would expect of `-C incremental` that a crate with one wrong function costs little once that is mended: all others were checked, and are the same.
#
# What happens: rustc keeps nothing of a session in which it printed an error. The next one begins with the last session that had none, or with nothing if
# there was no such session, so that whoever drops wrong parts of a program round by round pays for all that is new in each round. What the failed session
# has made is not removed with it either: its directory, whose name ends with `-working`, stays until a later session finds it old enough, and holds a link to
# each file of the session that it began with. Whether a session could be used is known only by an unstable flag.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14), on Linux. Source: found by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export RUSTC_BOOTSTRAP=1
write() {
    for number in $(seq 200); do
        echo "pub fn f$number(a: u32) -> u32 { a + $number * $1 }"
    done > lib.rs
    echo "$2" >> lib.rs
}
call() {
    rustc +1.95.0 --edition 2024 --crate-type lib --crate-name a --emit=metadata "$@" lib.rs
}
# Compiles the text, and says whether an earlier session was there to go on from: this is asked of a copy, as the answer may be an error.
compile() {
    mkdir -p kept
    rm -rf copy
    cp -r kept copy
    asked=0
    call -C incremental=copy -Zassert-incr-state=loaded 2> asked || asked=1
    session=there
    if [ "$asked" = 1 ] && grep -q 'should be successfully loaded' asked; then
        session=missing
    fi
    status=0
    call -C incremental=kept 2> err || status=$?
    echo "$1: status $status, session $session, $(ls kept/* | grep -c -- '-working$' || true) left behind"
}
{
    write 1 'pub fn wrong() -> u32 { "" }'
    compile 'wrong from the beginning'
    write 1 ''
    compile 'mended'
    rm -rf kept
    write 1 ''
    compile 'right from the beginning'
    write 2 'pub fn wrong() -> u32 { "" }'
    compile 'all changed, and one wrong'
    write 2 ''
    compile 'mended'
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other sessions are kept' >&2; exit 1; }
wrong from the beginning: status 1, session missing, 1 left behind
mended: status 0, session missing, 1 left behind
right from the beginning: status 0, session missing, 0 left behind
all changed, and one wrong: status 1, session there, 1 left behind
mended: status 0, session there, 1 left behind
SEEN
