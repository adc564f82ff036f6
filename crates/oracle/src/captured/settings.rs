//! The settings of the compiler wrapper, in a file beside the wrapper.
//!
//! Each configuration file of cargo's has a wrapper of its own, in `DATA/capture/ID`: so the wrapper knows where our home
//! is, and which wrapper was there before, without a look at cargo's configuration. It lies among the user's data, and not
//! among the caches, which may be emptied at any time. Where it is gone nevertheless, `guard` calls the compiler.

use crate::error::OracleError;
use crate::system::files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::modified;
use reduce_platform::users::is_owner;
use serde::{Deserialize, Serialize};

/// The file name by which our executable acts as the compiler wrapper.
pub(crate) const WRAPPER: &str = "cargo-reduce-capture";
/// The file name by which our executable does not act as the compiler wrapper.
const PROGRAM: &str = "cargo-reduce";
const SETTINGS: &str = "settings.json";
/// The name of the wrapper's directory: among the user's data, or for an earlier version in our home.
const DIRECTORY: &str = "capture";

/// The limit of the kept crashes in bytes, unless the user says otherwise: 2 GiB.
pub const DEFAULT_LIMIT_BYTES: u64 = 2 << 30;

/// The settings of the wrapper of one configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrapperSettings {
    /// The configuration file that names the wrapper, absolute.
    pub config: Utf8PathBuf,
    /// Our home, in which crashes are kept. An earlier version had the wrapper in it.
    #[serde(default)]
    pub home: Option<Utf8PathBuf>,
    /// Whether the configuration file was made for the wrapper, and may go with it.
    pub made_file: bool,
    /// Whether the table `[build]` was made for the wrapper, too.
    pub made_table: bool,
    /// Whether the directory of the configuration file was made for the wrapper, too.
    pub made_directory: bool,
    /// The wrapper that the configuration file named before, as it was written there.
    pub replaced: Option<String>,
    /// The wrapper that is called with the compiler and its arguments: the replaced one, or that of a configuration
    /// file that counts less. A path is absolute.
    pub chained: Option<String>,
    /// The largest size of all kept crashes, in bytes.
    pub limit_bytes: u64,
    /// Whether a kept crash is reduced in the background.
    #[serde(default)]
    pub auto: bool,
}

/// The directory of the wrapper of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrapperPlace {
    directory: Utf8PathBuf,
}

impl WrapperPlace {
    /// Returns the place of the wrapper of a configuration file, below our directory among the user's data.
    #[must_use]
    pub fn of_config(data: &Utf8Path, config: &Utf8Path) -> Self {
        let digest = blake3::hash(config.as_str().as_bytes()).to_hex();
        Self {
            directory: data.join(DIRECTORY).join(&digest[..16]),
        }
    }

    /// Returns the place of a wrapper, if it is one of ours.
    #[must_use]
    pub fn of_wrapper(wrapper: &Utf8Path) -> Option<Self> {
        let directory = wrapper.parent()?.to_owned();
        (wrapper.file_name() == Some(WRAPPER)).then_some(Self { directory })
    }

    /// Returns the places of all wrappers below a directory of ours.
    #[must_use]
    pub fn all(data: &Utf8Path) -> Vec<Self> {
        let entries = files::entries(&data.join(DIRECTORY)).unwrap_or_default();
        let directories = entries.into_iter().map(camino::Utf8DirEntry::into_path);
        let places = directories.map(|directory| Self { directory });
        places.filter(|place| place.settings().is_ok()).collect()
    }

    /// Returns the executable that cargo calls.
    #[must_use]
    pub fn wrapper(&self) -> Utf8PathBuf {
        self.directory.join(WRAPPER)
    }

    /// Returns the path of the wrapper's executable under its other name, by which it does not act as a wrapper.
    #[must_use]
    pub fn program(&self) -> Utf8PathBuf {
        self.directory.join(PROGRAM)
    }

    /// Reads the file with the settings of the wrapper.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn settings(&self) -> Result<WrapperSettings, OracleError> {
        let path = self.directory.join(SETTINGS);
        let text = files::read(&path)?;
        let settings: WrapperSettings =
            serde_json::from_str(&text).map_err(|error| OracleError::Format {
                what: format!("the settings of the wrapper `{path}`"),
                source: error.into(),
            })?;
        let of_old = self.directory.parent().and_then(Utf8Path::parent);
        Ok(WrapperSettings {
            home: settings.home.or_else(|| of_old.map(Utf8Path::to_owned)),
            ..settings
        })
    }

    /// Returns whether the settings belong to this user, so that the wrapper may keep crashes.
    pub(super) fn is_ours(&self) -> bool {
        let data = self.directory.join(SETTINGS).metadata();
        data.is_ok_and(|data| is_owner(&data))
    }

    /// Installs the wrapper: another name for our executable, so that it goes on working if that is removed, or a copy
    /// where there cannot be one. An earlier wrapper is replaced, as it may be of an older version.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn install(
        &self,
        program: &Utf8Path,
        settings: &WrapperSettings,
    ) -> Result<(), OracleError> {
        files::make_private_dir(&self.directory)?;
        let text = serde_json::to_string_pretty(settings).expect("strings have a JSON form");
        files::replace(&self.directory.join(SETTINGS), &text)?;
        [self.wrapper(), self.program()]
            .iter()
            .try_for_each(|name| self.link(program, name))
    }

    fn link(&self, program: &Utf8Path, name: &Utf8Path) -> Result<(), OracleError> {
        files::put(name, |part| {
            files::remove(part)?;
            match std::fs::hard_link(program, part) {
                Ok(()) => Ok(()),
                Err(_) => files::copy(program, part).map(drop),
            }
        })
    }

    /// Replaces the wrapper where it is of another build.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn refresh(&self, program: &Utf8Path) -> Result<(), OracleError> {
        let build = |path: &Utf8Path| {
            let data = path.metadata().ok()?;
            Some((data.len(), modified(&data)))
        };
        match build(program) == build(&self.wrapper()) {
            true => Ok(()),
            false => self.install(program, &self.settings()?),
        }
    }

    /// Removes the wrapper with its settings.
    ///
    /// # Errors
    /// Where that cannot be removed.
    pub fn remove(&self) -> Result<(), OracleError> {
        files::remove_all(&self.directory)
    }
}
