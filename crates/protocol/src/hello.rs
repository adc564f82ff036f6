//! The first message from each side, and the comparison of the two. The form of [`Hello`] never
//! changes: it is how versions that differ in everything else find that out.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The version of everything but [`Hello`], `Shutdown` and its reply. Raised when a message changes.
pub const PROTOCOL_VERSION: u32 = 13;

/// The first message of a client or a daemon: its protocol, version and build. The form is frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL_VERSION`] of the speaker.
    pub protocol: u32,
    /// Version of the program, `0.1.0`.
    pub version: String,
    /// A text that tells two executables of the same version apart; it has no order.
    pub build: String,
}

/// The result of comparing the [`Hello`]s of a client and a daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The daemon and the client are the same executable.
    Same,
    /// The daemon is of the same version, but of another executable.
    OtherBuild,
    /// The daemon is older than the client.
    DaemonOlder,
    /// The daemon is newer than the client.
    DaemonNewer,
}

impl Hello {
    /// Makes the first message of a program of this version and build, with this protocol.
    #[must_use]
    pub fn new(version: impl Into<String>, build: impl Into<String>) -> Self {
        Self {
            protocol: PROTOCOL_VERSION,
            version: version.into(),
            build: build.into(),
        }
    }

    /// Compares a client's hello with the daemon's: the protocol decides, then the version.
    #[must_use]
    pub fn agreement(client: &Self, daemon: &Self) -> Agreement {
        let by_protocol = daemon.protocol.cmp(&client.protocol);
        let by_version = || compare_versions(&daemon.version, &client.version);
        match by_protocol.then_with(by_version) {
            Ordering::Less => Agreement::DaemonOlder,
            Ordering::Greater => Agreement::DaemonNewer,
            Ordering::Equal if client.build == daemon.build => Agreement::Same,
            Ordering::Equal => Agreement::OtherBuild,
        }
    }
}

/// Compares `1.10.0` with `1.9.0` by number; a pre-release comes before its release.
fn compare_versions(left: &str, right: &str) -> Ordering {
    let key = |version: &str| {
        let (numbers, pre_release) = match version.split_once('-') {
            Some((numbers, pre_release)) => (numbers, Some(pre_release)),
            None => (version, None),
        };
        let numbers: Vec<u64> = numbers.split('.').map(|n| n.parse().unwrap_or(0)).collect();
        (
            numbers,
            pre_release.is_none(),
            pre_release.unwrap_or_default().to_owned(),
        )
    };
    key(left).cmp(&key(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(client: (u32, &str, &str), daemon: (u32, &str, &str), expected: Agreement) {
        let hello = |(protocol, version, build): (u32, &str, &str)| Hello {
            protocol,
            version: version.to_owned(),
            build: build.to_owned(),
        };
        assert_eq!(Hello::agreement(&hello(client), &hello(daemon)), expected);
    }

    #[test]
    fn the_same_program_agrees_with_itself() {
        check((1, "0.1.0", "a"), (1, "0.1.0", "a"), Agreement::Same);
    }

    #[test]
    fn another_executable_of_the_same_version_is_told_apart() {
        check((1, "0.1.0", "a"), (1, "0.1.0", "b"), Agreement::OtherBuild);
    }

    #[test]
    fn the_protocol_decides_before_the_version() {
        check((2, "0.1.0", "a"), (1, "9.0.0", "a"), Agreement::DaemonOlder);
        check((1, "9.0.0", "a"), (2, "0.1.0", "a"), Agreement::DaemonNewer);
    }

    #[test]
    fn versions_are_compared_by_number() {
        check(
            (1, "0.10.0", "a"),
            (1, "0.9.0", "a"),
            Agreement::DaemonOlder,
        );
        check(
            (1, "0.9.9", "a"),
            (1, "0.10.0", "a"),
            Agreement::DaemonNewer,
        );
    }

    #[test]
    fn a_pre_release_comes_before_its_release() {
        check(
            (1, "1.0.0", "a"),
            (1, "1.0.0-rc.1", "a"),
            Agreement::DaemonOlder,
        );
    }
}
