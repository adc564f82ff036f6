#!/usr/bin/env bash
# One would expect `trap 'rm -rf "$dir"' EXIT` in a test script to be run in each shell, or in none, when the script is ended by a signal, as a reducer or a CI
# ends a script that takes too long; and the one who waits for the script to see that a signal ended it.
#
# Instead, each shell has rules of its own. bash and ksh93 run the trap, dash, busybox and yash do not, so that a script with `#!/bin/sh` leaves its directory
# behind on Debian for each test that was stopped. zsh runs it for HUP and not for TERM, mksh for TERM and not for HUP. The status is worse: mksh, once it
# has run the trap for TERM, ends with the status of the last command in the trap. That of `rm -rf` is 0, so whoever goes by the status alone takes a test that
# was killed for its time for one that has passed. ksh93 ends with 15 for TERM and with 1 for HUP, which look like statuses that the script has chosen, and
# zsh with 1 for HUP.
#
# Version: Debian 12's dash 0.5.12-2, bash 5.2.15, busybox-static 1:1.35.0-4+deb12u1+b1, yash 2.52-2, ksh93u+m 1.0.4-3, mksh 59c-28+deb12u1 and zsh-static
# 5.9-4+b15. Source: found by running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
case $BASH_VERSION in
5.2.15*) ;;
*) echo 'this was seen with bash 5.2.15' >&2; exit 1 ;;
esac
apt-get download -qq dash=0.5.12-2 busybox-static=1:1.35.0-4+deb12u1+b1 yash=2.52-2 ksh93u+m=1.0.4-3 mksh=59c-28+deb12u1 zsh-static=5.9-4+b15 \
    2> err || { cat err; exit 1; }
for package in *.deb; do
    dpkg -x "$package" root
done
cat > killed.py <<'PYTHON'
import os
import signal
import subprocess
import sys
import time

for number in (signal.SIGTERM, signal.SIGHUP):
    for last in ("true", "false"):
        with open("check.sh", "w") as file:
            print(f"trap 'touch ran; {last}' EXIT\ntouch begun\nsleep 4\nexit 5", file=file)
        child = subprocess.Popen([*sys.argv[1:], "check.sh"], process_group=0)
        while not os.path.exists("begun"):
            time.sleep(0.05)
        time.sleep(0.3)
        os.killpg(child.pid, number)
        status = child.wait()
        ended = f"the signal {-status}" if status < 0 else f"status {status}"
        ran = os.path.exists("ran")
        name = os.path.basename(sys.argv[1]).removesuffix("-static")
        print(f"{name}, {number.name}: the trap that ends with {last} {'is' if ran else 'is not'} run, the end is {ended}")
        for path in ("begun", "ran"):
            if os.path.exists(path):
                os.remove(path)
PYTHON
for shell in dash 'busybox sh' yash bash ksh93 zsh-static mksh; do
    path=root/bin/${shell%% *}
    [ -e "$path" ] || path=root/usr/bin/${shell%% *}
    [ "$shell" != bash ] || path=$BASH
    set -- "$path"
    [ "$shell" != 'busybox sh' ] || set -- "$path" sh
    python3 killed.py "$@" 2> err
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other shells run it, or end in another way' >&2; exit 1; }
dash, SIGTERM: the trap that ends with true is not run, the end is the signal 15
dash, SIGTERM: the trap that ends with false is not run, the end is the signal 15
dash, SIGHUP: the trap that ends with true is not run, the end is the signal 1
dash, SIGHUP: the trap that ends with false is not run, the end is the signal 1
busybox, SIGTERM: the trap that ends with true is not run, the end is the signal 15
busybox, SIGTERM: the trap that ends with false is not run, the end is the signal 15
busybox, SIGHUP: the trap that ends with true is not run, the end is the signal 1
busybox, SIGHUP: the trap that ends with false is not run, the end is the signal 1
yash, SIGTERM: the trap that ends with true is not run, the end is the signal 15
yash, SIGTERM: the trap that ends with false is not run, the end is the signal 15
yash, SIGHUP: the trap that ends with true is not run, the end is the signal 1
yash, SIGHUP: the trap that ends with false is not run, the end is the signal 1
bash, SIGTERM: the trap that ends with true is run, the end is the signal 15
bash, SIGTERM: the trap that ends with false is run, the end is the signal 15
bash, SIGHUP: the trap that ends with true is run, the end is the signal 1
bash, SIGHUP: the trap that ends with false is run, the end is the signal 1
ksh93, SIGTERM: the trap that ends with true is run, the end is status 15
ksh93, SIGTERM: the trap that ends with false is run, the end is status 15
ksh93, SIGHUP: the trap that ends with true is run, the end is status 1
ksh93, SIGHUP: the trap that ends with false is run, the end is status 1
zsh, SIGTERM: the trap that ends with true is not run, the end is the signal 15
zsh, SIGTERM: the trap that ends with false is not run, the end is the signal 15
zsh, SIGHUP: the trap that ends with true is run, the end is status 1
zsh, SIGHUP: the trap that ends with false is run, the end is status 1
mksh, SIGTERM: the trap that ends with true is run, the end is status 0
mksh, SIGTERM: the trap that ends with false is run, the end is status 1
mksh, SIGHUP: the trap that ends with true is not run, the end is status 129
mksh, SIGHUP: the trap that ends with false is not run, the end is status 129
SEEN
