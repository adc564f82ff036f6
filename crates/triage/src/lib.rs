//! Triage: which of many crashes of the compiler are one bug.
//!
//! This crate starts no process and touches no file. It is told what was seen of each input, says which programs have to be
//! reduced, and makes groups of the results. All of it is a function of the set of inputs: neither their order nor how many
//! compilers run at a time changes anything.
//!
//! - `form` writes a program so that another one which differs in names, in the order of its items and in visibility alone
//!   reads the same.
//! - `listing` reads lists of files with flags, and the lines at the top of a file that ask for flags.
//! - `grouping` makes classes of crashes by signature and the form of their cores, and groups of classes by the form of the
//!   reduced programs. Why no two bugs share a group is said there.
//! - `record` is `triage.json`. `page` is the page for people, and `table` the table for a terminal.

mod form;
mod grouping;
mod listing;
mod page;
mod record;
mod table;

pub use form::form;
pub use grouping::{Class, Crashed, Group, Reduced, bug, classes, groups, key};
pub use listing::{Listed, NotAList, flags_at_top, read_list};
pub use page::page_body;
pub use record::{
    Confirmed, GroupRecord, KnownRecord, Member, Other, ReducedRecord, TRIAGE_VERSION,
    ToolchainRecord, Triage, group_records,
};
pub use table::{counted, table};
