//! Finds another version of the user's program, and the workspace that cargo compiles in it. What fails here is
//! linked with what is compiled there, so all that must be in it is the package.

mod git;
mod newest;
mod refusal;
mod release;
mod target;

pub(crate) use newest::newest_that_serves;

use crate::compiler::target::{PackageInput, Surroundings};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::{BaselineContext, StandIn};
use crate::search::workspace::Workspace;
use crate::system::files;
use crate::system::snapshot::{Snapshot, joined};
use crate::version::Version;
use camino::{Utf8Path, Utf8PathBuf};
use git::{Commit, Repository};
use refusal::Refusal;

/// Another version of the user's program, and the directories that belong to it.
pub(crate) struct OtherVersion {
    /// The version's name for people.
    pub(crate) name: String,
    /// The directory that has the version's `Cargo.toml`.
    directory: Utf8PathBuf,
    /// The user's surroundings, as if the user stood in the directory of the version.
    user: Surroundings,
    /// The directory of ours in which the version lies, if it lies in one.
    stand_in: Option<StandIn>,
    /// The one dependency that differs from the user's program, with its version, where only a dependency differs.
    pinned: Option<(String, String)>,
    /// The directory for files that are written while the version is prepared.
    scratch: Utf8PathBuf,
}

/// A copy of another version that cargo can compile.
pub(crate) struct Prepared {
    pub(crate) workspace: Workspace,
    pub(crate) snapshot: Snapshot,
    /// The target of the version that is compiled: the same as of the user's version.
    pub(crate) input: PackageInput,
}

impl OtherVersion {
    /// Finds a version that the user has named of the workspace in a directory.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`].
    pub(crate) fn find(
        version: &Version,
        (workspace, package): (&Utf8Path, &str),
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        match version {
            Version::Path(path) => Self::at_path(path, context),
            Version::Revision(revision) => Self::at_revision(revision, workspace, context),
            Version::Release(release) => Self::published(package, release, context),
            Version::Dependency { name, release } => {
                let version = version.to_string();
                Ok(Self::pinned(workspace, version, (name, release), context))
            }
            Version::Auto => Err(no_version(
                version,
                "it is none that can be named at once",
                "give a revision of git, or a path with a `/` in it",
            )),
        }
    }

    /// Makes the version that is a published release of a package, from the sources that cargo has of it.
    fn published(
        package: &str,
        number: &str,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let name = format!("{package} {number}");
        let refused = |refusal: Refusal| no_version(&name, &refusal.reason, refusal.hint);
        let scratch = context.scratch.join("good");
        let found = release::find(package, number, &scratch.join("asked"), context)?;
        let directory = found.map_err(refused)?;
        let cwd = &context.user.cwd;
        Ok(Self {
            user: standing_in(&directory, context.user),
            directory,
            stand_in: Some(StandIn {
                key: format!("{cwd} {name}"),
                // As if it were a directory in the user's.
                of: Some(cwd.join(package)),
                builds: context.builds.clone(),
            }),
            pinned: None,
            scratch,
            name,
        })
    }

    /// Makes the version that differs from the user's program only in the version of one dependency.
    fn pinned(
        workspace: &Utf8Path,
        name: String,
        (package, number): (&str, &str),
        context: &BaselineContext<'_>,
    ) -> Self {
        Self {
            directory: workspace.to_owned(),
            user: standing_in(workspace, context.user),
            stand_in: Some(StandIn {
                key: format!("{workspace} {name}"),
                of: None,
                builds: context.builds.clone(),
            }),
            pinned: Some((package.to_owned(), number.to_owned())),
            scratch: context.scratch.join("good"),
            name,
        }
    }

    fn at_revision(
        revision: &str,
        workspace: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let refused = |refusal: Refusal| no_version(revision, &refusal.reason, refusal.hint);
        let repository = Repository::around(workspace, context)?.map_err(refused)?;
        let commit = repository.commit(revision)?.map_err(refused)?;
        let version = Self::at_commit(&repository, &commit, workspace, context)?;
        let key = format!("{workspace} {}", commit.name());
        Ok(Self {
            name: format!("{revision} (commit {})", commit.short()),
            ..version.kept(context.builds.clone(), key)
        })
    }

    fn at_commit(
        repository: &Repository<'_>,
        commit: &Commit,
        workspace: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let place = context.scratch.join("good");
        let scratch = place.join(commit.short());
        let tree = scratch.join("tree");
        repository.check_out(commit, &tree)?;
        let real = workspace.canonicalize_utf8();
        let real = real.map_err(OracleError::io("find", workspace))?;
        let inner = real.strip_prefix(&repository.root).unwrap_or("".as_ref());
        let directory = joined(&tree, inner);
        if !directory.join("Cargo.toml").is_file() {
            let reason = format!("there is no `{}` in it", inner.join("Cargo.toml"));
            let hint = "give a revision in which the workspace stands where it does now";
            return Err(no_version(commit.short(), &reason, hint));
        }
        Ok(Self {
            name: format!("commit {}", commit.short()),
            user: standing_in(&directory, context.user),
            directory,
            scratch,
            pinned: None,
            stand_in: Some(StandIn {
                key: String::new(),
                of: Some(repository.root.clone()),
                builds: place.join("builds"),
            }),
        })
    }

    /// Makes cargo compile the version to a directory that later runs find by this key.
    fn kept(mut self, builds: Utf8PathBuf, key: String) -> Self {
        if let Some(stand_in) = &mut self.stand_in {
            (stand_in.builds, stand_in.key) = (builds, key);
        }
        self
    }

    fn at_path(path: &Utf8Path, context: &BaselineContext<'_>) -> Result<Self, OracleError> {
        let refused = |reason: &str, hint: &str| Err(no_version(path, reason, hint));
        match (path.is_dir(), path.join("Cargo.toml").is_file()) {
            (false, _) => refused(
                "there is no such directory",
                "what contains a `/` is a path; name a branch like `origin/main` by its commit (`git rev-parse origin/main`)",
            ),
            (true, false) => refused(
                "there is no `Cargo.toml` in it",
                "give the directory of another version of this package, or of its workspace",
            ),
            (true, true) => Ok(Self {
                name: path.to_string(),
                directory: path.to_owned(),
                user: standing_in(path, context.user),
                scratch: context.scratch.join("good"),
                stand_in: None,
                pinned: None,
            }),
        }
    }

    /// Returns the context in which the version is compiled: all is as in the user's, but for where the
    /// user stands.
    pub(crate) fn context<'s>(&'s self, context: &'s BaselineContext<'_>) -> BaselineContext<'s> {
        context.of_version(&self.user, self.scratch.clone(), self.stand_in.as_ref())
    }

    /// Returns the workspace in which the version lies.
    ///
    /// # Errors
    /// Where cargo finds none.
    pub(crate) fn workspace(
        &self,
        input: &PackageInput,
        there: &BaselineContext<'_>,
    ) -> Result<Workspace, OracleError> {
        Workspace::find(&self.manifest_of(input), there)
    }

    /// Returns the target to compile in the version, named by the version's manifest.
    fn manifest_of(&self, input: &PackageInput) -> PackageInput {
        PackageInput {
            manifest_path: Some(self.directory.join("Cargo.toml")),
            ..input.clone()
        }
    }

    /// Copies the version, and adds the failing target of the plan to it: a test may be newer than the version in
    /// which it passes.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`] where it has no such package.
    pub(crate) fn prepare(
        &self,
        input: &PackageInput,
        plan: &Plan,
        there: &BaselineContext<'_>,
    ) -> Result<Prepared, OracleError> {
        let of = |manifest: Utf8PathBuf| PackageInput {
            manifest_path: Some(manifest),
            ..input.clone()
        };
        let whole = self.workspace(input, there)?;
        let name = plan.call.env.get("CARGO_PKG_NAME").cloned();
        let name = name.unwrap_or_default();
        let package = whole.member(&name);
        let package = package.map_err(|known| {
            let known = known.join("`, `");
            let hint = "give the directory of another version of the same workspace";
            no_version(
                &self.name,
                &format!("it has no package `{name}`, but `{known}`"),
                hint,
            )
        })?;
        let input = of(package.manifest_path.clone());
        let workspace = Workspace::find(&input, there)?;
        let snapshot = workspace.copy(there)?;
        target::add_missing(plan, package, &snapshot)?;
        add_lock_file(plan, &workspace, &snapshot)?;
        if let Some((name, version)) = &self.pinned {
            let refused = |refusal: Refusal| no_version(&self.name, &refusal.reason, refusal.hint);
            release::pin(name, version, &workspace, &snapshot, there)?.map_err(refused)?;
        }
        Ok(Prepared {
            workspace,
            snapshot,
            input,
        })
    }
}

/// The commits before the present state of a workspace, the newest first.
pub(crate) struct History {
    workspace: Utf8PathBuf,
    commits: Vec<(Commit, String)>,
    /// The name of the present state, for people.
    present: String,
}

impl History {
    /// Reads the history of a workspace; in it at most so many commits.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`] where there is none.
    pub(crate) fn of(
        workspace: &Utf8Path,
        most: usize,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let repository = repository(workspace, context)?;
        let mut commits = repository.first_parents(most)?;
        let mut present = "what is not committed".to_owned();
        if !commits.is_empty() && repository.is_clean()? {
            present = name_of(&commits.remove(0));
        }
        Ok(Self {
            workspace: workspace.to_owned(),
            commits,
            present,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.commits.len()
    }

    /// Returns the name of the state after a commit, for people.
    pub(crate) fn after(&self, idx: usize) -> String {
        let next = idx.checked_sub(1).and_then(|next| self.name(next));
        next.unwrap_or_else(|| self.present.clone())
    }

    /// Returns the name of a commit for people, with what it is about.
    pub(crate) fn name(&self, idx: usize) -> Option<String> {
        self.commits.get(idx).map(name_of)
    }

    /// Makes the version that is a commit of the history, with its files read from the repository anew. All are
    /// compiled to one directory.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`] where the workspace stood elsewhere.
    pub(crate) fn version(
        &self,
        idx: usize,
        context: &BaselineContext<'_>,
    ) -> Result<OtherVersion, OracleError> {
        let repository = repository(&self.workspace, context)?;
        let none = || no_version("auto", "there is no such commit", "give a revision of git");
        let (commit, _) = self.commits.get(idx).ok_or_else(none)?;
        OtherVersion::at_commit(&repository, commit, &self.workspace, context)
    }
}

fn name_of((commit, about): &(Commit, String)) -> String {
    format!("{} ({about})", commit.short())
}

fn repository<'a>(
    workspace: &Utf8Path,
    context: &'a BaselineContext<'a>,
) -> Result<Repository<'a>, OracleError> {
    let refused = |refusal: Refusal| no_version("auto", &refusal.reason, refusal.hint);
    Repository::around(workspace, context)?.map_err(refused)
}

/// Copies the user's lock file into a version that keeps none, so that the same crates are linked as in
/// the user's.
fn add_lock_file(
    plan: &Plan,
    workspace: &Workspace,
    snapshot: &Snapshot,
) -> Result<(), OracleError> {
    const LOCK_FILE: &str = "Cargo.lock";
    let tree = &plan.inputs.tree;
    let dir = tree.join(&plan.call.cwd);
    let mut above = dir.ancestors().take_while(|dir| dir.starts_with(tree));
    let ours = above.find_map(|dir| Some(dir.join(LOCK_FILE)).filter(|path| path.is_file()));
    let theirs = snapshot.place_of(&workspace.root().join(LOCK_FILE));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if !theirs.exists() => files::copy(&ours, &theirs).map(drop),
        _ => Ok(()),
    }
}

/// Returns the user's surroundings with another current directory.
fn standing_in(directory: &Utf8Path, user: &Surroundings) -> Surroundings {
    Surroundings {
        cwd: directory.to_owned(),
        ..user.clone()
    }
}

fn no_version(version: impl ToString, reason: &str, hint: &str) -> OracleError {
    OracleError::NoVersion {
        version: version.to_string(),
        reason: reason.to_owned(),
        hint: hint.to_owned(),
    }
}
