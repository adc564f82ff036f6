//! The hours of a workshop. Everybody writes into the same text file when they came and went, and once a
//! month it is imported.

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc, Weekday};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Shift {
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    pause: Duration,
}

impl Shift {
    fn worked(&self) -> Duration {
        self.until - self.from - self.pause
    }

    fn day(&self) -> NaiveDate {
        self.from.date_naive()
    }

    fn is_at_weekend(&self) -> bool {
        matches!(self.day().weekday(), Weekday::Sat | Weekday::Sun)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Problem {
    Columns(usize),
    Time { column: &'static str, text: String },
    Pause(String),
    EndsBeforeStart,
    Overlaps(DateTime<Utc>),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Columns(count) => write!(f, "{count} columns instead of 4"),
            Problem::Time { column, text } => write!(f, "`{text}` is no time ({column})"),
            Problem::Pause(text) => write!(f, "`{text}` is no pause"),
            Problem::EndsBeforeStart => write!(f, "ends before it starts"),
            Problem::Overlaps(since) => write!(f, "overlaps the shift of {}", since.to_rfc3339()),
        }
    }
}

#[derive(Default)]
struct Sheet {
    shifts: BTreeMap<String, Vec<Shift>>,
    refused: Vec<(usize, Problem)>,
}

fn time(column: &'static str, text: &str) -> Result<DateTime<Utc>, Problem> {
    text.parse().map_err(|_| Problem::Time {
        column,
        text: text.to_owned(),
    })
}

/// A pause in minutes, or `-`.
fn pause(text: &str) -> Result<Duration, Problem> {
    if text == "-" {
        return Ok(Duration::zero());
    }
    let digits = text.strip_suffix("min").unwrap_or(text).trim();
    match digits.parse() {
        Ok(minutes @ 0..=240) => Ok(Duration::minutes(minutes)),
        _ => Err(Problem::Pause(text.to_owned())),
    }
}

impl Sheet {
    fn import(text: &str) -> Self {
        let mut sheet = Sheet::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Err(problem) = sheet.add(line) {
                sheet.refused.push((number, problem));
            }
        }
        sheet
    }

    fn add(&mut self, line: &str) -> Result<(), Problem> {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[name, from, until, rest] = columns.as_slice() else {
            return Err(Problem::Columns(columns.len()));
        };
        let shift = Shift {
            from: time("from", from)?,
            until: time("until", until)?,
            pause: pause(rest)?,
        };
        if shift.worked() <= Duration::zero() {
            return Err(Problem::EndsBeforeStart);
        }
        let shifts = self.shifts.entry(name.to_owned()).or_default();
        let overlapping = shifts
            .iter()
            .find(|other| other.from < shift.until && shift.from < other.until);
        if let Some(other) = overlapping {
            return Err(Problem::Overlaps(other.from));
        }
        shifts.push(shift);
        shifts.sort_by_key(|shift| shift.from);
        Ok(())
    }

    fn hours(&self, name: &str) -> String {
        let shifts = self.shifts.get(name).map(Vec::as_slice).unwrap_or_default();
        let worked = shifts.iter().fold(Duration::zero(), |sum, shift| sum + shift.worked());
        format!("{}:{:02}", worked.num_hours(), worked.num_minutes() % 60)
    }

    fn weekends(&self) -> Vec<(&str, NaiveDate)> {
        let all = self.shifts.iter();
        let days = all.flat_map(|(name, shifts)| {
            let weekend = shifts.iter().filter(|shift| shift.is_at_weekend());
            weekend.map(move |shift| (name.as_str(), shift.day()))
        });
        days.collect()
    }
}

const AUGUST: &str = "
    # name | from                      | until                     | pause
    Jürgen | 2023-08-28T07:00:00Z      | 2023-08-28T15:30:00Z      | 30 min
    Aiko   | 2023-08-28 08:15:00 UTC   | 2023-08-28 12:00:00 UTC   | -
    Jürgen | 2023-08-29T06:30:00Z      | 2023-08-29T14:00:00Z      | 45
    Aiko   | 2023-08-29 09:00:00+02:00 | 2023-08-29 17:00:00+02:00 | 60 min   # at the customer's
    Aiko   | 2023-09-02 10:00:00 UTC   | 2023-09-02 13:00:00 UTC   | -        # open day
";

#[test]
fn hours_of_several_days_are_added() {
    let sheet = Sheet::import(AUGUST);
    assert_eq!(sheet.refused, []);
    assert_eq!(sheet.hours("Jürgen"), "14:45");
    assert_eq!(sheet.hours("Aiko"), "13:45");
    assert_eq!(sheet.hours("nobody"), "0:00");
}

#[test]
fn work_at_weekends_is_listed() {
    let sheet = Sheet::import(AUGUST);
    let saturday = NaiveDate::from_ymd_opt(2023, 9, 2).unwrap();
    assert_eq!(sheet.weekends(), [("Aiko", saturday)]);
}

#[test]
fn a_shift_is_not_counted_twice() {
    let again = "Jürgen | 2023-08-28T12:00:00Z | 2023-08-28T16:00:00Z | -";
    let sheet = Sheet::import(&format!("{AUGUST}{again}\n"));
    let [(_, problem)] = sheet.refused.as_slice() else {
        panic!("{:?}", sheet.refused);
    };
    assert_eq!(problem.to_string(), "overlaps the shift of 2023-08-28T07:00:00+00:00");
}

#[test]
fn a_line_that_cannot_be_read_does_not_stop_the_import() {
    let mut text = String::from("Ines | 2023-08-30T22:00:00Z | 2023-08-30T21:00:00Z | -\n");
    text.push_str("Ines | 2023-08-30 09:00:00 UTC | 2023-08-30 11:00:00 UTC | long\n");
    text.push_str("Ines | 2023-08-31\n");
    for day in 29..=31 {
        let from = format!("2023-08-{day} 07:20:00");
        let until = format!("2023-08-{day} 11:20:00");
        let zone = if day == 30 { "früh" } else { "UTC" };
        text.push_str(&format!("Max | {from} {zone} | {until} UTC | 15 min\n"));
    }
    let sheet = Sheet::import(&text);
    assert_eq!(sheet.hours("Max"), "7:30");
    let numbers: Vec<usize> = sheet.refused.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 2, 3, 5]);
    let last = sheet.refused.last().map(|(_, problem)| problem.to_string());
    assert_eq!(last.as_deref(), Some("`2023-08-30 07:20:00 früh` is no time (from)"));
}
