//! Removes directories, whatever a program has left in them: trees of any depth, paths that are longer
//! than the system takes, names that are no text, directories that nobody may enter.
//!
//! `std::fs::remove_dir_all` holds a descriptor for each level. Here directories move to the top
//! instead, one level at a time, so that none is ever deep when it is read: a handful of descriptors is
//! enough, and each directory is moved once. Nothing follows a symbolic link.

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, chmodat, openat, renameat_with, statat,
    unlinkat,
};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// The beginning of the names of directories that were moved to the top.
const MOVED: &str = ".cargo-reduce-removed-";

pub(crate) fn empty_directory(path: &Path) -> io::Result<()> {
    let opened = open(CWD, path).or_else(|_| {
        chmodat(CWD, path, Mode::RWXU, AtFlags::empty())?;
        open(CWD, path)
    });
    let mut emptying = Emptying {
        top: opened?,
        n_moved: 0,
        error: None,
    };
    // Directories that were moved to the top are read in the next round.
    while emptying.round()? {}
    emptying.error.map_or(Ok(()), |error| Err(error.into()))
}

struct Emptying {
    top: OwnedFd,
    n_moved: u64,
    /// The first error that kept an entry from being removed.
    error: Option<Errno>,
}

impl Emptying {
    /// Removes the entries of the top directory, to which the subdirectories among them move theirs first, and returns
    /// whether there may be more.
    fn round(&mut self) -> io::Result<bool> {
        let mut has_removed = false;
        self.error = None;
        for entry in entries(self.top.as_fd())? {
            match self.remove(&entry) {
                Ok(()) | Err(Errno::NOENT) => has_removed = true,
                Err(error) => drop(self.error.get_or_insert(error)),
            }
        }
        Ok(has_removed)
    }

    fn remove(&mut self, name: &CStr) -> Result<(), Errno> {
        if !is_directory(self.top.as_fd(), name)? {
            return unlinkat(&self.top, name, AtFlags::empty());
        }
        match unlinkat(&self.top, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            removed => return removed,
        }
        let directory = open_up(self.top.as_fd(), name)?;
        for inner in entries(directory.as_fd())? {
            match is_directory(directory.as_fd(), &inner)? {
                true => self.move_up(directory.as_fd(), &inner)?,
                false => unlinkat(&directory, inner.as_c_str(), AtFlags::empty())?,
            }
        }
        unlinkat(&self.top, name, AtFlags::REMOVEDIR)
    }

    fn move_up(&mut self, from: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
        // Whoever moves a directory writes in it.
        chmodat(from, name, Mode::RWXU, AtFlags::empty())?;
        loop {
            let new = format!("{MOVED}{}", self.n_moved);
            self.n_moved += 1;
            match renameat_with(from, name, &self.top, new, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                moved => return moved,
            }
        }
    }
}

/// The names in a directory. There may be many, but each is short.
fn entries(directory: BorrowedFd<'_>) -> Result<Vec<CString>, Errno> {
    let mut names = vec![];
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}

fn is_directory(at: BorrowedFd<'_>, name: &CStr) -> Result<bool, Errno> {
    let stat = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

/// Opens a directory whose permissions may forbid it, after they were changed.
fn open_up(at: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    chmodat(at, name, Mode::RWXU, AtFlags::empty())?;
    open(at, name)
}

fn open<P: rustix::path::Arg>(at: BorrowedFd<'_>, path: P) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, path, flags, Mode::empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::remove_tree;
    use rustix::fs::mkdirat;
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Makes directories in one another, with a file in each, as a program makes them: the path is
    /// longer than the system takes at once.
    fn nest(top: &Path, n_levels: usize, name: &str) {
        let mut at = open(CWD, top).unwrap();
        for _ in 0..n_levels {
            mkdirat(&at, name, Mode::RWXU).unwrap();
            at = open(at.as_fd(), name).unwrap();
            let flags = OFlags::CREATE | OFlags::WRONLY;
            openat(&at, "file", flags, Mode::RUSR).unwrap();
        }
    }

    #[test]
    fn directories_of_any_depth_go() {
        // The limit is that of most systems: fewer descriptors than there are levels.
        let limit = getrlimit(Resource::Nofile);
        let current = limit.current.map(|current| current.min(1024));
        setrlimit(Resource::Nofile, Rlimit { current, ..limit }).unwrap();
        let dir = tempfile::tempdir().unwrap();
        for top in ["a", "b"] {
            std::fs::create_dir(dir.path().join(top)).unwrap();
            nest(&dir.path().join(top), 3000, "level");
        }
        nest(dir.path(), 40, &"x".repeat(255));
        empty_directory(dir.path()).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_links_lead_to_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, removed) = (dir.path().join("kept"), dir.path().join("removed"));
        std::fs::create_dir_all(removed.join("inner")).unwrap();
        std::fs::create_dir(&kept).unwrap();
        std::fs::write(kept.join("file"), "x").unwrap();
        for link in ["to-directory", "inner/to-directory"] {
            symlink(&kept, removed.join(link)).unwrap();
        }
        remove_tree(&removed).unwrap();
        assert!(!removed.exists() && kept.join("file").exists());
        symlink(&kept, &removed).unwrap();
        remove_tree(&removed).unwrap();
        assert!(!removed.is_symlink() && kept.join("file").exists());
    }

    #[test]
    fn closed_directories_and_odd_names_go() {
        let dir = tempfile::tempdir().unwrap();
        let closed = dir.path().join("a/closed");
        std::fs::create_dir_all(closed.join("inner")).unwrap();
        std::fs::write(dir.path().join(format!("{MOVED}0")), "taken").unwrap();
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
        remove_tree(&dir.path().join("a")).unwrap();
        assert!(!dir.path().join("a").exists());
        remove_tree(&dir.path().join("a")).unwrap();
    }
}
