#!/usr/bin/env bash
# One would expect `build.warnings = "deny"` of cargo (variable `CARGO_BUILD_WARNINGS`) to fail a build that has warnings, however the warnings are printed:
# the format of messages is about what is shown.
#
# Instead, the format decides. With `--message-format json`, which editors and other tools use, cargo ends with 0, and its last message is
# `"build-finished","success":true`. With `json-render-diagnostics` the same build ends with 101 and `"success":false`; so it does without a format, and with
# `short`. In `json` the warning keeps the level "warning", so that nothing in the output tells that warnings are denied. All four compile the program to the
# end, as the setting is read by cargo alone, which counts the warnings that it prints itself.
#
# Version: cargo 1.97.0-nightly (4d1f98451 2026-05-15); 1.95.0 does not know the setting and says nothing of it. Source: found by running it; cargo's
# reference describes the setting at "build.warnings".
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "warned"
version = "0.0.0"
edition = "2024"
[workspace]
TOML
echo 'fn main() { let number = 1; }' > src/main.rs
for toolchain in 1.95.0 nightly; do
    for format in human short json-render-diagnostics json; do
        rm -rf target
        status=0
        CARGO_BUILD_WARNINGS=deny cargo "+$toolchain" build --message-format "$format" > said 2> err || status=$?
        finished=$(sed -n 's/.*"build-finished","success":\([a-z]*\).*/, success is \1/p' said)
        made=no; [ ! -x target/debug/warned ] || made=yes
        echo "$toolchain, $format: status $status$finished, program made: $made"
    done
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other formats fail' >&2; exit 1; }
1.95.0, human: status 0, program made: yes
1.95.0, short: status 0, program made: yes
1.95.0, json-render-diagnostics: status 0, success is true, program made: yes
1.95.0, json: status 0, success is true, program made: yes
nightly, human: status 101, program made: yes
nightly, short: status 101, program made: yes
nightly, json-render-diagnostics: status 101, success is false, program made: yes
nightly, json: status 0, success is true, program made: yes
SEEN
