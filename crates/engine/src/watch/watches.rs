//! The watches of one reduction: its sources, and its result.

use super::files::FileWatch;
use super::inputs::watch_sources;
use super::looking::{Looking, Watch};
use super::notices::may_change;
use camino::Utf8Path;
use notify::{RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The watches of one reduction. What could not be watched is not noticed.
#[derive(Default)]
pub(crate) struct Watches {
    sources: Option<RefCell<SourceWatch>>,
    result: Option<ResultWatch>,
}

struct SourceWatch {
    files: FileWatch,
    origin: camino::Utf8PathBuf,
    told: BTreeSet<String>,
}

struct ResultWatch {
    touched: Arc<AtomicBool>,
    /// The watcher, which tells of changes for as long as it is there.
    _watcher: RecommendedWatcher,
}

impl Watches {
    /// Watches the sources in `origin` of which `copy` is a copy, and the result in `output`. Returns
    /// with it what could not be watched, for the user.
    pub(crate) fn start(
        origin: &Utf8Path,
        copy: &Utf8Path,
        output: &Utf8Path,
    ) -> (Self, Option<String>) {
        let sources = watch_sources(origin, copy, output);
        let result = ResultWatch::start(output);
        let warning = match (&sources, &result) {
            (Err(error), _) => Some(format!(
                "changes of your sources will not be noticed: {error}"
            )),
            (_, Err(error)) => Some(format!("edits of the result will be noticed late: {error}")),
            _ => None,
        };
        let sources = sources.ok().map(|files| {
            let (origin, told) = (origin.to_owned(), BTreeSet::new());
            RefCell::new(SourceWatch {
                files,
                origin,
                told,
            })
        });
        let result = result.ok();
        (Self { sources, result }, warning)
    }
}

impl Watch for Watches {
    fn result_was_touched(&self) -> bool {
        let swap = |result: &ResultWatch| result.touched.swap(false, Ordering::SeqCst);
        self.result.as_ref().is_some_and(swap)
    }

    fn changed_sources(&self, looking: Looking) -> Vec<String> {
        let Some(sources) = &self.sources else {
            return Vec::new();
        };
        let SourceWatch {
            files,
            origin,
            told,
        } = &mut *sources.borrow_mut();
        let mut changed = match looking {
            Looking::WhereTold => files.changed(),
            Looking::Everywhere => files.changed_anywhere(),
        };
        changed.retain(|path| told.insert(path.to_string()));
        let name = |path: &camino::Utf8PathBuf| {
            let inner = path.strip_prefix(&*origin).unwrap_or(path);
            inner.to_string()
        };
        changed.iter().map(name).collect()
    }
}

impl ResultWatch {
    /// Watches the result. The directory may be one in which others work too, so only what is ours in
    /// it is watched deeply.
    fn start(output: &Utf8Path) -> notify::Result<Self> {
        let touched = Arc::new(AtomicBool::new(false));
        let flag = touched.clone();
        let mut watcher = recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| may_change(&event)) {
                flag.store(true, Ordering::SeqCst);
            }
        })?;
        watcher.watch(output.as_std_path(), RecursiveMode::NonRecursive)?;
        for inner in ["reduced", crate::auxiliary::AUXILIARY] {
            let inner = output.join(inner);
            if inner.is_dir() {
                watcher.watch(inner.as_std_path(), RecursiveMode::Recursive)?;
            }
        }
        let _watcher = watcher;
        Ok(Self { touched, _watcher })
    }
}
