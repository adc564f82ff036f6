#!/bin/sh
# What one would expect: a relative path in a configuration file of cargo that another one includes, such as
# `rustc-wrapper = "./wrap"`, begins in the directory of the file that has it, as the path of an `include` does, or in the directory where that
# of the including file begins.
#
# What happens: neither. It begins in the parent of the directory of the included file, whatever that directory is called: the rule
# that is made for `.cargo/config.toml` (the parent of `.cargo`) holds for `shared/flags/build.toml`, too, where `./wrap` means `shared/wrap`. In the
# same file, `include = ["./wrap.toml"]` means `shared/flags/wrap.toml`.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `Definition::root` in src/cargo/util/context/value.rs takes the parent of the
# parent of the path; `ConfigInclude` takes the parent.
set -eu

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CARGO_HOME=$dir/home
export CARGO_HOME
unset RUSTC_WRAPPER CARGO_BUILD_RUSTC_WRAPPER || true

mkdir -p "$dir/ws/.cargo" "$dir/ws/src" "$dir/shared/flags" "$CARGO_HOME"
printf '[package]\nname = "ws"\nversion = "0.1.0"\nedition = "2024"\n' > "$dir/ws/Cargo.toml"
echo 'pub fn f() {}' > "$dir/ws/src/lib.rs"
echo 'include = ["../../shared/flags/build.toml"]' > "$dir/ws/.cargo/config.toml"
echo 'include = ["./term.toml"]
[build]
rustc-wrapper = "./wrap"' > "$dir/shared/flags/build.toml"
echo '[env]
INCLUDED = "yes"' > "$dir/shared/flags/term.toml"

for place in shared/flags shared ws ws/.cargo; do
    printf '#!/bin/sh\necho "%s $INCLUDED" >> "%s/called"\nexec "$@"\n' "$place" "$dir" > "$dir/$place/wrap"
    chmod +x "$dir/$place/wrap"
done

cd "$dir/ws"
cargo +1.95.0 check --offline --quiet
called=$(sort -u "$dir/called" | tail -n 1)
echo "the wrapper of which directory was called, and whether the second file was included: $called"
case $called in
    "shared yes") ;;
    *) echo "the behaviour changed"; exit 1 ;;
esac
