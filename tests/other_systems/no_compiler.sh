#!/bin/sh
# Stands in for the C compiler and the archiver of another system: whatever is to be made becomes an empty file. Build scripts are
# content with it, and as nothing is linked, nobody misses what is in it.
while [ $# -gt 0 ]; do
    case "$1" in
    -o) : >"$2" ;;
    -out:*) : >"${1#*:}" ;;
    *.a) : >"$1" ;;
    esac
    shift
done
