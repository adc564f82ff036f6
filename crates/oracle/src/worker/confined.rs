//! What the processes of a worker may do.

use crate::args;
use crate::check::Check;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::sandbox::{Confinement, Places, SandboxMode};
use crate::toolchain::Compiler;
use camino::{Utf8Path, Utf8PathBuf};
use std::io::ErrorKind;

/// The confinements of a worker's processes; none where there is no sandbox.
#[derive(Debug)]
pub(super) struct Confined {
    /// Of compilers, and what they start: procedural macros, linkers.
    pub(super) compiler: Option<Confinement>,
    /// Of compiled programs, and of commands that compile and run.
    pub(super) program: Option<Confinement>,
}

impl Confined {
    /// Compilers write below `compiled`, programs below `temporary` alone.
    pub(super) fn new(
        plan: &Plan,
        compiled: &[&Utf8Path],
        temporary: &Utf8Path,
    ) -> Result<Self, OracleError> {
        let reads = reads(plan, temporary);
        let places = |writes: Vec<Utf8PathBuf>| Places {
            reads: reads.clone(),
            writes,
        };
        let own = vec![temporary.to_owned()];
        let compiled = compiled.iter().map(|dir| (*dir).to_owned());
        let compiled: Vec<Utf8PathBuf> = own.iter().cloned().chain(compiled).collect();
        let of_program = match &plan.check {
            Check::Run(_) | Check::Miscompile { .. } => program(plan.sandbox, &places(own))?,
            Check::Command(_) => program(plan.sandbox, &places(compiled.clone()))?,
            Check::Crash | Check::Diagnostic(_) | Check::Cost(_) => None,
        };
        let compiler = Confinement::of_compiler(plan.sandbox, &places(compiled));
        Ok(Self {
            compiler: compiler.map_err(failed)?,
            program: of_program,
        })
    }
}

/// The confinement of a program that reads and writes there.
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

/// The toolchain, the inputs, and what the arguments name.
fn reads(plan: &Plan, temporary: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut reads = plan.reads.clone();
    // The worker's own tree, and what is shared with others.
    reads.extend(temporary.ancestors().nth(2).map(Utf8Path::to_owned));
    reads.extend(plan.compiler.directories());
    reads.extend(args::absolute_paths(&plan.args));
    let out = plan.env.get("OUT_DIR").map(Utf8PathBuf::from);
    reads.extend(out);
    for companion in &plan.companions {
        let toolchain = companion.toolchain.as_ref();
        reads.extend(toolchain.into_iter().flat_map(Compiler::directories));
    }
    if let Some(call) = plan.check.command() {
        reads.extend(call.program.parent().map(Utf8Path::to_owned));
        reads.extend(args::absolute_paths(&call.args));
        reads.extend(call.builds.clone());
        let homes = ["CARGO_HOME", "RUSTUP_HOME"].iter();
        reads.extend(homes.filter_map(|name| call.env.get(*name).map(Utf8PathBuf::from)));
    }
    reads
}
