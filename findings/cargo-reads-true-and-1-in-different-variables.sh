#!/bin/sh
# One would expect the variables of cargo that turn something on or off to take the same words, "1" and "true" above all, or to refuse what they do not take;
# and an empty one to count as not set.
#
# What happens: there are three kinds. `CARGO_INCREMENTAL` knows 1, and takes all else for 0: `CARGO_INCREMENTAL=true`, and the empty variable, turn
# incremental compilation off, in `dev` as well, where it is on. Variables that stand for a setting know `true` and `false`: `CARGO_BUILD_INCREMENTAL=1` and
# `CARGO_TERM_QUIET=1`, or an empty one, end cargo with an error. `CARGO_NET_OFFLINE` is a setting, too, but `1` is no error when cargo starts: it is not
# offline, and begins to fetch. `CARGO_NET_OFFLINE=true` does what is meant.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: found by running it; cargo's book says of `CARGO_INCREMENTAL` what 0 and 1 do.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_BUILD_DIR CARGO_INCREMENTAL CARGO_BUILD_INCREMENTAL CARGO_NET_OFFLINE || true
unset CARGO_TERM_QUIET CARGO_PROFILE_DEV_INCREMENTAL CARGO_PROFILE_RELEASE_INCREMENTAL RUSTC_WRAPPER || true
export CARGO_HOME="$dir/home"
cd "$dir"
mkdir -p plain/src fetching/src
printf '[package]\nname = "plain"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > plain/Cargo.toml
printf '[package]\nname = "fetching"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\npart = { git = "file://%s/none" }\n[workspace]\n' "$dir" > fetching/Cargo.toml
echo 'fn main() {}' | tee plain/src/main.rs > fetching/src/main.rs

build() {
    rm -rf plain/target
    printf '%s, %s: ' "$1" "$2"
    if (cd plain && env "$1" cargo +1.95.0 check --verbose --profile "$2" > ../log 2>&1); then
        if grep -q 'incremental=' log; then echo incremental; else echo 'not incremental'; fi
    else
        grep -o 'provided string was not.*' log
    fi
}
fetch() {
    printf '%s: ' "$1"
    if (cd fetching && env "$1" cargo +1.95.0 generate-lockfile > ../log 2>&1); then echo 'a repository that is not there is found' >&2; exit 1; fi
    if grep -q 'offline' log && ! grep -q Updating log; then echo offline; else grep -o 'Updating git repository' log; fi
}
{
    for profile in dev release; do
        for value in NONE=1 CARGO_INCREMENTAL=1 CARGO_INCREMENTAL=true CARGO_INCREMENTAL= CARGO_BUILD_INCREMENTAL=true CARGO_BUILD_INCREMENTAL=1 \
            CARGO_BUILD_INCREMENTAL=; do
            build "$value" "$profile"
        done
    done
    build CARGO_TERM_QUIET=1 dev
    fetch CARGO_NET_OFFLINE=true
    fetch CARGO_NET_OFFLINE=1
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other words are taken' >&2; exit 1; }
NONE=1, dev: incremental
CARGO_INCREMENTAL=1, dev: incremental
CARGO_INCREMENTAL=true, dev: not incremental
CARGO_INCREMENTAL=, dev: not incremental
CARGO_BUILD_INCREMENTAL=true, dev: incremental
CARGO_BUILD_INCREMENTAL=1, dev: provided string was not `true` or `false`
CARGO_BUILD_INCREMENTAL=, dev: provided string was not `true` or `false`
NONE=1, release: not incremental
CARGO_INCREMENTAL=1, release: incremental
CARGO_INCREMENTAL=true, release: not incremental
CARGO_INCREMENTAL=, release: not incremental
CARGO_BUILD_INCREMENTAL=true, release: incremental
CARGO_BUILD_INCREMENTAL=1, release: provided string was not `true` or `false`
CARGO_BUILD_INCREMENTAL=, release: provided string was not `true` or `false`
CARGO_TERM_QUIET=1, dev: provided string was not `true` or `false`
CARGO_NET_OFFLINE=true: offline
CARGO_NET_OFFLINE=1: Updating git repository
SEEN
