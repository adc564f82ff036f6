//! One line of JSON per event. A failure has the same form: `"event":"failed"`.

use crate::error::CommandError;
use reduce_engine::{EVENT_VERSION, Event};
use serde::Serialize;

#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    #[serde(flatten)]
    event: &'a Event,
}

/// An event as a line.
pub(crate) fn event(event: &Event) -> String {
    line(&Versioned {
        version: EVENT_VERSION,
        event,
    })
}

/// A failure as a line.
pub(crate) fn failure(error: &CommandError) -> String {
    line(&serde_json::json!({
        "version": EVENT_VERSION,
        "event": "failed",
        "exit_code": error.kind.code(),
        "message": error.source.to_string(),
        "causes": error.causes,
        "output": error.output,
        "hints": error.hints,
    }))
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("events have string keys only");
    line.push('\n');
    line
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
        let expected = "{\"version\":1,\"event\":\"resumed\",\"steps\":3,\"tokens\":40}\n";
        assert_eq!(event(&resumed), expected);
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
