//! The files besides a job's own on which its verdicts depend: the compilers that are asked, the script that judges
//! candidates, what they link, and the path dependencies of which there is no copy. The present files are compared with
//! those when the job began, so that no verdict of another toolchain passes for one of this job.
//!
//! A file is as it was if its size, age and inode are. Where they are not, what is in it decides: cargo may
//! have written the same library again. Of a compiler they are its identity, and no other way leads back.
//!
//! See docs/decisions/store-and-daemon.md.

mod sources;

use crate::compiler::toolchain::Compiler;
use crate::plan::Plan;
use crate::plan::digest::of_file;
use crate::system::stamp::Stamp;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The files besides a job's own on which its verdicts depend.
#[derive(Debug)]
pub struct PinnedInputs(Mutex<State>);

#[derive(Debug)]
struct State {
    parts: Vec<Part>,
    /// The first change of a file that was seen. Nothing is looked at after it.
    change: Option<Change>,
}

/// A file that verdicts depend on.
#[derive(Debug)]
struct Part {
    role: Role,
    path: Utf8PathBuf,
    /// The file's stamp when it was looked at last; `None` where there was no file.
    stamp: Option<Stamp>,
    /// The digest of the file's content, where the same may be written again.
    digest: Option<[u8; 32]>,
}

/// The reason why verdicts depend on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Compiler,
    Script,
    CompiledDependency,
    SourceOfDependency,
}

/// A file that is not any more as it was when the job began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    role: Role,
    path: Utf8PathBuf,
    is_removed: bool,
}

impl PinnedInputs {
    /// Collects the files on which the verdicts of a plan stand. A compiler that was replaced since the plan was made
    /// has changed already, and so has a dependency.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let companions = plan.run_policy.companions.iter();
        let others = companions.filter_map(|companion| companion.toolchain.as_ref());
        let compilers: Vec<&Compiler> =
            std::iter::once(&plan.call.compiler).chain(others).collect();
        let of_compilers: BTreeSet<Utf8PathBuf> = compilers
            .iter()
            .flat_map(|one| one.decisive_files())
            .collect();
        let of_compilers = of_compilers.into_iter().map(Part::of_compiler);
        let linked = &plan.inputs.dependencies;
        let linked = linked.iter().map(|(path, digest)| Part {
            role: Role::CompiledDependency,
            path: path.clone(),
            stamp: plan.inputs.stamps.get(path).copied(),
            digest: Some(*digest),
        });
        let sources = sources::outside(&plan.inputs.tree).into_iter();
        let sources = sources.map(|path| Part::read(Role::SourceOfDependency, path));
        let script = script(plan).map(|path| Part::read(Role::Script, path));
        let replaced = compilers.into_iter().find(|one| one.was_replaced());
        Self(Mutex::new(State {
            parts: of_compilers
                .chain(script)
                .chain(linked)
                .chain(sources)
                .collect(),
            change: replaced.map(|compiler| Change {
                role: Role::Compiler,
                path: compiler.path.clone(),
                is_removed: !compiler.path.is_file(),
            }),
        }))
    }

    /// Returns the first of the files that is not any more as it was, if there is one.
    pub fn change(&self) -> Option<Change> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let State { parts, change } = &mut *state;
        if change.is_none() {
            *change = parts.iter_mut().find_map(Part::change);
        }
        change.clone()
    }
}

impl Compiler {
    /// Returns the files by which it is seen that the compiler was replaced: the compiler, the program that
    /// understands its arguments, and the libraries that have most of it, those of a compiler behind a script
    /// included.
    fn decisive_files(&self) -> Vec<Utf8PathBuf> {
        let root = self.path.parent().and_then(Utf8Path::parent);
        let roots = root.into_iter().chain(self.sysroot.as_deref());
        let libraries = roots.flat_map(|root| root.join("lib").read_dir_utf8());
        let libraries = libraries.flatten().flatten();
        let drivers = libraries.filter(|entry| entry.file_name().starts_with("librustc_driver"));
        let drivers = drivers.map(camino::Utf8DirEntry::into_path);
        let behind = self.sysroot.iter().map(|root| root.join("bin/rustc"));
        let own = [self.path.clone(), self.frontend()];
        own.into_iter().chain(behind).chain(drivers).collect()
    }

    fn was_replaced(&self) -> bool {
        self.digest_of_files() != self.identity
    }
}

/// Returns the script of the user's that judges candidates, if one does.
fn script(plan: &Plan) -> Option<Utf8PathBuf> {
    let call = plan.run_policy.check.command()?;
    call.identity?;
    // A shell may run it.
    let named = call.args.first().map(Utf8Path::new);
    let named = named.filter(|path| path.is_absolute() && path.is_file());
    Some(named.unwrap_or(&call.program).to_owned())
}

impl Part {
    fn of_compiler(path: Utf8PathBuf) -> Self {
        Self {
            role: Role::Compiler,
            stamp: Stamp::of(&path),
            path,
            digest: None,
        }
    }

    fn read(role: Role, path: Utf8PathBuf) -> Self {
        Self {
            role,
            stamp: Stamp::of(&path),
            digest: of_file(&path).ok(),
            path,
        }
    }

    fn change(&mut self) -> Option<Change> {
        let now = Stamp::of(&self.path);
        if now == self.stamp {
            return None;
        }
        if self.digest.is_some() && of_file(&self.path).ok() == self.digest {
            self.stamp = now;
            return None;
        }
        Some(Change {
            role: self.role,
            path: self.path.clone(),
            is_removed: now.is_none(),
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.role {
            Role::Compiler => "the compiler",
            Role::Script => "the script",
            Role::CompiledDependency => "the compiled dependency",
            Role::SourceOfDependency => "the path dependency",
        };
        let happened = match self.is_removed {
            true => "removed",
            false => "changed",
        };
        let path = &self.path;
        write!(f, "{what} `{path}` was {happened} during the reduction")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::testing::plan;
    use std::fs;

    /// The pinned inputs of a compiler, a library that is linked, and a path dependency, in a directory of their own.
    struct Place {
        _dir: tempfile::TempDir,
        base: Utf8PathBuf,
    }

    impl Place {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let base = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
            let manifest = format!("[dependencies]\nouter = {{ path = \"{base}/outer\" }}\n");
            for (name, text) in [
                ("bin/rustc", "compiler"),
                ("lib/librustc_driver-1.so", "driver"),
                ("builds/liba.rlib", "library"),
                ("tree/Cargo.toml", &manifest),
                (
                    "outer/Cargo.toml",
                    "[dependencies]\nfar = { path = \"../far\" }\n",
                ),
                ("outer/src/lib.rs", "pub fn outer() {}\n"),
                ("far/Cargo.toml", "[package]\n"),
                ("far/src/lib.rs", "pub fn far() {}\n"),
            ] {
                crate::system::files::write(&base.join(name), text).unwrap();
            }
            Self { _dir: dir, base }
        }

        fn plan(&self) -> Plan {
            let mut plan = plan(self.base.join("tree").as_str());
            plan.call.compiler.path = self.base.join("bin/rustc");
            plan.call.compiler.sysroot = None;
            plan.call.compiler.identity = plan.call.compiler.digest_of_files();
            let library = self.base.join("builds/liba.rlib");
            let stamp = Stamp::of(&library).unwrap();
            plan.inputs.stamps.insert(library.clone(), stamp);
            let digest = of_file(&library).unwrap();
            plan.inputs.dependencies.insert(library, digest);
            plan
        }

        fn replace(&self, name: &str, text: &str) {
            let new = self.base.join("new");
            fs::write(&new, text).unwrap();
            fs::rename(new, self.base.join(name)).unwrap();
        }
    }

    #[track_caller]
    fn check(change: impl FnOnce(&Place), expected: Option<&str>) {
        let place = Place::new();
        let pinned_inputs = PinnedInputs::of(&place.plan());
        assert_eq!(pinned_inputs.change(), None);
        change(&place);
        let said = pinned_inputs.change().map(|change| change.to_string());
        let expected = expected.map(|text| text.replace("BASE", place.base.as_str()));
        assert_eq!(said, expected);
        // It stays so, whatever comes after it.
        place.replace("bin/rustc", "another again");
        let later = pinned_inputs.change().map(|change| change.to_string());
        assert!(later.is_some() && expected.is_none_or(|first| later == Some(first)));
    }

    #[test]
    fn a_compiler_that_is_replaced_has_changed_even_by_the_same_text() {
        let expected = Some("the compiler `BASE/bin/rustc` was changed during the reduction");
        check(|place| place.replace("bin/rustc", "compiler"), expected);
        let driver = "lib/librustc_driver-1.so";
        let expected =
            Some("the compiler `BASE/lib/librustc_driver-1.so` was removed during the reduction");
        check(
            |place| fs::remove_file(place.base.join(driver)).unwrap(),
            expected,
        );
    }

    #[test]
    fn a_dependency_has_changed_if_what_is_in_it_has() {
        let library = "builds/liba.rlib";
        check(|place| place.replace(library, "library"), None);
        let expected = Some(
            "the compiled dependency `BASE/builds/liba.rlib` was changed during the reduction",
        );
        check(|place| place.replace(library, "another"), expected);
        let expected = Some(
            "the compiled dependency `BASE/builds/liba.rlib` was removed during the reduction",
        );
        check(
            |place| fs::remove_file(place.base.join(library)).unwrap(),
            expected,
        );
    }

    #[test]
    fn sources_of_path_dependencies_count_those_of_their_own_dependencies_too() {
        let expected =
            Some("the path dependency `BASE/outer/src/lib.rs` was changed during the reduction");
        check(
            |place| place.replace("outer/src/lib.rs", "// less\n"),
            expected,
        );
        let expected =
            Some("the path dependency `BASE/far/src/lib.rs` was changed during the reduction");
        check(
            |place| place.replace("far/src/lib.rs", "// less\n"),
            expected,
        );
        check(|place| place.replace("tree/Cargo.toml", "# ours\n"), None);
    }

    #[test]
    fn what_was_replaced_while_the_failure_was_looked_for_has_changed_already() {
        let place = Place::new();
        let plan = place.plan();
        place.replace("builds/liba.rlib", "another");
        let change = PinnedInputs::of(&plan).change().unwrap().to_string();
        assert!(change.starts_with("the compiled dependency `"), "{change}");
        place.replace("bin/rustc", "another");
        let change = PinnedInputs::of(&plan).change().unwrap().to_string();
        assert!(change.starts_with("the compiler `"), "{change}");
    }
}
