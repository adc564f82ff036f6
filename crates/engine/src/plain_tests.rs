//! Tests of other kinds as plain ones: `reduce_gather` writes them for `reduce_oracle`, which does not know
//! what syntax is.

use reduce_gather::{OfDoc, doc_test};
use reduce_oracle::{DocTest, PlainTests};

/// Writes what `reduce_gather` can write.
pub(crate) struct WrittenTests;

impl PlainTests for WrittenTests {
    fn of_doc(&self, doc: &DocTest<'_>) -> Option<String> {
        doc_test(&OfDoc {
            source: doc.source,
            line: doc.line,
            name: doc.name,
            library: doc.library,
            edition: doc.edition.parse().ok()?,
        })
    }
}
