//! Asks warm compilers, which are loaded once and forked for each query, on the systems where they serve.
//!
//! Starting rustc costs more than compiling a small program: linking and relocating its library of
//! 150 MB, reading its arguments, finding the standard library. A server that has done this once
//! forks a child for each query (see `shim/lib.rs`). It is used only after it has given the same
//! answers as the compiler that is started anew; wherever it does not serve, that one is asked.
//!
//! See docs/decisions/queries.md.

mod check;

pub use check::WarmCheck;

use crate::compiler::args;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Decides, Invocation, Outcome, Preload, Server, Stops};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The fork server, compiled by the build script; empty on a platform without one.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/warm.so"));
/// The fork server of programs; empty on a platform without one.
static FOR_PROGRAMS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/forks.so"));

/// The number of fork servers that this process has.
static SERVERS: AtomicU64 = AtomicU64::new(0);

/// The free memory, in KiB, below which the compiler's code is not moved to huge pages.
const ENOUGH_KIB: u64 = 4 << 20;

/// The fork server as a file, to be preloaded. Clones name the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarmCompiler {
    library: Utf8PathBuf,
    /// The fork server that is preloaded into programs.
    for_programs: Utf8PathBuf,
    /// Whether the warm compiler serves for companions too.
    serves_companions: bool,
}

impl WarmCompiler {
    /// Writes the fork server to a directory, from which it must be allowed to run code. `None` on
    /// a platform that it is not written for.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub fn install(dir: &Utf8Path) -> Result<Option<Self>, OracleError> {
        if LIBRARY.is_empty() {
            return Ok(None);
        }
        files::make_dir(dir)?;
        let written = |name: &str, bytes: &[u8]| {
            let path = dir.join(name);
            std::fs::write(&path, bytes).map_err(OracleError::io("write", &path))?;
            Ok(path)
        };
        Ok(Some(Self {
            library: written("warm.so", LIBRARY)?,
            for_programs: written("forks.so", FOR_PROGRAMS)?,
            serves_companions: false,
        }))
    }

    /// Lets the warm compiler serve companions too: their compilers were checked as well.
    #[must_use]
    pub fn for_companions(self) -> Self {
        Self {
            serves_companions: true,
            ..self
        }
    }

    /// Returns the path of the library that is preloaded into programs which are run several times.
    pub(crate) fn for_programs(&self) -> &Utf8Path {
        &self.for_programs
    }

    /// Returns the path of the library that is preloaded.
    #[cfg(linux_parts)]
    #[cfg(test)]
    pub(crate) fn library(&self) -> &Utf8Path {
        &self.library
    }
}

/// The fork server of one worker, if the worker has one.
#[derive(Debug)]
pub(crate) struct Warm {
    compiler: WarmCompiler,
    server: Option<(Call, Counted<Server>)>,
    /// The compiler call of the query before this one: a server pays from the second query on, and most calls outside
    /// of the search are made once.
    last: Option<Call>,
    /// The last compiler call that could not be served by a fork of the compiler.
    declined: Option<Call>,
}

/// The compiler call that a server is frozen with.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Call {
    args: Vec<String>,
    env: BTreeMap<String, String>,
    dir: Utf8PathBuf,
}

impl Warm {
    pub(crate) fn new(compiler: WarmCompiler) -> Self {
        Self {
            compiler,
            server: None,
            last: None,
            declined: None,
        }
    }

    /// Makes a warm compiler for a companion's call beside this one's, if that may be served.
    pub(crate) fn for_companion(&self) -> Option<Self> {
        let compiler = self.compiler.clone();
        compiler.serves_companions.then(|| Self::new(compiler))
    }

    /// Whether the worker has a fork server at the moment.
    pub(crate) fn is_serving(&self) -> bool {
        self.server.is_some()
    }

    /// Runs a query by a fork of the loaded compiler; `None` where the compiler must be started anew.
    ///
    /// # Errors
    /// [`OracleError::Spawn`].
    pub(crate) fn run(
        &mut self,
        invocation: &Invocation<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Option<Outcome>, OracleError> {
        let call = Call {
            args: invocation.args.to_vec(),
            env: invocation.env.clone(),
            dir: invocation.dir.to_owned(),
        };
        let is_repeated = self.last.as_ref().is_none_or(|last| *last == call);
        if !self.serves(&call) && is_repeated && self.declined.as_ref() != Some(&call) {
            self.start(&call, invocation, cancel)?;
        }
        let is_served = self.serves(&call);
        self.last = Some(call);
        match &mut self.server {
            Some((_, server)) if is_served => {
                let outcome = server.0.run(invocation, cancel, decides)?;
                let is_worn = server.0.is_worn() && args::generates_code(invocation.args);
                if outcome.is_none() || is_worn {
                    self.server = None;
                }
                Ok(outcome)
            }
            _ => Ok(None),
        }
    }

    fn serves(&self, call: &Call) -> bool {
        self.server.as_ref().is_some_and(|(known, _)| known == call)
    }

    /// Starts a fork server for this compiler call in place of the present one, if the call can be served.
    #[cfg_attr(
        not(linux_parts),
        expect(unreachable_code, reason = "there are servers on Linux only")
    )]
    fn start(
        &mut self,
        call: &Call,
        invocation: &Invocation<'_>,
        cancel: &Cancel,
    ) -> Result<(), OracleError> {
        self.server = None;
        let program = invocation.program.canonicalize_utf8();
        let is_preloaded = invocation.env.contains_key("LD_PRELOAD");
        let server = match (args::root(invocation.args), program) {
            (Some(root), Ok(program)) if !is_preloaded => {
                let preload = Preload {
                    library: &self.compiler.library,
                    program: &program,
                    stops: Stops::AtRoot {
                        root: &root,
                        uses_huge_pages: has_much_memory(),
                    },
                };
                Server::start(invocation, preload, cancel)?
            }
            _ => None,
        };
        match server {
            Some(server) => self.server = Some((call.clone(), Counted::new(server))),
            None if cancel.is_cancelled() => {}
            None => self.declined = Some(call.clone()),
        }
        Ok(())
    }
}

/// Returns the number of compilers of this process that are loaded, and answer queries by forks of
/// themselves.
#[must_use]
pub fn warm_compilers() -> u64 {
    SERVERS.load(Ordering::Relaxed)
}

/// A fork server that is counted as long as it lives.
#[derive(Debug)]
struct Counted<T>(T);

impl<T> Counted<T> {
    fn new(one: T) -> Self {
        SERVERS.fetch_add(1, Ordering::Relaxed);
        Self(one)
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        SERVERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether there is so much free memory that fifty megabytes more for each worker do not matter.
fn has_much_memory() -> bool {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = available.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
    kib.is_some_and(|kib: u64| kib >= ENOUGH_KIB)
}

// The tests compare answers with those of a server, which only these systems have.
#[cfg(test)]
#[cfg(all(linux_parts, target_arch = "x86_64", target_env = "gnu"))]
mod tests;
