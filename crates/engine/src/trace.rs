//! The log of candidates (`--log`), for a developer who wants to know why an edit was not accepted.
//! It goes to whoever listens in the thread of the search; where nobody does, nothing of it is
//! made.
//!
//! Candidates are told when the search uses their verdicts, in the order in which it proposed them. So
//! the log does not depend on how many questions are under way at once, but for two things: the numbers
//! of tickets, as what was proposed ahead of time and has become void has one, too; and whether the
//! compiler was stopped at a new error, or had come to its end before that was noticed.

mod changes;
mod listener;
mod record;

pub(crate) use listener::is_on;
pub use listener::traced;
pub(crate) use record::{Decision, Proposer, Record, begin_stage, grows, left_out};
