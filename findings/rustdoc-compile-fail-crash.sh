#!/bin/sh
# A doc test that is marked `compile_fail` passes when its compiler crashes.
#
# One would expect that rustdoc looks for an error: the test says that its code is refused. Any end of the compiler but a success counts,
# so that a crash (status 101, no error printed) is a pass, and "ok" hides it. With an error code (`compile_fail,E0308`) the
# test fails, as the code is not found. The compiler is a script here, by rustdoc's unstable `--test-builder`.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14), by running it.
set -eu

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
printf '#!/bin/sh\ncat > code\nexit 101\n' > crashes
chmod +x crashes

# The summary of the doc test with this word after its fence, where the compiler ends with status 101.
tested() {
    printf '//! ```%s\n//! let number: u8 = 1;\n//! ```\n' "$1" > lib.rs
    RUSTC_BOOTSTRAP=1 rustdoc +1.95.0 --test --crate-name lib lib.rs -Zunstable-options --test-builder "$directory/crashes" 2>&1 || true
}
expect() {
    printf '%s: %s\n' "$1" "$(printf '%s\n' "$2" | grep '^test result')"
    printf '%s\n' "$2" | grep -q "^test result: $3" || {
        printf 'changed:\n%s\n' "$2"
        exit 1
    }
}

expect 'compile_fail' "$(tested compile_fail)" 'ok. 1 passed'
expect 'compile_fail,E0308' "$(tested compile_fail,E0308)" 'FAILED. 0 passed; 1 failed'
expect 'no mark' "$(tested '')" 'FAILED. 0 passed; 1 failed'
