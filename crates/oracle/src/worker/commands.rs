//! Candidates that a command is run on: a script, cargo, rustfmt.
//!
//! A command may write where it runs. What it leaves in the tree would be there for the next
//! candidate, such as a program that was compiled from this one, so it is taken away; only what cargo
//! has compiled stays, as cargo sees for itself what is out of date.

mod formatting;
mod said;
mod target_dir;

use super::Worker;
use crate::cancel::Cancel;
use crate::check::{CommandCall, Meaning};
use crate::crash::Observation;
use crate::error::OracleError;
use crate::files;
use crate::plan::Plan;
use crate::process::{Ending, Invocation, Outcome, run};
use crate::signature::{CrashKind, Signature};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// cargo writes it where there is none.
const LOCK_FILE: &str = "Cargo.lock";
/// What cargo and others put into a directory that can be made anew.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// Directories that a command has made are looked into down to this depth below the tree,
const DEEPEST: usize = 64;
/// and while their paths below it have at most so many bytes.
const LONGEST: usize = 1024;

/// What a command showed, and what it printed.
type Seen = (Outcome, Vec<Signature>);

impl Worker {
    /// Runs the command in the candidate's directory.
    pub(super) fn run_command(
        &mut self,
        plan: &Plan,
        call: &CommandCall,
        cancel: &Cancel,
    ) -> Result<(Outcome, Observation), OracleError> {
        let (outcome, crashes) = match call.meaning {
            Meaning::SuccessIsInteresting => self.run_script(plan, call, cancel)?,
            Meaning::FailureIsInteresting => self.run_cargo(plan, call, cancel)?,
            Meaning::Formats | Meaning::FormatsOtherwise => self.run_rustfmt(plan, call, cancel)?,
        };
        self.clean_up()?;
        let observation = Observation {
            ending: outcome.ending,
            crashes,
            // Whatever a compiler said that the command has called is the command's to judge.
            errors: vec![],
            duration: outcome.wall,
        };
        Ok((with_all_in_one(outcome), observation))
    }

    fn run_script(
        &mut self,
        plan: &Plan,
        call: &CommandCall,
        cancel: &Cancel,
    ) -> Result<Seen, OracleError> {
        let dir = self.tree.join(&call.cwd);
        let outcome = self.run_in(plan, call, &dir, &[], cancel)?;
        self.sweep(plan)?;
        let failures = match outcome.ending {
            Ending::Exited(0) => vec![Signature::of_kind(CrashKind::Script, "")],
            _ => vec![],
        };
        Ok((outcome, failures))
    }

    fn run_cargo(
        &mut self,
        plan: &Plan,
        call: &CommandCall,
        cancel: &Cancel,
    ) -> Result<Seen, OracleError> {
        let target = self.target_dir();
        let is_new = files::entries(&target)?.is_empty();
        if let Some(builds) = call.builds.as_ref().filter(|_| is_new) {
            target_dir::begin_with(builds, &target)?;
        }
        let dir = self.tree.join(&call.cwd);
        let outcome = self.run_in(plan, call, &dir, &[], cancel)?;
        self.sweep(plan)?;
        let failure = said::failure(&outcome, self.tree.as_str());
        Ok((outcome, failure.into_iter().collect()))
    }

    /// Runs the command in a directory, with more arguments.
    fn run_in(
        &self,
        plan: &Plan,
        call: &CommandCall,
        dir: &Utf8Path,
        more: &[String],
        cancel: &Cancel,
    ) -> Result<Outcome, OracleError> {
        let given = call.args.iter().map(|arg| self.here(arg, plan));
        let args: Vec<String> = given.chain(more.iter().cloned()).collect();
        let invocation = Invocation {
            program: &call.program,
            args: &args,
            env: &self.command_env(plan, call),
            dir,
            bounds: self.bounds(plan),
            confinement: self.confined.program.as_ref(),
        };
        let outcome = run(&invocation, cancel)?;
        self.note_compiled(&outcome);
        Ok(outcome)
    }

    /// Whatever a command takes for the user's home is ours.
    fn command_env(&self, plan: &Plan, call: &CommandCall) -> BTreeMap<String, String> {
        let mut env = self.env_here(&call.env, plan);
        let target = call.builds.as_ref().map(|_| self.target_dir());
        let places = [
            ("HOME", Some(self.temporary.clone())),
            ("TMPDIR", Some(self.temporary.clone())),
            ("CARGO_TARGET_DIR", target.clone()),
            ("CARGO_BUILD_BUILD_DIR", target),
        ];
        let places = places.into_iter();
        env.extend(places.filter_map(|(name, path)| Some((name.to_owned(), path?.into_string()))));
        env
    }

    fn target_dir(&self) -> Utf8PathBuf {
        self.tree.with_file_name(super::TARGET)
    }

    /// Makes the tree again what it was before a command: what it has made goes, but for what cargo has
    /// compiled; what it has changed of the candidate is written anew with the next one.
    fn sweep(&mut self, plan: &Plan) -> Result<(), OracleError> {
        let kept: BTreeSet<Utf8PathBuf> = {
            let all = plan.files.iter().chain(self.written.keys());
            all.map(|path| self.tree.join(path)).collect()
        };
        let mut dirs = vec![self.tree.clone()];
        while let Some(dir) = dirs.pop() {
            for entry in files::entries(&dir)? {
                let path = entry.into_path();
                let is_dir = path.symlink_metadata().is_ok_and(|data| data.is_dir());
                if is_dir && is_too_deep(&path, &self.tree) && !has_below(&kept, &path) {
                    files::remove_all(&path)?;
                } else if !is_dir && !kept.contains(&path) && path.file_name() != Some(LOCK_FILE) {
                    files::remove(&path)?;
                } else if is_dir && !path.join(CACHE_TAG).exists() {
                    dirs.push(path);
                }
            }
        }
        let tree = &self.tree;
        self.written.retain(|path, text| {
            std::fs::read_to_string(tree.join(path)).is_ok_and(|there| there == **text)
        });
        Ok(())
    }
}

/// Whether a path is so far below `tree` that no file of a program is there: what is deeper might have
/// a path that is longer than the system takes.
fn is_too_deep(path: &Utf8Path, tree: &Utf8Path) -> bool {
    let inner = path.strip_prefix(tree).unwrap_or(path);
    inner.components().count() > DEEPEST || inner.as_str().len() > LONGEST
}

fn has_below(files: &BTreeSet<Utf8PathBuf>, dir: &Utf8Path) -> bool {
    files.iter().any(|file| file.starts_with(dir))
}

/// Both outputs as one, for people and for patterns.
fn with_all_in_one(outcome: Outcome) -> Outcome {
    let parts = [&outcome.stdout, &outcome.stderr].map(|part| part.trim_end());
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Outcome {
        stderr: parts.join("\n"),
        stdout: String::new(),
        ..outcome
    }
}
