//! Keeps candidates from reading private places of the user as a whole: home directories, cargo's own directory with
//! its tokens, and every directory above one of these. [`Private::without`] decides it for all plans, whatever named
//! a place: a flag, a variable, the place of a compiler.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::users::user;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The directory of the users' homes.
const HOMES: &str = "/home";
/// The home directory of root, who need not be the user.
const HOME_OF_ROOT: &str = "/root";
/// The files of cargo's with tokens in them, in its own directory.
const OF_CARGO: [&str; 4] = ["config", "config.toml", "credentials", "credentials.toml"];

/// The user's places that are closed to candidates, absolute and without symbolic links.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Private {
    /// The user's home directories, and those of all users, such as `/home`. A directory inside of one may be opened.
    homes: Vec<Utf8PathBuf>,
    /// The directory of the user's `CARGO_HOME`. A directory inside of it may be opened.
    cargo: Option<Utf8PathBuf>,
}

impl Private {
    /// Returns the private places of the user who has these variables.
    pub(crate) fn of(vars: &BTreeMap<String, String>) -> Self {
        let of_account = std::fs::read_to_string("/etc/passwd").ok();
        let of_account = of_account.and_then(|accounts| home_of(&accounts, user()?));
        Self::new(vars, of_account)
    }

    fn new(vars: &BTreeMap<String, String>, of_account: Option<Utf8PathBuf>) -> Self {
        let named = vars.get("HOME").map(Utf8PathBuf::from);
        let fixed = [HOMES, HOME_OF_ROOT].map(Utf8PathBuf::from);
        let homes = named.into_iter().chain(of_account).chain(fixed);
        let homes = homes.filter(|path| path.is_absolute());
        Self {
            homes: homes.map(|path| real(&path)).collect(),
            cargo: cargo_home(vars).map(|path| real(&path)),
        }
    }

    /// Returns those of the paths that candidates may read as a whole, in their order.
    pub(crate) fn without(&self, paths: Vec<Utf8PathBuf>) -> Vec<Utf8PathBuf> {
        let open = paths
            .into_iter()
            .filter(|path| self.refusal(path).is_none());
        open.collect()
    }

    /// Returns the reason why a place must not be readable as a whole; `None` if it may be.
    pub(crate) fn refusal(&self, path: &Utf8Path) -> Option<&'static str> {
        let path = &real(path);
        let is_above = |closed: &Utf8PathBuf| closed.starts_with(path);
        let is_of_another = path.parent() == Some(Utf8Path::new(HOMES)) && path.is_dir();
        if path.parent().is_none() {
            Some("it is the root of all files")
        } else if is_of_another || self.homes.contains(path) {
            Some("it is a home directory")
        } else if self.homes.iter().any(is_above) {
            Some("there is a home directory below it")
        } else {
            let is_of_cargo = self.cargo.as_ref().is_some_and(is_above);
            let has_tokens = is_of_cargo || self.tokens().iter().any(is_above);
            has_tokens.then_some("cargo keeps its tokens there")
        }
    }

    /// Returns the hidden entries of a directory that must not be read as a whole, such as a home: the entries whose
    /// names begin with a dot. A package may be in a home itself, and is copied with what is beside it.
    pub(crate) fn hidden_in(&self, dir: &Utf8Path) -> Vec<Utf8PathBuf> {
        if self.refusal(dir).is_none() {
            return vec![];
        }
        let entries = dir.read_dir_utf8().into_iter().flatten().flatten();
        let hidden = entries.filter(|entry| entry.file_name().starts_with('.'));
        hidden.map(camino::Utf8DirEntry::into_path).collect()
    }

    /// Returns the private places that stay closed although a directory of the system above them may be read.
    pub(crate) fn holes(&self) -> Vec<Utf8PathBuf> {
        [self.homes.clone(), self.tokens()].concat()
    }

    fn tokens(&self) -> Vec<Utf8PathBuf> {
        let cargo = self.cargo.iter();
        let files = cargo.flat_map(|home| OF_CARGO.map(|name| home.join(name)));
        files.map(|path| real(&path)).collect()
    }
}

/// Returns `CARGO_HOME`, or the usual directory where the variable is not set.
pub(crate) fn cargo_home(vars: &BTreeMap<String, String>) -> Option<Utf8PathBuf> {
    let named = vars.get("CARGO_HOME").map(Utf8PathBuf::from);
    named.or_else(|| Some(Utf8Path::new(vars.get("HOME")?).join(".cargo")))
}

/// Resolves the symbolic links in a path, as access rules hold for the file that the path leads to.
fn real(path: &Utf8Path) -> Utf8PathBuf {
    let real = path.canonicalize_utf8();
    real.unwrap_or_else(|_| crate::text::path::normal(path))
}

/// Returns the home of a user in `/etc/passwd`, whose lines are `NAME:x:UID:GID:COMMENT:HOME:SHELL`.
fn home_of(accounts: &str, uid: u32) -> Option<Utf8PathBuf> {
    let mut lines = accounts.lines().map(|line| line.split(':'));
    let mut fields = lines.find_map(|mut fields| {
        let is_own = fields.nth(2) == Some(uid.to_string().as_str());
        is_own.then_some(fields)
    })?;
    fields.nth(2).map(Utf8PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a home with `.cargo/credentials.toml` and a project, in a directory of its own.
    fn home() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::from_path_buf(dir.path().join("users/me")).unwrap();
        for inner in [".cargo/registry", "project/src"] {
            std::fs::create_dir_all(home.join(inner)).unwrap();
        }
        std::fs::write(home.join(".cargo/credentials.toml"), "").unwrap();
        (dir, home)
    }

    fn private(home: &Utf8Path) -> Private {
        let vars = [("HOME".to_owned(), home.to_string())];
        Private::new(&vars.into(), None)
    }

    #[test]
    fn a_home_and_what_is_above_it_stay_closed_and_what_is_in_it_may_be_opened() {
        let (_dir, home) = home();
        let private = private(&home);
        let inner = [home.join("project"), home.join(".cargo/registry")];
        let above = home.parent().unwrap().to_owned();
        let closed = [
            "/".into(),
            "/home".into(),
            "/root".into(),
            above,
            home.clone(),
            home.join("project/.."),
            home.join(".cargo"),
            home.join(".cargo/credentials.toml"),
        ];
        let all = closed.into_iter().chain(inner.clone()).collect();
        assert_eq!(private.without(all), inner);
    }

    #[test]
    fn of_a_package_in_the_home_itself_what_is_hidden_is_left_out() {
        let (_dir, home) = home();
        std::fs::write(home.join(".netrc"), "").unwrap();
        std::fs::write(home.join("Cargo.toml"), "").unwrap();
        let mut hidden = private(&home).hidden_in(&home);
        hidden.sort();
        assert_eq!(hidden, [home.join(".cargo"), home.join(".netrc")]);
        assert!(private(&home).hidden_in(&home.join("project")).is_empty());
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = Utf8PathBuf::from_path_buf(elsewhere.path().join("copy")).unwrap();
        let left_out = hidden.into_iter().collect();
        crate::system::snapshot::Snapshot::take(vec![home.clone()], copy.clone(), &left_out)
            .unwrap();
        assert!(copy.join("Cargo.toml").exists());
        assert!(!copy.join(".netrc").exists() && !copy.join(".cargo").exists());
    }

    #[test]
    fn a_link_to_a_home_is_closed_like_the_home() {
        let (dir, home) = home();
        let link = Utf8PathBuf::from_path_buf(dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink(&home, &link).unwrap();
        assert!(private(&home).refusal(&link).is_some());
        assert!(private(&link).refusal(&home).is_some());
        assert_eq!(private(&home).refusal(&link.join("project")), None);
    }

    #[test]
    fn the_home_of_the_account_is_closed_whatever_the_variable_says() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nme:x:1000:100:Me:/data/me:/bin/sh\n";
        let of_account = home_of(accounts, 1000);
        assert_eq!(of_account.as_deref(), Some(Utf8Path::new("/data/me")));
        assert_eq!(home_of(accounts, 1001), None);
        let private = Private::new(&BTreeMap::new(), of_account);
        for path in ["/data", "/data/me", "/data/me/"] {
            assert!(private.refusal(path.into()).is_some(), "{path}");
        }
        assert_eq!(private.refusal("/data/other".into()), None);
    }
}
