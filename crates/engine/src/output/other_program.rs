//! The program of another crash, as it was kept.

use super::directory::{ARGUMENTS, SIGNATURE};
use crate::failure::Failure;
use crate::figures::OtherCrash;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::OtherProgram;
use std::collections::BTreeMap;
use std::io;

/// Reads a program that was kept of an earlier reduction, to reduce it in place of the input of that.
///
/// # Errors
/// Where its directory cannot be read any more.
pub fn other_program(crash: &OtherCrash) -> Result<OtherProgram, Failure> {
    let mut sources = BTreeMap::new();
    read(&crash.kept_at, Utf8Path::new(""), &mut sources).map_err(|error| {
        let action = format!("read the program that was kept in `{}`", crash.kept_at);
        Failure::io(&action, &error)
    })?;
    sources.remove(Utf8Path::new(SIGNATURE));
    let arguments = sources.remove(Utf8Path::new(ARGUMENTS));
    let arguments = arguments.map(|lines| lines.lines().map(str::to_owned).collect());
    Ok(OtherProgram {
        sources,
        arguments,
        crash: crash.signature.clone(),
    })
}

/// Reads all files below a directory of `base`.
fn read(
    base: &Utf8Path,
    below: &Utf8Path,
    files: &mut BTreeMap<Utf8PathBuf, String>,
) -> io::Result<()> {
    for entry in base.join(below).read_dir_utf8()? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => read(base, &path, files)?,
            false => {
                let text = std::fs::read_to_string(entry.path())?;
                files.insert(path, text);
            }
        }
    }
    Ok(())
}
