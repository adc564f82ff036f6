//! The long-running half of cargo-reduce: job queue, store, event streams, and the client's way to
//! them. The engine is handed in as a function, so that nothing here needs a compiler.

mod candidate_log;
mod channel;
mod client;
mod clock;
mod error;
mod history;
mod home;
mod job;
mod jobs;
mod local;
mod lock;
mod log;
mod private_dir;
mod runner;
mod same_work;
mod scratch;
mod server;
mod startup;
mod store;
mod update;

pub use client::{Launch, Session, connect, connect_or_start, submit};
pub use error::{DaemonError, StartFailure};
pub use home::Home;
pub use local::LocalRun;
pub use log::StandardError;
pub use runner::Reduce;
pub use server::{Server, ServerOptions};
pub use startup::{StartedBy, serve};
pub use store::{OpenError, Opened, SledStore};
pub use update::Update;
