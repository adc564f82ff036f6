//! Sockets of Unix.

use std::io;
use std::path::Path;

pub(crate) const HAS_SOCKETS: bool = true;

pub(crate) type Socket = std::os::unix::net::UnixListener;
pub(crate) type Listener = tokio::net::UnixListener;
pub(crate) type Stream = tokio::net::UnixStream;
pub(crate) type Reader = tokio::net::unix::OwnedReadHalf;
pub(crate) type Writer = tokio::net::unix::OwnedWriteHalf;

pub(crate) fn bind(path: &Path) -> io::Result<Socket> {
    let socket = Socket::bind(path)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

pub(crate) fn listen(socket: Socket) -> io::Result<Listener> {
    Listener::from_std(socket)
}

pub(crate) async fn accept(listener: &Listener) -> io::Result<Stream> {
    Ok(listener.accept().await?.0)
}

pub(crate) async fn connect(path: &Path) -> io::Result<Stream> {
    Stream::connect(path).await
}

pub(crate) fn is_of_this_user(stream: &Stream) -> bool {
    let peer = stream.peer_cred();
    peer.is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}

pub(crate) fn split(stream: Stream) -> (Reader, Writer) {
    stream.into_split()
}
