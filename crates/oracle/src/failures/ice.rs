//! `--ice`: the compiler crashes.

use super::failure::Failure;
use crate::evidence::crash::crash_in;
use crate::search::failure_info::{DirectoryWord, FailureInfo, Needed};

/// A crash of rustc.
pub(super) struct Ice;

impl Failure for Ice {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            // The first of all uses, so that a directory is called after the package alone.
            directory: DirectoryWord::complete("ice").needed(Needed::WithTarget),
            shows_in_cargo: true,
            as_hang: Some(vec![]),
            ..FailureInfo::of("a crash")
        }
    }

    fn shows_in_doc_test(&self, said: &str) -> bool {
        crash_in(said, None).is_some()
    }
}
