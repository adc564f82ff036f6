#!/usr/bin/env bash
# One would expect `[lints.rust]` with a group and a lint of this group, both without `priority`, to have one rule: the lint wins, as it says more; or the
# group wins; or the later line.
#
# Instead, cargo hands them to rustc in the reverse order of the alphabet, and the last one wins. So `unused = "deny"` beats `unused_mut = "allow"`, and loses
# to `dead_code = "allow"`, which is in the same group, whatever the order of the lines. `nonstandard_style` loses to `non_snake_case`, and `bad-style`, which
# is another name of the same group, wins. Nothing is printed but by a lint of clippy. A table that has worked so far fails with the next lint that is added
# to it. `priority = -1` for each group makes all of it plain. A tool that reads levels from a manifest has to sort in the same way.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `lints_to_rustflags` in src/cargo/util/toml/mod.rs, which sorts by the priority and then by
# `Reverse(name)`.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS || true
cd "$dir"
mkdir src
cat > src/lib.rs <<'RUST'
fn dead_code() {}
pub fn unused_mut() {
    let mut five = 5;
    let _ = five;
}
pub fn Non_snake_case() {}
RUST
check() {
    { printf '[package]\nname = "levels"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[lints.rust]\n'; printf '%s\n' "$@"; } > Cargo.toml
    cargo +1.95.0 check --quiet --message-format json > json 2> err || true
    echo "$@:" $(python3 levels.py < json)
}
cat > levels.py <<'PYTHON'
import json, sys
messages = [json.loads(line).get("message") for line in sys.stdin]
codes = {message["code"]["code"]: message["level"] for message in messages if message and message["code"]}
print(", ".join("%s %s" % (level, code) for code, level in sorted(codes.items())))
PYTHON
{
    check 'non_snake_case = "allow"' 'unused = "deny"' 'unused_mut = "allow"' 'dead_code = "allow"'
    check 'non_snake_case = "allow"' 'dead_code = "allow"' 'unused_mut = "allow"' 'unused = "deny"'
    check 'non_snake_case = "allow"' 'unused = { level = "deny", priority = -1 }' 'unused_mut = "allow"' 'dead_code = "allow"'
    check 'unused = "allow"' 'nonstandard_style = "deny"' 'non_snake_case = "allow"'
    check 'unused = "allow"' 'bad-style = "deny"' 'non_snake_case = "allow"'
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: others win' >&2; exit 1; }
non_snake_case = "allow" unused = "deny" unused_mut = "allow" dead_code = "allow": error unused_mut
non_snake_case = "allow" dead_code = "allow" unused_mut = "allow" unused = "deny": error unused_mut
non_snake_case = "allow" unused = { level = "deny", priority = -1 } unused_mut = "allow" dead_code = "allow":
unused = "allow" nonstandard_style = "deny" non_snake_case = "allow":
unused = "allow" bad-style = "deny" non_snake_case = "allow": error non_snake_case
SEEN
