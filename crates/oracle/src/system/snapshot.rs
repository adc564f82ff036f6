//! Copies the program that is to be compiled, so that the user's files are never touched: cargo writes `Cargo.lock`
//! and a target directory wherever it works.

mod manifest;

pub(crate) use manifest::make_outer_paths_absolute;

use crate::error::OracleError;
use crate::system::files;
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The size in bytes above which a directory is not taken for a source tree.
const LIMIT_BYTES: u64 = 1 << 30;

/// A copy of some directories, laid out below `tree` as the originals are below `base`.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// The deepest directory above all of the original directories.
    pub(crate) base: Utf8PathBuf,
    /// The directory of the copy that stands for `base`.
    pub(crate) tree: Utf8PathBuf,
    /// The original directories that were copied.
    roots: Vec<Utf8PathBuf>,
}

impl Snapshot {
    /// Copies `roots` to `tree`, without version control and what is in `left_out` or tagged as a
    /// cache. Paths in manifests that lead out of the copy are made absolute.
    ///
    /// # Errors
    /// [`OracleError::TooLarge`], [`OracleError::Io`].
    pub(crate) fn take(
        roots: Vec<Utf8PathBuf>,
        tree: Utf8PathBuf,
        left_out: &BTreeSet<Utf8PathBuf>,
    ) -> Result<Self, OracleError> {
        let base = common_ancestor(&roots);
        files::make_empty(&tree)?;
        let snapshot = Self { base, tree, roots };
        let mut copying = Copying {
            snapshot: &snapshot,
            left_out,
            bytes: 0,
        };
        for root in &snapshot.roots {
            copying.copy_dir(root)?;
        }
        Ok(snapshot)
    }

    /// Copies this copy of the directories, as it is now, to another place.
    ///
    /// # Errors
    /// As [`Snapshot::take`].
    pub(crate) fn copied_to(&self, tree: Utf8PathBuf) -> Result<Self, OracleError> {
        let copy = Self::take(vec![self.tree.clone()], tree, &BTreeSet::new())?;
        Ok(Self {
            tree: copy.tree,
            ..self.clone()
        })
    }

    /// Returns the place of the copy of `original`; `None` where it was not copied.
    pub(crate) fn place_of(&self, original: &Utf8Path) -> Option<Utf8PathBuf> {
        let is_copied = self.roots.iter().any(|root| original.starts_with(root));
        let inner = original.strip_prefix(&self.base).ok()?;
        is_copied.then(|| joined(&self.tree, inner))
    }
}

/// Joins two paths, without a slash at the end where there is nothing to join.
pub(crate) fn joined(dir: &Utf8Path, inner: &Utf8Path) -> Utf8PathBuf {
    match inner.as_str() {
        "" => dir.to_owned(),
        _ => dir.join(inner),
    }
}

/// Returns the deepest directory above or at all of the paths.
pub(crate) fn common_ancestor(paths: &[Utf8PathBuf]) -> Utf8PathBuf {
    let first = paths.first().cloned().unwrap_or_default();
    let ancestor = first
        .ancestors()
        .find(|dir| paths.iter().all(|path| path.starts_with(dir)));
    ancestor.map_or_else(|| "/".into(), Utf8Path::to_owned)
}

/// Returns all files below a directory, relative to `tree`. Links to directories are not followed.
pub(crate) fn all_files(
    dir: &Utf8Path,
    tree: &Utf8Path,
) -> Result<BTreeSet<Utf8PathBuf>, OracleError> {
    let mut found = BTreeSet::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in files::entries(&dir)? {
            let path = entry.path();
            if path.symlink_metadata().is_ok_and(|data| data.is_dir()) {
                dirs.push(path.to_owned());
            } else if path.is_file() {
                found.extend(path.strip_prefix(tree).ok().map(Utf8Path::to_owned));
            }
        }
    }
    Ok(found)
}

struct Copying<'a> {
    snapshot: &'a Snapshot,
    left_out: &'a BTreeSet<Utf8PathBuf>,
    bytes: u64,
}

impl Copying<'_> {
    fn copy_dir(&mut self, root: &Utf8Path) -> Result<(), OracleError> {
        let mut dirs = vec![root.to_owned()];
        while let Some(dir) = dirs.pop() {
            let Some(place) = self.snapshot.place_of(&dir) else {
                continue;
            };
            files::make_dir(&place)?;
            for entry in files::entries(&dir)? {
                let kind = entry
                    .file_type()
                    .map_err(OracleError::io("read", entry.path()))?;
                let (from, to) = (entry.path(), place.join(entry.file_name()));
                if kind.is_symlink() {
                    self.copy_link(from, &to)?;
                } else if kind.is_dir() && !self.is_left_out(from) {
                    dirs.push(from.to_owned());
                } else if kind.is_file() && !self.left_out.contains(from) {
                    self.copy_file(from, &to)?;
                }
            }
            self.check_size(root)?;
        }
        Ok(())
    }

    fn copy_file(&mut self, from: &Utf8Path, to: &Utf8Path) -> Result<(), OracleError> {
        self.bytes += files::copy(from, to)?;
        match from.file_name() {
            Some("Cargo.toml") => {
                make_outer_paths_absolute(from, to, &|path| self.snapshot.place_of(path).is_some())
            }
            _ => Ok(()),
        }
    }

    /// Copies a symbolic link: one that stays inside is kept; one that leads out becomes absolute; a broken one goes.
    fn copy_link(&self, from: &Utf8Path, to: &Utf8Path) -> Result<(), OracleError> {
        let Ok(real) = from.canonicalize_utf8() else {
            return Ok(());
        };
        let text = from
            .read_link_utf8()
            .map_err(OracleError::io("read", from))?;
        let stays = text.is_relative()
            && from
                .parent()
                .is_some_and(|dir| self.snapshot.place_of(&normal(&dir.join(&text))).is_some());
        let target = if stays { text } else { real };
        reduce_platform::files::symlink(target.as_std_path(), to.as_std_path())
            .map_err(OracleError::io("create", to))
    }

    fn is_left_out(&self, dir: &Utf8Path) -> bool {
        matches!(dir.file_name(), Some(".git" | ".hg" | ".jj" | ".svn"))
            || self.left_out.contains(dir)
            || dir.join("CACHEDIR.TAG").is_file()
    }

    fn check_size(&self, root: &Utf8Path) -> Result<(), OracleError> {
        match self.bytes <= LIMIT_BYTES {
            true => Ok(()),
            false => Err(OracleError::TooLarge {
                dir: root.to_owned(),
                limit_bytes: LIMIT_BYTES,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Directories `user` with files, and `copy` to copy to.
    struct Place {
        _dir: tempfile::TempDir,
        user: Utf8PathBuf,
        copy: Utf8PathBuf,
    }

    impl Place {
        fn with(files: &[(&str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
            let (user, copy) = (path.join("user"), path.join("copy"));
            for (name, text) in files {
                files::write(&user.join(name), text).unwrap();
            }
            Self {
                _dir: dir,
                user,
                copy,
            }
        }

        fn take(&self, roots: &[&str]) -> Snapshot {
            let roots = roots
                .iter()
                .map(|root| joined(&self.user, Utf8Path::new(root)))
                .collect();
            Snapshot::take(
                roots,
                self.copy.clone(),
                &BTreeSet::from([self.user.join("ws/out")]),
            )
            .unwrap()
        }

        fn copied(&self) -> Vec<String> {
            all_files(&self.copy, &self.copy)
                .unwrap()
                .into_iter()
                .map(Utf8PathBuf::into_string)
                .collect()
        }
    }

    #[test]
    fn caches_and_version_control_are_left_out_but_not_a_module_named_target() {
        let place = Place::with(&[
            ("ws/src/target/mod.rs", ""),
            ("ws/build/CACHEDIR.TAG", ""),
            ("ws/build/x", ""),
            ("ws/.git/x", ""),
            ("ws/out/x", ""),
        ]);
        place.take(&["ws"]);
        assert_eq!(place.copied(), ["src/target/mod.rs"]);
    }

    #[test]
    fn several_directories_keep_their_places() {
        let place = Place::with(&[("ws/a.rs", ""), ("member/b.rs", ""), ("other/c.rs", "")]);
        let snapshot = place.take(&["ws", "member"]);
        assert_eq!(place.copied(), ["member/b.rs", "ws/a.rs"]);
        assert_eq!(
            snapshot.place_of(&place.user.join("ws/x")),
            Some(place.copy.join("ws/x"))
        );
        assert_eq!(snapshot.place_of(&place.user.join("other")), None);
    }

    #[test]
    fn read_only_files_can_be_written_in_the_copy_and_keep_their_age() {
        let place = Place::with(&[("ws/a.rs", "text")]);
        let original = place.user.join("ws/a.rs");
        fs::set_permissions(&original, fs::Permissions::from_mode(0o444)).unwrap();
        place.take(&["ws"]);
        let copy = place.copy.join("a.rs");
        assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o200, 0o200);
        let age = |path: &Utf8Path| path.metadata().unwrap().modified().unwrap();
        assert_eq!(age(&copy), age(&original));
    }

    #[test]
    fn links_lead_to_the_same_text() {
        let place = Place::with(&[("ws/a.rs", "inside"), ("away/b.rs", "outside")]);
        symlink("a.rs", place.user.join("ws/inner.rs")).unwrap();
        symlink("../away", place.user.join("ws/outer")).unwrap();
        symlink("gone", place.user.join("ws/broken")).unwrap();
        symlink(".", place.user.join("ws/loop")).unwrap();
        place.take(&["ws"]);
        let text = |name: &str| fs::read_to_string(place.copy.join(name)).ok();
        assert_eq!(text("inner.rs").as_deref(), Some("inside"));
        assert_eq!(text("outer/b.rs").as_deref(), Some("outside"));
        assert_eq!(text("broken"), None);
        fs::write(place.copy.join("inner.rs"), "changed").unwrap();
        assert_eq!(
            fs::read_to_string(place.user.join("ws/a.rs")).unwrap(),
            "inside"
        );
    }

    #[test]
    fn paths_that_lead_out_of_the_copy_become_absolute() {
        let manifest = "# kept\n[dependencies]\ninner = { path = \"inner\" }\nouter = { path = \"../outer\" }\n\n\
                        [target.'cfg(unix)'.dependencies.deep]\npath = \"../deep\"\n\n\
                        [patch.crates-io]\nx = { path = \"../x\" }\n\n[[bin]]\nname = \"b\"\npath = \"src/b.rs\"\n";
        let place = Place::with(&[("ws/Cargo.toml", manifest)]);
        place.take(&["ws"]);
        let user = &place.user;
        let expected = manifest
            .replace("\"../outer\"", &format!("\"{user}/outer\""))
            .replace("\"../deep\"", &format!("\"{user}/deep\""))
            .replace("\"../x\"", &format!("\"{user}/x\""));
        assert_eq!(
            fs::read_to_string(place.copy.join("Cargo.toml")).unwrap(),
            expected
        );
    }

    #[test]
    fn a_manifest_that_is_no_toml_is_copied_as_it_is() {
        let place = Place::with(&[("ws/Cargo.toml", "[[[ path = \"../x\"")]);
        place.take(&["ws"]);
        let copied = fs::read_to_string(place.copy.join("Cargo.toml")).unwrap();
        assert_eq!(copied, "[[[ path = \"../x\"");
    }
}
