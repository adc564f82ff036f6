#!/bin/sh
# One would expect a reducer whose test is ended by a signal to take this candidate for one that is not interesting, as it does with any status but 0, and to
# go on: a candidate that makes the tested program run out of memory or time, or crash in another way, is nothing unusual.
#
# What happens: the first such candidate ends the whole reduction, with "Error running interesting-ness test: Killed" and status 1. What is in the output is
# what happened to be the best until then: here the function `other` is gone and all blocks are there, and if nothing was found before there is no output. A
# shell that calls the program hides the signal behind a status (137) and is safe; a test that ends in `exec opt ..` under `ulimit`, or is itself the
# compiler, is not.
#
# Version: Debian's llvm-14 1:14.0.6-12. Source: found by running it; `TestRunner::run` in llvm/tools/llvm-reduce/TestRunner.cpp ends the process for a
# negative result.
set -eu
command -v llvm-reduce > /dev/null || { echo "this needs Debian's package llvm" >&2; exit 1; }
llvm-reduce --version | grep -q 'LLVM version 14\.0\.6' || { echo "this was seen with llvm-reduce 14.0.6" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > input.ll <<'LLVM'
define i32 @keep(i32 %x, i32 %y) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i32 %y
b:
  %d = sdiv i32 %x, %y
  ret i32 %d
}
define void @other() {
  %r = call i32 @keep(i32 1, i32 2)
  ret void
}
LLVM
cat > shell.sh <<'SH'
#!/bin/sh
grep -q sdiv "$1" || exit 1
grep -q icmp "$1" && exit 0
sh -c 'kill -KILL $$'
SH
sed 's/^sh -c .*/kill -KILL $$/' shell.sh > killed.sh
chmod +x shell.sh killed.sh
for test in shell killed; do
    status=0
    llvm-reduce --test="./$test.sh" input.ll -o "$test.ll" > log 2>&1 || status=$?
    echo "$test: status $status, $(grep -c '^define' "$test.ll") function, $(grep -c '^ *ret' "$test.ll") returns"
    grep -o 'Error running .*' log | sed 's/Killed.*/Killed/' || true
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: it goes on, or ends elsewhere' >&2; exit 1; }
shell: status 0, 1 function, 1 returns
killed: status 1, 1 function, 2 returns
Error running interesting-ness test: Killed
SEEN
