//! Another version of the user's program: where it lies, and the workspace that cargo compiles there. What
//! fails here is linked with what is compiled there, so all that must be in it is the package.

mod target;

use crate::compiler::target::{PackageInput, Surroundings};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::setting::Setting;
use crate::search::workspace::Workspace;
use crate::system::snapshot::Snapshot;
use crate::version::Version;
use camino::{Utf8Path, Utf8PathBuf};

/// Where another version lies.
pub(crate) struct OtherVersion {
    /// Its name for people.
    pub(crate) name: String,
    /// The directory that has its `Cargo.toml`.
    directory: Utf8PathBuf,
    /// The user's surroundings, if the user stood in it.
    user: Surroundings,
    /// Where we may write.
    scratch: Utf8PathBuf,
}

/// A copy of another version that cargo can compile.
pub(crate) struct Prepared {
    pub(crate) workspace: Workspace,
    pub(crate) snapshot: Snapshot,
    /// What is compiled of it: the same target as of the user's version.
    pub(crate) input: PackageInput,
}

impl OtherVersion {
    /// Finds a version that the user has named.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`].
    pub(crate) fn find(version: &Version, setting: &Setting<'_>) -> Result<Self, OracleError> {
        let refused = |reason: &str, hint: &str| Err(no_version(version.to_string(), reason, hint));
        match version {
            Version::Path(path) => Self::at_path(path, setting),
            _ => refused("only a path can be given", "give a path with a `/` in it"),
        }
    }

    fn at_path(path: &Utf8Path, setting: &Setting<'_>) -> Result<Self, OracleError> {
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
                name: format!("`{path}`"),
                directory: path.to_owned(),
                user: standing_in(path, setting.user),
                scratch: setting.scratch.join("good"),
            }),
        }
    }

    /// The setting in which it is compiled: all is as in the user's, but for where the user stands.
    pub(crate) fn setting<'s>(&'s self, setting: &'s Setting<'_>) -> Setting<'s> {
        setting.of_version(&self.user, self.scratch.clone())
    }

    /// Copies it, with the target of the plan in it: a test may be newer than the version in which it
    /// passes.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`] where it has no such package.
    pub(crate) fn prepare(
        &self,
        input: &PackageInput,
        plan: &Plan,
        there: &Setting<'_>,
    ) -> Result<Prepared, OracleError> {
        let of = |manifest: Utf8PathBuf| PackageInput {
            manifest_path: Some(manifest),
            ..input.clone()
        };
        let whole = Workspace::find(&of(self.directory.join("Cargo.toml")), there)?;
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
        Ok(Prepared {
            workspace,
            snapshot,
            input,
        })
    }
}

/// The user's surroundings in another directory.
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
