//! The shell script that cargo calls as its compiler wrapper: it lies beside the configuration file that names it. The
//! script calls the wrapper, and where that is gone, the program before which the wrapper stands: whoever empties a
//! directory of ours, or gets the files on another machine, can build.
//!
//! The script also has the wrapper's settings, so that what was there before comes back even where the wrapper is gone.

use super::inputs::cancel;
use super::settings::{WrapperPlace, WrapperSettings};
use crate::compiler::toolchain::run_quickly;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::Ending;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::make_executable;
use reduce_platform::processes::starts_scripts;
use reduce_platform::users::is_owner;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;

/// The file name of the script that cargo calls as its compiler wrapper.
const GUARD: &str = "cargo-reduce-capture.sh";
/// The words in the script before the path of the wrapper.
const WRAPPER: &str = "wrapper=";
/// The words in the script before the settings of the wrapper.
const TOLD: &str = "# settings: ";

/// The script that a configuration file of cargo names as the compiler wrapper; the file of the script need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    path: Utf8PathBuf,
}

impl Guard {
    /// Returns the script in the directory of a configuration file. `None` where the system starts no scripts: there, cargo calls the
    /// wrapper itself.
    #[must_use]
    pub fn in_directory(directory: &Utf8Path) -> Option<Self> {
        let path = directory.join(GUARD);
        starts_scripts().then_some(Self { path })
    }

    /// Returns the path of the script.
    #[must_use]
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns whether another user has made the script.
    #[must_use]
    pub fn is_of_another_user(&self) -> bool {
        let data = self.path.symlink_metadata();
        data.is_ok_and(|data| !is_owner(&data))
    }

    /// Returns whether the wrapper that the script calls is there.
    #[must_use]
    pub fn wrapper_is_there(&self) -> bool {
        let text = files::read(&self.path).unwrap_or_default();
        let named = text.lines().find_map(|line| line.strip_prefix(WRAPPER));
        let words = named.and_then(shlex::split).unwrap_or_default();
        words
            .first()
            .is_some_and(|path| Utf8Path::new(path).is_file())
    }

    /// Returns the settings of the wrapper that the script calls.
    fn settings(&self) -> Option<WrapperSettings> {
        let text = files::read(&self.path).ok()?;
        let told = text.lines().find_map(|line| line.strip_prefix(TOLD))?;
        serde_json::from_str(told).ok()
    }

    /// Writes the script, for a wrapper that is in its place. cargo sees either the old script or the new one.
    ///
    /// # Errors
    /// Where it cannot be written, or where it or the wrapper cannot be started. Then the old one stays.
    pub fn write(
        &self,
        place: &WrapperPlace,
        settings: &WrapperSettings,
    ) -> Result<(), OracleError> {
        files::put(&self.path, |new| {
            self.write_to(new, &text(place, settings))?;
            try_out(new)
        })
    }

    fn write_to(&self, new: &Utf8Path, text: &str) -> Result<(), OracleError> {
        let failed = OracleError::io("write", &self.path);
        let written = File::create(new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            make_executable(&file)
        });
        written.map_err(failed)
    }

    /// Removes the script.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn remove(&self) -> Result<(), OracleError> {
        files::remove(&self.path)
    }
}

/// The compiler wrapper of cargo-reduce, as a configuration file or a variable names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnWrapper {
    /// The wrapper by way of the script beside the configuration file.
    Guarded(Guard),
    /// The wrapper itself, without the script: in a variable, on a system without scripts, or by an earlier version.
    Bare(WrapperPlace),
}

impl OwnWrapper {
    /// Returns the wrapper or script at a path, if it is one of ours. It need not be there any more.
    #[must_use]
    pub fn of(wrapper: &Utf8Path) -> Option<Self> {
        let path = wrapper.to_owned();
        match wrapper.file_name() == Some(GUARD) {
            true => Some(Self::Guarded(Guard { path })),
            false => WrapperPlace::of_wrapper(wrapper).map(Self::Bare),
        }
    }

    /// Returns the settings of the wrapper, where they are known.
    #[must_use]
    pub fn settings(&self) -> Option<WrapperSettings> {
        match self {
            Self::Guarded(guard) => guard.settings(),
            Self::Bare(place) => place.settings().ok(),
        }
    }
}

/// The exit statuses of a shell that cannot start a program.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Runs the script once, to see whether programs can be started from its file system. Without a compiler, the wrapper has
/// nothing to do.
fn try_out(script: &Utf8Path) -> Result<(), OracleError> {
    let dir = script.parent().unwrap_or(script);
    let outcome = run_quickly(script, &[], &BTreeMap::new(), dir, &cancel()?)?;
    match outcome.ending {
        Ending::Exited(status) if !NOT_STARTED.contains(&status) => Ok(()),
        ending => {
            let said = format!("{ending}: {}", outcome.stderr.trim());
            let error = std::io::Error::other(said);
            Err(OracleError::io("run", script)(error))
        }
    }
}

/// Quotes a word so that every shell reads it. A path has no zero in it, which alone no shell takes.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).unwrap_or_default().into_owned()
}

fn text(place: &WrapperPlace, settings: &WrapperSettings) -> String {
    let wrapper = quoted(place.wrapper().as_str());
    let chained = settings.chained.as_deref();
    let chained = chained.map_or_else(String::new, |chained| format!("{} ", quoted(chained)));
    let told = serde_json::to_string(settings).expect("strings have a JSON form");
    format!(
        "#!/bin/sh\n\
         # cargo calls this before the compiler, as `cargo reduce capture on` was asked for; `cargo reduce capture off` removes it.\n\
         # Where cargo-reduce or its files are gone, the compiler is called as if this was not there.\n\
         {TOLD}{told}\n\
         {WRAPPER}{wrapper}\n\
         if [ -x \"$wrapper\" ]; then\n    \
             exec \"$wrapper\" \"$@\"\n\
         fi\n\
         exec {chained}\"$@\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Output};

    struct Temp {
        _temp: tempfile::TempDir,
        directory: Utf8PathBuf,
    }

    /// Makes a directory whose name has characters that shells read as something else.
    fn temp() -> Temp {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(temp.path()).unwrap();
        let directory = root.join("it's a \"place\" $HOME");
        std::fs::create_dir(&directory).unwrap();
        Temp {
            _temp: temp,
            directory,
        }
    }

    fn settings(chained: Option<&str>) -> WrapperSettings {
        WrapperSettings {
            config: "/ws/it's\nmine/.cargo/config.toml".into(),
            home: Some("/home".into()),
            made_file: true,
            made_table: true,
            made_directory: true,
            replaced: None,
            chained: chained.map(str::to_owned),
            limit_bytes: 1,
            auto: false,
        }
    }

    /// Writes a guard for a wrapper that need not be there.
    fn guard(temp: &Temp, chained: Option<&str>) -> (Guard, WrapperPlace) {
        let place = WrapperPlace::of_config(&temp.directory, "/ws/config.toml".into());
        let guard = Guard::in_directory(&temp.directory).unwrap();
        guard.write(&place, &settings(chained)).unwrap();
        (guard, place)
    }

    #[expect(clippy::disallowed_methods, reason = "as cargo would call it")]
    fn call(guard: &Guard) -> Output {
        let mut command = Command::new(guard.path());
        command.args(["/bin/echo", "a b", "$HOME", "it's", ""]);
        command.output().unwrap()
    }

    fn says(output: &Output) -> &str {
        std::str::from_utf8(&output.stdout).unwrap()
    }

    #[test]
    fn where_the_wrapper_is_gone_the_compiler_is_called_with_the_same_arguments() {
        let temp = temp();
        let (guard, _) = guard(&temp, None);
        assert_eq!(says(&call(&guard)), "a b $HOME it's \n");
    }

    #[test]
    fn where_the_wrapper_is_gone_the_one_before_is_called() {
        let temp = temp();
        let chained = temp.directory.join("own wrapper");
        std::os::unix::fs::symlink("/bin/echo", &chained).unwrap();
        let (guard, _) = guard(&temp, Some(chained.as_str()));
        assert_eq!(says(&call(&guard)), "/bin/echo a b $HOME it's \n");
    }

    #[test]
    fn the_wrapper_is_called_where_it_is_there() {
        let temp = temp();
        let (guard, place) = guard(&temp, None);
        std::fs::create_dir_all(place.wrapper().parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/bin/echo", place.wrapper()).unwrap();
        assert_eq!(says(&call(&guard)), "/bin/echo a b $HOME it's \n");
    }

    #[test]
    fn a_guard_knows_what_its_wrapper_is_told() {
        let temp = temp();
        let (guard, _) = guard(&temp, Some("/bin/echo"));
        let found = OwnWrapper::of(guard.path()).unwrap();
        assert_eq!(found.settings(), Some(settings(Some("/bin/echo"))));
        assert_eq!(OwnWrapper::of("/bin/sccache".into()), None);
    }

    #[test]
    fn a_guard_whose_wrapper_cannot_be_started_is_not_left() {
        let temp = temp();
        let place = WrapperPlace::of_config(&temp.directory, "/ws/config.toml".into());
        let directory = place.wrapper().parent().unwrap().to_owned();
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(place.wrapper(), [0; 64]).unwrap();
        let wrapper = File::open(place.wrapper()).unwrap();
        make_executable(&wrapper).unwrap();
        let guard = Guard::in_directory(&temp.directory).unwrap();
        assert!(guard.write(&place, &settings(None)).is_err());
        assert!(!guard.path().exists());
        let left = temp.directory.read_dir_utf8().unwrap().count();
        assert_eq!(left, 1, "something else than the wrapper is there");
    }
}
