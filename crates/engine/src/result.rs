//! The end of a reduction: the last look at the result, what is delivered beside it, and the report.

mod bisection;
mod confirm;
mod delivery;
mod finish;
mod for_rustc;
mod in_package;
mod kept;
mod markdown;
mod names;
mod nearest;
mod page;
mod report;
mod reporting;
mod rustc_test;
mod two_files;

pub(crate) use confirm::Loss;
pub(crate) use delivery::beside;
pub(crate) use finish::{Ending, write as write_result};
pub(crate) use for_rustc::as_incremental_test;
