//! Sets up and cleans the directories of a worker: the tree in which candidates lie, and those beside it that
//! processes write to.

use super::confined::{Confined, ProcessSort};
use super::executor::{Executor, Order};
use crate::error::OracleError;
use crate::plan::auxiliary::COMPILED;
use crate::plan::programs::{self, DEPS, Programs};
use crate::plan::{Inputs, Plan, Sources};
use crate::system::budget::TimeSpent;
use crate::system::files;
use crate::system::process::{Decides, Invocation, Outcome, most_processes};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The name of the directory beside the tree to which a worker's own cargo compiles.
const TARGET: &str = "target";
/// The name of the directory beside the tree for files that tests make.
pub(super) const TARGET_TEMPORARY: &str = "target-tmp";
/// The compiled program, in the directory for output.
const PROGRAM: &str = "program";

/// The directories of a worker, and what is known of their contents.
#[derive(Debug)]
pub(super) struct Place {
    /// The directory in which the candidate lies.
    pub(super) tree: Utf8PathBuf,
    /// The directory that the compiler writes to. Programs that a test starts lie above it, as cargo has them.
    pub(super) out: Utf8PathBuf,
    /// The programs of the package that lie where a test looks for them.
    programs: Programs,
    /// The directory for temporary files.
    pub(super) temporary: Utf8PathBuf,
    /// The directory to which [`TARGET_TMPDIR`](crate::plan::TARGET_TMPDIR) leads.
    pub(super) target_temporary: Utf8PathBuf,
    /// The edited files as they are in the tree now.
    pub(super) written: Sources,
    /// The inputs of the auxiliary crates that are compiled in the tree, by the files that they were compiled to.
    pub(super) compiled: BTreeMap<Utf8PathBuf, Compiled>,
    /// The largest number of processes that the user may have, with those of a query.
    pub(super) most_processes: Option<u64>,
    /// The rights of the processes that run here.
    pub(super) confined: Confined,
    /// The executor that runs the processes.
    pub(super) executor: Executor,
}

/// An auxiliary crate that is compiled.
#[derive(Debug)]
pub(super) struct Compiled {
    /// The digest of what the crate was compiled from.
    pub(super) made_from: [u8; 32],
    /// The time that compiling the crate took.
    pub(super) spent: TimeSpent,
}

impl Place {
    /// Sets up a tree below `dir`, which is emptied, with all files of the plan but for those in
    /// `edited`.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub(super) fn new(
        dir: &Utf8Path,
        plan: &Plan,
        edited: &BTreeSet<Utf8PathBuf>,
    ) -> Result<Self, OracleError> {
        files::make_empty(dir)?;
        let (tree, out, temporary) = (dir.join("tree"), dir.join(DEPS), dir.join("tmp"));
        // Of the plan, and of each companion.
        let own = std::iter::once(tree.join(COMPILED));
        let of_companions =
            (0..plan.run_policy.companions.len()).map(|idx| compiled_in(&tree, idx));
        let auxiliaries: Vec<Utf8PathBuf> = own.chain(of_companions).collect();
        let target_temporary = dir.join(TARGET_TEMPORARY);
        let mut made = vec![tree.join(&plan.call.cwd), out.clone(), temporary.clone()];
        made.push(target_temporary.clone());
        made.extend(plan.execution().map(|execution| tree.join(&execution.cwd)));
        for dir in made.iter().chain(&auxiliaries) {
            files::make_dir(dir)?;
        }
        let target = dir.join(TARGET);
        let mut writes = vec![out.as_path()];
        writes.extend(auxiliaries.iter().map(|dir| dir.as_path()));
        if plan.run_policy.check.command().is_some() {
            files::make_dir(&target)?;
            // A command runs in the tree, and may write there.
            writes.extend([tree.as_path(), target.as_path()]);
        }
        let confined = Confined::new(plan, &writes, &temporary, &target_temporary);
        for path in plan.inputs.files.difference(edited) {
            match plan.inputs.texts.get(path) {
                Some(text) => files::write_below(&tree, path, text)?,
                None => {
                    files::copy(&plan.inputs.tree.join(path), &tree.join(path))?;
                }
            }
        }
        Ok(Self {
            tree,
            out,
            programs: Programs::new(),
            temporary,
            target_temporary,
            written: Sources::new(),
            compiled: BTreeMap::new(),
            most_processes: most_processes(),
            confined,
            executor: Executor::local(),
        })
    }

    /// Runs a process by the worker's executor to its end, or until `decides` has seen enough of stderr.
    ///
    /// # Errors
    /// Where there is no outcome.
    pub(super) fn run_until(
        &self,
        invocation: &Invocation<'_>,
        sort: ProcessSort,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        let rights = match sort {
            ProcessSort::Compiler => &self.confined.compiler,
            ProcessSort::Program => &self.confined.program,
        };
        let order = Order {
            invocation,
            rights,
            tree: &self.tree,
            candidate: &self.written,
        };
        self.executor.run_until(&order, cancel, decides)
    }

    /// Writes the files of the candidate to the tree; touches only files that differ.
    pub(super) fn write(&mut self, sources: &Sources) -> Result<(), OracleError> {
        let written = self.written.keys();
        let dropped = written.filter(|path| !sources.contains_key(*path));
        for path in dropped.cloned().collect::<Vec<_>>() {
            files::remove(&self.tree.join(&path))?;
            self.written.remove(&path);
        }
        for (path, text) in sources {
            let there = self.written.get(path);
            if !there.is_some_and(|there| Arc::ptr_eq(there, text) || there == text) {
                // Forgotten first: after a failed write nobody knows what is in the file.
                self.written.remove(path);
                files::write_below(&self.tree, path, text)?;
                self.written.insert(path.clone(), text.clone());
            }
        }
        Ok(())
    }

    /// Puts programs of the package where a test looks for those that cargo has built beside it.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub(super) fn lay_out(&mut self, programs: &Programs) -> Result<(), OracleError> {
        if self.programs != *programs {
            let dir = self.out.parent().unwrap_or(&self.out);
            programs::lay_out(dir, &self.programs, programs)?;
            self.programs.clone_from(programs);
        }
        Ok(())
    }

    /// Restores the files that a run was given, as they were before it: those of the candidate, and those that no
    /// candidate changes.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub(super) fn restore(&self, inputs: &Inputs) -> Result<(), OracleError> {
        for (path, text) in &self.written {
            let there = std::fs::read(self.tree.join(path));
            if there.ok().as_deref() != Some(text.as_bytes()) {
                files::write_below(&self.tree, path, text)?;
            }
        }
        let others = inputs.files.iter();
        for path in others.filter(|path| !self.written.contains_key(*path)) {
            let place = self.tree.join(path);
            // A file of the original that the candidate does not have is not there.
            let Ok(there) = std::fs::read(&place) else {
                continue;
            };
            match inputs.texts.get(path) {
                Some(text) if there != text.as_bytes() => {
                    files::write_below(&self.tree, path, text)?;
                }
                Some(_) => {}
                None => {
                    let original = inputs.tree.join(path);
                    let given = std::fs::read(&original);
                    if given.map_err(OracleError::io("read", &original))? != there {
                        files::copy(&original, &place)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Removes the files that a run has written beside the tree.
    pub(super) fn clean_up(&self) -> Result<(), OracleError> {
        files::empty(&self.out)?;
        files::empty(&self.temporary)
    }

    /// Returns the path of the compiled program.
    pub(super) fn program(&self) -> Utf8PathBuf {
        self.out.join(PROGRAM)
    }

    /// Returns the directory to which the worker's own cargo compiles.
    pub(super) fn target_dir(&self) -> Utf8PathBuf {
        self.tree.with_file_name(TARGET)
    }
}

/// Returns the directory to which a companion's compiler writes auxiliary crates.
pub(super) fn compiled_in(tree: &Utf8Path, idx: usize) -> Utf8PathBuf {
    tree.join(format!("{COMPILED}-{idx}"))
}
