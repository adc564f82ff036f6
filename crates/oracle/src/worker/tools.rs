//! Answers questions about a program other than whether it fails: what a run costs and leaves behind, what the
//! compiler calls unused, how rustfmt lays it out.

use super::confined::ProcessSort;
use super::query::Query;
use super::tree_paths::TreePaths;
use super::{Trace, Worker};
use crate::compiler::args;
use crate::error::OracleError;
use crate::evidence::diagnostics::{deletions, error_spans, warned_of};
use crate::plan::{Plan, Sources};
use crate::system::files;
use crate::system::process::{Ending, Invocation, Outcome};
use camino::Utf8PathBuf;
use reduce_platform::Cancel;
use std::ops::Range;

/// A part of a file: its path and a range of bytes.
pub(super) type FilePart = (Utf8PathBuf, Range<usize>);

/// The lints that say what can be deleted without another change.
const UNUSED: [&str; 5] = [
    "unused_imports",
    "unused_extern_crates",
    "unused_mut",
    "unused_parens",
    "unused_braces",
];

/// The lints that name definitions which nothing needs.
const DEAD: [&str; 2] = ["dead_code", "unused_macros"];

/// The places in a program that a compiler names, as parts of files and their bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linted {
    /// The parts of the program that the compiler calls unused and would delete.
    pub unused: Vec<FilePart>,
    /// The names of the definitions that the compiler calls dead.
    pub dead_names: Vec<FilePart>,
    /// The places of the program's errors; `None` where one of them is in no file of the program.
    pub errors: Option<Vec<FilePart>>,
}

impl Worker {
    /// Runs the compiler and returns the trace of the run: everything in which two compilers may differ.
    pub(crate) fn trace(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Trace, OracleError> {
        self.place.write(sources)?;
        self.query(plan, cancel).trace()
    }

    /// Runs a compiler that is started anew, and returns its trace as [`Worker::trace`] does.
    pub(crate) fn trace_anew(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Trace, OracleError> {
        self.place.write(sources)?;
        self.query(plan, cancel).warm(None).trace()
    }

    /// Runs a compiler that is started anew, and returns the outcome with what the run costs.
    pub(crate) fn cost(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Outcome, OracleError> {
        self.place.write(sources)?;
        let outcome = self.query(plan, cancel).compile_in_tree(&plan.call.args)?;
        self.place.clean_up()?;
        Ok(outcome)
    }

    /// Compiles a program up to its metadata with all lints that say what it does not need, and returns what they say; `None`
    /// where an auxiliary crate does not compile.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn lint(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<Linted>, OracleError> {
        let lints = UNUSED.iter().chain(&DEAD);
        let lints = lints.map(|lint| format!("--force-warn={lint}"));
        let checking = args::with_emit(&plan.call.args, "metadata");
        let args: Vec<String> = checking.into_iter().chain(lints).collect();
        let printed = self.printed(plan, sources, &args, cancel)?;
        Ok(printed.map(|(outcome, within)| linted(&outcome.stderr, &within)))
    }

    /// Runs the compiler with these arguments; returns its outcome and the paths by which it names the files.
    pub(super) fn printed(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        args: &[String],
        cancel: &Cancel,
    ) -> Result<Option<(Outcome, TreePaths)>, OracleError> {
        self.place.write(sources)?;
        let mut query = self.query(plan, cancel);
        if query.compile_auxiliaries()?.is_some() {
            return Ok(None);
        }
        let outcome = query.compile_in_tree(args)?;
        query.place.clean_up()?;
        Ok(Some((outcome, query.tree_paths())))
    }

    /// Returns a text as the formatter beside the compiler lays it out; `None` where there is no formatter, or it does not
    /// understand the text.
    ///
    /// # Errors
    /// When the text cannot be written or the formatter cannot be started.
    pub fn format(
        &mut self,
        plan: &Plan,
        text: &str,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        self.query(plan, cancel).format(text)
    }
}

/// Reads what the lints say of a program.
fn linted(stderr: &str, within: &TreePaths) -> Linted {
    let of_unused = deletions(stderr, &DEAD).into_iter().map(|parts| {
        let parts = parts.into_iter().map(|part| within.part(part));
        parts.collect::<Option<Vec<_>>>()
    });
    let names = warned_of(stderr, &DEAD).into_iter();
    let errors = error_spans(stderr).into_iter();
    Linted {
        unused: of_unused.flatten().flatten().collect(),
        dead_names: names.filter_map(|name| within.part(name)).collect(),
        errors: errors.map(|error| within.part(error?)).collect(),
    }
}

impl Query<'_> {
    fn trace(&mut self) -> Result<Trace, OracleError> {
        let outcome = self.compile_in_tree(&self.plan.call.args)?;
        let written = files::contents(&self.place.out)?;
        self.place.clean_up()?;
        Ok(Trace {
            ending: outcome.ending,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            written,
        })
    }

    fn format(&self, text: &str) -> Result<Option<String>, OracleError> {
        let Some(program) = self.plan.call.compiler.formatter() else {
            return Ok(None);
        };
        let file = self.place.out.join("text.rs");
        files::write(&file, text)?;
        // Otherwise configuration is looked for in all directories above.
        let config = self.place.temporary.join("rustfmt.toml");
        files::write(&config, "")?;
        let args = [
            "--edition",
            &self.plan.call.edition,
            "--quiet",
            "--config-path",
        ];
        let mut args: Vec<String> = args.map(str::to_owned).to_vec();
        args.extend([config.into_string(), file.to_string()]);
        let invocation = Invocation {
            program: &program,
            args: &args,
            env: &self.env(),
            dir: &self.place.out,
            bounds: self.bounds(),
            confinement: None,
        };
        let outcome = self.run(&invocation, ProcessSort::Compiler)?;
        let formatted = std::fs::read_to_string(&file).ok();
        self.place.clean_up()?;
        Ok(formatted.filter(|_| outcome.ending == Ending::Exited(0)))
    }
}
