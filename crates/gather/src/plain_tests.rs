//! Writes tests of other kinds (benchmarks, doc tests, fuzz targets, properties, tables of cases) as plain `#[test]` functions,
//! of which every part can be reduced.
//!
//! - `doc_block`: the code of a doc test, as it stands in a comment. `doc_test`: this code as the file of an
//!   integration test.
//! - `test_file`: the file of such a test, and the change of it.
//! - `failing_case`: the failing case of a test that has several. `tables` takes it from attributes of rstest and
//!   test_case, `properties` and `quick` from what proptest and quickcheck print, and `debug_value` reads values
//!   back that were printed with `{:?}`.
//! - `benches`: a benchmark that does once what it repeats.
//! - `fuzz_target`: a fuzz target with the input that makes it fail, as the file of an integration test.

mod benches;
mod debug_value;
mod doc_block;
mod doc_test;
mod failing_case;
mod fuzz_target;
mod properties;
mod quick;
mod tables;
mod test_file;

pub use doc_test::{FencedCode, OfDoc, doc_test};
pub use failing_case::{FailingCase, PlainTest, failing_case};
pub use fuzz_target::{FuzzTest, fuzz_test};
