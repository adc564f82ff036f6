//! Tests of other kinds written as plain ones: `#[test]` functions, of which every part can be reduced.
//!
//! - `doc_block`: the code of a doc test, as it stands in a comment.
//! - `doc_test`: this code as the file of an integration test.

mod doc_block;
mod doc_test;

pub use doc_test::{OfDoc, doc_test};
