//! The book's page of exit codes has a row for each code, and no other.

use super::{BOOK, document};
use crate::exit::ExitStatus;
use camino::Utf8Path;

/// The code of a row of the table.
fn code(row: &str) -> Option<u8> {
    let (first, _) = row.strip_prefix('|')?.split_once('|')?;
    first.trim().parse().ok()
}

#[test]
fn each_exit_code_has_a_row() {
    let page = document(Utf8Path::new(BOOK).join("exit-codes.md"));
    let codes: Vec<u8> = page.text.lines().filter_map(code).collect();
    assert_eq!(codes, ExitStatus::ALL.map(ExitStatus::code));
}
