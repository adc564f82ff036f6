#!/bin/sh
# One would expect `cargo fmt -- src/one.rs` to format that file, as `cargo test -- NAME` runs what is named, and as hooks and editors that know the changed
# files want it.
#
# What happens: what is behind `--` is added to a call of rustfmt that names the roots of the package already. So all of the package is formatted, with
# everything that other files have in it, and the named file once more; `--check` fails because of a file that nobody has asked for. A file elsewhere, of
# another package or of none, is formatted by the same call. `rustfmt src/one.rs` does what is wanted, but takes the edition 2015, where `cargo fmt` takes the
# package's, and follows the `mod` declarations of the file.
#
# Version: cargo-fmt and rustfmt 1.9.0-stable (59807616e1 2026-04-14) of the toolchain 1.95.0. Source: `run_rustfmt` in src/cargo-fmt/main.rs, and running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p package/src other
printf '[package]\nname = "formatted"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > package/Cargo.toml
restore() {
    printf 'mod one;\nmod two;\nfn main(){}\n' > package/src/main.rs
    for name in package/src/one package/src/two other/three; do
        printf 'async fn start(){}\n' > "$name.rs"
    done
}
show() {
    for name in main one two; do
        if grep -q '() {}' "package/src/$name.rs"; then echo "    $name"; fi
    done
    if grep -q '() {}' other/three.rs; then echo "    three"; fi
}
cd package
{
    for call in 'cargo +1.95.0 fmt -- src/one.rs' 'cargo +1.95.0 fmt -- ../other/three.rs' 'rustfmt +1.95.0 --edition 2024 src/one.rs' \
        'rustfmt +1.95.0 src/one.rs'; do
        (cd .. && restore)
        status=0
        $call > log 2>&1 || status=$?
        echo "$call: status $status, formatted"
        (cd .. && show)
    done
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are formatted' >&2; exit 1; }
cargo +1.95.0 fmt -- src/one.rs: status 0, formatted
    main
    one
    two
cargo +1.95.0 fmt -- ../other/three.rs: status 0, formatted
    main
    one
    two
    three
rustfmt +1.95.0 --edition 2024 src/one.rs: status 0, formatted
    one
rustfmt +1.95.0 src/one.rs: status 1, formatted
SEEN
