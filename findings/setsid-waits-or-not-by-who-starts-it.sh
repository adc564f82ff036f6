#!/usr/bin/env bash
# One would expect `setsid PROGRAM` to wait for the program and to end with its status, as `timeout`, `nice` and `env` do, since it has an option `--fork` for
# whoever does not want to wait.
#
# Instead, it waits or not by what its own process happens to be. Started from a script, it becomes the program, and all is as expected. Started as the leader
# of a process group, it forks, returns at once, and ends with 0, while the program is still running. Many a harness makes a leader of each test it starts, so
# that it can kill the whole group, and so does a shell with job control, which means every terminal. So a test command `setsid ./check.sh` that was tried in a
# script fails as it should, and under a reducer it succeeds for every candidate, in no time. Under `timeout` it waits again, as there the leader is `timeout`.
# With `--wait` the status is the program's in all cases.
#
# Version: setsid of util-linux 2.38.1 (Debian 12), bash and Python 3. Source: `main` in sys-utils/setsid.c forks when `getpgrp() == getpid()`.
set -eu
case $(setsid --version) in
*"util-linux 2.38.1"*) ;;
*) echo 'this was seen with setsid of util-linux 2.38.1' >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
printf '#!/bin/sh\nsleep 1\ntouch "$1"\nexit 3\n' > check.sh
printf 'import subprocess, sys\nsys.exit(subprocess.call(sys.argv[1:], preexec_fn=lambda: __import__("os").setpgid(0, 0)))\n' > leader.py
chmod +x check.sh
number=0
try() {
    number=$((number + 1))
    status=0
    "${@:2}" "./check.sh" "done$number" || status=$?
    ended=no
    [ ! -e "done$number" ] || ended=yes
    echo "$1: status $status, the program has ended: $ended"
}
{
    try 'from a script' setsid
    try 'from a harness that makes it a leader' python3 leader.py setsid
    set -m
    try 'from a shell with job control' setsid
    try 'the same, with timeout before it' timeout 20 setsid
    set +m
    try 'from a harness, with --wait' python3 leader.py setsid --wait
} > out
cat out
sleep 1.5
cmp -s out - <<'SEEN' || { echo 'changed: setsid waits in other cases' >&2; exit 1; }
from a script: status 3, the program has ended: yes
from a harness that makes it a leader: status 0, the program has ended: no
from a shell with job control: status 0, the program has ended: no
the same, with timeout before it: status 3, the program has ended: yes
from a harness, with --wait: status 3, the program has ended: yes
SEEN
