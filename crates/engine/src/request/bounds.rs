//! The bounds of the numbers and paths in a request. The command line refuses more, and so does the
//! daemon, to which other programs may talk: nobody who asks for a million threads means it.

use super::reduction::ReductionRequest;
use camino::Utf8Path;
use reduce_oracle::{Given, Input, Repeat, Version};

/// The largest number of queries at once. Each has a thread and a tree.
pub const MOST_JOBS: usize = 1024;
/// The longest time limit in seconds: 30 days. A sum of it and now is a time.
const MOST_SECONDS: u64 = 30 * 24 * 60 * 60;
/// The largest memory limit in MiB: 1 PiB.
const MOST_MIB: u64 = 1 << 30;
/// The largest number of runs of a candidate.
const MOST_RUNS: u32 = 1_000_000;

/// The error of a request with a number or a path that cannot be meant. Reads as a reason, with
/// what may be asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreasonable(String);

impl ReductionRequest {
    /// Checks that the numbers of a request are within bounds, and that its paths are absolute.
    ///
    /// # Errors
    /// [`Unreasonable`], for the first thing that is.
    pub fn check_bounds(&self) -> Result<(), Unreasonable> {
        let property = &self.property;
        number("--jobs", self.jobs as u64, 1, MOST_JOBS as u64)?;
        if let Some(remote) = &self.remote {
            number("--remote-jobs", remote.jobs as u64, 1, MOST_JOBS as u64)?;
            absolute("the client of `--remote`", &remote.client)?;
        }
        number("--memory", property.memory_mib, 1, MOST_MIB)?;
        let seconds = property.timeout_seconds.unwrap_or(1);
        number("--timeout", seconds, 1, MOST_SECONDS)?;
        let longest = property.baseline_timeout_seconds;
        number("--baseline-timeout", longest, 1, MOST_SECONDS)?;
        number("--at-least", property.at_least.into(), 1, MOST_RUNS.into())?;
        let runs = property.stability_runs.unwrap_or(1);
        number("--stability-runs", runs.into(), 1, MOST_RUNS.into())?;
        if let Repeat::Times(times) = property.repeat {
            number("--repeat", times.into(), 1, MOST_RUNS.into())?;
        }
        number(
            "--max-time",
            self.budget.seconds.unwrap_or(1),
            1,
            MOST_SECONDS,
        )?;
        number(
            "--max-queries",
            self.budget.queries.unwrap_or(1),
            1,
            u64::MAX,
        )?;
        self.check_goal()?;
        self.check_paths()
    }

    fn check_goal(&self) -> Result<(), Unreasonable> {
        match self.property.goal.info().given {
            Some(Given::Seconds(flag, seconds)) => number(flag, seconds, 1, MOST_SECONDS),
            Some(Given::Mebibytes(flag, mebibytes)) => number(flag, mebibytes, 1, MOST_MIB),
            Some(Given::Path(what, path)) => absolute(what, &path),
            None => Ok(()),
        }
    }

    fn check_paths(&self) -> Result<(), Unreasonable> {
        absolute("the output directory", &self.output)?;
        absolute("the current directory", &self.surroundings.cwd)?;
        if let Some(path) = &self.log {
            absolute("the log", path)?;
        }
        if let Some(path) = &self.scratch {
            absolute("the scratch directory", path)?;
        }
        if let Some(path) = self
            .remote
            .as_ref()
            .and_then(|one| one.settings.certificates.as_ref())
        {
            absolute("the file of certificates", path)?;
        }
        if let Some(Version::Path(path)) = &self.property.demands.good {
            absolute("the good version", path)?;
        }
        for path in &self.property.reads {
            absolute("what candidates may read", path)?;
        }
        if let Some(path) = &self.surroundings.rustc {
            absolute("the compiler", path)?;
        }
        match &self.input {
            Input::File(file) => absolute("the source file", &file.path),
            Input::Captured(captured) => absolute("the kept crash", &captured.directory),
            Input::Package(package) => match &package.manifest_path {
                Some(path) => absolute("the manifest", path),
                None => Ok(()),
            },
        }
    }
}

fn number(flag: &str, value: u64, least: u64, most: u64) -> Result<(), Unreasonable> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(Unreasonable(format!(
            "`{flag} {value}` is out of bounds: give a number from {least} to {most}"
        ))),
    }
}

fn absolute(what: &str, path: &Utf8Path) -> Result<(), Unreasonable> {
    match path.is_absolute() {
        true => Ok(()),
        false => Err(Unreasonable(format!(
            "{what} is `{path}`: give an absolute path"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{
        CacheUse, CompilerChoice, ExistingOutput, ForRustc, PropertyOptions, SearchOptions,
    };
    use reduce_guard::Fidelity;
    use reduce_oracle::{Demands, Goal, PackageInput, SandboxMode, Surroundings};

    fn request() -> ReductionRequest {
        ReductionRequest {
            input: Input::Package(PackageInput::default()),
            instead: None,
            from: None,
            surroundings: Surroundings {
                cwd: "/crate".into(),
                vars: [].into(),
                rustc: None,
            },
            output: "/out".into(),
            existing_output: ExistingOutput::Refuse,
            property: PropertyOptions {
                goal: Goal::Ice,
                demands: Demands::default(),
                env: vec![],
                reads: vec![],
                timeout_seconds: None,
                baseline_timeout_seconds: 600,
                memory_mib: 6144,
                allow_errors: false,
                strict_valid: false,
                ignore_location: false,
                any_message: false,
                fidelity: Fidelity::default(),
                mutate: vec![],
                repeat: Repeat::ONCE,
                at_least: 1,
                stability_runs: None,
                sandbox: SandboxMode::Default,
            },
            search: SearchOptions::default(),
            compiler: CompilerChoice::Auto,
            jobs: 4,
            remote: None,
            cache: CacheUse::Persistent,
            log: None,
            for_rustc: ForRustc::default(),
            priority: Default::default(),
            launcher: vec![],
            scratch: None,
            budget: Default::default(),
        }
    }

    #[track_caller]
    fn check_refused(expected: &str, change: impl Fn(&mut ReductionRequest)) {
        let mut request = request();
        assert_eq!(request.check_bounds(), Ok(()));
        change(&mut request);
        let error = request.check_bounds().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_number_that_cannot_be_meant_is_refused() {
        check_refused("`--jobs 1000000`", |request| request.jobs = 1_000_000);
        check_refused("from 1 to 1024", |request| request.jobs = 0);
        check_refused("`--memory 1844", |request| {
            request.property.memory_mib = u64::MAX;
        });
        check_refused("`--timeout 1844", |request| {
            request.property.timeout_seconds = Some(u64::MAX);
        });
        check_refused("`--repeat 4294967295`", |request| {
            request.property.repeat = Repeat::Times(u32::MAX);
        });
        check_refused("`--at-least 0`", |request| request.property.at_least = 0);
        check_refused("`--oom", |request| {
            request.property.goal = Goal::Memory { bytes: u64::MAX };
        });
        check_refused("`--hang 0`", |request| {
            request.property.goal = Goal::Hang {
                of_program: false,
                args: vec![],
                seconds: 0,
            };
        });
    }

    #[test]
    fn a_path_without_a_beginning_is_refused() {
        check_refused("the output directory is `out`", |request| {
            request.output = "out".into();
        });
        check_refused("the current directory", |request| {
            request.surroundings.cwd = "".into();
        });
        check_refused("the good version", |request| {
            request.property.demands.good = Some(Version::Path("old".into()));
        });
        check_refused("what candidates may read", |request| {
            request.property.reads = vec!["..".into()];
        });
        check_refused("the scratch directory", |request| {
            request.scratch = Some("tmp".into());
        });
        check_refused("the compiler", |request| {
            request.surroundings.rustc = Some("rustc".into());
        });
        check_refused("the manifest", |request| {
            request.input = Input::Package(PackageInput {
                manifest_path: Some("Cargo.toml".into()),
                ..PackageInput::default()
            });
        });
        check_refused("the script", |request| {
            request.property.goal = Goal::Script { path: "a".into() };
        });
    }
}
