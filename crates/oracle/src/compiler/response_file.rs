//! Response files: `@PATH` among the arguments of a compiler stands for the lines of a file. cargo writes one where a command line
//! would be too long for the system, and removes it after the call.

use camino::Utf8Path;
use std::ffi::OsString;

/// Returns the arguments as texts, with those of response files in their places. One that cannot be read stays as it is: the
/// compiler says so, too.
pub(crate) fn expanded(args: &[OsString], cwd: &Utf8Path) -> Vec<String> {
    let texts = args.iter().map(|arg| arg.to_string_lossy().into_owned());
    let expanded = texts.flat_map(|arg| {
        let named = arg.strip_prefix('@');
        let text = named.and_then(|path| std::fs::read_to_string(cwd.join(path)).ok());
        match text {
            Some(text) => text.lines().map(str::to_owned).collect(),
            None => vec![arg],
        }
    });
    expanded.collect()
}
