//! Runs the original program in each variant: it is compiled once, and run with other variables each time.

use super::Worker;
use super::query::Forks;
use super::warm::WarmCompiler;
use crate::check::program::does_not_compile;
use crate::check::{Bench, Execution, FEWEST_FORKED};
use crate::error::OracleError;
use crate::evidence::calls::{CallsToPanic, CountedFunctions, with_backtrace};
use crate::evidence::own::Own;
use crate::plan::{Plan, Sources};
use crate::signature::Signature;
use crate::system::budget::TimeSpent;
use crate::system::process::{Ending, Outcome};
use camino::Utf8Path;
use reduce_platform::Cancel;
use std::collections::BTreeMap;

/// The result of one run of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// The run passed.
    Passes,
    /// The run failed; with the place of a panic, wherever that is.
    Fails(Box<Signature>),
    /// The run did not come to its end in time.
    Unfinished,
}

/// A run of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalRun {
    /// The result of the run, with the place of a panic wherever that is.
    pub came: Came,
    /// The result of the run, reduced to what is compared with that of candidates.
    pub compared: Came,
    /// The bytes that the program wrote to the file that it was to write to, if it did.
    pub record: Option<Vec<u8>>,
}

/// The name of the file, in the directory for temporary files, in which a run records what it passes.
pub(crate) const RECORD: &str = "passed";

impl Worker {
    /// Compiles a program and keeps it for [`Worker::run_original`]. Returns the time that this took, or `None`
    /// where it does not compile.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn compile_original(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<TimeSpent>, OracleError> {
        let built = self.build_original(plan, sources, cancel)?;
        let built = built.filter(|(built, _)| !does_not_compile(built));
        Ok(built.map(|(_, spent)| spent))
    }

    /// Compiles a program and keeps it to be run. Returns what the compiler said, and the time that this took; `None`
    /// where a crate beside it does not compile.
    pub(crate) fn build_original(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<(Outcome, TimeSpent)>, OracleError> {
        self.place.write(sources)?;
        let mut query = self.query(plan, cancel);
        if query.compile_auxiliaries()?.is_some() {
            return Ok(None);
        }
        let built = query.compile_in_tree(&plan.call.args)?;
        match built.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(Some((built, query.spent))),
        }
    }

    /// Makes the worker fork a program that it runs with many values of a variable, by the library that this compiler is warm by.
    pub fn fork_programs(&mut self, compiler: &WarmCompiler) {
        self.forks = Some(Forks::new(compiler.for_programs()));
    }

    /// Runs the program that was compiled last, with an additional environment variable. `record` names the variable
    /// that has the path of a file for the program to write to. Returns also the time that it took.
    ///
    /// # Errors
    /// Where it is not there or cannot be started, and on cancellation.
    pub fn run_original(
        &mut self,
        plan: &Plan,
        variable: Option<(&str, &str)>,
        record: Option<&str>,
        own: &Own,
        cancel: &Cancel,
    ) -> Result<(OriginalRun, TimeSpent), OracleError> {
        let mut execution = execution(plan)?;
        let file = self.place.temporary.join(RECORD);
        execution.env.extend(variables(variable, record, &file));
        let (ran, spent) = self.execute_original(plan, &execution, cancel)?;
        let record = record.map(|_| &*file);
        let run = original_run(&ran, own, (&self.place.tree, &execution), record);
        Ok((run, spent))
    }

    /// Runs the program that was compiled last with a backtrace, and returns the calls by which it came to its panic, with the
    /// time that this took; `None` where none of the functions that count is among them.
    ///
    /// # Errors
    /// Where it is not there or cannot be started, and on cancellation.
    pub fn calls_to_panic(
        &mut self,
        plan: &Plan,
        counted: &CountedFunctions,
        cancel: &Cancel,
    ) -> Result<(Option<CallsToPanic>, TimeSpent), OracleError> {
        let mut execution = execution(plan)?;
        execution.env.extend(with_backtrace());
        let (ran, spent) = self.execute_original(plan, &execution, cancel)?;
        let calls = CallsToPanic {
            counted: counted.clone(),
            functions: counted.in_text(&ran.stderr, &execution.harness),
        };
        let has_some = ran.ending.is_of_itself() && !calls.functions.is_empty();
        Ok((has_some.then_some(calls), spent))
    }

    /// Runs the program that was compiled last with each of several values of a variable, as [`Worker::run_original`] does.
    /// `record` names the variable with the path of a file for the program to write to, if it is to write. The program is started
    /// once and forked for these runs where that can be, and where a fork without a value comes to what `unchanged` came to.
    ///
    /// # Errors
    /// Where it is not there or cannot be started, and on cancellation.
    pub fn run_original_with_each(
        &mut self,
        plan: &Plan,
        (name, values): (&str, &[String]),
        (record, unchanged): (Option<&str>, &OriginalRun),
        own: &Own,
        cancel: &Cancel,
    ) -> Result<Vec<OriginalRun>, OracleError> {
        let mut execution = execution(plan)?;
        let file = self.place.temporary.join(RECORD);
        execution.env.extend(variables(None, record, &file));
        let tree = self.place.tree.clone();
        let file = record.map(|_| &*file);
        let read = |ran: &Outcome| original_run(ran, own, (&tree, &execution), file);
        let none = std::iter::once(format!("{name}="));
        let each = values.iter().map(|value| format!("{name}={value}"));
        let settings: Vec<String> = none.chain(each).collect();
        let mut query = self.query(plan, cancel);
        let mut has_forks =
            values.len() >= FEWEST_FORKED && query.start_forks(&execution, &settings)?;
        if has_forks {
            let fork = query.execute_fork(&execution, 0)?;
            has_forks = fork.is_some_and(|ran| read(&ran).came == unchanged.came);
        }
        let mut runs = Vec::new();
        for (value, number) in values.iter().zip(1..) {
            let fork = match has_forks {
                true => query.execute_fork(&execution, number)?,
                false => None,
            };
            let ran = match fork {
                Some(ran) => ran,
                None => {
                    let mut with_value = execution.clone();
                    with_value.env.insert(name.to_owned(), value.clone());
                    query.execute_afresh(&with_value)?
                }
            };
            if ran.ending == Ending::Cancelled {
                return Err(OracleError::Cancelled);
            }
            runs.push(read(&ran));
        }
        Ok(runs)
    }

    /// Runs the program that was compiled last.
    pub(super) fn execute_original(
        &mut self,
        plan: &Plan,
        execution: &Execution,
        cancel: &Cancel,
    ) -> Result<(Outcome, TimeSpent), OracleError> {
        let mut query = self.query(plan, cancel);
        let ran = query.execute_afresh(execution)?;
        match ran.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok((ran, query.spent)),
        }
    }
}

/// Returns how the program of a plan is run.
fn execution(plan: &Plan) -> Result<Execution, OracleError> {
    let execution = plan.execution().cloned();
    execution.ok_or_else(|| OracleError::Format {
        what: "the plan of a test".to_owned(),
        source: "it runs nothing".into(),
    })
}

/// Reads a run of the original in a tree; `record` is the file that it was to write to.
fn original_run(
    ran: &Outcome,
    own: &Own,
    (tree, execution): (&Utf8Path, &Execution),
    record: Option<&Utf8Path>,
) -> OriginalRun {
    let came = |own: &Own| match ran.ending.is_of_itself() {
        true => {
            let failure = own.failure(ran, tree.as_str(), &execution.harness);
            failure.map_or(Came::Passes, |failure| Came::Fails(Box::new(failure)))
        }
        false => Came::Unfinished,
    };
    let nothing_own = Own {
        compares_values: true,
        ..Own::default()
    };
    OriginalRun {
        came: came(&nothing_own),
        compared: came(own),
        record: record.and_then(|file| std::fs::read(file).ok()),
    }
}

/// Returns the variables that a run gets in its environment: `variable`, and one of the name `record` with the
/// path of a file.
pub(super) fn variables(
    variable: Option<(&str, &str)>,
    record: Option<&str>,
    file: &Utf8Path,
) -> BTreeMap<String, String> {
    let record_at = record.map(|name| (name, file.as_str()));
    let both = variable.into_iter().chain(record_at);
    both.map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
