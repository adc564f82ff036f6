//! The trait that every kind of failure implements, in the files beside this one.

use crate::check::{AnyCheck, Check};
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::plan::one_call::FlagsOfOneCall;
use crate::plan::{CompilerCall, Plan};
use crate::search::context::{BaselineContext, environment};
use crate::search::failure_info::FailureInfo;
use crate::search::original::{Call, CargoTarget};
use crate::search::workspace::Workspace;
use crate::signature::Signature;
use crate::system::snapshot::{Snapshot, all_files};
use camino::{Utf8Path, Utf8PathBuf};

/// A kind of failure, as the user asks for it. Its plans use a candidate by a [`Check`].
pub(crate) trait Failure {
    /// Returns how messages name the failure, and which arguments of the command line go with it.
    fn info(&self) -> FailureInfo;

    /// Makes the plan for a compiler call that was found, with the check of candidates: unless a kind changes it, they
    /// are compiled, and the compiler crashes.
    ///
    /// # Errors
    /// Where the failure cannot be looked for in it.
    fn plan(&self, plan: Plan, _context: &BaselineContext<'_>) -> Result<Plan, OracleError> {
        Ok(plan)
    }

    /// Changes the copy of the workspace before cargo compiles it, where the failing test is to be written in another
    /// form. Returns the target that cargo compiles then, if it is another one.
    ///
    /// # Errors
    /// Where the failure does not show, or cannot be written.
    fn prepare(
        &self,
        _package: &Package<'_>,
        _context: &BaselineContext<'_>,
    ) -> Result<Option<PackageInput>, OracleError> {
        Ok(None)
    }

    /// Returns whether the failure shows in what the compiler said of a doc test.
    fn shows_in_doc_test(&self, _said: &str) -> bool {
        false
    }

    /// Changes the copy of the sources of a kept crash, by the files that were kept as they were `before`. Returns flags
    /// that the call needs then.
    ///
    /// # Errors
    /// Where the failure cannot be looked for in it.
    fn prepare_kept(
        &self,
        _before: &KeptBefore<'_>,
        _context: &BaselineContext<'_>,
    ) -> Result<Vec<String>, OracleError> {
        Ok(Vec::new())
    }

    /// Makes the plan for a package whose failure shows without a compiler call of ours ([`FailureInfo::needs_no_call`]).
    ///
    /// # Errors
    /// Where the failure does not show.
    fn plan_of_package(
        &self,
        _package: &Package<'_>,
        _context: &BaselineContext<'_>,
    ) -> Result<Option<Plan>, OracleError> {
        Ok(None)
    }

    /// Makes the plan for the one of several compiler calls that fails, with its failure, where the failure shows by
    /// running what was compiled.
    ///
    /// # Errors
    /// Where none fails, or it is not clear which.
    fn find(
        &self,
        _calls: &[Call],
        _context: &BaselineContext<'_>,
    ) -> Result<Option<(Plan, Signature)>, OracleError> {
        Ok(None)
    }

    /// Changes a compiler call of cargo's into a call of another tool, such as rustdoc.
    ///
    /// # Errors
    /// Where the tool is not there.
    fn with_tool(
        &self,
        plan: Plan,
        _more: &[String],
        _context: &BaselineContext<'_>,
    ) -> Result<Plan, OracleError> {
        Ok(plan)
    }

    /// Compares the failure of a program in the sandbox with the failure outside of it, where the user has seen it.
    ///
    /// # Errors
    /// Where the two differ.
    fn compare_outside(
        &self,
        _call: &Call,
        _context: &BaselineContext<'_>,
    ) -> Result<(), OracleError> {
        Ok(())
    }
}

/// The directories of the linked crates as they were before, and as they are.
pub(crate) type BothForms = [Utf8PathBuf; 2];

/// A function that compiles the linked crates as they were before, with these flags.
pub(crate) type CompileBefore<'a> =
    dyn Fn(&[String]) -> Result<Option<BothForms>, OracleError> + 'a;

/// The files and flags that were kept of a program before its compiler crashed.
pub(crate) struct KeptBefore<'a> {
    /// Directories with files as they were.
    pub(crate) directories: Vec<Utf8PathBuf>,
    /// The copy of the present sources, laid out in the same way.
    pub(crate) tree: &'a Utf8Path,
    /// The flags in which the last good call and the one that crashed differ.
    pub(crate) flags: FlagsOfOneCall,
    /// The function that compiles the linked crates as they were, from the files in the tree and with these flags. Returns their
    /// directory, and that of the present form, if they are not the same.
    pub(crate) compile: &'a CompileBefore<'a>,
}

/// A package in which a failure is looked for.
pub(crate) struct Package<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) input: &'a PackageInput,
    pub(crate) snapshot: &'a Snapshot,
}

impl Package<'_> {
    /// Returns the target of the workspace that a plan compiles, if it is one.
    pub(crate) fn cargo_target(&self, plan: &Plan) -> Option<CargoTarget> {
        let root = self.snapshot.base.join(&plan.call.root);
        self.workspace.cargo_target(&root, self.input)
    }

    /// Makes the plan for a target of the workspace: its files, and no call. `args` are those of a cargo command,
    /// `output` is what it printed.
    ///
    /// # Errors
    /// Where it is not clear which target is meant.
    pub(crate) fn plan(
        &self,
        args: &[String],
        output: &str,
        context: &BaselineContext<'_>,
    ) -> Result<Plan, OracleError> {
        let (tree, snapshot) = (&self.snapshot.tree, self.snapshot);
        let chosen = self.workspace.choose(self.input, args, output)?;
        let place = |path: &Utf8Path| snapshot.place_of(path).unwrap_or_else(|| path.to_owned());
        let (root, directory) = (place(&chosen.root), place(&chosen.directory));
        let inner = |path: &Utf8Path| path.strip_prefix(tree).map(Utf8Path::to_owned);
        let root = inner(&root).unwrap_or(root);
        let mut plan = context.bare_plan(context.toolchain.compiler.clone(), tree.clone());
        plan.call = CompilerCall {
            args: vec![format!("--edition={}", chosen.edition), root.to_string()],
            env: environment::of_file(&context.user.vars, &[]),
            cwd: inner(&directory).unwrap_or_default(),
            root,
            crate_name: chosen.name,
            edition: chosen.edition,
            ..plan.call
        };
        plan.inputs.files = all_files(tree, tree)?;
        Ok(plan)
    }
}

/// Returns the plan with a check.
pub(crate) fn checked(plan: Plan, check: impl Check + 'static) -> Plan {
    plan.checked(AnyCheck::new(check))
}
