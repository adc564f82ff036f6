//! The capabilities of a server, and whether they are enough.

use crate::connection::{Connection, failed_in_time};
use crate::error::{QUICK, Trouble};
use api::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use tonic::Request;

/// The capabilities of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capabilities {
    /// The largest number of bytes that the server takes in one request.
    pub(crate) batch_bytes: u64,
}

/// The largest size of a request's contents, with room for its other parts: gRPC takes 4 MiB.
const MOST: u64 = 3 << 20;

/// Asks a server what it can do.
pub(crate) async fn capabilities(connection: &Connection) -> Result<Capabilities, Trouble> {
    let mut client = CapabilitiesClient::new(connection.service());
    let mut request = Request::new(api::GetCapabilitiesRequest {
        instance_name: connection.instance().to_owned(),
    });
    request.set_timeout(QUICK);
    let answer = client
        .get_capabilities(request)
        .await
        .map_err(failed_in_time)?;
    read(&answer.into_inner())
}

fn read(told: &api::ServerCapabilities) -> Result<Capabilities, Trouble> {
    let refused = |reason: &str| {
        Err(Trouble::Refused {
            reason: reason.to_owned(),
        })
    };
    let sha_256 = api::digest_function::Value::Sha256 as i32;
    let Some(execution) = told
        .execution_capabilities
        .as_ref()
        .filter(|one| one.exec_enabled)
    else {
        return refused("it runs no commands: it may be a cache alone");
    };
    let Some(cache) = &told.cache_capabilities else {
        return refused("it stores no files");
    };
    // Servers that are older than the list name one function.
    let executes = &execution.digest_functions;
    let is_known = execution.digest_function == sha_256 || executes.contains(&sha_256);
    if !is_known || !cache.digest_functions.contains(&sha_256) {
        return refused("it does not name files by SHA-256");
    }
    let most = u64::try_from(cache.max_batch_total_size_bytes).unwrap_or(0);
    Ok(Capabilities {
        batch_bytes: if most == 0 { MOST } else { most.min(MOST) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(is_enabled: bool, function: api::digest_function::Value) -> api::ServerCapabilities {
        api::ServerCapabilities {
            cache_capabilities: Some(api::CacheCapabilities {
                digest_functions: vec![function as i32],
                ..Default::default()
            }),
            execution_capabilities: Some(api::ExecutionCapabilities {
                digest_function: function as i32,
                exec_enabled: is_enabled,
                ..Default::default()
            }),
            ..Default::default()
        }
    }

    #[test]
    fn a_server_must_run_commands_on_files_that_are_named_by_sha_256() {
        use api::digest_function::Value::{Md5, Sha256};
        assert_eq!(
            read(&told(true, Sha256)),
            Ok(Capabilities { batch_bytes: MOST })
        );
        for other in [
            told(false, Sha256),
            told(true, Md5),
            api::ServerCapabilities::default(),
        ] {
            assert!(matches!(read(&other), Err(Trouble::Refused { .. })));
        }
    }
}
