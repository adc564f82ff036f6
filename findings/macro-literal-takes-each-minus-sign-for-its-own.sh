#!/usr/bin/env bash
# One would expect a macro with an arm for `$l:literal` and a last arm for any tokens to take whatever it is given: what is no literal goes on to the next arm.
# Other than `$e:expr`, which is known to begin and not to come back, a literal is one token, and can be told by it.
#
# Instead, a minus sign alone makes rustc decide for the arm, since `-1` is matched as well: `-x`, `-(1 + 2)`, `--1` or a sole `-` is an error that stands in
# the caller's code, and the next arm is never tried. `-true` is taken for a literal. A literal with something behind it, such as `1 + 1` or `-1 + x`, does go
# on, and so do `->` and `-=`, which are one token. A macro that chooses by the kind of its argument has to have the tokens with a minus sign in an arm
# before; and a tool which makes a negative number of an expression, or back, may change which arm is taken or whether the program compiles.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `Token::can_begin_literal_maybe_minus` in compiler/rustc_ast/src/token.rs, which
# `nonterminal_may_begin_with` in compiler/rustc_parse/src/parser/nonterminal.rs asks.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
while read -r tokens; do
    cat > main.rs <<RUST
macro_rules! arm {
    (\$l:literal) => { "literal" };
    (\$(\$t:tt)*) => { "tokens" };
}
fn main() {
    println!("{}", arm!($tokens));
}
RUST
    if rustc +1.95.0 --edition 2024 -C debuginfo=0 main.rs -o main 2> log; then result=$(./main); else result=$(sed -n 's/^error: \(.*`\)$/\1/p' log); fi
    echo "$tokens: $result"
done > out <<'TOKENS'
1
-1
- 1
true
-true
x
-x
-(1 + 2)
--1
-
1 + 1
-1 + x
!x
&1
->
-= 1
TOKENS
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another arm is taken' >&2; exit 1; }
1: literal
-1: literal
- 1: literal
true: literal
-true: literal
x: tokens
-x: unexpected token: `x`
-(1 + 2): unexpected token: `(`
--1: unexpected token: `-`
-: unexpected token: `<eof>`
1 + 1: tokens
-1 + x: tokens
!x: tokens
&1: tokens
->: tokens
-= 1: tokens
SEEN
