//! Puts the failing unit test into the crate that it tests, in another version. That crate is put into the
//! tree of the plan,
//! below a directory of its own, where it reads the same files of tests: what is changed in these is changed in both
//! versions.

use crate::baseline::elsewhere::Selected;
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::program::Harness;
use crate::plain_tests::TwoCrates;
use crate::plan::Plan;
use crate::plan::companion::OwnCrate;
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::system::snapshot::joined;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::TargetKind;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the directory in the plan's tree for the crate of the other version.
const DIRECTORY: &str = "cargo-reduce-version";
/// The name and the text of the file that keeps the directory of the other version from being copied with the
/// package.
const CACHE_TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n",
);

/// The treatment of the other unit tests of the good version: they are compiled or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OtherTests {
    /// The other unit tests are removed, unless something that stays mentions them.
    LeftOut,
    /// The other unit tests are compiled too.
    Kept,
}

/// Returns the path of the failing test if it is a unit test: one that stands in the crate that it tests.
pub(super) fn unit_test<'p>(plan: &'p Plan, selected: &Selected<'_>) -> Option<&'p str> {
    let Harness::Libtest { test } = &plan.execution()?.harness else {
        return None;
    };
    let root = selected.snapshot.base.join(&plan.call.root);
    let at = selected.workspace.target_at(&root)?;
    let is_unit_test = !matches!(
        at.target.kind.first()?,
        TargetKind::Test | TargetKind::Bench
    );
    (is_unit_test && !plan.is_hang()).then_some(test)
}

/// Puts the crate that is compiled by `call` in another version into the tree of the plan, with the test that fails.
/// `None` where it has no place for the test.
///
/// # Errors
/// Where a file cannot be copied.
pub(super) fn in_plans_tree(
    call: Plan,
    (test, others): (&str, OtherTests),
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Option<OwnCrate>, OracleError> {
    let tree = &plan.inputs.tree;
    let inner = |path: &Utf8Path| joined(Utf8Path::new(DIRECTORY), path);
    let place = tree.join(DIRECTORY);
    files::make_empty(&place)?;
    files::write(&place.join(CACHE_TAG.0), CACHE_TAG.1)?;
    for path in &call.inputs.files {
        files::copy(&call.inputs.tree.join(path), &place.join(path))?;
    }
    let root = inner(&call.call.root);
    let shared = context.plain_tests.in_both_versions(&TwoCrates {
        test,
        here: &plan.call.root,
        there: &root,
        keeps_others: others == OtherTests::Kept,
        read: &|path| files::read(&tree.join(path)).ok().map(Arc::from),
    });
    let Some(shared) = shared else {
        return Ok(None);
    };
    for (path, text) in &shared {
        files::write_below(tree, path, text)?;
    }
    let copied = call.inputs.files.iter().map(|path| inner(path));
    let files: BTreeSet<Utf8PathBuf> = copied.chain(shared.into_keys()).collect();
    let moved = |text: &String| relocate(text, &call.inputs.tree, place.as_str());
    let env = call.call.env.iter();
    Ok(Some(OwnCrate {
        args: quiet(&call.call.args).iter().map(moved).collect(),
        env: env
            .map(|(name, value)| (name.clone(), moved(value)))
            .collect(),
        cwd: inner(&call.call.cwd),
        root,
        files,
    }))
}

/// Returns the arguments without those that cargo adds for its own purposes; no lint refuses a candidate.
fn quiet(args: &[String]) -> Vec<String> {
    let quiet = args::without(args, &args::cargo_noise(args));
    args::with_lints_capped(&quiet, "allow")
}
