//! A bench for tests of checks: nothing is started, and all processes end as the test says.

use crate::check::{Bench, CommandCall, Execution};
use crate::error::OracleError;
use crate::system::process::{Ending, Outcome};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// A bench at which compilers and programs have ended already.
pub(crate) struct Scripted {
    /// The outcome of compilers and commands.
    pub(crate) compiled: Outcome,
    /// The outcome of the compilers that are called first.
    pub(crate) compiled_first: Outcome,
    /// The arguments of the last compiler that was called first.
    pub(crate) first_args: Vec<String>,
    /// The outcome of compilers that print a backtrace.
    pub(crate) traced: Outcome,
    /// The outcomes of the first programs, in this order.
    pub(crate) ran_first: VecDeque<Outcome>,
    /// The outcome of all other programs.
    pub(crate) ran: Outcome,
    /// The outcomes of programs where the variable [`SWITCH`] has a value.
    pub(crate) switched: BTreeMap<String, Outcome>,
    /// The directory that programs write to, and what they write to the file that the variable
    /// [`RECORD`] names.
    pub(crate) temporary: Utf8PathBuf,
    pub(crate) record: Vec<u8>,
    /// The values that the variable [`SWITCH`] had in the runs so far.
    pub(crate) asked: Vec<String>,
    /// The outcomes of forks of programs, by their settings.
    pub(crate) forks: BTreeMap<String, Outcome>,
    /// The settings with which the program was started to be forked.
    pub(crate) settings: Vec<String>,
}

/// Variables that programs look at.
pub(crate) const SWITCH: &str = "SWITCH";
pub(crate) const RECORD: &str = "RECORD";

impl Scripted {
    /// Makes a bench on which compilers end like this, and programs with status 0.
    pub(crate) fn compiling(compiled: Outcome) -> Self {
        Self {
            traced: compiled.clone(),
            compiled_first: ended(Ending::Exited(0)),
            first_args: Vec::new(),
            compiled,
            ran_first: VecDeque::new(),
            ran: ended(Ending::Exited(0)),
            switched: BTreeMap::new(),
            temporary: Utf8PathBuf::new(),
            record: vec![],
            asked: Vec::new(),
            forks: BTreeMap::new(),
            settings: Vec::new(),
        }
    }
}

/// Makes the outcome of a process that has ended without a word, and has used nothing.
pub(crate) fn ended(ending: Ending) -> Outcome {
    Outcome {
        ending,
        stdout: String::new(),
        stderr: String::new(),
        truncated: false,
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        late: None,
        asleep: Duration::ZERO,
        peak_memory_bytes: 0,
    }
}

impl Bench for Scripted {
    fn compile(&mut self, _: &[String]) -> Result<Outcome, OracleError> {
        Ok(self.compiled.clone())
    }

    fn compile_first(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        self.first_args = args.to_vec();
        Ok(self.compiled_first.clone())
    }

    fn compile_with_backtrace(&mut self, _: &[String]) -> Result<Outcome, OracleError> {
        Ok(self.traced.clone())
    }

    fn execute(&mut self, execution: &Execution) -> Result<Outcome, OracleError> {
        if let Some(path) = execution.env.get(RECORD) {
            std::fs::write(path, &self.record).expect("the directory is there");
        }
        let Some(value) = execution.env.get(SWITCH) else {
            let first = self.ran_first.pop_front();
            return Ok(first.unwrap_or_else(|| self.ran.clone()));
        };
        self.asked.push(value.clone());
        Ok(self.switched.get(value).unwrap_or(&self.ran).clone())
    }

    fn start_forks(&mut self, _: &Execution, settings: &[String]) -> Result<bool, OracleError> {
        self.settings = settings.to_vec();
        Ok(!self.forks.is_empty())
    }

    fn execute_fork(
        &mut self,
        _: &Execution,
        setting: usize,
    ) -> Result<Option<Outcome>, OracleError> {
        Ok(self.forks.get(&self.settings[setting]).cloned())
    }

    fn call(
        &mut self,
        _: &CommandCall,
        _: &Utf8Path,
        _: &[String],
    ) -> Result<Outcome, OracleError> {
        Ok(self.compiled.clone())
    }

    fn has_program(&self) -> bool {
        false
    }

    fn clean_up(&self) -> Result<(), OracleError> {
        Ok(())
    }

    fn clean_up_but_for_program(&self) -> Result<(), OracleError> {
        Ok(())
    }

    fn clear_temporary(&self) -> Result<(), OracleError> {
        Ok(())
    }

    fn temporary(&self) -> &Utf8Path {
        &self.temporary
    }

    fn sweep(&mut self) -> Result<(), OracleError> {
        Ok(())
    }

    fn target_dir(&self) -> Utf8PathBuf {
        "/target".into()
    }

    fn tree(&self) -> &Utf8Path {
        "/tree".into()
    }

    fn out(&self) -> &Utf8Path {
        "/out".into()
    }

    fn root(&self) -> &Utf8Path {
        "lib.rs".into()
    }

    fn files(&self) -> BTreeSet<&Utf8PathBuf> {
        BTreeSet::new()
    }
}
