//! A weather station on a roof: it keeps the last readings in a buffer of fixed size, and sends a report
//! of any part of the day on demand.

use circular_buffer::CircularBuffer;
use std::fmt;

/// A reading each half hour for four hours.
const KEPT: usize = 8;
const STEP: u32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Minute(u32);

impl Minute {
    fn at(hour: u32, minute: u32) -> Self {
        Minute(hour * 60 + minute)
    }
}

impl fmt::Display for Minute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60 % 24, self.0 % 60)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Reading {
    at: Minute,
    /// Tenths of a degree.
    temperature: i32,
    humidity: u8,
    gust: u16,
}

#[derive(Debug, PartialEq)]
struct Report {
    count: usize,
    coldest: i32,
    warmest: i32,
    mean: i32,
    humidity: u8,
    strongest_gust: Option<(Minute, u16)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Refused {
    NothingYet,
    OutOfRange { first: Minute, last: Minute },
    Backwards,
}

struct Station {
    name: &'static str,
    readings: CircularBuffer<KEPT, Reading>,
    calibration: i32,
    dropped: usize,
}

impl Station {
    fn new(name: &'static str, calibration: i32) -> Self {
        Station {
            name,
            readings: CircularBuffer::new(),
            calibration,
            dropped: 0,
        }
    }

    fn record(&mut self, at: Minute, temperature: i32, humidity: u8, gust: u16) {
        if self.readings.is_full() {
            self.dropped += 1;
        }
        self.readings.push_back(Reading {
            at,
            temperature: temperature + self.calibration,
            humidity: humidity.min(100),
            gust,
        });
    }

    /// Where the first reading is that was not taken before a time.
    fn position(&self, time: Minute) -> usize {
        let all = self.readings.iter();
        all.take_while(|reading| reading.at < time).count()
    }

    fn report(&self, from: Minute, until: Minute) -> Result<Report, Refused> {
        if from >= until {
            return Err(Refused::Backwards);
        }
        let (Some(first), Some(last)) = (self.readings.front(), self.readings.back()) else {
            return Err(Refused::NothingYet);
        };
        if from < first.at || last.at < from {
            return Err(Refused::OutOfRange {
                first: first.at,
                last: last.at,
            });
        }
        let (start, end) = (self.position(from), self.position(until));
        let mut report = Report {
            count: 0,
            coldest: i32::MAX,
            warmest: i32::MIN,
            mean: 0,
            humidity: 0,
            strongest_gust: None,
        };
        let (mut sum, mut humidity) = (0, 0_usize);
        for reading in self.readings.range(start..end) {
            report.count += 1;
            report.coldest = report.coldest.min(reading.temperature);
            report.warmest = report.warmest.max(reading.temperature);
            sum += reading.temperature;
            humidity += usize::from(reading.humidity);
            let is_stronger = match report.strongest_gust {
                Some((_, gust)) => gust < reading.gust,
                None => reading.gust > 0,
            };
            if is_stronger {
                report.strongest_gust = Some((reading.at, reading.gust));
            }
        }
        if report.count > 0 {
            report.mean = sum / report.count as i32;
            report.humidity = (humidity / report.count) as u8;
        }
        Ok(report)
    }

    /// One line for the display in the hall.
    fn display(&self) -> String {
        match self.readings.back() {
            Some(reading) => format!(
                "{} {}: {:.1} °C, {} %",
                self.name,
                reading.at,
                f64::from(reading.temperature) / 10.0,
                reading.humidity
            ),
            None => format!("{}: no reading", self.name),
        }
    }
}

/// A day with the coldest reading at six in the morning, and wind at noon.
fn simulate(station: &mut Station, from: Minute, count: u32) {
    for step in 0..count {
        let at = Minute(from.0 + step * STEP);
        let hours_from_six = (at.0 as i32 - 360).abs() / 60;
        let temperature = 20 + 9 * hours_from_six;
        let humidity = 95 - 2 * hours_from_six as u8;
        let gust = match at.0 / 60 {
            11..=13 => 40 + (at.0 % 60) as u16,
            7..=18 => 12,
            _ => 0,
        };
        station.record(at, temperature, humidity, gust);
    }
}

#[test]
fn a_new_station_has_nothing_to_report() {
    let station = Station::new("roof", 0);
    let report = station.report(Minute::at(1, 0), Minute::at(2, 0));
    assert_eq!(report, Err(Refused::NothingYet));
    assert_eq!(station.display(), "roof: no reading");
}

#[test]
fn the_display_has_the_last_reading() {
    let mut station = Station::new("roof", -5);
    simulate(&mut station, Minute::at(0, 0), 2);
    assert_eq!(station.display(), "roof 00:30: 6.0 °C, 85 %");
}

#[test]
fn what_was_dropped_is_out_of_range() {
    let mut station = Station::new("yard", 0);
    simulate(&mut station, Minute::at(8, 0), 10);
    assert_eq!(station.dropped, 2);
    let refused = Refused::OutOfRange {
        first: Minute::at(9, 0),
        last: Minute::at(12, 30),
    };
    let report = station.report(Minute::at(8, 0), Minute::at(10, 0));
    assert_eq!(report, Err(refused));
    let report = station.report(Minute::at(10, 0), Minute::at(9, 0));
    assert_eq!(report, Err(Refused::Backwards));
}

#[test]
fn the_report_of_the_morning_names_the_strongest_gust() {
    let mut station = Station::new("roof", 0);
    simulate(&mut station, Minute::at(9, 0), 7);
    let report = station.report(Minute::at(10, 0), Minute::at(12, 0)).unwrap();
    assert_eq!(report.count, 4);
    assert_eq!(report.strongest_gust, Some((Minute::at(11, 30), 70)));
    assert_eq!(report.humidity, 86);
}

#[test]
fn the_report_of_the_night_has_only_readings_of_the_night() {
    let mut station = Station::new("yard", 3);
    simulate(&mut station, Minute::at(2, 0), 13);
    assert_eq!(station.readings.len(), KEPT);
    assert_eq!(station.dropped, 5);

    let report = station.report(Minute::at(5, 0), Minute::at(7, 0)).unwrap();
    let night = Report {
        count: 4,
        coldest: 23,
        warmest: 32,
        mean: 25,
        humidity: 94,
        strongest_gust: None,
    };
    assert_eq!(report, night);
}
