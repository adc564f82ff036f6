#!/usr/bin/env bash
# One would expect limits of time to nest: `timeout 1 ./check.sh` ends all that the script has started when the second is over, as it does with any program that
# the script waits for, also if the script gives one of its programs a limit of its own, `timeout 9 ./tested`.
#
# Instead, the tested program goes on, for up to its nine seconds, beside whatever is done next. Each `timeout` makes a process group of its own, to be able to
# signal all of it. The outer one signals its child and its group, and the inner one has left that group. So the script ends, and the inner `timeout` and its
# program are left. If the output is captured, the caller waits for them, and the limit of one second holds no longer. A `timeout` that is the direct child of
# the other passes a TERM on, but no KILL (`-s KILL`): then the program has lost both limits. With `--foreground` for the inner one, all is ended at once.
#
# Version: coreutils 9.1 (Debian 12). Source: `main` (`setpgid (0, 0)`) and `cleanup` in src/timeout.c.
set -eu
case $(timeout --version | head -n 1) in
"timeout (GNU coreutils) 9.1") ;;
*) echo 'this was seen with coreutils 9.1' >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
printf '#!/bin/sh\necho $$ > pid\nexec sleep 4\n' > tested
printf '#!/bin/sh\n./tested\ntrue\n' > plain.sh
printf '#!/bin/sh\ntimeout 9 ./tested\ntrue\n' > limited.sh
printf '#!/bin/sh\ntimeout --foreground 9 ./tested\ntrue\n' > foreground.sh
chmod +x tested ./*.sh
try() {
    rm -f pid
    status=0
    "$@" > /dev/null 2>&1 || status=$?
    sleep 0.3
    runs=no
    # A process that has ended may still be there, as a zombie, until its new parent asks for its status.
    ! grep -qs '^State:[[:space:]]*[RSD]' "/proc/$(cat pid)/status" || runs=yes
    echo "$*: status $status, the tested program goes on: $runs"
    [ "$runs" = no ] || kill "$(cat pid)"
}
captured() {
    before=$SECONDS
    text=$("$@" 2>&1) || true
    late=no
    [ $((SECONDS - before)) -lt 3 ] || late=yes
    echo "\$($*): later than after two seconds: $late"
}
{
    try timeout 1 ./plain.sh
    try timeout 1 ./limited.sh
    try timeout 1 ./foreground.sh
    try timeout 1 timeout 9 ./tested
    try timeout -s KILL 1 timeout 9 ./tested
    captured timeout 1 ./plain.sh
    captured timeout 1 ./limited.sh
} > out 2> err
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another limit holds' >&2; exit 1; }
timeout 1 ./plain.sh: status 124, the tested program goes on: no
timeout 1 ./limited.sh: status 124, the tested program goes on: yes
timeout 1 ./foreground.sh: status 124, the tested program goes on: no
timeout 1 timeout 9 ./tested: status 124, the tested program goes on: no
timeout -s KILL 1 timeout 9 ./tested: status 137, the tested program goes on: yes
$(timeout 1 ./plain.sh): later than after two seconds: no
$(timeout 1 ./limited.sh): later than after two seconds: yes
SEEN
