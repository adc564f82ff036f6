//! Verdicts, bounded by generations: new ones go to the current tree, and when that is full it
//! becomes the previous one and the previous one is dropped. A verdict that is found in the previous
//! generation moves to the current one, so that what is used stays. At most twice
//! [`VERDICTS_PER_GENERATION`] are kept.

use super::journal::Journal;
use super::{Looked, verdict_code};
use camino::Utf8Path;
use reduce_engine::{Digest, Verdict};
use sled::{Db, Tree};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// The number of verdicts that a generation holds: about 15 MB with their keys.
const VERDICTS_PER_GENERATION: u64 = 250_000;
/// The number of new verdicts after which the count of all is written to the store. After a kill it is short by at most this.
const COUNT_INTERVAL: u64 = 256;
const NUMBER_KEY: &str = "generation";
const COUNT_KEY: &str = "verdicts-in-generation";

#[derive(Debug)]
pub(super) struct Verdicts {
    db: Db,
    meta: Tree,
    capacity: u64,
    generations: RwLock<Generations>,
    /// The number of verdicts in the current generation, which may be slightly wrong after a kill.
    count: AtomicU64,
    /// The journal of the verdicts that sled may not have written yet.
    journal: Option<Journal>,
}

#[derive(Debug)]
struct Generations {
    number: u64,
    current: Tree,
    previous: Option<Tree>,
}

impl Verdicts {
    pub(super) fn open(db: &Db) -> sled::Result<Self> {
        let meta = db.open_tree("meta")?;
        let number = read_number(&meta, NUMBER_KEY)?;
        let count = AtomicU64::new(read_number(&meta, COUNT_KEY)?);
        let generations = RwLock::new(Generations::open(db, number)?);
        Ok(Self {
            db: db.clone(),
            meta,
            capacity: VERDICTS_PER_GENERATION,
            generations,
            count,
            journal: None,
        })
    }

    /// Adds a journal that keeps verdicts which sled has not written yet. Those that it has kept of a process that was
    /// killed are there again.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub(super) fn journaled(mut self, path: &Utf8Path) -> sled::Result<Self> {
        let (journal, entries) = Journal::open(path)?;
        for (key, bytes) in entries {
            self.insert(&key, &bytes)?;
        }
        self.db.flush()?;
        journal.empty()?;
        self.journal = Some(journal);
        Ok(self)
    }

    pub(super) fn get(&self, key: &Digest) -> sled::Result<Option<Verdict>> {
        let (found, is_old) = {
            let generations = self
                .generations
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            match (generations.current.get(key)?, &generations.previous) {
                (Some(found), _) => (Some(found), false),
                (None, Some(previous)) => (previous.get(key)?, true),
                (None, None) => (None, false),
            }
        };
        if let (Some(bytes), true) = (&found, is_old) {
            self.insert(key, bytes)?;
        }
        Ok(found.and_then(|bytes| verdict_code::decode(&bytes)))
    }

    pub(super) fn keep(&self, key: &Digest, verdict: &Verdict) -> sled::Result<()> {
        let Some(bytes) = verdict_code::encode(verdict) else {
            return Ok(());
        };
        self.insert(key, &bytes)?;
        let write = || self.db.flush().map(drop).map_err(std::io::Error::from);
        match &self.journal {
            Some(journal) => Ok(journal.add(key, &bytes, write)?),
            None => Ok(()),
        }
    }

    /// Returns the number of verdicts in both generations.
    pub(super) fn count(&self) -> u64 {
        self.trees().iter().map(|tree| tree.len() as u64).sum()
    }

    /// Removes all verdicts, and returns how many there were.
    pub(super) fn forget_all(&self) -> sled::Result<u64> {
        let count = self.count();
        for tree in self.trees() {
            tree.clear()?;
        }
        self.count.store(0, Ordering::Relaxed);
        write_number(&self.meta, COUNT_KEY, 0)?;
        self.db.flush()?;
        if let Some(journal) = &self.journal {
            journal.empty()?;
        }
        Ok(count)
    }

    /// Reads all verdicts, and counts those that can be read and those that cannot.
    pub(super) fn look(&self) -> sled::Result<Looked> {
        let mut looked = Looked::default();
        for tree in self.trees() {
            for entry in &tree {
                let (key, value) = entry?;
                let is_key = key.len() == size_of::<Digest>();
                looked.add(is_key && verdict_code::decode(&value).is_some());
            }
        }
        Ok(looked)
    }

    pub(super) fn size_on_disk(&self) -> sled::Result<u64> {
        self.db.size_on_disk()
    }

    fn trees(&self) -> Vec<Tree> {
        let generations = self
            .generations
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let previous = generations.previous.iter();
        previous.chain([&generations.current]).cloned().collect()
    }

    fn insert(&self, key: &Digest, bytes: &[u8]) -> sled::Result<()> {
        let replaced = {
            let generations = self
                .generations
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            generations.current.insert(key, bytes)?
        };
        if replaced.is_some() {
            return Ok(());
        }
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if count >= self.capacity {
            return self.begin_generation();
        }
        if count.is_multiple_of(COUNT_INTERVAL) {
            write_number(&self.meta, COUNT_KEY, count)?;
        }
        Ok(())
    }

    fn begin_generation(&self) -> sled::Result<()> {
        let mut generations = self
            .generations
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if self.count.load(Ordering::Relaxed) < self.capacity {
            return Ok(()); // Another thread was faster.
        }
        let number = generations.number + 1;
        write_number(&self.meta, NUMBER_KEY, number)?;
        write_number(&self.meta, COUNT_KEY, 0)?;
        self.count.store(0, Ordering::Relaxed);
        *generations = Generations::open(&self.db, number)?;
        Ok(())
    }
}

impl Drop for Verdicts {
    fn drop(&mut self) {
        // Only the bound of the store depends on it.
        let _ = write_number(&self.meta, COUNT_KEY, self.count.load(Ordering::Relaxed));
    }
}

impl Generations {
    /// Opens a generation of verdicts and the one before it, and removes all others.
    fn open(db: &Db, number: u64) -> sled::Result<Self> {
        let previous_name = number.checked_sub(1).map(tree_name);
        let current_name = tree_name(number);
        let mut previous = None;
        for name in db.tree_names() {
            if Some(name.as_ref()) == previous_name.as_deref().map(str::as_bytes) {
                previous = Some(db.open_tree(name)?);
            } else if name.starts_with(b"verdicts-") && name != current_name.as_bytes() {
                db.drop_tree(name)?;
            }
        }
        Ok(Self {
            number,
            current: db.open_tree(current_name)?,
            previous,
        })
    }
}

fn tree_name(number: u64) -> String {
    format!("verdicts-{number}")
}

fn read_number(meta: &Tree, key: &str) -> sled::Result<u64> {
    let bytes = meta.get(key)?;
    let number = bytes.and_then(|bytes| Some(u64::from_be_bytes(bytes.as_ref().try_into().ok()?)));
    Ok(number.unwrap_or(0))
}

fn write_number(meta: &Tree, key: &str, number: u64) -> sled::Result<()> {
    meta.insert(key, &number.to_be_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts_with_capacity(capacity: u64) -> Verdicts {
        let db = sled::Config::new().temporary(true).open().unwrap();
        let mut verdicts = Verdicts::open(&db).unwrap();
        verdicts.capacity = capacity;
        verdicts
    }

    fn stored(verdicts: &Verdicts) -> usize {
        let names = verdicts.db.tree_names().into_iter();
        let names = names.filter(|name| name.starts_with(b"verdicts-"));
        names
            .map(|name| verdicts.db.open_tree(name).unwrap().len())
            .sum()
    }

    #[test]
    fn old_verdicts_go_when_there_are_too_many() {
        let verdicts = verdicts_with_capacity(10);
        for number in 0..100 {
            verdicts.keep(&[number; 32], &Verdict::Rejected).unwrap();
            assert!(stored(&verdicts) <= 20);
        }
        assert_eq!(verdicts.get(&[0; 32]).unwrap(), None);
        assert_eq!(verdicts.get(&[99; 32]).unwrap(), Some(Verdict::Rejected));
    }

    #[test]
    fn a_verdict_that_is_used_stays() {
        let verdicts = verdicts_with_capacity(10);
        for number in 0..100 {
            verdicts.keep(&[number; 32], &Verdict::Rejected).unwrap();
            assert_eq!(verdicts.get(&[0; 32]).unwrap(), Some(Verdict::Rejected));
        }
    }

    #[test]
    fn the_count_goes_on_after_a_restart() {
        let verdicts = verdicts_with_capacity(10);
        let db = verdicts.db.clone();
        for number in 0..5 {
            verdicts.keep(&[number; 32], &Verdict::Rejected).unwrap();
        }
        drop(verdicts);
        assert_eq!(
            Verdicts::open(&db).unwrap().count.load(Ordering::Relaxed),
            5
        );
    }
}
