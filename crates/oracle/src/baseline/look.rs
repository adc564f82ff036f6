//! A look at a file: the compiler is run once on it, to see whether and how it crashes. Nothing is prepared for a search,
//! so that hundreds of files can be looked at in the time of a few searches.

use super::file::{NO_MAIN, Naming, as_library, call, is_for_lack_of_main};
use super::start::{BaselineSite, Told, check_reads, context, with_sandbox};
use crate::compiler::target::{FileInput, Surroundings};
use crate::compiler::toolchain::{Compiler, Toolchain};
use crate::error::OracleError;
use crate::failures::Goal;
use crate::plan::{Plan, Sources};
use crate::search::context::{BaselineContext, BaselineOptions};
use crate::system::private::Private;
use crate::worker::{Shown, Worker};
use reduce_platform::Cancel;

/// A compiler with which files are looked at.
#[derive(Debug, Clone)]
pub struct Looker {
    surroundings: Surroundings,
    toolchain: Toolchain,
}

/// A file that was looked at.
pub struct Look {
    /// The call of the compiler. A file without `main` that fails for that alone, or does not fail, is compiled as a library.
    pub plan: Plan,
    /// The only run of the call, as a person sees it.
    pub shown: Shown,
    worker: Worker,
}

impl Looker {
    /// Finds the compiler that the user would get in these surroundings.
    ///
    /// # Errors
    /// [`OracleError::CompilerMissing`], or on cancellation.
    pub fn new(surroundings: Surroundings, cancel: &Cancel) -> Result<Self, OracleError> {
        Ok(Self {
            toolchain: Toolchain::find(&surroundings, cancel)?,
            surroundings,
        })
    }

    /// Returns the compiler.
    #[must_use]
    pub fn compiler(&self) -> &Compiler {
        &self.toolchain.compiler
    }

    /// Returns the user's surroundings in which the compiler was found.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Compiles a file once, in the sandbox. The site's scratch directory must stay as long as the [`Look`] is used, and is
    /// used by no other.
    ///
    /// # Errors
    /// Where the file cannot be read, our own surroundings fail, or on cancellation.
    pub fn look(
        &self,
        input: &FileInput,
        site: &BaselineSite<'_>,
        options: &BaselineOptions,
        cancel: &Cancel,
    ) -> Result<Look, OracleError> {
        let failure = Goal::Ice.failure();
        let options = &with_sandbox(options, false, &|_| {})?;
        check_reads(&options.reads, &Private::of(&self.surroundings.vars))?;
        let told = Told {
            note: &|_| {},
            cargo_says: &|_| {},
        };
        let context = context(
            (failure.info(), vec![input.path.to_string()]),
            (&self.surroundings, self.toolchain.clone()),
            site,
            options,
            told,
            cancel,
        )?;
        let plan = failure.plan(call(input, Naming::AskedIfNeeded, &context)?, &context)?;
        let seen = see(plan, &context)?;
        if !lacks_main(&seen.shown) {
            return Ok(seen);
        }
        match as_library(&seen.plan, &context) {
            Some(library) => see(library, &context),
            None => Ok(seen),
        }
    }
}

fn see(plan: Plan, context: &BaselineContext<'_>) -> Result<Look, OracleError> {
    let mut worker = context.worker(&plan)?;
    let (_, shown) = worker.observe(&plan.for_first_look(), &Sources::new(), context.cancel)?;
    let look = Look {
        plan,
        shown,
        worker,
    };
    look.unless_cancelled(context.cancel)
}

/// Whether a file does not crash, or crashes only because the compiler is told to crash at errors, for the lack of a `main`.
fn lacks_main(shown: &Shown) -> bool {
    match &shown.signature {
        Some(signature) => is_for_lack_of_main(signature),
        None => shown.errors.contains(NO_MAIN),
    }
}

impl Look {
    fn unless_cancelled(self, cancel: &Cancel) -> Result<Self, OracleError> {
        match cancel.is_cancelled() {
            true => Err(OracleError::Cancelled),
            false => Ok(self),
        }
    }

    /// Compiles other text in place of the file's once, and returns whether that crashes in the same way, and has no error
    /// that the file does not have. Where the compiler runs into its stack's end, nothing but that is compared.
    ///
    /// # Errors
    /// When the tree cannot be written, the compiler cannot be started, or on cancellation.
    pub fn is_shown_by(&mut self, sources: &Sources, cancel: &Cancel) -> Result<bool, OracleError> {
        let Some(signature) = &self.shown.signature else {
            return Ok(false);
        };
        let plan = self.plan.for_first_look();
        let (seen, shown) = self.worker.observe(&plan, sources, cancel)?;
        if cancel.is_cancelled() {
            return Err(OracleError::Cancelled);
        }
        Ok(signature.is_shown_by(&seen.crashes, false)
            && shown.errors.is_subset(&self.shown.errors))
    }
}
