//! The daemon: one socket, several clients, several jobs.
//!
//! The lock file is held for the daemon's whole life and before a socket is unlinked, so that no
//! daemon ever removes the socket of another that lives.

mod connection;
mod idle;
mod lifetime;
mod status;

use crate::channel::MessageWriter;
use crate::disk::{Disk, DiskShare};
use crate::error::DaemonError;
use crate::home::Home;
use crate::job::{End, Job};
use crate::jobs::{Jobs, cancelled_before_it_began};
use crate::lock::{self, FileLock};
use crate::log::{self, Log, StandardError};
use crate::private_dir;
use crate::runner::{HINTS_IN_DAEMON, Reduce, Runner};
use crate::turns::{JobTurns, SharedTurns};
use camino::Utf8PathBuf;
use idle::Idle;
use reduce_engine::{Event, Failure};
use reduce_platform::sockets::{self, Socket};
use reduce_protocol::Hello;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// The options of a daemon.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The identity that the daemon tells its clients.
    pub hello: Hello,
    /// The time without jobs and clients after which the daemon leaves.
    pub idle_exit: Duration,
    /// The time that the daemon waits for cancelled jobs to write their results when it is told to leave.
    pub grace: Duration,
    /// The number of queries of several jobs that may be under way at once.
    pub workers: usize,
    /// The number of jobs that may run at once.
    pub most_running: usize,
    /// The room that all jobs together may take on the disk.
    pub disk_limit_bytes: u64,
    /// The executable that records calls of the compiler: see [`reduce_engine::Site::capture_program`].
    pub capture_program: Utf8PathBuf,
    /// The use of the process's standard error.
    pub standard_error: StandardError,
}

/// A daemon that listens, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    home: Home,
    options: ServerOptions,
    log: Log,
    socket: Socket,
    _lock: FileLock,
}

/// The state that all connections share.
struct Shared {
    options: ServerOptions,
    log: Log,
    jobs: Jobs,
    turns: SharedTurns,
    disk: Disk,
    runner: Runner,
    began: Instant,
    /// The number of clients that are connected.
    clients: watch::Sender<usize>,
    /// The number of tasks that are sending the events of a job to a client.
    deliveries: watch::Sender<usize>,
    /// The clients that say nothing and wait for no job.
    idle: Idle,
    /// The number of bytes that clients have sent and that are no whole message yet.
    unread: Arc<AtomicUsize>,
    /// Wakes the server when a client has asked the daemon to leave.
    stop: Notify,
}

type Writer = tokio::sync::Mutex<MessageWriter<sockets::Writer>>;

impl Server {
    /// Makes a daemon that has the lock and the socket, and does not answer clients yet.
    ///
    /// # Errors
    /// Where another daemon runs, the system has no sockets, or the directories, log or socket cannot be made.
    pub fn bind(home: &Home, options: ServerOptions) -> Result<Self, DaemonError> {
        if !sockets::are_there() {
            return Err(DaemonError::NoSockets);
        }
        home.protect()?;
        private_dir::ensure(&home.run)?;
        let lock = lock::acquire(&home.lock())?;
        let lock = lock.ok_or_else(|| DaemonError::AlreadyRunning { path: home.lock() })?;
        let log = Log::open(home.log(), options.standard_error)?;
        let socket = bind(home)?;
        // The logs that an earlier daemon left are of jobs that nobody lists any more.
        let _ = reduce_engine::remove_tree(home.job_logs().as_std_path());
        private_dir::ensure(&home.job_logs())?;
        log.write(format!(
            "daemon {} (pid {}) listens on {}",
            options.hello.version,
            std::process::id(),
            home.socket()
        ));
        Ok(Self {
            home: home.clone(),
            options,
            log,
            socket,
            _lock: lock,
        })
    }

    /// Serves until it is idle for long enough, told to leave, or gets TERM, INT or HUP. Jobs that
    /// run then are cancelled and waited for; the socket is removed.
    ///
    /// # Errors
    /// Where a thread, the scratch directory or a signal handler cannot be had.
    pub fn run(self, reduce: Arc<Reduce>) -> Result<(), DaemonError> {
        let program = self.options.capture_program.clone();
        let runner = Runner::new(&self.home, program, reduce, HINTS_IN_DAEMON)?;
        let shared = Shared::new(self.options, self.log, &self.home, runner);
        let shared = Arc::new(shared);
        let worker = start_worker(Arc::clone(&shared))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(DaemonError::Runtime)?;
        let served = runtime.block_on(lifetime::serve(self.socket, Arc::clone(&shared)));
        // Also when it failed: a socket that nobody listens on only misleads.
        let _ = std::fs::remove_file(self.home.socket());
        if *shared.jobs.active().borrow() == 0 {
            shared.jobs.close();
            // A panic of its was logged.
            let _ = worker.join();
        }
        shared.log.write("daemon leaves");
        served
    }
}

impl Shared {
    fn new(options: ServerOptions, log: Log, home: &Home, runner: Runner) -> Self {
        let turns = SharedTurns::new(options.workers);
        Self {
            jobs: Jobs::new(options.most_running, turns.clone(), home.job_logs()),
            disk: runner.disk(options.disk_limit_bytes),
            options,
            log,
            runner,
            turns,
            began: Instant::now(),
            clients: watch::Sender::new(0),
            deliveries: watch::Sender::new(0),
            idle: Idle::default(),
            unread: Arc::default(),
            stop: Notify::new(),
        }
    }
}

/// Makes the daemon's socket, in place of a stale one. The caller holds the lock, so that no other daemon has a socket there.
fn bind(home: &Home) -> Result<Socket, DaemonError> {
    let path = home.socket();
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(DaemonError::io("remove stale socket", path)(error));
        }
        _ => {}
    }
    Socket::bind(path.as_std_path()).map_err(DaemonError::io("listen on", &path))
}

/// Starts the thread that begins jobs, each in a thread of its own, and waits for them when the queue
/// is closed. A job that outlives the grace ends with the process.
fn start_worker(shared: Arc<Shared>) -> Result<JoinHandle<()>, DaemonError> {
    let work = move || {
        let mut running: Vec<JoinHandle<()>> = Vec::new();
        while let Some((job, turns)) = shared.jobs.take_next() {
            running.retain(|thread| !thread.is_finished());
            let (taken, in_thread) = (Arc::clone(&job), Arc::clone(&shared));
            let work = move || {
                let turns = Arc::new(turns);
                let end = begin_job(&in_thread, &taken, &turns);
                in_thread.jobs.finish(&taken, end);
            };
            match reduce_engine::thread("engine").spawn(work) {
                Ok(thread) => running.push(thread),
                Err(error) => {
                    let failure = Failure::io("start a thread", &error);
                    shared.jobs.finish(&job, End::Failed(failure));
                }
            }
        }
        for thread in running {
            // A panic of its was logged.
            let _ = thread.join();
        }
    };
    let thread = reduce_engine::thread("jobs");
    thread.spawn(work).map_err(DaemonError::Runtime)
}

/// Runs a job once there is room for it on the disk.
fn begin_job(shared: &Shared, job: &Job, turns: &Arc<JobTurns>) -> End {
    let note = |what: String| {
        shared.log.write(format!("job {}: {what}", job.id));
        job.set_waiting(true);
        job.push(Event::Preparing { what });
    };
    let room = shared.disk.wait_for_room(&job.cancel, &note);
    job.set_waiting(false);
    match room {
        Ok(Some(share)) => run_job(shared, job, turns, share),
        Ok(None) => End::Failed(cancelled_before_it_began()),
        Err(failure) => End::Failed(failure),
    }
}

fn run_job(shared: &Shared, job: &Job, turns: &Arc<JobTurns>, share: DiskShare) -> End {
    let (id, request, log) = (job.id, &job.request, &shared.log);
    log.write(format!("job {id} begins: {}", request.output));
    let emit = |event: Event| {
        if let Some(line) = log::describe(&event) {
            log.write(format!("job {id}: {line}"));
        }
        job.push(event);
    };
    let control = job.control(Arc::<JobTurns>::clone(turns));
    let ran = shared
        .runner
        .run(&format!("job-{id}"), request, &emit, &control);
    drop(share);
    match ran {
        Ok(summary) => {
            emit(Event::Finished(Box::new(summary)));
            End::Finished
        }
        Err(failure) => {
            log.write(format!("job {id} failed: {failure}"));
            End::Failed(failure)
        }
    }
}
