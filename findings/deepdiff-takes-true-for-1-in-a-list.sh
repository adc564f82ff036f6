#!/usr/bin/env bash
# One would expect DeepDiff, which compares values of Python with their types, to find the difference of 1 and True, or of 1 and 1.0, wherever it is: as values
# of a dictionary it reports them as changes of the type, and it has an option, `ignore_numeric_type_changes`, for whoever does not want to see some of them.
#
# Instead, within a list or a tuple it finds none, at any depth of lists, and says that the two are alike; if another element differs, that one alone is
# reported. A list of dictionaries is compared as it should be. Lists go through `difflib`, which takes what `==` takes for equal as the same and hands only
# the rest on to the comparison by types. With `ignore_order` or `zip_ordered_iterables` the difference is found. So a check that a new version of a program
# writes the same JSON lets `[1, 0]` pass for `[true, false]`, and finds the same fault beside a name.
#
# Version: deepdiff 9.1.0 of PyPI with orderly-set 5.5.0 and cachebox 5.2.3. Source: `_diff_ordered_iterable_by_difflib` in deepdiff/diff.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check deepdiff==9.1.0 orderly-set==5.5.0 cachebox==5.2.3
cat > differ.py <<'PYTHON'
from deepdiff import DeepDiff


def places(old, new, **options):
    diff = DeepDiff(old, new, **options)
    found = [f"{kind} {place}" for kind, changes in diff.items() for place in sorted(changes)]
    return ", ".join(found) or "none"


print("| old | new | differences | with ignore_order | with zip_ordered_iterables")
for old, new in [
    (1, True),
    ({"x": 1}, {"x": True}),
    ([1], [True]),
    ([1, 0], [True, False]),
    ((1,), (1.0,)),
    ([[1, 2]], [[True, 2]]),
    ({"x": [1]}, {"x": [True]}),
    ([{"x": 1}], [{"x": True}]),
    ([1, 5], [True, 6]),
    ([1], ["1"]),
]:
    others = [places(old, new, **{option: True}) != "none" for option in ("ignore_order", "zip_ordered_iterables")]
    print("|", old, "|", new, "|", places(old, new), "|", *(" | ".join("found" if found else "none" for found in others),))
PYTHON
env/bin/python differ.py > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other differences are found' >&2; exit 1; }
| old | new | differences | with ignore_order | with zip_ordered_iterables
| 1 | True | type_changes root | found | found
| {'x': 1} | {'x': True} | type_changes root['x'] | found | found
| [1] | [True] | none | found | found
| [1, 0] | [True, False] | none | found | found
| (1,) | (1.0,) | none | found | found
| [[1, 2]] | [[True, 2]] | none | found | found
| {'x': [1]} | {'x': [True]} | none | found | found
| [{'x': 1}] | [{'x': True}] | type_changes root[0]['x'] | found | found
| [1, 5] | [True, 6] | values_changed root[1] | found | found
| [1] | ['1'] | type_changes root[0] | found | found
SEEN
