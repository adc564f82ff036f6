//! Reads what `-Zunpretty=thir-flat` prints once types are checked, one line after the other: each body with the functions
//! that it calls, operators and methods included.
//!
//! A body begins with `DefId(..):` in the first column.

use super::Numbers;
use super::spot::local_paths;
use reduce_syntax::poll_interruption;
use std::collections::{BTreeMap, BTreeSet};

/// The most mentions that are kept: a crate of a million tokens has fewer.
const MOST_MENTIONS: usize = 3_000_000;

/// The bodies that were read, each with the functions that it calls. Paths have numbers, as they come again and again.
#[derive(Debug, Default)]
pub struct ThirLines {
    paths: Numbers,
    bodies: BTreeMap<u32, BTreeSet<u32>>,
    /// The body of which the lines are.
    now: Option<u32>,
    n_mentions: usize,
}

impl ThirLines {
    /// Reads the next line, without its end.
    pub fn read(&mut self, line: &str) {
        poll_interruption();
        if let Some(owner) = owner(line) {
            let owner = self.paths.of(owner);
            self.bodies.entry(owner).or_default();
            self.now = Some(owner);
            return;
        }
        let Some(mentions) = self.now.and_then(|now| self.bodies.get_mut(&now)) else {
            return;
        };
        for path in local_paths(line).filter(|path| !path.is_empty()) {
            if self.n_mentions < MOST_MENTIONS {
                self.n_mentions += usize::from(mentions.insert(self.paths.of(path)));
            }
        }
    }

    /// Returns the definitions of the crate that each body mentions, by their paths.
    pub(super) fn bodies(self) -> BTreeMap<String, BTreeSet<String>> {
        let path = |number: u32| self.paths.all[number as usize].clone();
        let bodies = self.bodies.iter();
        bodies
            .map(|(owner, mentions)| {
                let mentions = mentions.iter().map(|&number| path(number));
                (path(*owner), mentions.collect())
            })
            .collect()
    }
}

/// Returns the path of the definition whose body begins with a line.
fn owner(line: &str) -> Option<&str> {
    let header = line.strip_suffix(':')?;
    let is_header = header.starts_with("DefId(0:") && header.ends_with(')');
    local_paths(header)
        .next()
        .filter(|path| is_header && !path.is_empty())
}
