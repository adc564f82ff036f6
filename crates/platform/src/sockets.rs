//! Sockets by which the processes of one user on one machine talk to each other. A socket is a file.
//!
//! Where the system has none, [`are_there`] says so, and everything else is an error.

use crate::system::sockets as system;
use std::io;
use std::path::Path;

/// The half of a connection from which bytes are read.
pub type Reader = system::Reader;
/// The half of a connection to which bytes are written.
pub type Writer = system::Writer;

/// Whether the system has sockets of this kind.
#[must_use]
pub const fn are_there() -> bool {
    system::HAS_SOCKETS
}

/// A socket that has its place in the file system, but does not accept connections yet.
#[derive(Debug)]
pub struct Socket(system::Socket);

/// A socket that accepts connections.
#[derive(Debug)]
pub struct Listener(system::Listener);

/// A connection to another process.
#[derive(Debug)]
pub struct Stream(system::Stream);

impl Socket {
    /// Makes a socket at a path at which there is no file yet.
    ///
    /// # Errors
    /// When it cannot be made; [`io::ErrorKind::Unsupported`] where the system has none.
    pub fn bind(path: &Path) -> io::Result<Self> {
        system::bind(path).map(Self)
    }

    /// Begins to accept connections. It needs a runtime of tokio.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn listen(self) -> io::Result<Listener> {
        system::listen(self.0).map(Listener)
    }
}

impl Listener {
    /// Waits for the next connection. May be dropped and called again without loss.
    ///
    /// # Errors
    /// When it cannot be accepted: too many files are open.
    pub async fn accept(&self) -> io::Result<Stream> {
        system::accept(&self.0).await.map(Stream)
    }
}

impl Stream {
    /// Connects to a socket.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] or [`io::ErrorKind::ConnectionRefused`] when nobody listens there, and other kinds when
    /// it is not ours; [`io::ErrorKind::Unsupported`] where the system has none.
    pub async fn connect(path: &Path) -> io::Result<Self> {
        system::connect(path).await.map(Self)
    }

    /// Whether a process of this user is on the other side of the connection.
    #[must_use]
    pub fn is_of_this_user(&self) -> bool {
        system::is_of_this_user(&self.0)
    }

    /// Splits the connection into a half to read from and a half to write to.
    #[must_use]
    pub fn split(self) -> (Reader, Writer) {
        system::split(self.0)
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[test]
    fn two_sides_talk() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("socket");
        assert!(are_there());
        let socket = Socket::bind(&path).unwrap();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let heard = runtime.block_on(async {
            let listener = socket.listen().unwrap();
            let (client, server) = tokio::join!(Stream::connect(&path), listener.accept());
            let (client, server) = (client.unwrap(), server.unwrap());
            assert!(client.is_of_this_user() && server.is_of_this_user());
            client.split().1.write_all(b"hello").await.unwrap();
            let mut heard = String::new();
            server.split().0.read_to_string(&mut heard).await.unwrap();
            heard
        });
        assert_eq!(heard, "hello");
        let refused = runtime.block_on(Stream::connect(&path)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
    }
}
