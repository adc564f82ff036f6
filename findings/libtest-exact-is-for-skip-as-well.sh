#!/bin/sh
# One would expect `--exact` to be about the names that a run is asked for, as its help says ("Exactly match filters rather than by substring"), and `--skip
# PART` to leave out each test that has the part in its name, as it does otherwise.
#
# Instead, `--exact` holds for `--skip`, too. `--skip slow` leaves out `slow_start` and `slow::sum`, and no more once `--exact` is added, so that a script
# which adds it to ask for one more test by its full name runs all that it meant to skip. A name that is skipped and does not exist is never reported. There
# is no way to have one of them exact and the other one not.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `filter_tests` in library/test/src/lib.rs, which uses one closure for both.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > tests.rs <<'RUST'
#[test]
fn slow_start() {}
#[test]
fn sum() {}
mod slow {
    #[test]
    fn sum() {}
}
RUST
rustc +1.95.0 --edition 2024 --test tests.rs -o tests
names() { ./tests --list --format terse "$@" | sed -n 's/: test$//p' | tr '\n' ' '; }
part=$(names --skip slow)
exact=$(names --skip slow --exact)
both=$(names --skip slow --exact sum slow_start)
echo "--skip slow: $part"
echo "--skip slow --exact: $exact"
echo "--skip slow --exact sum slow_start: $both"
[ "$part" = 'sum ' ] || { echo 'changed: --skip is otherwise' >&2; exit 1; }
[ "$exact" = 'slow::sum slow_start sum ' ] || { echo 'changed: --skip with --exact is otherwise' >&2; exit 1; }
[ "$both" = 'slow_start sum ' ] || { echo 'changed: --skip with --exact and names is otherwise' >&2; exit 1; }
