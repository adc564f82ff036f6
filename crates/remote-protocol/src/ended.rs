//! The end of a command, as the client tells it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// A file that a command has made, and that stays on the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The name of the file's contents, which the client alone can read.
    pub digest: String,
    /// Whether the file can be started as a program.
    pub is_executable: bool,
    /// The root of the command that made the file, if its contents name that path.
    pub place: Option<String>,
}

/// The end of a command, with everything that it printed and made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The end of the command's process.
    pub end: End,
    /// The text of standard output, with a replacement character for bytes that are not UTF-8.
    pub stdout: String,
    /// The text of standard error, with a replacement character for bytes that are not UTF-8.
    pub stderr: String,
    /// The user and system time of all processes of the command that were waited for.
    pub cpu: Duration,
    /// The time from the command's start to its end, or `None` if the server does not say it.
    pub wall: Option<Duration>,
    /// The path of the command's root on the server, without a `/` at the end; empty for `/`.
    pub root: String,
    /// The files that the command has made, in the order of [`Command::outputs`](crate::Command::outputs).
    pub made: Vec<Option<Made>>,
    /// The contents of the files that were asked for, in the order of [`Command::wanted`](crate::Command::wanted).
    #[serde(serialize_with = "in_base64", deserialize_with = "from_base64")]
    pub wanted: Vec<Option<Vec<u8>>>,
    /// Whether the result comes from the server's cache.
    pub is_cached: bool,
}

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The process ended with this exit status.
    Exited(i32),
    /// The process was ended by this signal. Which signal is that of a limit, or of a machine without memory, is for the
    /// caller to say.
    Signalled(i32),
    /// The end of the process is not certain, or the command was not run as it should: a limit could not be set, it
    /// printed too much, or its root was not where it had to be.
    Unclear,
}

/// Writes the contents of files in base64, as they need not be text.
fn in_base64<S: Serializer>(files: &[Option<Vec<u8>>], to: S) -> Result<S::Ok, S::Error> {
    let texts = files
        .iter()
        .map(|file| file.as_ref().map(|bytes| STANDARD.encode(bytes)));
    to.collect_seq(texts)
}

fn from_base64<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<Vec<u8>>>, D::Error> {
    let texts = Vec::<Option<String>>::deserialize(from)?;
    let files = texts.into_iter().map(|text| {
        let bytes = text.map(|text| STANDARD.decode(text)).transpose();
        bytes.map_err(serde::de::Error::custom)
    });
    files.collect()
}
