//! Makes a query, which is a run of the compiler, or of a command in its place, on the candidate that lies in a
//! worker's tree.
//!
//! One query makes all runs for one answer. It knows the plan by which it asks, so that a companion, whose plan
//! is another one, has a query of its own in the same place.

use super::confined::ProcessSort;
use super::place::Place;
use crate::error::OracleError;
use crate::plan::{ErrorFormat, Plan, TARGET_TMPDIR};
use crate::system::budget::{Expectation, TimeSpent};
use crate::system::process::{Decides, Invocation, Outcome, Server};
use crate::system::room::check_room;
use crate::text::paths::relocate;
use crate::worker::warm::Warm;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeMap;

/// The flag by which the standard library is linked dynamically, which takes less time.
const PREFER_DYNAMIC: &str = "-Cprefer-dynamic";

/// A question about the candidate that lies in a worker's tree.
pub(super) struct Query<'a> {
    pub(super) place: &'a mut Place,
    pub(super) plan: &'a Plan,
    pub(super) cancel: &'a Cancel,
    /// The warm compiler that is asked where it serves; without one each compiler is started anew.
    pub(super) warm: Option<&'a mut Warm>,
    /// The warm compiler for the first call of a plan that consists of two calls.
    pub(super) warm_first: Option<&'a mut Warm>,
    /// The way to fork the program for several runs, where there is one.
    pub(super) forks: Option<&'a mut Forks>,
    /// The program that is forked at the moment.
    pub(super) forked: Option<Server>,
    /// The expectation that bounds the time of the query's runs.
    pub(super) expectation: Expectation,
    /// The function that is told each line that the compiler prints, and says whether it decides, so that the
    /// run is stopped.
    pub(super) decides: Box<Decides<'a>>,
    /// The most time that one of the query's runs has used.
    pub(super) spent: TimeSpent,
    /// Whether the program of the candidate is kept, to be run again.
    pub(super) keeps_program: bool,
}

/// The way in which a worker forks programs.
#[derive(Debug)]
pub(super) struct Forks {
    /// The library that is preloaded into them.
    pub(super) library: Utf8PathBuf,
    /// Whether a program could not be forked: the others are like it.
    pub(super) is_declined: bool,
}

impl Forks {
    pub(super) fn new(library: &Utf8Path) -> Self {
        Self {
            library: library.to_owned(),
            is_declined: false,
        }
    }
}

impl<'a> Query<'a> {
    /// Makes a query whose compilers are started anew and run to their end.
    pub(super) fn new(
        place: &'a mut Place,
        plan: &'a Plan,
        expectation: Expectation,
        cancel: &'a Cancel,
    ) -> Self {
        Self {
            place,
            plan,
            cancel,
            warm: None,
            warm_first: None,
            forks: None,
            forked: None,
            expectation,
            decides: Box::new(|_| false),
            spent: TimeSpent::default(),
            keeps_program: false,
        }
    }

    /// Lets the query ask a warm compiler, where there is one.
    pub(super) fn warm(self, warm: Option<&'a mut Warm>) -> Self {
        Self { warm, ..self }
    }

    /// Lets the query make the first of two calls by this warm compiler.
    pub(super) fn warm_first(self, warm_first: Option<&'a mut Warm>) -> Self {
        Self { warm_first, ..self }
    }

    /// Lets the query fork programs in this way.
    pub(super) fn forks(self, forks: Option<&'a mut Forks>) -> Self {
        Self { forks, ..self }
    }

    /// Stops the query's runs at the first line of which `decides` is true.
    pub(super) fn until(self, decides: impl FnMut(&str) -> bool + 'a) -> Self {
        Self {
            decides: Box::new(decides),
            ..self
        }
    }

    /// Compiles the candidate in the tree, by a warm compiler where there is one for this call.
    pub(super) fn compile_in_tree(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        let env = self.env();
        let outcome = self.compile_with_env(args, &env)?;
        self.note_compiled(&outcome);
        Ok(outcome)
    }

    /// Makes the first compiler call of a plan that consists of two calls.
    pub(super) fn compile_first_in_tree(
        &mut self,
        args: &[String],
    ) -> Result<Outcome, OracleError> {
        // The first call must end with other errors than those that the second call may have.
        let own: Option<Box<Decides<'a>>> = match self.plan.has_errors_first() {
            true => Some(std::mem::replace(&mut self.decides, Box::new(|_| false))),
            false => None,
        };
        std::mem::swap(&mut self.warm, &mut self.warm_first);
        let outcome = self.compile_in_tree(args);
        std::mem::swap(&mut self.warm, &mut self.warm_first);
        if let Some(own) = own {
            self.decides = own;
        }
        outcome
    }

    /// Compiles the candidate in the tree by a compiler that is started anew, and prints a backtrace where it
    /// crashes. This takes longer than what is expected of a query.
    pub(super) fn trace_in_tree(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        let mut env = self.env();
        env.insert("RUST_BACKTRACE".to_owned(), "1".to_owned());
        let (warm, usual) = (self.warm.take(), self.expectation.usual.take());
        let outcome = self.compile_with_env(args, &env);
        (self.warm, self.expectation.usual) = (warm, usual);
        outcome
    }

    fn compile_with_env(
        &mut self,
        args: &[String],
        env: &BTreeMap<String, String>,
    ) -> Result<Outcome, OracleError> {
        let args = self.args(args);
        let invocation = Invocation {
            program: &self.plan.call.compiler.path,
            args: &args,
            env,
            dir: &self.place.tree.join(&self.plan.call.cwd),
            bounds: self.bounds(),
            confinement: None,
        };
        let warm = match &mut self.warm {
            Some(warm) => {
                let confinement = self.place.confined.compiler.confinement()?;
                let confined = invocation.confined(confinement);
                warm.run(&confined, self.cancel, &mut self.decides)?
            }
            None => None,
        };
        let outcome = match warm {
            Some(outcome) => outcome,
            None => {
                let (sort, decides) = (ProcessSort::Compiler, &mut self.decides);
                self.place
                    .run_until(&invocation, sort, self.cancel, decides)?
            }
        };
        check_room(&self.place.temporary, &outcome)?;
        Ok(outcome)
    }

    /// Runs a process to its end.
    pub(super) fn run(
        &self,
        invocation: &Invocation<'_>,
        sort: ProcessSort,
    ) -> Result<Outcome, OracleError> {
        let to_its_end = &mut |_: &str| false;
        self.place
            .run_until(invocation, sort, self.cancel, to_its_end)
    }

    fn args(&self, args: &[String]) -> Vec<String> {
        let plan = self.plan;
        let mut args: Vec<_> = args.iter().map(|arg| self.here(arg)).collect();
        match plan.run_policy.check.execution() {
            Some(execution) => {
                args.extend(["-o".to_owned(), self.place.program().into_string()]);
                let is_dynamic = execution.links_dynamically;
                args.extend(is_dynamic.then(|| PREFER_DYNAMIC.to_owned()));
                // They name files of this machine.
                if self.place.executor.is_local() {
                    args.extend(execution.link_args.iter().cloned());
                }
            }
            None => args.extend(["--out-dir".to_owned(), self.place.out.to_string()]),
        }
        args.extend(plan.run_policy.check.added_flag().map(str::to_owned));
        if plan.call.error_format == ErrorFormat::Json {
            args.push("--error-format=json".to_owned());
        }
        args
    }

    /// Returns an environment with paths in the worker's own tree in place of those in the plan's.
    pub(super) fn env_here(&self, env: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let env = env.iter();
        env.map(|(name, value)| (name.clone(), self.here(value)))
            .collect()
    }

    /// Returns the environment of the query's compilers.
    pub(super) fn env(&self) -> BTreeMap<String, String> {
        let mut env = self.env_here(&self.plan.call.env);
        env.insert("TMPDIR".to_owned(), self.place.temporary.to_string());
        if let Some(place) = env.get_mut(TARGET_TMPDIR) {
            *place = self.place.target_temporary.to_string();
        }
        env
    }

    /// Returns a text with paths in the worker's own tree in place of those in the plan's.
    pub(super) fn here(&self, text: &str) -> String {
        relocate(text, &self.plan.inputs.tree, self.place.tree.as_str())
    }
}
