//! Questions about candidates: what the search needs of an oracle, the real one, and the threads that
//! ask it.

mod ask;
mod asker;
pub(crate) mod compiler;
mod compiler_tools;
mod crates;
pub(crate) mod flaky;
mod good_version;
mod job_facts;
mod link;
mod loops;
mod pool;
mod prefilter;
mod questioner;
mod queue;
mod references;
mod remote;
mod rest;
mod screen;
mod simulation;
mod stability;

#[cfg(test)]
pub(crate) use ask::Questioner;
pub(crate) use ask::{Oracle, Refusals, Side};
pub(crate) use asker::{Asking, Question, QuestionId, Reply};
pub(crate) use compiler_tools::CompilerTools;
#[cfg(test)]
pub(crate) use compiler_tools::Told;
pub(crate) use crates::{Crates, text_in};
pub(crate) use job_facts::JobFacts;
pub(crate) use link::CompilerOracle;
pub(crate) use pool::Pool;
pub(crate) use references::References;
pub(crate) use remote::RemoteWorkers;
pub(crate) use screen::{Accepted, Check};
pub(crate) use simulation::SimulatedOracle;
pub use simulation::{SimulatedFigures, Simulation};
pub(crate) use stability::{Trial, of_result};
