//! Greeting, requests and replies, each of which is a line of JSON.
//!
//! The client says [`Hello`] as soon as it is started. From then on it gets requests, and gives a reply to each of them but
//! [`Request::Cancel`], in whatever order they are ready. It ends when its standard input does.

use crate::command::Command;
use crate::ended::Ended;
use crate::settings::Settings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead};

/// The name of the client, without the ending that programs have on some systems.
pub const PROGRAM: &str = "cargo-reduce-remote";

/// The version of the messages' form, which becomes larger with each change of them.
pub const PROTOCOL_VERSION: u32 = 1;

/// The first line of the client. Its form never changes, so that each version can say which other version it has met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL_VERSION`] of the client.
    pub protocol: u32,
    /// The version of the client's package, which all packages of cargo-reduce share.
    pub version: String,
}

/// A request from cargo-reduce to the client, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// Names the server of all commands, and asks whether it is there. Comes first, and once.
    Open {
        /// The number of the request, which its reply repeats.
        id: u64,
        /// Where the server is, and how it is called.
        settings: Settings,
    },
    /// Asks the client to run a command, and to say how it ended.
    Run {
        /// The number of the request, which its reply repeats.
        id: u64,
        /// The command that is run.
        command: Box<Command>,
    },
    /// Says that nobody waits for the reply to an earlier request any more.
    Cancel {
        /// The number of the request that is cancelled.
        id: u64,
    },
}

/// A reply of the client to a request, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the request that is answered.
    pub id: u64,
    /// The counts of the work for all requests until now, this one included.
    pub counts: Counts,
    /// The answer, or the reason for which there is none.
    pub answer: Result<Answer, NoAnswer>,
}

/// An answer of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The server is there, and can run commands.
    There,
    /// A command has ended.
    Ended(Ended),
}

/// The reason why a request has no answer, which says nothing about the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct NoAnswer {
    /// The kind of the error, which tells if other commands will have no answer either.
    pub kind: ErrorKind,
    /// The reason in words, with its causes.
    pub reason: String,
}

/// The kind of an error, by what it means for later commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The server cannot be used now, but perhaps later.
    Away,
    /// The server cannot be used, and that will not change.
    Refused,
    /// This command alone has no answer.
    Command,
    /// Nobody waits for the answer.
    Cancelled,
}

/// The numbers of things that a server was asked for, and of what came of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The number of commands whose result was in the server's cache.
    pub hits: u64,
    /// The number of commands that the server ran.
    pub misses: u64,
    /// The number of calls that were made again after a failure.
    pub retries: u64,
    /// The size of all uploads, in bytes.
    pub uploaded_bytes: u64,
}

impl Hello {
    /// Returns the first line of the client of this version.
    #[must_use]
    pub fn own() -> Self {
        Self {
            protocol: PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Returns the advice for a user who does not have the client of this version.
#[must_use]
pub fn how_to_install() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "install the same version beside cargo-reduce: `cargo install --locked {PROGRAM}@{version}`, or `cargo install --locked --path crates/remote` in the sources of cargo-reduce"
    )
}

/// Returns a message as a line, with its end.
///
/// # Panics
/// Never: no message has a key that is no text.
#[must_use]
pub fn line_of(message: &impl Serialize) -> String {
    let mut line = serde_json::to_string(message).expect("all keys are texts");
    line.push('\n');
    line
}

/// Reads the next message; `None` at the end.
///
/// # Errors
/// Where the line cannot be read, or is no such message.
pub fn read_line<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = String::new();
    match from.read_line(&mut line)? {
        0 => Ok(None),
        _ => Ok(Some(serde_json::from_str(&line)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Caching, Limits};
    use crate::ended::{End, Made};
    use crate::inputs::Inputs;
    use std::fmt::Debug;
    use std::time::Duration;

    #[track_caller]
    fn check_comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
        let line = line_of(message);
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        let read: Option<T> = read_line(&mut line.as_bytes()).unwrap();
        assert_eq!(read.as_ref(), Some(message));
    }

    #[test]
    fn a_greeting_keeps_its_form() {
        let hello = Hello {
            protocol: 7,
            version: "1.2.3".to_owned(),
        };
        assert_eq!(line_of(&hello), "{\"protocol\":7,\"version\":\"1.2.3\"}\n");
    }

    #[test]
    fn requests_and_replies_come_back_from_their_lines() {
        let mut inputs = Inputs::default();
        inputs.add_directory("tree/empty".into());
        check_comes_back(&Request::Run {
            id: 3,
            command: Box::new(Command {
                program: format!("{}/a", Command::ROOT),
                args: vec!["two\nlines".to_owned()],
                env: [("A".to_owned(), "b".to_owned())].into(),
                dir: "tree".into(),
                inputs,
                outputs: vec!["out".into()],
                wanted: vec![],
                place: None,
                limits: Limits {
                    wall: Duration::from_millis(1500),
                    cpu: None,
                    memory_bytes: Some(1 << 40),
                    file_bytes: None,
                    open_files: None,
                    output_bytes: 10,
                },
                caching: Caching::Cached,
                identified_by: vec!["/toolchain/lib/libstd.so".into()],
            }),
        });
        let ended = Ended {
            end: End::Signalled(6),
            stdout: "out\n".to_owned(),
            stderr: String::new(),
            cpu: Duration::from_millis(10),
            wall: None,
            root: String::new(),
            made: vec![
                None,
                Some(Made {
                    digest: "ab/3".to_owned(),
                    is_executable: true,
                    place: None,
                }),
            ],
            wanted: vec![Some(vec![0, 255, b'\n']), None],
            is_cached: false,
        };
        let refused = NoAnswer {
            kind: ErrorKind::Refused,
            reason: "no".to_owned(),
        };
        for answer in [Ok(Answer::Ended(ended)), Ok(Answer::There), Err(refused)] {
            check_comes_back(&Reply {
                id: 3,
                counts: Counts::default(),
                answer,
            });
        }
    }

    #[test]
    fn a_line_of_something_else_is_an_error() {
        let mut other = &b"usage: something\n"[..];
        assert!(read_line::<Hello>(&mut other).is_err());
        assert!(read_line::<Hello>(&mut other).unwrap().is_none());
    }
}
