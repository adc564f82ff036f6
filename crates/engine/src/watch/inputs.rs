//! The files that are watched: those that were copied for the reduction, and all others that decide
//! what the same command would do again.

use super::files::{FileWatch, contents};
use crate::failure::Failure;
use crate::request::ReductionRequest;
use crate::store::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_gather::collect_sources;
use reduce_oracle::Input;
use reduce_platform::processes::places_of_program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Files besides Rust sources that decide how a program is compiled.
const SETTINGS: [&str; 4] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain",
    "rust-toolchain.toml",
];

/// Watches the user's files in `origin` of which there are copies in `copy`. One that was changed after
/// it was copied has changed already.
///
/// # Errors
/// Where the system has no watches left.
pub(super) fn watch_sources(
    origin: &Utf8Path,
    copy: &Utf8Path,
    output: &Utf8Path,
) -> notify::Result<FileWatch> {
    let mut known = BTreeMap::new();
    let is_known = !origin.as_str().is_empty();
    for path in sources_below(copy).into_iter().filter(|_| is_known) {
        let Ok(inner) = path.strip_prefix(copy) else {
            continue;
        };
        let original = origin.join(inner);
        let before = copied_contents(&original, &path);
        known.insert(original, before);
    }
    FileWatch::start(known, output)
}

/// Returns the digest of a file's contents at the time when it was copied. A copy has the age of what
/// it is a copy of, unless cargo or a build script has written to it.
fn copied_contents(original: &Utf8Path, copy: &Utf8Path) -> Option<Digest> {
    let age = |path: &Utf8Path| path.metadata().and_then(|data| data.modified()).ok();
    match age(original) > age(copy) {
        true => contents(copy),
        false => contents(original),
    }
}

/// Watches all files that decide what a command does: the program's sources, which for a package are
/// those of its workspace, and the toolchain.
///
/// # Errors
/// Where the system has no watches left.
pub fn watch_inputs(
    request: &ReductionRequest,
    workspace: &Utf8Path,
) -> Result<FileWatch, Failure> {
    let mut paths = match &request.input {
        Input::Package(_) => sources_below(workspace),
        Input::File(file) => modules_of(&file.path),
        Input::Captured(_) => BTreeSet::new(),
    };
    paths.retain(|path| !path.starts_with(&request.output));
    paths.extend(toolchain_files(request));
    let known = paths.into_iter().map(|path| {
        let now = contents(&path);
        (path, now)
    });
    FileWatch::start(known.collect(), &request.output).map_err(|error| {
        Failure::environment("failed to watch the sources")
            .caused_by(&error)
            .hint("the system may allow more with `sysctl fs.inotify.max_user_watches=1048576`")
    })
}

/// Finds Rust sources, manifests and other files that cargo reads below a directory, but for caches
/// and hidden directories.
fn sources_below(root: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = directory.read_dir_utf8().into_iter().flatten().flatten();
        for entry in entries {
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && is_walked(entry.path()) {
                directories.push(entry.into_path());
            } else if !is_directory && is_source(entry.path()) {
                found.insert(entry.into_path());
            }
        }
    }
    found
}

fn is_walked(directory: &Utf8Path) -> bool {
    let name = directory.file_name().unwrap_or_default();
    (!name.starts_with('.') || name == ".cargo") && !directory.join("CACHEDIR.TAG").is_file()
}

fn is_source(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_configuration = path.parent().and_then(Utf8Path::file_name) == Some(".cargo");
    let is_rust = path.extension() == Some("rs") && !name.starts_with('.');
    is_rust || is_configuration || SETTINGS.contains(&name)
}

/// Finds a source file and those of its modules. Paths that lead out of its directory are left out.
fn modules_of(root: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let mut found = BTreeSet::from([root.to_owned()]);
    let directory = root.parent().unwrap_or(root);
    let read = |path: &Utf8Path| {
        let text = std::fs::read_to_string(directory.join(path));
        text.ok().map(Arc::from)
    };
    let name = Utf8Path::new(root.file_name().unwrap_or_default());
    if let Some(tree) = collect_sources(name, &read) {
        found.extend(tree.files().map(|(_, path, _)| directory.join(path)));
    }
    found
}

/// Returns the files that choose the compiler, and the compiler's own.
fn toolchain_files(request: &ReductionRequest) -> BTreeSet<Utf8PathBuf> {
    let cwd = &request.surroundings.cwd;
    let choices = cwd.ancestors().flat_map(|directory| {
        let names = ["rust-toolchain", "rust-toolchain.toml"];
        names.map(|name| directory.join(name))
    });
    choices.chain(compiler_files(request)).collect()
}

/// Returns the compiler's files, or those of rustup where its shim stands for the compiler.
fn compiler_files(request: &ReductionRequest) -> Vec<Utf8PathBuf> {
    let user = &request.surroundings;
    let variable = |name: &str| user.vars.get(name).filter(|value| !value.is_empty());
    let named = user
        .rustc
        .clone()
        .or(variable("RUSTC").map(Utf8PathBuf::from));
    let named = named.unwrap_or_else(|| "rustc".into());
    let path = match named.as_str().contains('/') {
        true => Some(user.cwd.join(&named)),
        false => variable("PATH").and_then(|path| on_path(path, &named)),
    };
    let real = path.and_then(|path| Some((path.canonicalize_utf8().ok()?, path)));
    let home = variable("RUSTUP_HOME").map(Utf8PathBuf::from);
    let home = home.or(variable("HOME").map(|home| Utf8Path::new(home).join(".rustup")));
    match (real, home) {
        (Some((real, path)), Some(home)) if is_rustup(&real, &path) => {
            files_of_rustup(&home, variable("RUSTUP_TOOLCHAIN"))
        }
        (Some((real, _)), _) => files_of_compiler(&real),
        (None, _) => Vec::new(),
    }
}

fn on_path(path: &str, name: &Utf8Path) -> Option<Utf8PathBuf> {
    let places = places_of_program(name.as_str(), path);
    let mut found = places.filter_map(|path| Utf8PathBuf::from_path_buf(path).ok());
    found.find(|path| path.is_file())
}

/// Whether a compiler is a shim of rustup: shims are links to rustup, of one kind or the other.
fn is_rustup(real: &Utf8Path, path: &Utf8Path) -> bool {
    let is_hard_link = path.with_file_name("rustup").is_file();
    real.file_stem()
        .is_some_and(|name| name.starts_with("rustup"))
        || is_hard_link
}

/// Returns the files that name rustup's default toolchain, and those of the compilers: of the one
/// that was chosen, or of all.
fn files_of_rustup(home: &Utf8Path, chosen: Option<&String>) -> Vec<Utf8PathBuf> {
    let toolchains = home.join("toolchains");
    let all = || {
        let entries = toolchains.read_dir_utf8().into_iter().flatten().flatten();
        entries.map(camino::Utf8DirEntry::into_path).collect()
    };
    let roots: Vec<Utf8PathBuf> = match chosen {
        Some(name) => vec![toolchains.join(name)],
        None => all(),
    };
    let compilers = roots
        .iter()
        .flat_map(|root| files_of_compiler(&root.join("bin/rustc")));
    compilers.chain([home.join("settings.toml")]).collect()
}

/// Returns the files of a compiler: its program, and the library that has most of it.
fn files_of_compiler(path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let root = path.parent().and_then(Utf8Path::parent);
    let library = root.map(|root| root.join("lib"));
    let entries = library.and_then(|library| library.read_dir_utf8().ok());
    let entries = entries.into_iter().flatten().flatten();
    let drivers = entries.filter(|entry| entry.file_name().starts_with("librustc_driver"));
    let drivers = drivers.map(camino::Utf8DirEntry::into_path);
    drivers.chain([path.to_owned()]).collect()
}
