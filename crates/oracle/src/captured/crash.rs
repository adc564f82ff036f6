//! A compiler call of the user's build that crashed, and the copies of all files by which the crash can be shown again.

use super::description::{
    Captured, CapturedCall, CapturedCompiler, CapturedDependency, CapturedFile, LINKED_BEFORE,
    VERSION, inner,
};
use super::good::{GoodCall, GoodCalls};
use super::incremental::sessions;
use super::inputs::{Inputs, cancel, inputs, kept_variables};
use super::invocation::Compilation;
use super::store::{CapturedStore, Filling, Kept, Whose};
use crate::compiler::capture::Record;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::evidence::crash::crash_of;
use crate::search::context::reading::parse;
use crate::signature::Signature;
use crate::system::files;
use crate::system::process::Ending;
use crate::system::process::stand_in::Passed;
use crate::system::snapshot::all_files;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::processes::is_of_crash;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

type Vars = BTreeMap<String, String>;

/// The messages of a compiler whose surroundings have failed, and not the compiler itself.
const OF_SURROUNDINGS: [&str; 3] = [
    "memory allocation of ",
    "Broken pipe (os error",
    "No space left on device (os error",
];

/// A compiler call that crashed, and is to be kept in the store.
pub(super) struct Crash<'a> {
    pub(super) call: &'a Compilation,
    pub(super) env: &'a Vars,
    pub(super) began: SystemTime,
    pub(super) signature: Signature,
    pub(super) stderr: &'a [u8],
    /// The function that returns a digest of the tokens of a text.
    pub(super) tokens: fn(&str) -> [u8; 32],
}

/// Returns the signature of a crash, if the compiler has crashed: one that was killed, or that had too little memory, has
/// not.
pub(super) fn signature(passed: &Passed) -> Option<Signature> {
    let ending = Ending::of(passed.status);
    let is_of_others = matches!(ending, Ending::Signalled(signal) if !is_of_crash(signal));
    (ending.is_of_crash() && !is_of_others).then_some(())?;
    let text = String::from_utf8_lossy(&passed.stderr);
    // Diagnostics, which may quote sources, are lines of JSON.
    let mut said = text.lines().filter(|line| !line.starts_with('{'));
    let is_of_surroundings = said.any(|line| OF_SURROUNDINGS.iter().any(|one| line.contains(one)));
    let signature = crash_of(ending, &text)?;
    (!is_of_surroundings).then_some(signature)
}

impl Crash<'_> {
    /// Keeps the crash in the store below our home directory.
    ///
    /// # Errors
    /// Where it cannot be written, or needs more than the limit.
    pub(super) fn keep(&self, home: &Utf8Path, limit_bytes: u64) -> Result<Kept, OracleError> {
        let good = GoodCalls::in_home(home);
        let store = CapturedStore::in_home(home);
        let kept = store.keep(Whose::Ours, limit_bytes, |filling| {
            self.fill(filling, &good)
        })?;
        good.prune();
        Ok(kept)
    }

    fn fill(&self, filling: &Filling<'_>, good: &GoodCalls) -> Result<Captured, OracleError> {
        let call = self.call;
        let compiler = self.compiler()?;
        let scratch = filling.path("scratch");
        files::make_private_dir(&scratch)?;
        let inputs = inputs(call, &compiler, self.env, &scratch)?;
        files::remove_all(&scratch)?;
        filling.add_text(self.stderr, "stderr")?;
        let base = call.cwd.clone();
        let sources = Utf8Path::new("sources");
        let files = add_files(filling, &inputs.files, &base, sources)?;
        let (before, time) = self.add_before(filling, good)?.unzip();
        let sessions = self.add_sessions(filling)?;
        let dependencies = self.add_dependencies(filling, &inputs, (good, time))?;
        let var = |name: &str| {
            self.env
                .get(name)
                .filter(|value| !value.is_empty())
                .cloned()
        };
        let time = self.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Captured {
            version: VERSION,
            key: self.key(filling)?,
            time: time.as_secs(),
            crate_name: call.name.clone(),
            package: var("CARGO_PKG_NAME"),
            package_version: var("CARGO_PKG_VERSION"),
            signature: self.signature.clone(),
            compiler: CapturedCompiler {
                path: compiler.path,
                verbose_version: compiler.verbose_version,
                wrappers: call.compiler().1.to_vec(),
            },
            base,
            call: CapturedCall {
                args: call.args.clone(),
                env: kept_variables(self.env, &inputs.named),
                cwd: call.cwd.clone(),
                files,
            },
            is_incremental: call.incremental().is_some(),
            has_incremental_directory: sessions,
            before,
            dependencies,
            bytes: 0,
        })
    }

    fn compiler(&self) -> Result<Compiler, OracleError> {
        let surroundings = Surroundings {
            cwd: self.call.cwd.clone(),
            vars: self.env.clone(),
            rustc: None,
        };
        let name = Utf8Path::new(self.call.compiler().0);
        Compiler::find(name, &surroundings, &cancel()?)
    }

    /// Returns the digest of the crate, the signature and the sources that lie in the directory, now and as they were
    /// before. Of sources only tokens count: a change of a comment makes no other crash.
    fn key(&self, filling: &Filling<'_>) -> Result<String, OracleError> {
        let mut sources = Vec::new();
        for inner in ["sources", "before", LINKED_BEFORE] {
            let directory = filling.path(inner);
            let files = match directory.is_dir() {
                true => all_files(&directory, &directory)?,
                false => BTreeSet::new(),
            };
            for file in files {
                let path = directory.join(&file);
                let bytes = std::fs::read(&path).map_err(OracleError::io("read", &path))?;
                sources.push((inner, file, self.digest(&path, &bytes)));
            }
        }
        let all = (&self.call.name, &self.call.root, &self.signature, sources);
        let json = serde_json::to_vec(&all).expect("strings and numbers have a JSON form");
        Ok(blake3::hash(&json).to_hex()[..32].to_owned())
    }

    fn digest(&self, path: &Utf8Path, bytes: &[u8]) -> [u8; 32] {
        match std::str::from_utf8(bytes) {
            Ok(text) if path.extension() == Some("rs") => (self.tokens)(text),
            _ => *blake3::hash(bytes).as_bytes(),
        }
    }

    /// Copies the sources of the crate's last good call, and returns that call with the time at which it began.
    fn add_before(
        &self,
        filling: &Filling<'_>,
        good: &GoodCalls,
    ) -> Result<Option<(CapturedCall, u64)>, OracleError> {
        if self.call.incremental().is_none() {
            return Ok(None);
        }
        let Some(last) = good.last(self.call) else {
            return Ok(None);
        };
        let began = last.began;
        Ok(Some((self.add_good(filling, last, "before")?, began)))
    }

    /// Adds the files of a good call to a directory.
    fn add_good(
        &self,
        filling: &Filling<'_>,
        good: GoodCall,
        directory: &str,
    ) -> Result<CapturedCall, OracleError> {
        for file in &good.call.files {
            let place = Utf8Path::new(directory).join(inner(&self.call.cwd, &file.path));
            filling.add(&good.copies.join(&file.digest), &place)?;
        }
        Ok(good.call)
    }

    /// Copies the finished sessions of the compiler's incremental directory to the directory of the crash. Returns whether
    /// there are any.
    fn add_sessions(&self, filling: &Filling<'_>) -> Result<bool, OracleError> {
        let Some(sessions) = sessions(self.call, self.began) else {
            return Ok(false);
        };
        for file in sessions
            .finished
            .iter()
            .flat_map(|session| all_files(session, &sessions.directory).unwrap_or_default())
        {
            let place = Utf8Path::new("incremental").join(&file);
            filling.add(&sessions.directory.join(&file), &place)?;
        }
        Ok(true)
    }

    /// Keeps the linked crates, and how they were made, with their sources. `time` is when the crate itself was
    /// compiled before.
    fn add_dependencies(
        &self,
        filling: &Filling<'_>,
        inputs: &Inputs,
        (good, time): (&GoodCalls, Option<u64>),
    ) -> Result<Vec<CapturedDependency>, OracleError> {
        let dependencies = inputs.dependencies.iter().map(|path| {
            let name = path.file_name().unwrap_or_default();
            filling.add(path, &Utf8Path::new("dependencies").join(name))?;
            let Some(record) = good.call_of(path) else {
                return Ok(CapturedDependency {
                    path: path.clone(),
                    call: None,
                    before: None,
                });
            };
            let compilation = Compilation::of_record(&record);
            let before = compilation.zip(time);
            let before = before.and_then(|(call, time)| good.last_at(&call, time));
            Ok(CapturedDependency {
                path: path.clone(),
                call: Some(self.call_of_dependency(filling, record, path)?),
                before: before
                    .map(|before| self.add_good(filling, before, LINKED_BEFORE))
                    .transpose()?,
            })
        });
        dependencies.collect()
    }

    fn call_of_dependency(
        &self,
        filling: &Filling<'_>,
        record: Record,
        compiled: &Utf8Path,
    ) -> Result<CapturedCall, OracleError> {
        let files = sources_of(compiled, &record.cwd);
        let base = &self.call.cwd;
        Ok(CapturedCall {
            files: add_files(filling, &files, base, Utf8Path::new("linked"))?,
            args: record.args,
            env: record.env,
            cwd: record.cwd,
        })
    }
}

/// Returns the sources of a compiled crate, as the dep-info file beside it lists them.
fn sources_of(compiled: &Utf8Path, cwd: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let stem = compiled.file_stem().unwrap_or_default();
    let name = stem.strip_prefix("lib").unwrap_or(stem);
    let list = compiled.with_file_name(format!("{name}.d"));
    let files = files::read(&list).map(|text| parse(&text, cwd).files);
    let files = files.unwrap_or_default().into_iter();
    files.filter(|path| path.is_file()).collect()
}

fn add_files(
    filling: &Filling<'_>,
    files: &BTreeSet<Utf8PathBuf>,
    base: &Utf8Path,
    directory: &Utf8Path,
) -> Result<Vec<CapturedFile>, OracleError> {
    let added = files.iter().map(|path| {
        Ok(CapturedFile {
            digest: filling.add(path, &directory.join(inner(base, path)))?,
            path: path.clone(),
        })
    });
    added.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn is_crash(wait_status: i32, stderr: &str) -> bool {
        let passed = Passed {
            status: ExitStatus::from_raw(wait_status),
            stderr: stderr.as_bytes().to_vec(),
        };
        signature(&passed).is_some()
    }

    const PANIC: &str = "thread 'rustc' (7) panicked at compiler/rustc_middle/src/a.rs:1:2:\nno\n";

    #[test]
    fn a_crash_is_a_panic_or_a_signal_of_the_compilers_own() {
        assert!(is_crash(101 << 8, PANIC));
        assert!(is_crash(
            libc::SIGSEGV,
            "error: rustc interrupted by SIGSEGV\n"
        ));
        assert!(!is_crash(1 << 8, PANIC));
        assert!(!is_crash(0, ""));
    }

    #[test]
    fn what_others_have_ended_and_what_had_no_memory_is_no_crash() {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL, libc::SIGHUP] {
            assert!(!is_crash(signal, ""), "{signal}");
        }
        assert!(!is_crash(
            libc::SIGABRT,
            "memory allocation of 7 bytes failed\n"
        ));
        let pipe = PANIC.replace(
            "no\n",
            "failed printing to stdout: Broken pipe (os error 32)\n",
        );
        assert!(!is_crash(101 << 8, &pipe));
    }
}
