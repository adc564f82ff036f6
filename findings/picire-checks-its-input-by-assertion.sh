#!/bin/sh
# Expected: a reducer refuses an input that is not interesting at all with a message of its own and a status that is not 0,
# whatever the interpreter's options are.
# Seen: picire checks this by a bare `assert`. Ordinarily that is a traceback without any words and status 1. Where Python is
# told to optimise (PYTHONOPTIMIZE=1, or `python -O`), the check is not there: it ends with status 0 and delivers the whole
# input as the result.
# Version and source: picire 21.8 from the Python package index, run with Python 3.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check picire==21.8
cd "$dir"
printf 'one\ntwo\n' > input.txt
printf '#!/bin/sh\ngrep -q absent "$1"\n' > looks.sh
chmod +x looks.sh
plain=0
"$dir/venv/bin/picire" --quiet --input input.txt --test looks.sh --out plain 2> plain.txt || plain=$?
optimised=0
PYTHONOPTIMIZE=1 "$dir/venv/bin/picire" --quiet --input input.txt --test looks.sh --out optimised 2> optimised.txt || optimised=$?
echo "as usual:  status $plain, last line of the error output: $(tail -n 1 plain.txt)"
echo "optimised: status $optimised, result: $(tr '\n' ' ' < optimised/input.txt)"
[ "$plain" != 0 ] || { echo "changed: it succeeds as usual"; exit 1; }
[ "$(tail -n 1 plain.txt)" = AssertionError ] || { echo "changed: the refusal has words"; exit 1; }
[ "$optimised" = 0 ] || { echo "changed: it refuses the input when optimised, too"; exit 1; }
cmp -s input.txt optimised/input.txt || { echo "changed: the result is another one"; exit 1; }
