//! Reads the output of a child by a thread for each stream, so that whoever watches the child does not wait for it.

use crate::system::process::invocation::Decides;
use crate::system::process::output::Output;
use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The number of bytes that are read at a time.
const CHUNK_BYTES: usize = 16 << 10;
/// The number of chunks that may wait: a flood waits in the pipe, and not in our memory.
const MOST_CHUNKS: usize = 64;

const STDOUT: usize = 0;
const STDERR: usize = 1;

type Chunk = (usize, Vec<u8>);

/// The reader of what a child prints.
pub(super) struct Reading {
    chunks: Receiver<Chunk>,
    outputs: [Output; 2],
}

impl Reading {
    /// Reads both streams of a child, of which at most about `limit` bytes are kept each.
    ///
    /// # Errors
    /// When there is no thread left.
    pub(super) fn of(child: &mut Child, limit: usize) -> std::io::Result<Self> {
        let (sender, chunks) = sync_channel(MOST_CHUNKS);
        if let Some(stdout) = child.stdout.take() {
            read(stdout, sender.clone(), |bytes| (STDOUT, bytes))?;
        }
        if let Some(stderr) = child.stderr.take() {
            read(stderr, sender, |bytes| (STDERR, bytes))?;
        }
        Ok(Self {
            chunks,
            outputs: [Output::new(limit), Output::new(limit)],
        })
    }

    /// Waits for output, but not for longer than `time`.
    pub(super) fn take_within(&mut self, time: Duration) {
        match self.chunks.recv_timeout(time) {
            Ok((stream, bytes)) => self.outputs[stream].keep(&bytes),
            Err(RecvTimeoutError::Timeout) => {}
            // Both have ended: what is left is to wait for the process.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(time),
        }
    }

    /// Reads the output that was printed before the process ended and was not read yet. It is waited for, as the
    /// threads may not have read it yet.
    pub(super) fn take_the_rest(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while let Ok((stream, bytes)) = self
            .chunks
            .recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            self.outputs[stream].keep(&bytes);
        }
    }

    /// Tells `decides` the complete lines of stderr that are new, until it returns true for one of them.
    pub(super) fn any_new_line(&mut self, decides: &mut Decides<'_>) -> bool {
        self.outputs[STDERR].any_new_line(decides)
    }

    /// Returns the kept parts of stdout and stderr.
    pub(super) fn into_outputs(self) -> [Output; 2] {
        self.outputs
    }
}

/// Reads a stream to its end in a thread.
///
/// # Errors
/// When there is no thread left.
pub(super) fn chunks(stream: impl Read + Send + 'static) -> std::io::Result<Receiver<Vec<u8>>> {
    let (sender, chunks) = sync_channel(MOST_CHUNKS);
    read(stream, sender, |bytes| bytes)?;
    Ok(chunks)
}

/// Reads a stream in a thread, which ends with the stream, or when nobody wants more of it.
fn read<T: Send + 'static>(
    mut stream: impl Read + Send + 'static,
    sender: SyncSender<T>,
    chunk: impl Fn(Vec<u8>) -> T + Send + 'static,
) -> std::io::Result<()> {
    let read = move || {
        let mut bytes = vec![0; CHUNK_BYTES];
        loop {
            match stream.read(&mut bytes) {
                Ok(length @ 1..) => {
                    if sender.send(chunk(bytes[..length].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
            }
        }
    };
    std::thread::Builder::new().spawn(read).map(drop)
}
