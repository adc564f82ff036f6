//! Replays the call that was found in a tree of its own, to see whether the crash is stable.

use super::simplify::simplest;
use crate::check::crash::Crash;
use crate::error::OracleError;
use crate::evidence::crash::Observation;
use crate::evidence::diagnostics::frames;
use crate::evidence::property::Property;
use crate::plan::{ErrorFormat, Plan, Sources};
use crate::search::context::BaselineContext;
use crate::search::original::package_dir;
use crate::signature::Signature;
use crate::system::budget::TimeSpent;
use crate::system::process::Ending;
use crate::system::snapshot::{all_files, joined};
use crate::text::output::tail;
use crate::worker::{Shown, Worker};
use camino::Utf8PathBuf;
use std::collections::BTreeSet;
use std::time::Duration;

/// The diagnostics formats of the replays after the first one, in their order, as far as they are needed. They do not
/// simply take turns: a crash on every second run would then look as if it depended on the format.
const FORMATS: [ErrorFormat; 5] = {
    use ErrorFormat::{Human, Json};
    [Human, Human, Json, Json, Human]
};

/// A failure that replays have shown, with the plan that shows it.
pub(super) struct Replayed {
    pub(super) plan: Plan,
    pub(super) property: Property,
    /// The duration of the slowest run of the call.
    pub(super) duration: Duration,
    /// The most time that a run has used which was made in the way of a query.
    pub(super) spent: TimeSpent,
    pub(super) crashed: u32,
    pub(super) runs: u32,
    /// The output of the call as a person sees it.
    pub(super) shown: Shown,
}

impl Replayed {
    /// Returns the failure with a later crash of the same run as its property, by the name of that crash; `None` if
    /// there is none.
    pub(super) fn behind(self, crash: &str) -> Option<Self> {
        let mut others = self.shown.others.iter();
        let signature = others.find(|other| other.to_string() == crash)?.clone();
        Some(Self {
            plan: self.plan.expecting(&signature),
            property: Property {
                signature,
                among_others: true,
                ..self.property
            },
            ..self
        })
    }
}

/// Replays a call once with JSON diagnostics, and once as a person sees it; more often only where these do not agree. An
/// error of a program that is only compiled is replayed once, and by the simplest call if that shows it. `expected` is what
/// must be seen, where that is known.
pub(super) fn replay(
    plan: Plan,
    expected: Option<Signature>,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    let simplest = simplest(&plan);
    let is_enough = fewest_runs(&plan) == 1 && !context.options.repeat.expects_passes();
    if is_enough && simplest != plan {
        let mut replay = Replay::new(simplest, expected.clone(), context)?;
        replay.run(ErrorFormat::Json)?;
        if replay.signature().is_some() {
            return replay.conclude();
        }
    }
    let mut replay = Replay::new(plan, expected, context)?;
    replay.run(ErrorFormat::Json)?;
    if replay.signature().is_none() {
        replay.take_unnamed_files()?;
    }
    for format in FORMATS {
        if !replay.is_settled() {
            replay.run(format)?;
        }
    }
    replay.wait_for_failure()?;
    replay.conclude()
}

struct Run {
    format: ErrorFormat,
    observation: Observation,
    shown: Shown,
    spent: TimeSpent,
}

/// A compiler call that is being replayed, with the runs that were made until now.
struct Replay<'a> {
    plan: Plan,
    worker: Worker,
    expected: Option<Signature>,
    context: &'a BaselineContext<'a>,
    runs: Vec<Run>,
}

impl<'a> Replay<'a> {
    fn new(
        plan: Plan,
        expected: Option<Signature>,
        context: &'a BaselineContext<'a>,
    ) -> Result<Self, OracleError> {
        let worker = context.worker(&plan)?;
        Ok(Self {
            plan,
            worker,
            expected,
            context,
            runs: vec![],
        })
    }

    /// Adds files that a macro or the program reads without the compiler's knowledge: where the failure does not show in a tree
    /// with the known files, wider sets are tried, and those taken that the failure needs. The runs begin anew.
    fn take_unnamed_files(&mut self) -> Result<(), OracleError> {
        if !self.is_of_package() {
            return Ok(());
        }
        let mut unnamed = Vec::new();
        let mut shows = false;
        for all in self.wider_sets()? {
            let known = &self.plan.inputs.files;
            let more: Vec<_> = all
                .into_iter()
                .filter(|path| !known.contains(path))
                .collect();
            if !shows && more.len() > unnamed.len() {
                shows = self.shows_with(&more)?;
                unnamed = more;
            }
        }
        if unnamed.is_empty() {
            return Ok(());
        }
        if !shows {
            match self.context.options.repeat.expects_passes() {
                // It may show in a later run.
                true => self.plan.inputs.files.extend(unnamed),
                false => self.worker = self.context.worker(&self.plan)?,
            }
            return Ok(());
        }
        (self.context.note)("looking for the files that the failure needs");
        let mut needed = unnamed.clone();
        // From the whole to single files: what can go as a whole is not looked at any closer.
        let mut waiting = vec![unnamed];
        while let Some(group) = waiting.pop() {
            let mut rest = needed.clone();
            rest.retain(|path| !group.contains(path));
            if self.shows_with(&rest)? {
                needed = rest;
            } else if group.len() > 1 {
                let (first, second) = group.split_at(group.len() / 2);
                waiting.extend([first.to_vec(), second.to_vec()]);
            }
        }
        self.shows_with(&needed)?;
        self.plan.inputs.files.extend(needed);
        Ok(())
    }

    /// Returns the sets of files that may be added to the tree: those of the package; for a program that is run also
    /// those of its directory, and then all of the workspace.
    fn wider_sets(&self) -> Result<Vec<BTreeSet<Utf8PathBuf>>, OracleError> {
        let tree = &self.plan.inputs.tree;
        let mut near = all_files(&package_dir(&self.plan.call.env, tree), tree)?;
        let Some(execution) = self.plan.execution() else {
            return Ok(vec![near]);
        };
        near.extend(all_files(&joined(tree, &execution.cwd), tree)?);
        Ok(vec![near, all_files(tree, tree)?])
    }

    /// Returns whether the failure shows in a run with these additional files, which is then the only one.
    fn shows_with(&mut self, files: &[Utf8PathBuf]) -> Result<bool, OracleError> {
        let named = self.plan.inputs.files.clone();
        self.plan.inputs.files.extend(files.iter().cloned());
        self.worker = self.context.worker(&self.plan)?;
        self.runs.clear();
        let ran = self.run(ErrorFormat::Json);
        self.plan.inputs.files = named;
        ran.map(|()| self.signature().is_some())
    }

    fn run(&mut self, format: ErrorFormat) -> Result<(), OracleError> {
        // Only crashes may depend on how diagnostics are printed.
        let format = match self.plan.run_policy.check.is_crash() {
            true => format,
            false => ErrorFormat::Json,
        };
        let plan = match format {
            ErrorFormat::Json => self.plan.for_first_look(),
            ErrorFormat::Human => self.plan.for_people(),
        };
        let cancel = self.context.cancel;
        let what = plan.run_policy.check.what_runs();
        let replayed = self
            .context
            .reminding(what, || self.worker.observe(&plan, &Sources::new(), cancel));
        let (mut observation, shown) = replayed?;
        self.context.count(1);
        let patterns = &self.context.options.demands.patterns;
        if !patterns.accept(|| shown.printed()) {
            observation.crashes.clear();
        }
        // The time that shows the failure is none that is too long.
        let is_late = observation.ending == Ending::TimedOut && observation.crashes.is_empty();
        match (observation.ending, plan.run_policy.limits.deadline) {
            (Ending::Cancelled, _) => return Err(OracleError::Cancelled),
            (Ending::TimedOut, None) if is_late && !plan.run_policy.check.bounds_time() => {
                let command = plan.command(&plan.call.root);
                let after = match plan.run_policy.check.executes() {
                    true => plan.run_policy.limits.longest,
                    false => plan.run_policy.limits.longest_compilation(),
                };
                let printed = shown.printed();
                return Err(self.context.never_ends(command, after, &printed, None));
            }
            (Ending::TimedOut, Some(deadline)) if !plan.run_policy.check.is_hang() => {
                return Err(OracleError::TooSlow {
                    command: plan.command(&plan.call.root),
                    deadline,
                });
            }
            _ => self.runs.push(Run {
                format,
                observation,
                shown,
                spent: self.worker.spent(),
            }),
        }
        Ok(())
    }

    /// Repeats the replay until one run fails, where some runs may pass.
    fn wait_for_failure(&mut self) -> Result<(), OracleError> {
        let repeat = self.context.options.repeat;
        let is_short = |runs: &Vec<Run>| number(runs.len()) < repeat.attempts();
        while repeat.expects_passes() && self.signature().is_none() && is_short(&self.runs) {
            self.run(ErrorFormat::Json)?;
        }
        Ok(())
    }

    /// Whether more replays would tell nothing new. Where some runs may pass, all are made.
    fn is_settled(&self) -> bool {
        let is_clear = match self.signature() {
            Some(signature) => self.stable_format(&signature).is_some(),
            None => self.runs.len() >= 2 && !self.was_seen_by_cargo(),
        };
        is_clear && !self.context.options.repeat.expects_passes()
    }

    /// Returns the diagnostics format in which candidates are asked, if the crash is stable: all runs in that format
    /// show it, and enough runs in formats of which this is true.
    fn stable_format(&self, signature: &Signature) -> Option<ErrorFormat> {
        let is_stable = |format: &ErrorFormat| {
            let mut runs = self.runs.iter().filter(|run| run.format == *format);
            runs.all(|run| self.shows(run, signature))
        };
        let formats: Vec<_> = [ErrorFormat::Json, ErrorFormat::Human]
            .into_iter()
            .filter(is_stable)
            .collect();
        let count = self
            .runs
            .iter()
            .filter(|run| formats.contains(&run.format))
            .count();
        formats
            .first()
            .copied()
            .filter(|_| count >= fewest_runs(&self.plan))
    }

    fn shows(&self, run: &Run, signature: &Signature) -> bool {
        let ignore_location = self.context.options.ignore_location;
        signature.is_shown_by(&run.observation.crashes, ignore_location)
    }

    fn showing(&self, signature: &Signature) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| self.shows(run, signature))
    }

    /// Returns the failure that was seen most often; the earliest of several.
    fn signature(&self) -> Option<Signature> {
        let is_expected = |seen: &&Signature| {
            let expected = self.expected.as_ref();
            expected.is_none_or(|expected| expected.is_same_bug(seen, false))
        };
        let crashes = self
            .runs
            .iter()
            .filter_map(|run| run.observation.crashes.first())
            .filter(is_expected);
        crashes
            .rev()
            .max_by_key(|crash| self.showing(crash).count())
            .cloned()
    }

    fn conclude(mut self) -> Result<Replayed, OracleError> {
        let Some(signature) = self.signature() else {
            return Err(self.no_crash()?);
        };
        let format = match self.stable_format(&signature) {
            Some(format) => format,
            None if !self.context.options.repeat.expects_passes() => {
                return Err(self.unstable(&signature));
            }
            None => self
                .showing(&signature)
                .next()
                .map_or(ErrorFormat::Json, |run| run.format),
        };
        self.plan.call.error_format = format;
        self.plan = self.plan.expecting(&signature);
        self.demand_frames()?;
        Ok(self.replayed(signature))
    }

    /// Makes the plan compare as many functions that led to the crash as the user wants.
    fn demand_frames(&mut self) -> Result<(), OracleError> {
        let wanted = self.context.options.demands.same_frames as usize;
        if wanted == 0 || !self.plan.run_policy.check.is_crash() {
            return Ok(());
        }
        let traced = self.plan.with_backtrace();
        let cancel = self.context.cancel;
        let (_, shown) = self.worker.observe(&traced, &Sources::new(), cancel)?;
        let mut found = frames(&shown.stderr);
        if found.len() < wanted {
            return Err(OracleError::NoFrames {
                command: traced.command(&traced.call.root),
                wanted,
                found: found.len(),
            });
        }
        found.truncate(wanted);
        let listed = found.join(" < ");
        (self.context.note)(&format!("comparing what leads to the crash: {listed}"));
        self.plan.run_policy.check = Crash::through(found);
        Ok(())
    }

    fn replayed(self, signature: Signature) -> Replayed {
        let errors = self
            .showing(&signature)
            .flat_map(|run| run.observation.errors.clone());
        let allowed_errors: BTreeSet<String> = errors.collect();
        let durations = self.runs.iter().map(|run| run.observation.duration);
        // A backtrace for people takes far more time than a query.
        let as_asked = self
            .runs
            .iter()
            .filter(|run| run.format == self.plan.call.error_format);
        let spent = as_asked.map(|run| run.spent);
        let human = self
            .showing(&signature)
            .find(|run| run.format == ErrorFormat::Human);
        let shown = human
            .or_else(|| self.showing(&signature).next())
            .map(|run| run.shown.clone());
        let options = self.context.options;
        Replayed {
            duration: durations.max().unwrap_or_default(),
            spent: spent.reduce(TimeSpent::max).unwrap_or_default(),
            crashed: number(self.showing(&signature).count()),
            runs: number(self.runs.len()),
            shown: shown.expect("a signature comes from a run that shows it"),
            property: Property {
                signature,
                allowed_errors,
                allow_errors: options.allow_errors,
                ignore_location: options.ignore_location,
                patterns: options.demands.patterns.clone(),
                ignore_values: options.demands.good.is_some(),
                among_others: false,
            },
            plan: self.plan,
        }
    }

    /// Whether cargo's own build has shown the failure before the first replay.
    fn was_seen_by_cargo(&self) -> bool {
        self.is_of_package() && (self.plan.run_policy.check.is_crash() || self.expected.is_some())
    }

    fn is_of_package(&self) -> bool {
        self.plan.call.env.contains_key("CARGO_MANIFEST_DIR")
    }

    fn no_crash(&mut self) -> Result<OracleError, OracleError> {
        let command = self.plan.command(&self.plan.call.root);
        if let Some(other) = self.other_each_time(&command) {
            return Ok(other);
        }
        if self.was_seen_by_cargo() {
            let runs = number(self.runs.len()) + 1;
            return Ok(OracleError::Unstable {
                command,
                crashed: 1,
                runs,
                signatures: vec![],
            });
        }
        let plan = self.plan.for_people();
        let (_, shown) = self
            .worker
            .observe(&plan, &Sources::new(), self.context.cancel)?;
        let compiles = shown.ending == Ending::Exited(0);
        Ok(OracleError::NoFailure {
            wanted: self.context.wanted_with_patterns(),
            command,
            output: tail(&format!("{}{}", shown.stdout, shown.stderr)),
            compiles,
        })
    }

    /// Makes the error for a program that fails as expected where cargo has linked it, and in one other way each time where it
    /// is compiled here by the same call: no failure that comes and goes. A compiler gets no such error, as it may miss the
    /// state in which it crashed.
    fn other_each_time(&self, command: &str) -> Option<OracleError> {
        let is_run = self.plan.run_policy.check.executes();
        let expected = self.expected.as_ref().filter(|_| is_run)?;
        let mut seen = self.runs.iter().map(|run| run.observation.crashes.first());
        let here = seen.next()?;
        let is_same = |other: Option<&Signature>| match (here, other) {
            (Some(here), Some(other)) => here.is_same_bug(other, false),
            (here, other) => here.is_none() && other.is_none(),
        };
        (self.runs.len() > 1 && seen.all(is_same)).then(|| OracleError::OtherAmongCandidates {
            what: self.plan.run_policy.check.what_runs().to_owned(),
            linked_by_cargo: expected.to_string(),
            here: here.map(Signature::to_string),
            command: command.to_owned(),
        })
    }

    fn unstable(&self, signature: &Signature) -> OracleError {
        let crashes = self
            .runs
            .iter()
            .filter_map(|run| run.observation.crashes.first().cloned());
        let signatures: BTreeSet<_> = crashes.collect();
        OracleError::Unstable {
            command: self.plan.command(&self.plan.call.root),
            crashed: number(self.showing(signature).count()),
            runs: number(self.runs.len()),
            signatures: signatures.into_iter().collect(),
        }
    }
}

/// Returns the number of runs that must show the failure.
fn fewest_runs(plan: &Plan) -> usize {
    let check = &plan.run_policy.check;
    let depends_on_run = check.executes() || check.bounds_time() || check.is_measured();
    match check.is_crash() || depends_on_run {
        true => 2,
        false => 1,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
