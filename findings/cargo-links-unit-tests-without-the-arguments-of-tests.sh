#!/usr/bin/env bash
# One would expect `cargo::rustc-link-arg-tests` of a build script to give its argument to the linker of every test program, as it is said to be for tests, and
# to do nothing in a package without tests.
#
# Instead, it is for the files in `tests/` alone. The program of the unit tests in `src/lib.rs` is linked without it, and so is each documentation test; the
# unit tests of a binary are linked with what is for binaries. A package all of whose tests are in `src` cannot be built any more, as cargo says that it has no
# test target. What unit tests of a library need, such as a search path for a library at run time, can only be given to all programs (`rustc-link-arg`), the
# shipped ones included.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `LinkArgTarget::applies_to` in src/cargo/core/compiler/custom_build.rs, which asks `target.is_test()`:
# that is the kind of target, and not the mode in which it is compiled.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS || true
cd "$dir"
mkdir -p src/bin examples tests
printf '[package]\nname = "linked"\nversion = "0.0.0"\nedition = "2024"\n[profile.dev]\ndebug = 0\n[workspace]\n' > Cargo.toml
cat > build.rs <<'RUST'
fn main() {
    for kind in ["", "-tests", "-bins", "-examples"] {
        println!("cargo::rustc-link-arg{kind}=-Wl,--defsym=symbol{}=1", kind.replace('-', "_"));
    }
}
RUST
for symbol in symbol symbol_tests; do
    printf '//! ```\n//! unsafe extern "C" { static %s: u8; }\n//! assert_eq!(&raw const %s as usize, 1);\n//! ```\n' $symbol $symbol
done > src/lib.rs
printf '#[test]\nfn unit() {}\n' | tee -a src/lib.rs > tests/integration.rs
printf 'fn main() {}\n#[test]\nfn unit() {}\n' | tee src/bin/program.rs > examples/example.rs
cat > symbols.py <<'PYTHON'
import json, subprocess, sys
for message in map(json.loads, sys.stdin):
    if message["reason"] == "compiler-artifact" and message["executable"]:
        lines = subprocess.run(["nm", message["executable"]], capture_output=True, text=True, check=True).stdout.splitlines()
        symbols = sorted(line.split()[2] for line in lines if line.split()[1:2] == ["A"] and "symbol" in line)
        mode = "tests of " if message["profile"]["test"] else ""
        print(mode + message["target"]["kind"][0] + " " + message["target"]["name"] + ": " + " ".join(symbols))
PYTHON
{
    cargo +1.95.0 test --lib --bins --examples --tests --no-run --quiet --message-format json | python3 symbols.py | LC_ALL=C sort
    cargo +1.95.0 test --doc > log 2>&1 || true
    sed -n 's/^test src.lib.rs - (line 1) \.*/doc test with symbol:/p; s/^test src.lib.rs - (line 5) \.*/doc test with symbol_tests:/p' log | LC_ALL=C sort
    rm -r tests
    echo "without tests/: $(cargo +1.95.0 test --quiet 2>&1 | sed -n 's/ (.*)//p' | tail -n 1)"
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: others are linked with it' >&2; exit 1; }
bin program: symbol symbol_bins
tests of bin program: symbol symbol_bins
tests of example example: symbol symbol_examples
tests of lib linked: symbol
tests of test integration: symbol symbol_tests
doc test with symbol: ok
doc test with symbol_tests: FAILED
without tests/: The package linked v0.0.0 does not have a test target.
SEEN
