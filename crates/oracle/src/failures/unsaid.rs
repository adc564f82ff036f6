//! `cargo reduce` without a failure that must stay: tells what does not compile, or which tests fail, with the
//! command that reduces each.

use super::doc_test;
use super::failure::{Failure, Package};
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::offer::Offer;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::failure_info::{CHECK, DirectoryWord, FailureInfo, TESTS};
use crate::search::original::target::targets;
use crate::search::original::{Call, naming};
use crate::search::workspace::Compiling;
use crate::signature::Signature;
use std::cell::OnceCell;

/// Any failure, which is told and not reduced.
#[derive(Default)]
pub(super) struct Unsaid {
    /// The doc tests that fail.
    in_docs: OnceCell<Vec<Offer>>,
}

impl Failure for Unsaid {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            executes: true,
            needs_package: true,
            directory: DirectoryWord::complete("failures"),
            verbs: TESTS,
            ..FailureInfo::of("whether the tests pass")
        }
    }

    /// Has cargo check the targets that do not exist for tests alone, so that an error in these is told by its code.
    fn prepare(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<PackageInput>, OracleError> {
        let Package {
            workspace,
            input,
            snapshot,
        } = *package;
        workspace.calls(CHECK[0], Compiling::MustSucceed, input, snapshot, context)?;
        let _ = self.in_docs.set(doc_test::offers(package, context)?);
        Ok(None)
    }

    /// Never finds a failure to reduce: the user chooses one.
    fn find(
        &self,
        calls: &[Call],
        context: &BaselineContext<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        (context.note)("running the tests");
        let targets = targets(calls.to_vec(), context);
        let failing = naming::failing(&naming::all(&targets), context)?;
        let mut offers: Vec<Offer> = failing
            .iter()
            .map(|(target, test)| naming::offer(target, &test.name, &[]))
            .collect();
        offers.extend(self.in_docs.get().into_iter().flatten().cloned());
        Err(OracleError::Unsaid { failing: offers })
    }
}
