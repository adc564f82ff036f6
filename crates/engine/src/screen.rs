//! The second step of a candidate's way: the screen, which refuses candidates without a call of the compiler. They do not
//! parse, lack a name or something that the failure needs, or are equivalent to one that was rejected.

mod check;
mod equivalent_rejections;
mod prefilter;
mod rest;

pub(crate) use check::{Accepted, Check};
pub(crate) use equivalent_rejections::Alike;
pub(crate) use prefilter::Prefilter;
pub(crate) use rest::names_of_rest;
