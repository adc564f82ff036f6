#!/usr/bin/env bash
# One would expect the crates that read the lines of a crontab to agree with the program cron where they take a line: weekday 1 is Monday, 0 and 7 are Sunday,
# and a line with both a day of the month and a weekday runs on each day that is one of the two.
#
# Instead, the crate cron counts the weekdays from 1 for Sunday: a job for `1-5` runs from Sunday to Thursday, one for 7 on Saturday, and 0 is refused. croner
# reads the same text as the program cron does. The names of the days mean the same in both, also in a range. With a day of the month and a weekday the first
# wants both, so `13` with `Fri` is a Friday the 13th, three times in 2026; croner, like the program, runs on each Friday and each 13th. So a job whose line
# is moved from one crate to the other runs on other days without an error, and a week goes by before somebody sees it.
#
# Version: cron 0.17.0, croner 4.0.3, chrono 0.4.45 and rustc 1.95.0. Source: `DAY_OF_WEEK_MAP` and `inclusive_min` in src/time_unit/days_of_week.rs, and
# `next_after` in src/schedule.rs of cron; `dom_and_dow` and `alternative_weekdays`, both false by default, in src/parser.rs and src/pattern.rs of croner.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "days"
version = "0.0.0"
edition = "2024"
[dependencies]
cron = "=0.17.0"
croner = "=4.0.3"
chrono = { version = "=0.4.45", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use chrono::{DateTime, TimeZone, Utc};

fn days(times: impl Iterator<Item = DateTime<Utc>>) -> String {
    let days: Vec<String> = times.take(5).map(|time| time.format("%a %y-%m-%d").to_string()).collect();
    days.join(", ")
}

fn main() {
    let start = Utc.with_ymd_and_hms(2026, 1, 1, 12, 0, 0).unwrap();
    for line in ["0 0 9 * * 1", "0 0 9 * * Mon", "0 0 9 * * 1-5", "0 0 9 * * Mon-Fri", "0 0 9 * * 7", "0 0 9 * * 0", "0 0 9 13 * *", "0 0 9 13 * Fri"] {
        let cron = line.parse::<cron::Schedule>();
        println!("cron   {line}: {}", cron.map(|cron| days(cron.after(&start))).unwrap_or("an error".into()));
        let croner = line.parse::<croner::Cron>();
        println!("croner {line}: {}", croner.map(|cron| days(cron.iter_after(start))).unwrap_or("an error".into()));
    }
}
RUST
cargo +1.95.0 run --quiet 2> err > out || { cat err; exit 1; }
cat out
cmp -s out - <<'SEEN' || { echo 'changed: the jobs run on other days' >&2; exit 1; }
cron   0 0 9 * * 1: Sun 26-01-04, Sun 26-01-11, Sun 26-01-18, Sun 26-01-25, Sun 26-02-01
croner 0 0 9 * * 1: Mon 26-01-05, Mon 26-01-12, Mon 26-01-19, Mon 26-01-26, Mon 26-02-02
cron   0 0 9 * * Mon: Mon 26-01-05, Mon 26-01-12, Mon 26-01-19, Mon 26-01-26, Mon 26-02-02
croner 0 0 9 * * Mon: Mon 26-01-05, Mon 26-01-12, Mon 26-01-19, Mon 26-01-26, Mon 26-02-02
cron   0 0 9 * * 1-5: Sun 26-01-04, Mon 26-01-05, Tue 26-01-06, Wed 26-01-07, Thu 26-01-08
croner 0 0 9 * * 1-5: Fri 26-01-02, Mon 26-01-05, Tue 26-01-06, Wed 26-01-07, Thu 26-01-08
cron   0 0 9 * * Mon-Fri: Fri 26-01-02, Mon 26-01-05, Tue 26-01-06, Wed 26-01-07, Thu 26-01-08
croner 0 0 9 * * Mon-Fri: Fri 26-01-02, Mon 26-01-05, Tue 26-01-06, Wed 26-01-07, Thu 26-01-08
cron   0 0 9 * * 7: Sat 26-01-03, Sat 26-01-10, Sat 26-01-17, Sat 26-01-24, Sat 26-01-31
croner 0 0 9 * * 7: Sun 26-01-04, Sun 26-01-11, Sun 26-01-18, Sun 26-01-25, Sun 26-02-01
cron   0 0 9 * * 0: an error
croner 0 0 9 * * 0: Sun 26-01-04, Sun 26-01-11, Sun 26-01-18, Sun 26-01-25, Sun 26-02-01
cron   0 0 9 13 * *: Tue 26-01-13, Fri 26-02-13, Fri 26-03-13, Mon 26-04-13, Wed 26-05-13
croner 0 0 9 13 * *: Tue 26-01-13, Fri 26-02-13, Fri 26-03-13, Mon 26-04-13, Wed 26-05-13
cron   0 0 9 13 * Fri: Fri 26-02-13, Fri 26-03-13, Fri 26-11-13, Fri 27-08-13, Fri 28-10-13
croner 0 0 9 13 * Fri: Fri 26-01-02, Fri 26-01-09, Tue 26-01-13, Fri 26-01-16, Fri 26-01-23
SEEN
