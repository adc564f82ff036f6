//! The connection to a server: one channel, which is opened again if it breaks, and the headers of each call.

use crate::error::{RemoteError, Trouble, words};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use prost::Message;
use reduce_remote_protocol::{Header, Settings};
use std::time::Duration;
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue, BinaryMetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

/// The channel to the server on which calls are made, with the headers of each call.
pub(crate) type Service = InterceptedService<Channel, Headers>;

/// The time within which a connection must be open.
const CONNECT: Duration = Duration::from_secs(10);
/// The time without traffic after which the connection is probed, so that we notice a server that is gone.
const ALIVE: Duration = Duration::from_secs(15);
/// The number of probes without an answer after which the connection counts as broken.
const PROBES: u32 = 3;
/// The size of the HTTP/2 windows in bytes, which is large because files are transferred.
const WINDOW: u32 = 8 << 20;

/// A channel to a server.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    channel: Channel,
    headers: Headers,
    instance: String,
}

/// The headers that are sent with each call.
#[derive(Clone)]
pub(crate) struct Headers {
    own: Vec<(AsciiMetadataKey, AsciiMetadataValue)>,
    about: BinaryMetadataValue,
}

impl Connection {
    /// Makes a channel to a server, which is opened with the first call. Needs a runtime around it.
    pub(crate) fn new(settings: &Settings) -> Result<Self, RemoteError> {
        let endpoint = endpoint(settings)?;
        Ok(Self {
            channel: endpoint.connect_lazy(),
            headers: Headers::new(&settings.headers)?,
            instance: settings.address.instance().to_owned(),
        })
    }

    pub(crate) fn service(&self) -> Service {
        InterceptedService::new(self.channel.clone(), self.headers.clone())
    }

    pub(crate) fn instance(&self) -> &str {
        &self.instance
    }
}

fn endpoint(settings: &Settings) -> Result<Endpoint, RemoteError> {
    let address = &settings.address;
    let unusable = |what: &str, reason: String| RemoteError::Setting {
        what: what.to_owned(),
        reason,
    };
    let endpoint = Endpoint::from_shared(address.uri())
        .map_err(|error| unusable(&format!("`{address}`"), error.to_string()))?
        .connect_timeout(CONNECT)
        .tcp_keepalive(Some(ALIVE))
        .tcp_keepalive_interval(Some(ALIVE))
        .tcp_keepalive_retries(Some(PROBES))
        .tcp_nodelay(true)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW);
    if !address.is_encrypted() {
        return Ok(endpoint);
    }
    let tls = match &settings.certificates {
        None => ClientTlsConfig::new().with_native_roots(),
        Some(path) => {
            let what = format!("the certificates in `{path}`");
            let pem = std::fs::read(path).map_err(|error| unusable(&what, error.to_string()))?;
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem))
        }
    };
    let configured = endpoint.tls_config(tls);
    configured.map_err(|error| unusable("the certificates", words(&error)))
}

impl Headers {
    fn new(headers: &[Header]) -> Result<Self, RemoteError> {
        let own = headers.iter().map(|header| {
            let unusable = |reason: &str| RemoteError::Setting {
                what: format!("the header `{}`", header.name),
                reason: reason.to_owned(),
            };
            let name: AsciiMetadataKey = header
                .name
                .to_lowercase()
                .parse()
                .map_err(|_| unusable("its name must be letters, digits, `-`, `_` or `.`"))?;
            let mut value: AsciiMetadataValue = header
                .value
                .parse()
                .map_err(|_| unusable("its value must be visible ASCII characters"))?;
            value.set_sensitive(true);
            Ok((name, value))
        });
        let about = api::RequestMetadata {
            tool_details: Some(api::ToolDetails {
                tool_name: "cargo-reduce".to_owned(),
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            }),
            ..Default::default()
        };
        Ok(Self {
            own: own.collect::<Result<_, RemoteError>>()?,
            about: BinaryMetadataValue::from_bytes(&about.encode_to_vec()),
        })
    }
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let metadata = request.metadata_mut();
        metadata.insert_bin(
            "build.bazel.remote.execution.v2.requestmetadata-bin",
            self.about.clone(),
        );
        for (name, value) in &self.own {
            metadata.insert(name.clone(), value.clone());
        }
        Ok(request)
    }
}

impl std::fmt::Debug for Headers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.own.iter().map(|(name, _)| name))
            .finish()
    }
}

/// Reads the status of a call, with the cause where the connection is broken.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
pub(crate) fn failed(status: Status) -> Trouble {
    match (Trouble::of(&status), std::error::Error::source(&status)) {
        (
            Trouble::Again {
                is_connection: true,
                ..
            },
            Some(source),
        ) => Trouble::broken(&words(source)),
        (trouble, _) => trouble,
    }
}

/// Reads the status of a failed call that runs nothing: if it was too late, it is made again, as it has a time of its own.
pub(crate) fn failed_in_time(status: Status) -> Trouble {
    match failed(status) {
        Trouble::Late => Trouble::broken("it did not answer in time"),
        trouble => trouble,
    }
}
