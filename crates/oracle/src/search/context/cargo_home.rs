//! Sets up a `CARGO_HOME` for cargo that a candidate may call: cargo's caches as links, and its configuration without
//! tokens.
//!
//! The directory stays across runs, since cargo compiles everything again when the sources of dependencies are found at another
//! place. Before candidates are asked, cargo may need the network and the tokens; it gets what was taken out as variables then.

use super::BaselineContext;
use super::config_secrets;
use crate::cargo_config::{self, CargoConfig};
use crate::check::CommandCall;
use crate::error::OracleError;
use crate::system::files;
use crate::system::private::cargo_home;
use crate::system::sandbox::SandboxMode;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use toml_edit::DocumentMut;

/// The directories in the user's `CARGO_HOME` that its stand-in shares. Caches that are not there are made, as by
/// cargo.
const CACHES: [&str; 2] = ["registry", "git"];
const PROGRAMS: &str = "bin";
/// The files in the user's `CARGO_HOME` that its stand-in shares: the locks of the caches, and what is known of their
/// use.
const FILES: [&str; 3] = [".package-cache", ".package-cache-mutate", ".global-cache"];

/// A directory that stands in for the user's `CARGO_HOME`.
#[derive(Debug)]
pub(crate) struct CargoHome {
    /// The absolute path of the directory.
    pub(crate) directory: Utf8PathBuf,
    /// The values that were taken out of the configuration, as variables. They are for cargo before candidates are asked, and for
    /// nothing else.
    pub(crate) secrets: BTreeMap<String, String>,
    /// The paths in the `CARGO_HOME` that candidates read: the caches, and the places of replaced sources.
    pub(crate) reads: Vec<Utf8PathBuf>,
}

impl CargoHome {
    /// Sets up a `CARGO_HOME` below the directory that is kept across runs; `None` where the user has none. Configuration files in
    /// `outer` count more than that of the directory.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    fn prepare(
        outer: &[Utf8PathBuf],
        context: &BaselineContext<'_>,
    ) -> Result<Option<Self>, OracleError> {
        let real = cargo_home(&context.user.vars);
        let real = real.map(|real| context.user.cwd.join(real));
        real.map(|real| Self::of(&real, outer, &context.builds, &context.options.env))
            .transpose()
    }

    /// Makes the directory that stands in for the user's `CARGO_HOME`. `handed_on` are variables that candidates get,
    /// whatever their names.
    fn of(
        real: &Utf8Path,
        outer: &[Utf8PathBuf],
        builds: &Utf8Path,
        handed_on: &[String],
    ) -> Result<Self, OracleError> {
        let directory = builds.join(format!("cargo-home-{}", short_digest(real, outer)));
        files::make_dir(&directory)?;
        for name in CACHES {
            // A directory that cannot be made is no error here: cargo says so when it needs it.
            let _ = std::fs::create_dir_all(real.join(name));
        }
        let shared = CACHES.into_iter().chain([PROGRAMS]).chain(FILES);
        let mut reads = vec![directory.clone()];
        for name in shared {
            link(&real.join(name), &directory.join(name))?;
            reads.push(real.join(name));
        }
        let credentials = document(real, ["credentials", "credentials.toml"]);
        // A file that is included stands elsewhere: it becomes a part of this one.
        let own = cargo_config::file_in(real).into_iter();
        let all: Vec<Utf8PathBuf> = own.chain(outer.iter().cloned()).collect();
        let config = CargoConfig::of_files(&all).merged();
        let clean = config_secrets::without_secrets(config, handed_on);
        files::replace(&directory.join("config.toml"), &clean.document.to_string())?;
        reads.extend(clean.sources);
        let mut secrets = config_secrets::of_credentials(credentials);
        secrets.extend(clean.secrets);
        Ok(Self {
            directory,
            secrets,
            reads,
        })
    }

    /// Adds the variables that cargo gets before candidates are asked; what the user has set counts more.
    pub(crate) fn add_to(&self, env: &mut BTreeMap<String, String>) {
        env.insert("CARGO_HOME".to_owned(), self.directory.to_string());
        for (name, value) in &self.secrets {
            env.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// Returns the directory that stands in for the user's `CARGO_HOME` while candidates are asked. Without a sandbox nothing needs
/// to, unless cargo would find the configuration files in `outer` above the original and not above candidates.
///
/// # Errors
/// [`OracleError::Io`].
pub(crate) fn for_candidates(
    outer: &[Utf8PathBuf],
    context: &BaselineContext<'_>,
) -> Result<Option<CargoHome>, OracleError> {
    match context.options.sandbox {
        SandboxMode::Off if outer.is_empty() => Ok(None),
        _ => CargoHome::prepare(outer, context),
    }
}

/// Returns the call of a command with this `CARGO_HOME`, if there is one.
pub(crate) fn with_home(mut call: CommandCall, home: Option<CargoHome>) -> CommandCall {
    if let Some(home) = home {
        let directory = home.directory.into_string();
        call.env.insert("CARGO_HOME".to_owned(), directory);
        call.reads.extend(home.reads);
    }
    call
}

/// Reads the first of two configuration files that exists, as cargo does; returns an empty document where none is
/// TOML.
fn document(dir: &Utf8Path, names: [&str; 2]) -> DocumentMut {
    let mut texts = names
        .iter()
        .map(|name| std::fs::read_to_string(dir.join(name)));
    let text = texts.find_map(Result::ok).unwrap_or_default();
    text.parse().unwrap_or_default()
}

fn link(to: &Utf8Path, at: &Utf8Path) -> Result<(), OracleError> {
    if std::fs::read_link(at).is_ok_and(|there| there == to) {
        return Ok(());
    }
    files::remove(at)?;
    reduce_platform::files::symlink(to.as_std_path(), at.as_std_path())
        .map_err(OracleError::io("create", at))
}

fn short_digest(home: &Utf8Path, outer: &[Utf8PathBuf]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(home.as_str().as_bytes());
    for file in outer {
        hasher.update(format!("\n{file}").as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_gets_its_caches_and_a_configuration_without_tokens() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let (real, builds) = (dir.join("me/.cargo"), dir.join("builds"));
        files::write(&real.join("credentials.toml"), "[registry]\ntoken = \"t1\"").unwrap();
        let config = "[registries.own]\nindex = \"i\"\ntoken = \"t2\"";
        files::write(&real.join("config.toml"), config).unwrap();
        files::write(&real.join("registry/src/a.rs"), "a").unwrap();
        // Twice, as it stays across runs.
        CargoHome::of(&real, &[], &builds, &[]).unwrap();
        let home = CargoHome::of(&real, &[], &builds, &[]).unwrap();
        let read = |inner: &str| std::fs::read_to_string(home.directory.join(inner));
        assert_eq!(read("registry/src/a.rs").unwrap(), "a");
        assert_eq!(
            read("config.toml").unwrap().trim(),
            config.replace("\ntoken = \"t2\"", "")
        );
        assert!(read("credentials.toml").is_err());
        assert!(home.reads.iter().all(|path| path != &real));
        let mut env = BTreeMap::from([("CARGO_REGISTRY_TOKEN".to_owned(), "own".to_owned())]);
        home.add_to(&mut env);
        assert_eq!(env["CARGO_REGISTRY_TOKEN"], "own");
        assert_eq!(env["CARGO_REGISTRIES_OWN_TOKEN"], "t2");
        assert_eq!(env["CARGO_HOME"], home.directory);
    }
}
