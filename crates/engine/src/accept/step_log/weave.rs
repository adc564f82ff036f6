//! All programs of a reduction in one sequence of parts, as SCCS weaves the versions of a file: each part has
//! the number of the program with which it came, and of the one with which it went. A program is those
//! of its parts that are there, and a step is the parts that come and go with it. Nothing has to be carried
//! twice, and no position has to be moved: a long text that goes can be told by its first lines.
//!
//! See docs/decisions/output-and-text.md.

use crate::hunks::{Hunk, hunks};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of bytes that a part costs besides its text.
const BYTES_OF_PART: usize = 32;

/// The texts of all programs of a reduction up to now, as one sequence of parts for each file. What
/// is there in the last one has no text here, since that is known.
#[derive(Debug)]
pub(super) struct Weave {
    files: BTreeMap<Utf8PathBuf, Vec<Thread>>,
    /// The number of the last program.
    last: usize,
    /// The number of the first program whose text is known.
    first: usize,
    /// The number of bytes above which only the first lines of a deleted text are kept.
    longest: usize,
    n_bytes: usize,
}

/// A piece of a woven text, with the number of the program in which it came.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Thread {
    /// A piece of text that the last program has, with its length and the number of the program in
    /// which it came.
    There { came: usize, n_bytes: usize },
    /// A piece of text that the last program does not have any more.
    Gone(Part),
}

/// A piece of a file's text, with the numbers of the programs in which it came and went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The number of the first program that has the piece of text.
    pub(crate) came: usize,
    /// The number of the first program that does not have the piece of text any more.
    pub(crate) went: Option<usize>,
    /// The text of the part, or the first lines of it.
    pub(crate) text: String,
    /// The amount of text that is left out at the part's end.
    pub(crate) left_out: LeftOut,
}

/// The amount of a text that is left out at its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The bytes that are left out.
    pub(crate) bytes: usize,
    /// The number of lines that are left out, those included of which only the end is.
    pub(crate) lines: usize,
}

/// A file, with the parts of all texts that it has in the programs of a reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WovenFile {
    pub(crate) path: Utf8PathBuf,
    pub(crate) parts: Vec<Part>,
}

/// All programs of a reduction, as one sequence of parts for each file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Woven {
    /// The files of all programs, of which the crate root of the last program comes first.
    pub(crate) files: Vec<WovenFile>,
    /// The number of the first program whose text is known.
    pub(crate) first: usize,
}

impl Weave {
    /// Makes a weave of a single program, which has the number 0.
    pub(super) fn new(tree: &SourceTree, longest: usize) -> Self {
        let there = |text: &Arc<str>| Thread::There {
            came: 0,
            n_bytes: text.len(),
        };
        let files = tree.files();
        let files = files.map(|(_, path, text)| (path.to_owned(), vec![there(text)]));
        Self {
            files: files.collect(),
            last: 0,
            first: 0,
            longest,
            n_bytes: 0,
        }
    }

    /// Adds a program that comes after `before`, which is the last one.
    pub(super) fn advance(&mut self, before: &SourceTree, after: &SourceTree) {
        self.last += 1;
        let text_in = |tree: &SourceTree, path: &Utf8Path| Some(tree.shared_text(tree.find(path)?));
        for (_, path, text) in before.files() {
            let new = text_in(after, path);
            if new.as_ref() != Some(text) {
                self.change(path, text, new.as_deref().unwrap_or_default());
            }
        }
        for (_, path, text) in after.files() {
            if before.find(path).is_none() {
                self.change(path, "", text);
            }
        }
    }

    /// Adds the text `after` of a file in the newest program, where the program before has
    /// `before`.
    fn change(&mut self, path: &Utf8Path, before: &str, after: &str) {
        let threads = self.files.entry(path.to_owned()).or_default();
        let mut loom = Loom {
            threads: Vec::with_capacity(threads.len() + 2),
            text: before,
            at: 0,
            number: self.last,
            longest: self.longest,
            n_bytes: 0,
        };
        let changes = hunks(before, after);
        let mut changes = changes.iter().peekable();
        for thread in std::mem::take(threads) {
            match thread {
                Thread::Gone(_) => loom.threads.push(thread),
                Thread::There { came, n_bytes } => {
                    let end = loom.at + n_bytes;
                    while let Some(hunk) = changes.next_if(|hunk| hunk.removed.end < end) {
                        loom.make(came, hunk);
                    }
                    if let Some(hunk) = changes.peek() {
                        loom.leave(came, hunk.removed.start.min(end));
                        loom.remove(came, hunk.removed.end.min(end));
                    }
                    loom.leave(came, end);
                }
            }
        }
        changes.for_each(|hunk| loom.make(self.last, hunk));
        *threads = loom.threads;
        self.n_bytes += loom.n_bytes;
    }

    /// Forgets the oldest programs if more than `most` bytes of deleted texts are kept.
    pub(super) fn keep_below(&mut self, most: usize) {
        if self.n_bytes <= most {
            return;
        }
        let parts = self
            .files
            .values()
            .flatten()
            .filter_map(|thread| match thread {
                Thread::Gone(part) => Some(part),
                Thread::There { .. } => None,
            });
        // Room for more, so that this is not done at each step.
        self.first = first_that_fits(parts, most / 2).max(self.first);
        let first = self.first;
        for threads in self.files.values_mut() {
            threads.retain(|thread| match thread {
                Thread::Gone(part) => part.went.is_some_and(|went| went > first),
                Thread::There { .. } => true,
            });
        }
        let threads = self.files.values().flatten();
        self.n_bytes = threads.map(Thread::n_bytes_kept).sum();
    }

    /// Returns the texts of all programs as parts; that of the `last` program is not in the weave
    /// itself.
    pub(super) fn finish(&self, last: &SourceTree) -> Woven {
        let file = |(path, threads): (&Utf8PathBuf, &Vec<Thread>)| {
            let text = last.find(path).map(|file| last.shared_text(file));
            WovenFile {
                path: path.clone(),
                parts: parts(threads, text.as_deref().unwrap_or_default(), self.first),
            }
        };
        let mut files: Vec<WovenFile> = self.files.iter().map(file).collect();
        let root = last.path(last.root());
        files.sort_by_key(|file| file.path != root);
        Woven {
            files,
            first: self.first,
        }
    }
}

impl Thread {
    fn n_bytes_kept(&self) -> usize {
        match self {
            Self::Gone(part) => part.n_bytes(),
            Self::There { .. } => 0,
        }
    }
}

/// The new sequence of a file's parts, while the text of the next program is compared with `text`,
/// the one before.
struct Loom<'t> {
    threads: Vec<Thread>,
    text: &'t str,
    /// The offset in `text` up to which parts have been made.
    at: usize,
    /// The number of the program whose text is added.
    number: usize,
    longest: usize,
    /// The bytes that are kept of deleted texts.
    n_bytes: usize,
}

impl Loom<'_> {
    /// Makes the parts of one change: the text that stays before it, the text that goes, and the
    /// text that comes.
    fn make(&mut self, came: usize, hunk: &Hunk) {
        self.leave(came, hunk.removed.start);
        self.remove(came, hunk.removed.end);
        if !hunk.inserted.is_empty() {
            self.threads.push(Thread::There {
                came: self.number,
                n_bytes: hunk.inserted.len(),
            });
        }
    }

    /// Adds a part for the text up to the offset `end`, which stays; it came with the program of
    /// the number `came`.
    fn leave(&mut self, came: usize, end: usize) {
        if end > self.at {
            let n_bytes = end - self.at;
            self.threads.push(Thread::There { came, n_bytes });
            self.at = end;
        }
    }

    /// Adds a part for the text up to the offset `end`, which is gone; it came with the program of
    /// the number `came`.
    fn remove(&mut self, came: usize, end: usize) {
        if end > self.at {
            let part = Part {
                came,
                went: Some(self.number),
                text: self.text[self.at..end].to_owned(),
                left_out: LeftOut::default(),
            };
            let part = part.shortened(self.longest);
            self.n_bytes += part.n_bytes();
            self.threads.push(Thread::Gone(part));
            self.at = end;
        }
    }
}

/// Returns the parts of a file from its threads and the `text` that it has in the last program.
fn parts(threads: &[Thread], text: &str, first: usize) -> Vec<Part> {
    let mut at = 0;
    let part = |thread: &Thread| match thread {
        Thread::Gone(part) => part.clone(),
        Thread::There { came, n_bytes } => {
            let end = at + n_bytes;
            let text = text[at..end].to_owned();
            at = end;
            Part {
                came: *came,
                went: None,
                text,
                left_out: LeftOut::default(),
            }
        }
    };
    joined(threads.iter().map(part), first)
}

/// Joins neighbouring parts that came in the same program and went in the same program.
fn joined(parts: impl Iterator<Item = Part>, first: usize) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for mut part in parts {
        part.came = part.came.max(first);
        match all.last_mut() {
            Some(last)
                if last.came == part.came
                    && last.went == part.went
                    && last.left_out == LeftOut::default() =>
            {
                last.text.push_str(&part.text);
                last.left_out = part.left_out;
            }
            _ => all.push(part),
        }
    }
    all
}

/// Returns the number of the oldest program that can be kept so that the deleted parts have at most
/// `most` bytes.
fn first_that_fits<'p>(parts: impl Iterator<Item = &'p Part>, most: usize) -> usize {
    let mut by_end: BTreeMap<usize, usize> = BTreeMap::new();
    for part in parts {
        if let Some(went) = part.went {
            *by_end.entry(went).or_default() += part.n_bytes();
        }
    }
    let mut n_bytes = 0;
    let mut newest_first = by_end.into_iter().rev();
    let too_much = newest_first.find(|(_, more)| {
        n_bytes += more;
        n_bytes > most
    });
    too_much.map_or(0, |(went, _)| went)
}

impl Part {
    /// Returns roughly how many bytes the part needs, in memory and in a page.
    fn n_bytes(&self) -> usize {
        self.text.len() + BYTES_OF_PART
    }

    /// Shortens the part's text to at most `longest` bytes, and to whole lines if one fits.
    fn shortened(mut self, longest: usize) -> Self {
        if self.text.len() <= longest {
            return self;
        }
        let mut end = longest;
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let end = self.text[..end].rfind('\n').map_or(end, |at| at + 1);
        let rest = &self.text[end..];
        self.left_out.bytes += rest.len();
        self.left_out.lines += rest.lines().count();
        self.text.truncate(end);
        self.text.shrink_to_fit();
        self
    }
}

impl Woven {
    /// Returns the programs in about `most` bytes: only the first lines of long texts are kept. If that is not enough,
    /// the oldest programs are left out.
    pub(crate) fn within(self, most: usize) -> Self {
        let lengths = [4_000, 2_000, 1_000, 500, 250];
        let mut shorter = self;
        for longest in lengths {
            if shorter.n_bytes() <= most {
                return shorter;
            }
            shorter = shorter.shortened(longest);
        }
        let parts = || shorter.files.iter().flat_map(|file| &file.parts);
        let stays = parts().filter(|part| part.went.is_none());
        let n_bytes: usize = stays.map(Part::n_bytes).sum();
        let first = first_that_fits(parts(), most.saturating_sub(n_bytes));
        shorter.from(first)
    }

    /// Returns the programs without those whose number is below `first`.
    fn from(self, first: usize) -> Self {
        let first = self.first.max(first);
        let is_known = |part: &Part| part.went.is_none_or(|went| went > first);
        let files = self.files.into_iter().map(|file| WovenFile {
            parts: joined(file.parts.into_iter().filter(is_known), first),
            path: file.path,
        });
        Self {
            files: files.collect(),
            first,
        }
    }

    fn shortened(self, longest: usize) -> Self {
        let files = self.files.into_iter().map(|file| {
            let parts = file.parts.into_iter().map(|part| part.shortened(longest));
            WovenFile {
                parts: parts.collect(),
                path: file.path,
            }
        });
        Self {
            files: files.collect(),
            first: self.first,
        }
    }

    fn n_bytes(&self) -> usize {
        let parts = self.files.iter().flat_map(|file| &file.parts);
        parts.map(Part::n_bytes).sum()
    }

    /// Returns the text that a file has in a program.
    #[cfg(test)]
    pub(crate) fn text(&self, number: usize, path: &Utf8Path) -> String {
        let file = self.files.iter().find(|file| file.path == path);
        let parts = file.map_or(&[][..], |file| &file.parts);
        let is_there =
            |part: &&Part| part.came <= number && part.went.is_none_or(|went| number < went);
        let texts = parts.iter().filter(is_there).map(|part| part.text.as_str());
        texts.collect()
    }
}

#[cfg(test)]
mod tests;
