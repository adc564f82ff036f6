//! Replays the call that was found in a tree of its own, to see whether the crash is stable.

use super::Setting;
use super::package::{package_dir, tail};
use crate::crash::Observation;
use crate::error::OracleError;
use crate::plan::{ErrorFormat, Plan, Sources};
use crate::process::Ending;
use crate::property::Property;
use crate::signature::Signature;
use crate::snapshot::all_files;
use crate::worker::Worker;
use std::time::Duration;

/// The formats of the replays after the first, as far as they are needed. Not simply in turn: a crash on every second
/// run would then look as if it depended on the format.
const FORMATS: [ErrorFormat; 5] = {
    use ErrorFormat::{Human, Json};
    [Human, Human, Json, Json, Human]
};

/// A crash that can be worked with.
pub(super) struct Replayed {
    pub(super) plan: Plan,
    pub(super) property: Property,
    /// Of the slowest run.
    pub(super) duration: Duration,
    pub(super) crashed: u32,
    pub(super) runs: u32,
}

/// Once with JSON diagnostics, once with human ones; more only where they do not agree.
pub(super) fn replay(plan: Plan, setting: &Setting<'_>) -> Result<Replayed, OracleError> {
    let mut runs = Runs::new(plan, setting)?;
    runs.run(ErrorFormat::Json)?;
    if runs.signature().is_none() && runs.take_all_files()? {
        runs.run(ErrorFormat::Json)?;
    }
    for format in FORMATS {
        if !runs.is_settled() {
            runs.run(format)?;
        }
    }
    runs.conclude()
}

/// The replays so far.
struct Runs<'a> {
    plan: Plan,
    worker: Worker,
    setting: &'a Setting<'a>,
    all: Vec<(ErrorFormat, Observation)>,
}

impl<'a> Runs<'a> {
    fn new(plan: Plan, setting: &'a Setting<'a>) -> Result<Self, OracleError> {
        let worker = setting.worker(&plan)?;
        Ok(Self {
            plan,
            worker,
            setting,
            all: vec![],
        })
    }

    /// A macro may read files of which the compiler does not know: where the crash does not show
    /// in a tree with the files that it knows, all of the package's are taken, and the runs begin
    /// anew. Returns whether there are more.
    fn take_all_files(&mut self) -> Result<bool, OracleError> {
        if !self.was_seen_by_cargo() {
            return Ok(false);
        }
        let dir = package_dir(&self.plan.env, &self.plan.tree);
        let all = all_files(&dir, &self.plan.tree)?;
        if all.is_subset(&self.plan.files) {
            return Ok(false);
        }
        self.plan.files.extend(all);
        self.worker = self.setting.worker(&self.plan)?;
        self.all.clear();
        Ok(true)
    }

    fn run(&mut self, error_format: ErrorFormat) -> Result<(), OracleError> {
        let plan = Plan {
            error_format,
            ..self.plan.clone()
        };
        let observation = self
            .worker
            .observe(&plan, &Sources::new(), self.setting.cancel)?;
        self.setting.count(1);
        match (observation.ending, plan.limits.deadline) {
            (Ending::Cancelled, _) => Err(OracleError::Cancelled),
            (Ending::TimedOut, Some(deadline)) => Err(OracleError::TooSlow {
                command: plan.command(&plan.root),
                deadline,
            }),
            _ => {
                self.all.push((error_format, observation));
                Ok(())
            }
        }
    }

    /// Whether the answer is clear: every run of a format shows the same crash, at least twice
    /// over both or in one of them, or none does. Where the user asks for repetition, or cargo has
    /// seen a crash, all runs are made.
    fn is_settled(&self) -> bool {
        if self.signature().is_none() {
            return self.all.len() >= 2
                && !self.was_seen_by_cargo()
                && self.setting.options.repeat <= 1;
        }
        let formats = [ErrorFormat::Json, ErrorFormat::Human];
        let is_stable = self.signature().is_some_and(|signature| {
            let agree = |format| self.of(format).all(|run| self.shows(run, &signature));
            let counts = formats.map(|format| {
                if agree(format) {
                    self.of(format).count()
                } else {
                    0
                }
            });
            counts.iter().sum::<usize>() >= 2
        });
        is_stable && self.setting.options.repeat <= 1
    }

    fn of(&self, format: ErrorFormat) -> impl Iterator<Item = &Observation> {
        self.all
            .iter()
            .filter(move |(its, _)| *its == format)
            .map(|(_, run)| run)
    }

    fn shows(&self, run: &Observation, signature: &Signature) -> bool {
        let ignore_location = self.setting.options.ignore_location;
        run.crashes
            .first()
            .is_some_and(|crash| signature.is_same_bug(crash, ignore_location))
    }

    /// The crash that was seen most often; the earliest of several.
    fn signature(&self) -> Option<Signature> {
        let crashes = self.all.iter().filter_map(|(_, run)| run.crashes.first());
        let count = |signature: &Signature| {
            self.all
                .iter()
                .filter(|(_, run)| self.shows(run, signature))
                .count()
        };
        crashes.rev().max_by_key(|crash| count(crash)).cloned()
    }

    fn conclude(mut self) -> Result<Replayed, OracleError> {
        let runs = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let Some(signature) = self.signature() else {
            return Err(self.no_crash()?);
        };
        let format = match self
            .of(ErrorFormat::Json)
            .any(|run| self.shows(run, &signature))
        {
            true => ErrorFormat::Json,
            false => ErrorFormat::Human,
        };
        let is_format_stable = self.of(format).all(|run| self.shows(run, &signature));
        let crashed = self
            .all
            .iter()
            .filter(|(_, run)| self.shows(run, &signature))
            .count();
        let is_stable = is_format_stable && crashed >= 2;
        if !is_stable && self.setting.options.repeat <= 1 {
            return Err(self.unstable(crashed));
        }
        Ok(self.replayed(signature, format, crashed, runs))
    }

    fn replayed(
        self,
        signature: Signature,
        format: ErrorFormat,
        crashed: usize,
        runs: u32,
    ) -> Replayed {
        let same = self
            .all
            .iter()
            .filter(|(_, run)| self.shows(run, &signature));
        let allowed_errors = same
            .flat_map(|(_, run)| run.errors.iter().cloned())
            .collect();
        let options = self.setting.options;
        Replayed {
            duration: self
                .all
                .iter()
                .map(|(_, run)| run.duration)
                .max()
                .unwrap_or_default(),
            crashed: u32::try_from(crashed).unwrap_or(u32::MAX),
            runs,
            property: Property {
                signature,
                allowed_errors,
                allow_errors: options.allow_errors,
                ignore_location: options.ignore_location,
            },
            plan: Plan {
                error_format: format,
                ..self.plan
            },
        }
    }

    /// Whether there was a crash before the first replay.
    fn was_seen_by_cargo(&self) -> bool {
        self.plan.env.contains_key("CARGO_MANIFEST_DIR")
    }

    fn no_crash(&mut self) -> Result<OracleError, OracleError> {
        let command = self.plan.command(&self.plan.root);
        if self.was_seen_by_cargo() {
            let runs = u32::try_from(self.all.len())
                .unwrap_or(u32::MAX)
                .saturating_add(1);
            return Ok(OracleError::Unstable {
                command,
                crashed: 1,
                runs,
                signatures: vec![],
            });
        }
        let shown = self
            .worker
            .show(&self.plan, &Sources::new(), self.setting.cancel)?;
        let compiles = shown.ending == Ending::Exited(0);
        Ok(OracleError::NoCrash {
            command,
            output: tail(&shown.stderr),
            compiles,
        })
    }

    fn unstable(self, crashed: usize) -> OracleError {
        let mut signatures: Vec<_> = self
            .all
            .iter()
            .filter_map(|(_, run)| run.crashes.first().cloned())
            .collect();
        signatures.sort();
        signatures.dedup();
        OracleError::Unstable {
            command: self.plan.command(&self.plan.root),
            crashed: u32::try_from(crashed).unwrap_or(u32::MAX),
            runs: u32::try_from(self.all.len()).unwrap_or(u32::MAX),
            signatures,
        }
    }
}
