//! Reads messages from a stream of bytes, and writes messages to one.

use crate::error::DaemonError;
use reduce_protocol::{LineSplitter, MAX_LINE_BYTES, MAX_REQUEST_BYTES, from_line, to_line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The number of bytes of unfinished lines that a daemon holds, for all clients together.
const MAX_HELD_BYTES: usize = 32 << 20;

/// Reads messages, line by line, from a stream of bytes.
#[derive(Debug)]
pub(crate) struct MessageReader<R> {
    stream: R,
    splitter: LineSplitter,
    /// The bytes that all readers of a process hold together.
    held: Held,
}

impl<R: AsyncRead + Unpin> MessageReader<R> {
    /// Makes a reader of the messages of a daemon, which may hold a whole program.
    pub(crate) fn new(stream: R) -> Self {
        Self::bounded(stream, MAX_LINE_BYTES, &Arc::default())
    }

    /// Makes a reader of the messages of one of many clients. `sum` counts the bytes of lines that are
    /// not whole, of all readers that share it.
    pub(crate) fn of_client(stream: R, sum: &Arc<AtomicUsize>) -> Self {
        Self::bounded(stream, MAX_REQUEST_BYTES, sum)
    }

    fn bounded(stream: R, most: usize, sum: &Arc<AtomicUsize>) -> Self {
        Self {
            stream,
            splitter: LineSplitter::new(most),
            held: Held {
                bytes: 0,
                sum: Arc::clone(sum),
            },
        }
    }

    /// The next message; `None` when the other side has closed. May be dropped and called again
    /// without losing a message.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, DaemonError> {
        loop {
            let line = self.splitter.next_line()?;
            self.held.set(self.splitter.held())?;
            if let Some(line) = line {
                return Ok(Some(from_line(&line)?));
            }
            let read = self.stream.read_buf(self.splitter.buffer()).await;
            if read.map_err(DaemonError::Connection)? == 0 {
                return Ok(None);
            }
        }
    }
}

/// The number of bytes that one reader has in its buffer, and the sum over all readers.
#[derive(Debug)]
struct Held {
    bytes: usize,
    sum: Arc<AtomicUsize>,
}

impl Held {
    fn set(&mut self, bytes: usize) -> Result<(), DaemonError> {
        let old = std::mem::replace(&mut self.bytes, bytes);
        self.sum.fetch_sub(old, Ordering::Relaxed);
        let before = self.sum.fetch_add(bytes, Ordering::Relaxed);
        match bytes > old && before.saturating_add(bytes) > MAX_HELD_BYTES {
            true => Err(DaemonError::TooMuchUnread),
            false => Ok(()),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.sum.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Writes messages, as lines, to a stream of bytes.
#[derive(Debug)]
pub(crate) struct MessageWriter<W> {
    stream: W,
}

impl<W: AsyncWrite + Unpin> MessageWriter<W> {
    pub(crate) fn new(stream: W) -> Self {
        Self { stream }
    }

    pub(crate) async fn send<T: Serialize>(&mut self, message: &T) -> Result<(), DaemonError> {
        let line = to_line(message)?;
        self.stream
            .write_all(line.as_bytes())
            .await
            .map_err(DaemonError::Connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_protocol::ClientMessage;

    #[tokio::test]
    async fn a_read_that_is_given_up_loses_nothing() {
        let (mut near, far) = tokio::io::duplex(64);
        let mut reader = MessageReader::new(far);
        near.write_all(b"\"sta").await.unwrap();
        tokio::select! {
            biased;
            _ = reader.next::<ClientMessage>() => panic!("the message is not complete"),
            () = tokio::task::yield_now() => {}
        }
        near.write_all(b"tus\"\n").await.unwrap();
        let message = reader.next::<ClientMessage>().await.unwrap();
        assert_eq!(message, Some(ClientMessage::Status));
    }

    #[tokio::test]
    async fn half_lines_are_bounded_for_all_clients_together() {
        let sum = Arc::default();
        let half = vec![b'x'; MAX_REQUEST_BYTES - 1];
        let mut readers: Vec<_> = (0..8)
            .map(|_| MessageReader::of_client(half.as_slice(), &sum))
            .collect();
        for reader in &mut readers {
            // The stream ends in the middle of a line, which the reader still holds.
            assert_eq!(reader.next::<ClientMessage>().await.unwrap(), None);
        }
        let mut last = MessageReader::of_client(half.as_slice(), &sum);
        let refused = last.next::<ClientMessage>().await;
        assert!(
            matches!(refused, Err(DaemonError::TooMuchUnread)),
            "{refused:?}"
        );
        drop((readers, last));
        assert_eq!(sum.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_client_that_never_ends_its_line_is_refused() {
        let line = vec![b'x'; MAX_REQUEST_BYTES];
        let mut reader = MessageReader::of_client(line.as_slice(), &Arc::default());
        let refused = reader.next::<ClientMessage>().await;
        assert!(matches!(refused, Err(DaemonError::Line(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn the_end_of_the_stream_is_the_end_of_the_messages() {
        let (near, far) = tokio::io::duplex(64);
        let mut reader = MessageReader::new(far);
        MessageWriter::new(near)
            .send(&ClientMessage::Status)
            .await
            .unwrap();
        assert_eq!(reader.next().await.unwrap(), Some(ClientMessage::Status));
        assert_eq!(reader.next::<ClientMessage>().await.unwrap(), None);
    }
}
