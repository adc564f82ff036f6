//! Sockets on systems that have none: each attempt to use one is an error.

use std::io;
use std::path::Path;

pub(crate) const HAS_SOCKETS: bool = false;

/// A socket on a system that has none, so that the type has no value.
#[derive(Debug)]
pub(crate) enum Socket {}
pub(crate) type Listener = Socket;
pub(crate) type Stream = Socket;
pub(crate) type Reader = tokio::io::Empty;
pub(crate) type Writer = tokio::io::Sink;

pub(crate) fn bind(_: &Path) -> io::Result<Socket> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn listen(socket: Socket) -> io::Result<Listener> {
    Ok(socket)
}

pub(crate) async fn accept(listener: &Listener) -> io::Result<Stream> {
    match *listener {}
}

pub(crate) async fn connect(_: &Path) -> io::Result<Stream> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn is_of_this_user(stream: &Stream) -> bool {
    match *stream {}
}

pub(crate) fn split(stream: Stream) -> (Reader, Writer) {
    match stream {}
}
