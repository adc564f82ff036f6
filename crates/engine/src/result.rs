//! The end of a reduction: the last check of the result, the files that are delivered beside it, and the report.
//!
//! - `finish` has all files written, and makes the summary. `confirm` has the last look at the result, and goes back to the last
//!   step that still fails; `kept` says in words what had to stay, and `names` gives the crate its name of the result.
//! - `delivery` finds the least that must stand beside the result, or `in_package` shows it in the user's package; `nearest` finds
//!   programs that are almost the result and do not fail.
//! - `reporting` gathers what `report` makes `report.md` of (`report/of_tool` has what is different for other tools than rustc,
//!   `report/of_test` is that of a failing test), by `markdown` alone where the text is not ours; `page` makes `report.html` of it
//!   (`page/prose` the report, `code` its colours, `steps` the slider's data, `curve` and `tables` the figures).
//! - Other files are made by the functions of the table `BESIDE` from what is `delivered`: `for_rustc` writes what rustc's contributors use, such as
//!   the tests of `rustc_test` and the script of `bisection`, and `two_files` the two programs of an incremental crash.

mod bisection;
mod confirm;
mod delivered;
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

use crate::failure::Failure;
use delivered::Delivered;
pub use page::html_page;

/// A function that writes files beside a result, where the request or the result calls for them.
type WritesFiles = fn(&Delivered<'_>) -> Result<(), Failure>;

/// The functions that write files beside a result, each for another use of these.
const BESIDE: [WritesFiles; 2] = [for_rustc::write, two_files::write];
