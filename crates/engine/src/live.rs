//! The state of a search for a live view, besides its events: the best program, the parts of it that queries change, its
//! sizes over time, and the figures of the passes. The session and its workers write it down, and whoever runs the reduction
//! asks for it. While nobody asks, only the program and its size are written down, once for each step.
//!
//! See docs/decisions/jobs-and-turns.md.

use crate::clock::Clock;
use crate::figures::PassStatistics;
use crate::hunks::hunks;
use camino::Utf8PathBuf;
use reduce_syntax::SourceTree;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest time between two questions of a live view that is still there.
const PATIENCE: Duration = Duration::from_secs(3);
/// The number of bytes above which a program is not sent as text.
const LONGEST_PROGRAM: usize = 1 << 20;
/// The largest number of programs under trial that are compared with the best so far.
const MOST_COMPARED: usize = 8;
/// The largest number of parts under trial that a live view gets.
const MOST_PARTS: usize = 256;
/// The largest number of sizes that a live view gets. Of more, some are left out.
const MOST_SIZES: usize = 256;

/// The state of a search for people who look at it while it runs. Clones share their state.
#[derive(Debug, Clone)]
pub struct Live(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    created: Instant,
    /// The time at which a view last asked, in milliseconds since `created`; 0 if none has.
    asked: AtomicU64,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The number of the shown program, which rises with each new one.
    number: u64,
    shown: Option<Shown>,
    /// The programs of the queries that are under way.
    trials: BTreeMap<u64, Vec<SourceTree>>,
    last_trial: u64,
    sizes: Vec<Size>,
    /// The clock of the run, which its sizes and times refer to.
    started: Option<Clock>,
    figures: LiveFigures,
}

/// The program that a view shows.
#[derive(Debug)]
struct Shown {
    tree: SourceTree,
    /// The paths of the program's files, relative to the output directory.
    places: Vec<Utf8PathBuf>,
    /// Whether the program is on trial, and may not stay the best so far.
    is_on_detour: bool,
}

/// A query that is under way: dropping it ends the query.
#[derive(Debug)]
pub(crate) struct Trying(Option<(Live, u64)>);

/// The state of a search as a live view shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveState {
    /// The number of the shown program, which rises whenever there is another one; 0 before the
    /// first.
    pub program: u64,
    /// The files of the program, the root first; `None` where the view has that program already.
    pub files: Option<Vec<LiveFile>>,
    /// Whether the program is on trial: unless the trial ends with a smaller one, the search goes
    /// back to the program before it.
    pub is_on_trial: bool,
    /// The parts of the program that are changed by queries under way, in order.
    pub parts: Vec<LivePart>,
    /// The number of queries under way.
    pub queries_under_way: u64,
    /// The sizes of the best programs so far, the first one first.
    pub sizes: Vec<Size>,
    /// Seconds since the start of the run; 0 before the search.
    pub elapsed_seconds: f64,
    /// The figures, which are noted every now and then.
    pub figures: LiveFigures,
}

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveFile {
    /// The file's path, relative to the output directory.
    pub place: Utf8PathBuf,
    /// The file's text; `None` where the program is too long to be shown.
    pub text: Option<String>,
}

/// A part of a program that a query changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePart {
    /// The file, as an index.
    pub file: usize,
    /// The changed bytes of the file; empty where something is inserted.
    pub bytes: Range<usize>,
}

/// The size of the best program at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// The time at which this program was found, in seconds since the start of the run.
    pub seconds: f64,
    /// The size of the program in tokens.
    pub tokens: u64,
}

/// The figures of a search for a live view: the pass under way, and the counts of each pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveFigures {
    /// The pass that is under way, if it can be skipped.
    pub pass: Option<String>,
    /// The number of queries that may be under way at once.
    pub workers: u64,
    /// The figures of each pass, in the order in which the passes first ran.
    pub passes: Vec<PassStatistics>,
    /// The passes of which the user has skipped a run.
    pub skipped: Vec<String>,
}

impl Default for Live {
    fn default() -> Self {
        Self(Arc::new(Shared {
            created: Instant::now(),
            asked: AtomicU64::default(),
            known: Mutex::default(),
        }))
    }
}

impl Live {
    /// Returns the state of the search for a view that has the program number `has`. Whoever asks
    /// says which program it has.
    #[must_use]
    pub fn look(&self, has: u64) -> LiveState {
        let now = self.milliseconds();
        self.0.asked.store(now.max(1), Ordering::Relaxed);
        let known = self.known();
        let trials = known.trials.values().rev().flatten();
        let trials: Vec<SourceTree> = trials.take(MOST_COMPARED).cloned().collect();
        let elapsed = known.started.as_ref();
        let elapsed = elapsed.map_or(Duration::ZERO, Clock::elapsed);
        let state = LiveState {
            program: known.number,
            files: None,
            is_on_trial: known.shown.as_ref().is_some_and(|one| one.is_on_detour),
            parts: Vec::new(),
            queries_under_way: known.trials.len() as u64,
            sizes: thinned(&known.sizes),
            elapsed_seconds: elapsed.as_secs_f64(),
            figures: known.figures.clone(),
        };
        let Some(shown) = &known.shown else {
            return state;
        };
        let (tree, places) = (shown.tree.clone(), shown.places.clone());
        // The search need not wait for what follows.
        drop(known);
        LiveState {
            files: (has != state.program).then(|| files(&tree, places)),
            parts: parts(&tree, &trials),
            ..state
        }
    }

    /// Whether a view asks for the state of the search, so that it is worth noting what changes
    /// often.
    pub(crate) fn is_looked_at(&self) -> bool {
        let asked = self.0.asked.load(Ordering::Relaxed);
        let patience = PATIENCE.as_millis() as u64;
        asked > 0 && self.milliseconds().saturating_sub(asked) < patience
    }

    /// Notes the program that a live view shows: the best so far, or the current one of a trial. Its files are at these
    /// places below the output directory.
    pub(crate) fn show(&self, tree: &SourceTree, places: Vec<Utf8PathBuf>, is_on_detour: bool) {
        let mut known = self.known();
        let is_known = |shown: &Shown| shown.tree == *tree && shown.places == places;
        match known.shown.as_mut().filter(|shown| is_known(shown)) {
            Some(shown) => shown.is_on_detour = is_on_detour,
            None => {
                known.number += 1;
                known.shown = Some(Shown {
                    tree: tree.clone(),
                    places,
                    is_on_detour,
                });
            }
        }
    }

    /// Notes the size of the best so far, in a run that began when `started` did.
    pub(crate) fn note_size(&self, tokens: u64, started: &Clock) {
        let mut known = self.known();
        known.started = Some(started.clone());
        let seconds = started.elapsed().as_secs_f64();
        known.sizes.push(Size { seconds, tokens });
    }

    /// Notes the figures of the search.
    pub(crate) fn note(&self, figures: LiveFigures) {
        self.known().figures = figures;
    }

    /// Notes the programs of a query that begins; the query ends when the returned value is
    /// dropped.
    pub(crate) fn trying<'t>(&self, programs: impl IntoIterator<Item = &'t SourceTree>) -> Trying {
        if !self.is_looked_at() {
            return Trying(None);
        }
        let mut known = self.known();
        known.last_trial += 1;
        let number = known.last_trial;
        let programs = programs.into_iter().take(MOST_COMPARED).cloned();
        known.trials.insert(number, programs.collect());
        drop(known);
        Trying(Some((self.clone(), number)))
    }

    fn milliseconds(&self) -> u64 {
        self.0.created.elapsed().as_millis() as u64
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Trying {
    fn drop(&mut self) {
        if let Some((live, number)) = self.0.take() {
            live.known().trials.remove(&number);
        }
    }
}

/// Returns the files of a program, the root first.
fn in_order(tree: &SourceTree) -> Vec<reduce_syntax::FileId> {
    let root = tree.root();
    let others = tree.files().map(|(file, ..)| file);
    std::iter::once(root)
        .chain(others.filter(|file| *file != root))
        .collect()
}

/// Returns the paths of a program's files in the order in which a view has them.
pub(crate) fn places(
    tree: &SourceTree,
    place: impl Fn(&camino::Utf8Path) -> Utf8PathBuf,
) -> Vec<Utf8PathBuf> {
    let files = in_order(tree).into_iter();
    files.map(|file| place(tree.path(file))).collect()
}

fn files(tree: &SourceTree, places: Vec<Utf8PathBuf>) -> Vec<LiveFile> {
    let is_short = tree.count_bytes() <= LONGEST_PROGRAM as u64;
    let files = in_order(tree).into_iter().zip(places);
    let file = |(file, place)| LiveFile {
        place,
        text: is_short.then(|| tree.text(file).to_owned()),
    };
    files.map(file).collect()
}

/// Returns the parts of a program that the programs under trial change.
fn parts(tree: &SourceTree, trials: &[SourceTree]) -> Vec<LivePart> {
    if tree.count_bytes() > LONGEST_PROGRAM as u64 {
        return Vec::new();
    }
    let mut parts = Vec::new();
    for trial in trials {
        for (index, file) in in_order(tree).into_iter().enumerate() {
            let before = tree.text(file);
            let after = trial.find(tree.path(file));
            let after = after.map_or("", |file| trial.text(file));
            let changed = hunks(before, after).into_iter();
            parts.extend(changed.map(|hunk| LivePart {
                file: index,
                bytes: hunk.removed,
            }));
        }
    }
    parts.sort_by(|one, other| {
        let key = |part: &LivePart| (part.file, part.bytes.start, part.bytes.end);
        key(one).cmp(&key(other))
    });
    parts.dedup();
    parts.truncate(MOST_PARTS);
    parts
}

/// Returns some of the sizes, in their order and not too many; the last one is among them.
fn thinned(sizes: &[Size]) -> Vec<Size> {
    let step = sizes.len().div_ceil(MOST_SIZES).max(1);
    let mut thinned: Vec<Size> = sizes.iter().rev().step_by(step).copied().collect();
    thinned.reverse();
    if let (Some(first), Some(kept)) = (sizes.first(), thinned.first_mut()) {
        *kept = *first;
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("lib.rs".into(), Arc::from(text))
    }

    fn shown(live: &Live, text: &str) -> SourceTree {
        let tree = tree(text);
        live.show(&tree, vec!["reduced.rs".into()], false);
        tree
    }

    #[test]
    fn a_program_is_told_once_to_whoever_has_it() {
        let live = Live::default();
        assert_eq!(live.look(0), LiveState::default());
        shown(&live, "fn a() {}");
        let first = live.look(0);
        let file = LiveFile {
            place: "reduced.rs".into(),
            text: Some("fn a() {}".to_owned()),
        };
        assert_eq!((first.program, first.files), (1, Some(vec![file])));
        assert_eq!(live.look(1).files, None);
        shown(&live, "fn a() {}");
        assert_eq!(live.look(1).program, 1, "it is the same");
        shown(&live, "");
        assert_eq!(live.look(1).program, 2);
    }

    #[test]
    fn what_is_under_trial_is_told_while_it_is() {
        let live = Live::default();
        shown(&live, "fn a() {}\nfn b() { x }\n");
        let other = tree("fn a() {}\nfn b() { }\n");
        let unseen = live.trying([&other]);
        assert_eq!(live.look(0).queries_under_way, 0, "nobody has looked");
        drop(unseen);
        let trying = live.trying([&other]);
        let state = live.look(0);
        assert_eq!(state.queries_under_way, 1);
        assert_eq!(state.parts.len(), 1);
        let bytes = state.parts[0].bytes.clone();
        assert!(bytes.contains(&19), "{bytes:?}");
        drop(trying);
        let state = live.look(0);
        assert_eq!((state.queries_under_way, state.parts), (0, vec![]));
    }

    #[test]
    fn a_long_program_is_named_and_not_told() {
        let live = Live::default();
        shown(&live, &"fn f() {}\n".repeat(LONGEST_PROGRAM / 10 + 1));
        let files = live.look(0).files.expect("it is new");
        assert_eq!((files.len(), files[0].text.as_deref()), (1, None));
    }

    #[test]
    fn of_many_sizes_the_first_and_the_last_stay() {
        let size = |number: u64| Size {
            seconds: number as f64,
            tokens: 5000 - number,
        };
        let sizes: Vec<Size> = (0..1000).map(size).collect();
        let thinned = thinned(&sizes);
        assert!(thinned.len() <= MOST_SIZES);
        assert_eq!(thinned.first(), sizes.first());
        assert_eq!(thinned.last(), sizes.last());
        assert!(thinned.is_sorted_by_key(|size| size.seconds));
    }
}
