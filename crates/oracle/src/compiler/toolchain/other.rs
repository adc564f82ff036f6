//! A toolchain that the user names beside the one that is used: `1.94.0`, `+nightly`, or the path of
//! a compiler.

use super::{Compiler, Toolchain, is_shim};
use crate::compiler::target::Surroundings;
use crate::error::OracleError;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use reduce_platform::processes::places_of_program;

/// The variables that would choose another toolchain than the one that the user names.
const DECISIVE: [&str; 3] = ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"];

/// A toolchain with the surroundings in which its compiler and cargo are what the user gets.
pub(crate) struct Other {
    pub(crate) toolchain: Toolchain,
    pub(crate) user: Surroundings,
    /// The toolchain's name as it follows `cargo` or `rustc`: `+1.94.0`; empty where it is a path.
    pub(crate) plus: String,
}

impl Other {
    /// Finds a toolchain by its name or by the path of its compiler, or of the directory of both. None
    /// is downloaded.
    ///
    /// # Errors
    /// [`OracleError::ToolMissing`].
    pub(crate) fn find(
        name: &str,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<Self, OracleError> {
        let name = name.trim_start_matches('+');
        let mut there = without_decisions(user);
        let (compiler, plus) = match name.contains('/') {
            true => (at_path(name, &there), String::new()),
            false => {
                let chosen = ("RUSTUP_TOOLCHAIN".to_owned(), name.to_owned());
                there.vars.extend([chosen]);
                (shim(&there), format!("+{name}"))
            }
        };
        let compiler = compiler.ok_or_else(|| missing(name))?;
        let compiler = match Compiler::find(&compiler, &there, cancel) {
            Err(OracleError::CompilerMissing { .. }) => return Err(missing(name)),
            found => found?,
        };
        Ok(Self {
            // So that no configuration of cargo's chooses another.
            toolchain: Toolchain {
                compiler,
                is_named: true,
            },
            user: there,
            plus,
        })
    }
}

fn without_decisions(user: &Surroundings) -> Surroundings {
    let mut there = Surroundings {
        rustc: None,
        ..user.clone()
    };
    there
        .vars
        .retain(|name, _| !DECISIVE.contains(&name.as_str()));
    let never = ("RUSTUP_AUTO_INSTALL".to_owned(), "0".to_owned());
    there.vars.extend([never]);
    there
}

fn at_path(path: &str, user: &Surroundings) -> Option<Utf8PathBuf> {
    let path = user.cwd.join(path);
    let inner = path.join("bin/rustc");
    [path, inner].into_iter().find(|path| path.is_file())
}

/// Returns the first `rustc` of the search path that chooses among toolchains.
fn shim(user: &Surroundings) -> Option<Utf8PathBuf> {
    let places = places_of_program("rustc", user.vars.get("PATH")?);
    let places = places.filter_map(|place| Utf8PathBuf::from_path_buf(place).ok());
    let mut all = places.map(|place| user.cwd.join(place));
    all.find(|path| path.is_file() && is_shim(path))
}

fn missing(name: &str) -> OracleError {
    let what = match name.contains('/') {
        true => format!("a working compiler at `{}`", Utf8Path::new(name)),
        false => format!("the toolchain `{name}`; `rustup toolchain install {name}` installs it"),
    };
    OracleError::ToolMissing { what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn surroundings(path: &str) -> Surroundings {
        let vars = [("PATH", path), ("RUSTC", "/x/rustc"), ("CARGO", "/x/cargo")];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Surroundings {
            cwd: "/nowhere".into(),
            vars: BTreeMap::from(vars),
            rustc: Some("/y/rustc".into()),
        }
    }

    #[track_caller]
    fn check_missing(name: &str, expected: &str) {
        let cancel = Cancel::new().unwrap();
        match Other::find(name, &surroundings("/bin:"), &cancel) {
            Err(OracleError::ToolMissing { what }) => assert_eq!(what, expected),
            found => panic!("{:?}", found.map(|found| found.plus)),
        }
    }

    #[test]
    fn what_is_not_there_is_named() {
        check_missing("/no/rustc", "a working compiler at `/no/rustc`");
        check_missing("./rustc", "a working compiler at `./rustc`");
        // It would be a compiler that says nothing of its version.
        check_missing("/bin/true", "a working compiler at `/bin/true`");
        let expected = "the toolchain `1.0`; `rustup toolchain install 1.0` installs it";
        check_missing("1.0", expected);
        check_missing("+1.0", expected);
    }

    #[test]
    fn what_chose_the_users_compiler_does_not_choose_the_other_one() {
        let there = without_decisions(&surroundings("/bin"));
        let names: Vec<&str> = there.vars.keys().map(String::as_str).collect();
        assert_eq!(names, ["PATH", "RUSTUP_AUTO_INSTALL"]);
        assert_eq!(there.rustc, None);
    }
}
