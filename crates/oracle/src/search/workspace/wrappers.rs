//! Calls the user's own compiler wrappers while the failure is looked for: `build.rustc-wrapper` and the like.
//!
//! Wrappers are called as in the user's build, and so is the compiler by them: candidates are compiled by the call that the
//! compiler got. If they call none, they are themselves what candidates are compiled by. A program that keeps what was compiled
//! is left out: it changes nothing, and has no use for candidates.

use super::configuration;
use crate::captured::OwnWrapper;
use crate::cargo_config::{Wrapper, Wrappers};
use crate::check::CommandCall;
use crate::compiler::capture::Record;
use crate::compiler::toolchain::look_up;
use crate::error::OracleError;
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::system::snapshot::Snapshot;
use crate::text::paths::relocate;
use crate::text::shell::line_of;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::files::{make_executable, modified};

/// The names of compiler wrappers that are caches of compiled crates.
const CACHES: [&str; 5] = ["buildcache", "cachepot", "ccache", "kache", "sccache"];
/// The directory in our scratch directory that has a script for each wrapper that stands for a compiler.
const COMPILERS: &str = "compilers";

/// Returns the user's compiler wrappers that are called, which are all except caches. A path leads to the user's own
/// file.
pub(crate) fn of_user(context: &BaselineContext<'_>) -> Wrappers {
    let config = configuration::of_user(context);
    let named = Wrappers::of(&context.user.vars, &context.user.cwd, &config);
    let is_called = |program: &String| !is_cache(program);
    Wrappers {
        global: named.global.and_then(behind_ours).filter(is_called),
        workspace: named.workspace.and_then(behind_ours).filter(is_called),
    }
}

/// Notes for each of the user's wrappers that is not called why it is not.
pub(super) fn note_left_out(context: &BaselineContext<'_>) {
    let config = configuration::of_user(context);
    let named = Wrappers::of(&context.user.vars, &context.user.cwd, &config);
    let named = named.global.into_iter().chain(named.workspace);
    for cache in named.filter_map(behind_ours).filter(|one| is_cache(one)) {
        (context.note)(&format!(
            "compiling without `{cache}`, because it keeps compiled crates"
        ));
    }
}

/// Returns the compiler wrappers with the paths of their copies, where they lie in the copied workspace.
pub(crate) fn in_copy(wrappers: Wrappers, snapshot: &Snapshot) -> Wrappers {
    let there = |program: String| {
        let copied = snapshot.place_of(Utf8Path::new(&program));
        copied.map_or(program, Utf8PathBuf::into_string)
    };
    Wrappers {
        global: wrappers.global.map(there),
        workspace: wrappers.workspace.map(there),
    }
}

/// Returns the variables with which cargo calls the wrappers, and no others that its configuration names.
pub(crate) fn variables(wrappers: &Wrappers) -> [(String, String); 2] {
    let all = [
        (Wrapper::Global, &wrappers.global),
        (Wrapper::Workspace, &wrappers.workspace),
    ];
    all.map(|(wrapper, program)| {
        let [name, _] = wrapper.variables();
        (name.to_owned(), program.clone().unwrap_or_default())
    })
}

/// Returns a command that may call cargo, with the wrappers that cargo calls.
pub(crate) fn with_wrappers(
    mut call: CommandCall,
    wrappers: &Wrappers,
    context: &BaselineContext<'_>,
) -> CommandCall {
    call.env.extend(variables(wrappers));
    let all = wrappers.global.iter().chain(&wrappers.workspace);
    let places = all.filter_map(|one| look_up(Utf8Path::new(one), context.user));
    call.reads.extend(places);
    call
}

/// Returns keys that change when a compiler wrapper is another one or has changed, as cargo does not compile anew for
/// that.
pub(super) fn key(wrappers: &Wrappers, context: &BaselineContext<'_>) -> Vec<String> {
    let all = wrappers.global.iter().chain(&wrappers.workspace);
    let keys = all.map(|program| {
        let place = look_up(Utf8Path::new(program), context.user);
        let data = place.and_then(|place| place.metadata().ok());
        let stamp = data.map(|data| (data.len(), modified(&data)));
        format!("{program} {stamp:?}")
    });
    keys.collect()
}

/// Turns a failed compiler call that went through wrappers into the call of a single program, a script of ours that
/// calls the wrappers.
///
/// # Errors
/// Where that cannot be written.
pub(super) fn as_compiler(
    record: Record,
    context: &BaselineContext<'_>,
) -> Result<Record, OracleError> {
    if record.wrappers.is_empty() || record.code == Some(0) {
        return Ok(record);
    }
    let program = std::slice::from_ref(&record.program);
    let line = line_of(&[record.wrappers.as_slice(), program].concat());
    let digest = blake3::hash(line.as_bytes()).to_hex();
    let place = context.scratch.join(COMPILERS).join(&digest[..16]);
    let script = place.join("rustc");
    files::write(&script, &format!("#!/bin/sh\nexec {line} \"$@\"\n"))?;
    let file = std::fs::File::open(&script).map_err(OracleError::io("open", &script))?;
    make_executable(&file).map_err(OracleError::io("write", &script))?;
    Ok(Record {
        program: script.into_string(),
        ..record
    })
}

/// Returns the command by which a person calls the wrappers that [`as_compiler`] has turned into one program; `None`
/// for a real compiler.
pub(crate) fn command(record: &Record, snapshot: &Snapshot) -> Option<String> {
    let wrappers = record.wrappers.iter();
    let shown = wrappers.map(|one| relocate(one, &snapshot.tree, snapshot.base.as_str()));
    let words: Vec<String> = shown.chain(["rustc".to_owned()]).collect();
    (words.len() > 1).then(|| line_of(&words))
}

/// Returns the files of the wrappers that stand in place of the compiler.
pub(crate) fn reads(record: &Record, context: &BaselineContext<'_>) -> Vec<Utf8PathBuf> {
    let wrappers = record.wrappers.iter();
    let places = wrappers.filter_map(|one| look_up(Utf8Path::new(one), context.user));
    places.collect()
}

/// Returns the compiler wrapper itself, or in place of cargo-reduce's wrapper that keeps crashes the one that the
/// user had before.
fn behind_ours(wrapper: String) -> Option<String> {
    match OwnWrapper::of(Utf8Path::new(&wrapper)) {
        Some(ours) => ours.settings()?.chained,
        None => Some(wrapper),
    }
}

fn is_cache(program: &str) -> bool {
    let name = Utf8Path::new(program).file_stem();
    name.is_some_and(|name| CACHES.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_known_by_its_name() {
        assert!(is_cache("sccache") && is_cache("/opt/bin/ccache"));
        assert!(!is_cache("/opt/sccache/wrap.sh"));
    }
}
