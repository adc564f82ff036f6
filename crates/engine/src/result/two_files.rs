//! The files of an incremental crash that shows only where the two versions are files of their own, and a script that
//! compiles one after the other.

use super::delivered::Delivered;
use crate::failure::Failure;
use camino::Utf8Path;
use reduce_gather::{Side, version_of};
use reduce_oracle::{TWO_FILES, VERSIONS};

/// The file name of the script.
const SCRIPT: &str = "reproduce.sh";

/// Writes the files of both versions, and the script, where the crash does not show in one text.
///
/// # Errors
/// Where the disk is full or the directory is gone.
pub(super) fn write(result: &Delivered<'_>) -> Result<(), Failure> {
    if !result.delivery.plan.has_versions_apart() {
        return Ok(());
    }
    let Delivered {
        output, reduced, ..
    } = result;
    let command = &result.summary.delivered.reproduce;
    let is_one_file = result.place.result.is_file();
    let directory = match is_one_file {
        true => Utf8Path::new(TWO_FILES).to_owned(),
        false => Utf8Path::new("reduced").join(TWO_FILES),
    };
    for (file, path, text) in reduced.files() {
        for (side, name) in Side::ALL.into_iter().zip(VERSIONS) {
            let at = match is_one_file {
                true if file != reduced.root() => continue,
                true => directory.join(format!("{name}.rs")),
                false => directory.join(name).join(path),
            };
            output.write_beside(at.as_str(), &version_of(text, side))?;
        }
    }
    output.write_script(directory.join(SCRIPT).as_str(), &script(command))
}

fn script(command: &str) -> String {
    format!(
        "#!/bin/sh\n# Compiles the program before the change, and then the one after it: the second compilation crashes.\n\
         cd \"$(dirname \"$0\")/..\" || exit 1\nrm -rf incremental\n{command}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::script;

    #[test]
    fn the_script_begins_with_an_empty_directory() {
        let script = script("cp a b && rustc b; cp c b && rustc b");
        assert!(script.starts_with("#!/bin/sh\n"));
        assert!(script.ends_with("\nrm -rf incremental\ncp a b && rustc b; cp c b && rustc b\n"));
    }
}
