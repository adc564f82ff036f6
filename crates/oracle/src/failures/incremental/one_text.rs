//! Two versions of the program in one text: a part in which they differ is compiled by a name that is set for the one
//! version or the other.

use super::two_calls::Dependencies;
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::failures::failure::{BothForms, KeptBefore, Package};
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::search::other_version::OtherVersion;
use crate::search::workspace::{Compiling, Workspace};
use crate::system::files;
use crate::system::snapshot::all_files;
use crate::version::Version;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The remark for the user where cargo would compile something else.
const MANIFESTS: &str = "the two versions have other files `Cargo.toml`: those of the present version are used for both";

/// A workspace in which both versions are.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// The other version's name; absent where there is none.
    version: Option<String>,
    /// Files of which there is no text of both versions, relative to the copy of the workspace.
    apart: BTreeSet<Utf8PathBuf>,
    /// The directories in which the version before was compiled, and in which the present one will be.
    compiled: Option<(Utf8PathBuf, Utf8PathBuf)>,
}

impl Joined {
    /// Writes both versions of a workspace into the copy of it.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`] where there is no such version.
    pub(super) fn of_package(
        version: &Version,
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let here = (package.workspace, package.snapshot);
        let root = package.workspace.root();
        let other = OtherVersion::find(version, (root, ""), context)?;
        let there = other.context(context);
        let workspace = other.workspace(package.input, &there)?;
        let snapshot = workspace.copy(&there)?;
        let mut joined = Self::of_version(version.to_string());
        for file in all_files(&snapshot.tree, &snapshot.tree)? {
            let before = snapshot.tree.join(&file);
            let inner = inner_of(&snapshot.base.join(&file), &workspace);
            let place = inner.and_then(|inner| here.1.place_of(&here.0.root().join(inner)));
            let Some(place) = place else { continue };
            match (file.file_name(), file.extension()) {
                (Some("Cargo.toml"), _) if !is_same(&before, &place) => context.remark(MANIFESTS),
                (_, Some("rs")) => joined.join(&before, &place, &here.1.tree, context)?,
                _ => {}
            }
        }
        Ok(joined)
    }

    /// Writes the version that was kept of the sources of a crash into the copy of these.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub(super) fn of_kept(
        before: &KeptBefore<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let mut joined = Self::of_version("the program before".to_owned());
        for directory in &before.directories {
            for file in all_files(directory, directory)? {
                if file.extension() == Some("rs") {
                    let (old, place) = (directory.join(&file), before.tree.join(&file));
                    joined.join(&old, &place, before.tree, context)?;
                }
            }
        }
        Ok(joined)
    }

    /// Sets the directories of what is linked as it was before, and as it is.
    pub(super) fn linking(self, compiled: Option<BothForms>) -> Self {
        let compiled = compiled.map(|[before, after]| (before, after));
        Self { compiled, ..self }
    }

    /// Writes both versions of a single file to the copy of it, and both versions of the files beside it that both
    /// have. Has the call compile the present one.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub(super) fn of_file(
        before: &Utf8Path,
        plan: &mut Plan,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let tree = plan.inputs.tree.clone();
        let root = tree.join(&plan.call.root);
        let (here, there) = (root.parent(), before.parent());
        let mut joined = Self::of_version(before.to_string());
        for file in &plan.inputs.files {
            let place = tree.join(file);
            let inner = here.and_then(|here| place.strip_prefix(here).ok());
            let other = match place == root {
                true => Some(before.to_owned()),
                false => inner.and_then(|inner| Some(there?.join(inner))),
            };
            if let Some(other) = other.filter(|other| other.is_file()) {
                joined.join(&other, &place, &tree, context)?;
            }
        }
        let after = context.plain_tests.version_names().after.to_owned();
        plan.call.args.extend(["--cfg".to_owned(), after]);
        Ok(joined)
    }

    fn of_version(version: String) -> Self {
        Self {
            version: Some(version),
            ..Self::default()
        }
    }

    /// Whether the program has another version before the present one.
    pub(super) fn is_pair(&self) -> bool {
        self.version.is_some()
    }

    /// Writes both versions of a file to the place of the present one.
    fn join(
        &mut self,
        before: &Utf8Path,
        place: &Utf8Path,
        tree: &Utf8Path,
        context: &BaselineContext<'_>,
    ) -> Result<(), OracleError> {
        if !place.exists() {
            return files::copy(before, place).map(drop);
        }
        if is_same(before, place) {
            return Ok(());
        }
        match in_one_text(before, place, context)? {
            Some(text) => files::write(place, &text),
            None => {
                let inner = place.strip_prefix(tree);
                self.apart.extend(inner.ok().map(Utf8Path::to_owned));
                Ok(())
            }
        }
    }

    /// Compiles the version before, where a crate may link another one of the user's. `inputs` are both versions.
    ///
    /// # Errors
    /// Where cargo cannot be run.
    pub(super) fn compiled(
        mut self,
        [before, after]: [&PackageInput; 2],
        package: &Package<'_>,
        context: &BaselineContext<'_>,
    ) -> Result<Self, OracleError> {
        let workspace = package.workspace;
        if workspace.has_several_packages() {
            let may_fail = Compiling::MayFail;
            (context.note)("compiling the program before the change");
            workspace.calls(&["check"], may_fail, before, package.snapshot, context)?;
            let place = |input| workspace.target_dir(input, context);
            self.compiled = Some((place(before), place(after)));
        }
        Ok(self)
    }

    /// Refuses a crate of which not all files are in one text.
    ///
    /// # Errors
    /// [`OracleError::NoVersion`].
    pub(super) fn check(&self, plan: &Plan) -> Result<(), OracleError> {
        let version = self.version.as_deref().unwrap_or_default();
        let mut apart = self.apart.intersection(&plan.inputs.files);
        apart
            .next()
            .map_or(Ok(()), |file| Err(not_in_one_text(version, file)))
    }

    /// Returns the crates that the version before links, where they differ from those of the present one.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn dependencies(&self, plan: &Plan) -> Result<Option<Dependencies>, OracleError> {
        let Some((before, after)) = &self.compiled else {
            return Ok(None);
        };
        let linked = plan.extern_files();
        let pairs = linked.iter().filter_map(|file| {
            let inner = file.strip_prefix(after).ok()?;
            Some((before.join(inner), file))
        });
        let pairs: Vec<_> = pairs.collect();
        let are_there = pairs.iter().all(|(there, _)| there.is_file());
        let differ = pairs.iter().any(|(there, here)| !is_same(there, here));
        if !are_there || !differ {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        for (there, _) in &pairs {
            let bytes = std::fs::read(there).map_err(OracleError::io("read", there))?;
            hasher.update(blake3::hash(&bytes).as_bytes());
        }
        Ok(Some(Dependencies {
            before: before.clone(),
            after: after.clone(),
            digest: hasher.finalize().to_hex().to_string(),
        }))
    }
}

fn in_one_text(
    before: &Utf8Path,
    after: &Utf8Path,
    context: &BaselineContext<'_>,
) -> Result<Option<String>, OracleError> {
    let (before, after) = (files::read(before)?, files::read(after)?);
    Ok(context.plain_tests.in_one_text(&before, &after))
}

/// Returns the path of a file of a workspace, relative to its root.
fn inner_of(file: &Utf8Path, workspace: &Workspace) -> Option<Utf8PathBuf> {
    let inner = file.strip_prefix(workspace.root());
    inner.ok().map(Utf8Path::to_owned)
}

fn is_same(one: &Utf8Path, other: &Utf8Path) -> bool {
    match (std::fs::read(one), std::fs::read(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn not_in_one_text(version: &str, file: &Utf8Path) -> OracleError {
    OracleError::NoVersion {
        version: version.to_owned(),
        reason: format!("the two versions of `{file}` cannot be written as one text"),
        hint: "both have to parse; undo changes in places that have no attributes, such as in macros, one \
               after the other, as long as the crash shows"
            .to_owned(),
    }
}
