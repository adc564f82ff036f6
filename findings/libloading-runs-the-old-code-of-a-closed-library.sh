#!/usr/bin/env bash
# One would expect a library that was closed (`Library::close` returns `Ok`) to be gone, so that the same path, where another file has been put by a rename,
# gives the new code when it is opened again: so plugins are reloaded, and code under test is replaced in a running process.
#
# Instead, the old code runs, once the library has used one thread-local variable that has something to drop. Its destructor is registered for the end of the
# thread, until then the library stays, and the system recognises it by its path: opening it does not look at the file. No call says so. Where the library has
# no such variable, or only prints, or has one with nothing to drop, the new code runs; so it does from a new path.
#
# Version: libloading 0.9.0 and rustc 1.95.0, on Linux with glibc. Source: `Library::close` in libloading's src/os/unix/mod.rs calls `dlclose`; glibc counts
# `__cxa_thread_atexit_impl`, which `std::thread_local!` calls.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "reload"
version = "0.0.0"
edition = "2024"
[dependencies]
libloading = "=0.9.0"
[workspace]
TOML
cat > src/main.rs <<'RUST'
use libloading::{Library, Symbol};
use std::fs;

fn version(path: &str) -> u32 {
    unsafe {
        let library = Library::new(path).unwrap();
        let function: Symbol<unsafe extern "C" fn() -> u32> = library.get(b"version").unwrap();
        let version = function();
        library.close().unwrap();
        version
    }
}

fn main() {
    for kind in ["nothing", "printing", "number", "text"] {
        fs::copy(format!("{kind}-1.so"), "./plugin.so").unwrap();
        let first = version("./plugin.so");
        fs::copy(format!("{kind}-2.so"), "next.so").unwrap();
        fs::rename("next.so", "./plugin.so").unwrap();
        let second = version("./plugin.so");
        fs::copy("./plugin.so", format!("{kind}-other.so")).unwrap();
        let other = version(&format!("./{kind}-other.so"));
        println!("{kind}: {first}, then {second}, from another path {other}");
        fs::remove_file("./plugin.so").unwrap();
    }
}
RUST
for kind in nothing printing number text; do
    case $kind in
        nothing) use='' ;;
        printing) use='eprintln!("printed");' ;;
        number) use='std::thread_local!(static N: std::cell::Cell<u8> = const { std::cell::Cell::new(0) }); N.set(N.get() + 1);' ;;
        text) use='std::thread_local!(static T: String = "text".to_string()); T.with(|text| assert_eq!(text, "text"));' ;;
    esac
    for version in 1 2; do
        printf '#[unsafe(no_mangle)]\npub extern "C" fn version() -> u32 {\n    %s\n    %s\n}\n' "$use" "$version" > plugin.rs
        rustc +1.95.0 --edition 2024 --crate-type cdylib -o "$kind-$version.so" plugin.rs
    done
done
cargo +1.95.0 run --quiet > out 2> err || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another version runs' >&2; exit 1; }
nothing: 1, then 2, from another path 2
printing: 1, then 2, from another path 2
number: 1, then 2, from another path 2
text: 1, then 1, from another path 2
SEEN
