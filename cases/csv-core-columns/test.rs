//! A timetable that is written as CSV and read again.

use csv_core::{ReadRecordResult, Reader, WriteResult, Writer, WriterBuilder};
use std::fmt::Debug;

trait Record: Sized + Debug + PartialEq {
    const HEAD: &'static [&'static str];

    fn fields(&self) -> Vec<String>;
    fn from_fields(fields: &[String]) -> Option<Self>;
}

#[derive(Debug, Clone, PartialEq)]
struct Station {
    code: u32,
    name: String,
    platforms: Option<u8>,
}

impl Station {
    fn new(code: u32, name: &str) -> Self {
        Station { code, name: name.to_string(), platforms: None }
    }

    fn with_platforms(self, count: u8) -> Self {
        Station { platforms: Some(count), ..self }
    }
}

impl Record for Station {
    const HEAD: &'static [&'static str] = &["code", "name", "platforms"];

    fn fields(&self) -> Vec<String> {
        let platforms = self.platforms.map(|count| count.to_string());
        vec![self.code.to_string(), self.name.clone(), platforms.unwrap_or_default()]
    }

    fn from_fields(fields: &[String]) -> Option<Self> {
        let platforms = match fields.get(2)?.as_str() {
            "" => None,
            count => Some(count.parse().ok()?),
        };
        Some(Station { platforms, ..Station::new(fields[0].parse().ok()?, &fields[1]) })
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Stop {
    train: String,
    station: u32,
    minute: u32,
    remark: String,
}

impl Record for Stop {
    const HEAD: &'static [&'static str] = &["train", "station", "at", "remark"];

    fn fields(&self) -> Vec<String> {
        let time = format!("{:02}:{:02}", self.minute / 60, self.minute % 60);
        vec![self.train.clone(), self.station.to_string(), time, self.remark.clone()]
    }

    fn from_fields(fields: &[String]) -> Option<Self> {
        let mut time = fields.get(2)?.split(':').map(|part| part.parse::<u32>().ok());
        Some(Stop {
            train: fields[0].clone(),
            station: fields[1].parse().ok()?,
            minute: time.next()?? * 60 + time.next()??,
            remark: fields.get(3)?.clone(),
        })
    }
}

/// A writer with a small buffer, which is emptied when it is full.
struct Sink {
    writer: Writer,
    buffer: [u8; 16],
    text: Vec<u8>,
}

impl Sink {
    fn new(writer: Writer) -> Self {
        Sink { writer, buffer: [0; 16], text: Vec::new() }
    }

    fn until_done(&mut self, mut step: impl FnMut(&mut Writer, &mut [u8]) -> (WriteResult, usize)) {
        loop {
            let (result, written) = step(&mut self.writer, &mut self.buffer);
            self.text.extend_from_slice(&self.buffer[..written]);
            if result == WriteResult::InputEmpty {
                return;
            }
        }
    }

    fn row<S: AsRef<str>>(&mut self, fields: &[S]) {
        for (number, field) in fields.iter().enumerate() {
            if number > 0 {
                self.until_done(|writer, buffer| writer.delimiter(buffer));
            }
            let mut rest = field.as_ref().as_bytes();
            self.until_done(|writer, buffer| {
                let (result, read, written) = writer.field(rest, buffer);
                rest = &rest[read..];
                (result, written)
            });
        }
        self.until_done(|writer, buffer| writer.terminator(buffer));
    }
}

fn written<R: Record>(records: &[R], writer: Writer) -> String {
    let mut sink = Sink::new(writer);
    sink.row(R::HEAD);
    for record in records {
        sink.row(&record.fields());
    }
    String::from_utf8(sink.text).expect("it was UTF-8")
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::new();
    let mut input = text.as_bytes();
    let (mut output, mut ends) = (vec![0; text.len() + 1], vec![0; text.len() + 1]);
    let mut rows = Vec::new();
    loop {
        let (result, read, _, count) = reader.read_record(input, &mut output, &mut ends);
        input = &input[read..];
        match result {
            ReadRecordResult::InputEmpty => continue,
            ReadRecordResult::Record => {
                let mut start = 0;
                let fields = ends[..count].iter().map(|&end| {
                    let field = String::from_utf8_lossy(&output[start..end]).into_owned();
                    start = end;
                    field
                });
                rows.push(fields.collect());
            }
            ReadRecordResult::End => return rows,
            other => panic!("the buffers are too small: {:?}", other),
        }
    }
}

fn read<R: Record>(text: &str) -> Vec<R> {
    let rows = rows(text);
    assert_eq!(rows[0], R::HEAD);
    let records = rows[1..].iter();
    records.map(|fields| R::from_fields(fields).expect("a record")).collect()
}

fn survives<R: Record>(records: &[R]) {
    assert!(!records.is_empty());
    let text = written(records, Writer::new());
    assert_eq!(text.lines().next(), Some(R::HEAD.join(",").as_str()));
    let columns: Vec<usize> = rows(&text).iter().map(Vec::len).collect();
    assert_eq!(columns, vec![R::HEAD.len(); records.len() + 1]);
    assert_eq!(read::<R>(&text), records);
}

fn stop(train: &str, station: u32, minute: u32, remark: &str) -> Stop {
    Stop { train: train.to_string(), station, minute, remark: remark.to_string() }
}

#[test]
fn stops_survive() {
    survives(&[
        stop("IC 2031", 17, 605, ""),
        stop("RE \"Elbe\"", 18, 1439, "runs on Sunday, and on holidays"),
        stop("S1", 17, 0, "first line\nsecond line of a longer remark"),
    ]);
}

#[test]
fn only_what_has_to_be_is_quoted() {
    let stations = [Station::new(8, "Jena"), Station::new(9, "Ulm, Hbf").with_platforms(12)];
    let text = written(&stations, Writer::new());
    assert_eq!(text, "code,name,platforms\n8,Jena,\n9,\"Ulm, Hbf\",12\n");
}

#[test]
fn another_delimiter_is_taken() {
    let writer = WriterBuilder::new().delimiter(b';').build();
    let text = written(&[Station::new(7, "Bonn; Beuel")], writer);
    assert_eq!(text, "code;name;platforms\n7;\"Bonn; Beuel\";\n");
}

#[test]
fn stations_with_a_comma_survive() {
    survives(&[Station::new(1, "Halle"), Station::new(2, "Halle, Süd")]);
    survives(&[
        Station::new(10, "Leipzig").with_platforms(21),
        Station::new(11, "Berlin, Ostbahnhof").with_platforms(11),
        Station::new(12, "Dresden, Hauptbahnhof").with_platforms(16),
        Station::new(13, "Riesa"),
    ]);
}
