//! A kept crash as one file, to be reduced elsewhere: a `tar` of its directory, compressed by gzip.

use super::description::Captured;
use super::store::{CapturedStore, Filling, Kept, Whose};
use crate::error::OracleError;
use crate::system::files;
use crate::system::snapshot::all_files;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};

/// The unpacked size above which an archive is refused, in bytes.
const MOST_BYTES: u64 = 8 << 30;
/// The name of the directory with an unpacked crash, until it is in the store.
const UNPACKED: &str = "unpacked";

impl CapturedStore {
    /// Writes a kept crash into an archive, which is there as a whole or not at all.
    ///
    /// # Errors
    /// Where there is no such crash, or the file cannot be written.
    pub fn export(&self, number: u64, to: &Utf8Path) -> Result<(), OracleError> {
        let directory = self.directory_of(number);
        Captured::read(&directory)?;
        files::put(to, |part| {
            write(&directory, part).map_err(OracleError::io("write", to))
        })
    }

    /// Adds the crash from an archive to the store, unless it is kept already. Returns its number.
    ///
    /// # Errors
    /// Where it is no archive of a kept crash, or cannot be written.
    pub fn import(&self, archive: &Utf8Path, limit_bytes: u64) -> Result<u64, OracleError> {
        let kept = self.keep(Whose::Elsewhere, limit_bytes, |filling| {
            let unpacked = filling.path(UNPACKED);
            unpack(archive, &unpacked).map_err(OracleError::io("unpack", archive))?;
            let captured = Captured::read(&unpacked)?;
            add_all(filling, &unpacked)?;
            files::remove_all(&unpacked)?;
            Ok(captured)
        })?;
        Ok(match kept {
            Kept::Now(number, _) | Kept::Anew(number, _) | Kept::Already(number) => number,
        })
    }
}

fn add_all(filling: &Filling<'_>, unpacked: &Utf8Path) -> Result<(), OracleError> {
    for file in all_files(unpacked, unpacked)? {
        filling.add(&unpacked.join(&file), &file)?;
    }
    // It is written anew, and is no file that several have.
    files::remove(&filling.path("captured.json"))
}

fn write(directory: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    let file = BufWriter::new(File::create(to)?);
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    let all = all_files(directory, directory).map_err(std::io::Error::other)?;
    for inner in all {
        let file = File::open(directory.join(&inner))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(file.metadata()?.len());
        header.set_mode(0o600);
        archive.append_data(&mut header, &inner, file)?;
    }
    archive.into_inner()?.finish()?.flush()
}

/// Unpacks plain files, and only below the directory: an archive may come from anybody.
fn unpack(archive: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    let file = BufReader::new(File::open(archive)?);
    let mut archive = tar::Archive::new(GzDecoder::new(file).take(MOST_BYTES));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let inner = entry.path()?.into_owned();
        let inner =
            Utf8PathBuf::from_path_buf(inner).map_err(|_| refused("a name that is not UTF-8"))?;
        if !entry.header().entry_type().is_file() {
            return Err(refused("more than plain files"));
        }
        if !inner
            .components()
            .all(|part| matches!(part, Utf8Component::Normal(_)))
        {
            return Err(refused("a file outside of its directory"));
        }
        let place = to.join(inner);
        std::fs::create_dir_all(place.parent().unwrap_or(to))?;
        std::io::copy(&mut entry, &mut File::create_new(&place)?)?;
    }
    Ok(())
}

fn refused(what: &str) -> std::io::Error {
    std::io::Error::other(format!("the archive has {what}"))
}
