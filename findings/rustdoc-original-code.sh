#!/bin/sh
# What rustdoc's list of doc tests calls their original code is not what stands in the source.
#
# `rustdoc --output-format=doctest` (unstable) prints doc tests as JSON. One would expect of the field `original_code` the lines between
# the fences. It has lost the marks of hidden lines already: `# let a = 1;` is `let a = 1;`, and `## b` is `# b`. Whoever
# takes the marks away once more spoils the second.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14), by running it.
set -eu

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
printf '//! ```\n//! # let a = 1;\n//! ## b\n//! let c = a;\n//! ```\n' > lib.rs
list=$(RUSTC_BOOTSTRAP=1 rustdoc +1.95.0 --crate-name lib lib.rs -Zunstable-options --output-format=doctest)
printf '%s\n' "$list"
printf '%s\n' "$list" | grep -F -q '"original_code":"let a = 1;\n# b\nlet c = a;"' || {
    echo 'changed: the original code has other lines'
    exit 1
}
