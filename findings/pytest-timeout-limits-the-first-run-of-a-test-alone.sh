#!/usr/bin/env bash
# One would expect `--timeout 1 --reruns 3` of pytest's plug-ins pytest-timeout and pytest-rerunfailures to give each run of a test one second, or one second
# to all its runs together.
#
# Instead, the first run alone has a limit. A test that hangs is stopped after a second, counted as a failure, and run again without any limit: a test that
# always hangs hangs the whole session, in spite of the option that is there against it. The limit goes around the hook that all runs of a test are in, so
# that it is set once, and it is taken away for good by the first failure, of whatever kind, as it could be in the way of a debugger: a test that fails at once
# has no limit in its second run. With `timeout_func_only` the limit is set for each run, at the price that fixtures have none.
#
# Version: pytest 9.2.0, pytest-timeout 2.4.0, pytest-rerunfailures 16.7. Source: `pytest_runtest_protocol` and `pytest_exception_interact` in
# pytest_timeout.py, and the loop in `pytest_runtest_protocol` of pytest_rerunfailures.py.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset CI PYTEST_ADDOPTS PYTEST_PLUGINS PYTEST_TIMEOUT PYTEST_DISABLE_PLUGIN_AUTOLOAD || true
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check pytest==9.2.0 pytest-timeout==2.4.0 pytest-rerunfailures==16.7
cat > test_runs.py <<'PYTHON'
import contextlib
import time

runs = {}


@contextlib.contextmanager
def run(name):
    number = runs[name] = runs.get(name, 0) + 1
    said = "was stopped"
    try:
        yield number
        said = "came to its end"
    except AssertionError:
        said = "failed at once"
        raise
    finally:
        with open("runs", "a") as file:
            print(f"{name}, run {number}: {said}", file=file)


def test_sleeps():
    with run("sleeps 2 seconds"):
        time.sleep(2)


def test_fails_first():
    with run("fails first, then sleeps 2 seconds") as number:
        assert number > 1
        time.sleep(2)
PYTHON
for only in false true; do
    rm -f runs
    echo "timeout_func_only=$only"
    env/bin/python -m pytest -q -p no:cacheprovider --timeout 1 --reruns 2 -o "timeout_func_only=$only" test_runs.py > log 2>&1 || true
    cat runs
    sed -n '$s/ in .*//p' log
done > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: other runs have a limit' >&2; exit 1; }
timeout_func_only=false
sleeps 2 seconds, run 1: was stopped
sleeps 2 seconds, run 2: came to its end
fails first, then sleeps 2 seconds, run 1: failed at once
fails first, then sleeps 2 seconds, run 2: came to its end
2 passed, 2 rerun
timeout_func_only=true
sleeps 2 seconds, run 1: was stopped
sleeps 2 seconds, run 2: was stopped
sleeps 2 seconds, run 3: was stopped
fails first, then sleeps 2 seconds, run 1: failed at once
fails first, then sleeps 2 seconds, run 2: was stopped
fails first, then sleeps 2 seconds, run 3: was stopped
2 failed, 4 rerun
SEEN
