#!/bin/sh
# One would expect cargo to build anew when `RUSTC` names a script that now calls another compiler, as it does after an update: it asks for `rustc -vV` at
# each start, and the answer is part of what identifies a build.
#
# What happens: cargo keeps the answer in `target/.rustc_info.json`, and asks again only if the path or the time of the script (and of what `rustup` would
# take) has changed. A script that chooses the compiler by a variable of its own, as one does to bisect toolchains or to try a local build, is one compiler to
# it: all is fresh, and the program of the first compiler runs. Once a source is changed, that crate alone is compiled by the other one, which refuses the
# dependencies with E0514, "compiled by an incompatible version of rustc". With `CARGO_CACHE_RUSTC_INFO=0` cargo asks each time, and builds anew.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21), rustc 1.95.0 and a nightly. Source: `rustc_fingerprint` in src/cargo/util/rustc.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS RUSTC CARGO_CACHE_RUSTC_INFO || true
first=$(rustup which --toolchain 1.95.0 rustc)
second=$(rustup which --toolchain nightly rustc)
[ "$("$first" -V)" != "$("$second" -V)" ] || { echo 'this needs two compilers' >&2; exit 1; }
cd "$dir"
mkdir -p src part/src
cat > Cargo.toml <<'TOML'
[package]
name = "asked"
version = "0.0.0"
edition = "2024"
[dependencies]
part = { path = "part" }
[workspace]
TOML
printf '[package]\nname = "part"\nversion = "0.0.0"\nedition = "2024"\n' > part/Cargo.toml
echo 'pub fn part() {}' > part/src/lib.rs
echo 'fn main() { part::part() }' > src/main.rs
printf '#!/bin/sh\nexec "$COMPILER" "$@"\n' > compiler.sh
chmod +x compiler.sh
export RUSTC="$dir/compiler.sh"
build() {
    printf '%s: ' "$1"
    shift
    status=0
    env "$@" cargo +1.95.0 build 2> err || status=$?
    echo "status $status," $(sed -n 's/^ *\(Compiling [a-z]*\).*/\1/p; s/^error\[\(.*\)\].*/\1/p' err | sort)
}
{
    build 'first' COMPILER="$first"
    build 'second' COMPILER="$second"
    echo '// changed' >> src/main.rs
    build 'second, one file changed' COMPILER="$second"
    build 'second, without the cache' COMPILER="$second" CARGO_CACHE_RUSTC_INFO=0
    build 'first, without the cache' COMPILER="$first" CARGO_CACHE_RUSTC_INFO=0
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other crates are compiled' >&2; exit 1; }
first: status 0, Compiling asked Compiling part
second: status 0,
second, one file changed: status 101, Compiling asked E0514
second, without the cache: status 0, Compiling asked Compiling part
first, without the cache: status 0, Compiling asked
SEEN
