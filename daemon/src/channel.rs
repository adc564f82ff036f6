//! Messages over a stream of bytes, in both directions.

use crate::error::DaemonError;
use reduce_protocol::{LineSplitter, from_line, to_line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Reads messages.
#[derive(Debug)]
pub(crate) struct MessageReader<R> {
    stream: R,
    splitter: LineSplitter,
}

impl<R: AsyncRead + Unpin> MessageReader<R> {
    pub(crate) fn new(stream: R) -> Self {
        Self {
            stream,
            splitter: LineSplitter::default(),
        }
    }

    /// The next message; `None` when the other side has closed. May be dropped and called again
    /// without losing a message.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, DaemonError> {
        loop {
            if let Some(line) = self.splitter.next_line()? {
                return Ok(Some(from_line(&line)?));
            }
            let read = self.stream.read_buf(self.splitter.buffer()).await;
            if read.map_err(DaemonError::Connection)? == 0 {
                return Ok(None);
            }
        }
    }
}

/// Writes messages.
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
