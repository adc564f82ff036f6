#!/bin/sh
# One would expect `topformflat`, which prepares a text for `multidelta` by moving line ends only, to do no harm to Rust: it copes with lifetimes
# (whose quotes are not closed), with braces in strings and characters, and with nested ones.
#
# What happens: to it a `#` begins a directive of the C preprocessor, which needs a line of its own. So `r#"keep"#` becomes `r`, a line end, and
# `#"keep"#`, which is no raw string any more. `multidelta` writes this over the input, sees that its test fails, and gives up; it leaves the spoiled file
# in place of the input, whose copy is the one that ends in `.bak`. A raw string without `#` stays whole, as does an attribute.
#
# Version: Debian's delta 2006.08.03-13. Source: topformflat.l of delta's sources.
set -eu
command -v topformflat > /dev/null && command -v multidelta > /dev/null || { echo "this needs Debian's package delta" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

printf '#[inline]\nfn f<%sa>(x: &%sa str) { g(%s{%s, r"}") }\n' "'" "'" "'" "'" > fine.rs
topformflat 0 < fine.rs > fine.flat
cat fine.flat
[ "$(tr -d ' \n' < fine.rs)" = "$(tr -d ' \n' < fine.flat)" ] || { echo "changed: more than white space" >&2; exit 1; }

cat > input.rs <<'RUST'
fn main() {
    print!(r#"keep"#);
}
RUST
cp input.rs before.rs
printf '#!/bin/sh\nrustc --emit metadata -o out.rmeta input.rs 2> /dev/null && grep -q keep input.rs\n' > check.sh
chmod +x check.sh
status=0
multidelta ./check.sh input.rs > out 2>&1 || status=$?
echo "multidelta: status $status, $(tail -n 1 out)"
cat input.rs
[ "$status" != 0 ] && grep -q '^Test fails after topformflat' out || { echo "changed: the test passes after topformflat" >&2; exit 1; }
grep -q 'r$' input.rs && grep -q '^#"keep"#' input.rs || { echo "changed: the raw string is whole, or the input was put back" >&2; exit 1; }
cmp -s before.rs input.rs.bak || { echo "changed: the copy is another" >&2; exit 1; }
