#!/usr/bin/env bash
# One would expect `exclude` of a workspace to have the last word: a package in a folder that is listed there is no member, as when `members` has a pattern that
# would take it; and a pattern to be allowed there as it is in `members`.
#
# Instead, `exclude` has no effect on a folder that is below one which `members` names by its plain path. With `"."` among the members, which is the root
# package, nothing at all is excluded, and a package that a pattern finds is a member again. With `"app"`, the package in `app/fuzz` is excluded in vain: cargo
# refuses to work in it, as it belongs to no workspace and is in the folder of one, and advises to add it to `exclude`, where it is. When `"app"` is written as
# the pattern `"ap*"`, it is excluded. A pattern in `exclude` is taken for the name of a folder. None of it is reported.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `WorkspaceRootConfig::is_excluded` in src/cargo/core/workspace.rs, where a member's path that is a
# prefix of the package's counts as its being named, and no pattern is expanded.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
package() {
    mkdir -p "$1/src"
    touch "$1/src/lib.rs"
    printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2024"\n' "$2" > "$1/Cargo.toml"
}
package . root
package app app
package app/fuzz fuzz
package crates/new new
package crates/old old
mv Cargo.toml root.toml
cat > names.py <<'PYTHON'
import json, sys
print(*sorted(package["name"] for package in json.load(sys.stdin)["packages"]))
PYTHON
names() {
    if cargo +1.95.0 metadata --no-deps --format-version 1 > json 2> err; then python3 "$dir/names.py" < json; else sed -n 's/^error: //p' err; fi
    rm json err
}
workspace() {
    { if [ "$1" != virtual ]; then cat root.toml; fi; printf '[workspace]\nresolver = "3"\nmembers = [%s]\nexclude = [%s]\n' "$2" "$3"; } > Cargo.toml
    echo "members $2, exclude $3: $(names)"
    echo "    in $4: $(cd "$4" && names)"
}
{
    workspace virtual '"crates/*"' '"crates/old"' crates/old
    workspace package '"crates/*"' '"crates/old"' crates/old
    workspace package '".", "crates/*"' '"crates/old"' crates/old
    workspace virtual '"crates/*"' '"crates/o*"' crates/old
    workspace virtual '"app"' '"app/fuzz"' app/fuzz
    workspace virtual '"ap*"' '"app/fuzz"' app/fuzz
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: others are members' >&2; exit 1; }
members "crates/*", exclude "crates/old": new
    in crates/old: old
members "crates/*", exclude "crates/old": new root
    in crates/old: old
members ".", "crates/*", exclude "crates/old": new old root
    in crates/old: new old root
members "crates/*", exclude "crates/o*": new old
    in crates/old: new old
members "app", exclude "app/fuzz": app
    in app/fuzz: current package believes it's in a workspace when it's not:
members "ap*", exclude "app/fuzz": app
    in app/fuzz: fuzz
SEEN
