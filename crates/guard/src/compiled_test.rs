//! The test as it was compiled with the switches of the code under test.

use reduce_oracle::{TimeSpent, Worker};

/// A worker that holds the program of a test.
pub(crate) struct CompiledTest {
    pub(crate) worker: Worker,
    /// The time that it took to compile the test.
    pub(crate) compiling: TimeSpent,
}
