//! Finds the compiler and the cargo that the user would get by typing `rustc` and `cargo`.
//!
//! rustup's shims are resolved to the real binaries: a query then costs no toolchain look-up, and
//! uses the same compiler wherever it runs.

mod installed;
mod other;

pub(crate) use installed::{installed, toolchains};
pub(crate) use other::Other;

use crate::compiler::target::Surroundings;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Bounds, Ending, Invocation, Outcome, run};
use crate::text::path::normal;
use crate::text::shell::quoted;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use reduce_platform::files::modified;
use reduce_platform::processes::places_of_program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The time in which a working compiler says its version.
const DEADLINE: Duration = Duration::from_secs(60);

/// A compiler, known by its real binary and its version rather than by the name that was typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiler {
    /// The real binary, not rustup's shim.
    pub path: Utf8PathBuf,
    /// The command by which a person calls the compiler: `rustc +nightly` without the host's name,
    /// `rustc` where that is the first on the search path, or its path, quoted for a shell.
    pub command: String,
    /// The output of `rustc -vV`.
    pub verbose_version: String,
    /// A digest of version, path, and size and age of the binary and its driver library.
    pub identity: [u8; 32],
    /// The toolchain's directory, as the compiler says itself; `None` if it does not say.
    pub(crate) sysroot: Option<Utf8PathBuf>,
}

impl Compiler {
    /// Returns the digest of the compiler's files as they are now, by size and age: another one
    /// later means that the toolchain was updated or removed in between.
    #[must_use]
    pub fn digest_of_files(&self) -> [u8; 32] {
        identity(&self.path, &self.verbose_version)
    }

    /// Returns the compiler's release, such as `1.97.0-nightly`; `None` if it does not say.
    #[must_use]
    pub fn release(&self) -> Option<&str> {
        release(&self.verbose_version)
    }

    /// Returns the host for which the compiler compiles by itself; `None` if it does not say.
    pub(crate) fn host(&self) -> Option<&str> {
        host(&self.verbose_version)
    }

    /// Returns the directories of the toolchain, and that of a compiler which stands outside of its toolchain.
    pub(crate) fn directories(&self) -> Vec<Utf8PathBuf> {
        let beside = match in_toolchain(&self.path) {
            Some(_) => None,
            None => self.path.parent(),
        };
        let sysroot = self.sysroot.clone();
        sysroot
            .into_iter()
            .chain(beside.map(Utf8Path::to_owned))
            .collect()
    }

    /// Returns the paths of the compiler's binary: as it was found, and without symbolic links.
    pub(crate) fn files(&self) -> Vec<Utf8PathBuf> {
        let real = self.path.canonicalize_utf8();
        std::iter::once(self.path.clone()).chain(real).collect()
    }

    /// Returns the directory of the compiler's libraries for the host.
    pub(crate) fn libraries(&self) -> Utf8PathBuf {
        let host = host(&self.verbose_version);
        let root = self.sysroot.clone().unwrap_or_default();
        root.join("lib/rustlib")
            .join(host.unwrap_or_default())
            .join("lib")
    }

    /// Returns the program that understands the arguments of rustc: the compiler itself, or the one
    /// beside rustdoc.
    pub(crate) fn frontend(&self) -> Utf8PathBuf {
        match self.is_rustdoc() {
            true => self.path.with_file_name("rustc"),
            false => self.path.clone(),
        }
    }

    /// Whether the compiler is rustdoc, which is asked like a compiler.
    #[must_use]
    pub fn is_rustdoc(&self) -> bool {
        self.path.file_name() == Some("rustdoc")
    }

    /// Returns a tool beside the compiler that takes the arguments of a compiler.
    ///
    /// # Errors
    /// [`OracleError::ToolMissing`] where it is not there.
    pub(crate) fn tool(
        &self,
        name: &str,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<Self, OracleError> {
        let path = self.path.with_file_name(name);
        if !path.is_file() {
            return Err(OracleError::ToolMissing {
                what: format!("`{name}` beside the compiler, at `{path}`"),
            });
        }
        Ok(Self {
            command: self.call_of(name),
            ..Self::find(&path, user, cancel)?
        })
    }

    /// Returns the command by which a person calls a tool that stands beside the compiler.
    pub(crate) fn call_of(&self, name: &str) -> String {
        let beside = || quoted(self.path.with_file_name(name).as_str());
        match self.command.strip_prefix("rustc") {
            Some(toolchain) if toolchain.starts_with(" +") => format!("{name}{toolchain}"),
            Some("") => name.to_owned(),
            _ => beside(),
        }
    }

    /// Names the compiler by its name alone where its command is a path.
    #[must_use]
    pub fn without_path(&self) -> Self {
        let is_path = self.command.contains('/') && !self.command.starts_with("rustc +");
        let name = self.path.file_name().filter(|_| is_path);
        Self {
            command: name.map_or_else(|| self.command.clone(), quoted),
            ..self.clone()
        }
    }

    /// Returns the `rustfmt` that stands beside the compiler or in its toolchain, if there is one.
    pub(crate) fn formatter(&self) -> Option<Utf8PathBuf> {
        let beside = self.path.with_file_name("rustfmt");
        let sysroot = self.sysroot.iter();
        let places = sysroot.map(|root| root.join("bin/rustfmt"));
        let mut places = std::iter::once(beside).chain(places);
        places.find(|place| place.is_file())
    }
}

/// The compiler that the user would get by typing `rustc`.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    pub(crate) compiler: Compiler,
    /// Whether the user named the compiler, so that cargo is told to use it.
    pub(crate) is_named: bool,
}

impl Toolchain {
    /// Finds the compiler: `--rustc`, else `RUSTC`, else `rustc` by `PATH`, in the user's
    /// directory.
    ///
    /// # Errors
    /// [`OracleError::CompilerMissing`] with its path.
    pub(crate) fn find(user: &Surroundings, cancel: &Cancel) -> Result<Self, OracleError> {
        let variable = user.vars.get("RUSTC").filter(|value| !value.is_empty());
        let named = user.rustc.clone().or(variable.map(Utf8PathBuf::from));
        let is_named = named.is_some();
        let name = named.unwrap_or_else(|| "rustc".into());
        let compiler = Compiler::find(&name, user, cancel)?;
        Ok(Self { compiler, is_named })
    }

    /// Finds cargo: `CARGO` where it names a real one, else the one beside the compiler, else by
    /// `PATH`.
    ///
    /// # Errors
    /// [`OracleError::CargoMissing`].
    pub(crate) fn cargo(
        &self,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<Utf8PathBuf, OracleError> {
        let variable = user.vars.get("CARGO").map(Utf8PathBuf::from);
        let is_cargo = |path: &Utf8PathBuf| path.file_stem() == Some("cargo") && path.is_file();
        if let Some(path) = variable.filter(|path| is_cargo(path) && !is_shim(path)) {
            return Ok(path);
        }
        let beside = self.compiler.path.with_file_name("cargo");
        if !self.is_named && beside.is_file() {
            return Ok(beside);
        }
        let found =
            look_up(Utf8Path::new("cargo"), user).ok_or_else(|| OracleError::CargoMissing {
                path: "cargo".into(),
                reason: "it is in no directory of `PATH`".to_owned(),
            })?;
        let real = sysroot(&found.with_file_name("rustc"), user, cancel)
            .map(|root| root.join("bin/cargo"));
        match real {
            Ok(real) if is_shim(&found) && real.is_file() => Ok(real),
            _ => Ok(found),
        }
    }
}

impl Compiler {
    /// Finds the compiler that `name`, a path or a bare name, stands for in the user's
    /// surroundings.
    ///
    /// # Errors
    /// [`OracleError::CompilerMissing`].
    pub(crate) fn find(
        name: &Utf8Path,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<Self, OracleError> {
        let found = look_up(name, user).ok_or_else(|| missing(name, "there is no such file"))?;
        let is_shim = is_shim(&found);
        let path = match is_shim {
            true => sysroot(&found, user, cancel)?.join("bin/rustc"),
            false => found,
        };
        let args = ["-vV".to_owned()];
        let verbose_version = printed(&path, &args, user, cancel)?;
        let identity = identity(&path, &verbose_version);
        let chosen = user
            .vars
            .get("RUSTUP_TOOLCHAIN")
            .filter(|name| is_shim && !name.contains('/'));
        let command = match chosen {
            Some(name) => with_toolchain(name, &verbose_version),
            None => command(&path, &verbose_version, user),
        };
        let args = ["--print".to_owned(), "sysroot".to_owned()];
        let sysroot = match in_toolchain(&path) {
            Some(root) => Some(root.to_owned()),
            None => printed(&path, &args, user, cancel).ok().map(Into::into),
        };
        Ok(Self {
            path,
            command,
            verbose_version,
            identity,
            sysroot: sysroot.map(|path: Utf8PathBuf| path.as_str().trim().into()),
        })
    }

    /// Returns the first line of [`Compiler::verbose_version`]: `rustc 1.95.0 (59807616e
    /// 2026-04-14)`.
    #[must_use]
    pub fn version(&self) -> &str {
        self.verbose_version.lines().next().unwrap_or_default()
    }
}

/// Returns the directory that has the compiler in `bin`, and its libraries in `lib`.
fn in_toolchain(path: &Utf8Path) -> Option<&Utf8Path> {
    let bin = path.parent().filter(|bin| bin.file_name() == Some("bin"))?;
    bin.parent()
        .filter(|root| root.join("lib/rustlib").is_dir())
}

/// Returns a path made absolute, or a bare name looked up in `PATH`; `None` where there is no such
/// file.
pub(crate) fn look_up(name: &Utf8Path, user: &Surroundings) -> Option<Utf8PathBuf> {
    if name.as_str().contains(std::path::is_separator) {
        return Some(normal(&user.cwd.join(name))).filter(|path| path.is_file());
    }
    let path = user.vars.get("PATH")?;
    let places = places_of_program(name.as_str(), path);
    let mut places = places.filter_map(|place| Utf8PathBuf::from_path_buf(place).ok());
    let place = places.find(|place| user.cwd.join(place).is_file())?;
    Some(user.cwd.join(place))
}

/// Whether a compiler is a link, symbolic or hard, to rustup.
fn is_shim(path: &Utf8Path) -> bool {
    let real = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let inode = |path: &Utf8Path| {
        path.metadata()
            .ok()
            .and_then(|data| reduce_platform::files::identity(&data))
    };
    let rustup = path.with_file_name("rustup");
    matches!(real.file_stem(), Some("rustup" | "rustup-init"))
        || (inode(path).is_some() && inode(path) == inode(&rustup))
}

/// Returns the toolchain that a shim chooses in the user's directory.
fn sysroot(
    shim: &Utf8Path,
    user: &Surroundings,
    cancel: &Cancel,
) -> Result<Utf8PathBuf, OracleError> {
    let args = ["--print".to_owned(), "sysroot".to_owned()];
    Ok(printed(shim, &args, user, cancel)?.trim().into())
}

/// Runs a compiler as the user would, and returns what it prints to stdout.
fn printed(
    path: &Utf8Path,
    args: &[String],
    user: &Surroundings,
    cancel: &Cancel,
) -> Result<String, OracleError> {
    let outcome =
        run_quickly(path, args, &user.vars, &user.cwd, cancel).map_err(|error| match error {
            OracleError::Spawn { source, .. } => missing(path, &source.to_string()),
            error => error,
        })?;
    match outcome.ending {
        Ending::Exited(0) => Ok(outcome.stdout),
        Ending::Cancelled => Err(OracleError::Cancelled),
        ending => Err(missing(
            path,
            &format!("{ending}: {}", outcome.stderr.trim()),
        )),
    }
}

/// Runs a command that should end soon and print little.
pub(crate) fn run_quickly(
    program: &Utf8Path,
    args: &[String],
    env: &BTreeMap<String, String>,
    dir: &Utf8Path,
    cancel: &Cancel,
) -> Result<Outcome, OracleError> {
    let bounds = Bounds::of_time(DEADLINE, 64 << 20);
    run(
        &Invocation {
            program,
            args,
            env,
            dir,
            bounds,
            confinement: None,
        },
        cancel,
    )
}

fn missing(path: &Utf8Path, reason: &str) -> OracleError {
    OracleError::CompilerMissing {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Returns `rustc +NAME` where the user has rustup and the compiler is one of its toolchains,
/// `rustc` where that is this compiler.
fn command(path: &Utf8Path, verbose_version: &str, user: &Surroundings) -> String {
    let first = look_up(Utf8Path::new("rustc"), user);
    let has_rustup = first.as_deref().is_some_and(is_shim);
    let toolchain = path.parent().and_then(Utf8Path::parent);
    let holder = toolchain
        .and_then(Utf8Path::parent)
        .and_then(Utf8Path::file_name);
    match toolchain.and_then(Utf8Path::file_name) {
        Some(name) if has_rustup && holder == Some("toolchains") => {
            with_toolchain(name, verbose_version)
        }
        _ if first.as_deref() == Some(path) => "rustc".to_owned(),
        _ => quoted(path.as_str()),
    }
}

/// Returns `rustc +NAME`, without the name of the host: rustup adds that by itself.
fn with_toolchain(name: &str, verbose_version: &str) -> String {
    let host = host(verbose_version).and_then(|host| name.strip_suffix(host));
    let short = host.and_then(|name| name.strip_suffix('-'));
    format!("rustc +{}", quoted(short.unwrap_or(name)))
}

/// Returns the host that a compiler names in its version.
fn host(verbose_version: &str) -> Option<&str> {
    named(verbose_version, "host: ")
}

/// Returns the release that a compiler names in its version.
pub(crate) fn release(verbose_version: &str) -> Option<&str> {
    named(verbose_version, "release: ")
}

/// Returns the rest of the line of a version that begins with this word.
fn named<'v>(verbose_version: &'v str, word: &str) -> Option<&'v str> {
    let mut lines = verbose_version.lines();
    lines.find_map(|line| line.strip_prefix(word))
}

/// Returns the identity of a compiler: two compilers with the same identity answer the same.
fn identity(path: &Utf8Path, verbose_version: &str) -> [u8; 32] {
    let libraries = path
        .parent()
        .and_then(Utf8Path::parent)
        .map(|root| root.join("lib"));
    let libraries = libraries
        .and_then(|lib| files::entries(&lib).ok())
        .unwrap_or_default();
    let drivers = libraries.iter().map(camino::Utf8DirEntry::path);
    let drivers = drivers.filter(|path| {
        path.file_name()
            .is_some_and(|n| n.starts_with("librustc_driver"))
    });
    let mut hasher = blake3::Hasher::new();
    hasher.update(verbose_version.as_bytes());
    for file in std::iter::once(path).chain(drivers) {
        let metadata = file
            .metadata()
            .map(|data| (data.len(), modified(&data).0, modified(&data).1));
        hasher.update(format!("{file} {:?}\n", metadata.ok()).as_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests;
