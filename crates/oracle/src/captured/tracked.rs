//! Asks git whether it tracks a file: the content of such a file comes to others with the next commit.

use super::inputs::cancel;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{look_up, run_quickly};
use crate::error::OracleError;
use crate::system::process::Ending;
use camino::Utf8Path;
use std::collections::BTreeMap;

/// The variables with which git starts nothing and writes nothing.
const QUIET: [(&str, &str); 2] = [("GIT_OPTIONAL_LOCKS", "0"), ("GIT_TERMINAL_PROMPT", "0")];
/// The options of each call of git: they permit repositories of other users, and forbid the watchers of files that these
/// name.
const ASK: [&str; 8] = [
    "--literal-pathspecs",
    "-c",
    "safe.directory=*",
    "-c",
    "core.fsmonitor=false",
    "ls-files",
    "--error-unmatch",
    "--",
];

/// Returns whether git tracks this file, or the one to which it links. Where there is no git, nobody commits.
///
/// # Errors
/// Where git cannot be started.
pub fn is_tracked_by_git(path: &Utf8Path, user: &Surroundings) -> Result<bool, OracleError> {
    let Some(git) = look_up("git".into(), user) else {
        return Ok(false);
    };
    let vars = user.vars.iter();
    let vars = vars.filter(|(name, _)| !name.starts_with("GIT_"));
    let mut env: BTreeMap<_, _> = vars.map(|(n, v)| (n.clone(), v.clone())).collect();
    env.extend(QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    for path in [Some(path.to_owned()), path.canonicalize_utf8().ok()] {
        let Some(path) = path.filter(|path| path.symlink_metadata().is_ok()) else {
            continue;
        };
        let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
            continue;
        };
        let args = ASK.into_iter().chain([name]);
        let args: Vec<String> = args.map(str::to_owned).collect();
        let outcome = run_quickly(&git, &args, &env, dir, &cancel()?)?;
        if outcome.ending == Ending::Exited(0) {
            return Ok(true);
        }
    }
    Ok(false)
}
