#!/usr/bin/env bash
# One would expect Hypothesis to reduce an integer that makes a test fail to the smallest one, or near to it: of the even numbers above 1000 it reports 1002.
# A size that has to be a multiple of something, or a number with a check digit, is nothing unusual.
#
# Instead, with multiples of 3 it may end with a number that is a thousand times too large, and with multiples of 10 with a larger one, and it does not say
# that it gave up. The shrinker tries 0 and 1, fewer bits, halves, and steps down by one or by two, and the steps become longer only after a first one was a
# success. From a multiple of 3 no such step leads to another, if halving does not by chance. So the report depends on the number that was found first, and
# differs from one run to the next where `derandomize` is off. A strategy that makes multiples (`integers().map(..)`) is reduced to the end.
#
# Version: hypothesis 6.170.17 of PyPI, with `derandomize=True`. Source: `run_step` and `short_circuit` of `Integer` in
# hypothesis/internal/conjecture/shrinking/integer.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check hypothesis==6.170.17
cat > shrinks.py <<'PYTHON'
from hypothesis import given, settings, strategies


def last_failure(strategy, fails):
    found = []

    @settings(database=None, max_examples=500, deadline=None, derandomize=True)
    @given(strategy)
    def test(number):
        if fails(number):
            found.append(number)
            raise ValueError

    try:
        test()
    except ValueError:
        return found[-1]


def report(name, strategy, factor):
    smallest = 1000 // factor * factor + factor
    number = last_failure(strategy, lambda number: number > 1000 and number % factor == 0)
    much = "the smallest"
    for times in (1, 10, 1000, 100_000):
        if number > times * smallest:
            much = "too large" if times == 1 else f"more than {times} times too large"
    print(f"{name}, multiples of {factor} above 1000: {much}")


integers = strategies.integers()
for factor in (1, 2, 3, 4, 5, 9, 10, 11):
    report("integers()", integers, factor)
small = strategies.integers(0, 1_000_000)
for factor in (2, 3, 5, 9):
    report("integers(0, 1000000)", small, factor)
report("integers().map(lambda n: 3 * n)", integers.map(lambda n: 3 * n), 3)
PYTHON
env -u CI env/bin/python shrinks.py > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other numbers are left' >&2; exit 1; }
integers(), multiples of 1 above 1000: the smallest
integers(), multiples of 2 above 1000: the smallest
integers(), multiples of 3 above 1000: more than 1000 times too large
integers(), multiples of 4 above 1000: too large
integers(), multiples of 5 above 1000: more than 10 times too large
integers(), multiples of 9 above 1000: too large
integers(), multiples of 10 above 1000: more than 100000 times too large
integers(), multiples of 11 above 1000: more than 10 times too large
integers(0, 1000000), multiples of 2 above 1000: the smallest
integers(0, 1000000), multiples of 3 above 1000: too large
integers(0, 1000000), multiples of 5 above 1000: more than 10 times too large
integers(0, 1000000), multiples of 9 above 1000: too large
integers().map(lambda n: 3 * n), multiples of 3 above 1000: the smallest
SEEN
