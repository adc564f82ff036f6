#!/usr/bin/env bash
# One would expect `cargo test --all-targets` to build whatever `cargo test` builds, and the benchmarks as well (only documentation tests are known to be left
# out). `cargo test` builds each example as a program, so that none of them is broken, and a test may run it.
#
# Instead, `--all-targets` compiles each example as a test program alone, with `cfg(test)`, although examples have `test = false` by default; the program in
# `target/debug/examples` is not built. A test that runs it finds no file in a fresh clone, and the old program after a change, where `cargo test` and
# `cargo build --all-targets` build the new one. Tests in an example, which `cargo test` leaves alone, are run. The programs of binaries are built by all
# three commands. A tool that runs what `cargo test` runs, and adds the option to miss nothing, gets another set of programs and of tests.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `UnitGenerator::new_units` in src/cargo/ops/cargo_compile/unit_generator.rs, where an example is built
# as a program only if no option chooses targets.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR RUSTFLAGS CARGO_ENCODED_RUSTFLAGS || true
cd "$dir"
mkdir -p src/bin examples tests
printf '[package]\nname = "all"\nversion = "0.0.0"\nedition = "2024"\n[profile.dev]\ndebug = 0\n[workspace]\n' > Cargo.toml
echo 'fn main() {}' > src/bin/program.rs
example() { printf 'fn main() {\n    println!("%s");\n}\n#[test]\nfn in_example() {}\n' "$1" > examples/shown.rs; }
cat > tests/run.rs <<'RUST'
#[test]
fn run() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/target/debug/examples/shown");
    match std::process::Command::new(path).output() {
        Ok(output) => print!("<{}>", String::from_utf8(output.stdout).unwrap().trim_end()),
        Err(error) => print!("<{:?}>", error.kind()),
    }
}
RUST
cat > built.py <<'PYTHON'
import json, sys
built = []
for line in sys.stdin:
    if line.startswith("{"):
        message = json.loads(line)
        if message["reason"] == "compiler-artifact":
            built.append(("tests of " if message["profile"]["test"] else "") + message["target"]["name"])
print(", ".join(sorted(built)))
PYTHON
run() {
    cargo +1.95.0 "$@" > log 2> err || { cat err; exit 1; }
    echo "cargo $*:" $(grep -o '<.*>' log || true) $(grep -o '^test in_example.*' log || true)
}
{
    for command in 'build --all-targets' 'test --no-run' 'test --no-run --all-targets'; do
        rm -rf target
        example first
        echo "cargo $command: $(cargo +1.95.0 $command --quiet --message-format json | python3 built.py)"
    done
    rm -rf target
    run test --all-targets -- --nocapture
    run test -- --nocapture
    sleep 1
    example second
    run test --all-targets -- --nocapture
    run test -- --nocapture
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other targets are built' >&2; exit 1; }
cargo build --all-targets: program, shown, tests of program, tests of run
cargo test --no-run: program, shown, tests of program, tests of run
cargo test --no-run --all-targets: program, tests of program, tests of run, tests of shown
cargo test --all-targets -- --nocapture: <NotFound> test in_example ... ok
cargo test -- --nocapture: <first>
cargo test --all-targets -- --nocapture: <first> test in_example ... ok
cargo test -- --nocapture: <second>
SEEN
