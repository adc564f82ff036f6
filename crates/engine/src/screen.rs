//! The screen, which refuses candidates without a call of the compiler. Those that are refused do not parse, lack a
//! name or something that the failure needs, or their verdict is known, as that of an equivalent one is.

mod check;
mod equivalent_rejections;
mod known_verdicts;
mod prefilter;
mod rest;

pub(crate) use check::{Accepted, Check};
pub(crate) use known_verdicts::KnownVerdicts;
pub(crate) use prefilter::Prefilter;
pub(crate) use rest::names_of_rest;
