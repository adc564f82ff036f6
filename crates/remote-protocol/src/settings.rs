//! The settings of a server: its address, headers, certificates, and the properties of its workers.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The settings with which a server is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The address of the server.
    pub address: Address,
    /// The headers that are sent with each call, such as a key.
    pub headers: Vec<Header>,
    /// A file with the certificates (PEM) that a server's own may be signed with, in place of those that the system trusts.
    pub certificates: Option<Utf8PathBuf>,
    /// The properties that a worker must have which runs commands.
    pub platform: Vec<Property>,
}

/// The address of a server: `grpc://HOST:PORT` or `grpcs://HOST:PORT`, and an instance's name after a `/` where the server
/// has several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address {
    /// Whether the connection is encrypted.
    is_encrypted: bool,
    /// The server's host and port: `HOST:PORT`.
    authority: String,
    /// The name of the instance on the server, which is empty if the server has only one.
    instance: String,
}

/// A name and a value that are sent with each call. The value is often secret: it is not a part of what is printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name of the header, in lower case.
    pub name: String,
    /// The value of the header, in visible ASCII.
    pub value: String,
}

/// A property of the platform, such as `OSFamily=linux`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Property {
    /// The name of the property.
    pub name: String,
    /// The value of the property.
    pub value: String,
}

/// The error for a text that is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not the address of a server: {reason}")]
pub struct NotAnAddress {
    text: String,
    reason: &'static str,
}

impl Address {
    /// Whether the connection is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// The name of the instance; empty for the only one.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The address as HTTP has it, without the instance.
    #[must_use]
    pub fn uri(&self) -> String {
        let scheme = match self.is_encrypted {
            true => "https",
            false => "http",
        };
        format!("{scheme}://{}", self.authority)
    }
}

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let wrong = |reason| NotAnAddress {
            text: text.to_owned(),
            reason,
        };
        let (is_encrypted, rest) = match text.split_once("://") {
            Some(("grpc", rest)) => (false, rest),
            Some(("grpcs", rest)) => (true, rest),
            _ => return Err(wrong("it must begin with `grpc://` or `grpcs://`")),
        };
        let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
        match authority.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && is_port(port) => {}
            _ => return Err(wrong("a host and a port must follow, such as `build:8980`")),
        }
        if authority.contains(|c: char| c.is_whitespace() || c == '@') {
            return Err(wrong(
                "a host's name has no spaces, and no user's name before it",
            ));
        }
        Ok(Self {
            is_encrypted,
            authority: authority.to_owned(),
            instance: instance.trim_end_matches('/').to_owned(),
        })
    }
}

impl TryFrom<String> for Address {
    type Error = NotAnAddress;

    fn try_from(text: String) -> Result<Self, NotAnAddress> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.to_string()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.is_encrypted {
            true => "grpcs",
            false => "grpc",
        };
        write!(f, "{scheme}://{}", self.authority)?;
        match self.instance.as_str() {
            "" => Ok(()),
            instance => write!(f, "/{instance}"),
        }
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Header({}: ..)", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, uri: &str, instance: &str) {
        let address: Address = text.parse().unwrap();
        assert_eq!(
            (address.uri().as_str(), address.instance.as_str()),
            (uri, instance)
        );
        assert_eq!(address.to_string(), text);
    }

    #[test]
    fn an_address_has_a_host_a_port_and_perhaps_an_instance() {
        check("grpc://127.0.0.1:50051", "http://127.0.0.1:50051", "");
        check(
            "grpcs://build.example:443/main/two",
            "https://build.example:443",
            "main/two",
        );
        check("grpc://[::1]:8980", "http://[::1]:8980", "");
    }

    #[test]
    fn what_has_no_scheme_or_port_is_no_address() {
        for text in [
            "build:8980",
            "http://build:80",
            "grpc://build",
            "grpc://:80",
            "grpc://b:x",
            "grpc://b:0",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_value_of_a_header_is_not_printed() {
        let header = Header {
            name: "x-key".to_owned(),
            value: "secret".to_owned(),
        };
        assert_eq!(format!("{header:?}"), "Header(x-key: ..)");
    }
}
