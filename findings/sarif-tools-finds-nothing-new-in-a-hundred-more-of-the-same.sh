#!/usr/bin/env bash
# One would expect `sarif --check warning diff OLD NEW`, whose help promises an error code for an increase in issues at that level, to fail when the new file
# has an error that the old one has not, so that a CI can let the known errors pass and no others.
#
# Instead, it counts kinds of issues, not issues. A hundred more errors of a rule that was there once, with the same message, are +0, and the status is 0. The
# line below says that their number has grown, and nothing looks at that. An error that went away in one file and came up in another is no change at all, as
# the numbers are equal. One error whose message has another word in it is a new issue, and fails. So what the check finds depends on whether the tool that
# wrote the files puts names into its messages: rustc says which variable is not used, and a rule with a fixed text is looked at for its first issue alone.
#
# Version: sarif-tools 3.0.5 of PyPI. Source: `_calc_diff` and the end of `print_diff` in sarif/operations/diff_op.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check sarif-tools==3.0.5
cat > write.py <<'PYTHON'
import json


def result(line, uri="src/first.rs", text="division by zero", level="error"):
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    return {"ruleId": "R1", "level": level, "message": {"text": text}, "locations": [{"physicalLocation": place}]}


def write(name, results):
    run = {"tool": {"driver": {"name": "checker"}}, "results": results}
    with open(f"{name}.sarif", "w") as file:
        json.dump({"version": "2.1.0", "runs": [run]}, file)


write("old", [result(1)])
write("same", [result(1)])
write("hundred_more", [result(line) for line in range(1, 102)])
write("another_file", [result(7, uri="src/second.rs")])
write("another_message", [result(1, text="division by 0")])
write("lower_level", [result(1, level="warning")])
PYTHON
env/bin/python write.py
for new in same hundred_more another_file another_message lower_level; do
    status=0
    env/bin/sarif --check warning diff old.sarif "$new.sarif" > log 2> err || status=$?
    echo "$new: status $status"
    grep -v 'no changes' log | sed 's/^/    /'
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other differences count' >&2; exit 1; }
same: status 0
    all levels: +0 +0
hundred_more: status 0
    error level: +0 +0
      Number of occurrences 1 -> 101 (+100) for issue "R1 division by zero"
        src/first.rs:2
        src/first.rs:3
        src/first.rs:4
        ...
    all levels: +0 +0
another_file: status 0
    all levels: +0 +0
another_message: status 1
    error level: +1 -1
      New issue "R1 division by 0" (1 occurrence)
        src/first.rs:1
      Eliminated issue "R1 division by zero"
    all levels: +1 -1
lower_level: status 1
    error level: +0 -1
      Eliminated issue "R1 division by zero"
    warning level: +1 +0
      New issue "R1 division by zero" (1 occurrence)
        src/first.rs:1
    all levels: +1 -1
SEEN
