#!/bin/sh
# One would expect a reducer that is given several files to lay each candidate out as the files lie, folders included, so that a test finds `first/input.txt`
# and `second/input.txt` where they were; crates and headers have many files of one name.
#
# Instead, C-Reduce puts every file into the test's directory under its last name, where two of one name are one file. It ends with status 0, and writes the
# text that is left of the first file to both paths: the second one's text is gone, as the copy of the input, `input.txt.orig`, is one file in the current
# directory, too, and has the first one's. C-Vise, which has the same command line, accepts no folder in a path at all, and ends with a Python traceback, so
# that each crate has to be moved to one folder for it.
#
# Version: Debian's creduce 2.10.0+20220116-1 and cvise 2.7.0-2. Source: `FolderInPathTestCaseError` in cvise/utils/testing.py, and running both.
set -eu
command -v cvise > /dev/null && command -v creduce > /dev/null || { echo "this needs Debian's packages cvise and creduce" >&2; exit 1; }
[ "$(dpkg-query -W -f '${Version}' creduce)" = 2.10.0+20220116-1 ] || { echo 'this was seen with creduce 2.10.0+20220116-1' >&2; exit 1; }
case $(cvise --version) in
"cvise 2.7.0 "*) ;;
*) echo "this was seen with cvise 2.7.0" >&2; exit 1 ;;
esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir first second
printf 'one\nalpha\ntwo\n' > first/input.txt
printf 'three\nbeta\nfour\n' > second/input.txt
cat > check.sh <<'SH'
#!/bin/sh
[ ! -e first ] && [ ! -e second ] && grep -q -e alpha -e beta input.txt
SH
chmod +x check.sh
status=0
cvise --n 1 --not-c ./check.sh first/input.txt second/input.txt > out 2> err || status=$?
said=$(sed -n 's/^cvise.utils.error.\([A-Za-z]*\): .*/\1/p' err)
echo "cvise: status $status, $said"
[ "$status $said" = '1 FolderInPathTestCaseError' ] || { cat out err; echo 'changed: cvise takes it otherwise' >&2; exit 1; }
creduce --n 1 --not-c ./check.sh first/input.txt second/input.txt > out 2>&1
for file in first/input.txt second/input.txt input.txt.orig; do
    echo "creduce: $file has $(tr '\n' ' ' < "$file")"
done > said
ls first second | tr '\n' ' ' >> said
cat said
echo
printf 'creduce: first/input.txt has alpha \ncreduce: second/input.txt has alpha \ncreduce: input.txt.orig has one alpha two \nfirst: input.txt  second: input.txt ' | cmp -s - said \
    || { echo 'changed: creduce takes it otherwise' >&2; exit 1; }
