//! The toolchains that rustup has installed for the user.

use super::{Compiler, Other, release};
use crate::compiler::target::Surroundings;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;

/// Returns the compilers that rustup has installed for the user, without the one that is asked, the newest first.
pub(crate) fn installed(asked: &Compiler, user: &Surroundings, cancel: &Cancel) -> Vec<Compiler> {
    let found = toolchains(user).into_iter().filter_map(|directory| {
        let other = Other::find(directory.as_str(), user, cancel).ok()?;
        Some(other.toolchain.compiler)
    });
    let mut all: Vec<Compiler> = found.collect();
    all.sort_by_key(|one| {
        std::cmp::Reverse((release_numbers(&one.verbose_version), one.command.clone()))
    });
    all.dedup_by(|one, other| one.verbose_version == other.verbose_version);
    all.retain(|one| one.verbose_version != asked.verbose_version);
    all
}

/// Returns the directories of rustup's toolchains.
pub(crate) fn toolchains(user: &Surroundings) -> Vec<Utf8PathBuf> {
    let named = user.vars.get("RUSTUP_HOME").map(Utf8PathBuf::from);
    let home = || Some(Utf8Path::new(user.vars.get("HOME")?).join(".rustup"));
    let directory = named.or_else(home).map(|home| home.join("toolchains"));
    let entries = directory.and_then(|directory| files::entries(&directory).ok());
    let paths = entries.unwrap_or_default().into_iter();
    paths.map(camino::Utf8DirEntry::into_path).collect()
}

/// Returns the numbers of a release such as `1.97.0-nightly`, as `rustc -vV` prints it.
fn release_numbers(verbose_version: &str) -> Vec<u32> {
    let release = release(verbose_version).unwrap_or_default();
    let numbers = release.split(['.', '-']);
    numbers.map_while(|number| number.parse().ok()).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_later_release_is_newer_whatever_it_is_called() {
        let of =
            |release_: &str| release_numbers(&format!("rustc\nhost: x\nrelease: {release_}\n"));
        assert!(of("1.97.0-nightly") > of("1.95.1"));
        assert!(of("1.100.0") > of("1.97.0-nightly"));
        assert_eq!(release_numbers("no compiler"), Vec::<u32>::new());
    }

    /// Writes a toolchain whose compiler has this version.
    fn toolchain(home: &Utf8Path, name: &str, version: &str) {
        let bin = home.join("toolchains").join(name).join("bin");
        files::make_dir(&bin).unwrap();
        let script = format!("#!/bin/sh\nprintf 'rustc {version}\\nrelease: {version}\\n'\n");
        let compiler = bin.join("rustc");
        std::fs::write(&compiler, script).unwrap();
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn compilers_come_with_the_newest_first_and_without_the_one_that_crashes() {
        let home = tempfile::tempdir().unwrap();
        let home = Utf8Path::from_path(home.path()).unwrap();
        for (name, version) in [("a", "1.90.0"), ("b", "1.97.0-nightly"), ("c", "1.95.0")] {
            toolchain(home, name, version);
        }
        let mut user = Surroundings::of_tests();
        user.vars.insert("RUSTUP_HOME".to_owned(), home.to_string());
        let cancel = Cancel::new().unwrap();
        let asked = home.join("toolchains/c/bin/rustc");
        let asked = Compiler::find(&asked, &user, &cancel).unwrap();
        let all = installed(&asked, &user, &cancel);
        let versions: Vec<&str> = all.iter().map(Compiler::version).collect();
        assert_eq!(versions, ["rustc 1.97.0-nightly", "rustc 1.90.0"]);
    }
}
