//! Decides which rights a worker's processes have.

use crate::check::{CommandCall, Starts};
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::system::sandbox::{Confinement, Places, SandboxMode};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::io::ErrorKind;

/// The rights of a worker's processes.
#[derive(Debug)]
pub(super) struct Confined {
    /// The rights of compilers, and of what they start: procedural macros, linkers.
    pub(super) compiler: Rights,
    /// The rights of compiled programs, and of commands that compile and run.
    pub(super) program: Rights,
}

/// The rights of one sort of processes.
#[derive(Debug)]
pub(crate) struct Rights {
    pub(crate) mode: SandboxMode,
    pub(crate) sort: ProcessSort,
    pub(crate) places: Places,
    /// The confinement of the processes that have these rights, made when the first of them runs here.
    confinement: OnceCell<Option<Confinement>>,
}

/// The sort of a confined process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProcessSort {
    /// A compiler, which needs no network.
    Compiler,
    /// A compiled program, or a command.
    Program,
}

impl Confined {
    /// Makes the rights by which compilers write below `compiled`, and programs below `temporary` and
    /// `target_temporary` alone.
    pub(super) fn new(
        plan: &Plan,
        compiled: &[&Utf8Path],
        temporary: &Utf8Path,
        target_temporary: &Utf8Path,
    ) -> Self {
        let reads = reads(plan, temporary);
        let rights = |sort, writes| {
            let places = places(plan, reads.clone(), writes);
            Rights::new(plan.access.sandbox, sort, places)
        };
        let own = [temporary.to_owned()];
        let compiled = compiled.iter().map(|dir| (*dir).to_owned());
        let compiled: Vec<Utf8PathBuf> = own.iter().cloned().chain(compiled).collect();
        let of_program = match plan.run_policy.check.starts() {
            Starts::Command(_) => compiled.clone(),
            Starts::Program(_) | Starts::Nothing => {
                vec![temporary.to_owned(), target_temporary.to_owned()]
            }
        };
        Self {
            compiler: rights(ProcessSort::Compiler, compiled),
            program: rights(ProcessSort::Program, of_program),
        }
    }
}

impl Rights {
    pub(crate) fn new(mode: SandboxMode, sort: ProcessSort, places: Places) -> Self {
        Self {
            mode,
            sort,
            places,
            confinement: OnceCell::new(),
        }
    }

    /// Returns the confinement of the processes that we start ourselves; `None` where there is no sandbox.
    ///
    /// # Errors
    /// Where the system lacks what it needs.
    pub(crate) fn confinement(&self) -> Result<Option<&Confinement>, OracleError> {
        if self.confinement.get().is_none() {
            let made = match self.sort {
                ProcessSort::Compiler => Confinement::of_compiler(self.mode, &self.places),
                ProcessSort::Program => Confinement::of_program(self.mode, &self.places),
            };
            let made = made.map_err(failed)?;
            // Nobody else has made it in the meantime: it is not shared between threads.
            let _ = self.confinement.set(made);
        }
        Ok(self.confinement.get().and_then(Option::as_ref))
    }
}

/// Makes the confinement of a program that may use these places.
pub(crate) fn program(
    mode: SandboxMode,
    places: &Places,
) -> Result<Option<Confinement>, OracleError> {
    Confinement::of_program(mode, places).map_err(failed)
}

fn failed(error: std::io::Error) -> OracleError {
    match error.kind() {
        ErrorKind::Unsupported => OracleError::NoSandbox {
            missing: vec![error.to_string()],
        },
        _ => OracleError::io("set up the sandbox below", Utf8Path::new("/"))(error),
    }
}

/// Returns the parts of the file system that the processes of a plan may use. Whatever named it, no home is readable
/// as a whole.
pub(crate) fn places(plan: &Plan, reads: Vec<Utf8PathBuf>, writes: Vec<Utf8PathBuf>) -> Places {
    let named = plan
        .access
        .reads
        .iter()
        .chain(&plan.access.user_reads)
        .cloned();
    let reads = named.chain(inputs(plan)).chain(reads);
    Places {
        reads: plan.access.private.without(reads.collect()),
        writes,
        closed: plan.access.private.holes(),
    }
}

/// Returns the paths that a worker's processes may read, which are its own tree, the toolchain, and what a command
/// needs.
fn reads(plan: &Plan, temporary: &Utf8Path) -> Vec<Utf8PathBuf> {
    // With what is shared with other workers.
    let own = temporary.ancestors().nth(2).map(Utf8Path::to_owned);
    let mut reads: Vec<Utf8PathBuf> = own.into_iter().collect();
    reads.extend(plan.call.compiler.directories());
    reads.extend(plan.call.compiler.files());
    let companions = plan.run_policy.companions.iter();
    let toolchains = companions.filter_map(|companion| companion.toolchain.as_ref());
    for compiler in toolchains {
        reads.extend(compiler.directories());
        reads.extend(compiler.files());
    }
    reads.extend(plan.call.env.get("OUT_DIR").map(Utf8PathBuf::from));
    reads.extend(
        plan.run_policy
            .check
            .command()
            .into_iter()
            .flat_map(of_command),
    );
    reads
}

/// Returns the files and directories that the compiler calls of a plan name as input.
fn inputs(plan: &Plan) -> Vec<Utf8PathBuf> {
    let auxiliaries = plan.inputs.auxiliaries.iter().map(|call| &call.args);
    let companions = plan
        .run_policy
        .companions
        .iter()
        .map(|companion| &companion.flags);
    let all = std::iter::once(&plan.call.args)
        .chain(auxiliaries)
        .chain(companions);
    let all = all
        .map(Vec::as_slice)
        .chain([plan.run_policy.check.second_flags()]);
    all.flat_map(args::inputs).collect()
}

/// Returns the files that a command reads besides the candidate: itself, the files that it is
/// given, and those that its call names.
fn of_command(call: &CommandCall) -> Vec<Utf8PathBuf> {
    let given = call.args.iter().map(Utf8Path::new);
    let given = given.filter(|path| path.is_absolute() && path.is_file());
    let own = [call.program.as_path()].into_iter().chain(given);
    let toolchains = call.env.get("RUSTUP_HOME").map(Utf8PathBuf::from);
    let others = call.reads.iter().chain(&call.builds).cloned();
    own.map(Utf8Path::to_owned)
        .chain(toolchains)
        .chain(others)
        .collect()
}
