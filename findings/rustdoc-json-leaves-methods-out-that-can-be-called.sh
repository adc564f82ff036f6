#!/bin/sh
# One would expect a description of a crate's public interface to have what another crate can call: the JSON of rustdoc has each type that a public function
# returns, also one whose module is private, so it seems to have the type's methods as well.
#
# Instead, such a type is there without its `impl`s, those of traits and its own: `started().stop()` compiles in another crate, and `stop` is nowhere in the
# document. Only what all types have is listed (`Send`, `Into`). Where the same type is exported as well, by a `pub use`, its methods are there. Whoever
# compares two versions, or looks up what is used, misses a removal that breaks callers.
#
# Version: rustdoc 1.95.0 (59807616e 2026-04-14), JSON format 57, by running it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > clock.rs <<'RUST'
mod private {
    pub struct Started;
    impl Started {
        pub fn stop(self) -> u8 {
            1
        }
    }
    impl Drop for Started {
        fn drop(&mut self) {}
    }
}
pub fn started() -> private::Started {
    private::Started
}
RUST
{ cat clock.rs; echo 'pub use private::Started;'; } > exported.rs
echo 'fn main() { assert_eq!(clock::started().stop(), 1); }' > caller.rs
rustc +1.95.0 --edition 2024 --crate-type rlib clock.rs
rustc +1.95.0 --edition 2024 --extern clock=libclock.rlib caller.rs
./caller
cat > names.py <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1]))
index = document["index"]
print("format", document["format_version"])
[started] = [item for item in index.values() if item["name"] == "Started" and "struct" in item["inner"]]
impls = [index[str(key)]["inner"]["impl"] for key in started["inner"]["struct"]["impls"]]
own = [item for item in impls if not item["is_synthetic"] and not item["blanket_impl"]]
print("impls", sorted(item["trait"]["path"] if item["trait"] else "(its own)" for item in own))
print("stop", any(item["name"] == "stop" for item in index.values()))
PYTHON
for name in clock exported; do
    RUSTC_BOOTSTRAP=1 rustdoc +1.95.0 --edition 2024 -Zunstable-options --output-format json --out-dir json "$name.rs"
    echo "$name:"
    python3 names.py "json/$name.json"
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: the document is another' >&2; exit 1; }
clock:
format 57
impls []
stop False
exported:
format 57
impls ['(its own)', 'Drop']
stop True
SEEN
