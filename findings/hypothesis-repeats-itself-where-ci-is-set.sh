#!/bin/sh
# One would expect the inputs that Hypothesis tries to be new in each run, as its documentation says of random testing, and a variable such as `CI` to be
# looked at for its value: `CI=false` and an empty one mean no.
#
# Instead, where `CI` is set, to whatever, Hypothesis loads the profile "ci": each run tries the same inputs (`derandomize`), there is no limit of time for an
# input, and failures are not kept in the database. `CI=false` and `CI=` do this as well, and `TF_BUILD=1` does not, as that one is compared with "true". So a
# property that fails in one run of twenty at home always fails, or never, in CI; and a program that starts a test with a cleared environment has other inputs
# than the shell.
#
# Version: hypothesis 6.170.17 of PyPI. Source: `is_in_ci` and the profile "ci" in hypothesis/_settings.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check hypothesis==6.170.17
cat > tries.py <<'PYTHON'
from hypothesis import given, settings, strategies

tried = []


@given(strategies.integers())
def test(number):
    tried.append(number)


test()
now = settings()
print(f"derandomize {now.derandomize}, deadline {now.deadline}, database {now.database is not None}")
with open("tried", "w") as file:
    print(tried, file=file)
PYTHON
for variable in none CI=true CI=false CI= TF_BUILD=1 TF_BUILD=true; do
    for run in 1 2; do
        set -- "$variable"
        [ "$variable" != none ] || set --
        env -i "PATH=$PATH" "$@" env/bin/python tries.py > "said$run"
        mv tried "tried$run"
        rm -rf .hypothesis
    done
    same=no
    ! cmp -s tried1 tried2 || same=yes
    echo "$variable: $(cat said1), the same inputs: $same"
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other settings' >&2; exit 1; }
none: derandomize False, deadline 0:00:00.200000, database True, the same inputs: no
CI=true: derandomize True, deadline None, database False, the same inputs: yes
CI=false: derandomize True, deadline None, database False, the same inputs: yes
CI=: derandomize True, deadline None, database False, the same inputs: yes
TF_BUILD=1: derandomize False, deadline 0:00:00.200000, database True, the same inputs: no
TF_BUILD=true: derandomize True, deadline None, database False, the same inputs: yes
SEEN
