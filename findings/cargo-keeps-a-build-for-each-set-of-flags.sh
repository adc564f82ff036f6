#!/bin/sh
# One would expect a change of `RUSTFLAGS`, or of a profile by a variable, to have all compiled anew, and the change back once more: that is why tools are
# told to use a target directory of their own, so that an editor's and a terminal's flags do not undo each other's work.
#
# Instead, each set of flags has files of its own in the target directory, with another number in their names, and changing back compiles nothing; the program
# at `target/debug/NAME` is the right one each time. So is it with arguments of `cargo rustc -- ..`. Nothing removes the old ones: a loop that tries many
# flags fills the directory, which is one complete build for each. `RUSTC_WRAPPER`, which may change flags, is no part of this: with another wrapper nothing
# is compiled.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `compute_metadata` in src/cargo/core/compiler/build_runner/compilation_files.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS RUSTC_WRAPPER || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "app"
version = "0.0.0"
edition = "2024"
[lints.rust]
unexpected_cfgs = { level = "allow" }
[workspace]
TOML
echo 'fn main() { print!("{}", if cfg!(chosen) { "with" } else { "without" }); }' > src/main.rs
printf '#!/bin/sh\nexec "$@" --cfg chosen\n' > wrapper
chmod +x wrapper
# build NAME COMMAND..: says what was compiled, and which program there is.
build() {
    name=$1
    shift
    "$@" 2> err || { cat err; exit 1; }
    echo "$name: compiled $(grep -c '^ *Compiling' err || true), $(target/debug/app) the flag"
}
{
    build 'no flag' cargo +1.95.0 build
    build 'flag' env RUSTFLAGS='--cfg chosen' cargo +1.95.0 build
    build 'no flag again' cargo +1.95.0 build
    build 'flag again' env RUSTFLAGS='--cfg chosen' cargo +1.95.0 build
    build 'other profile' env CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo +1.95.0 build
    build 'usual profile' cargo +1.95.0 build
    build 'wrapper' env RUSTC_WRAPPER="$dir/wrapper" cargo +1.95.0 build
} > out
cat out
echo "programs kept: $(ls target/debug/deps | grep -c '^app-[0-9a-f]*$')"
cmp -s out - <<'SEEN' || { echo 'changed: another number of builds' >&2; exit 1; }
no flag: compiled 1, without the flag
flag: compiled 1, with the flag
no flag again: compiled 0, without the flag
flag again: compiled 0, with the flag
other profile: compiled 1, without the flag
usual profile: compiled 0, without the flag
wrapper: compiled 0, without the flag
SEEN
[ "$(ls target/debug/deps | grep -c '^app-[0-9a-f]*$')" = 3 ] || { echo 'changed: another number of programs' >&2; exit 1; }
