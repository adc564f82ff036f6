#!/usr/bin/env bash
# One would expect `cargo remove old` to take the dependency `old` out of one manifest, as its page says, and, as it does so, what the root of the workspace
# says of `old` alone: its entry in `[workspace.dependencies]` and its own profile.
#
# Instead, it clears the whole root manifest, and prints nothing of it. All entries of `[workspace.dependencies]` that no member uses at the moment are
# deleted with their comments, whatever they are called. All profiles for a package that is not named as a dependency by some member are deleted, too: the
# profile of each indirect dependency, such as the optimised decoder of an image library in a debug build, and that of each member nobody depends on. The
# next build compiles them with other settings. A program that edits manifests by `cargo remove` has to compare the root before and after.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `gc_workspace` and `spec_has_match` in src/bin/cargo/commands/remove.rs, which look at the direct
# dependencies of the members and at nothing else.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
package() {
    mkdir -p "$1/src"
    printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n' "$(basename "$1")" > "$1/Cargo.toml"
    touch "$1/src/lib.rs"
}
for name in image inflate old later workspace/app; do
    package "$name"
done
echo 'inflate = { path = "../inflate" }' >> image/Cargo.toml
printf 'image.workspace = true\nold.workspace = true\n' >> workspace/app/Cargo.toml
cd workspace
cat > Cargo.toml <<'TOML'
[workspace]
resolver = "3"
members = ["app"]
[workspace.dependencies]
image = { path = "../image" }
later = { path = "../later" } # The next member needs it.
old = { path = "../old" }
[profile.dev.package.image]
opt-level = 2
# A debug build decodes too slowly without this.
[profile.dev.package.inflate]
opt-level = 3
[profile.dev.package.app]
opt-level = 1
TOML
cat > levels.py <<'PYTHON'
import json, sys
artifacts = [message for message in map(json.loads, sys.stdin) if message["reason"] == "compiler-artifact"]
print(*sorted(artifact["target"]["name"] + " " + artifact["profile"]["opt_level"] for artifact in artifacts), sep=", ")
PYTHON
levels() { cargo +1.95.0 check --offline --quiet --message-format json | python3 levels.py; }
cp Cargo.toml before
{
    echo "levels before: $(levels)"
    cargo +1.95.0 remove --offline --package app old 2>&1 | sed 's/^ */printed: /'
    diff before Cargo.toml || true
    echo "levels after: $(levels)"
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: something else is removed' >&2; exit 1; }
levels before: app 1, image 2, inflate 3, old 0
printed: Removing old from dependencies
6,7d5
< later = { path = "../later" } # The next member needs it.
< old = { path = "../old" }
10,14d7
< # A debug build decodes too slowly without this.
< [profile.dev.package.inflate]
< opt-level = 3
< [profile.dev.package.app]
< opt-level = 1
levels after: app 0, image 2, inflate 0
SEEN
