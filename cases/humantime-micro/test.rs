//! A configuration file of time limits, as services read it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;

const CONFIGURATION: &str = "
    # name        connect    read      retry
    billing     = 1.5s       30s       2m
    search      = 250ms      1.25s     10s 500ms
    telemetry   = 80us       2.5µs     1ms
    archive     = 10s        2h 37min  1day
";

#[derive(Debug)]
struct BadLine {
    number: usize,
    reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.reason)
    }
}

impl Error for BadLine {}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct Limits {
    connect: Duration,
    read: Duration,
    retry: Duration,
}

/// The columns of a line are separated by two spaces or more, since a duration may have one.
fn columns(line: &str) -> Vec<&str> {
    line.split("  ")
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect()
}

fn limits(number: usize, text: &str) -> Result<Limits, Box<dyn Error>> {
    let columns = columns(text);
    if columns.len() != 3 {
        let reason = format!("expected 3 limits, found {}", columns.len());
        return Err(BadLine { number, reason }.into());
    }
    Ok(Limits {
        connect: humantime::parse_duration(columns[0])?,
        read: humantime::parse_duration(columns[1])?,
        retry: humantime::parse_duration(columns[2])?,
    })
}

fn read(text: &str) -> Result<BTreeMap<String, Limits>, Box<dyn Error>> {
    let mut services = BTreeMap::new();
    for (idx, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, rest) = line.split_once('=').ok_or_else(|| BadLine {
            number: idx + 1,
            reason: "expected `=`".to_string(),
        })?;
        services.insert(name.trim().to_string(), limits(idx + 1, rest)?);
    }
    Ok(services)
}

#[test]
fn a_line_without_a_name_is_refused() {
    let error = read("1s  2s  3s").unwrap_err();
    assert_eq!(error.to_string(), "line 1: expected `=`");
}

#[test]
fn a_line_with_too_few_limits_is_refused() {
    let error = read("\n\nmail = 1s  2s").unwrap_err();
    assert_eq!(error.to_string(), "line 3: expected 3 limits, found 2");
}

#[test]
fn limits_of_all_services_are_read() -> Result<(), Box<dyn Error>> {
    let services = read(CONFIGURATION)?;
    assert_eq!(services.len(), 4);
    let search = services["search"];
    assert_eq!(search.connect, Duration::from_millis(250));
    assert_eq!(search.read, Duration::from_millis(1250));
    assert_eq!(search.retry, Duration::from_millis(10_500));
    assert_eq!(services["telemetry"].read, Duration::from_nanos(2500));
    assert_eq!(services["archive"].retry, Duration::from_secs(86_400));
    Ok(())
}

#[test]
fn what_is_read_is_printed_in_its_shortest_form() -> Result<(), Box<dyn Error>> {
    let services = read("archive = 10s  157min  24h")?;
    let archive = services["archive"];
    assert_eq!(
        humantime::format_duration(archive.read).to_string(),
        "2h 37m"
    );
    assert_eq!(
        humantime::format_duration(archive.retry).to_string(),
        "1day"
    );
    Ok(())
}
