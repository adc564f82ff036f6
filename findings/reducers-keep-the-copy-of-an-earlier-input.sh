#!/bin/sh
# One would expect that `input.txt.orig`, the copy that C-Reduce and C-Vise say they make of the input, is a copy of this run's input.
#
# What happens: a copy that is there already is left alone. Whoever reduces one file, then writes another input to the same name and reduces that,
# has the reduced second file next to the first one's original. The second original is gone, and nothing is said.
#
# Version: Debian's cvise 2.7.0-2 and creduce 2.10.0+20220116-1. Source: `backup_test_cases` in cvise/utils/testing.py, "if not
# os.path.exists(orig_file)".
set -eu
command -v cvise > /dev/null && command -v creduce > /dev/null || { echo "this needs Debian's packages cvise and creduce" >&2; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf '#!/bin/sh\ngrep -q kept input.txt\n' > check.sh
chmod +x check.sh
for tool in creduce cvise; do
    rm -f input.txt.orig
    printf 'first\nkept\n' > input.txt
    "$tool" --not-c --n 1 ./check.sh input.txt > out 2>&1 || { cat out; exit 1; }
    printf 'second\nkept\n' > input.txt
    "$tool" --not-c --n 1 ./check.sh input.txt > out 2>&1 || { cat out; exit 1; }
    echo "$tool: after the second run the copy is: $(tr '\n' ' ' < input.txt.orig)"
    grep -q first input.txt.orig || { echo "changed: $tool makes a new copy" >&2; exit 1; }
    ! grep -q second input.txt input.txt.orig || { echo "changed: something of the second input is left" >&2; exit 1; }
done
