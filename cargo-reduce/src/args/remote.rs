//! The server that candidates are given to besides the user's own machine.

use crate::context::Context;
use crate::error::CommandError;
use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};
use reduce_engine::{
    Address, Header, PlatformProperty, RemoteRequest, RemoteSettings, RemoteToolchain,
};

/// The number of candidates that a server is given at a time, if the user names none.
const USUAL_JOBS: usize = 8;

#[derive(Debug, Args)]
#[command(next_help_heading = "Remote execution")]
pub(crate) struct RemoteArgs {
    /// Also have candidates compiled and run by a server of the Remote Execution API, such as a build
    /// farm: `grpc://HOST:PORT`, or `grpcs://HOST:PORT` with encryption. An instance's name may
    /// follow after a `/`. This does not change the result. It needs `cargo-reduce-remote` beside this
    /// program or on the `PATH`, which `cargo install cargo-reduce-remote` installs
    #[arg(long, value_name = "ADDRESS")]
    remote: Option<Address>,
    /// Give the server so many candidates at a time, besides those of `--jobs`
    #[arg(long, value_name = "N", default_value_t = USUAL_JOBS)]
    remote_jobs: usize,
    /// Send this with each call to the server, such as `authorization=Bearer KEY`. Put keys into your own
    /// configuration file: other users see command lines
    #[arg(long, value_name = "NAME=VALUE", value_parser = header)]
    remote_header: Vec<Header>,
    /// Trust servers whose certificates are signed by one of those in this file (PEM), and no others
    #[arg(long, value_name = "FILE")]
    pub(crate) remote_certificates: Option<Utf8PathBuf>,
    /// Ask for workers with this property of the platform, such as `OSFamily=linux`
    #[arg(long, value_name = "NAME=VALUE", value_parser = property)]
    remote_platform: Vec<PlatformProperty>,
    /// Choose where the server's workers have the toolchain from
    #[arg(long, value_name = "FROM", value_enum, default_value_t)]
    remote_toolchain: ToolchainFrom,
}

/// The place from which a worker gets the toolchain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ToolchainFrom {
    /// Upload this machine's toolchain with the first candidate
    #[default]
    Upload,
    /// Use the toolchain that is installed on the worker: the same one, at the same path
    Worker,
}

impl RemoteArgs {
    /// Makes the request for a server, of a client that `find` finds.
    ///
    /// # Errors
    /// Where there is no client.
    pub(crate) fn request(
        &self,
        context: &Context,
        find: impl FnOnce(&Context) -> Result<Utf8PathBuf, CommandError>,
    ) -> Result<Option<RemoteRequest>, CommandError> {
        let Some(address) = &self.remote else {
            return Ok(None);
        };
        let certificates = self.remote_certificates.as_deref();
        Ok(Some(RemoteRequest {
            client: find(context)?,
            settings: RemoteSettings {
                address: address.clone(),
                headers: self.remote_header.clone(),
                certificates: certificates.map(|path| context.absolute(path)),
                platform: self.remote_platform.clone(),
            },
            jobs: self.remote_jobs,
            toolchain: match self.remote_toolchain {
                ToolchainFrom::Upload => RemoteToolchain::Upload,
                ToolchainFrom::Worker => RemoteToolchain::Worker,
            },
        }))
    }
}

/// `NAME=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("give a name and a value, as `NAME=VALUE`".to_owned()),
    }
}

fn header(text: &str) -> Result<Header, String> {
    pair(text).map(|(name, value)| Header { name, value })
}

fn property(text: &str) -> Result<PlatformProperty, String> {
    pair(text).map(|(name, value)| PlatformProperty { name, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_a_name_and_a_value_that_may_have_an_equals_sign() {
        let expected = ("authorization".to_owned(), "Bearer a=b".to_owned());
        assert_eq!(pair("authorization=Bearer a=b"), Ok(expected));
        assert!(pair("authorization").is_err() && pair("=x").is_err());
    }
}
