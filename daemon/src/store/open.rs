//! Opening the store: newer ones are refused, damaged ones are set aside, never overwritten.

use super::rescue;
use super::space::{FreeBytes, LEAST_TO_OPEN, Room, free_bytes, is_full};
use super::{Checkpoints, SledStore, Verdicts};
use crate::error::{DaemonError, one_line};
use crate::lock;
use crate::private_dir;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Failure, FailureKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The version of the form of keys and values in the store. Raised when either changes.
const FORMAT: u32 = 1;
/// The key in sled's tree `meta` by which we know a store that was made as a whole. It has the format, too: nothing, in
/// the first one.
const SENTINEL_KEY: &str = "made";
/// The size of sled's page cache, in bytes. Verdicts are small and looked up once.
const CACHE_BYTES: u64 = 64 << 20;
/// The time for which we wait for sled's own lock; ours is held by then, so that only a thread of a store that was just
/// closed can have it.
const PATIENCE: Duration = Duration::from_secs(2);

/// A store, and what the user should know about how it was opened.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: SledStore,
    /// A warning for people: the old store was set aside.
    pub warning: Option<String>,
}

/// The reason why the store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later version of cargo-reduce has written the store.
    #[error("the store `{path}` has format {found}, and this program knows format {FORMAT}")]
    Newer {
        /// The directory of the store.
        path: Utf8PathBuf,
        /// The format of the store.
        found: u32,
    },
    /// Another process has the store open.
    #[error("the store `{path}` is in use by another process")]
    Locked {
        /// The directory of the store.
        path: Utf8PathBuf,
    },
    /// The disk is full, or nearly.
    #[error("the disk of the store `{path}` is nearly full: it needs {least_mib} MiB")]
    Full {
        /// The directory of the store.
        path: Utf8PathBuf,
        /// The space that must be free, in MiB.
        least_mib: u64,
    },
    /// The system refused an action on a file or directory of the store.
    #[error("failed to open the store")]
    Environment(#[from] DaemonError),
    /// sled cannot open the store.
    #[error("failed to open the store `{path}`")]
    Sled {
        /// The directory of the store.
        path: Utf8PathBuf,
        /// The error of sled.
        source: sled::Error,
    },
}

impl OpenError {
    /// Makes the failure of a job from the error, with hints for the user.
    #[must_use]
    pub fn into_failure(self, locked_hints: &[&str]) -> Failure {
        let hints: &[&str] = match &self {
            Self::Newer { .. } => &[
                "update cargo-reduce, or set `CARGO_REDUCE_HOME` to another directory",
                "`--no-cache` works without the store",
            ],
            Self::Locked { .. } => locked_hints,
            Self::Full { .. } => &[
                "make room on the disk; the store is as it was",
                "`--no-cache` works without the store",
            ],
            Self::Environment(_) | Self::Sled { .. } => &["`--no-cache` works without the store"],
        };
        let cause = std::error::Error::source(&self).map(one_line);
        Failure {
            causes: cause.into_iter().collect(),
            hints: hints.iter().map(|&hint| hint.to_owned()).collect(),
            ..Failure::new(FailureKind::Store, self.to_string())
        }
    }
}

/// The content of the store's directory: nothing, or a store that can be opened, is too new or damaged.
enum Found {
    Nothing,
    Ours,
    Newer(u32),
    Damaged,
}

impl SledStore {
    /// Opens the store in `directory`, or makes it. A damaged one is renamed to
    /// `<directory>.corrupt-<date>`, and what can be read of it is copied into a new one.
    ///
    /// # Errors
    /// Where it is newer, locked, or cannot be read or made; where the disk is full: then it stays as
    /// it is.
    pub fn open(directory: &Utf8Path) -> Result<Opened, OpenError> {
        Self::open_with(directory, free_bytes)
    }

    /// Opens the store of a directory, where `free` says how much room there is.
    pub(super) fn open_with(directory: &Utf8Path, free: FreeBytes) -> Result<Opened, OpenError> {
        let lock = lock(directory)?;
        check_room(directory, LEAST_TO_OPEN, free)?;
        let (trees, warning) = open_or_make(directory, free)?;
        let Trees {
            verdicts,
            checkpoints,
        } = trees;
        let verdicts = verdicts.journaled(&directory.join("recent"));
        let verdicts = verdicts.map_err(|error| in_sled(directory, error))?;
        // sled makes its files with the modes that the user's other files have.
        private_dir::protect_all(directory)?;
        let store = Self {
            directory: directory.to_owned(),
            room: Room::new(directory.to_owned(), free),
            verdicts,
            checkpoints,
            has_failed: AtomicBool::new(false),
            _lock: lock,
        };
        Ok(Opened { store, warning })
    }
}

fn check_room(directory: &Utf8Path, least: u64, free: FreeBytes) -> Result<(), OpenError> {
    match free(directory) < least {
        true => Err(OpenError::Full {
            path: directory.to_owned(),
            least_mib: least.div_ceil(1 << 20),
        }),
        false => Ok(()),
    }
}

fn open_or_make(
    directory: &Utf8Path,
    free: FreeBytes,
) -> Result<(Trees, Option<String>), OpenError> {
    let made = match inspect(directory)? {
        Found::Newer(found) => {
            return Err(OpenError::Newer {
                path: directory.to_owned(),
                found,
            });
        }
        Found::Nothing => make(directory),
        Found::Damaged => return begin_with_rest(directory, free),
        Found::Ours => {
            rescue::forget_unfinished(directory)?;
            match open_trees(directory) {
                Ok(None) => return begin_anew(directory),
                Ok(Some(trees)) => Ok(trees),
                Err(error) if is_damage(&error) => return begin_with_rest(directory, free),
                Err(error) => Err(error),
            }
        }
    };
    let trees = made.map_err(|error| in_sled(directory, error))?;
    Ok((trees, None))
}

fn in_sled(directory: &Utf8Path, source: sled::Error) -> OpenError {
    let path = directory.to_owned();
    match is_full(&source) {
        true => OpenError::Full {
            path,
            least_mib: LEAST_TO_OPEN.div_ceil(1 << 20),
        },
        false => OpenError::Sled { path, source },
    }
}

struct Trees {
    verdicts: Verdicts,
    checkpoints: Checkpoints,
}

/// Locks the store by a file beside its directory, so that the lock stays when the directory is set aside.
fn lock(directory: &Utf8Path) -> Result<lock::FileLock, OpenError> {
    private_dir::ensure_linked(directory)?;
    let lock = lock::acquire(&Utf8PathBuf::from(format!("{directory}.lock")))?;
    lock.ok_or_else(|| OpenError::Locked {
        path: directory.to_owned(),
    })
}

/// Renames the directory of a damaged store and makes a new, empty one.
fn begin_anew(directory: &Utf8Path) -> Result<(Trees, Option<String>), OpenError> {
    let aside = rescue::set_aside(directory)?;
    let trees = make_instead(directory, &aside)?;
    let warning = format!(
        "the store was damaged; it is now `{aside}`, and a new one was begun: verdicts and \
         interrupted jobs of earlier runs are not known any more"
    );
    Ok((trees, Some(warning)))
}

/// Makes a new store in the place of one that was set aside, which is put back if that fails.
fn make_instead(directory: &Utf8Path, aside: &Utf8Path) -> Result<Trees, OpenError> {
    match make(directory) {
        Ok(trees) => Ok(trees),
        Err(error) => {
            rescue::put_back(aside, directory)?;
            Err(in_sled(directory, error))
        }
    }
}

/// Renames the directory of a damaged store and makes a new one with all that can still be read, or an empty one.
fn begin_with_rest(
    directory: &Utf8Path,
    free: FreeBytes,
) -> Result<(Trees, Option<String>), OpenError> {
    // A failure where there is no room may be no damage, and there could be no copy.
    let needed = LEAST_TO_OPEN.saturating_add(rescue::size(directory));
    check_room(directory, needed, free)?;
    let aside = rescue::set_aside(directory)?;
    if let Err(error) = rescue::copy_log(&aside, directory) {
        rescue::put_back(&aside, directory)?;
        return Err(error.into());
    }
    if let Ok(Some(trees)) = open_rest(directory) {
        let warning = format!(
            "the store was damaged; it is now `{aside}`, and what could be read of it was copied"
        );
        return Ok((trees, Some(warning)));
    }
    rescue::put_back(&aside, directory)?;
    begin_anew(directory)
}

/// Opens the copy of a damaged store, if sled can read all that is still in it.
fn open_rest(directory: &Utf8Path) -> sled::Result<Option<Trees>> {
    let Some(trees) = open_trees(directory)? else {
        return Ok(None);
    };
    guarded(|| {
        trees.verdicts.look()?;
        trees.checkpoints.look()
    })?;
    write_format(directory)?;
    Ok(Some(trees))
}

/// Marks a store as damaged, so that the next opening sets it aside.
pub(super) fn mark_as_damaged(directory: &Utf8Path) {
    // The error that is on its way says what happened.
    let _ = std::fs::write(directory.join(rescue::DAMAGED), "");
}

fn inspect(directory: &Utf8Path) -> Result<Found, DaemonError> {
    let is_empty = directory
        .read_dir_utf8()
        .map_or(true, |mut entries| entries.next().is_none());
    if is_empty {
        return Ok(Found::Nothing);
    }
    if directory.join(rescue::DAMAGED).exists() {
        return Ok(Found::Damaged);
    }
    let path = directory.join("format");
    match std::fs::read(&path) {
        Ok(bytes) => Ok(match parse_format(&bytes) {
            Some(FORMAT) => Found::Ours,
            Some(found) if found > FORMAT => Found::Newer(found),
            _ => Found::Damaged,
        }),
        // Killed between making the directory and writing the file, or no store of ours.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let sled = directory.join("sled");
            Ok(if sled.exists() {
                Found::Damaged
            } else {
                Found::Nothing
            })
        }
        Err(error) => Err(DaemonError::io("read", path)(error)),
    }
}

fn parse_format(bytes: &[u8]) -> Option<u32> {
    std::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

/// Returns whether an error of sled, or a panic, shows that the store is damaged.
fn is_damage(error: &sled::Error) -> bool {
    match error {
        sled::Error::Corruption { .. } | sled::Error::ReportableBug(_) => true,
        // A file that ends early, or a snapshot of another form.
        sled::Error::Io(error) => matches!(
            error.kind(),
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData
        ),
        sled::Error::Unsupported(_) => true,
        sled::Error::CollectionNotFound(_) => false,
    }
}

/// Makes a new, empty store. The format is written last: a store without it was never used.
fn make(directory: &Utf8Path) -> sled::Result<Trees> {
    std::fs::create_dir_all(directory)?;
    let db = open_sled(directory)?;
    let meta = db.open_tree("meta")?;
    meta.insert(SENTINEL_KEY, &[])?;
    meta.flush()?;
    write_format(directory)?;
    Ok(Trees {
        verdicts: Verdicts::open(&db)?,
        checkpoints: Checkpoints::open(&db)?,
    })
}

fn write_format(directory: &Utf8Path) -> sled::Result<()> {
    Ok(std::fs::write(
        directory.join("format"),
        FORMAT.to_string(),
    )?)
}

/// Opens a store that was made before; `None` where sled took what it found for a new store, as it
/// does with files of garbage.
fn open_trees(directory: &Utf8Path) -> sled::Result<Option<Trees>> {
    guarded(|| {
        let db = open_sled(directory)?;
        let sentinel = db.open_tree("meta")?.get(SENTINEL_KEY)?;
        if sentinel.is_none_or(|format| !format.is_empty()) {
            return Ok(None);
        }
        let trees = Trees {
            verdicts: Verdicts::open(&db)?,
            checkpoints: Checkpoints::open(&db)?,
        };
        Ok(Some(trees))
    })
}

/// Calls sled, and turns its panics into errors, as sled 0.34 asserts in places what it reads.
pub(super) fn guarded<T>(use_sled: impl FnOnce() -> sled::Result<T>) -> sled::Result<T> {
    let used = catch_unwind(AssertUnwindSafe(use_sled));
    used.unwrap_or_else(|_| Err(sled::Error::ReportableBug("sled panicked".to_owned())))
}

fn open_sled(directory: &Utf8Path) -> sled::Result<sled::Db> {
    let config = sled::Config::new()
        .path(directory.join("sled"))
        .cache_capacity(CACHE_BYTES);
    let deadline = Instant::now() + PATIENCE;
    loop {
        match config.open() {
            Err(sled::Error::Io(error)) if is_locked(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// Returns whether an error says that another process has the store. sled wraps the lock's error into one of its own, of
/// kind `Other`.
fn is_locked(error: &std::io::Error) -> bool {
    error.to_string().contains("could not acquire lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::{Store, Verdict};

    fn directory(temp: &tempfile::TempDir) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(temp.path().join("store")).unwrap()
    }

    #[test]
    fn a_newer_store_is_refused_and_not_touched() {
        let temp = tempfile::tempdir().unwrap();
        let path = directory(&temp);
        std::fs::create_dir_all(path.join("sled")).unwrap();
        std::fs::write(path.join("format"), "2\n").unwrap();
        std::fs::write(path.join("sled/db"), "of a later version").unwrap();
        let error = SledStore::open(&path).unwrap_err();
        assert!(
            matches!(error, OpenError::Newer { found: 2, .. }),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(path.join("format")).unwrap(), "2\n");
        assert_eq!(
            std::fs::read_to_string(path.join("sled/db")).unwrap(),
            "of a later version"
        );
        assert!(!has_corrupt(&temp));
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_a_store() {
        use std::os::unix::fs::MetadataExt;
        let temp = tempfile::tempdir().unwrap();
        let path = directory(&temp);
        let _store = SledStore::open(&path).unwrap();
        let lock = Utf8PathBuf::from(format!("{path}.lock"));
        let mut todo = vec![path, lock];
        while let Some(path) = todo.pop() {
            let mode = path.metadata().unwrap().mode();
            assert_eq!(mode & 0o077, 0, "{path}");
            if path.is_dir() {
                let entries = path.read_dir_utf8().unwrap();
                todo.extend(entries.map(|entry| entry.unwrap().into_path()));
            }
        }
    }

    #[test]
    fn a_store_that_is_open_elsewhere_is_said_to_be_locked() {
        let temp = tempfile::tempdir().unwrap();
        let _open = SledStore::open(&directory(&temp)).unwrap();
        let error = SledStore::open(&directory(&temp)).unwrap_err();
        let failure = error.into_failure(&["stop the other"]);
        assert_eq!(failure.kind, FailureKind::Store);
        assert_eq!(failure.hints, ["stop the other"]);
        assert!(
            failure.message.ends_with("is in use by another process"),
            "{failure}"
        );
    }

    fn is_corrupt(name: &std::ffi::OsStr) -> bool {
        name.to_string_lossy().starts_with("store.corrupt-")
    }

    fn has_corrupt(temp: &tempfile::TempDir) -> bool {
        temp.path()
            .read_dir()
            .unwrap()
            .any(|entry| is_corrupt(&entry.unwrap().file_name()))
    }

    #[track_caller]
    fn check_set_aside(damage: impl Fn(&Utf8Path)) {
        let temp = tempfile::tempdir().unwrap();
        let path = directory(&temp);
        let opened = SledStore::open(&path).unwrap();
        for number in 0..200 {
            opened
                .store
                .keep_verdict(&[number; 32], &Verdict::Rejected)
                .unwrap();
        }
        drop(opened);
        damage(&path);
        let opened = SledStore::open(&path).unwrap();
        let warning = opened.warning.expect("the store is damaged");
        assert!(warning.contains("store.corrupt-"), "{warning}");
        assert_eq!(opened.store.verdict(&[1; 32]).unwrap(), None);
        opened
            .store
            .keep_verdict(&[1; 32], &Verdict::Compiles)
            .unwrap();
        assert!(has_corrupt(&temp));
    }

    #[test]
    fn a_store_of_garbage_is_set_aside() {
        check_set_aside(|path| {
            std::fs::write(path.join("sled/conf"), "garbage").unwrap();
            std::fs::write(path.join("sled/db"), vec![0x5a; 600_000]).unwrap();
        });
    }

    /// A store with a verdict, closed.
    fn closed_store() -> (tempfile::TempDir, Utf8PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let path = directory(&temp);
        let store = SledStore::open(&path).unwrap().store;
        for number in 0..=255 {
            store
                .keep_verdict(&[number; 32], &Verdict::Compiles)
                .unwrap();
        }
        (temp, path)
    }

    #[track_caller]
    fn check_kept(path: &Utf8Path) -> Option<String> {
        let opened = SledStore::open(path).unwrap();
        let verdict = opened.store.verdict(&[1; 32]).unwrap();
        assert_eq!(verdict, Some(Verdict::Compiles));
        opened.warning
    }

    /// A snapshot that sled left behind when the disk was full at its start.
    #[test]
    fn a_snapshot_that_was_cut_short_costs_nothing() {
        let (temp, path) = closed_store();
        let unfinished = path.join("sled/snap.0000000000087CDE6.generating");
        std::fs::write(&unfinished, vec![7; 4096]).unwrap();
        assert_eq!(check_kept(&path), None);
        assert!(!unfinished.exists() && !has_corrupt(&temp));
    }

    #[test]
    fn what_can_be_read_of_a_damaged_store_is_kept_and_so_is_the_store() {
        let (temp, path) = closed_store();
        std::fs::write(path.join("sled/snap.0000000000087CDE6"), "garbage").unwrap();
        let warning = check_kept(&path).expect("it is damaged");
        assert!(
            warning.contains("could be read of it was copied"),
            "{warning}"
        );
        assert!(has_corrupt(&temp));
        assert_eq!(check_kept(&path), None);
    }

    /// Checks that a damaged store is set aside, and all that was in it is in the new one.
    #[track_caller]
    fn check_rescued(damage: impl Fn(&Utf8Path)) {
        let (temp, path) = closed_store();
        damage(&path);
        let warning = check_kept(&path).expect("it is damaged");
        assert!(warning.contains("was copied"), "{warning}");
        assert!(has_corrupt(&temp));
        assert_eq!(check_kept(&path), None);
    }

    #[test]
    fn a_store_without_a_readable_format_is_copied() {
        check_rescued(|path| std::fs::write(path.join("format"), [0xAB]).unwrap());
        check_rescued(|path| std::fs::write(path.join("format"), "one").unwrap());
        check_rescued(|path| std::fs::remove_file(path.join("format")).unwrap());
    }

    #[test]
    fn a_store_without_a_readable_configuration_of_sleds_is_copied() {
        check_rescued(|path| {
            let conf = path.join("sled/conf");
            let length = std::fs::read(&conf).unwrap().len();
            std::fs::write(conf, vec![0xAB; length]).unwrap();
        });
    }

    #[test]
    fn a_store_that_was_damaged_while_in_use_is_copied() {
        check_rescued(mark_as_damaged);
    }

    #[test]
    fn on_a_full_disk_the_store_is_not_touched() {
        let (temp, path) = closed_store();
        // Damaged too, for all that can be seen.
        let snapshot = path.join("sled/snap.0000000000087CDE6");
        std::fs::write(&snapshot, "garbage").unwrap();
        for free in [(|_| 0) as FreeBytes, |_| LEAST_TO_OPEN] {
            let error = SledStore::open_with(&path, free).unwrap_err();
            assert!(matches!(error, OpenError::Full { .. }), "{error}");
            let failure = error.into_failure(&[]);
            assert!(failure.hints[0].starts_with("make room"), "{failure:?}");
        }
        assert!(!has_corrupt(&temp) && snapshot.exists());
        std::fs::remove_file(snapshot).unwrap();
        assert_eq!(check_kept(&path), None);
    }

    #[test]
    fn where_no_new_store_can_be_made_the_old_one_is_put_back() {
        let (temp, path) = closed_store();
        let aside = rescue::set_aside(&path).unwrap();
        // Something that is no store and cannot be made one.
        std::fs::write(&path, "in the way").unwrap();
        assert!(make_instead(&path, &aside).is_err());
        assert!(!has_corrupt(&temp));
        assert_eq!(check_kept(&path), None);
    }

    #[test]
    fn two_damaged_stores_of_a_day_are_both_kept() {
        let temp = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            drop(SledStore::open(&directory(&temp)).unwrap());
            mark_as_damaged(&directory(&temp));
            drop(SledStore::open(&directory(&temp)).unwrap());
        }
        let names = temp
            .path()
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| is_corrupt(name)).count(), 2);
    }
}
