//! A command on a server: its result from the cache, or a run of it.

use crate::capabilities::Capabilities;
use crate::connection::{Connection, failed, failed_in_time};
use crate::contents::{Contents, download};
use crate::counts::Counting;
use crate::digest::Digest;
use crate::error::{OurTrouble, QUICK, Trouble, reason};
use crate::retry::{ATTEMPTS, LONG, SHORT, persist};
use crate::script::{self, SCRIPT};
use crate::stamps::Stamps;
use crate::tree::{Source, Tree};
use api::action_cache_client::ActionCacheClient;
use api::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use bazel_remote_apis::google::protobuf;
use camino::{Utf8Path, Utf8PathBuf};
use prost::Message;
use reduce_remote_protocol::{Caching, Command, Ended, InputError, Made, Property};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tonic::{Code, Request, Streaming};

/// The shell by which a worker runs the script around a command.
const SHELL: &str = "/bin/sh";
/// The search path (`PATH`) on which the script around a command finds its tools.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The time for which a command may wait until the server has a free worker for it.
const QUEUED: Duration = Duration::from_secs(600);
/// The largest number of characters of a server's output that an error shows.
const MOST_SHOWN: usize = 400;
/// The time that a server may take around a command for its files, which does not belong to the command's own time.
const AROUND: Duration = Duration::from_secs(60);

/// The connection to a server, with what is known of it, that all commands share.
pub(crate) struct Server<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) capabilities: Capabilities,
    pub(crate) contents: &'a Contents,
    pub(crate) counting: &'a Counting,
}

/// A command in the form that the server's API has for it, with all that is needed to run it.
pub(crate) struct Action {
    digest: Digest,
    sources: HashMap<Digest, Source>,
    /// The word at the beginning of the script's report, which no other script prints.
    word: String,
    outputs: Vec<Utf8PathBuf>,
    wanted: Vec<Utf8PathBuf>,
    caching: Caching,
    /// The time within which the command must have a result.
    deadline: Duration,
    /// The server's name of the run that is under way, by which it can be stopped.
    running: Mutex<Option<String>>,
}

impl Action {
    /// The action that runs a command.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub(crate) fn new(
        command: &Command,
        platform: &[Property],
        stamps: &Stamps,
    ) -> Result<Self, InputError> {
        let mut salt = String::new();
        for path in &command.identified_by {
            salt.push_str(&stamps.of(path)?.hex());
        }
        let mut tree = Tree::read(&command.inputs, stamps)?;
        tree.add_contents(
            Utf8Path::new(SCRIPT),
            script::script(command).into_bytes(),
            true,
        );
        let (root, mut sources) = tree.into_digests();
        let word = Digest::of(format!("the end of {root}").as_bytes()).hex();
        let platform = platform_of(platform.to_vec());
        let mut put = |contents: Vec<u8>| {
            let digest = Digest::of(&contents);
            sources.insert(digest, Source::Contents(contents));
            digest
        };
        let called = put(called(command, &word, platform.clone()).encode_to_vec());
        let action = api::Action {
            command_digest: Some(called.to_api()),
            input_root_digest: Some(root.to_api()),
            timeout: Some(duration(command.limits.wall)),
            do_not_cache: command.caching == Caching::Anew,
            salt: salt.into_bytes(),
            platform,
        };
        Ok(Self {
            digest: put(action.encode_to_vec()),
            sources,
            word,
            outputs: command.outputs.clone(),
            wanted: command.wanted.clone(),
            caching: command.caching,
            deadline: command.limits.wall + QUEUED + AROUND,
            running: Mutex::default(),
        })
    }

    /// Returns the files whose contents should stand in an answer itself.
    fn inlined(&self) -> Vec<String> {
        self.wanted.iter().map(ToString::to_string).collect()
    }

    fn note_running(&self, name: Option<String>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }
}

fn called(command: &Command, word: &str, platform: Option<api::Platform>) -> api::Command {
    let outputs = command.outputs.iter().chain(&command.wanted);
    let mut outputs: Vec<String> = outputs.map(ToString::to_string).collect();
    outputs.sort();
    outputs.dedup();
    let path = api::command::EnvironmentVariable {
        name: "PATH".to_owned(),
        value: PATH.to_owned(),
    };
    #[expect(deprecated, reason = "servers before version 2.1 know no other field")]
    api::Command {
        arguments: vec![SHELL.to_owned(), format!("./{SCRIPT}"), word.to_owned()],
        environment_variables: vec![path],
        output_files: outputs.clone(),
        output_paths: outputs,
        platform,
        ..Default::default()
    }
}

/// Converts the properties that a worker must have to the form of the API, in which they must be sorted.
fn platform_of(mut properties: Vec<Property>) -> Option<api::Platform> {
    properties.sort();
    let properties = properties
        .into_iter()
        .map(|property| api::platform::Property {
            name: property.name,
            value: property.value,
        });
    let properties: Vec<_> = properties.collect();
    (!properties.is_empty()).then_some(api::Platform { properties })
}

fn duration(time: Duration) -> protobuf::Duration {
    protobuf::Duration {
        seconds: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(time.subsec_nanos()).unwrap_or(0),
    }
}

impl Server<'_> {
    /// Returns the result of an action, from the server's cache if that is allowed, or else of a run.
    pub(crate) async fn result(&self, action: &Action) -> Result<Ended, Trouble> {
        if action.caching == Caching::Cached
            && let Some(known) = self.known(action).await?
        {
            self.counting.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(known);
        }
        match tokio::time::timeout(action.deadline, self.run(action)).await {
            Ok(ended) => ended,
            Err(_) => {
                self.cancel(action).await;
                Err(Trouble::Late)
            }
        }
    }

    /// Looks for the result of an action in the server's cache. An entry without the script's report counts for nothing.
    async fn known(&self, action: &Action) -> Result<Option<Ended>, Trouble> {
        let found = persist(SHORT, self.counting, async || {
            let mut request = Request::new(api::GetActionResultRequest {
                instance_name: self.connection.instance().to_owned(),
                action_digest: Some(action.digest.to_api()),
                inline_stdout: true,
                inline_stderr: true,
                inline_output_files: action.inlined(),
                digest_function: api::digest_function::Value::Sha256 as i32,
            });
            request.set_timeout(QUICK);
            let mut client = ActionCacheClient::new(self.connection.service());
            match client.get_action_result(request).await {
                Ok(found) => Ok(Some(found.into_inner())),
                Err(status) if status.code() == Code::NotFound => Ok(None),
                Err(status) => Err(failed_in_time(status)),
            }
        });
        let Some(found) = found.await? else {
            return Ok(None);
        };
        match self.read(action, found, true).await {
            Ok(ended) => Ok(Some(ended)),
            // The output of the action is gone, or it was never run.
            Err(Trouble::Missing { .. } | Trouble::Ours(OurTrouble::Unfinished(_))) => Ok(None),
            Err(trouble) => Err(trouble),
        }
    }

    /// Has the server run an action, and asks again if the server fails for a moment or lacks a file.
    async fn run(&self, action: &Action) -> Result<Ended, Trouble> {
        let mut attempt = 1;
        loop {
            let ended = persist(LONG, self.counting, async || {
                let server = (self.connection, self.capabilities);
                self.contents
                    .bring(server, &action.sources, self.counting)
                    .await?;
                let ended = self.run_once(action).await;
                if ended.is_err() {
                    // Whatever it was, the server may have forgotten what it had.
                    self.contents.forget(action.sources.keys());
                }
                ended
            });
            match ended.await {
                Err(Trouble::Missing { .. } | Trouble::Ours(OurTrouble::Unfinished(_)))
                    if attempt < ATTEMPTS / 2 =>
                {
                    attempt += 1;
                    self.counting.retries.fetch_add(1, Ordering::Relaxed);
                }
                ended => return ended,
            }
        }
    }

    async fn run_once(&self, action: &Action) -> Result<Ended, Trouble> {
        let request = Request::new(api::ExecuteRequest {
            instance_name: self.connection.instance().to_owned(),
            // The cache was asked before, and had nothing of use.
            skip_cache_lookup: true,
            action_digest: Some(action.digest.to_api()),
            digest_function: api::digest_function::Value::Sha256 as i32,
            inline_stdout: true,
            inline_stderr: true,
            inline_output_files: action.inlined(),
            ..Default::default()
        });
        let mut client = ExecutionClient::new(self.connection.service());
        let stream = client.execute(request).await.map_err(failed)?.into_inner();
        let response = self.follow(action, stream).await;
        action.note_running(None);
        let response = response?;
        if let Some(status) = response
            .status
            .filter(|status| status.code != Code::Ok as i32)
        {
            let code = Code::from(status.code);
            return Err(
                match Trouble::of_code(code, reason(code, &status.message)) {
                    // It is the server that says so, over a connection that works.
                    Trouble::Again { reason, .. } | Trouble::Refused { reason } => Trouble::Again {
                        is_connection: false,
                        reason,
                    },
                    trouble => trouble,
                },
            );
        }
        let result = response.result.unwrap_or_default();
        let ended = self.read(action, result, response.cached_result).await?;
        self.counting.misses.fetch_add(1, Ordering::Relaxed);
        Ok(ended)
    }

    /// Waits until a run on the server has ended, and connects to it again if the stream of its messages breaks.
    async fn follow(
        &self,
        action: &Action,
        mut stream: Streaming<Operation>,
    ) -> Result<api::ExecuteResponse, Trouble> {
        let mut name = String::new();
        for _ in 0..ATTEMPTS {
            let trouble = match until_done(&mut stream, &mut name, action).await {
                Ok(response) => return Ok(response),
                Err(trouble @ Trouble::Again { .. }) if !name.is_empty() => trouble,
                Err(trouble) => return Err(trouble),
            };
            self.counting.retries.fetch_add(1, Ordering::Relaxed);
            let request = api::WaitExecutionRequest { name: name.clone() };
            let mut client = ExecutionClient::new(self.connection.service());
            stream = match client.wait_execution(request).await {
                Ok(stream) => stream.into_inner(),
                // It is not known any more: it has to be run anew.
                Err(_) => return Err(trouble),
            };
        }
        Err(Trouble::broken("the stream of a run has ended too often"))
    }

    /// Asks the server to stop a run. Not every server can.
    pub(crate) async fn cancel(&self, action: &Action) {
        let running = action
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(name) = running {
            let mut request = Request::new(CancelOperationRequest { name });
            request.set_timeout(QUICK);
            let mut client = OperationsClient::new(self.connection.service());
            let _ = client.cancel_operation(request).await;
        }
    }

    /// Converts the server's result of an action to the end of the command, which is read from the report of its script.
    async fn read(
        &self,
        action: &Action,
        result: api::ActionResult,
        is_cached: bool,
    ) -> Result<Ended, Trouble> {
        let wall = result.execution_metadata.as_ref().and_then(wall);
        let stdout = self
            .printed(result.stdout_raw, result.stdout_digest)
            .await?;
        let stderr = self
            .printed(result.stderr_raw, result.stderr_digest)
            .await?;
        let said = script::read(&stdout, &action.word);
        let Some(said) = said.filter(|_| result.exit_code == 0) else {
            return Err(unfinished(result.exit_code, &stderr));
        };
        let place = said.names_root.then(|| said.root.clone());
        let made = action.outputs.iter().map(|path| {
            let mut files = result.output_files.iter();
            let file = files.find(|file| file.path == path.as_str())?;
            Some(Made {
                digest: Digest::from_api(file.digest.as_ref()?)?.to_string(),
                is_executable: file.is_executable,
                place: place.clone(),
            })
        });
        let made = made.collect();
        let mut wanted = Vec::with_capacity(action.wanted.len());
        for path in &action.wanted {
            let mut files = result.output_files.iter();
            let file = files.find(|file| file.path == path.as_str()).cloned();
            wanted.push(match file {
                Some(file) => Some(self.printed(file.contents, file.digest).await?),
                None => None,
            });
        }
        Ok(Ended {
            end: said.end,
            stdout: text(said.stdout),
            stderr: text(stderr),
            cpu: said.cpu,
            wall,
            root: said.root,
            made,
            wanted,
            is_cached,
        })
    }

    /// Returns an output of a command, which is in the server's answer or has to be downloaded.
    async fn printed(&self, raw: Vec<u8>, digest: Option<api::Digest>) -> Result<Vec<u8>, Trouble> {
        let digest = digest
            .as_ref()
            .filter(|digest| raw.is_empty() && digest.size_bytes > 0);
        let Some(digest) = digest else {
            return Ok(raw);
        };
        let digest = Digest::from_api(digest).ok_or_else(|| Trouble::Missing {
            reason: "what was printed has no digest of ours".to_owned(),
        })?;
        persist(SHORT, self.counting, async || {
            download(self.connection, digest).await
        })
        .await
    }
}

/// Reads messages about a run until it has ended. Notes the run's name, by which another stream can follow it.
async fn until_done(
    stream: &mut Streaming<Operation>,
    name: &mut String,
    action: &Action,
) -> Result<api::ExecuteResponse, Trouble> {
    while let Some(operation) = stream.message().await.map_err(failed)? {
        if !operation.name.is_empty() {
            name.clone_from(&operation.name);
            action.note_running(Some(operation.name));
        }
        match (operation.done, operation.result) {
            (true, Some(operation::Result::Response(response))) => {
                let response = api::ExecuteResponse::decode(response.value.as_slice());
                return response.map_err(|_| Trouble::broken("an answer cannot be read"));
            }
            (true, Some(operation::Result::Error(status))) => {
                let code = Code::from(status.code);
                return Err(Trouble::of_code(code, reason(code, &status.message)));
            }
            (true, None) => return Err(Trouble::broken("an answer is empty")),
            (false, _) => {}
        }
    }
    Err(Trouble::broken("the stream of a run has ended too early"))
}

fn text(printed: Vec<u8>) -> String {
    String::from_utf8(printed)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Makes the error for a result in which the script does not report the end of the command.
fn unfinished(status: i32, stderr: &[u8]) -> Trouble {
    let said: String = String::from_utf8_lossy(stderr)
        .chars()
        .take(MOST_SHOWN)
        .collect();
    let reason = match said.trim() {
        "" => format!("exit status {status}, and nothing printed"),
        said => format!("exit status {status}, and `{said}`"),
    };
    Trouble::Ours(OurTrouble::Unfinished(reason))
}

/// Returns the time for which a command ran on its worker, if the server says it.
fn wall(metadata: &api::ExecutedActionMetadata) -> Option<Duration> {
    let since = |time: &protobuf::Timestamp| {
        let nanos = u32::try_from(time.nanos).ok()?;
        Some(Duration::new(u64::try_from(time.seconds).ok()?, nanos))
    };
    let from = since(metadata.execution_start_timestamp.as_ref()?)?;
    let to = since(metadata.execution_completed_timestamp.as_ref()?)?;
    to.checked_sub(from)
}
