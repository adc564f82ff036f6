#!/bin/sh
# One would expect the primary span of an error in rustc's JSON to be the place that the text of the same message (`rendered`) shows with an arrow, as the
# documentation calls it the focal point.
#
# Instead, they differ for code that comes from a macro of another crate. The text names the call, `--> input.rs:2:5`, and the primary span a file of the
# standard library, which exists on the machine only where its sources are installed. No span in the list is in the user's file: the call is in
# `expansion.span`, which may be in a macro again and has an `expansion` of its own then. An error about the argument of a macro has its span in the user's
# file, so that a reader which ignores expansions is right most of the time. A macro of the same crate has it in the definition, in the text as well.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `fix_multispans_in_extern_macros` in compiler/rustc_errors/src/emitter.rs, which only the emitter of
# texts calls.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > input.rs <<'RUST'
fn main() {
    assert_eq!(1, "one");
    own!();
    assert!(!"text");
}
#[macro_export]
macro_rules! own {
    () => { let _: u8 = "two"; };
}
RUST
cat > places.py <<'PYTHON'
import json, re, sys
for line in sys.stdin:
    message = json.loads(line)
    for span in message["spans"]:
        if span["is_primary"]:
            text = re.search(r"--> (\S+?):(\d+)", message["rendered"])
            calls = []
            expansion = span["expansion"]
            while expansion:
                calls.append("%s line %d" % (expansion["span"]["file_name"], expansion["span"]["line_start"]))
                expansion = expansion["span"]["expansion"]
            name = re.sub(".*/library/", "library/", span["file_name"])
            line = span["line_start"] if name == "input.rs" else "N"
            print("text: %s line %s; primary span: %s line %s; called at %s" % (*text.groups(), name, line, calls))
PYTHON
! rustc +1.95.0 --edition 2024 --emit metadata --error-format json input.rs 2> json || { echo 'it compiles' >&2; exit 1; }
python3 places.py < json > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other places' >&2; exit 1; }
text: input.rs line 2; primary span: library/core/src/macros/mod.rs line N; called at ['input.rs line 2']
text: input.rs line 8; primary span: input.rs line 8; called at ['input.rs line 3']
text: input.rs line 4; primary span: input.rs line 4; called at []
SEEN
