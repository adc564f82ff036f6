//! The cost of a candidate with a mistake: to the compiler's end, stopped at the first error, and
//! where a call that only resolves names is made first.
//!
//! The mistake stands at the end of a program that compiles otherwise. What would crash is not in it:
//! a compiler that crashes before it sees the mistake would be measured with another question.

use crate::Failure;
use crate::figures::{Run, Sample, compare, milliseconds, ratio};
use crate::inputs::{Last, Pair, pair};
use crate::package::{Package, Queries, Start, expected};
use reduce_oracle::Verdict;
use std::cell::RefCell;
use std::time::Duration;

const LINES: [usize; 3] = [100, 500, 5_000];
const MISTAKES: [Last; 4] = [
    Last::UnknownFunction,
    Last::UnknownType,
    Last::WrongType,
    Last::Unparsable,
];

/// Measures all mistakes in programs of all sizes, with both ways to start a compiler.
///
/// # Errors
/// When a compiler cannot be asked, or answers otherwise than it should.
pub(crate) fn measure(rounds: usize) -> Result<(), Failure> {
    print_head();
    for lines in LINES {
        let package = Package::new(&pair(lines, Last::Crash)[0], 0)?;
        for start in Start::BOTH {
            let bench = Bench::new(&package, lines, start)?;
            bench.measure(rounds)?;
        }
    }
    Ok(())
}

/// Workers for each way to ask, and what they are asked about.
struct Bench<'a> {
    lines: usize,
    start: Start,
    /// The queries that nothing stops.
    to_the_end: RefCell<Queries<'a>>,
    stopped: RefCell<Queries<'a>>,
    filter: RefCell<Queries<'a>>,
    good: Pair,
    mistakes: [Pair; MISTAKES.len()],
}

/// The times of one mistake.
struct Times {
    to_the_end: Sample,
    stopped: Sample,
    filter: Sample,
}

impl<'a> Bench<'a> {
    fn new(package: &'a Package, lines: usize, start: Start) -> Result<Self, Failure> {
        let name = |name: &str| format!("{name}-{}", start.name().replace(' ', "-"));
        Ok(Self {
            lines,
            start,
            to_the_end: package.queries(&name("end"), start)?.into(),
            stopped: package.queries(&name("stopped"), start)?.into(),
            filter: package.filter(&name("filter"), start)?.into(),
            good: pair(lines, Last::Nothing),
            mistakes: MISTAKES.map(|mistake| pair(lines, mistake)),
        })
    }

    fn measure(&self, rounds: usize) -> Result<(), Failure> {
        let mut runs = vec![self.run(&self.to_the_end, Last::Nothing, &self.good)];
        runs.push(self.run(&self.filter, Last::Nothing, &self.good));
        for (mistake, pair) in MISTAKES.into_iter().zip(&self.mistakes) {
            runs.push(self.run_to_the_end(pair));
            runs.push(self.run(&self.stopped, mistake, pair));
            runs.push(self.run(&self.filter, seen_by_filter(mistake), pair));
        }
        let samples = compare(&mut runs, rounds)?;
        self.print_good(samples[0], samples[1]);
        for (mistake, times) in MISTAKES.into_iter().zip(samples[2..].chunks(3)) {
            let times = Times {
                to_the_end: times[0],
                stopped: times[1],
                filter: times[2],
            };
            self.print(mistake, &times, samples[1]);
        }
        Ok(())
    }

    fn run<'b>(&'b self, queries: &'b RefCell<Queries<'a>>, last: Last, pair: &'b Pair) -> Run<'b> {
        Box::new(move |round| {
            let asked = queries.borrow_mut().ask(&pair[round % 2], expected(last));
            Ok(asked?.0)
        })
    }

    fn run_to_the_end<'b>(&'b self, pair: &'b Pair) -> Run<'b> {
        Box::new(move |round| {
            let is_expected = |verdict: &Verdict| *verdict == Verdict::Rejected;
            let mut queries = self.to_the_end.borrow_mut();
            Ok(queries.ask_to_the_end(&pair[round % 2], is_expected)?.0)
        })
    }

    fn print_good(&self, query: Sample, filter: Sample) {
        let ratio = ratio(filter.wall, query.wall);
        let [query, filter] = [query.wall, filter.wall].map(milliseconds);
        self.print_row(Last::Nothing, [&query, "", "", &filter, &ratio, ""]);
    }

    fn print(&self, mistake: Last, times: &Times, good_filter: Sample) {
        let end = times.to_the_end.wall;
        let walls = [end, times.stopped.wall, times.filter.wall].map(milliseconds);
        let ratios = [times.stopped, times.filter].map(|sample| ratio(sample.wall, end));
        let pays = match seen_by_filter(mistake) == mistake {
            true => share(times.stopped.wall, times.filter.wall, good_filter.wall),
            false => "not seen".to_owned(),
        };
        let cells = [
            &walls[0], &walls[1], &ratios[0], &walls[2], &ratios[1], &pays,
        ];
        self.print_row(mistake, cells.map(String::as_str));
    }

    fn print_row(&self, last: Last, cells: [&str; 6]) {
        let (lines, start, cells) = (self.lines, self.start.name(), cells.join(" | "));
        println!("| {lines} | {start} | {} | {cells} |", last.name());
    }
}

/// Returns the mistake that a call that resolves names sees: types are not its business.
fn seen_by_filter(mistake: Last) -> Last {
    match mistake {
        Last::WrongType => Last::Nothing,
        other => other,
    }
}

/// Returns the share of such mistakes among the candidates from which on the filter pays. The filter
/// saves the difference to a query for each of them, and costs its own time for each of the others.
fn share(query: Duration, filter: Duration, good_filter: Duration) -> String {
    let saved = query.saturating_sub(filter).as_secs_f64();
    if saved == 0.0 {
        return "never".to_owned();
    }
    let cost = good_filter.as_secs_f64();
    format!("{:.0} %", 100.0 * cost / (cost + saved))
}

fn print_head() {
    println!("### Candidates with a mistake\n");
    println!(
        "Wall times. The filter is `--emit=dep-info`, stopped at the first error too; it pays"
    );
    println!("where such mistakes are at least this share of the candidates.\n");
    println!(
        "| lines | design | candidate | to the end, ms | stopped, ms | of it | filter, ms | of it | pays from |"
    );
    println!("|---:|---|---|---:|---:|---:|---:|---:|---:|");
}
