#!/bin/sh
# One would expect a reducer that is told to stop a test after one second to refuse an input whose first test takes two: each later one, of about the
# same input, will be stopped as well, so that no step can succeed.
#
# What happens: C-Vise runs the first ("sanity") test without the time limit. It passes, after which every test is stopped, and counted as one that
# found nothing. The reduction goes on through all passes, ends with status 0, and prints the "reduced" file, which is the input. The table at the
# end counts the stopped tests neither as "worked" nor as "failed".
#
# Version: Debian's cvise 2.7.0-2. Source: `check_sanity` in cvise/utils/testing.py, which calls `run_test` itself, whereas candidates are run in
# a process pool with `timeout=`.
set -eu
command -v cvise > /dev/null || { echo "this needs Debian's package cvise" >&2; exit 1; }
case $(cvise --version) in
"cvise 2.7.0 "*) ;;
*) echo "this was seen with cvise 2.7.0" >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'one\ntwo\n' > input.txt
cp input.txt before.txt
printf '#!/bin/sh\nsleep 2\ngrep -q one input.txt\n' > check.sh
chmod +x check.sh
echo '{"first": [], "main": [{"pass": "lines", "arg": "0"}], "last": []}' > passes.json

status=0
cvise --not-c --n 1 --timeout 1 --pass-group-file passes.json ./check.sh input.txt > out 2>&1 || status=$?
echo "status $status"
grep -v '^$' out
[ "$status" = 0 ] || { echo "changed: cvise ends with another status" >&2; exit 1; }
grep -q 'LinesPass::0 .* 0  *0  *1$' out || { echo "changed: a stopped test is counted" >&2; exit 1; }
[ "$(tr -d ' \n' < input.txt)" = onetwo ] || { echo "changed: something was removed" >&2; exit 1; }
