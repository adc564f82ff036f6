//! cargo's configuration files, as far as `build.rustc-wrapper` is concerned. They are the only files of the user's
//! that this program edits: everything else in them stays as it is, comments and layout included. A script of ours lies beside
//! one that names our wrapper.

use crate::context::Context;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::captured::{Guard, OwnWrapper, WrapperPlace, WrapperSettings};
use reduce_engine::cargo_config::{CargoConfig, Wrapper};
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

const BUILD: &str = "build";
const WRAPPER: &str = "rustc-wrapper";

/// A configuration file of cargo, which need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) path: Utf8PathBuf,
}

/// The outcome of removing our wrapper from a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TurnedOff {
    Removed,
    /// The file names another wrapper by now, which stays.
    Changed(String),
    NotOn,
}

impl ConfigFile {
    /// Returns the configuration file of cargo in a directory: `.cargo/config.toml`, or the older name where such a file
    /// is there.
    pub(crate) fn of_directory(directory: &Utf8Path) -> Self {
        Self::in_cargo_directory(&directory.join(".cargo"))
    }

    fn in_cargo_directory(directory: &Utf8Path) -> Self {
        let older = directory.join("config");
        let path = match older.is_file() {
            true => older,
            false => directory.join("config.toml"),
        };
        Self { path }
    }

    /// Returns the user's configuration file, in cargo's home.
    pub(crate) fn of_user(context: &Context) -> Result<Self, CommandError> {
        let directory = cargo_home(context).ok_or_else(|| {
            CommandError::bad_input("neither `HOME` nor `CARGO_HOME` is set")
                .hint("set `CARGO_HOME` to the directory that has cargo's configuration")
        })?;
        Ok(Self::in_cargo_directory(&directory))
    }

    /// Returns all configuration files that cargo reads in the user's current directory, those with precedence first.
    pub(crate) fn all(context: &Context) -> Vec<Self> {
        let above = context.cwd.ancestors().map(Self::of_directory);
        let user = Self::of_user(context).ok();
        let mut all: Vec<Self> = above
            .filter(|config| Some(config) != user.as_ref())
            .collect();
        all.extend(user);
        all.retain(|config| config.path.is_file());
        all
    }

    /// Returns the directory of the configuration file.
    pub(crate) fn directory(&self) -> &Utf8Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Returns the compiler wrapper that the configuration file names, as it is written there.
    pub(crate) fn wrapper(&self) -> Result<Option<String>, CommandError> {
        let document = self.document()?;
        let build = document.get(BUILD).and_then(Item::as_table_like);
        let wrapper = build.and_then(|build| build.get(WRAPPER));
        Ok(wrapper.and_then(Item::as_str).map(str::to_owned))
    }

    /// Returns the wrapper that the configuration file names, if it is one of ours.
    pub(crate) fn own_wrapper(&self) -> Result<Option<OwnWrapper>, CommandError> {
        let named = self.wrapper()?.map(|named| self.resolved(&named));
        Ok(named.and_then(|path| OwnWrapper::of(Utf8Path::new(&path))))
    }

    /// Returns the script beside the configuration file that calls our wrapper, if the system can start scripts.
    pub(crate) fn guard(&self) -> Option<Guard> {
        Guard::in_directory(self.directory())
    }

    /// The value of `build.rustc-wrapper` that has our wrapper called: a path that begins beside the file's directory, so
    /// that it holds for a copy of the workspace, too.
    pub(crate) fn name_of(&self, place: &WrapperPlace) -> String {
        let guard = self.guard();
        let guard = guard.as_ref().and_then(|guard| guard.path().file_name());
        match (self.directory().file_name(), guard) {
            (Some(directory), Some(guard)) => format!("{directory}/{guard}"),
            _ => place.wrapper().into_string(),
        }
    }

    /// Returns whether the configuration file has a table `[build]`.
    pub(crate) fn has_table(&self) -> Result<bool, CommandError> {
        Ok(self.document()?.contains_key(BUILD))
    }

    /// Resolves the name of a wrapper as cargo does: a path is relative to the parent of the directory that has this
    /// configuration file.
    pub(crate) fn resolved(&self, wrapper: &str) -> String {
        let base = self.directory().parent().unwrap_or(self.directory());
        match wrapper.contains('/') {
            true => base.join(wrapper).into_string(),
            false => wrapper.to_owned(),
        }
    }

    /// The wrapper that cargo would call if this file named none: that of a file that it includes, or of the next one
    /// that counts less.
    pub(crate) fn outer_wrapper(&self, context: &Context) -> Option<String> {
        let workspace = self.directory().parent().unwrap_or(self.directory());
        let user = Self::of_user(context).ok();
        let config = match user.as_ref() == Some(self) {
            true => CargoConfig::of_files(std::slice::from_ref(&self.path)),
            false => CargoConfig::read(workspace, user.as_ref().map(Self::directory)),
        };
        let wrapper = config.without(&self.path).program(&Wrapper::Global.keys());
        wrapper.filter(|wrapper| !wrapper.is_empty())
    }

    /// Makes the directory of the configuration file.
    pub(crate) fn make_directory(&self) -> Result<(), CommandError> {
        let made = std::fs::create_dir_all(self.directory());
        made.map_err(|error| self.failed("write", &error))
    }

    /// Writes the path of a wrapper into the configuration file, in place of the one before. What stood beside that, such
    /// as a comment, stays.
    pub(crate) fn set_wrapper(&self, wrapper: &str) -> Result<(), CommandError> {
        let mut document = self.document()?;
        put(table(&mut document, self)?, wrapper);
        self.write(&document)
    }

    /// Removes our wrapper, and what was made for it; the one before comes back.
    pub(crate) fn remove_wrapper(
        &self,
        settings: Option<&WrapperSettings>,
    ) -> Result<TurnedOff, CommandError> {
        let turned_off = match (self.wrapper()?, self.own_wrapper()?) {
            (Some(other), None) if settings.is_some() => TurnedOff::Changed(other),
            (_, None) => TurnedOff::NotOn,
            (_, Some(_)) => {
                self.remove_own(settings)?;
                TurnedOff::Removed
            }
        };
        if let Some(guard) = self.guard() {
            let removed = guard.remove();
            removed.map_err(|error| CommandError::new(ExitStatus::Environment, error))?;
        }
        if settings.is_some_and(|settings| settings.made_directory) {
            // Something else may be in it by now.
            let _stays = std::fs::remove_dir(self.directory());
        }
        Ok(turned_off)
    }

    fn remove_own(&self, settings: Option<&WrapperSettings>) -> Result<(), CommandError> {
        let mut document = self.document()?;
        let build = table(&mut document, self)?;
        match settings.and_then(|settings| settings.replaced.as_deref()) {
            Some(replaced) => put(build, replaced),
            None => {
                build.remove(WRAPPER);
            }
        }
        let is_made = |made: fn(&WrapperSettings) -> bool| settings.is_some_and(made);
        if build.is_empty() && is_made(|settings| settings.made_table) {
            document.remove(BUILD);
        }
        let is_empty = document.to_string().trim().is_empty();
        match is_empty && is_made(|settings| settings.made_file) {
            true => std::fs::remove_file(&self.path).map_err(|error| self.failed("remove", &error)),
            false => self.write(&document),
        }
    }

    fn document(&self) -> Result<DocumentMut, CommandError> {
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(DocumentMut::new());
            }
            text => text.map_err(|error| self.failed("read", &error))?,
        };
        text.parse().map_err(|error: toml_edit::TomlError| {
            let message = format!("failed to read `{}`: it is no TOML: {error}", self.path);
            CommandError::bad_input(message).hint("cargo cannot read it either; mend it first")
        })
    }

    /// Writes the configuration file so that a reader sees either the old text or the new one. A link stays one.
    fn write(&self, document: &DocumentMut) -> Result<(), CommandError> {
        let failed = |error: std::io::Error| self.failed("write", &error);
        self.make_directory()?;
        let path = self
            .path
            .canonicalize_utf8()
            .unwrap_or_else(|_| self.path.clone());
        let part = Utf8PathBuf::from(format!("{path}.{}.part", std::process::id()));
        let written = std::fs::write(&part, document.to_string()).and_then(|()| {
            if let Ok(data) = path.metadata() {
                std::fs::set_permissions(&part, data.permissions())?;
            }
            std::fs::rename(&part, &path)
        });
        if written.is_err() {
            // Nothing of it may have been written.
            let _none = std::fs::remove_file(&part);
        }
        written.map_err(failed)
    }

    fn failed(&self, action: &str, error: &std::io::Error) -> CommandError {
        let message = format!("failed to {action} `{}`: {error}", self.path);
        CommandError::new(ExitStatus::Environment, message)
    }
}

/// Returns the table `[build]` of a configuration file, which is made if it is missing.
fn table<'d>(
    document: &'d mut DocumentMut,
    config: &ConfigFile,
) -> Result<&'d mut dyn TableLike, CommandError> {
    let build = document
        .entry(BUILD)
        .or_insert_with(|| Item::Table(Table::new()));
    build.as_table_like_mut().ok_or_else(|| {
        CommandError::bad_input(format!("`build` is no table in `{}`", config.path))
            .hint("cargo cannot read it either; mend it first")
    })
}

fn put(build: &mut dyn TableLike, wrapper: &str) {
    let mut value = Value::from(wrapper);
    match build.get_mut(WRAPPER).and_then(Item::as_value_mut) {
        Some(there) => {
            *value.decor_mut() = there.decor().clone();
            *there = value;
        }
        None => {
            build.insert(WRAPPER, Item::Value(value));
        }
    }
}

fn cargo_home(context: &Context) -> Option<Utf8PathBuf> {
    let var = |name: &str| context.vars.get(name).filter(|value| !value.is_empty());
    let home = var("HOME").map(|home| Utf8Path::new(home).join(".cargo"));
    let named = var("CARGO_HOME").map(|named| context.absolute(named.as_str().into()));
    named.or(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = ".cargo/cargo-reduce-capture.sh";

    /// A file with this text, edited by `on` and then by `off`; returns what it was in between, and what it is at last.
    #[track_caller]
    fn on_and_off(
        text: Option<&str>,
        between: impl FnOnce(&str) -> String,
    ) -> (String, Option<String>) {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        let config = ConfigFile::of_directory(&root);
        if let Some(text) = text {
            std::fs::create_dir(config.directory()).unwrap();
            std::fs::write(&config.path, text).unwrap();
        }
        let settings = WrapperSettings {
            config: config.path.clone(),
            home: None,
            made_file: text.is_none(),
            made_table: !config.has_table().unwrap(),
            made_directory: text.is_none(),
            replaced: config.wrapper().unwrap(),
            chained: None,
            limit_bytes: 1,
            auto: false,
        };
        let place = WrapperPlace::of_config(&root, &config.path);
        config.set_wrapper(&config.name_of(&place)).unwrap();
        assert_eq!(config.wrapper().unwrap().as_deref(), Some(OURS));
        let on = std::fs::read_to_string(&config.path).unwrap();
        std::fs::write(&config.path, between(&on)).unwrap();
        config.remove_wrapper(Some(&settings)).unwrap();
        let left = std::fs::read_to_string(&config.path).ok();
        assert_eq!(left.is_some(), config.directory().is_dir());
        (on, left)
    }

    #[track_caller]
    fn check_unchanged(text: &str) {
        let (_, off) = on_and_off(Some(text), str::to_owned);
        assert_eq!(off.as_deref(), Some(text));
    }

    #[test]
    fn what_on_adds_off_takes_away() {
        check_unchanged("");
        check_unchanged("# mine\n[net]\noffline = true # yes\n");
        check_unchanged("[build]\njobs = 4\n\n[net]\noffline = true\n");
        check_unchanged("build.jobs = 4\n");
        check_unchanged("build = { jobs = 4 }\n");
        check_unchanged("[build]\n# nothing yet\n\n[env]\nA = \"b\"\n");
        check_unchanged(
            "[build]\n# fast\nrustc-wrapper = 'sccache'  # shared\njobs = 2\n"
                .replace('\'', "\"")
                .as_str(),
        );
    }

    #[test]
    fn a_file_that_was_made_goes_with_its_directory() {
        let (on, off) = on_and_off(None, str::to_owned);
        assert_eq!(on, format!("[build]\nrustc-wrapper = \"{OURS}\"\n"));
        assert_eq!(off, None);
    }

    #[test]
    fn later_edits_stay() {
        let (_, off) = on_and_off(None, |on| format!("{on}jobs = 3\n\n[net]\nretry = 1\n"));
        assert_eq!(
            off.as_deref(),
            Some("[build]\njobs = 3\n\n[net]\nretry = 1\n")
        );
        let changed = "[build]\nrustc-wrapper = \"other\"\n";
        let (_, off) = on_and_off(None, |_| changed.to_owned());
        assert_eq!(off.as_deref(), Some(changed));
    }

    #[test]
    fn a_path_begins_beside_the_directory_of_the_file() {
        let config = ConfigFile::of_directory("/ws".into());
        assert_eq!(config.resolved("bin/wrap"), "/ws/bin/wrap");
        assert_eq!(config.resolved("/bin/wrap"), "/bin/wrap");
        assert_eq!(config.resolved("sccache"), "sccache");
    }
}
