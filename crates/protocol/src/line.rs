//! Writes messages as lines, and cuts a stream of bytes into lines. A line that grows beyond the
//! cap ends the conversation: neither side may make the other hold an unlimited buffer.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest line, its newline included. A request carries the user's environment and an event
/// may carry the reduced code; both are far below this.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// The longest line that a daemon takes, its newline included: a request and what frames it.
pub const MAX_REQUEST_BYTES: usize = 4 << 20;

/// A line that is no message.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line is longer than its reader takes.
    #[error("a message is longer than {0} bytes")]
    TooLong(usize),
    /// The bytes of the line are not UTF-8.
    #[error("a message is not UTF-8")]
    NotText(#[from] std::str::Utf8Error),
    /// The line is not the JSON that is expected here.
    #[error("failed to read or write a message as JSON")]
    NotJson(#[from] serde_json::Error),
}

/// A message as a line with its newline.
///
/// # Errors
/// Where it is too long, or holds what JSON cannot.
pub fn to_line<T: Serialize>(message: &T) -> Result<String, LineError> {
    let mut line = serde_json::to_string(message)?;
    line.push('\n');
    if line.len() > MAX_LINE_BYTES {
        return Err(LineError::TooLong(MAX_LINE_BYTES));
    }
    Ok(line)
}

/// Reads a message from a line, with or without its newline.
///
/// # Errors
/// Where it is not a message of this type.
pub fn from_line<T: DeserializeOwned>(line: &str) -> Result<T, LineError> {
    Ok(serde_json::from_str(line)?)
}

/// Cuts a stream of bytes into lines.
#[derive(Debug)]
pub struct LineSplitter {
    bytes: Vec<u8>,
    /// The byte at which the next search for a newline begins.
    searched: usize,
    /// The number of bytes that a line may have, its newline included.
    most: usize,
}

impl LineSplitter {
    /// Makes a splitter for lines of at most `most` bytes, their newlines included.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            bytes: Vec::new(),
            searched: 0,
            most,
        }
    }

    /// Returns the number of bytes in the buffer: of lines that were not taken, or are not whole.
    #[must_use]
    pub fn held(&self) -> usize {
        self.bytes.len()
    }

    /// The buffer to which bytes that were read are appended.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Takes the next whole line, without its newline.
    ///
    /// # Errors
    /// Where the line is too long or not text.
    pub fn next_line(&mut self) -> Result<Option<String>, LineError> {
        let end = self.bytes[self.searched..]
            .iter()
            .position(|&byte| byte == b'\n');
        let end = end.map(|offset| self.searched + offset);
        if end.unwrap_or(self.bytes.len()) >= self.most {
            return Err(LineError::TooLong(self.most));
        }
        let Some(end) = end else {
            self.searched = self.bytes.len();
            return Ok(None);
        };
        let rest = self.bytes.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        self.searched = 0;
        line.truncate(end);
        Ok(Some(
            String::from_utf8(line).map_err(|error| error.utf8_error())?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_cut_wherever_the_bytes_arrive() {
        let mut splitter = LineSplitter::new(MAX_LINE_BYTES);
        let mut lines = Vec::new();
        for chunk in ["on", "e\ntw", "o\nthree", "\n\n", "rest"] {
            splitter.buffer().extend_from_slice(chunk.as_bytes());
            while let Some(line) = splitter.next_line().unwrap() {
                lines.push(line);
            }
        }
        assert_eq!(lines, ["one", "two", "three", ""]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut splitter = LineSplitter::new(8);
        splitter.buffer().resize(8, b'x');
        assert!(matches!(splitter.next_line(), Err(LineError::TooLong(8))));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_also_where_it_ends() {
        let mut splitter = LineSplitter::new(4);
        splitter.buffer().extend_from_slice(b"abc\nabcd\n");
        assert_eq!(splitter.next_line().unwrap().as_deref(), Some("abc"));
        assert!(matches!(splitter.next_line(), Err(LineError::TooLong(4))));
    }

    #[test]
    fn a_line_that_is_not_text_is_refused() {
        let mut splitter = LineSplitter::new(MAX_LINE_BYTES);
        splitter.buffer().extend_from_slice(b"\xff\n");
        assert!(matches!(splitter.next_line(), Err(LineError::NotText(_))));
    }

    #[test]
    fn a_newline_inside_a_message_does_not_end_its_line() {
        let line = to_line(&"two\nlines").unwrap();
        assert_eq!(line, "\"two\\nlines\"\n");
        assert_eq!(from_line::<String>(&line).unwrap(), "two\nlines");
    }

    #[test]
    fn a_message_that_is_too_long_is_not_sent() {
        let message = "x".repeat(MAX_LINE_BYTES);
        assert!(matches!(to_line(&message), Err(LineError::TooLong(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn whatever_comes_is_lines_or_an_error(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let mut splitter = LineSplitter::new(100);
            for chunk in chunks {
                splitter.buffer().extend_from_slice(&chunk);
                loop {
                    match splitter.next_line() {
                        Ok(Some(line)) => prop_assert!(line.len() < 100 && !line.contains('\n')),
                        Ok(None) => break,
                        Err(_) => return Ok(()),
                    }
                }
                prop_assert!(splitter.held() <= 100);
            }
        }

        #[test]
        fn lines_come_out_as_they_went_in(lines in prop::collection::vec("[^\n]{0,30}", 0..20), size in 1..50_usize) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let mut splitter = LineSplitter::new(MAX_LINE_BYTES);
            let mut found = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                splitter.buffer().extend_from_slice(chunk);
                while let Some(line) = splitter.next_line().unwrap() {
                    found.push(line);
                }
            }
            prop_assert_eq!(found, lines);
        }

        #[test]
        fn no_line_makes_the_decoder_of_messages_panic(line in "[\\{\\}\\[\\]:,\"a-z0-9_ -]{0,80}") {
            drop(from_line::<crate::ClientMessage>(&line));
            drop(from_line::<crate::ServerMessage>(&line));
        }
    }
}
