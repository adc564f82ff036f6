#!/usr/bin/env bash
# One would expect a search by syntax for `$X.unwrap()` to find more than a search by text, and each call above all that stands in an `assert!`, a `println!`
# or a `vec!`, where most of a test's expressions are.
#
# Instead, it finds the one of four that is in no macro: to the grammar, what a macro gets is a list of tokens, without calls and operators. For the same
# reason `println!("{}", $A)` finds `println!("{}", first)` alone, where the argument is one token, `assert!($A == $B)` nothing, and `assert!($$$A)` all, as
# that is a list of anything. A rule that is to rewrite or to forbid a call passes over most of the tests without a word.
#
# Version: ast-grep 0.51.1 (package ast-grep-cli of PyPI), with the grammar of tree-sitter for Rust in it. Source: `token_tree` in the grammar, and running
# it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check ast-grep-cli==0.51.1
cat > tests.rs <<'RUST'
fn check(x: Option<u8>) {
    let first = x.unwrap();
    assert!(x.unwrap() == first);
    println!("{}", x.unwrap());
    println!("{}", first);
    let list = vec![x.unwrap()];
}
RUST
for pattern in '$X.unwrap()' 'println!("{}", $A)' 'println!($$$A)' 'assert!($A == $B)' 'assert!($$$A)' 'vec![$A]'; do
    found=$(env/bin/ast-grep run --lang rust --pattern "$pattern" --json tests.rs |
        python3 -c 'import json, sys; print(*(match["text"] for match in json.load(sys.stdin)), sep=", ")')
    echo "$pattern: $found"
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is found' >&2; exit 1; }
$X.unwrap(): x.unwrap()
println!("{}", $A): println!("{}", first)
println!($$$A): println!("{}", x.unwrap()), println!("{}", first)
assert!($A == $B): 
assert!($$$A): assert!(x.unwrap() == first)
vec![$A]: 
SEEN
