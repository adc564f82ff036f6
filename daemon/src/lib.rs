//! The process in the background of cargo-reduce: the queue of jobs, the store, the streams of events,
//! and the client's way to them. The engine is handed in as a function, so that nothing here needs a
//! compiler.
//!
//! # Modules
//!
//! - `home` says where everything lives, `private_dir` makes directories that only the user can enter,
//!   and `lock` makes locks that end with their process.
//! - `startup` is how a daemon begins, in the foreground or for a client that waits for it.
//! - `server` listens on the socket. `server/connection` serves one client, and `server/lifetime` says
//!   when the daemon may leave. `server/idle` chooses the client that goes where there are too many.
//! - `jobs` are those that run, wait or ended, `job` is one job with all who read its events, and `history` is what a
//!   client that comes late is told. `job_log` is the file in which what happened stays, and
//!   `candidate_log` the one that says what became of each candidate.
//! - `schedule` decides whose turn it is where several jobs want the workers, and `turns` lets them wait for it.
//!   `capacity` says how many jobs there is memory for, and `disk` has jobs wait that would need too much of the disk.
//! - `same_work` decides whether two requests are one job, by the variables that are read once the
//!   baseline is known.
//! - `runner` runs the engine for a request, and `scratch` gives it a directory, in memory where there
//!   is room.
//! - `store` keeps verdicts and accepted steps in sled. `store/open` handles newer and damaged stores,
//!   and `store/rescue` keeps what can be read of a damaged one. `store/verdicts` keeps two generations
//!   of verdicts, and `store/verdict_code` is their encoding. `store/checkpoints` keeps the accepted
//!   steps, and `store/space` looks at the room that is left on the disk.
//! - `builds` has a place for what cargo compiles for each job, and `cache` looks after all that is kept.
//! - `client` finds a daemon. `client/start` starts one where there is none, and `client/session` agrees
//!   on a version, submits a request, and listens.
//! - `local` runs the engine in the client's own process, and `update` is what a client is told either
//!   way.
//! - `channel` sends messages over a stream of bytes, `log` is the bounded log file, `clock` makes its
//!   time stamps, and `error` says what can go wrong between a client and its daemon.

mod builds;
mod cache;
mod candidate_log;
mod capacity;
mod channel;
mod client;
mod clock;
mod disk;
mod error;
mod history;
mod home;
mod job;
mod job_log;
mod jobs;
#[cfg(test)]
mod limited;
mod local;
mod lock;
mod log;
mod private_dir;
mod runner;
mod same_work;
mod schedule;
mod scratch;
mod server;
mod startup;
mod store;
mod turns;
mod update;

pub use cache::look_after;
pub use capacity::most_running;
pub use client::{Launch, Session, connect, connect_or_start, submit};
pub use error::{DaemonError, StartFailure};
pub use home::Home;
pub use job_log::{JobLogEntry, JobLogLine};
pub use local::{LocalRun, LocalSite, ThreadSite};
pub use log::StandardError;
pub use runner::Reduce;
pub use server::{Server, ServerOptions};
pub use startup::{StartedBy, serve};
pub use store::{OpenError, Opened, SledStore};
pub use update::Update;
