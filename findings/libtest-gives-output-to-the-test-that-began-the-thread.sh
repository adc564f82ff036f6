#!/usr/bin/env bash
# One would expect what is printed while a test waits for its own work to be shown with that test, and the message of the assertion that makes it fail above
# all. The output of threads that a test starts is captured with its own, so it seems that libtest follows the work.
#
# What happens: a thread inherits the capture of the thread that started it, once and for all. Where tests share workers (a pool in a `OnceLock`, a
# runtime), all that the workers print belongs to the first test that used them. If that test passes, its output is thrown away, and with it the
# panic message of a later test's job: the later one fails by `recv` or `join` with its own words, and the reason is printed nowhere. With `--no-capture`,
# or where the failing test runs alone, the reason is there.
#
# Version: rustc 1.95.0 (59807616e 2026-04-14). Source: `io::set_output_capture` in library/std/src/thread, called for each new thread.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset RUST_BACKTRACE RUST_TEST_THREADS RUST_TEST_NOCAPTURE RUST_TEST_SHUFFLE || true
cat > tests.rs <<'RUST'
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock, mpsc};

type Job = Box<dyn FnOnce() + Send>;
static WORKER: OnceLock<Mutex<mpsc::Sender<Job>>> = OnceLock::new();

fn done_by_the_worker(job: impl FnOnce() + Send + 'static) -> bool {
    let worker = WORKER.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        std::thread::spawn(move || {
            for job in jobs {
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        });
        Mutex::new(sender)
    });
    let (sender, answer) = mpsc::channel();
    let job = Box::new(move || {
        job();
        sender.send(()).unwrap();
    });
    worker.lock().unwrap().send(job).unwrap();
    answer.recv().is_ok()
}

#[test]
fn a_passes() {
    assert!(done_by_the_worker(|| println!("of the first")));
}

#[test]
fn b_fails() {
    assert!(done_by_the_worker(|| assert_eq!(1 + 1, 3, "the reason")), "not done");
}
RUST
rustc +1.95.0 --edition 2024 --test tests.rs -o tests
# Whether `the reason` is printed by a run with these arguments, in which `b_fails` fails.
reason() {
    status=0
    ./tests --test-threads 1 "$@" > out 2>&1 || status=$?
    [ "$status" = 101 ] && grep -q 'not done' out || { cat out >&2; echo 'changed: the test does not fail as it did' >&2; exit 1; }
    if grep -q 'the reason' out; then echo yes; else echo no; fi
}
all=$(reason)
cat out
alone=$(reason b_fails)
open=$(reason --no-capture)
echo "reason printed: both tests $all, the failing one alone $alone, without capture $open"
[ "$all $alone $open" = 'no yes yes' ] || { echo 'changed: the reason is printed elsewhere' >&2; exit 1; }
