//! A test with cases, such as one of rstest or proptest: the failing case is written as a plain test into the copy
//! of the workspace, compiled by the same call, and taken if it fails in the same way.

use crate::error::OracleError;
use crate::plain_tests::{FailingCase, PlainTest};
use crate::search::context::BaselineContext;
use crate::search::original::outside::linked;
use crate::search::original::target::{FailingTest as Failing, Listed, Target};
use crate::signature::{CrashKind, Signature};
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};

/// The beginning of quickcheck's message where a property is false: it prints no values but the arguments.
const FALSE_PROPERTY: &str = "[quickcheck] TEST FAILED. Arguments";

/// Returns the plan of the failing case in place of its test, where the test has several and one can be written.
///
/// # Errors
/// Where something cannot be run or written.
pub(super) fn plain(
    target: &Target,
    test: &Failing,
    context: &BaselineContext<'_>,
) -> Result<Option<(Target, Failing)>, OracleError> {
    let Some((path, text)) = file_with_cases(target, test, context) else {
        return Ok(None);
    };
    let ran = target.run(&test.execution.args, context)?;
    let cases = Cases {
        target,
        test,
        printed: &format!("{}\n{}", ran.stdout, ran.stderr),
        context,
    };
    let written = context
        .plain_tests
        .of_case(&text, &test.name, cases.printed);
    let found = match written {
        FailingCase::Plain | FailingCase::Unreadable => None,
        FailingCase::Written(ways) => cases.first_of(&ways, &path)?,
    };
    if found.is_none() {
        files::replace(&path, &text)?;
        context.remark(&format!(
            "the failing case of `{}` could not be written as a plain test: the test is reduced as it is",
            test.name
        ));
    }
    Ok(found)
}

/// Returns the file that has the test, with its text, if it is a test with cases. A plain test is not run for
/// that.
fn file_with_cases(
    target: &Target,
    test: &Failing,
    context: &BaselineContext<'_>,
) -> Option<(Utf8PathBuf, String)> {
    let inputs = &target.plan.inputs;
    let sources = inputs
        .files
        .iter()
        .filter(|path| path.extension() == Some("rs"));
    let mut texts = sources.filter_map(|path| {
        let path = inputs.tree.join(path);
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path, text))
    });
    texts.find(|(_, text)| context.plain_tests.of_case(text, &test.name, "") != FailingCase::Plain)
}

/// A test with cases, and how it failed.
struct Cases<'a> {
    target: &'a Target,
    test: &'a Failing,
    printed: &'a str,
    context: &'a BaselineContext<'a>,
}

impl Cases<'_> {
    /// Returns the first of several ways to write the case that compiles, and fails in the same way.
    fn first_of(
        &self,
        ways: &[PlainTest],
        path: &Utf8Path,
    ) -> Result<Option<(Target, Failing)>, OracleError> {
        (self.context.note)("writing the failing case as a plain test");
        for way in ways {
            files::replace(path, &way.text)?;
            let Some(executable) = linked(&self.target.plan, self.context)? else {
                continue;
            };
            let target = Target {
                executable,
                ..self.target.clone()
            };
            let written = Listed {
                name: way.test.clone(),
                is_ignored: self.test.is_ignored,
            };
            let test = target.failing_test(written, self.context)?;
            let test = test.filter(|test| is_same(&self.test.failure, self.printed, &test.failure));
            if let Some(test) = test {
                return Ok(Some((target, test)));
            }
        }
        Ok(None)
    }
}

/// Whether a plain test fails as the case did: with the same message, or in other words with the same values.
fn is_same(failure: &Signature, printed: &str, of_plain: &Signature) -> bool {
    let is_panic = matches!(
        of_plain.kind,
        CrashKind::Assertion | CrashKind::ProgramPanic
    );
    if of_plain.is_same_bug(failure, true) || !is_panic {
        return of_plain.is_same_bug(failure, true);
    }
    let words = of_plain
        .message
        .split(|c: char| !c.is_alphanumeric() && c != '.');
    let mut values = words
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .peekable();
    let has_values = values.peek().is_some();
    let is_said = printed.contains(&of_plain.message) || of_plain.kind == CrashKind::Assertion;
    failure.message.starts_with(FALSE_PROPERTY)
        || values.all(|value| printed.contains(value)) && (has_values || is_said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failure: &str, plain: (CrashKind, &str), expected: bool) {
        let signature = Signature::of_kind(CrashKind::ProgramPanic, failure);
        let plain = Signature::of_kind(plain.0, plain.1);
        assert_eq!(is_same(&signature, failure, &plain), expected, "{failure}");
    }

    #[test]
    fn a_case_fails_in_other_words_with_the_same_values() {
        use CrashKind::{Assertion, ExitStatus, ProgramPanic};
        let printed = "Test failed: assertion failed: `(left == right)` left: `79`, right: `80`";
        check(
            printed,
            (
                Assertion,
                "assertion `left == right` failed; left: 79; right: 80",
            ),
            true,
        );
        check(
            printed,
            (
                Assertion,
                "assertion `left == right` failed; left: 79; right: 81",
            ),
            false,
        );
        check(printed, (ProgramPanic, "no entry found"), false);
        check(printed, (ExitStatus(7), ""), false);
        check(
            "Test failed: no entry found.",
            (ProgramPanic, "no entry found"),
            true,
        );
        check(
            "Test failed: assertion failed: a > b",
            (Assertion, "assertion failed"),
            true,
        );
        let printed = "[quickcheck] TEST FAILED. Arguments: (8)";
        check(printed, (Assertion, "assertion failed"), true);
    }
}
