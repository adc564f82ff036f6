//! Digests, by which servers name the contents of files: SHA-256 and the length, as every server knows them.

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::io::{self, Read};

/// The digest of a file's contents, by which a server knows them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digest {
    hash: [u8; 32],
    bytes: u64,
}

/// The number of bytes of a file that are read at a time.
const CHUNK: usize = 1 << 18;

impl Digest {
    /// Computes the digest of some bytes.
    #[must_use]
    pub(crate) fn of(contents: &[u8]) -> Self {
        Self {
            hash: Sha256::digest(contents).into(),
            bytes: contents.len() as u64,
        }
    }

    /// Computes the digest of all bytes that a reader gives.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn of_reader(mut reader: impl Read) -> io::Result<Self> {
        let (mut hasher, mut bytes) = (Sha256::new(), 0);
        let mut chunk = vec![0; CHUNK];
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.update(&chunk[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self {
            hash: hasher.finalize().into(),
            bytes,
        })
    }

    /// Returns the number of bytes of the contents.
    #[must_use]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the hash of the contents in hexadecimal digits.
    #[must_use]
    pub(crate) fn hex(&self) -> String {
        use fmt::Write as _;
        let mut text = String::with_capacity(64);
        for byte in self.hash {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    pub(crate) fn to_api(self) -> api::Digest {
        api::Digest {
            hash: self.hex(),
            size_bytes: i64::try_from(self.bytes).unwrap_or(i64::MAX),
        }
    }

    /// Converts a digest of the API, or returns `None` if it is not a SHA-256 hash with a length.
    pub(crate) fn from_api(digest: &api::Digest) -> Option<Self> {
        Self::new(&digest.hash, u64::try_from(digest.size_bytes).ok()?)
    }

    /// Parses the text that `to_string` makes of a digest, or returns `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (hex, bytes) = text.split_once('/')?;
        Self::new(hex, bytes.parse().ok()?)
    }

    fn new(hex: &str, bytes: u64) -> Option<Self> {
        let text = hex.as_bytes();
        if text.len() != 64 {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(text.chunks(2)) {
            let pair = std::str::from_utf8(pair).ok()?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(Self { hash, bytes })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.hex(), self.bytes)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_sha_256_and_comes_back_from_a_server() {
        let digest = Digest::of(b"abc");
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), format!("{hex}/3"));
        assert_eq!(Digest::from_api(&digest.to_api()), Some(digest));
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::of_reader(&b"abc"[..]).unwrap(), digest);
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        for (hash, size_bytes) in [
            ("", 0),
            ("zz", 1),
            (&"g".repeat(64), 1),
            (&"a".repeat(64), -1),
        ] {
            let digest = api::Digest {
                hash: hash.to_owned(),
                size_bytes,
            };
            assert_eq!(Digest::from_api(&digest), None);
        }
    }
}
