//! The verdicts that sled may not have written yet. sled keeps new ones in memory for up to half a second, and they would be
//! lost with a process that is killed: some twenty questions would be asked again. So each is also appended
//! to a file, by one write. What is in it goes to sled when the store is opened; it is emptied when sled has written.
//!
//! An entry is its length in two bytes, the key, the verdict, and four bytes of a digest of these. What does not fit that
//! form, such as the beginning of an entry whose writer was killed, ends the file. An entry that the system has not
//! written to its end is taken back, so that those that come later can be read.

use reduce_engine::Digest;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

const KEY_BYTES: usize = size_of::<Digest>();
const LENGTH_BYTES: usize = size_of::<u16>();
const CHECK_BYTES: usize = 4;
/// The size of the journal at which sled is made to write its verdicts to disk.
const FULL_BYTES: u64 = 64 << 10;
/// The largest size of a journal that we have written: a longer file was put in its place by somebody else.
const MOST_BYTES: u64 = 4 * FULL_BYTES;

/// A verdict as it is stored in bytes, with its key.
pub(super) type Entry = (Digest, Vec<u8>);

/// The file of the journal, to which verdicts are appended.
#[derive(Debug)]
pub(super) struct Journal {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    /// The number of bytes of whole entries.
    bytes: u64,
    /// Whether a part of an entry may follow the whole ones.
    is_torn: bool,
}

impl Journal {
    /// Opens the journal's file or makes it, and returns its entries too.
    ///
    /// # Errors
    /// Where it cannot be read or made.
    pub(super) fn open(path: &camino::Utf8Path) -> io::Result<(Self, Vec<Entry>)> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path)?;
        let mut bytes = Vec::new();
        (&file).take(MOST_BYTES).read_to_end(&mut bytes)?;
        let (entries, whole) = decode(&bytes);
        // The next entry must not stand behind half of one.
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let inner = Mutex::new(Inner {
            file,
            bytes: whole,
            is_torn: false,
        });
        Ok((Self { inner }, entries))
    }

    /// Appends a verdict that sled has been given. Where the file is full, `write` has sled write all that it was
    /// given, and the file is emptied.
    ///
    /// # Errors
    /// Where it cannot be written, or sled cannot.
    pub(super) fn add(
        &self,
        key: &Digest,
        verdict: &[u8],
        write: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(entry) = encode(key, verdict) else {
            return Ok(());
        };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.append(&entry)?;
        if inner.bytes < FULL_BYTES {
            return Ok(());
        }
        write()?;
        inner.empty()
    }

    /// Removes all entries, once sled has written them to disk.
    ///
    /// # Errors
    /// Where it cannot be cut.
    pub(super) fn empty(&self) -> io::Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.empty()
    }
}

impl Inner {
    fn append(&mut self, entry: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.cut(self.bytes)?;
        }
        self.is_torn = true;
        self.file.write_all(entry).inspect_err(|_| {
            // If that fails too, the next one tries again.
            let _ = self.cut(self.bytes);
        })?;
        self.bytes += entry.len() as u64;
        self.is_torn = false;
        Ok(())
    }

    fn empty(&mut self) -> io::Result<()> {
        self.cut(0)
    }

    /// Cuts the file to this number of bytes, which are whole entries.
    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes))?;
        self.bytes = bytes;
        self.is_torn = false;
        Ok(())
    }
}

/// Returns the bytes of an entry, or `None` for a verdict that is too long. Such a verdict is asked for again after a kill.
fn encode(key: &Digest, verdict: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(verdict.len()).ok()?;
    let mut entry = Vec::with_capacity(LENGTH_BYTES + KEY_BYTES + verdict.len() + CHECK_BYTES);
    entry.extend(length.to_le_bytes());
    entry.extend(key);
    entry.extend(verdict);
    let check = blake3::hash(&entry);
    entry.extend(&check.as_bytes()[..CHECK_BYTES]);
    Some(entry)
}

/// Returns the entries of a journal up to the first that is not whole, and the number of their bytes.
fn decode(bytes: &[u8]) -> (Vec<Entry>, u64) {
    let (mut entries, mut rest) = (Vec::new(), bytes);
    while let Some((entry, after)) = split_entry(rest) {
        entries.push(entry);
        rest = after;
    }
    (entries, (bytes.len() - rest.len()) as u64)
}

fn split_entry(bytes: &[u8]) -> Option<(Entry, &[u8])> {
    let (length, _) = bytes.split_first_chunk::<LENGTH_BYTES>()?;
    let checked = LENGTH_BYTES + KEY_BYTES + usize::from(u16::from_le_bytes(*length));
    let (entry, rest) = bytes.split_at_checked(checked)?;
    let (check, rest) = rest.split_at_checked(CHECK_BYTES)?;
    if blake3::hash(entry).as_bytes()[..CHECK_BYTES] != *check {
        return None;
    }
    let key = entry[LENGTH_BYTES..LENGTH_BYTES + KEY_BYTES]
        .try_into()
        .ok()?;
    Some(((key, entry[LENGTH_BYTES + KEY_BYTES..].to_vec()), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = Vec<Entry>> {
        let verdict = prop::collection::vec(any::<u8>(), 0..300);
        prop::collection::vec((any::<Digest>(), verdict), 0..20)
    }

    fn encoded(entries: &[Entry]) -> Vec<u8> {
        let all = entries.iter();
        all.flat_map(|(key, verdict)| encode(key, verdict).unwrap())
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let (_, whole) = decode(&bytes);
            prop_assert!(whole <= bytes.len() as u64);
        }

        #[test]
        fn what_is_cut_short_keeps_its_whole_entries(all in entries(), cut in any::<prop::sample::Index>()) {
            let bytes = encoded(&all);
            prop_assert_eq!(&decode(&bytes).0, &all);
            let cut = cut.index(bytes.len() + 1);
            let (left, whole) = decode(&bytes[..cut]);
            prop_assert_eq!(&left[..], &all[..left.len()]);
            prop_assert_eq!(encoded(&left).len() as u64, whole);
        }

        #[test]
        fn a_changed_byte_ends_the_file_before_its_entry(all in entries(), at in any::<prop::sample::Index>(), by in 1..=255u8) {
            let mut bytes = encoded(&all);
            prop_assume!(!bytes.is_empty());
            let at = at.index(bytes.len());
            bytes[at] ^= by;
            let (left, _) = decode(&bytes);
            prop_assert!(left.len() < all.len());
            prop_assert_eq!(&left[..], &all[..left.len()]);
        }
    }

    #[test]
    fn entries_are_there_until_sled_has_written() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("recent")).unwrap();
        let (journal, found) = Journal::open(&path).unwrap();
        assert_eq!(found, []);
        journal.add(&[1; 32], b"a", || unreachable!()).unwrap();
        // A writer is killed in the middle of an entry.
        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(&encode(&[2; 32], b"b").unwrap()[..20])
            .unwrap();
        let (journal, found) = Journal::open(&path).unwrap();
        assert_eq!(found, [([1; 32], b"a".to_vec())]);
        journal.add(&[3; 32], b"c", || unreachable!()).unwrap();
        let (journal, found) = Journal::open(&path).unwrap();
        assert_eq!(found.len(), 2);
        journal.empty().unwrap();
        assert_eq!(Journal::open(&path).unwrap().1, []);
    }

    #[test]
    fn a_full_file_is_emptied_when_sled_has_written() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(temp.path().join("recent")).unwrap();
        let (journal, _) = Journal::open(&path).unwrap();
        let mut written = 0;
        while written == 0 {
            let add = journal.add(&[1; 32], &[7; 1000], || {
                written += 1;
                Ok(())
            });
            add.unwrap();
        }
        assert_eq!(path.metadata().unwrap().len(), 0);
    }
}
