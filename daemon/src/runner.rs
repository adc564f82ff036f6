//! Runs the engine for one request: scratch directory, store, and what happens when it panics. The
//! daemon keeps one runner for all its jobs; a run without the daemon has its own.

use crate::builds::Builds;
use crate::cache;
use crate::candidate_log::logged;
use crate::disk::Disk;
use crate::error::{DaemonError, one_line};
use crate::home::Home;
use crate::job::Asked;
use crate::private_dir;
use crate::scratch::{JobScratch, ScratchRoot};
use crate::store::SledStore;
use camino::Utf8PathBuf;
use reduce_engine::{
    CacheUse, Control, Event, Failure, MemoryStore, ReductionRequest, Site, Store, Summary,
};
use reduce_protocol::{CacheCommand, CacheReply};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// The engine, as a function, so that the daemon can be tested without a compiler.
pub type Reduce = dyn Fn(
        &ReductionRequest,
        &Site,
        &dyn Store,
        &(dyn Fn(Event) + Sync),
        &Control,
    ) -> Result<Summary, Failure>
    + Send
    + Sync;

/// The hints of the daemon when another process has the store.
pub(crate) const HINTS_IN_DAEMON: &[&str] = &[
    "a `cargo reduce --no-daemon` is running: wait for it to end",
    "`--no-cache` works without the store",
];
/// The hints of a run without the daemon when another process has the store.
pub(crate) const HINTS_IN_PROCESS: &[&str] = &[
    "the daemon has it open: leave out `--no-daemon`, or stop it with `cargo reduce daemon stop`",
    "`--no-cache` works without the store",
];

/// Runs the engine for jobs, with the store, scratch directories and compiled dependencies that they need.
pub(crate) struct Runner {
    home: Home,
    scratch: ScratchRoot,
    capture_program: Utf8PathBuf,
    reduce: Arc<Reduce>,
    locked_hints: &'static [&'static str],
    /// The store, which is opened for the first job that needs it.
    store: Mutex<Option<Arc<SledStore>>>,
    builds: Builds,
}

impl Runner {
    /// Makes a runner with the directories of `home`; the store is not opened yet.
    ///
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
            builds: Builds::new(home),
        })
    }

    /// Makes the account of the disk that the jobs share, of which they may take `limit_bytes` together.
    pub(crate) fn disk(&self, limit_bytes: u64) -> Disk {
        let scratch = self.scratch.path().to_owned();
        Disk::new(limit_bytes, &self.home, scratch, self.builds.clone())
    }

    /// Runs the engine and cleans up after it. [`Event::Finished`] is left to the caller, so that
    /// whoever hears of the end finds everything done.
    pub(crate) fn run(
        &self,
        name: &str,
        request: &ReductionRequest,
        emit: &(dyn Fn(Event) + Sync),
        control: &Control,
    ) -> Result<Summary, Failure> {
        let scratch = self.scratch_for(name, request);
        let scratch = scratch.map_err(|error| environment(&error))?;
        let builds = self.builds.place(request);
        let builds = builds.map_err(|error| {
            let path = self.home.builds();
            environment(&DaemonError::io("create a directory in", path)(error))
        })?;
        let site = Site {
            scratch: scratch.path().to_owned(),
            builds: builds.path.clone(),
            capture_program: self.capture_program.clone(),
        };
        let usual = self.scratch.notice().filter(|_| !has_own_place(request));
        let notices = self.home.notice().into_iter();
        for message in notices.chain(usual.map(str::to_owned)) {
            emit(Event::Warning { message });
        }
        let store = self.store_for(request.cache, emit)?;
        let forward = |event: Event| {
            if !matches!(event, Event::Finished(_)) {
                emit(event);
            }
        };
        let reduce = || (self.reduce)(request, &site, store.as_ref(), &forward, control);
        let run = || logged(request.log.as_deref(), reduce);
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(panicked()))
    }

    /// Makes the scratch directory of a job, not in memory if the job has a launcher, as processes elsewhere could not see it.
    fn scratch_for(
        &self,
        name: &str,
        request: &ReductionRequest,
    ) -> Result<JobScratch, DaemonError> {
        match &request.scratch {
            Some(place) => ScratchRoot::for_job_in(place, name),
            None if has_own_place(request) => {
                ScratchRoot::for_job_in(&self.home.base.join("scratch"), name)
            }
            None => self.scratch.for_job(name),
        }
    }

    fn store_for(
        &self,
        cache: CacheUse,
        emit: &(dyn Fn(Event) + Sync),
    ) -> Result<Arc<dyn Store>, Failure> {
        if cache == CacheUse::ThisRunOnly {
            return Ok(Arc::new(MemoryStore::default()));
        }
        let (store, warning) = self.open_store()?;
        if let Some(message) = warning {
            emit(Event::Warning { message });
        }
        Ok(store)
    }

    /// Carries out a command about the cache that is kept across jobs. `asked` is what the jobs of this process have asked.
    pub(crate) fn look_after(&self, command: &CacheCommand, asked: Asked) -> CacheReply {
        match self.open_store() {
            Ok((store, _)) => cache::follow(&store, &self.builds, Some(asked), command),
            Err(failure) => CacheReply::Failed(failure.to_string()),
        }
    }

    /// Returns the store, with a warning for the user if it was opened only now and was damaged.
    ///
    /// One that has failed is opened again once no job has it any more.
    fn open_store(&self) -> Result<(Arc<SledStore>, Option<String>), Failure> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.take_if(|store| store.has_failed() && Arc::strong_count(store) == 1);
        if let Some(store) = store.as_ref() {
            return Ok((Arc::clone(store), None));
        }
        let opened = SledStore::open(&self.home.store());
        let opened = opened.map_err(|error| error.into_failure(self.locked_hints))?;
        let store = store.insert(Arc::new(opened.store));
        Ok((Arc::clone(store), opened.warning))
    }
}

/// Returns whether the candidates of a request are compiled in another directory than usual.
fn has_own_place(request: &ReductionRequest) -> bool {
    request.scratch.is_some() || !request.launcher.is_empty()
}

/// Makes the failure of a job from an error of our surroundings, such as a full disk.
pub(crate) fn environment(error: &DaemonError) -> Failure {
    Failure::environment(one_line(error))
}

/// Makes the failure of a job whose engine panicked. The panic's message went to standard error, which is the log in the daemon.
fn panicked() -> Failure {
    Failure::environment("the engine panicked: this is a bug of cargo-reduce")
        .hint("the same command again goes on from the last accepted step")
}
