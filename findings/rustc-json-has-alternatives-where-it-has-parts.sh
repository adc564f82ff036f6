#!/bin/sh
# One would expect the JSON of rustc to tell two kinds of advice apart: one change that is made at two places, all of which are needed, and several changes of
# which the user takes one, as the text of the message does by its words and by blank lines.
#
# What happens: both are one child of the message, with one span for each place or choice, the same fields, and nothing that says which it is. Whoever applies
# the spans of the child that names two items of one name imports both, and has another error than before; whoever takes the first span alone of "remove the
# extra arguments" leaves one of them. In what machines may apply without asking (`MachineApplicable`) there are only parts, so that a tool which applies no
# more is right.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: found by running it; the page "JSON Output" of the rustc book does not speak of it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > choices.rs <<'RUST'
pub mod first {
    pub struct Limit;
}
pub mod second {
    pub struct Limit;
}
pub fn limit() -> Limit {
    todo!()
}
RUST
cat > parts.rs <<'RUST'
pub fn call() {
    take(1, 2, 3);
}
fn take(_: u8) {}
RUST
cat > apply.py <<'PYTHON'
import json, sys
source, messages = sys.argv[1:]
for line in open(messages):
    for child in json.loads(line)["children"]:
        spans = [span for span in child["spans"] if span["suggested_replacement"] is not None]
        if len(spans) > 1:
            print("%d spans with %s" % (len(spans), sorted({key for span in spans for key in span if key.startswith("sugg")})))
            for form, taken in ("all", spans), ("first", spans[:1]):
                text = open(source).read()
                for span in sorted(taken, key=lambda span: -span["byte_start"]):
                    text = text[: span["byte_start"]] + span["suggested_replacement"] + text[span["byte_end"] :]
                open(form + "-" + source, "w").write(text)
            sys.exit()
PYTHON
check() {
    rustc +1.95.0 --edition 2024 --crate-type lib --emit metadata "$@" 2>&1
}
for source in choices parts; do
    check --error-format json "$source.rs" > messages || true
    echo "$source: $(python3 apply.py "$source.rs" messages)"
    for form in all first; do
        echo "    $form applied:" $(check -A warnings "$form-$source.rs" | sed -n 's/^error\[\(.*\)\].*/\1/p' | sort | uniq -c)
    done
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other spans, or other errors' >&2; exit 1; }
choices: 2 spans with ['suggested_replacement', 'suggestion_applicability']
    all applied: 1 E0252
    first applied:
parts: 2 spans with ['suggested_replacement', 'suggestion_applicability']
    all applied:
    first applied: 1 E0061
SEEN
