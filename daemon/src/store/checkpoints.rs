//! The last accepted state of each job. Files are stored one by one and only where they changed: a
//! step usually touches one file of a crate, and a job has thousands of steps.
//!
//! Keys begin with the job's digest; the step's number is under the digest alone, each file under
//! the digest and its path, and what the program is linked with, and all else, under the digest and a byte that
//! begins no path. One batch per checkpoint: it is there wholly or not at all.

use super::Looked;
use reduce_engine::{Checkpoint, Digest};
use sled::{Batch, Db, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The part of a key, in the place of a file's path, under which the linkage of a job is kept.
const LINKAGE: &str = "\0linkage";

#[derive(Debug)]
pub(super) struct Checkpoints {
    tree: Tree,
}

impl Checkpoints {
    pub(super) fn open(db: &Db) -> sled::Result<Self> {
        Ok(Self {
            tree: db.open_tree("checkpoints")?,
        })
    }

    pub(super) fn get(&self, job: &Digest) -> sled::Result<Option<Checkpoint>> {
        let mut step = None;
        let mut files = BTreeMap::new();
        let mut linkage = None;
        for entry in self.tree.scan_prefix(job) {
            let (key, value) = entry?;
            match path_in(&key) {
                Some(path) if path == LINKAGE => linkage = serde_json::from_slice(&value).ok(),
                None => step = value.as_ref().try_into().ok().map(u64::from_be_bytes),
                Some(path) => drop(files.insert(path, text_of(&value)?)),
            }
        }
        // Without one of them the job begins anew, which costs time alone.
        let parts = step.zip(linkage);
        Ok(parts.map(|(step, (linkage, is_main, skipped))| Checkpoint {
            step,
            files,
            linkage,
            is_main,
            skipped,
        }))
    }

    /// Keeps a job's last accepted step; it is on disk when this returns.
    pub(super) fn keep(&self, job: &Digest, checkpoint: &Checkpoint) -> sled::Result<()> {
        let mut batch = Batch::default();
        batch.insert(job, &checkpoint.step.to_be_bytes());
        let beside = (&checkpoint.linkage, checkpoint.is_main, &checkpoint.skipped);
        let linkage = serde_json::to_vec(&beside).expect("names and numbers have a form");
        batch.insert([job, LINKAGE.as_bytes()].concat(), linkage);
        let mut unchanged = Vec::new();
        for entry in self.tree.scan_prefix(job) {
            let (key, value) = entry?;
            let Some(path) = path_in(&key).filter(|path| path != LINKAGE) else {
                continue;
            };
            match checkpoint.files.get(&path) {
                None => batch.remove(key),
                Some(text) if text.as_bytes() == value.as_ref() => unchanged.push(path),
                Some(_) => {}
            }
        }
        for (path, text) in &checkpoint.files {
            if !unchanged.contains(path) {
                batch.insert([job, path.as_bytes()].concat(), text.as_bytes());
            }
        }
        self.tree.apply_batch(batch)?;
        self.tree.flush().map(drop)
    }

    /// Reads the checkpoints of all jobs.
    pub(super) fn look(&self) -> sled::Result<Looked> {
        let mut jobs = BTreeSet::new();
        for key in self.tree.iter().keys() {
            let key = key?;
            let job = key.get(..size_of::<Digest>());
            jobs.extend(job.and_then(|job| Digest::try_from(job).ok()));
        }
        let mut looked = Looked::default();
        for job in jobs {
            looked.add(self.get(&job)?.is_some());
        }
        Ok(looked)
    }

    pub(super) fn forget(&self, job: &Digest) -> sled::Result<()> {
        let mut batch = Batch::default();
        for key in self.tree.scan_prefix(job).keys() {
            batch.remove(key?);
        }
        self.tree.apply_batch(batch)?;
        self.tree.flush().map(drop)
    }
}

/// Returns the path in the key of a file, or `None` for the key of the step's number.
fn path_in(key: &[u8]) -> Option<String> {
    let path = key
        .get(size_of::<Digest>()..)
        .filter(|path| !path.is_empty())?;
    Some(String::from_utf8_lossy(path).into_owned())
}

fn text_of(value: &[u8]) -> sled::Result<Arc<str>> {
    let text = std::str::from_utf8(value);
    let text = text.map_err(|_| sled::Error::Corruption { at: None, bt: () })?;
    Ok(text.into())
}
