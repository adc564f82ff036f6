#!/bin/sh
# Expected: a delta debugger whose test accepts everything ends with an empty file, since nothing of the input is needed.
# Seen: picire keeps one line. Its algorithm ends as soon as one unit is left, and never asks about none. A script that
# accepts all inputs by mistake therefore looks as if the first line of the input mattered.
# Version and source: picire 21.8 from the Python package index, run with Python 3.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check picire==21.8
cd "$dir"
printf 'one\ntwo\nthree\n' > input.txt
printf '#!/bin/sh\nexit 0\n' > accepts.sh
chmod +x accepts.sh
"$dir/venv/bin/picire" --quiet --input input.txt --test accepts.sh --out lines
"$dir/venv/bin/picire" --quiet --input input.txt --test accepts.sh --atom char --out characters
echo "by lines:      $(od -An -c lines/input.txt)"
echo "by characters: $(od -An -c characters/input.txt)"
[ "$(wc -l < lines/input.txt)" = 1 ] || { echo "changed: another number of lines than 1 is left"; exit 1; }
[ "$(wc -c < characters/input.txt)" = 1 ] || { echo "changed: another number of characters than 1 is left"; exit 1; }
