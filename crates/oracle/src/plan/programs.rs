//! The programs that cargo has put beside a test, for it to start.
//!
//! A test knows them by `CARGO_BIN_EXE_..`, or finds them from its own place: cargo links tests into the directory [`DEPS`] of the
//! one that has the programs. Candidates are linked into such a directory too, below links to the same programs.

use crate::error::OracleError;
use crate::system::files;
use crate::system::snapshot::joined;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::{is_executable, symlink};
use std::collections::BTreeMap;

/// The directory into which cargo links tests.
pub(crate) const DEPS: &str = "deps";
/// The directory of examples, which lies beside that of the tests.
pub(crate) const EXAMPLES: &str = "examples";
/// The beginning of the variables by which a test knows programs.
pub(crate) const PROGRAM_VARIABLE: &str = "CARGO_BIN_EXE_";

/// Programs by their paths in the directory above that of the test.
pub(crate) type Programs = BTreeMap<Utf8PathBuf, Utf8PathBuf>;

/// Returns the programs and examples beside a test that cargo has linked; none beside one that lies elsewhere.
///
/// # Errors
/// Where a directory cannot be read.
pub(crate) fn beside(test: &Utf8Path) -> Result<Programs, OracleError> {
    let mut found = Programs::new();
    let deps = test.parent().filter(|dir| dir.file_name() == Some(DEPS));
    let Some(profile) = deps.and_then(Utf8Path::parent) else {
        return Ok(found);
    };
    for inner in ["", EXAMPLES] {
        let dir = joined(profile, Utf8Path::new(inner));
        if !dir.is_dir() {
            continue;
        }
        for entry in files::entries(&dir)? {
            let is_program = |data: &std::fs::Metadata| data.is_file() && is_executable(data);
            if entry.path().metadata().is_ok_and(|data| is_program(&data)) {
                found.insert(
                    Utf8Path::new(inner).join(entry.file_name()),
                    entry.into_path(),
                );
            }
        }
    }
    Ok(found)
}

/// Puts links to programs into a directory, in place of those to others that were there. A file of ours with the name of a program
/// stays.
///
/// # Errors
/// [`OracleError::Io`].
pub(crate) fn lay_out(
    dir: &Utf8Path,
    before: &Programs,
    programs: &Programs,
) -> Result<(), OracleError> {
    for (name, there) in before {
        let link = dir.join(name);
        if link.read_link_utf8().is_ok_and(|to| to == *there) {
            files::remove(&link)?;
        }
    }
    for (name, there) in programs {
        let link = dir.join(name);
        if link.symlink_metadata().is_err() {
            files::make_dir(link.parent().unwrap_or(dir))?;
            symlink(there.as_std_path(), link.as_std_path())
                .map_err(OracleError::io("create", &link))?;
        }
    }
    Ok(())
}

/// Replaces the programs beside a test by those of another version, whose compiler has the variables `env`.
pub(crate) fn of_version(programs: &mut Programs, env: &BTreeMap<String, String>) {
    for path in programs.values_mut() {
        let name = path.file_stem().unwrap_or_default();
        if let Some(there) = env.get(&format!("{PROGRAM_VARIABLE}{name}")) {
            *path = there.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a directory of a profile with files, of which those that end with `!` are programs.
    fn profile(names: &[&str]) -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
        for name in names {
            let file = path.join(name.trim_end_matches('!'));
            files::write(&file, name).unwrap();
            if name.ends_with('!') {
                let file = std::fs::File::open(file).unwrap();
                reduce_platform::files::make_executable(&file).unwrap();
            }
        }
        (dir, path)
    }

    #[test]
    fn programs_and_examples_lie_above_a_test() {
        let names = [
            "shop!",
            "shop.d",
            "examples/tour!",
            "deps/shop-1!",
            "deps/t-2!",
            "libshop.rlib",
        ];
        let (_dir, path) = profile(&names);
        let found: Vec<_> = beside(&path.join("deps/t-2"))
            .unwrap()
            .into_iter()
            .collect();
        let expected = ["shop", "examples/tour"].map(|name| (name.into(), path.join(name)));
        let expected: Vec<_> = Programs::from(expected).into_iter().collect();
        assert_eq!(found, expected);
        assert_eq!(beside(&path.join("shop")).unwrap(), Programs::new());
    }

    #[test]
    fn links_take_the_place_of_others_and_of_nothing_else() {
        let (_dir, path) = profile(&["one/shop", "other/shop", "here/tree"]);
        let here = path.join("here");
        let programs = |names: &[(&str, &str)]| -> Programs {
            let pairs = names
                .iter()
                .map(|(name, at)| ((*name).into(), path.join(at)));
            pairs.collect()
        };
        let before = programs(&[
            ("shop", "one/shop"),
            ("tree", "one/shop"),
            ("examples/x", "one/shop"),
        ]);
        lay_out(&here, &Programs::new(), &before).unwrap();
        let text = |name: &str| std::fs::read_to_string(here.join(name)).ok();
        assert_eq!(text("shop").as_deref(), Some("one/shop"));
        assert_eq!(text("examples/x").as_deref(), Some("one/shop"));
        lay_out(&here, &before, &programs(&[("shop", "other/shop")])).unwrap();
        assert_eq!(text("shop").as_deref(), Some("other/shop"));
        assert_eq!(text("tree").as_deref(), Some("here/tree"));
        assert_eq!(text("examples/x"), None);
    }

    #[test]
    fn another_version_has_its_own_programs() {
        let mut programs = Programs::from([
            ("shop".into(), "/here/shop".into()),
            ("other".into(), "/here/other".into()),
        ]);
        let variable = format!("{PROGRAM_VARIABLE}shop");
        of_version(
            &mut programs,
            &BTreeMap::from([(variable, "/there/shop".to_owned())]),
        );
        let found: Vec<_> = programs.values().map(|path| path.as_str()).collect();
        assert_eq!(found, ["/here/other", "/there/shop"]);
    }
}
