#!/bin/sh
# One would expect the status of `a | b`, as Rust's crates for shell-like scripts run it, to be that of `b`, as in a shell; and a captured output to lose its
# last line end, or all of them as in `$(..)`, in each of these crates alike.
#
# Instead, duct takes a pipe for failed when either side fails. Whoever turns that off for both (`unchecked`) gets the status of the first program from the
# pipe all the same, where the second one ended with 0: here 3, whereas subprocess says 0. Where both fail, it is that of the second. duct's `read` takes all
# line ends from the end of an output, xshell's `read` takes one: for `a\n\n\n` they give "a" and "a\n\n".
#
# Version: duct 1.1.2, subprocess 1.2.3, xshell 0.2.7 and rustc 1.95.0, on Linux. Source: `pipe_status_precedence` and `trim_end_newlines` in duct's
# src/lib.rs, and running them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "pipes"
version = "0.0.0"
edition = "2024"
[dependencies]
duct = "=1.1.2"
subprocess = "=1.2.3"
xshell = "=0.2.7"
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use subprocess::Exec;

fn main() {
    for (first, second) in [(3, 0), (3, 4), (0, 4)] {
        let duct = |status: i32| duct::cmd("sh", ["-c".to_string(), format!("exit {status}")]);
        let said = duct(first).pipe(duct(second)).run();
        let checked = said.map(|output| output.status.code()).map_err(|error| error.to_string().rsplit(' ').next().unwrap().to_string());
        let unchecked = duct(first).unchecked().pipe(duct(second).unchecked()).run().map(|output| output.status.code()).unwrap();
        let exec = |status: i32| Exec::cmd("sh").arg("-c").arg(format!("exit {status}"));
        let subprocess = (exec(first) | exec(second)).join().unwrap();
        println!("{first} | {second}: duct {checked:?}, duct unchecked {unchecked:?}, subprocess {:?}", subprocess.code());
    }
    let shell = xshell::Shell::new().unwrap();
    println!("read: duct {:?}", duct::cmd!("printf", "a\\n\\n\\n").read().unwrap());
    println!("read: xshell {:?}", xshell::cmd!(shell, "printf a\\n\\n\\n").quiet().read().unwrap());
}
RUST
cargo +1.95.0 run --quiet > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: another status' >&2; exit 1; }
3 | 0: duct Err("3"), duct unchecked Some(3), subprocess Some(0)
3 | 4: duct Err("4"), duct unchecked Some(4), subprocess Some(4)
0 | 4: duct Err("4"), duct unchecked Some(4), subprocess Some(4)
read: duct "a"
read: xshell "a\n\n"
SEEN
