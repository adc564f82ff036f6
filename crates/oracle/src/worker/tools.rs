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

    /// Returns the parts of the program that the compiler calls unused and would delete, as parts of files and their
    /// bytes.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn unused(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Vec<FilePart>, OracleError> {
        let Some((outcome, within)) = self.linted(plan, sources, &UNUSED, cancel)? else {
            return Ok(Vec::new());
        };
        let all = deletions(&outcome.stderr).into_iter().map(|parts| {
            let parts = parts.into_iter().map(|part| within.part(part));
            parts.collect::<Option<Vec<_>>>()
        });
        Ok(all.flatten().flatten().collect())
    }

    /// Returns the names of the definitions that the compiler calls dead, as parts of files and their bytes.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn dead_names(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Vec<FilePart>, OracleError> {
        let linted = self.linted(plan, sources, &DEAD, cancel)?;
        let names = linted.map(|(outcome, within)| {
            let names = warned_of(&outcome.stderr, &DEAD).into_iter();
            names.filter_map(|name| within.part(name)).collect()
        });
        Ok(names.unwrap_or_default())
    }

    /// Returns the places of a program's errors, as parts of files and their bytes; `None` where one of them is in no file
    /// of the program.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn error_places(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<Vec<FilePart>>, OracleError> {
        let Some((outcome, within)) = self.linted(plan, sources, &[], cancel)? else {
            return Ok(None);
        };
        let errors = error_spans(&outcome.stderr).into_iter();
        Ok(errors.map(|error| within.part(error?)).collect())
    }

    /// Runs the compiler with these lints; returns its outcome and the paths by which it names the files, or `None` where
    /// an auxiliary crate does not compile.
    fn linted(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        lints: &[&str],
        cancel: &Cancel,
    ) -> Result<Option<(Outcome, TreePaths)>, OracleError> {
        let lints: Vec<String> = lints
            .iter()
            .map(|lint| format!("--force-warn={lint}"))
            .collect();
        let checking = args::with_emit(&plan.call.args, "metadata");
        self.printed(plan, sources, &[checking, lints].concat(), cancel)
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
