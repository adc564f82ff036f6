//! Replays the compiler call of a crash that was kept: it is made again on the sources and dependencies that were
//! kept with it. Nothing of the user's directories is read, and nothing of the kept crash is written to.
//!
//! The linked crates go to a directory among the builds, with the calls that made them beside it, as cargo would have
//! left them there: so they can become modules as those of a package can.

use super::companions;
use super::first::replay;
use super::recorded;
use super::replay::Replayed;
use crate::captured::{Captured, CapturedCall, CapturedDependency, ELSEWHERE, LINKED_BEFORE};
use crate::compiler::args;
use crate::compiler::capture::Record;
use crate::compiler::target::CapturedInput;
use crate::compiler::toolchain::Compiler;
use crate::compiler::unit::calls;
use crate::error::OracleError;
use crate::failures::Goal;
use crate::failures::failure::{BothForms, Failure, KeptBefore};
use crate::plan::Plan;
use crate::plan::one_call::FlagsOfOneCall;
use crate::search::context::{BaselineContext, environment};
use crate::signature::Signature;
use crate::system::files;
use crate::system::process::Ending;
use crate::system::snapshot::all_files;
use crate::text::output::tail;
use camino::{Utf8Path, Utf8PathBuf};

/// The remark for the user about a crash that shows only after an earlier compilation of other sources.
const NEEDS_BOTH: &str = "the crash needs what the compiler kept of an earlier compilation: the sources of the last good call are \
                          compiled first, and both versions are reduced";
/// Variables with directories of a package that need not lie in the workspace.
const DIRECTORIES: [&str; 2] = ["CARGO_MANIFEST_DIR", "OUT_DIR"];

/// Makes the compiler call of a kept crash again, and returns how it fails. A crash that needs what the compiler kept
/// of an earlier call is looked for in two calls, the first one with the sources of the last good call.
///
/// # Errors
/// [`OracleError::NeedsState`] where such a crash has no earlier sources.
pub(super) fn find_failure(
    (goal, failure): (&Goal, &dyn Failure),
    input: &CapturedInput,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    match find_as((goal, failure), input, context) {
        Err(OracleError::NeedsState {
            has_before: true, ..
        }) if matches!(goal, Goal::Ice | Goal::Clippy) => {
            context.remark(NEEDS_BOTH);
            let pair = Goal::Incremental {
                before: None,
                flags: FlagsOfOneCall::default(),
            };
            find_as((&pair, &*pair.failure()), input, context)
        }
        found => found,
    }
}

fn find_as(
    (goal, failure): (&Goal, &dyn Failure),
    input: &CapturedInput,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let captured = Captured::read(&input.directory)?;
    let again = Again::prepare(&captured, input, context)?;
    let is_pair = matches!(goal, Goal::Incremental { .. });
    let (compiler, is_same) = match is_pair && captured.compiler.is_clippy() {
        // The compiler that goes on from an earlier compilation is rustc here.
        true => (context.toolchain.compiler.clone(), false),
        false => again.compiler()?,
    };
    let before = KeptBefore {
        directories: again.directories_before(),
        tree: &again.tree,
        flags: again.flags_of_one_call(),
        compile: &|flags| again.compile_before(&compiler, flags),
    };
    let flags = failure.prepare_kept(&before, context)?;
    let plan = again.plan(compiler, flags)?;
    let expected: Option<Signature> =
        (is_same && goal.is_crash_of_rustc()).then(|| captured.signature.clone());
    let plan = failure.plan(plan, context)?;
    let found = replay(plan, expected, context).map_err(|error| match is_pair {
        true => error,
        false => again.explained(error),
    })?;
    companions::add(found, None, context)
}

/// A kept crash whose call is made again.
struct Again<'a> {
    captured: &'a Captured,
    input: &'a CapturedInput,
    context: &'a BaselineContext<'a>,
    /// The directory for the copies of the files that lay below the base directory of the kept crash.
    tree: Utf8PathBuf,
    /// The directory among the builds that has the linked crates, and the files that lay elsewhere.
    target: Utf8PathBuf,
}

impl<'a> Again<'a> {
    fn prepare(
        captured: &'a Captured,
        input: &'a CapturedInput,
        context: &'a BaselineContext<'a>,
    ) -> Result<Self, OracleError> {
        let json = serde_json::to_vec(captured).expect("strings and numbers have a JSON form");
        let key = blake3::hash(&json).to_hex();
        let again = Self {
            captured,
            input,
            context,
            tree: context.snapshot(),
            target: context.builds.join(format!("captured-{}", &key[..16])),
        };
        again.lay_out()?;
        Ok(again)
    }

    /// Returns the directory for the files that did not lie below the base directory of the kept crash.
    fn elsewhere(&self) -> Utf8PathBuf {
        self.target.join("elsewhere")
    }

    /// Returns the directory of all linked crates.
    fn dependencies(&self) -> Utf8PathBuf {
        self.target.join("deps")
    }

    fn lay_out(&self) -> Result<(), OracleError> {
        files::make_empty(&self.tree)?;
        files::make_private_dir(&self.target)?;
        self.copy_sources("linked")?;
        self.copy_sources("sources")?;
        let from = self.input.directory.join("dependencies");
        for file in files_below(&from)? {
            copy_if_other(&from.join(&file), &self.dependencies().join(&file))?;
        }
        self.keep_calls()
    }

    /// Returns the flags in which the last good compiler call and the one that crashed differ.
    fn flags_of_one_call(&self) -> FlagsOfOneCall {
        let now = self.record(&self.captured.call);
        let before = self.captured.before.as_ref();
        before.map_or_else(FlagsOfOneCall::default, |before| {
            FlagsOfOneCall::between(&self.record(before).args, &now.args)
        })
    }

    /// Returns the directories with the files of the crate, and of the crates that it links, as they were at the last
    /// good call.
    fn directories_before(&self) -> Vec<Utf8PathBuf> {
        let all = ["before", LINKED_BEFORE].map(|name| self.input.directory.join(name));
        all.into_iter().filter(|path| path.is_dir()).collect()
    }

    /// Compiles the linked crates as they were at the last good call, with these flags. Returns their directory, and
    /// that of the present form; `None` where both are the same.
    fn compile_before(
        &self,
        compiler: &Compiler,
        flags: &[String],
    ) -> Result<Option<BothForms>, OracleError> {
        let changed = changed(&self.captured.dependencies);
        if changed.is_empty() {
            return Ok(None);
        }
        let (before, after) = (self.target.join("deps-before"), self.dependencies());
        files::make_empty(&before)?;
        for file in files_below(&after)? {
            files::copy(&after.join(&file), &before.join(&file))?;
        }
        (self.context.note)("compiling what it links as it was before");
        for dependency in changed {
            let call = dependency.before.as_ref().or(dependency.call.as_ref());
            let Some(call) = call else { continue };
            let record = self.record(call);
            let args = args::with_dependencies_in(&record.args, &before, Utf8Path::new("/-"));
            let mut args = args::with_out_dir(&args, &before);
            args.extend(flags.iter().cloned());
            self.run(compiler, &args, &record)?;
        }
        Ok(Some([before, after]))
    }

    fn run(
        &self,
        compiler: &Compiler,
        args: &[String],
        record: &Record,
    ) -> Result<(), OracleError> {
        let env = environment::of_captured(&record.env, &self.context.user.vars);
        let call = (args, &env);
        let outcome = self.context.compile(&compiler.path, call, &record.cwd)?;
        match outcome.ending {
            Ending::Exited(0) => Ok(()),
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Err(OracleError::NoVersion {
                version: "the program before".to_owned(),
                reason: format!(
                    "what it links does not compile as it was then: {}",
                    tail(&outcome.stderr)
                ),
                hint: "the compiler may be another one than when the crash was kept".to_owned(),
            }),
        }
    }

    fn copy_sources(&self, directory: &str) -> Result<(), OracleError> {
        let from = self.input.directory.join(directory);
        for file in files_below(&from)? {
            match file.strip_prefix(ELSEWHERE) {
                Ok(outer) => copy_if_other(&from.join(&file), &self.elsewhere().join(outer))?,
                Err(_) => {
                    files::copy(&from.join(&file), &self.tree.join(&file))?;
                }
            }
        }
        Ok(())
    }

    /// Stores the compiler calls of the linked crates in the place where calls that cargo made are looked for.
    fn keep_calls(&self) -> Result<(), OracleError> {
        for dependency in &self.captured.dependencies {
            if let Some(call) = &dependency.call {
                let mut record = self.record(call);
                record.args = args::with_out_dir(&record.args, &self.dependencies());
                record.code = Some(0);
                calls::keep(&record, &self.target, &self.tree)?;
            }
        }
        Ok(())
    }

    /// Returns a kept compiler call with the present paths of its files.
    fn record(&self, call: &CapturedCall) -> Record {
        let nowhere = Utf8Path::new("/-");
        let record = Record {
            program: self.captured.compiler.path.to_string(),
            args: args::with_dependencies_in(&call.args, &self.dependencies(), nowhere),
            env: call.env.clone(),
            cwd: call.cwd.clone(),
            code: None,
            signal: None,
            timed_out: false,
            wrappers: vec![],
        };
        let outer = DIRECTORIES.iter().filter_map(|name| record.env.get(*name));
        let outer: Vec<Utf8PathBuf> = outer.map(Utf8PathBuf::from).collect();
        let base = &self.captured.base;
        let outer = outer.into_iter().filter(|path| !path.starts_with(base));
        outer
            .fold(record.clone(), |record, path| {
                let inner = path.as_str().trim_start_matches('/');
                record.moved(&path, &self.elsewhere().join(inner))
            })
            .moved(base, &self.tree)
    }

    /// Returns the compiler that has crashed, if it is there as it was; else the one that the user would get. Also,
    /// whether it is the same.
    fn compiler(&self) -> Result<(Compiler, bool), OracleError> {
        let (context, kept) = (self.context, &self.captured.compiler);
        let is_tool = kept.is_clippy() || kept.path.file_stem() == Some("rustc");
        if is_tool && context.user.rustc.is_none() && kept.path.is_file() {
            let found = Compiler::find(&kept.path, context.user, context.cancel)?;
            if found.verbose_version == kept.verbose_version {
                return Ok((found, true));
            }
        }
        let known = &context.toolchain.compiler;
        let compiler = match kept.is_clippy() {
            true => known.tool("clippy-driver", context.user, context.cancel)?,
            false => known.clone(),
        };
        let is_same = compiler.verbose_version == kept.verbose_version;
        if !is_same {
            let other = kept.verbose_version.lines().next().unwrap_or_default();
            context.remark(&format!(
                "the crash was kept with another compiler, `{other}`; it is reduced with `{}`",
                compiler.version()
            ));
        }
        Ok((compiler, is_same))
    }

    fn plan(&self, compiler: Compiler, flags: Vec<String>) -> Result<Plan, OracleError> {
        let mut record = self.record(&self.captured.call);
        record.args.extend(flags);
        record.args.extend(self.input.rustc_args.iter().cloned());
        record.env = environment::of_captured(&record.env, &self.context.user.vars);
        recorded::plan_in(record, self.tree.clone(), compiler, self.context)
    }

    /// Explains the error of a kept call that no longer fails as it did: the state may be missing in which it
    /// crashed.
    fn explained(&self, error: OracleError) -> OracleError {
        let is_missing = matches!(
            error,
            OracleError::NoFailure { .. } | OracleError::Unstable { .. }
        );
        match is_missing && self.captured.is_incremental {
            true => OracleError::NeedsState {
                name: self.input.name.clone(),
                has_before: self.captured.before.is_some(),
                source: Box::new(error),
            },
            false => error,
        }
    }
}

/// Returns the dependencies that have changed since the last good call, or that link a changed one; each behind those
/// that it links.
fn changed(all: &[CapturedDependency]) -> Vec<&CapturedDependency> {
    let stem = |path: &Utf8Path| path.file_stem().map(str::to_owned);
    let links = |one: &CapturedDependency, changed: &[&CapturedDependency]| {
        let args = one.call.as_ref().map_or(&[][..], |call| &call.args);
        let linked = args::extern_files(args);
        changed
            .iter()
            .any(|other| linked.iter().any(|path| stem(path) == stem(&other.path)))
    };
    let mut changed: Vec<&CapturedDependency> = Vec::new();
    let is_in = |changed: &[&CapturedDependency], one: &CapturedDependency| {
        changed.iter().any(|known| known.path == one.path)
    };
    loop {
        let n_before = changed.len();
        for one in all {
            if !is_in(&changed, one) && (one.before.is_some() || links(one, &changed)) {
                changed.push(one);
            }
        }
        if changed.len() == n_before {
            break;
        }
    }
    let mut ordered: Vec<&CapturedDependency> = Vec::new();
    while !changed.is_empty() {
        let ready = |one: &&CapturedDependency| {
            let others = changed.iter().filter(|other| other.path != one.path);
            !links(one, &others.copied().collect::<Vec<_>>())
        };
        // Crates do not link each other in a circle.
        let next = changed.iter().position(ready).unwrap_or(0);
        ordered.push(changed.remove(next));
    }
    ordered
}

/// Returns all files below a directory; none where it does not exist.
fn files_below(
    directory: &Utf8Path,
) -> Result<std::collections::BTreeSet<Utf8PathBuf>, OracleError> {
    match directory.is_dir() {
        true => all_files(directory, directory),
        false => Ok(std::collections::BTreeSet::new()),
    }
}

/// Copies a file unless the target has the same size: another job may be reading what is there.
fn copy_if_other(from: &Utf8Path, to: &Utf8Path) -> Result<(), OracleError> {
    let size = |path: &Utf8Path| path.metadata().map(|data| data.len()).ok();
    if size(from) == size(to) {
        return Ok(());
    }
    files::put(to, |part| files::copy(from, part).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a crate that links others, and was another one before or not.
    fn dependency(name: &str, links: &[&str], was_other: bool) -> CapturedDependency {
        let links = links.iter();
        let args = links.map(|one| format!("--extern={one}=/t/lib{one}-1.rmeta"));
        let call = CapturedCall {
            args: args.collect(),
            ..CapturedCall::default()
        };
        CapturedDependency {
            path: format!("/t/lib{name}-1.rmeta").into(),
            before: was_other.then(|| call.clone()),
            call: Some(call),
        }
    }

    #[test]
    fn what_links_a_changed_crate_is_compiled_after_it() {
        let all = [
            dependency("top", &["middle", "other"], false),
            dependency("middle", &["bottom"], false),
            dependency("other", &[], false),
            dependency("bottom", &[], true),
        ];
        let names: Vec<&str> = changed(&all).iter().map(|one| one.file_name()).collect();
        assert_eq!(
            names,
            ["libbottom-1.rmeta", "libmiddle-1.rmeta", "libtop-1.rmeta"]
        );
        assert!(changed(&all[2..3]).is_empty());
    }
}
