//! Keeps the head and the tail of one output stream of a child. The middle is dropped, so that a flood does not fill
//! our memory.

use std::collections::VecDeque;

/// The kept parts of one output stream.
pub(super) struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// The number of bytes that are kept of the head, and also of the tail.
    half: usize,
    dropped: u64,
    /// The number of bytes of the head that were passed on as lines.
    read: usize,
}

impl Output {
    /// Makes an empty output, of which at most about `limit` bytes are kept.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            head: vec![],
            tail: VecDeque::new(),
            half: limit.div_ceil(2),
            dropped: 0,
            read: 0,
        }
    }

    /// Tells `decides` the complete lines that are new, until it returns true for one of them. Only the head of the
    /// stream is looked at.
    pub(super) fn any_new_line(&mut self, decides: &mut dyn FnMut(&str) -> bool) -> bool {
        while let Some(length) = self.head[self.read..]
            .iter()
            .position(|byte| *byte == b'\n')
        {
            let line = self.read..self.read + length;
            self.read = line.end + 1;
            if decides(&String::from_utf8_lossy(&self.head[line])) {
                return true;
            }
        }
        false
    }

    /// Whether a part of the stream was dropped.
    pub(super) fn is_truncated(&self) -> bool {
        self.dropped > 0
    }

    /// Returns the kept text, with a line that says how much is missing.
    pub(super) fn into_text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.dropped > 0 {
            text.push_str(&format!("\n[{} bytes left out]\n", self.dropped));
        }
        text.push_str(&String::from_utf8_lossy(&Vec::from(self.tail)));
        text
    }

    pub(super) fn keep(&mut self, bytes: &[u8]) {
        let room = self.half.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend(&bytes[room..]);
        let excess = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }
}
