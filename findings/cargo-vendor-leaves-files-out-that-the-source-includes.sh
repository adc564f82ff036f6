#!/usr/bin/env bash
# One would expect a dependency that `cargo vendor` has copied to build as it did: cargo takes a checksum of each file, so that nobody changes one.
#
# Instead, `cargo vendor` leaves out each file that is called `.gitignore` or `.gitattributes`, in any folder of the package, and all that is below a folder
# `.git`, and prints nothing of it. A crate that has such a file among its templates or test data, and reads it by `include_str!`, cannot be compiled from the
# vendored copy, though the very same version compiles from where it came from. `.gitmodules`, `.ignore` and `.cargo-ok` in a folder are copied. A tool that
# puts the sources of dependencies together by this command gets other crates than those that were published, with checksums that fit.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `vendor_this` in src/cargo/ops/vendor.rs. It is the same for crates from the registry.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
export CARGO_HOME=$dir/home GIT_CONFIG_GLOBAL=$dir/no-file GIT_CONFIG_NOSYSTEM=1
mkdir -p template/src template/files app/src
printf '[package]\nname = "template"\nversion = "0.1.0"\nedition = "2024"\n' > template/Cargo.toml
echo 'pub const IGNORE: &str = include_str!("../files/.gitignore");' > template/src/lib.rs
for file in .gitignore .gitattributes .gitmodules .ignore .cargo-ok old.orig; do
    echo '*.log' > "template/files/$file"
done
git -C template init --quiet
git -C template add --force .
git -C template -c user.name=name -c user.email=mail commit --quiet --message one
cat > app/Cargo.toml <<TOML
[package]
name = "app"
version = "0.1.0"
edition = "2024"
[dependencies]
template = { git = "file://$dir/template" }
[workspace]
TOML
echo 'pub use template::IGNORE;' > app/src/lib.rs
cd app
check() {
    if cargo +1.95.0 check --quiet --message-format short > log 2>&1; then echo ok; else sed -n "s/.*\(couldn't read\) .*\/\(files[^:]*\)\`: .*/\1 \2/p" log; fi
}
{
    echo "from where it came: $(check)"
    mkdir .cargo
    cargo +1.95.0 vendor > .cargo/config.toml 2> log
    sed -n 's/^ *\(Vendoring [^ ]*\) .*/\1/p; /^ *warning/p' log
    echo "in the package:" $(ls -A "$dir/template/files" | LC_ALL=C sort)
    echo "in the copy:" $(ls -A vendor/template/files | LC_ALL=C sort)
    rm -r target
    echo "from the copy: $(check)"
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other files are left out' >&2; exit 1; }
from where it came: ok
Vendoring template
in the package: .cargo-ok .gitattributes .gitignore .gitmodules .ignore old.orig
in the copy: .cargo-ok .gitmodules .ignore old.orig
from the copy: couldn't read files/.gitignore
SEEN
