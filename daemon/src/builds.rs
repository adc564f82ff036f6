//! Compiled dependencies. cargo compiles a workspace into a directory of its own, and the queries of a
//! job read what it made there. Two jobs of one workspace that run at the same time would take it away
//! from each other, so that the second one compiles into a directory beside it.

use crate::home::Home;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{Input, ReductionRequest, remove_tree};
use reduce_protocol::{Prune, Pruned};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// The beginning of the names of further directories for a project, which is followed by a number.
const BESIDE: &str = "beside-";

/// The depth below a directory of compiled dependencies at which the times of files tell when it was last used, as cargo
/// writes there in each job.
const DEPTH_OF_USE: usize = 3;

/// All directories of compiled dependencies. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct Builds {
    root: Utf8PathBuf,
    /// The directories that jobs use, each by its project and its number.
    used: Arc<Mutex<BTreeSet<(Utf8PathBuf, usize)>>>,
}

/// The directory for the dependencies that a job compiles, which no other job uses while this value exists.
#[derive(Debug)]
pub(crate) struct BuildPlace {
    pub(crate) path: Utf8PathBuf,
    builds: Builds,
    /// The project and the number of its directory, or `None` for an input for which cargo compiles nothing.
    project: Option<(Utf8PathBuf, usize)>,
}

/// A directory of compiled dependencies, with its size and its last use.
#[derive(Debug)]
struct Build {
    path: Utf8PathBuf,
    bytes: u64,
    last_use: SystemTime,
}

impl Builds {
    pub(crate) fn new(home: &Home) -> Self {
        Self {
            root: home.builds(),
            used: Arc::default(),
        }
    }

    /// Makes the directory for the dependencies that a job compiles, apart from those of other jobs.
    ///
    /// # Errors
    /// Where its directory cannot be made.
    pub(crate) fn place(&self, request: &ReductionRequest) -> std::io::Result<BuildPlace> {
        let project = project_of(request);
        let mut used = self.used();
        let project = project.map(|project| {
            let mut numbers = 0..;
            let free = numbers.find(|number| !used.contains(&(project.clone(), *number)));
            (project, free.unwrap_or_default())
        });
        let path = match &project {
            Some((_, number)) if *number > 0 => self.root.join(format!("{BESIDE}{number}")),
            _ => self.root.clone(),
        };
        std::fs::create_dir_all(&path)?;
        used.extend(project.clone());
        drop(used);
        Ok(BuildPlace {
            path,
            builds: self.clone(),
            project,
        })
    }

    /// Returns the number of builds, and that of their bytes.
    pub(crate) fn sizes(&self) -> (u64, u64) {
        let all = self.all();
        let bytes = all.iter().map(|build| build.bytes).sum();
        (all.len() as u64, bytes)
    }

    /// Removes directories of compiled dependencies that are old or, together, too large. Nothing goes as long as a job
    /// uses any: what the job links is not known here. No job begins meanwhile.
    pub(crate) fn prune(&self, prune: &Prune) -> Pruned {
        let used = self.used();
        let chosen = chosen(self.all(), prune, SystemTime::now());
        let mut pruned = Pruned::default();
        for build in chosen {
            if !used.is_empty() {
                pruned.in_use += 1;
            } else if remove_tree(build.path.as_std_path()).is_ok() {
                pruned.builds += 1;
                pruned.build_bytes += build.bytes;
            }
        }
        pruned
    }

    fn all(&self) -> Vec<Build> {
        let mut all = Vec::new();
        for path in directories(&self.root) {
            match path.file_name() {
                Some(name) if name.starts_with(BESIDE) => all.extend(directories(&path)),
                _ => all.push(path),
            }
        }
        all.into_iter().map(Build::at).collect()
    }

    fn used(&self) -> MutexGuard<'_, BTreeSet<(Utf8PathBuf, usize)>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BuildPlace {
    fn drop(&mut self) {
        if let Some(project) = &self.project {
            self.builds.used().remove(project);
        }
    }
}

impl Build {
    fn at(path: Utf8PathBuf) -> Self {
        let mut build = Self {
            bytes: 0,
            last_use: SystemTime::UNIX_EPOCH,
            path: path.clone(),
        };
        build.add(&path, 0);
        build
    }

    fn add(&mut self, path: &Utf8Path, depth: usize) {
        let Ok(metadata) = path.symlink_metadata() else {
            return;
        };
        if depth <= DEPTH_OF_USE {
            let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            self.last_use = self.last_use.max(changed);
        }
        if metadata.is_file() {
            self.bytes += metadata.len();
        } else if metadata.is_dir() {
            for entry in path.read_dir_utf8().into_iter().flatten().flatten() {
                self.add(entry.path(), depth + 1);
            }
        }
    }
}

/// Returns the directories to remove: all that are too old, and then those that were unused for longest, until the others
/// are small enough.
fn chosen(mut all: Vec<Build>, prune: &Prune, now: SystemTime) -> Vec<Build> {
    all.sort_by_key(|build| build.last_use);
    let oldest = prune.older_than_days.and_then(|days| {
        let age = Duration::from_secs(days.checked_mul(24 * 60 * 60)?);
        now.checked_sub(age)
    });
    let mut left: u64 = all.iter().map(|build| build.bytes).sum();
    let most = prune.most_bytes.unwrap_or(u64::MAX);
    all.retain(|build| {
        let goes = left > most || oldest.is_some_and(|oldest| build.last_use < oldest);
        left -= if goes { build.bytes } else { 0 };
        goes
    });
    all
}

/// Returns the size of all files below a directory together.
pub(crate) fn bytes_below(path: &Utf8Path) -> u64 {
    Build::at(path.to_owned()).bytes
}

fn directories(path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = path.read_dir_utf8().into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.map(|entry| entry.path().to_owned()).collect()
}

/// Returns the directory that all jobs of one workspace have in common: the outermost one above the package with a
/// manifest; that of a kept crash. `None` where nothing is compiled there.
fn project_of(request: &ReductionRequest) -> Option<Utf8PathBuf> {
    let package = match &request.input {
        Input::Package(package) => package,
        // The crates that a kept crash links are laid out, and compiled again as it was before.
        Input::Captured(captured) => return Some(captured.directory.clone()),
        Input::File(_) => return None,
    };
    let manifest = package.manifest_path.as_deref();
    let directory = manifest.and_then(Utf8Path::parent);
    let directory = directory.unwrap_or(&request.surroundings.cwd);
    let real = directory.canonicalize_utf8();
    let nearest = real.unwrap_or_else(|_| directory.to_owned());
    let outside = workspace_outside(&nearest);
    let nearest = outside.unwrap_or(nearest);
    let with_manifest = nearest
        .ancestors()
        .filter(|at| at.join("Cargo.toml").is_file());
    Some(with_manifest.last().unwrap_or(&nearest).to_owned())
}

/// Returns the workspace that a package names, because it is not above the package: `workspace = "../root"`.
fn workspace_outside(directory: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut above = directory.ancestors().map(|at| at.join("Cargo.toml"));
    let manifest = above.find(|manifest| manifest.is_file())?;
    let text = std::fs::read_to_string(&manifest).ok()?;
    let path = text.lines().find_map(|line| {
        let value = line.trim().strip_prefix("workspace")?.trim_start();
        let quoted = value.strip_prefix('=')?.trim_start().strip_prefix('"')?;
        quoted.split_once('"').map(|(path, _)| path)
    })?;
    manifest.parent()?.join(path).canonicalize_utf8().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(name: &str, bytes: u64, days_ago: u64, now: SystemTime) -> Build {
        Build {
            path: name.into(),
            bytes,
            last_use: now - Duration::from_secs(days_ago * 24 * 60 * 60),
        }
    }

    #[track_caller]
    fn check_chosen(prune: Prune, expected: &[&str]) {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(100 * 365 * 24 * 60 * 60);
        let all = [("new", 5, 0), ("old", 7, 40), ("middle", 3, 10)];
        let all = all.map(|(name, bytes, days)| build(name, bytes, days, now));
        let chosen = chosen(all.into(), &prune, now);
        let names: Vec<&str> = chosen.iter().map(|build| build.path.as_str()).collect();
        assert_eq!(names, expected, "{prune:?}");
    }

    #[test]
    fn what_is_old_or_too_much_is_chosen_the_longest_unused_first() {
        let nothing = Prune::default();
        check_chosen(nothing, &[]);
        let older_than_days = Some(9);
        check_chosen(
            Prune {
                older_than_days,
                ..nothing
            },
            &["old", "middle"],
        );
        let most = |bytes| Prune {
            most_bytes: Some(bytes),
            ..nothing
        };
        check_chosen(most(15), &[]);
        check_chosen(most(8), &["old"]);
        check_chosen(most(0), &["old", "middle", "new"]);
    }

    fn builds() -> (tempfile::TempDir, Utf8PathBuf, Builds) {
        let temp = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(temp.path().canonicalize().unwrap()).unwrap();
        let home = Home::at(base.clone());
        (temp, base, Builds::new(&home))
    }

    fn in_package(directory: &Utf8Path) -> ReductionRequest {
        let mut request = crate::jobs::tests::request();
        request.input = Input::Package(reduce_engine::PackageInput::default());
        request.surroundings.cwd = directory.to_owned();
        request
    }

    fn package(base: &Utf8Path, path: &str, manifest: &str) -> ReductionRequest {
        let directory = base.join(path);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("Cargo.toml"), manifest).unwrap();
        in_package(&directory)
    }

    #[test]
    fn two_jobs_of_one_workspace_compile_into_different_directories() {
        let (_temp, base, builds) = builds();
        let root = package(&base, "root", "[workspace]");
        let member = package(&base, "root/member", "[package]");
        let outside = package(&base, "outside", "[package]\nworkspace = \"../root\"");
        let other = package(
            &base,
            "other",
            "[package]\n[dependencies]\na.workspace = true",
        );
        let place = |request| builds.place(request).unwrap();
        let first = place(&root);
        assert_eq!(first.path, builds.root);
        let second = place(&member);
        assert_ne!(second.path, first.path);
        let third = place(&outside);
        assert!(third.path != first.path && third.path != second.path);
        assert_eq!(place(&other).path, builds.root);
        let second_path = second.path.clone();
        drop(second);
        assert_eq!(place(&root).path, second_path, "it is free again");
    }

    #[test]
    fn two_jobs_of_one_kept_crash_compile_into_different_directories() {
        let (_temp, base, builds) = builds();
        let of_crash = |number: u32| {
            let mut request = crate::jobs::tests::request();
            request.input = Input::Captured(reduce_engine::CapturedInput {
                directory: base.join(number.to_string()),
                name: format!("#{number}"),
                rustc_args: vec![],
            });
            request
        };
        let first = builds.place(&of_crash(1)).unwrap();
        let second = builds.place(&of_crash(1)).unwrap();
        assert_ne!(second.path, first.path);
        assert_eq!(builds.place(&of_crash(2)).unwrap().path, first.path);
    }

    #[test]
    fn files_need_no_place_of_their_own() {
        let (_temp, _, builds) = builds();
        let request = crate::jobs::tests::request();
        let places = [builds.place(&request), builds.place(&request)];
        let paths = places.map(|place| place.unwrap().path.clone());
        assert_eq!(paths, [builds.root.clone(), builds.root]);
    }

    #[test]
    fn nothing_is_removed_while_a_job_may_use_it() {
        let (_temp, base, builds) = builds();
        std::fs::create_dir_all(builds.root.join("a/debug")).unwrap();
        std::fs::write(builds.root.join("a/debug/lib"), "12345").unwrap();
        std::fs::create_dir_all(builds.root.join("beside-1/b")).unwrap();
        assert_eq!(builds.sizes(), (2, 5));
        let all = Prune {
            older_than_days: Some(0),
            ..Prune::default()
        };
        let place = builds.place(&package(&base, "root", "[package]")).unwrap();
        let pruned = builds.prune(&all);
        assert_eq!((pruned.builds, pruned.in_use), (0, 2));
        drop(place);
        let pruned = builds.prune(&all);
        assert_eq!((pruned.builds, pruned.build_bytes), (2, 5));
        assert_eq!(builds.sizes(), (0, 0));
    }
}
