#!/usr/bin/env bash
# One would expect `--message-format` to say how the messages of this call are shown. cargo keeps the warnings of a package which it need not compile again,
# to show them once more; it keeps them as JSON, and takes the colours out or leaves them in as each call wants.
#
# Instead, a kept message has the form that the first call asked for. After one `cargo check --message-format short`, or an editor's
# `json-diagnostic-short`, all later calls print one line for each warning, without the source, the help and the suggestion, until the package is compiled
# anew; after a plain `cargo check`, `short` prints the long form. The field `rendered` of the JSON has the wrong one as well. A tool that reads lines of the
# short form, or shows `rendered`, gets what another tool in the same target directory asked for; the spans and the children of the JSON are complete.
#
# Version: cargo 1.95.0 (f2d3ce0bd 2026-03-21). Source: `replay_output_cache` and `on_stderr_line_inner` in src/cargo/core/compiler/mod.rs (they change the
# colours alone), and `add_error_format_and_color` there. The format is in no fingerprint.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR RUSTFLAGS || true
cd "$dir"
mkdir src
printf '[package]\nname = "kept"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' > Cargo.toml
echo 'pub fn call() { let mut five = 5; drop(five); }' > src/lib.rs
cat > form.py <<'PYTHON'
import json, sys
text = children = ""
for line in sys.stdin:
    if line.startswith("{"):
        message = json.loads(line)
        if message["reason"] != "compiler-message":
            continue
        children = ", %d children" % len(message["message"]["children"])
        line = message["message"]["rendered"]
    text += line
print(("long" if "-->" in text else "short" if "src/lib.rs:1:21: warning" in text else "none") + children)
PYTHON
form() { cargo +1.95.0 check --color never --message-format "$1" 2>&1 | python3 form.py; }
for first in human short json json-diagnostic-short; do
    rm -rf target
    echo "$first: $(form "$first")"
    for then in human short json json-diagnostic-short; do
        echo "$first, then $then: $(form "$then")"
    done
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another form' >&2; exit 1; }
human: long
human, then human: long
human, then short: long
human, then json: long, 2 children
human, then json-diagnostic-short: long, 2 children
short: short
short, then human: short
short, then short: short
short, then json: short, 2 children
short, then json-diagnostic-short: short, 2 children
json: long, 2 children
json, then human: long
json, then short: long
json, then json: long, 2 children
json, then json-diagnostic-short: long, 2 children
json-diagnostic-short: short, 2 children
json-diagnostic-short, then human: short
json-diagnostic-short, then short: short
json-diagnostic-short, then json: short, 2 children
json-diagnostic-short, then json-diagnostic-short: short, 2 children
SEEN
