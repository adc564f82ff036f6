#!/bin/sh
# One would expect that a tool says the same version of itself, however it is asked. `clippy-driver --version` says that it is
# clippy, and so does `clippy-driver --version --verbose`, without being verbose. `clippy-driver -vV`, which is short for the
# same two flags, passes them on to the compiler in it, and prints what `rustc -vV` prints: "binary: rustc". Whoever reads a
# version to learn which program it is takes clippy for rustc.
#
# Version: the toolchain 1.95.0 (clippy 0.1.95); `clippy_driver`'s `main` looks for `--version` and `-V` as whole arguments.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
rustc -vV > rustc
clippy-driver -vV > short
clippy-driver --version --verbose > long
echo "-vV: $(head -n 1 short), $(grep '^binary' short)"
echo "--version --verbose: $(cat long)"
cmp -s rustc short || { echo "changed: \`clippy-driver -vV\` is not what rustc prints"; exit 1; }
grep -q '^clippy ' long || { echo "changed: \`--version --verbose\` does not name clippy"; exit 1; }
test "$(wc -l < long)" -eq 1 || { echo "changed: \`--version --verbose\` is verbose"; exit 1; }
