#!/usr/bin/env bash
# One would expect Hypothesis to try an input that made a test fail first in the next run, as it keeps it in its database for the test; above all while
# somebody looks for the reason, and has the test print something.
#
# Instead, the input is gone as soon as the body of the test is changed by one line that prints, a message for its assertion, a docstring, or a blank within a
# line. It is kept under a hash of the function's text, not under its name. Comments, blank lines and decorators are left out of that text. So what does
# change the meaning, another strategy or a changed function that the test calls, keeps the input, and what changes nothing loses it. A rare failure
# may not be found again, and the test passes with the line that was to explain it. What was lost comes back when the text is as it was.
#
# Version: hypothesis 6.170.17 of PyPI. Source: `function_digest` and `_clean_source` in hypothesis/internal/reflection.py, and
# the default of `database_key` in hypothesis/core.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset CI TF_BUILD || true
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check hypothesis==6.170.17
cat > before.py <<'PYTHON'
import sys

from hypothesis import given, settings, strategies

tried = []


def limit():
    return 12345


@settings(max_examples=60)
@given(strategies.integers())
def test_number(number):
    tried.append(number)
    assert number < limit()


try:
    test_number()
except AssertionError:
    pass
print(tried[0])
PYTHON
try() {
    rm -rf .hypothesis
    cp before.py test.py
    before=$(env/bin/python test.py 2> err)
    sed "$2" before.py > test.py
    changed=$(env/bin/python test.py 2> err)
    echo "$1: the first run begins with $before, the next with $changed"
}
{
    try 'no change' ''
    try 'a comment' 's/tried.append(number)/&  # what was tried/'
    try 'a decorator' 's/max_examples=60/max_examples=61/'
    try 'another strategy' 's/integers()/integers(min_value=0)/'
    try 'a function that it calls' 's/return 12345/return 12300/'
    try 'a printed line' 's/ *tried.append(number)/    print("now", number, file=sys.stderr)\n&/'
    try 'a docstring' 's/ *tried.append(number)/    """A number is small."""\n&/'
    try 'a message' 's/number < limit()/&, "too large"/'
    try 'a blank' 's/number < limit()/number <  limit()/'
    try 'another name' 's/test_number/test_numbers/'
    cp before.py test.py
    echo "the old text again: $(env/bin/python test.py 2> err)"
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other changes lose the failure' >&2; exit 1; }
no change: the first run begins with 0, the next with 12345
a comment: the first run begins with 0, the next with 12345
a decorator: the first run begins with 0, the next with 12345
another strategy: the first run begins with 0, the next with 12345
a function that it calls: the first run begins with 0, the next with 12345
a printed line: the first run begins with 0, the next with 0
a docstring: the first run begins with 0, the next with 0
a message: the first run begins with 0, the next with 0
a blank: the first run begins with 0, the next with 0
another name: the first run begins with 0, the next with 0
the old text again: 12345
SEEN
