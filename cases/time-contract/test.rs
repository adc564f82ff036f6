//! Checks of contracts with dates: terms, notice, working days. The harness is our own, since the same
//! checks also run on the machines of our customers.

use std::env;
use std::panic;
use std::process::ExitCode;
use time::{Date, Duration, Month, Weekday};

struct Check {
    name: &'static str,
    run: fn(),
}

/// A contract that goes on in terms of so many weeks.
struct Contract {
    start: Date,
    term: Duration,
    notice: Duration,
}

fn date(year: i32, month: Month, day: u8) -> Date {
    Date::from_calendar_date(year, month, day).expect("the date exists")
}

fn is_holiday(date: Date) -> bool {
    matches!(
        (date.month(), date.day()),
        (Month::January, 1) | (Month::May, 1) | (Month::December, 25) | (Month::December, 26)
    )
}

fn is_working_day(date: Date) -> bool {
    !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday) && !is_holiday(date)
}

/// The date itself, or the first working day after it.
fn working_day(mut date: Date) -> Date {
    while !is_working_day(date) {
        date = date.next_day().expect("calendars go on");
    }
    date
}

impl Contract {
    fn end(&self, terms: i32) -> Date {
        let end = self.start.checked_add(self.term * terms);
        working_day(end.expect("the end is in the calendar"))
    }

    fn last_notice(&self, terms: i32) -> Date {
        self.end(terms) - self.notice
    }

    fn terms_until(&self, date: Date) -> i32 {
        let mut terms = 0;
        while self.end(terms + 1) <= date {
            terms += 1;
        }
        terms
    }
}

fn a_quarter_ends_after_thirteen_weeks() {
    let contract = Contract {
        start: date(2024, Month::January, 2),
        term: Duration::weeks(13),
        notice: Duration::weeks(4),
    };
    assert_eq!(contract.end(1), date(2024, Month::April, 2));
    assert_eq!(contract.last_notice(1), date(2024, Month::March, 5));
    assert_eq!(contract.terms_until(date(2025, Month::January, 1)), 4);
}

fn what_ends_at_christmas_ends_after_it() {
    let contract = Contract {
        start: date(2023, Month::December, 11),
        term: Duration::weeks(2),
        notice: Duration::days(3),
    };
    assert_eq!(contract.end(1), date(2023, Month::December, 27));
}

fn a_lease_of_a_century_ends_on_a_working_day() {
    let lease = Contract {
        start: date(1924, Month::May, 1),
        term: Duration::weeks(1043),
        notice: Duration::weeks(26),
    };
    assert_eq!(lease.end(1), date(1944, Month::April, 27));
    assert_eq!(lease.end(4).year(), 2004);
    assert_eq!(lease.last_notice(4), date(2003, Month::October, 16));
    assert_eq!(lease.end(5), date(2024, Month::April, 11));
    assert!(is_working_day(lease.end(5)));
}

const CHECKS: &[Check] = &[
    Check {
        name: "a_quarter_ends_after_thirteen_weeks",
        run: a_quarter_ends_after_thirteen_weeks,
    },
    Check {
        name: "what_ends_at_christmas_ends_after_it",
        run: what_ends_at_christmas_ends_after_it,
    },
    Check {
        name: "a_lease_of_a_century_ends_on_a_working_day",
        run: a_lease_of_a_century_ends_on_a_working_day,
    },
];

fn main() -> ExitCode {
    let filter = env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let is_wanted = |check: &&Check| {
        filter
            .as_ref()
            .map_or(true, |filter| check.name.contains(filter))
    };
    let mut failed = 0;
    for check in CHECKS.iter().filter(is_wanted) {
        let is_passed = panic::catch_unwind(check.run).is_ok();
        println!(
            "{} ... {}",
            check.name,
            if is_passed { "ok" } else { "FAILED" }
        );
        failed += i32::from(!is_passed);
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
