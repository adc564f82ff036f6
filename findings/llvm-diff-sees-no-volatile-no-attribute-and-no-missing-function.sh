#!/usr/bin/env bash
# One would expect `llvm-diff`, which compares two files of LLVM's intermediate code by their meaning, to leave out names and the order of blocks, to print
# whatever else differs, and to end with 1 where it prints something.
#
# Instead, it prints nothing and ends with 0 for two functions of which one has a volatile or an atomic load and the other a plain one, another alignment, `nsw`
# or `exact` or none, another calling convention, or attributes such as `noreturn`. It compares the opcode, the type and the operands of an instruction, and
# hardly a flag of it. A global variable is looked at where an instruction uses it, and its value only if it is internal. A function that one of the files does
# not have is named, and the status is 0 all the same. On the other hand `add 1, x` is another instruction than `add x, 1`. So it tells whoever looks for the
# pass that broke a program, or for a smaller input with the same code, that most of what breaks programs is no change.
#
# Version: Debian's llvm-14 1:14.0.6-12. Source: `diff` of `FunctionDifferenceEngine` and of `DifferenceEngine` in
# llvm/tools/llvm-diff/lib/DifferenceEngine.cpp, and `main` in llvm/tools/llvm-diff/llvm-diff.cpp.
set -eu
command -v llvm-diff-14 > /dev/null || { echo "this needs Debian's package llvm-14" >&2; exit 1; }
llvm-diff-14 --version | grep -q 'LLVM version 14\.0\.6' || { echo "this was seen with llvm-diff 14.0.6" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > left.ll <<'LLVM'
@limit = global i32 7
@hidden = internal global i32 7

define i32 @part(i32 %x, i32* %place) {
  %next = add nsw i32 %x, 1
  store i32 %next, i32* %place, align 4
  %again = load i32, i32* %place, align 4
  %third = sdiv i32 %again, 3
  store i32 %third, i32* @limit
  store i32 %third, i32* @hidden
  ret i32 %third
}

define void @other() {
  ret void
}
LLVM
try() {
    sed "$2" left.ll > right.ll
    ! cmp -s left.ll right.ll || echo "$1: nothing was changed"
    llvm-as-14 right.ll -o right.bc
    status=0
    llvm-diff-14 left.ll right.ll > log 2>&1 || status=$?
    said='nothing'
    [ ! -s log ] || said=$(head -n 1 log)
    echo "$1: status $status, $said"
}
{
    try 'a volatile load' 's/load i32/load volatile i32/'
    try 'an atomic load' 's/load i32, i32\* %place,/load atomic i32, i32* %place seq_cst,/'
    try 'another alignment' 's/%place, align 4/%place, align 1/'
    try 'no nsw' 's/add nsw/add/'
    try 'exact' 's/sdiv/sdiv exact/'
    try 'an attribute of a function' 's/%place) {/%place) noreturn {/'
    try 'an attribute of a parameter' 's/(i32 %x/(i32 signext %x/'
    try 'another calling convention' 's/define i32/define fastcc i32/'
    try 'another value of a global' 's/limit = global i32 7/limit = global i32 8/'
    try 'another value of an internal global' 's/internal global i32 7/internal global i32 8/'
    try 'no function' '/^define void/,$d'
    try 'another order of operands' 's/i32 %x, 1/i32 1, %x/'
    try 'udiv' 's/sdiv/udiv/'
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other differences are seen' >&2; exit 1; }
a volatile load: status 0, nothing
an atomic load: status 0, nothing
another alignment: status 0, nothing
no nsw: status 0, nothing
exact: status 0, nothing
an attribute of a function: status 0, nothing
an attribute of a parameter: status 0, nothing
another calling convention: status 0, nothing
another value of a global: status 0, nothing
another value of an internal global: status 1, in function part:
no function: status 0, function @other exists only in left module
another order of operands: status 1, in function part:
udiv: status 1, in function part:
SEEN
