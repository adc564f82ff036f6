#!/bin/sh
# What one would expect: a configuration file of cargo may include two files that both include a third one with what they share, as C
# headers or Git's configuration may. There is no circle in that.
#
# What happens: cargo refuses to do anything. It remembers each file that it has read for one configuration file, and takes the second way to the
# same file for a circle: "config `include` cycle detected". A file that names the same path twice is refused for the same reason. The files may
# be reached by two configuration files (one of the workspace, one above), as each of these begins anew.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21), where `include` is stable. Source: `load_includes` and `_load_file` in
# src/cargo/util/context/mod.rs, which insert each path into one set `seen`.
set -eu

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CARGO_HOME=$dir/home
export CARGO_HOME
unset RUSTFLAGS CARGO_BUILD_RUSTFLAGS || true

mkdir -p "$dir/outer/.cargo" "$dir/outer/inner/.cargo" "$dir/outer/inner/src" "$CARGO_HOME"
printf '[package]\nname = "inner"\nversion = "0.1.0"\nedition = "2024"\n' > "$dir/outer/inner/Cargo.toml"
echo 'pub fn f() {}' > "$dir/outer/inner/src/lib.rs"
cd "$dir/outer/inner"

echo '[build]
rustflags = ["--cfg", "shared"]' > .cargo/shared.toml
echo 'include = ["shared.toml"]' > .cargo/a.toml
echo 'include = ["shared.toml"]' > .cargo/b.toml

says() {
    cargo +1.95.0 check --offline 2>&1 || true
}

echo 'include = ["a.toml", "b.toml"]' > .cargo/config.toml
diamond=$(says)
echo "two files that include a third: $diamond"
case $diamond in
    *"cycle detected"*) ;;
    *) echo "the behaviour changed: the third file is read"; exit 1 ;;
esac

echo 'include = ["shared.toml", "shared.toml"]' > .cargo/config.toml
case $(says) in
    *"cycle detected"*) echo "one path twice: refused, too" ;;
    *) echo "the behaviour changed: a path may be named twice"; exit 1 ;;
esac

echo 'include = ["../inner/.cargo/a.toml"]' > ../.cargo/config.toml
echo 'include = ["b.toml"]' > .cargo/config.toml
case $(says) in
    *"cycle detected"*) echo "the behaviour changed: two configuration files are refused"; exit 1 ;;
    *) echo "two configuration files that come to the same one: accepted" ;;
esac
