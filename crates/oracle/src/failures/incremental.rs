//! `--incremental`: the compiler crashes when it goes on from what it kept of an earlier compilation.
//!
//! - `one_text`: the program as it was before, and as it is, in one text.
//! - `two_calls`: the check of a candidate: both of its versions are compiled, one after the other.
//!
//! rustc's own tests of incremental compilation have the same form (`tests/incremental`): one text, in which `#[cfg]`s
//! say what is different each time.
//!
//! See docs/decisions/incremental.md.

mod one_text;
mod two_calls;

use super::failure::{Failure, KeptBefore, Package, checked};
use crate::check::crash::Crash;
use crate::compiler::args;
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::plan::one_call::FlagsOfOneCall;
use crate::plan::{Plan, Sources, takes_unstable};
use crate::search::context::BaselineContext;
use crate::search::context::reading::read_files;
use crate::search::failure_info::{DirectoryWord, FailureInfo, Needed};
use crate::system::process::Ending;
use crate::version::Version;
use camino::Utf8PathBuf;
use one_text::Joined;
use std::cell::RefCell;
use two_calls::{Apart, First, FirstCall, Names, TwoCalls};

/// The flag that keeps a lint from forbidding our names.
const QUIET: &str = "--cap-lints=allow";
/// The flag by which the compiler compares all results that it takes from the incremental directory, and not only a small
/// part of them.
const VERIFY: &str = "-Zincremental-verify-ich";
/// The variable that lets a stable compiler take the unstable flag.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";
/// The remark for the user where one compilation is enough.
const SHOWS_ALONE: &str =
    "the compiler crashes without an earlier compilation, too: `--ice` reduces that, and is faster";
/// The remark for the user about the flag that was added.
const VERIFIES: &str = "the crash shows only with `-Zincremental-verify-ich`, by which the compiler compares all that it goes on from: it was added";

/// The remark for the user where one text for both versions does not do.
const APART: &str = "the crash shows only where the two versions are files of their own, without `#[cfg]`: so they are compiled, and the \
                     result is two files";

/// A crash of the second of two compilations.
pub(super) struct IncrementalCrash<'a> {
    before: Option<&'a Version>,
    /// The flags that the user gives to one of the two compiler calls alone.
    flags: &'a FlagsOfOneCall,
    /// The flags that only one of the two compiler calls of a kept crash has.
    kept_flags: RefCell<FlagsOfOneCall>,
    /// The two versions that were found of a package.
    joined: RefCell<Joined>,
}

impl<'a> IncrementalCrash<'a> {
    pub(super) fn new(before: Option<&'a Version>, flags: &'a FlagsOfOneCall) -> Self {
        Self {
            before,
            flags,
            kept_flags: RefCell::default(),
            joined: RefCell::default(),
        }
    }
}

impl Failure for IncrementalCrash<'_> {
    fn info(&self) -> FailureInfo {
        FailureInfo {
            directory: DirectoryWord::complete("incremental").needed(Needed::Always),
            ..FailureInfo::of("a crash of an incremental compilation")
        }
    }

    /// Writes both versions into the copy of the workspace, and has cargo compile the later one of them.
    fn prepare(
        &self,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Option<PackageInput>, OracleError> {
        let Some(version) = self.before else {
            return Ok(None);
        };
        let names = context.plain_tests.version_names();
        let joined = Joined::of_package(version, package, context)?;
        let input = |name: &str| {
            let mut input = package.input.clone();
            input
                .rustc_args
                .extend(["--cfg".to_owned(), name.to_owned()]);
            input
        };
        let (before, after) = (input(names.before), input(names.after));
        let joined = joined.compiled([&before, &after], package, context)?;
        self.joined.replace(joined);
        Ok(Some(after))
    }

    /// Writes both versions of a kept crash's program, the one before the crash and the one that crashes, into the copy of
    /// its sources.
    fn prepare_kept(
        &self,
        before: &KeptBefore<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Vec<String>, OracleError> {
        if self.before.is_some() {
            return Err(kept_with_both());
        }
        if before.directories.is_empty() {
            return Ok(Vec::new());
        }
        self.kept_flags.replace(before.flags.clone());
        let names = context.plain_tests.version_names();
        let flags = |name: &str| vec!["--cfg".to_owned(), name.to_owned()];
        let joined = Joined::of_kept(before, context)?;
        let compiled = (before.compile)(&[flags(names.before), vec![QUIET.to_owned()]].concat())?;
        self.joined.replace(joined.linking(compiled));
        Ok(flags(names.after))
    }

    fn plan(&self, plan: Plan, context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        let mut plan = plan;
        let mut check = TwoCalls {
            versions: None,
            first: First::Compiles,
            dependencies: None,
            flags: FlagsOfOneCall::default(),
            apart: None,
        };
        if let Some(Version::Path(path)) = self.before
            && path.is_file()
        {
            self.joined
                .replace(Joined::of_file(path, &mut plan, context)?);
        }
        let joined = self.joined.borrow();
        let flags = self.kept_flags.borrow().and(self.flags);
        (plan.call.args, check.flags) = flags.given_to(&plan.call.args);
        plan.call.edition = args::edition(&plan.call.args);
        let names = context.plain_tests.version_names();
        if !joined.is_pair() && !check.flags.is_empty() {
            // A test of rustc's own has revisions then, too.
            let after = ["--cfg".to_owned(), names.after.to_owned()];
            plan.call.args.extend(after);
            check.versions = Some(Names::from(names));
        }
        if joined.is_pair() {
            joined.check(&plan)?;
            check.versions = Some(Names::from(names));
            check.dependencies = joined.dependencies(&plan)?;
            add_files(&mut plan, &check, context)?;
        }
        if let Some(dependencies) = &check.dependencies {
            plan.access.reads.push(dependencies.before.clone());
        }
        check.first = first(&plan, &check, context)?;
        if let Some(shown) = self.verified(&checked(plan.clone(), check.clone()), context)? {
            return Ok(shown);
        }
        let shown = match joined.is_pair() {
            true => self.apart(&plan, &check, context)?,
            false => None,
        };
        Ok(shown.unwrap_or_else(|| checked(plan, check)))
    }
}

impl IncrementalCrash<'_> {
    /// Returns the plan where each version is a file of its own, if the crash shows so.
    fn apart(
        &self,
        plan: &Plan,
        check: &TwoCalls,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        let mut check = TwoCalls {
            apart: Some(Apart(context.plain_tests.both_versions())),
            ..check.clone()
        };
        check.first = match first(plan, &check, context) {
            Err(OracleError::NoVersion { .. }) => return Ok(None),
            first => first?,
        };
        let shown = self.verified(&checked(plan.clone(), check), context)?;
        if shown.is_some() {
            context.remark(APART);
        }
        Ok(shown)
    }

    /// Returns the plan, with the flag `-Zincremental-verify-ich` if it shows a crash only with that. `None` if it shows
    /// none.
    fn verified(
        &self,
        plan: &Plan,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        if crashes(plan, context)? {
            let alone = plan.clone().checked(Crash::check());
            if !plan.has_versions_apart() && crashes(&alone, context)? {
                context.remark(SHOWS_ALONE);
            }
            return Ok(Some(plan.clone()));
        }
        let mut verifying = plan.clone();
        verifying.call.args.push(VERIFY.to_owned());
        let version = &plan.call.compiler.verbose_version;
        if !takes_unstable(version, &plan.call.env) {
            let env = &mut verifying.call.env;
            env.insert(BOOTSTRAP.to_owned(), "1".to_owned());
        }
        let is_shown = crashes(&verifying, context)?;
        if is_shown {
            context.remark(VERIFIES);
        }
        Ok(is_shown.then_some(verifying))
    }
}

/// Whether a run of the plan shows some crash.
fn crashes(plan: &Plan, context: &BaselineContext<'_>) -> Result<bool, OracleError> {
    Ok(!observe(plan, context)?.crashes.is_empty())
}

/// Runs the plan, and returns what it shows.
fn observe(plan: &Plan, context: &BaselineContext<'_>) -> Result<Observation, OracleError> {
    let mut worker = context.worker(plan)?;
    let (seen, _) = worker.observe(plan, &Sources::new(), context.cancel)?;
    context.count(1);
    match seen.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        _ => Ok(seen),
    }
}

/// Makes the error that a kept crash has its own program before it, so that none can be named.
fn kept_with_both() -> OracleError {
    OracleError::NoVersion {
        version: "the program before".to_owned(),
        reason: "a kept crash has its own".to_owned(),
        hint: "leave `--before` out".to_owned(),
    }
}

/// Runs the first of two compiler calls alone, and returns how it ends.
///
/// # Errors
/// [`OracleError::NoVersion`] where the compiler crashes already.
fn first(
    plan: &Plan,
    check: &TwoCalls,
    context: &BaselineContext<'_>,
) -> Result<First, OracleError> {
    let alone = checked(plan.clone(), FirstCall(check.clone()));
    let seen = observe(&alone, context)?;
    match seen.ending {
        Ending::Exited(0) => Ok(First::Compiles),
        _ if seen.crashes.is_empty() => Ok(First::HasErrors),
        _ => Err(OracleError::NoVersion {
            version: "the program before".to_owned(),
            reason: "the compiler crashes on it by itself".to_owned(),
            hint: "`--ice` reduces a crash that one compilation shows".to_owned(),
        }),
    }
}

/// Adds the files that only the version before reads.
fn add_files(
    plan: &mut Plan,
    check: &TwoCalls,
    context: &BaselineContext<'_>,
) -> Result<(), OracleError> {
    let tree = &plan.inputs.tree;
    let (compiler, env) = (&plan.call.compiler.path, &plan.call.env);
    let args = check.args_before(&args::without_output(&plan.call.args));
    let reading = read_files(compiler, &args, env, &tree.join(&plan.call.cwd), context)?;
    let files = reading.map(|reading| reading.files).unwrap_or_default();
    let inner = files
        .iter()
        .filter_map(|file| Some(file.strip_prefix(tree).ok()?.to_owned()));
    let inner: Vec<Utf8PathBuf> = inner.collect();
    plan.inputs.files.extend(inner);
    Ok(())
}
