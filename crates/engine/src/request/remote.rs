//! The server that decides candidates besides the user's own machine. Does not change the result.

use camino::Utf8PathBuf;
use reduce_oracle::{
    Address, Header, NotAnAddress, PlatformProperty, RemoteSettings, RemoteToolchain,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A server of the Remote Execution API that candidates are given to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteRequest {
    /// `--remote`: the server's address, as `grpc://HOST:PORT` or `grpcs://HOST:PORT`.
    pub address: String,
    /// `--remote-jobs`: how many candidates it is given at a time; at least 1.
    pub jobs: usize,
    /// `--remote-header`: names and values that are sent with each call.
    #[serde(default)]
    pub headers: Vec<(String, Secret)>,
    /// `--remote-certificates`: the path of a file of certificates, absolute.
    #[serde(default)]
    pub certificates: Option<Utf8PathBuf>,
    /// `--remote-platform`: names and values of what a worker must have.
    #[serde(default)]
    pub platform: Vec<(String, String)>,
    /// `--remote-toolchain`: where workers have the toolchain from.
    #[serde(default)]
    pub toolchain: RemoteToolchain,
}

/// A text that is not to be printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl RemoteRequest {
    /// Returns the settings of the server as the oracle takes them.
    ///
    /// # Errors
    /// Where the address is none.
    pub fn settings(&self) -> Result<RemoteSettings, NotAnAddress> {
        let headers = self.headers.iter().map(|(name, value)| Header {
            name: name.clone(),
            value: value.0.clone(),
        });
        let platform = self.platform.iter().map(|(name, value)| PlatformProperty {
            name: name.clone(),
            value: value.clone(),
        });
        Ok(RemoteSettings {
            address: self.address.parse::<Address>()?,
            headers: headers.collect(),
            certificates: self.certificates.clone(),
            platform: platform.collect(),
        })
    }
}
