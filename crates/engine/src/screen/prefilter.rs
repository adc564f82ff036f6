//! Refuses candidates that lack an essential part of the failure, so that they are not worth compiling.

use reduce_guard::asserts_constants;
use reduce_oracle::{CrashKind, Property};
use reduce_passes::{ExpectedLiterals, count_endless_loops};
use reduce_syntax::SourceTree;

/// The essentials of the failure that no candidate may lose.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prefilter {
    /// Whether the failure is an assertion that compares computed values, so that candidates must
    /// not compare constants alone.
    must_compute: bool,
    /// The literals of the setup that the assertion expects.
    literals: ExpectedLiterals,
    /// The largest number of `loop {}` that a candidate may have; `None` if any number.
    most_loops: Option<usize>,
}

impl Prefilter {
    /// Derives the essentials from a property and the sources that show it.
    pub(crate) fn of(property: &Property, sources: &SourceTree) -> Self {
        let is_assertion = property.signature.kind == CrashKind::Assertion;
        Self {
            must_compute: is_assertion && !asserts_constants(sources),
            literals: ExpectedLiterals::default(),
            most_loops: None,
        }
    }

    /// Allows no `loop {}` that the original does not have: code that the failing run does not come to may run once the
    /// bug is mended.
    pub(crate) fn without_new_loops(&self, original: &SourceTree) -> Self {
        Self {
            most_loops: Some(count_endless_loops(original)),
            ..self.clone()
        }
    }

    /// Adds literals in the setup of a test that candidates must keep.
    pub(crate) fn with_literals(&self, literals: ExpectedLiterals) -> Self {
        Self {
            literals,
            ..self.clone()
        }
    }

    /// Says in words which of the essentials a program has lost; `None` if it has all. `with_literals` says whether it has to keep
    /// those of the setup.
    pub(crate) fn lost_in(&self, sources: &SourceTree, with_literals: bool) -> Option<String> {
        if self.must_compute && asserts_constants(sources) {
            return Some("it compares nothing but constants".to_owned());
        }
        let literals = with_literals.then_some(&self.literals)?;
        let lost = literals.lost_in(sources)?;
        Some(format!(
            "the setup has lost a `{lost}`, on which the right answer may depend"
        ))
    }

    /// Says in words why a program may not end where the original does; `None` if it may.
    pub(crate) fn runs_on_in(&self, sources: &SourceTree) -> Option<&'static str> {
        let n_loops = self.most_loops.map(|_| count_endless_loops(sources));
        (n_loops > self.most_loops).then_some("a `loop {}` may run once the bug is mended")
    }

    /// Describes the essentials, as a part of the keys of stored verdicts; `None` where there are
    /// none.
    pub(crate) fn form(&self) -> Option<String> {
        let has_literals = self.literals != ExpectedLiterals::default();
        let literals = has_literals.then(|| self.literals.form());
        let loops = self.most_loops.map(|_| "no new loops".to_owned());
        let both: Vec<String> = literals.into_iter().chain(loops).collect();
        (!both.is_empty()).then(|| both.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_passes::{FailedAt, Program, expected_literals};
    use std::sync::Arc;

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("tests/a.rs".into(), Arc::from(text))
    }

    #[test]
    fn a_program_is_refused_that_has_lost_what_is_expected() {
        let original = tree("#[test]\nfn t() {\n    let x = f(64);\n    assert_eq!(x, 64);\n}");
        let failed = FailedAt {
            path: "tests/a.rs",
            line: 4,
            column: 5,
        };
        let literals = expected_literals(&Program::new(&original), &failed);
        let prefilter = Prefilter::default().with_literals(literals);
        assert!(prefilter.form().is_some());
        assert_eq!(prefilter.lost_in(&original, true), None);
        let without = tree("fn t() { assert_eq!(f(), 64); }");
        let lost = prefilter.lost_in(&without, true);
        let expected = "the setup has lost a `64`, on which the right answer may depend";
        assert_eq!(lost.as_deref(), Some(expected));
        assert_eq!(prefilter.lost_in(&without, false), None);
        assert_eq!(Prefilter::default().form(), None);
    }

    #[test]
    fn a_test_gets_no_loop_without_an_end() {
        let original = tree("fn f() -> u8 { 1 } fn g() { loop {} }");
        let prefilter = Prefilter::default().without_new_loops(&original);
        assert_eq!(prefilter.runs_on_in(&original), None);
        let looping = tree("fn f() -> u8 { loop {} } fn g() { loop {} }");
        assert!(prefilter.runs_on_in(&looping).is_some());
        assert_eq!(Prefilter::default().runs_on_in(&looping), None);
        assert!(prefilter.form().is_some());
    }

    #[test]
    fn a_program_of_constants_alone_is_refused_where_something_was_computed() {
        let prefilter = Prefilter {
            must_compute: true,
            ..Prefilter::default()
        };
        assert!(
            prefilter
                .lost_in(&tree("fn f() { assert!(1 > 2) }"), true)
                .is_some()
        );
        assert!(
            prefilter
                .lost_in(&tree("fn f() { assert!(g()) }"), true)
                .is_none()
        );
    }
}
