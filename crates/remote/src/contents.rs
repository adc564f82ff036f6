//! Uploads of file contents to a server and downloads from it, by their digests.

use crate::capabilities::Capabilities;
use crate::connection::{Connection, failed_in_time};
use crate::counts::Counting;
use crate::digest::Digest;
use crate::error::{CALL, OurTrouble, QUICK, Trouble};
use crate::tree::Source;
use api::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use camino::Utf8Path;
use reduce_remote_protocol::InputError;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tonic::{Code, Request};

/// The largest number of digests about which a server is asked in one request.
const MOST_DIGESTS: usize = 10_000;
/// The number of bytes of each part in which a large file is uploaded.
const PART: usize = 1 << 20;
/// The bytes that each digest in a request takes besides its contents.
const AROUND: u64 = 128;
/// The time within which a large file must be uploaded.
const LARGE: Duration = Duration::from_secs(900);
/// The most bytes of a command's output that are downloaded.
const MOST_READ: u64 = 64 << 20;

/// The contents that are known to be on the server, and the uploads under way.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    known: Mutex<HashSet<Digest>>,
    /// The lock that is held during a large upload, so that the same contents are uploaded once.
    bringing: tokio::sync::Mutex<()>,
}

impl Contents {
    /// Forgets that contents with these digests are on the server.
    pub(crate) fn forget<'d>(&self, digests: impl Iterator<Item = &'d Digest>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for digest in digests {
            known.remove(digest);
        }
    }

    /// Uploads those of some contents that the server does not have.
    pub(crate) async fn bring(
        &self,
        (connection, capabilities): (&Connection, Capabilities),
        sources: &HashMap<Digest, Source>,
        counting: &Counting,
    ) -> Result<(), Trouble> {
        let unknown = self.unknown(sources);
        let bytes: u64 = unknown.iter().map(Digest::bytes).sum();
        let (_guard, unknown) = match bytes > capabilities.batch_bytes {
            true => (Some(self.bringing.lock().await), self.unknown(sources)),
            false => (None, unknown),
        };
        for digests in unknown.chunks(MOST_DIGESTS) {
            let missing = missing(connection, digests).await?;
            let (large, small): (Vec<Digest>, Vec<Digest>) = missing
                .into_iter()
                .partition(|digest| digest.bytes() + AROUND > capabilities.batch_bytes);
            for batch in batches(small, capabilities.batch_bytes) {
                upload_batch(connection, &batch, sources, counting).await?;
            }
            for digest in large {
                upload_large(connection, digest, sources).await?;
                counting
                    .uploaded_bytes
                    .fetch_add(digest.bytes(), Ordering::Relaxed);
            }
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(digests);
        }
        Ok(())
    }

    fn unknown(&self, sources: &HashMap<Digest, Source>) -> Vec<Digest> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = sources.keys().copied();
        digests.filter(|digest| !known.contains(digest)).collect()
    }
}

/// Asks a server which of some digests it does not have.
async fn missing(connection: &Connection, digests: &[Digest]) -> Result<Vec<Digest>, Trouble> {
    let mut request = Request::new(api::FindMissingBlobsRequest {
        instance_name: connection.instance().to_owned(),
        blob_digests: digests.iter().map(|digest| digest.to_api()).collect(),
        digest_function: api::digest_function::Value::Sha256 as i32,
    });
    request.set_timeout(QUICK);
    let mut client = ContentAddressableStorageClient::new(connection.service());
    let answer = client
        .find_missing_blobs(request)
        .await
        .map_err(failed_in_time)?;
    let missing = answer.into_inner().missing_blob_digests;
    let asked: HashSet<&Digest> = digests.iter().collect();
    let missing = missing.iter().filter_map(Digest::from_api);
    Ok(missing.filter(|digest| asked.contains(digest)).collect())
}

/// Divides digests among requests whose contents together have at most `most` bytes each.
fn batches(digests: Vec<Digest>, most: u64) -> Vec<Vec<Digest>> {
    let mut batches: Vec<Vec<Digest>> = Vec::new();
    let mut bytes = u64::MAX;
    for digest in digests {
        let more = digest.bytes() + AROUND;
        match batches.last_mut() {
            Some(batch) if bytes.saturating_add(more) <= most => {
                batch.push(digest);
                bytes += more;
            }
            _ => {
                batches.push(vec![digest]);
                bytes = more;
            }
        }
    }
    batches
}

async fn upload_batch(
    connection: &Connection,
    batch: &[Digest],
    sources: &HashMap<Digest, Source>,
    counting: &Counting,
) -> Result<(), Trouble> {
    let mut requests = Vec::with_capacity(batch.len());
    for digest in batch {
        requests.push(api::batch_update_blobs_request::Request {
            digest: Some(digest.to_api()),
            data: contents(digest, sources)?,
            compressor: api::compressor::Value::Identity as i32,
        });
    }
    let mut request = Request::new(api::BatchUpdateBlobsRequest {
        instance_name: connection.instance().to_owned(),
        requests,
        digest_function: api::digest_function::Value::Sha256 as i32,
    });
    request.set_timeout(CALL);
    let mut client = ContentAddressableStorageClient::new(connection.service());
    let answer = client
        .batch_update_blobs(request)
        .await
        .map_err(failed_in_time)?;
    for response in answer.into_inner().responses {
        if let Some(status) = response.status
            && status.code != Code::Ok as i32
        {
            let reason = crate::error::reason(status.code.into(), &status.message);
            return Err(Trouble::of_code(status.code.into(), reason));
        }
    }
    let bytes = batch.iter().map(Digest::bytes).sum();
    counting.uploaded_bytes.fetch_add(bytes, Ordering::Relaxed);
    Ok(())
}

/// Reads the contents of a digest, and fails if they do not have that digest any more.
fn contents(digest: &Digest, sources: &HashMap<Digest, Source>) -> Result<Vec<u8>, Trouble> {
    let ours = |trouble| Err(Trouble::Ours(trouble));
    match sources.get(digest) {
        Some(Source::Contents(contents)) => Ok(contents.clone()),
        Some(Source::File(path)) => match std::fs::read(path) {
            Ok(contents) if Digest::of(&contents) == *digest => Ok(contents),
            Ok(_) => ours(changed(path)),
            Err(error) => ours(unreadable(path, &error)),
        },
        Some(Source::Server) | None => ours(OurTrouble::Lost),
    }
}

/// Makes the error for a file that was changed after its digest was computed.
fn changed(path: &Utf8Path) -> OurTrouble {
    OurTrouble::Input(InputError::new(path, "it has changed meanwhile"))
}

fn unreadable(path: &Utf8Path, error: &std::io::Error) -> OurTrouble {
    OurTrouble::Input(InputError::new(path, error.to_string()))
}

/// Uploads large contents in parts. A file is not read as a whole: a library of a compiler has 200 MB.
async fn upload_large(
    connection: &Connection,
    digest: Digest,
    sources: &HashMap<Digest, Source>,
) -> Result<(), Trouble> {
    let instance = match connection.instance() {
        "" => String::new(),
        instance => format!("{instance}/"),
    };
    let bytes = digest.bytes();
    let name = format!(
        "{instance}uploads/{}/blobs/{}/{bytes}",
        new_uuid(),
        digest.hex()
    );
    let reader: Box<dyn Read + Send> = match sources.get(&digest) {
        Some(Source::Contents(contents)) => Box::new(std::io::Cursor::new(contents.clone())),
        Some(Source::File(path)) => Box::new(
            std::fs::File::open(path).map_err(|error| Trouble::Ours(unreadable(path, &error)))?,
        ),
        Some(Source::Server) | None => return Err(Trouble::Ours(OurTrouble::Lost)),
    };
    let (parts, receiver) = tokio::sync::mpsc::channel(2);
    let reading = tokio::task::spawn_blocking(move || send_parts(reader, &name, bytes, &parts));
    let stream = tokio_stream::wrappers::ReceiverStream::new(receiver);
    let mut request = Request::new(stream);
    request.set_timeout(LARGE);
    let mut client = ByteStreamClient::new(connection.service());
    let answer = client.write(request).await;
    let is_whole = reading.await.unwrap_or(false);
    // A server that has it already says so before all of it has come.
    let answer = answer.map_err(failed_in_time)?.into_inner();
    let committed = u64::try_from(answer.committed_size).unwrap_or(0);
    match (
        committed == bytes || answer.committed_size == -1,
        is_whole,
        sources.get(&digest),
    ) {
        (true, _, _) => Ok(()),
        (false, false, Some(Source::File(path))) => Err(Trouble::Ours(changed(path))),
        _ => Err(Trouble::broken("an upload was not taken as a whole")),
    }
}

/// A random name for an upload.
fn new_uuid() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (one, two) = (random(), random());
    let (a, b, c) = (one >> 32, (one >> 16) & 0xffff, one & 0xfff);
    let (d, e) = ((two >> 48) & 0x3fff | 0x8000, two & 0xffff_ffff_ffff);
    format!("{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{e:012x}")
}

/// Reads contents and hands them on in parts, and returns whether all bytes could be read.
fn send_parts(
    mut reader: Box<dyn Read + Send>,
    name: &str,
    bytes: u64,
    parts: &tokio::sync::mpsc::Sender<WriteRequest>,
) -> bool {
    let (mut sent, mut part) = (0, vec![0; PART]);
    while sent < bytes {
        let read = match reader.read(&mut part) {
            Ok(read) if read > 0 => read,
            _ => return false,
        };
        let request = WriteRequest {
            // It stands in the first part alone.
            resource_name: if sent == 0 {
                name.to_owned()
            } else {
                String::new()
            },
            write_offset: i64::try_from(sent).unwrap_or(i64::MAX),
            finish_write: sent + read as u64 >= bytes,
            data: part[..read].to_vec(),
        };
        if parts.blocking_send(request).is_err() {
            return true;
        }
        sent += read as u64;
    }
    true
}

/// Downloads an output of a command, such as its standard output, by its digest.
pub(crate) async fn download(connection: &Connection, digest: Digest) -> Result<Vec<u8>, Trouble> {
    if digest.bytes() == 0 {
        return Ok(Vec::new());
    }
    if digest.bytes() > MOST_READ {
        let reason = "it printed too much".to_owned();
        return Err(Trouble::Ours(OurTrouble::Unfinished(reason)));
    }
    let instance = match connection.instance() {
        "" => String::new(),
        instance => format!("{instance}/"),
    };
    let mut request = Request::new(ReadRequest {
        resource_name: format!("{instance}blobs/{}/{}", digest.hex(), digest.bytes()),
        read_offset: 0,
        read_limit: 0,
    });
    request.set_timeout(CALL);
    let mut client = ByteStreamClient::new(connection.service());
    let mut stream = client
        .read(request)
        .await
        .map_err(failed_in_time)?
        .into_inner();
    let mut contents = Vec::new();
    while let Some(part) = stream.message().await.map_err(failed_in_time)? {
        contents.extend(part.data);
        if contents.len() as u64 > digest.bytes() {
            break;
        }
    }
    match Digest::of(&contents) == digest {
        true => Ok(contents),
        false => Err(Trouble::broken("a download is not what it is called")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_as_full_as_they_may_be() {
        let of = |bytes: usize| Digest::of(&vec![0; bytes]);
        let digests = vec![of(100), of(200), of(300), of(5)];
        let sizes = |most| -> Vec<usize> {
            let batches = batches(digests.clone(), most);
            batches.iter().map(Vec::len).collect()
        };
        assert_eq!(sizes(100_000), [4]);
        assert_eq!(sizes(600), [2, 2]);
        assert_eq!(sizes(400), [1, 1, 1, 1]);
        assert!(batches(Vec::new(), 10).is_empty());
    }
}
