//! The decision about candidates: the questions, the oracle that answers them by the compiler, and the threads that ask
//! it.

mod asker;
pub(crate) mod compiler;
mod compiler_oracle;
mod compiler_tools;
mod crates;
mod criteria;
pub(crate) mod flaky;
mod job_facts;
mod loops;
mod oracle;
mod pool;
mod questioner;
mod queue;
mod references;
mod remote;
mod right_values;
mod simulation;
mod stability;
mod workshop;

pub(crate) use asker::{Asking, Question, QuestionId, Reply};
pub(crate) use compiler_oracle::CompilerOracle;
pub(crate) use compiler_tools::CompilerTools;
#[cfg(test)]
pub(crate) use compiler_tools::{JudgedAnew, Told};
pub(crate) use crates::{Crates, text_in};
pub(crate) use job_facts::JobFacts;
#[cfg(test)]
pub(crate) use oracle::Questioner;
pub(crate) use oracle::{Oracle, Refusals, Side};
pub(crate) use pool::Pool;
pub(crate) use references::References;
pub(crate) use remote::RemoteWorkers;
#[cfg(test)]
pub(crate) use right_values::expecting;
pub(crate) use simulation::SimulatedOracle;
pub use simulation::{SimulatedFigures, Simulation};
pub(crate) use stability::{Trial, of_result};
