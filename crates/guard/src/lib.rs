//! "It still shows the same bug": what keeps a reduced test about the bug that it fails for.
//!
//! The code under test (`code_under_test`) is compiled once with switches (`switches`, and `rest` for the crate of a
//! unit test, with as many of them as compile: `compiling`). What cannot flow into the assertion that fails is left out
//! (`isolate`), and the test is run (`trial`) under the mutants that it passes (`outcomes`, each an `outcome`). A few of them that tell much
//! and break few other tests (`other_tests`, in each `test_target`, of which `quick_tests` are run but for `random_tests`, also of `tests_beside`; `plausible`) are `asked` about each
//! candidate, unless that would be a `weakness`. They also show where to look (`suspicion`): which lines change the outcome, and a change that may be right
//! (`diff`). With `--whole` they say what of the code under test has to stay (`keep_set`, and `marked` points in its text). Where another version says what is
//! right, the test is isolated without mutants (`version`).
//!
//! - `mutation` prepares all that, in the surroundings that `context` has, and says in `prepared` what it found: `facts` about the
//!   code under test, of which `figures` are told to the user. `asserting` finds the functions of it that assert something for their callers.
//! - `package_spec` names the packages that are mutated, and `error` says why no guard can be made.
//!
//! No process is started here: the oracle compiles and runs what the guard makes.

mod asked;
mod asserting;
mod code_under_test;
mod compiling;
mod context;
mod diff;
mod error;
mod facts;
mod figures;
mod isolate;
mod keep_set;
mod marked;
mod mutation;
mod other_tests;
mod outcome;
mod outcomes;
mod package_spec;
mod plausible;
mod prepared;
mod quick_tests;
mod random_tests;
mod rest;
mod suspicion;
mod switches;
mod test_target;
#[cfg(test)]
mod testing;
mod tests_beside;
mod trial;
mod version;
mod weakness;

pub use asked::Guard;
pub use compiling::compiling;
pub use context::{CodePlace, CrateInParts, GuardContext};
pub use error::{GuardError, NotMutable};
pub use figures::{CodeUnderTest, Function, Guess, LineChange, SuspiciousLine};
pub use marked::{MarkedCode, OtherTexts, PointGone, has_points, points_in, without_points};
pub use mutation::prepare;
pub use package_spec::{NotAPackage, PackageSpec};
pub use prepared::Prepared;
pub use version::isolate_for_version;
