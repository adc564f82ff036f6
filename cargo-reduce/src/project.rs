//! The project in which the user stands: the manifest, and from it the default name and place of the
//! result. Only guesses that cargo will confirm or refuse later; a manifest that cannot be read is no
//! error here.

use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Item};

/// The package or file that is to be reduced, as far as its place tells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Project {
    /// The directory of the manifest or of the file, absolute; `reduce.toml` is looked for there.
    pub(crate) directory: Utf8PathBuf,
    /// The directory that holds `target`, absolute.
    pub(crate) target_parent: Utf8PathBuf,
    /// The package's or the file's name; that of the directory for a workspace without a package.
    pub(crate) name: String,
    /// The package or file that has this name.
    pub(crate) subject: Subject,
}

/// The subject of a reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    Package,
    /// The package of a workspace in which the failure is found.
    Workspace,
    File {
        /// Whether a manifest is in the current directory, so that results of packages go to the same directory as that
        /// of this file.
        beside_manifest: bool,
        /// The manifest of the package that was made of the file, if that is a cargo script.
        package: Option<Utf8PathBuf>,
    },
    /// The program that was read from standard input.
    StandardInput(String),
    /// A crash that was kept.
    Captured,
}

impl Project {
    /// Makes the project of a single file, or of the package that was made of a cargo script; its result goes below the
    /// current directory.
    pub(crate) fn of_file(file: &Utf8Path, package: Option<Utf8PathBuf>, cwd: &Utf8Path) -> Self {
        Self {
            directory: file.parent().unwrap_or(cwd).to_owned(),
            target_parent: cwd.to_owned(),
            name: file.file_stem().unwrap_or("reduced").to_owned(),
            subject: Subject::File {
                beside_manifest: cwd.join("Cargo.toml").is_file(),
                package,
            },
        }
    }

    /// The manifest of the package that was made of a cargo script.
    pub(crate) fn script(&self) -> Option<&Utf8Path> {
        match &self.subject {
            Subject::File { package, .. } => package.as_deref(),
            _ => None,
        }
    }

    /// Makes the project of a program that was read from standard input; its result goes below the current directory.
    pub(crate) fn of_standard_input(program: String, cwd: &Utf8Path) -> Self {
        Self {
            directory: cwd.to_owned(),
            target_parent: cwd.to_owned(),
            name: "stdin".to_owned(),
            subject: Subject::StandardInput(program),
        }
    }

    /// Makes the project of a kept crash; its result goes below the current directory.
    pub(crate) fn of_captured(number: u64, cwd: &Utf8Path) -> Self {
        Self {
            directory: cwd.to_owned(),
            target_parent: cwd.to_owned(),
            name: format!("captured-{number}"),
            subject: Subject::Captured,
        }
    }

    /// Makes the project of a package, given its manifest; its result goes below the workspace's directory.
    pub(crate) fn of_manifest(manifest: &Utf8Path) -> Self {
        let directory = manifest.parent().unwrap_or(manifest).to_owned();
        let document = read(manifest);
        let package = document
            .as_ref()
            .and_then(|document| document.get("package"));
        let name = package
            .and_then(|package| package.get("name"))
            .and_then(Item::as_str);
        let subject = match (&document, name) {
            (Some(_), None) => Subject::Workspace,
            _ => Subject::Package,
        };
        let name = name
            .or(directory.file_name())
            .unwrap_or("reduced")
            .to_owned();
        Self {
            target_parent: workspace_of(&directory),
            directory,
            name,
            subject,
        }
    }
}

/// The nearest `Cargo.toml` from a directory upwards, as cargo looks for it.
pub(crate) fn find_manifest(directory: &Utf8Path) -> Option<Utf8PathBuf> {
    let manifests = directory
        .ancestors()
        .map(|directory| directory.join("Cargo.toml"));
    manifests.into_iter().find(|manifest| manifest.is_file())
}

/// The nearest directory upwards whose manifest has a workspace that does not exclude this one.
fn workspace_of(directory: &Utf8Path) -> Utf8PathBuf {
    let found = directory.ancestors().find(|ancestor| {
        let document = read(&ancestor.join("Cargo.toml"));
        let workspace = document
            .as_ref()
            .and_then(|document| document.get("workspace"));
        workspace.is_some_and(|workspace| !excludes(workspace, ancestor, directory))
    });
    found.unwrap_or(directory).to_owned()
}

fn excludes(workspace: &Item, root: &Utf8Path, directory: &Utf8Path) -> bool {
    let excluded = workspace.get("exclude").and_then(Item::as_array);
    let mut excluded = excluded
        .into_iter()
        .flatten()
        .filter_map(|path| path.as_str());
    excluded.any(|path| directory.starts_with(root.join(path)))
}

fn read(manifest: &Utf8Path) -> Option<DocumentMut> {
    std::fs::read_to_string(manifest).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::tree;

    #[test]
    fn the_manifest_is_looked_for_upwards() {
        let (_temp, root) = tree(&[("Cargo.toml", ""), ("src/a/b.rs", "")]);
        assert_eq!(
            find_manifest(&root.join("src/a")),
            Some(root.join("Cargo.toml"))
        );
    }

    #[test]
    fn a_member_has_its_own_name_and_the_target_directory_of_its_workspace() {
        let (_temp, root) = tree(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"*\"]"),
            ("one/Cargo.toml", "[package]\nname = \"first\""),
        ]);
        let project = Project::of_manifest(&root.join("one/Cargo.toml"));
        assert_eq!(project.name, "first");
        assert_eq!(project.subject, Subject::Package);
        assert_eq!(project.target_parent, root);
        assert_eq!(project.directory, root.join("one"));
    }

    #[test]
    fn a_package_that_the_workspace_excludes_stands_alone() {
        let (_temp, root) = tree(&[
            ("Cargo.toml", "[workspace]\nexclude = [\"fixtures\"]"),
            ("fixtures/one/Cargo.toml", "[package]\nname = \"first\""),
        ]);
        let project = Project::of_manifest(&root.join("fixtures/one/Cargo.toml"));
        assert_eq!(project.target_parent, root.join("fixtures/one"));
    }

    #[test]
    fn a_manifest_that_cannot_be_read_gives_its_directory_the_say() {
        let (_temp, root) = tree(&[("one/Cargo.toml", "not toml [")]);
        let project = Project::of_manifest(&root.join("one/Cargo.toml"));
        assert_eq!(project.name, "one");
        assert_eq!(project.target_parent, root.join("one"));
    }

    #[test]
    fn a_workspace_without_a_package_is_no_package_of_its_directorys_name() {
        let (_temp, root) = tree(&[("one/Cargo.toml", "[workspace]\nmembers = [\"*\"]")]);
        let project = Project::of_manifest(&root.join("one/Cargo.toml"));
        assert_eq!(project.name, "one");
        assert_eq!(project.subject, Subject::Workspace);
    }

    #[test]
    fn a_file_beside_a_manifest_shares_its_directory_of_results() {
        let (_temp, root) = tree(&[("one/Cargo.toml", "")]);
        let subject = |directory: &Utf8Path| {
            Project::of_file(&directory.join("crash.rs"), None, directory).subject
        };
        let beside_manifest = true;
        assert_eq!(
            subject(&root.join("one")),
            Subject::File {
                beside_manifest,
                package: None
            }
        );
        let beside_manifest = false;
        assert_eq!(
            subject(&root),
            Subject::File {
                beside_manifest,
                package: None
            }
        );
    }

    #[test]
    fn a_file_has_its_stem_as_name() {
        let project = Project::of_file("/a/crash.rs".into(), None, "/cwd".into());
        assert_eq!(
            (project.name.as_str(), project.target_parent.as_str()),
            ("crash", "/cwd")
        );
    }
}
