//! Implements the services of Linux, macOS and others of their kind.

mod descriptors;
pub(crate) mod processes;
mod removal;
pub(crate) mod signals;
pub(crate) mod sockets;
pub(crate) mod terminal;

pub(crate) use removal::empty_directory;

use crate::files::Room;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, Mode, OFlags, StatVfsMountFlags, statvfs};
use rustix::io::Errno;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A bell, by which one thread wakes others: they can wait until it rings. It is a pipe, which becomes readable (end of
/// file) once its write end is closed.
#[derive(Debug)]
pub(crate) struct Bell {
    reader: PipeReader,
    writer: Mutex<Option<PipeWriter>>,
}

impl Bell {
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self {
            reader,
            writer: Mutex::new(Some(writer)),
        })
    }

    pub(crate) fn ring(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        drop(writer.take());
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Returns when one of the bells rings, after this time if there is one, or for no reason.
    pub(crate) fn wait_for_any(bells: &[&Self], time: Option<Duration>) {
        let flags = PollFlags::IN | PollFlags::HUP;
        let bells = bells
            .iter()
            .map(|bell| PollFd::from_borrowed_fd(bell.as_fd(), flags));
        let mut polled: Vec<PollFd<'_>> = bells.collect();
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        // A signal ends it early; the next look says what there is.
        let _ = poll(&mut polled, time.as_ref());
    }
}

pub(crate) fn changed(data: &Metadata) -> Option<(i64, i64)> {
    Some((data.ctime(), data.ctime_nsec()))
}

pub(crate) fn identity(data: &Metadata) -> Option<(u64, u64)> {
    Some((data.dev(), data.ino()))
}

pub(crate) fn names(data: &Metadata) -> Option<u64> {
    Some(data.nlink())
}

pub(crate) fn user() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

pub(crate) fn owner(data: &Metadata) -> Option<u32> {
    Some(data.uid())
}

pub(crate) fn is_executable(data: &Metadata) -> bool {
    data.permissions().mode() & 0o111 != 0
}

pub(crate) fn make_executable(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o755))
}

pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let mode = path.symlink_metadata()?.permissions().mode();
    match mode & 0o077 {
        0 => Ok(()),
        _ => std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700)),
    }
}

pub(crate) fn make_private_file(path: &Path) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o600))
}

pub(crate) fn make_open_file_private(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}

pub(crate) fn may_make_in(directory: &Path) -> bool {
    rustix::fs::access(directory, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

pub(crate) fn open_or_make_unfollowed(path: &Path) -> io::Result<Option<File>> {
    let flags =
        OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    match rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR) {
        Ok(opened) => Ok(Some(File::from(opened))),
        // A link; a directory; a pipe or a socket.
        Err(Errno::LOOP | Errno::ISDIR | Errno::NXIO) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

pub(crate) fn open_unfollowed(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Flags of a file system on which no program can be made and started.
#[cfg(target_os = "linux")]
const UNFIT: StatVfsMountFlags = StatVfsMountFlags::NOEXEC.union(StatVfsMountFlags::RDONLY);
/// Flags of a file system on which no program can be made and started, as far as `statvfs` tells them here.
#[cfg(not(target_os = "linux"))]
const UNFIT: StatVfsMountFlags = StatVfsMountFlags::RDONLY;

pub(crate) fn room(path: &Path) -> Option<Room> {
    let stat = statvfs(path).ok()?;
    Some(Room {
        bytes: stat.f_bavail.saturating_mul(stat.f_frsize),
        has_no_inode: stat.f_files > 0 && stat.f_favail == 0,
        is_for_programs: !stat.f_flag.intersects(UNFIT),
    })
}

pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

pub(crate) fn create_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(path)
}

pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}
