//! A server of the Remote Execution API that runs nothing, and answers as a test says.

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream as bytes;
use bazel_remote_apis::google::longrunning as long;
use bazel_remote_apis::google::{protobuf, rpc};
use camino::Utf8PathBuf;
use cargo_reduce_remote::{Remote, RemoteError};
use prost::Message;
use reduce_platform::Cancel;
use reduce_remote_protocol::{Caching, Command, Ended, Header, Inputs, Limits, Settings};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Code, Request, Response, Status, Streaming, async_trait};

/// The outcome of the next run; after the last of them, all runs go well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Run {
    /// The command ends with this status.
    Exits(i32),
    /// The call fails.
    Fails(Code),
    /// The answer has this status, and a result with an exit code of 0.
    Answers(Code),
    /// The answer has no word of the script.
    SaysNothing,
    /// The stream ends before the run does. It can be waited for.
    Breaks,
    /// The stream ends, and nobody knows the run any more.
    IsLost,
    /// Nothing more comes.
    Hangs,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) runs: VecDeque<Run>,
    /// Each call that was made, by its name.
    pub(crate) calls: Vec<&'static str>,
    pub(crate) blobs: HashMap<String, Vec<u8>>,
    pub(crate) results: HashMap<String, api::ActionResult>,
    pub(crate) cancelled: Vec<String>,
    /// Values of the header `x-key`.
    pub(crate) keys: Vec<String>,
    /// So many calls for missing digests fail.
    pub(crate) unavailable: usize,
    waited_for: Option<api::ExecuteResponse>,
}

#[derive(Debug, Clone, Default)]
struct Fake(Arc<Mutex<State>>);

/// A server, as long as it lives.
pub(crate) struct FakeServer {
    fake: Fake,
    address: String,
    runtime: Option<tokio::runtime::Runtime>,
}

type Answer<T> = Result<Response<T>, Status>;
type Parts<T> = ReceiverStream<Result<T, Status>>;

impl FakeServer {
    pub(crate) fn start(runs: &[Run]) -> Self {
        Self::start_with(runs, None)
    }

    /// With encryption by this certificate.
    pub(crate) fn start_with(runs: &[Run], identity: Option<Identity>) -> Self {
        let fake = Fake::default();
        fake.0.lock().unwrap().runs = runs.iter().cloned().collect();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let scheme = if identity.is_some() { "grpcs" } else { "grpc" };
        let port =
            runtime.block_on(async {
                let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
                let port = incoming.local_addr().unwrap().port();
                let mut server = Server::builder();
                if let Some(identity) = identity {
                    let tls = ServerTlsConfig::new().identity(identity);
                    server = server.tls_config(tls).unwrap();
                }
                let routes = server
                .add_service(api::capabilities_server::CapabilitiesServer::new(fake.clone()))
                .add_service(api::action_cache_server::ActionCacheServer::new(fake.clone()))
                .add_service(api::execution_server::ExecutionServer::new(fake.clone()))
                .add_service(
                    api::content_addressable_storage_server::ContentAddressableStorageServer::new(
                        fake.clone(),
                    ),
                )
                .add_service(bytes::byte_stream_server::ByteStreamServer::new(fake.clone()))
                .add_service(long::operations_server::OperationsServer::new(fake.clone()));
                tokio::spawn(routes.serve_with_incoming(incoming));
                port
            });
        Self {
            fake,
            address: format!("{scheme}://localhost:{port}"),
            runtime: Some(runtime),
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            address: self.address.parse().unwrap(),
            headers: vec![Header {
                name: "X-Key".to_owned(),
                value: "secret".to_owned(),
            }],
            certificates: None,
            platform: vec![],
        }
    }

    pub(crate) fn remote(&self) -> Remote {
        Remote::new(&self.settings()).unwrap()
    }

    /// How often a call was made.
    pub(crate) fn count(&self, call: &str) -> usize {
        let state = self.state();
        state.calls.iter().filter(|made| **made == call).count()
    }

    pub(crate) fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.fake.0.lock().unwrap()
    }

    /// The server goes away.
    pub(crate) fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Files that commands read, as long as this lives.
pub(crate) struct Files {
    dir: tempfile::TempDir,
}

impl Files {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// Writes a file, and says where.
    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> Utf8PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path.try_into().unwrap()
    }

    /// A command that reads one file.
    pub(crate) fn command(&self, text: &str) -> Command {
        let mut inputs = Inputs::default();
        let path = self.write(text, text.as_bytes());
        inputs.add("tree/file".into(), &path, &|_| false).unwrap();
        command(inputs)
    }
}

fn command(inputs: Inputs) -> Command {
    Command {
        program: "/bin/true".to_owned(),
        args: vec![],
        env: BTreeMap::new(),
        dir: "tree".into(),
        inputs,
        outputs: vec!["out/program".into()],
        wanted: vec![],
        place: None,
        limits: Limits {
            wall: Duration::from_secs(60),
            cpu: None,
            memory_bytes: None,
            file_bytes: None,
            open_files: None,
            output_bytes: 1 << 20,
        },
        caching: Caching::Cached,
        identified_by: vec![],
    }
}

/// Runs a command, for which somebody waits.
pub(crate) fn run(remote: &Remote, command: &Command) -> Result<Ended, RemoteError> {
    remote.run(command, &Cancel::new().unwrap())
}

impl Fake {
    fn note(&self, call: &'static str, request: &Request<impl Sized>) {
        let mut state = self.0.lock().unwrap();
        state.calls.push(call);
        let key = request.metadata().get("x-key");
        state
            .keys
            .extend(key.map(|key| key.to_str().unwrap().to_owned()));
    }

    /// Makes the answer to a run of an action that ends with a status.
    fn response(&self, action: &api::Digest, status: i32) -> api::ExecuteResponse {
        let mut state = self.0.lock().unwrap();
        let read = |digest: &api::Digest| state.blobs[&digest.hash].clone();
        let of_action = api::Action::decode(read(action).as_slice()).unwrap();
        let digest = of_action.command_digest.unwrap();
        let called = api::Command::decode(read(&digest).as_slice()).unwrap();
        let word = called.arguments.last().unwrap();
        let stdout = format!(
            "printed\n{word} ended {status} no\n/root\n0m0.00s 0m0.00s\n0m1.20s 0m0.30s\n{word}\n"
        );
        let result = api::ActionResult {
            output_files: vec![api::OutputFile {
                path: called.output_paths[0].clone(),
                digest: Some(api::Digest {
                    hash: "a".repeat(64),
                    size_bytes: 7,
                }),
                is_executable: true,
                ..Default::default()
            }],
            stdout_raw: stdout.into_bytes(),
            ..Default::default()
        };
        if !of_action.do_not_cache {
            state.results.insert(action.hash.clone(), result.clone());
        }
        answer(Code::Ok, result)
    }
}

fn answer(code: Code, result: api::ActionResult) -> api::ExecuteResponse {
    api::ExecuteResponse {
        result: Some(result),
        status: Some(rpc::Status {
            code: code as i32,
            message: "as the test says".to_owned(),
            details: vec![],
        }),
        ..Default::default()
    }
}

fn operation(response: Option<api::ExecuteResponse>) -> long::Operation {
    let result = response.map(|response| {
        long::operation::Result::Response(protobuf::Any {
            type_url: "type.googleapis.com/build.bazel.remote.execution.v2.ExecuteResponse"
                .to_owned(),
            value: response.encode_to_vec(),
        })
    });
    long::Operation {
        name: "the run".to_owned(),
        done: result.is_some(),
        result,
        ..Default::default()
    }
}

/// A stream of these parts, which ends after them unless it `hangs`.
fn parts<T: Send + 'static>(all: Vec<T>, hangs: bool) -> Parts<T> {
    let (sender, receiver) = tokio::sync::mpsc::channel(8);
    tokio::spawn(async move {
        for part in all {
            let _ = sender.send(Ok(part)).await;
        }
        if hangs {
            sender.closed().await;
        }
    });
    ReceiverStream::new(receiver)
}

#[async_trait]
impl api::capabilities_server::Capabilities for Fake {
    async fn get_capabilities(
        &self,
        request: Request<api::GetCapabilitiesRequest>,
    ) -> Answer<api::ServerCapabilities> {
        self.note("capabilities", &request);
        let sha_256 = api::digest_function::Value::Sha256 as i32;
        Ok(Response::new(api::ServerCapabilities {
            cache_capabilities: Some(api::CacheCapabilities {
                digest_functions: vec![sha_256],
                max_batch_total_size_bytes: 1 << 20,
                ..Default::default()
            }),
            execution_capabilities: Some(api::ExecutionCapabilities {
                digest_function: sha_256,
                exec_enabled: true,
                ..Default::default()
            }),
            ..Default::default()
        }))
    }
}

#[async_trait]
impl api::action_cache_server::ActionCache for Fake {
    async fn get_action_result(
        &self,
        request: Request<api::GetActionResultRequest>,
    ) -> Answer<api::ActionResult> {
        self.note("known", &request);
        let digest = request.into_inner().action_digest.unwrap();
        let known = self.0.lock().unwrap().results.get(&digest.hash).cloned();
        known
            .map(Response::new)
            .ok_or_else(|| Status::not_found("none"))
    }

    async fn update_action_result(
        &self,
        _: Request<api::UpdateActionResultRequest>,
    ) -> Answer<api::ActionResult> {
        Err(Status::permission_denied("nobody else writes here"))
    }
}

#[async_trait]
impl api::content_addressable_storage_server::ContentAddressableStorage for Fake {
    async fn find_missing_blobs(
        &self,
        request: Request<api::FindMissingBlobsRequest>,
    ) -> Answer<api::FindMissingBlobsResponse> {
        self.note("missing", &request);
        let mut state = self.0.lock().unwrap();
        if state.unavailable > 0 {
            state.unavailable -= 1;
            return Err(Status::unavailable("a moment"));
        }
        let digests = request.into_inner().blob_digests.into_iter();
        Ok(Response::new(api::FindMissingBlobsResponse {
            missing_blob_digests: digests
                .filter(|digest| !state.blobs.contains_key(&digest.hash))
                .collect(),
        }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<api::BatchUpdateBlobsRequest>,
    ) -> Answer<api::BatchUpdateBlobsResponse> {
        self.note("upload", &request);
        let mut state = self.0.lock().unwrap();
        for one in request.into_inner().requests {
            state.blobs.insert(one.digest.unwrap().hash, one.data);
        }
        Ok(Response::new(api::BatchUpdateBlobsResponse::default()))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<api::BatchReadBlobsRequest>,
    ) -> Answer<api::BatchReadBlobsResponse> {
        Err(Status::unimplemented(""))
    }

    type GetTreeStream = Parts<api::GetTreeResponse>;

    async fn get_tree(&self, _: Request<api::GetTreeRequest>) -> Answer<Self::GetTreeStream> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(
        &self,
        _: Request<api::SplitBlobRequest>,
    ) -> Answer<api::SplitBlobResponse> {
        Err(Status::unimplemented(""))
    }

    type GetChunkMappingStream = Parts<api::GetChunkMappingResponse>;

    async fn get_chunk_mapping(
        &self,
        _: Request<api::GetChunkMappingRequest>,
    ) -> Answer<Self::GetChunkMappingStream> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<api::SpliceBlobRequest>,
    ) -> Answer<api::SpliceBlobResponse> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<api::RegisterChunkMappingRequest>>,
    ) -> Answer<api::RegisterChunkMappingResponse> {
        Err(Status::unimplemented(""))
    }
}

#[async_trait]
impl bytes::byte_stream_server::ByteStream for Fake {
    type ReadStream = Parts<bytes::ReadResponse>;

    async fn read(&self, request: Request<bytes::ReadRequest>) -> Answer<Self::ReadStream> {
        self.note("read", &request);
        let name = request.into_inner().resource_name;
        let hash = name.split('/').nth_back(1).unwrap().to_owned();
        let data = self.0.lock().unwrap().blobs.get(&hash).cloned();
        let data = data.ok_or_else(|| Status::not_found("gone"))?;
        Ok(Response::new(parts(
            vec![bytes::ReadResponse { data }],
            false,
        )))
    }

    async fn write(
        &self,
        request: Request<Streaming<bytes::WriteRequest>>,
    ) -> Answer<bytes::WriteResponse> {
        self.note("write", &request);
        let mut stream = request.into_inner();
        let (mut name, mut data) = (String::new(), Vec::new());
        while let Some(part) = stream.message().await? {
            if name.is_empty() {
                name = part.resource_name;
            }
            data.extend(part.data);
        }
        let hash = name.split('/').nth_back(1).unwrap().to_owned();
        let committed_size = i64::try_from(data.len()).unwrap();
        self.0.lock().unwrap().blobs.insert(hash, data);
        Ok(Response::new(bytes::WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        _: Request<bytes::QueryWriteStatusRequest>,
    ) -> Answer<bytes::QueryWriteStatusResponse> {
        Err(Status::unimplemented(""))
    }
}

#[async_trait]
impl api::execution_server::Execution for Fake {
    type ExecuteStream = Parts<long::Operation>;

    async fn execute(&self, request: Request<api::ExecuteRequest>) -> Answer<Self::ExecuteStream> {
        self.note("execute", &request);
        let digest = request.into_inner().action_digest.unwrap();
        let run = self.0.lock().unwrap().runs.pop_front();
        let begun = operation(None);
        let ends_with = |response| parts(vec![operation(None), operation(Some(response))], false);
        let stream = match run.unwrap_or(Run::Exits(0)) {
            Run::Exits(status) => ends_with(self.response(&digest, status)),
            Run::Fails(Code::FailedPrecondition) => {
                // The contents that the server had are gone.
                self.0.lock().unwrap().blobs.clear();
                return Err(Status::failed_precondition("missing"));
            }
            Run::Fails(code) => return Err(Status::new(code, "as the test says")),
            Run::Answers(code) => ends_with(answer(code, api::ActionResult::default())),
            Run::SaysNothing => ends_with(answer(Code::Ok, api::ActionResult::default())),
            Run::Breaks => {
                let response = self.response(&digest, 3);
                self.0.lock().unwrap().waited_for = Some(response);
                parts(vec![begun], false)
            }
            Run::IsLost => parts(vec![begun], false),
            Run::Hangs => parts(vec![begun], true),
        };
        Ok(Response::new(stream))
    }

    type WaitExecutionStream = Parts<long::Operation>;

    async fn wait_execution(
        &self,
        request: Request<api::WaitExecutionRequest>,
    ) -> Answer<Self::WaitExecutionStream> {
        self.note("wait", &request);
        let response = self.0.lock().unwrap().waited_for.take();
        let response = response.ok_or_else(|| Status::not_found("no such run"))?;
        Ok(Response::new(parts(vec![operation(Some(response))], false)))
    }
}

#[async_trait]
impl long::operations_server::Operations for Fake {
    async fn list_operations(
        &self,
        _: Request<long::ListOperationsRequest>,
    ) -> Answer<long::ListOperationsResponse> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(
        &self,
        _: Request<long::GetOperationRequest>,
    ) -> Answer<long::Operation> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(
        &self,
        _: Request<long::DeleteOperationRequest>,
    ) -> Answer<protobuf::Empty> {
        Err(Status::unimplemented(""))
    }

    async fn cancel_operation(
        &self,
        request: Request<long::CancelOperationRequest>,
    ) -> Answer<protobuf::Empty> {
        let name = request.into_inner().name;
        self.0.lock().unwrap().cancelled.push(name);
        Ok(Response::new(protobuf::Empty::default()))
    }

    async fn wait_operation(
        &self,
        _: Request<long::WaitOperationRequest>,
    ) -> Answer<long::Operation> {
        Err(Status::unimplemented(""))
    }
}
