//! Runs the processes of a worker on a server of the Remote Execution API, by a client that is a program of its own.
//!
//! The files that the process would read here travel as the command's inputs, by content: the worker's tree, the
//! dependencies, the toolchain. Paths of this machine become those below the command's root, and in what it prints they
//! become again what they were. What a compiler makes stays on the server. In the worker's directory a file stands for it
//! that has nothing but its digest, and the program that is run next is found by that.
//!
//! An answer is taken only where a process here would have given the same one. Whatever is doubtful, above all
//! what may have run into a limit, is declined: then the whole query is asked here.
//!
//! See docs/decisions/other-machines.md.

mod absence;
mod client;
mod inputs;
mod outcome;

pub use client::ClientError;

use super::executor::{Execute, Executor, Order};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::system::files;
use crate::system::process::{Decides, Outcome};
use crate::worker::confined::ProcessSort;
use absence::Absence;
use camino::{Utf8Path, Utf8PathBuf};
use client::Client;
use inputs::Mapping;
use reduce_platform::Cancel;
use reduce_remote_protocol::{
    Caching, Command, Counts, Ended, ErrorKind, InputError, Limits, Made, NoAnswer, Settings,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The deadline of a command on the server, if the command has none of its own.
const LONGEST: Duration = Duration::from_secs(600);

/// A server of the Remote Execution API that runs processes for queries. Clones are the same.
#[derive(Debug, Clone)]
pub struct RemoteServer(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    client: Client,
    settings: Settings,
    toolchain: RemoteToolchain,
    absence: Mutex<Absence>,
    /// The first reason why the server was of no use, until the user is told.
    trouble: Mutex<Option<String>>,
    /// The reason why the last question was not answered by the server and must be asked on this machine.
    reason: Mutex<Option<String>>,
}

/// The source of the toolchain that a server's workers use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemoteToolchain {
    /// The toolchain is uploaded.
    #[default]
    Upload,
    /// The toolchain is on the worker, at the same path as here.
    Worker,
}

/// The executor that runs a worker's processes on a server.
#[derive(Debug, Clone)]
pub struct RemoteExecutor {
    executor: Executor,
    has_declined: Arc<AtomicBool>,
}

impl RemoteServer {
    /// Makes a handle for a server, which the client at a path speaks to. [`Self::look`] comes before the first question.
    ///
    /// # Errors
    /// Where the client cannot be started, or is of another version.
    pub fn new(
        client: &Utf8Path,
        settings: Settings,
        toolchain: RemoteToolchain,
        cancel: &Cancel,
    ) -> Result<Self, ClientError> {
        Ok(Self(Arc::new(Shared {
            client: Client::start(client, cancel)?,
            settings,
            toolchain,
            absence: Mutex::default(),
            trouble: Mutex::default(),
            reason: Mutex::default(),
        })))
    }

    /// Asks whether the server is there, and whether it can run commands.
    ///
    /// # Errors
    /// Where it is not or cannot.
    pub fn look(&self, cancel: &Cancel) -> Result<(), NoAnswer> {
        self.0.client.open(&self.0.settings, cancel)
    }

    /// Returns the executor of one worker. Where a failure need not show in each run, no answer of the server's cache is
    /// taken.
    #[must_use]
    pub fn executor(&self, plan: &Plan) -> RemoteExecutor {
        let has_declined = Arc::<AtomicBool>::default();
        let executor = Executor::new(RemoteProcesses {
            shared: Arc::clone(&self.0),
            caching: match plan.run_policy.repeat > 1 {
                true => Caching::Anew,
                false => Caching::Cached,
            },
            common: plan.access.reads.clone(),
            has_declined: Arc::clone(&has_declined),
            made: Mutex::default(),
        });
        RemoteExecutor {
            executor,
            has_declined,
        }
    }

    /// Whether the server is asked at the moment, and not left alone as it was of no use.
    #[must_use]
    pub fn is_there(&self) -> bool {
        lock(&self.0.absence).is_over(Instant::now())
    }

    /// Returns the counts of what the server did so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.client.counts()
    }

    /// Returns the reason why the last question must be asked on this machine, if it must.
    #[must_use]
    pub fn last_reason(&self) -> Option<String> {
        lock(&self.0.reason).clone()
    }

    /// Returns, once, the reason why the server is of no use, in the server's words, if that was seen.
    #[must_use]
    pub fn take_trouble(&self) -> Option<String> {
        lock(&self.0.trouble).take()
    }
}

impl RemoteExecutor {
    /// Wraps an implementation that says in `has_declined` that it gives the question back.
    #[cfg(test)]
    pub(super) fn of(execute: impl Execute + 'static, has_declined: Arc<AtomicBool>) -> Self {
        Self {
            executor: Executor::new(execute),
            has_declined,
        }
    }

    pub(super) fn executor(&self) -> &Executor {
        &self.executor
    }

    pub(super) fn begin(&self) {
        self.has_declined.store(false, Ordering::Relaxed);
    }

    /// Whether the last question was not answered by the server and must be asked on this machine.
    pub(super) fn has_declined(&self) -> bool {
        self.has_declined.load(Ordering::Relaxed)
    }
}

/// The executor of one worker's processes on a server.
#[derive(Debug)]
struct RemoteProcesses {
    shared: Arc<Shared>,
    caching: Caching,
    /// The directories that are common to all workers: of what is in them, a process reads what it names.
    common: Vec<Utf8PathBuf>,
    has_declined: Arc<AtomicBool>,
    made: Mutex<HashMap<Utf8PathBuf, OnServer>>,
}

/// A file that a command has made on the server, and the runs that made it.
#[derive(Debug, Clone)]
struct OnServer {
    made: Made,
    runs: HashSet<u64>,
}

impl Execute for RemoteProcesses {
    fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        if cancel.is_cancelled() {
            return Ok(outcome::cancelled());
        }
        let answer = self.ask(order, cancel);
        match answer {
            Ok((ended, mapping)) => match outcome::of(&ended, order, &mapping, decides) {
                Ok(outcome) => Ok(outcome),
                Err(doubt) => Err(self.decline(&doubt.to_string())),
            },
            Err(error) if error.kind == ErrorKind::Cancelled => Ok(outcome::cancelled()),
            Err(error) => {
                self.note(&error);
                Err(self.decline(&error.to_string()))
            }
        }
    }
}

impl RemoteProcesses {
    fn ask(&self, order: &Order<'_>, cancel: &Cancel) -> Result<(Ended, Mapping), NoAnswer> {
        if !lock(&self.shared.absence).is_over(Instant::now()) {
            return Err(NoAnswer {
                kind: ErrorKind::Away,
                reason: "it is not asked at the moment, as it could not be reached".to_owned(),
            });
        }
        let mut made = lock(&self.made);
        made.retain(|path, on_server| stands_for(path, &on_server.made));
        let mapping = Mapping::of(order, self.shared.toolchain, &self.common);
        let mut inputs = mapping.inputs(order).map_err(unreadable)?;
        for (path, on_server) in made.iter() {
            if let Some(at) = mapping.place(path) {
                inputs.add_made(&at, &on_server.made);
            }
        }
        let invocation = order.invocation;
        let program = made.get_mut(invocation.program);
        let place = program.as_ref().and_then(|one| one.made.place.clone());
        let is_repeated = program.is_some_and(|one| !one.runs.insert(name_of_run(order)));
        drop(made);
        let output = output(order);
        let written = written(order);
        let outputs = output.iter().filter_map(|path| mapping.place(path));
        let map = |text: &str| mapping.there(text);
        let command = Command {
            program: map(invocation.program.as_str()),
            args: invocation.args.iter().map(|arg| map(arg)).collect(),
            env: invocation
                .env
                .iter()
                .map(|(name, value)| (name.clone(), map(value)))
                .collect(),
            dir: mapping.place(invocation.dir).unwrap_or_default(),
            inputs,
            outputs: outputs.collect(),
            wanted: written
                .iter()
                .filter_map(|path| mapping.place(path))
                .collect(),
            place,
            limits: limits(order),
            caching: match is_repeated {
                true => Caching::Anew,
                false => self.caching,
            },
            identified_by: mapping.identified_by(order),
        };
        let ended = self.shared.client.run(command, cancel);
        let how = ended.as_ref().map(|_| ()).map_err(|error| error.kind);
        lock(&self.shared.absence).note(how, Instant::now());
        let ended = ended?;
        if let (Some(path), Some(Some(made))) = (output, ended.made.first()) {
            self.put(path, made);
        }
        for (path, contents) in written.iter().zip(&ended.wanted) {
            if let Some(contents) = contents {
                let put = std::fs::write(path, contents);
                put.map_err(|error| NoAnswer {
                    kind: ErrorKind::Command,
                    reason: format!("failed to write `{path}`: {error}"),
                })?;
            }
        }
        Ok((ended, mapping))
    }

    /// Writes the file that stands in the worker's directory for a file on the server.
    fn put(&self, path: Utf8PathBuf, made: &Made) {
        if files::write_below(Utf8Path::new("/"), &path, &text_for(made)).is_ok() {
            let on_server = OnServer {
                made: made.clone(),
                runs: HashSet::new(),
            };
            lock(&self.made).insert(path, on_server);
        }
    }

    fn decline(&self, reason: &str) -> OracleError {
        self.has_declined.store(true, Ordering::Relaxed);
        *lock(&self.shared.reason) = Some(reason.to_owned());
        OracleError::Declined {
            reason: reason.to_owned(),
        }
    }

    /// Keeps the first reason why the server is of no use, so that the user is told.
    fn note(&self, error: &NoAnswer) {
        if matches!(error.kind, ErrorKind::Away | ErrorKind::Refused) {
            let mut trouble = lock(&self.shared.trouble);
            trouble.get_or_insert_with(|| error.to_string());
        }
    }
}

fn unreadable(error: InputError) -> NoAnswer {
    NoAnswer {
        kind: ErrorKind::Command,
        reason: error.to_string(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the file that a compiler is told to write.
fn output(order: &Order<'_>) -> Option<Utf8PathBuf> {
    let is_compiler = order.rights.sort == ProcessSort::Compiler;
    let mut pairs = order.invocation.args.windows(2).rev();
    let pair = pairs.find(|pair| pair[0] == "-o").filter(|_| is_compiler);
    pair.map(|pair| Utf8PathBuf::from(&pair[1]))
}

/// Returns the files that a program is told to write: those in its temporary directory that its environment names.
fn written(order: &Order<'_>) -> Vec<Utf8PathBuf> {
    let is_program = order.rights.sort == ProcessSort::Program;
    let temporary = order.rights.places.writes.first().filter(|_| is_program);
    let named = order.invocation.env.values().map(Utf8PathBuf::from);
    let is_inside =
        |path: &Utf8PathBuf| temporary.is_some_and(|dir| path != dir && path.starts_with(dir));
    named.filter(is_inside).collect()
}

/// Returns a number that differs for runs of one program with other arguments or variables.
fn name_of_run(order: &Order<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (order.invocation.args, order.invocation.env).hash(&mut hasher);
    hasher.finish()
}

/// Returns the text of the file that stands in the worker's directory for a file on the server.
fn text_for(made: &Made) -> String {
    format!("made on a server: {}\n", made.digest)
}

fn stands_for(path: &Utf8Path, made: &Made) -> bool {
    std::fs::read(path).is_ok_and(|there| there == text_for(made).as_bytes())
}

fn limits(order: &Order<'_>) -> Limits {
    let bounds = &order.invocation.bounds;
    let cpu = [bounds.cpu, bounds.own_cpu].into_iter().flatten().min();
    Limits {
        wall: bounds.deadline.unwrap_or(LONGEST),
        cpu,
        memory_bytes: bounds.memory_bytes,
        file_bytes: bounds.file_bytes,
        open_files: bounds.open_files,
        output_bytes: bounds.output_bytes as u64,
    }
}
