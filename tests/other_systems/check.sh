#!/usr/bin/env bash
# Compiles what has to work on another operating system for it, as far as `cargo check` does, with warnings as errors.
#
#     check.sh prepare TARGET DIR
#         Gets the standard library of the target (such as aarch64-apple-darwin) and all sources, where they are not there
#         yet. Says why where they cannot be had, with status 77.
#     check.sh check TARGET DIR ARGUMENT..
#         Runs `cargo check` with these arguments for a target that has been prepared.
#
# The standard library is that of the toolchain, if it has the target. If the variable `CI` is set, `rustup` may add the target.
# Otherwise it is made of the sources in Debian's package `rust-web-src`, by the compiler of `rustc-web`: both are unpacked into
# DIR, and nothing is installed. No linker and no C compiler of the other system is needed.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

unavailable() {
    printf 'cannot compile for %s: %s\n' "$target" "$1"
    exit 77
}

# Whether there is a standard library for the target below a compiler's directory.
has_library() {
    compgen -G "$1/lib/rustlib/$target/lib/libstd-*" >/dev/null
}

toolchain_has_library() {
    has_library "$(rustc --print sysroot)"
}

# Without a network it may take long until `rustup` gives up.
add_target() {
    [ -n "${CI:-}" ] && command -v rustup >/dev/null && timeout 120 rustup target add "$target" >"$dir/rustup.log" 2>&1
}

# A compiler that was unpacked here before is used if it is not older than what we need.
compiler_is_unpacked() {
    local version
    version="$("$dir/rustc" --version 2>/dev/null)" && is_new_enough "$(cut -d ' ' -f 2 <<<"$version")"
}

is_new_enough() {
    dpkg --compare-versions "$1" ge "$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$here/../../Cargo.toml")"
}

candidate_version() {
    apt-cache "${apt_options[@]}" policy "$1" | sed -n 's/^ *Candidate: \([^(].*\)$/\1/p'
}

# Unpacks the compiler and the sources of the standard library into `root`, and makes `rustc`, which runs that compiler.
unpack_compiler() {
    local command
    for command in apt-get apt-cache dpkg tar; do
        command -v "$command" >/dev/null || unavailable "the toolchain does not have the target, and there is no \`$command\`"
    done
    apt_options=()
    # The lists of packages may be missing or too old. Ours are a copy of their own, which needs no rights.
    download_packages || {
        mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache"
        apt_options=(-o "Dir::State::lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache" -o "APT::Sandbox::User=")
        apt-get "${apt_options[@]}" update >"$dir/apt.log" 2>&1 ||
            unavailable "\`apt-get\` does not update its lists: $(tail -n 1 "$dir/apt.log")"
        download_packages || unavailable "$why_not"
    }
    rm -rf "$dir/root"
    mkdir "$dir/root"
    local package
    for package in "$dir"/packages/*.deb; do
        # Of the sources, those of the compiler are most, and not needed.
        dpkg-deb --fsys-tarfile "$package" |
            tar -x -C "$dir/root" --no-wildcards-match-slash --exclude './usr/src/*/compiler' --exclude './usr/src/*/src'
    done
    rm -rf "$dir/packages" "$dir/apt"
    cat >"$dir/rustc" <<-END
		#!/bin/sh
		LD_LIBRARY_PATH="\${0%/*}/root/usr/lib/$(uname -m)-linux-gnu" exec "\${0%/*}/root/usr/bin/rustc" "\$@"
	END
    chmod +x "$dir/rustc"
    "$dir/rustc" --version >"$dir/rustc.log" 2>&1 || unavailable "Debian's compiler does not run here: $(tail -n 1 "$dir/rustc.log")"
}

# Downloads what has to be installed for the compiler and for the sources of its version. Where that is not possible,
# `why_not` says why.
download_packages() {
    local version names
    version="$(candidate_version rustc-web)"
    if [ -z "$version" ] || ! is_new_enough "$version" || [ "$(candidate_version rust-web-src)" != "$version" ]; then
        why_not="the toolchain does not have the target, and there is no package \`rustc-web\` that is new enough"
        return 1
    fi
    names="$(apt-get "${apt_options[@]}" install --simulate --no-install-recommends rustc-web rust-web-src 2>"$dir/apt.log" |
        sed -n 's/^Inst \([^ ]*\) .*/\1/p')" || true
    rm -rf "$dir/packages"
    mkdir "$dir/packages"
    # shellcheck disable=SC2086 # They are several words.
    if [ -z "$names" ] || ! (cd "$dir/packages" && apt-get "${apt_options[@]}" download $names) >"$dir/apt.log" 2>&1; then
        why_not="\`apt-get\` does not download the packages of the compiler: $(tail -n 1 "$dir/apt.log")"
        return 1
    fi
}

# Checks the standard library and puts what comes of it where the unpacked compiler looks for it. As with our own crates, no code is
# made: that is enough for crates that are checked, and costs half.
compile_library() {
    local sources="$dir/root/usr/lib/rustlib/src/rust/library"
    rm -rf "$dir/library"
    mkdir "$dir/library"
    # The workspace of the sources cannot be used, as Debian has no packages for its tests.
    cp "$sources/Cargo.lock" "$dir/library"
    : >"$dir/library/lib.rs"
    cat >"$dir/library/Cargo.toml" <<-END
		[package]
		name = "library"
		edition = "2024"
		[lib]
		path = "lib.rs"
		[dependencies]
		std = { path = "$sources/std", features = ["panic-unwind"] }
		proc_macro = { path = "$sources/proc_macro" }
		[patch.crates-io]
		rustc-std-workspace-core = { path = "$sources/rustc-std-workspace-core" }
		rustc-std-workspace-alloc = { path = "$sources/rustc-std-workspace-alloc" }
		[workspace]
	END
    RUSTC="$dir/rustc" RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zforce-unstable-if-unmarked CARGO_TARGET_DIR="$dir/library/target" \
        cargo check --quiet --release --offline --manifest-path "$dir/library/Cargo.toml" -p std -p proc_macro --target "$target" \
        --config "source.crates-io.replace-with='vendored'" --config "source.vendored.directory='$sources/vendor'" \
        >"$dir/library.log" 2>&1 || unavailable "its standard library does not compile: $(tail -n 1 "$dir/library.log")"
    rm -rf "$dir/root/usr/lib/rustlib/$target"
    mkdir -p "$dir/root/usr/lib/rustlib/$target/lib"
    mv "$dir/library/target/$target/release/deps"/*.rmeta "$dir/root/usr/lib/rustlib/$target/lib"
    rm -rf "$dir/library"
}

prepare() {
    if ! toolchain_has_library && ! add_target; then
        compiler_is_unpacked || unpack_compiler
        has_library "$dir/root/usr" || compile_library
    fi
    cargo fetch --quiet --locked --target "$target" >"$dir/fetch.log" 2>&1 ||
        unavailable "\`cargo fetch\` does not get all dependencies: $(tail -n 1 "$dir/fetch.log")"
}

check() {
    # Some dependencies compile C in their build scripts.
    local name="${target//-/_}"
    export "CC_$name=$here/no_compiler.sh" "AR_$name=$here/no_compiler.sh"
    # Warnings are errors in our own crates, and in no others.
    export RUSTC_WORKSPACE_WRAPPER="$here/deny_warnings.sh"
    if ! toolchain_has_library; then
        # With this compiler nothing has been compiled yet. In the other profile, procedural macros would be optimised.
        export RUSTC="$dir/rustc" CARGO_TARGET_DIR="$dir/target" CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true
        set -- --release "$@"
    fi
    exec cargo check --locked --target "$target" "$@"
}

[ $# -ge 3 ] || set -- usage - -
what="$1" target="$2" dir="$3"
shift 3
case "$what" in
prepare | check)
    mkdir -p "$dir"
    dir="$(cd "$dir" && pwd)"
    "$what" "$@"
    ;;
*)
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
