//! Runs the engine for one request: scratch directory, store, and what happens when it panics. The
//! daemon keeps one runner for all its jobs; a run without the daemon has its own.

use crate::candidate_log::logged;
use crate::error::{DaemonError, one_line};
use crate::home::Home;
use crate::private_dir;
use crate::scratch::ScratchRoot;
use crate::store::SledStore;
use camino::Utf8PathBuf;
use reduce_engine::{
    CacheUse, Cancel, Event, Failure, FailureKind, MemoryStore, ReductionRequest, Site, Store,
    Summary,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// The engine, as a function, so that the daemon can be tested without a compiler.
pub type Reduce = dyn Fn(
        &ReductionRequest,
        &Site,
        &dyn Store,
        &(dyn Fn(Event) + Sync),
        &Cancel,
    ) -> Result<Summary, Failure>
    + Send
    + Sync;

/// What the daemon says when another process has the store.
pub(crate) const HINTS_IN_DAEMON: &[&str] = &[
    "a `cargo reduce --no-daemon` is running: wait for it to end",
    "`--no-cache` works without the store",
];
/// What a run without the daemon says.
pub(crate) const HINTS_IN_PROCESS: &[&str] = &[
    "the daemon has it open: leave out `--no-daemon`, or stop it with `cargo reduce daemon stop`",
    "`--no-cache` works without the store",
];

/// Runs the engine.
pub(crate) struct Runner {
    home: Home,
    scratch: ScratchRoot,
    capture_program: Utf8PathBuf,
    reduce: Arc<Reduce>,
    locked_hints: &'static [&'static str],
    /// Opened for the first job that needs it.
    store: Mutex<Option<Arc<SledStore>>>,
}

impl Runner {
    /// # Errors
    /// Where the directories of `home` cannot be made.
    pub(crate) fn new(
        home: &Home,
        capture_program: Utf8PathBuf,
        reduce: Arc<Reduce>,
        locked_hints: &'static [&'static str],
    ) -> Result<Self, DaemonError> {
        home.protect()?;
        private_dir::ensure_linked(&home.builds())?;
        let scratch = ScratchRoot::create(home)?;
        let store = Mutex::default();
        Ok(Self {
            home: home.clone(),
            scratch,
            capture_program,
            reduce,
            locked_hints,
            store,
        })
    }

    /// Runs the engine and cleans up after it. [`Event::Finished`] is left to the caller, so that
    /// whoever hears of the end finds everything done.
    pub(crate) fn run(
        &self,
        name: &str,
        request: &ReductionRequest,
        emit: &(dyn Fn(Event) + Sync),
        cancel: &Cancel,
    ) -> Result<Summary, Failure> {
        let scratch = self
            .scratch
            .for_job(name)
            .map_err(|error| environment(&error))?;
        let site = Site {
            scratch: scratch.path().to_owned(),
            builds: self.home.builds(),
            capture_program: self.capture_program.clone(),
        };
        let notices = self.home.notice().into_iter();
        for message in notices.chain(self.scratch.notice().map(str::to_owned)) {
            emit(Event::Warning { message });
        }
        let store = self.store_for(request.cache, emit)?;
        let forward = |event: Event| {
            if !matches!(event, Event::Finished(_)) {
                emit(event);
            }
        };
        let reduce = || (self.reduce)(request, &site, store.as_ref(), &forward, cancel);
        let run = || logged(request.log.as_deref(), reduce);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(panicked()))
    }

    fn store_for(
        &self,
        cache: CacheUse,
        emit: &(dyn Fn(Event) + Sync),
    ) -> Result<Arc<dyn Store>, Failure> {
        if cache == CacheUse::ThisRunOnly {
            return Ok(Arc::new(MemoryStore::default()));
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = store.as_ref() {
            return Ok(Arc::clone(store) as Arc<dyn Store>);
        }
        let opened = SledStore::open(&self.home.store());
        let opened = opened.map_err(|error| error.into_failure(self.locked_hints))?;
        if let Some(message) = opened.warning {
            emit(Event::Warning { message });
        }
        Ok(Arc::clone(store.insert(Arc::new(opened.store))) as Arc<dyn Store>)
    }
}

/// A failure of our surroundings.
pub(crate) fn environment(error: &DaemonError) -> Failure {
    Failure {
        kind: FailureKind::Environment,
        message: one_line(error),
        causes: vec![],
        output: None,
        hints: vec![],
    }
}

/// The panic's message went to the standard error, which is the log in the daemon.
fn panicked() -> Failure {
    Failure {
        kind: FailureKind::Environment,
        message: "the engine panicked: this is a bug of cargo-reduce".to_owned(),
        causes: vec![],
        output: None,
        hints: vec!["the same command again goes on from the last accepted step".to_owned()],
    }
}
