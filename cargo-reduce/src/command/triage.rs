//! `cargo reduce triage`: which of many crashes of the compiler are one bug.
//!
//! - `triage/inputs` finds the inputs.
//! - `triage/directory` is the output directory, which keeps all that took time.
//! - `triage/looks` compiles each input once, several at a time.
//! - `triage/cases` tells crashes from the rest.
//! - `triage/reductions` reduces one input of each class.
//! - `triage/results` makes groups of the results, and writes them.

mod cases;
mod directory;
mod inputs;
mod looks;
mod reductions;
mod results;

use super::interrupt::Interrupts;
use crate::args::{DisplayArgs, MessageFormat, Parsed, ReduceArgs, TriageArgs, parse};
use crate::config;
use crate::context::Context;
use crate::display::{self, Display, say};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::project::Project;
use crate::request;
use camino::Utf8PathBuf;
use cases::{Case, NamedLooker, cases};
use directory::{Given, TriageDirectory};
use inputs::{Inputs, TriageInput};
use looks::{LookTask, Looks};
use reduce_daemon::LocalSite;
use reduce_engine::{
    Cancel, Failure, Looker, PropertyOptions, ReductionRequest, Surroundings, digest_of_look,
    keeper,
};
use reduce_platform::signals::Asked;
use reduce_triage::{Class, Triage, classes, counted, table};
use reductions::{Outcome, Reductions, to_reduce};
use results::{TriageResults, write};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::Arc;

/// The name of the toolchain that `rustc` calls, where the user has named none.
const DEFAULT_TOOLCHAIN: &str = "default";
/// The number of runs by which is seen whether a crash shows each time, if the user does not say.
const STABILITY_RUNS: u32 = 6;
/// The file that stands for the inputs in the request by which each is reduced.
const ANY_FILE: &str = "triage.rs";

/// Looks at all inputs, reduces one of each class of crashes, and shows the groups.
pub(super) async fn run(
    (args, display): (&TriageArgs, &DisplayArgs),
    words: &[OsString],
    context: &Context,
) -> Result<ExitStatus, CommandError> {
    let (mut parsed, request) = request_of(args, words, context)?;
    // A view of each of many short reductions would come and go.
    parsed.args.display = DisplayArgs {
        no_tui: true,
        ..display.clone()
    };
    let inputs = Inputs::of(args, context)?;
    if args.force {
        TriageDirectory::remove(&request.output)?;
    }
    let directory = TriageDirectory::open(request.output.clone())?;
    let triage = Run {
        args: &parsed.args,
        own: args,
        request: &request,
        context,
        directory: &directory,
        toolchains: toolchains(args, &request)?,
    };
    let given = triage.given(&inputs)?;
    if given.is_empty() {
        return Err(no_inputs(&inputs));
    }
    let Some(looks) = triage.look(&given).await? else {
        triage.say("Stopped", "the same command goes on");
        return Ok(ExitStatus::Stopped);
    };
    triage.reduce(&given, &looks, inputs).await
}

/// Makes the request by which the inputs are reduced, of the flags before `triage` and its own.
fn request_of(
    args: &TriageArgs,
    words: &[OsString],
    context: &Context,
) -> Result<(Parsed, ReductionRequest), CommandError> {
    let mut own: Vec<OsString> = ["--ice", ANY_FILE].map(OsString::from).into();
    own.extend(args.jobs.map(|jobs| format!("--jobs={jobs}").into()));
    own.extend(args.no_daemon.then(|| "--no-daemon".into()));
    let layer = config::in_directory(&context.cwd, context)?;
    // A value before it may be the same word.
    let at_command = words
        .iter()
        .enumerate()
        .filter(|(_, word)| *word == "triage");
    let mut parsed = Err(CommandError::bad_input(
        "flags before `triage` make no sense",
    ));
    for (idx, _) in at_command {
        let all = words[..idx].iter().chain(&own).cloned();
        match parse(all, &layer) {
            Ok(good) => {
                parsed = Ok(good);
                break;
            }
            Err(error) => parsed = Err(CommandError::bad_input(error.to_string())),
        }
    }
    let parsed = parsed?;
    let project = Project::of_file(&context.absolute(ANY_FILE.into()), None, &context.cwd);
    let mut request = request::request(&parsed, &project, context)?;
    // Many small reductions: the usual 66 runs would take longer than all else.
    let runs = &mut request.property.stability_runs;
    *runs = runs.or(Some(STABILITY_RUNS));
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| Utf8PathBuf::from("target/reduce/triage"));
    request.output = context.absolute(&output);
    Ok((parsed, request))
}

fn toolchains(
    args: &TriageArgs,
    request: &ReductionRequest,
) -> Result<Vec<NamedLooker>, CommandError> {
    let cancel = Cancel::new();
    let cancel = cancel.map_err(|error| CommandError::new(ExitStatus::Environment, error))?;
    let named = |name: &str, surroundings: Surroundings| {
        let looker = Looker::new(surroundings, &cancel).map_err(Failure::from)?;
        Ok(NamedLooker {
            name: name.to_owned(),
            looker: Arc::new(looker),
        })
    };
    if args.toolchain.is_empty() {
        return Ok(vec![named(
            DEFAULT_TOOLCHAIN,
            request.surroundings.clone(),
        )?]);
    }
    let of_rustup = |name: &String| {
        let mut surroundings = request.surroundings.clone();
        let variable = "RUSTUP_TOOLCHAIN".to_owned();
        surroundings.vars.insert(variable, name.clone());
        named(name, surroundings)
    };
    args.toolchain.iter().map(of_rustup).collect()
}

fn no_inputs(inputs: &Inputs) -> CommandError {
    let error = CommandError::bad_input("there is nothing to triage");
    let refused = inputs.refused.iter();
    let error = refused.fold(error, |error, (path, reason)| {
        error.hint(format!("`{path}`: {reason}"))
    });
    error.hint("name source files, packages, or directories with these")
}

/// A triage that is under way.
struct Run<'a> {
    args: &'a ReduceArgs,
    own: &'a TriageArgs,
    request: &'a ReductionRequest,
    context: &'a Context,
    directory: &'a TriageDirectory,
    toolchains: Vec<NamedLooker>,
}

impl Run<'_> {
    /// Adds the inputs to those of earlier triages in the directory, and keeps all of them. A file that is gone stays what it
    /// was; one that was edited is a new one.
    fn given(&self, inputs: &Inputs) -> Result<Vec<Given>, CommandError> {
        let earlier = self.directory.given().into_iter();
        let mut all: BTreeMap<TriageInput, BTreeMap<String, String>> =
            earlier.map(|given| (given.input, given.looks)).collect();
        for input in &inputs.all {
            all.entry(input.clone()).or_default();
        }
        let given = all.into_iter();
        let given = given.map(|(input, looks)| self.with_keys(input, looks));
        let given: Vec<Given> = given.collect();
        self.directory.keep_given(&given)?;
        Ok(given)
    }

    /// Finds out the keys of the looks at a file as it is now; one that is gone has the earlier ones.
    fn with_keys(&self, input: TriageInput, mut looks: BTreeMap<String, String>) -> Given {
        let mut unread = None;
        if input.path.is_file() {
            let (file, property) = (input.file(), self.property_of_looks());
            for NamedLooker { name, looker } in &self.toolchains {
                match digest_of_look(&file, looker, &property) {
                    Ok(key) => looks.insert(name.clone(), key),
                    Err(failure) => {
                        unread = Some(looks::words(&failure));
                        looks.remove(name)
                    }
                };
            }
        }
        Given {
            input,
            looks,
            unread,
        }
    }

    /// Returns the options of a look: the compiler may take the time that the user gives to it for an input.
    fn property_of_looks(&self) -> PropertyOptions {
        PropertyOptions {
            timeout_seconds: Some(self.own.timeout),
            ..self.request.property.clone()
        }
    }

    /// Looks at each file with each toolchain, but for what is known. `None` where the user has stopped it.
    async fn look(&self, given: &[Given]) -> Result<Option<Looks>, CommandError> {
        let mut tasks: BTreeMap<String, LookTask> = BTreeMap::new();
        let mut looks = Looks::new();
        for Given {
            input, looks: keys, ..
        } in given
        {
            for NamedLooker { name, looker } in &self.toolchains {
                let Some(key) = keys.get(name).filter(|_| input.path.is_file()) else {
                    continue;
                };
                if let Some(look) = self.directory.look(key) {
                    looks.insert(key.clone(), Ok(look));
                    continue;
                }
                let task = LookTask {
                    key: key.clone(),
                    file: input.file(),
                    looker: Arc::clone(looker),
                };
                tasks.insert(key.clone(), task);
            }
        }
        let known = looks.len();
        self.say(
            "Looking",
            &format!("at {} files, {known} are known", tasks.len()),
        );
        let site = LocalSite::new(&self.context.home()?, self.context.program.clone())?;
        keeper::start(&self.context.program);
        let mut display = Display::new(&self.args.display, self.context);
        let mut interrupts = Interrupts::new(Asked::All)?;
        let seen = looks::run(
            tasks.into_values().collect(),
            (self.property_of_looks(), self.request.jobs),
            &site,
            self.directory,
            (&mut display, &mut interrupts),
        );
        let seen = seen.await?;
        display.close();
        Ok(seen.map(|seen| {
            looks.extend(seen);
            looks
        }))
    }

    /// Reduces what has to be, and shows the groups. The results are written after each reduction.
    async fn reduce(
        &self,
        given: &[Given],
        looks: &Looks,
        inputs: Inputs,
    ) -> Result<ExitStatus, CommandError> {
        let kept = (self.directory, self.request);
        let compilers = (&self.toolchains[..], self.own.timeout);
        let (cases, others) = cases(given, looks, compilers, kept);
        let crashed: Vec<_> = cases.iter().map(|case| case.crashed.clone()).collect();
        let classes = classes(&crashed);
        let reductions = Reductions {
            args: self.args,
            request: self.request,
            context: self.context,
            directory: self.directory,
            toolchains: &self.toolchains,
            cases: &cases,
        };
        let chosen = to_reduce(&classes, &cases);
        let mut outcomes = vec![Outcome::Open; classes.len()];
        for &class in &chosen {
            outcomes[class] = reductions.known(&classes[class]);
        }
        let mut found = TriageResults {
            cases: &cases,
            others: &others,
            classes: &classes,
            chosen,
            outcomes,
            toolchains: &self.toolchains,
            refused: inputs.refused.into_iter().collect(),
            cwd: &self.context.cwd,
            directory: self.directory,
        };
        let open = found.open();
        self.say_classes(&cases, &classes, open.len());
        write(self.directory, &found.record())?;
        for (idx, &class) in open.iter().enumerate() {
            let position = format!("{} of {}", idx + 1, open.len());
            let Some(outcome) = reductions.reduce(&classes[class], &position).await? else {
                break;
            };
            found.outcomes[class] = outcome;
            write(self.directory, &found.record())?;
        }
        Ok(self.show(&found.record()))
    }

    fn say_classes(&self, cases: &[Case], classes: &[Class], open: usize) {
        let new = cases.iter().filter(|case| !case.is_known());
        let bugs: BTreeSet<&str> = new.clone().map(|case| &*case.crashed.bug).collect();
        let message = format!(
            "{} with {} in {} of the same program, of which {open} are to be reduced",
            counted(new.count(), "crash", "crashes"),
            counted(bugs.len(), "signature", "signatures"),
            counted(classes.len(), "class", "classes")
        );
        self.say("Found", &message);
    }

    /// Shows the results, and returns the exit status for them.
    fn show(&self, triage: &Triage) -> ExitStatus {
        match self.args.display.message_format {
            MessageFormat::Json => display::data(&display::json_triage(triage)),
            MessageFormat::Human => display::data(&table(triage)),
        }
        let page = self.directory.path().join("triage.html");
        self.say("Written", &format!("`{page}`"));
        if self.own.open
            && let Err(error) = open::that_detached(&page)
        {
            let message = format!("failed to open `{page}`: {error}");
            display::warn(self.args.display.message_format, message);
        }
        match (triage.is_complete, triage.groups.is_empty()) {
            (false, _) => ExitStatus::Stopped,
            (true, true) => ExitStatus::NoCrash,
            (true, false) => ExitStatus::Reduced,
        }
    }

    fn say(&self, verb: &str, message: &str) {
        say(self.args.display.message_format, verb, message);
    }
}
