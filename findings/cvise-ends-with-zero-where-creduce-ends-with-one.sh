#!/bin/sh
# One would expect C-Vise, which took over C-Reduce's command line and its very words, to end as C-Reduce ends; and a program that prints "cannot
# run" to end with another status than 0, and to say so on standard error.
#
# What happens, with C-Vise: where the interestingness test fails before the first step, it prints C-Reduce's explanation to standard output, leaves
# standard error empty, and ends with status 0, as after a good reduction. Where the file became empty (the test accepts all), it ends with 0 as
# well. C-Reduce prints the same two texts and ends with 1 both times. So no script can tell from C-Vise's status whether anything was reduced.
#
# Version: Debian's cvise 2.7.0-2 and creduce 2.10.0+20220116-1. Source: `except CViseError as err: print(err)` in the command itself.
set -eu
command -v cvise > /dev/null && command -v creduce > /dev/null || { echo "this needs Debian's packages cvise and creduce" >&2; exit 1; }
case $(cvise --version) in
"cvise 2.7.0 "*) ;;
*) echo "this was seen with cvise 2.7.0" >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# run TOOL STATUS-OF-THE-TEST: sets `status`, leaves `out` and `err`.
run() {
    rm -rf "$dir/case"
    mkdir "$dir/case"
    cd "$dir/case"
    printf 'one\ntwo\n' > input.txt
    printf '#!/bin/sh\nexit %s\n' "$2" > check.sh
    chmod +x check.sh
    status=0
    "$1" --n 1 --not-c ./check.sh input.txt > out 2> err || status=$?
    echo "$1, test ends with $2: status $status, $(wc -c < out) bytes printed, $(wc -c < err) bytes of errors"
}

run creduce 1
[ "$status" = 1 ] && grep -q 'cannot run because the interestingness test' out || { echo "changed: creduce refuses in another way" >&2; exit 1; }
run creduce 0
[ "$status" = 1 ] && grep -q 'did not want a zero size file' out || { echo "changed: creduce accepts an empty file" >&2; exit 1; }
run cvise 1
[ "$status" = 0 ] && [ ! -s err ] && grep -q 'cannot run because the interestingness test' out \
    || { echo "changed: cvise refuses in another way" >&2; exit 1; }
run cvise 0
[ "$status" = 0 ] && grep -q 'did not want a zero size file' out || { echo "changed: cvise ends with another status" >&2; exit 1; }
