//! Guards of failing tests: what holds a reduced test to the bug that it fails for.
//!
//! `guard` is the trait that the engine asks: it says what the preparation has found (`findings`), what may be done to a program
//! (`leeway`), in which form a candidate is asked about and in which runs, and what they have shown (`figures`). There are three
//! guards, of which `prepare` makes one, in the surroundings that `context` has:
//!
//! - `mutation_guard` holds a test to its outcomes under mutants of the code under test. Its `preparation` compiles that
//!   (`code_under_test`) with switches, what is large in two steps (`switches`, and `rest` for the crate of a unit test, with as many of them as
//!   compile: `compiling`), and the test with it (`compiled_test`). What cannot flow into the assertion that fails is left out (`isolate`), and the test is run
//!   (`trial`) under the mutants that it passes (`outcomes`, each an `outcome`; of many, those `nearby` what changes one). A few of them that tell much and break few other
//!   tests (`plausible`) are the `asked_mutants`, unless that would be a `weakness`. The `other_tests` are in each `test_target`,
//!   of which `quick_tests` are run but for `random_tests`; some are `tests_beside` the failing one. `asserting` finds the functions of the
//!   code under test that assert something for their callers. The `facts` also show where to look (`suspicion`): which lines
//!   change the outcome, and a change that may be right (`diff`). A test that was `written_anew` is judged (`anew`) by those that
//!   mend the original. Where no mutant tells anything, and the code under test panics, the `calls` that lead there are held. With `--whole` they say what of the code under test has to
//!   stay (`keep_set`): it has points that are `marked`.
//! - `version_guard` isolates a test that a good version passes, which says what is right.
//! - `no_guard` holds nothing.
//!
//! `entered_functions` finds which functions a smaller program still has to enter.
//! What a program does not enter where it is run (`entered_blocks`) may be emptied, as far as a guard permits.
//!
//! `assertions` finds tests that compare constants, which show no bug. `fidelity` says how faithful the result is to the cause, `package_spec` names packages that are mutated, and `error` says why no
//! guard can be made. No process is started here: the oracle compiles and runs what a guard makes.

mod anew;
mod asked_mutants;
mod asserting;
mod assertions;
mod calls;
mod code_under_test;
mod compiled_test;
mod compiling;
mod context;
mod diff;
mod entered_blocks;
mod entered_functions;
mod error;
mod facts;
mod fidelity;
mod figures;
mod findings;
mod guard;
mod isolate;
mod keep_set;
mod leeway;
mod marked;
mod mutation_guard;
mod nearby;
mod no_guard;
mod other_tests;
mod outcome;
mod outcomes;
mod package_spec;
mod plausible;
mod preparation;
mod prepare;
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
mod version_guard;
mod weakness;
mod written_anew;

pub use anew::Judgement;
pub use assertions::asserts_constants;
pub use context::{CodePlace, CrateInParts, GuardContext};
pub use error::{GuardError, NotMutable};
pub use fidelity::Fidelity;
pub use figures::{CodeUnderTest, Function, Guess, LineChange, SuspiciousLine};
pub use findings::Findings;
pub use guard::{Guard, MakeWorker};
pub use leeway::{KeptOfStrings, Leeway};
pub use marked::{OtherTexts, PointGone, has_points, points_in, without_points};
pub use package_spec::{NotAPackage, PackageSpec};
pub use prepare::{GuardKind, prepare};
