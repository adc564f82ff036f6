//! The server that decides candidates together with the user's own machine. Does not change the
//! result.

use camino::Utf8PathBuf;
use reduce_oracle::{RemoteSettings, RemoteToolchain};
use serde::{Deserialize, Serialize};

/// A server of the Remote Execution API that candidates are given to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteRequest {
    /// The program that speaks to the server, absolute: `cargo-reduce-remote`.
    pub client: Utf8PathBuf,
    /// The address of the server and how to speak to it: `--remote`, `--remote-header`,
    /// `--remote-certificates` (absolute), `--remote-platform`.
    pub settings: RemoteSettings,
    /// `--remote-jobs`: how many candidates the server is given at a time; at least 1.
    pub jobs: usize,
    /// `--remote-toolchain`: where the server's workers get the toolchain from.
    pub toolchain: RemoteToolchain,
}
