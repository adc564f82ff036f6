//! How a client behaves that repeats requests: it is run against servers that fail now and then, and what
//! it did is shown as bars of characters.

use hdrhistogram::Histogram;
use std::collections::VecDeque;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Fine { millis: u64 },
    Busy,
    Gone,
}

/// What the client does after an answer that is not fine.
#[derive(Debug, Clone, Copy)]
struct Policy {
    retries: u64,
    first_pause: u64,
    longest_pause: u64,
}

impl Policy {
    fn pause(&self, retry: u64) -> u64 {
        let doubled = self.first_pause << retry.min(16);
        doubled.min(self.longest_pause)
    }
}

struct Client<S> {
    policy: Policy,
    server: S,
    /// Milliseconds since the start.
    clock: u64,
    retries: Histogram<u32>,
    latencies: Histogram<u64>,
    failed: u32,
    last: VecDeque<Answer>,
}

impl<S: FnMut(u64) -> Answer> Client<S> {
    fn new(policy: Policy, server: S) -> Self {
        let latencies = Histogram::new_with_bounds(1, 60_000, 3).expect("bounds are right");
        let retries = Histogram::new_with_max(100, 2).expect("bounds are right");
        Client {
            policy,
            server,
            clock: 0,
            retries,
            latencies,
            failed: 0,
            last: VecDeque::new(),
        }
    }

    fn ask(&mut self) -> Answer {
        let answer = (self.server)(self.clock);
        self.last.push_back(answer);
        if self.last.len() > 5 {
            self.last.pop_front();
        }
        answer
    }

    /// Sends a request, and repeats it as the policy says. Gives back whether there was an answer.
    fn request(&mut self) -> bool {
        let start = self.clock;
        for retry in 0..=self.policy.retries {
            match self.ask() {
                Answer::Fine { millis } => {
                    self.clock += millis;
                    self.retries.record(retry).expect("so many are not permitted");
                    self.latencies.saturating_record(self.clock - start);
                    return true;
                }
                Answer::Busy => self.clock += self.policy.pause(retry),
                Answer::Gone => break,
            }
        }
        self.failed += 1;
        false
    }

    fn run(&mut self, requests: usize, every: u64) -> Report {
        for _ in 0..requests {
            self.request();
            self.clock += every;
        }
        Report {
            title: format!("{requests} requests, {} failed", self.failed),
            bars: bars(&self.retries),
            slowest: self.latencies.max(),
            median: self.latencies.value_at_quantile(0.5),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Bar {
    value: u64,
    count: u64,
}

/// A bar for each value that was recorded.
fn bars(histogram: &Histogram<u32>) -> Vec<Bar> {
    histogram
        .iter_recorded()
        .map(|step| Bar {
            value: step.value_iterated_to(),
            count: step.count_since_last_iteration(),
        })
        .collect()
}

#[derive(Debug)]
struct Report {
    title: String,
    bars: Vec<Bar>,
    slowest: u64,
    median: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let most = self.bars.iter().map(|bar| bar.count).max().unwrap_or(1);
        for bar in &self.bars {
            let length = (bar.count * 20).div_ceil(most) as usize;
            writeln!(f, "{:>3} {} {}", bar.value, "#".repeat(length), bar.count)?;
        }
        write!(f, "median {} ms, slowest {} ms", self.median, self.slowest)
    }
}

const PATIENT: Policy = Policy {
    retries: 6,
    first_pause: 50,
    longest_pause: 400,
};

/// A server that is busy in the first part of each period.
fn busy_at_times(period: u64, busy: u64) -> impl FnMut(u64) -> Answer {
    move |clock| match clock % period {
        phase if phase < busy => Answer::Busy,
        phase => Answer::Fine {
            millis: 10 + phase % 7,
        },
    }
}

#[test]
fn pauses_get_longer_to_a_limit() {
    let pauses: Vec<u64> = (0..5).map(|retry| PATIENT.pause(retry)).collect();
    assert_eq!(pauses, [50, 100, 200, 400, 400]);
}

#[test]
fn a_busy_server_is_asked_again() {
    let mut client = Client::new(PATIENT, busy_at_times(1_000, 120));
    let report = client.run(40, 90);
    assert_eq!(client.failed, 0);
    assert_eq!(report.bars.iter().map(|bar| bar.count).sum::<u64>(), 40);
    assert!(report.bars.len() > 1, "{report}");
    assert!(report.slowest >= 150 && report.median < 20, "{report}");
}

#[test]
fn who_is_gone_is_not_asked_again() {
    let mut asked = 0;
    let mut client = Client::new(PATIENT, |_| {
        asked += 1;
        match asked {
            1 | 2 => Answer::Busy,
            3 => Answer::Fine { millis: 5 },
            _ => Answer::Gone,
        }
    });
    let report = client.run(3, 10);
    assert_eq!(report.title, "3 requests, 2 failed");
    assert_eq!(report.bars, [Bar { value: 2, count: 1 }]);
    assert_eq!(client.last.back(), Some(&Answer::Gone));
}

#[test]
fn a_quiet_day_has_one_bar() {
    let mut client = Client::new(PATIENT, busy_at_times(1_000, 0));
    let report = client.run(25, 200);
    assert_eq!(client.failed, 0);
    assert_eq!(client.last.len(), 5);
    let expected = "25 requests, 0 failed\n  0 #################### 25\nmedian 11 ms, slowest 16 ms";
    assert_eq!(report.to_string(), expected);
}
