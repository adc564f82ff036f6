//! Makes the runs by which a check tries a candidate: compile it, run the program, run a command on it.
//!
//! A command may write where it runs. What it leaves in the tree would be there for the next candidate,
//! such as a program that was compiled from this one, so it is taken away; only what cargo has compiled
//! stays, as cargo sees for itself what is out of date.

use super::confined::ProcessSort;
use super::query::Query;
use crate::check::input::with_input;
use crate::check::{Bench, CommandCall, Execution};
use crate::error::OracleError;
use crate::plan::TARGET_TMPDIR;
use crate::system::files;
use crate::system::process::{Invocation, Outcome};
use crate::system::room::check_room;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the lock file, which cargo writes where there is none.
const LOCK_FILE: &str = "Cargo.lock";
/// The name of the file that cargo and others put into a directory that can be made anew.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The depth below the tree down to which directories that a command has made are looked into.
const DEEPEST: usize = 64;
/// The length in bytes up to which paths below the tree are looked into.
const LONGEST: usize = 1024;

impl Bench for Query<'_> {
    fn compile(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        self.compile_in_tree(args)
    }

    fn compile_first(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        self.compile_first_in_tree(args)
    }

    fn compile_with_backtrace(&mut self, args: &[String]) -> Result<Outcome, OracleError> {
        self.trace_in_tree(args)
    }

    fn execute(&mut self, execution: &Execution) -> Result<Outcome, OracleError> {
        let ran = self.with_program(execution, |query, invocation| {
            query.run(invocation, ProcessSort::Program)
        })?;
        self.after_run(ran)
    }

    fn start_forks(
        &mut self,
        execution: &Execution,
        settings: &[String],
    ) -> Result<bool, OracleError> {
        self.start_program(execution, settings)
    }

    fn execute_fork(
        &mut self,
        execution: &Execution,
        setting: usize,
    ) -> Result<Option<Outcome>, OracleError> {
        self.clear_temporary()?;
        let ran = self.fork_program(execution, setting)?;
        ran.map(|ran| self.after_run(ran)).transpose()
    }

    fn call(
        &mut self,
        call: &CommandCall,
        dir: &Utf8Path,
        more: &[String],
    ) -> Result<Outcome, OracleError> {
        let given = call.args.iter().map(|arg| self.here(arg));
        let args: Vec<String> = given.chain(more.iter().cloned()).collect();
        let invocation = Invocation {
            program: &call.program,
            args: &args,
            env: &self.command_env(call),
            dir,
            bounds: self.bounds(),
            confinement: None,
        };
        let outcome = self.run(&invocation, ProcessSort::Program)?;
        check_room(&self.place.temporary, &outcome)?;
        self.note_compiled(&outcome);
        Ok(outcome)
    }

    fn has_program(&self) -> bool {
        self.keeps_program && self.place.program().is_file()
    }

    fn clean_up(&self) -> Result<(), OracleError> {
        self.place.clean_up()
    }

    fn clear_temporary(&self) -> Result<(), OracleError> {
        files::empty(&self.place.temporary)
    }

    fn temporary(&self) -> &Utf8Path {
        &self.place.temporary
    }

    fn clean_up_but_for_program(&self) -> Result<(), OracleError> {
        match self.keeps_program {
            true => self.clear_temporary(),
            false => self.place.clean_up(),
        }
    }

    /// Removes what a command has made, but for what cargo has compiled, and restores what the command has changed: the next
    /// run, of this candidate or another one, begins with the same files.
    fn sweep(&mut self) -> Result<(), OracleError> {
        let tree = self.place.tree.clone();
        let kept = self.files();
        let kept: BTreeSet<Utf8PathBuf> = kept.into_iter().map(|path| tree.join(path)).collect();
        let mut dirs = vec![tree.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in files::entries(&dir)? {
                let path = entry.into_path();
                let is_dir = path.symlink_metadata().is_ok_and(|data| data.is_dir());
                if is_dir && is_too_deep(&path, &tree) && !has_below(&kept, &path) {
                    files::remove_all(&path)?;
                } else if !is_dir && !kept.contains(&path) && path.file_name() != Some(LOCK_FILE) {
                    files::remove(&path)?;
                } else if is_dir && !path.join(CACHE_TAG).exists() {
                    dirs.push(path);
                }
            }
        }
        self.place.restore(&self.plan.inputs)
    }

    fn target_dir(&self) -> Utf8PathBuf {
        self.place.target_dir()
    }

    fn tree(&self) -> &Utf8Path {
        &self.place.tree
    }

    fn out(&self) -> &Utf8Path {
        &self.place.out
    }

    fn root(&self) -> &Utf8Path {
        &self.plan.call.root
    }

    fn files(&self) -> BTreeSet<&Utf8PathBuf> {
        let edited = self.place.written.keys();
        self.plan.inputs.files.iter().chain(edited).collect()
    }
}

impl Query<'_> {
    /// Makes all ready for a run of the compiled program, and calls `run` with the invocation.
    pub(super) fn with_program<T>(
        &mut self,
        execution: &Execution,
        run: impl FnOnce(&mut Self, &Invocation<'_>) -> Result<T, OracleError>,
    ) -> Result<T, OracleError> {
        self.place.lay_out(&self.plan.inputs.programs)?;
        let args = execution.args.iter();
        let args: Vec<_> = args.map(|arg| self.here(arg)).collect();
        let mut env = self.env_here(&execution.env);
        set_own_places(&mut env, &self.place.temporary);
        files::empty(&self.place.target_temporary)?;
        let program = self.place.program();
        let input = execution.input.as_deref();
        let (program, args) = with_input(&program, &args, input, &self.place.out)?;
        let invocation = Invocation {
            program: &program,
            args: &args,
            env: &env,
            dir: &self.place.tree.join(&execution.cwd),
            bounds: self.bounds_of_program(execution),
            confinement: None,
        };
        run(self, &invocation)
    }

    /// Notes what a run of the program has used, and returns its outcome without the names of our directories.
    fn after_run(&mut self, ran: Outcome) -> Result<Outcome, OracleError> {
        check_room(&self.place.temporary, &ran)?;
        self.note_executed(&ran);
        let (temporary, of_target) = (&self.place.temporary, &self.place.target_temporary);
        Ok(without_own_places(ran, temporary, Some(of_target)))
    }

    /// Returns the environment of a command that is run on a candidate. Whatever it takes for the user's home is a
    /// directory of ours.
    fn command_env(&self, call: &CommandCall) -> BTreeMap<String, String> {
        let mut env = self.env_here(&call.env);
        let target = call.builds.as_ref().map(|_| self.place.target_dir());
        let temporary = &self.place.temporary;
        let places = [
            ("HOME", Some(temporary.clone())),
            ("TMPDIR", Some(temporary.clone())),
            ("CARGO_TARGET_DIR", target.clone()),
            ("CARGO_BUILD_BUILD_DIR", target),
        ];
        let places = places.into_iter();
        env.extend(places.filter_map(|(name, path)| Some((name.to_owned(), path?.into_string()))));
        env
    }
}

/// Changes the variables of a program so that the program finds a directory of ours wherever it would write to one of
/// the user's.
pub(crate) fn set_own_places(env: &mut BTreeMap<String, String>, dir: &Utf8Path) {
    env.extend(["HOME", "TMPDIR"].map(|name| (name.to_owned(), dir.to_string())));
}

/// Returns what a program has printed, without the names of the directories that it may write to. They are others for each
/// worker, and what it prints must not be.
pub(crate) fn without_own_places(
    ran: Outcome,
    temporary: &Utf8Path,
    of_target: Option<&Utf8Path>,
) -> Outcome {
    let masked = |text: &str| {
        let text = relocate(text, temporary, "$TMPDIR");
        of_target.map_or(text.clone(), |dir| {
            relocate(&text, dir, &format!("${TARGET_TMPDIR}"))
        })
    };
    Outcome {
        stdout: masked(&ran.stdout),
        stderr: masked(&ran.stderr),
        ..ran
    }
}

/// Whether a path is too far below `tree` to be a file of the candidate: a deeper one might have a path that is
/// longer than the system takes.
fn is_too_deep(path: &Utf8Path, tree: &Utf8Path) -> bool {
    let inner = path.strip_prefix(tree).unwrap_or(path);
    inner.components().count() > DEEPEST || inner.as_str().len() > LONGEST
}

fn has_below(files: &BTreeSet<Utf8PathBuf>, dir: &Utf8Path) -> bool {
    files.iter().any(|file| file.starts_with(dir))
}
