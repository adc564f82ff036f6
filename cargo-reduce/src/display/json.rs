//! One line of JSON per event. A failure has the same form: `"event":"failed"`. The end has the fields
//! of `reduction.json`, of which `version` is called `summary_version`.

use crate::error::CommandError;
use camino::Utf8Path;
use reduce_engine::{EVENT_VERSION, Event, Summary, escape};
use reduce_protocol::JobId;
use reduce_triage::Triage;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    #[serde(flatten)]
    event: &'a Event,
}

#[derive(Serialize)]
struct Finished {
    version: u32,
    event: &'static str,
    summary_version: u32,
    #[serde(flatten)]
    summary: Map<String, Value>,
}

/// Returns an event as a line of JSON.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::Finished(summary) => finished(summary),
        event => line(&Versioned {
            version: EVENT_VERSION,
            event,
        }),
    }
}

/// Returns the event of a reduction's end, with all of its summary, as a line of JSON. Events and summaries have versions
/// of their own.
fn finished(summary: &Summary) -> String {
    let value = serde_json::to_value(summary).expect("a summary has string keys only");
    let mut fields = match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    fields.remove("version");
    line(&Finished {
        version: EVENT_VERSION,
        event: "finished",
        summary_version: summary.version,
        summary: fields,
    })
}

/// Returns the line of JSON which says that a job was handed to the daemon, and that this client does not wait for it.
pub(crate) fn detached(job: JobId, joined: bool, output: &Utf8Path) -> String {
    line(&serde_json::json!({
        "version": EVENT_VERSION, "event": "detached", "job": job, "joined": joined, "output": output,
    }))
}

/// Returns the line of JSON which says that this client leaves a job, which goes on for other clients.
pub(crate) fn left(job: JobId, others: u64) -> String {
    line(&serde_json::json!({
        "version": EVENT_VERSION, "event": "left", "job": job, "others": others,
    }))
}

/// Returns the results of a triage, which have a version of their own, as a line of JSON.
pub(crate) fn triage(triage: &Triage) -> String {
    line(&serde_json::json!({
        "version": EVENT_VERSION, "event": "triaged", "triage": triage,
    }))
}

/// Returns the error of a command as a line of JSON.
pub(crate) fn failure(error: &CommandError) -> String {
    line(&serde_json::json!({
        "version": EVENT_VERSION,
        "event": "failed",
        "exit_code": error.kind.code(),
        "message": error.source.to_string(),
        "causes": error.causes,
        "output": error.output,
        "hints": error.hints,
        "offers": error.offers,
    }))
}

/// Returns a value, whose keys must be strings, as a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("all keys are strings");
    escaped(&json) + "\n"
}

/// Writes characters of JSON that would act on a terminal as `\uXXXX`. Such characters stand in
/// strings only.
fn escaped(json: &str) -> String {
    let mut result = String::with_capacity(json.len());
    for c in json.chars() {
        match escape::is_active(c) {
            true => {
                let units = c.encode_utf16(&mut [0; 2]).to_vec();
                result.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
            }
            false => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_with_its_version() {
        let resumed = Event::Resumed {
            steps: 3,
            tokens: 40,
        };
        let expected = "{\"version\":2,\"event\":\"resumed\",\"steps\":3,\"tokens\":40}\n";
        assert_eq!(event(&resumed), expected);
    }

    #[test]
    fn the_end_has_each_field_once() {
        let summary = crate::display::summary::tests::summary();
        let line = event(&Event::Finished(Box::new(summary.clone())));
        assert_eq!(line.matches("\"version\":").count(), 1, "{line}");
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["event"], "finished");
        assert_eq!(value["version"], EVENT_VERSION);
        assert_eq!(value["summary_version"], summary.version);
        assert_eq!(value["tokens_after"], summary.sizes.tokens_after);
    }

    #[test]
    fn data_is_exact_and_nothing_in_it_acts_on_a_terminal() {
        let message = "\u{1b}[2J\u{9b}\u{202e}\u{e0041}\u{7f} grün".to_owned();
        let warning = Event::Warning {
            message: message.clone(),
        };
        let line = event(&warning);
        let active: Vec<char> = line.chars().filter(|c| escape::is_active(*c)).collect();
        assert_eq!(active, ['\n']);
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["message"], message);
    }

    #[test]
    fn a_failure_carries_the_exit_code() {
        let error = CommandError::bad_input("no such file").hint("look");
        let value: serde_json::Value = serde_json::from_str(&failure(&error)).unwrap();
        assert_eq!(value["event"], "failed");
        assert_eq!(value["exit_code"], 2);
        assert_eq!(value["hints"][0], "look");
    }
}
