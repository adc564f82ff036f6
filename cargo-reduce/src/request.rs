//! Makes a [`ReductionRequest`] of a parsed command line.

pub(crate) mod captured;
mod goal;
pub(crate) mod input;
mod launcher;
mod place;
mod programs;

use crate::args::{Layer, Parsed, Rank, ReduceArgs, ResultArgs, TargetArgs, parse};
use crate::context::Context;
use crate::error::CommandError;
use crate::project::{Project, Subject, find_manifest};
use crate::script;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::{
    Budget, CacheUse, EarlierStep, ExistingOutput, Fidelity, FileInput, ForRustc, Goal, Input,
    MOST_JOBS, Offer, PackageInput, PropertyOptions, ReductionRequest, Repeat, Surroundings,
    TargetSelection, TestName, directory_from,
};
use std::ffi::OsString;

/// Flags that select something of a package.
const PACKAGE_FLAGS: [&str; 17] = [
    "manifest_path",
    "package",
    "lib",
    "doc",
    "fuzz",
    "input",
    "bin",
    "test",
    "example",
    "bench",
    "tests",
    "benches",
    "all_targets",
    "features",
    "all_features",
    "no_default_features",
    "release",
];

/// Finds out where the user stands. Reads the program if it is to come from standard input.
///
/// # Errors
/// Where there is neither a file nor a manifest, or nothing to be read.
pub(crate) fn project(args: &ReduceArgs, context: &Context) -> Result<Project, CommandError> {
    check_toolchain(args)?;
    if let Some(named) = &args.program.subject.captured {
        let number = captured::number(named, context)?;
        return Ok(Project::of_captured(number, &context.cwd));
    }
    if args.program.is_standard_input() {
        let program = context.standard_input()?;
        return Ok(Project::of_standard_input(program, &context.cwd));
    }
    if let Some(file) = args.program.file() {
        let file = context.absolute(file);
        let package = script::package(&file, &context.base()?)?;
        return Ok(Project::of_file(&file, package, &context.cwd));
    }
    if let Some(manifest) = &args.program.subject.manifest_path {
        // cargo takes a script there too.
        let file = context.absolute(manifest);
        if let Some(package) = script::package(&file, &context.base()?)? {
            return Ok(Project::of_file(&file, Some(package), &context.cwd));
        }
        return Ok(Project::of_manifest(&context.absolute(manifest)));
    }
    find_manifest(&context.cwd)
        .map(|manifest| Project::of_manifest(&manifest))
        .ok_or_else(|| {
            let cwd = &context.cwd;
            CommandError::bad_input(format!(
                "found no `Cargo.toml` in `{cwd}` or a directory above"
            ))
            .hint("name a source file, or a manifest with `--manifest-path`")
        })
}

/// Makes the request for a reduction from the parsed command line.
///
/// # Errors
/// Where the arguments contradict each other.
pub(crate) fn request(
    parsed: &Parsed,
    project: &Project,
    context: &Context,
) -> Result<ReductionRequest, CommandError> {
    let args = &parsed.args;
    let target = target(parsed, context)?;
    let goal = goal::goal(parsed, &target, context)?;
    let fidelity = goal::fidelity(parsed, &goal)?;
    let is_test = goal::may_be_test(&goal);
    goal::check_flags_of_errors(parsed, &goal)?;
    check_filter(args, &goal)?;
    check_file(args, project, &goal)?;
    check_target(&target, &goal)?;
    check_repetition(args)?;
    check_watch(args, project)?;
    check_for_rustc(args, &goal)?;
    check_others(args, &goal)?;
    let mut request = ReductionRequest {
        input: match (&args.program.subject.captured, args.program.file()) {
            (Some(named), _) => Input::Captured(captured::input(parsed, named, context)?),
            (None, Some(file)) if project.script().is_none() => {
                Input::File(file_input(parsed, project, context, file)?)
            }
            (None, _) => Input::Package(package_input(parsed, project, context)?),
        },
        instead: None,
        from: None,
        surroundings: Surroundings {
            cwd: context.cwd.clone(),
            vars: context.vars_to_reduce_with(),
            rustc: args
                .program
                .build
                .rustc
                .as_deref()
                .map(|path| context.absolute(path)),
        },
        output: Utf8PathBuf::new(),
        existing_output: match args.result.force {
            true => ExistingOutput::Replace,
            false => ExistingOutput::Refuse,
        },
        property: PropertyOptions {
            goal,
            demands: goal::demands(parsed, context)?,
            env: args.property.env.clone(),
            reads: args
                .property
                .read
                .iter()
                .map(|path| context.absolute(path))
                .collect(),
            at_least: args.property.at_least,
            stability_runs: args.property.stability_runs,
            sandbox: args.property.sandbox.into(),
            timeout_seconds: args.run.timeout,
            baseline_timeout_seconds: args.run.baseline_timeout,
            memory_mib: args.run.memory,
            allow_errors: args.property.allow_errors,
            strict_valid: args.property.strict_valid,
            ignore_location: args.property.ignore_location,
            any_message: args.property.any_message,
            mutate: goal::mutated(parsed, fidelity, is_test)?,
            fidelity,
            repeat: args.property.repeat,
        },
        search: args.search.options(),
        compiler: args.run.compiler.into(),
        jobs: args.run.jobs.map_or_else(cores, usize::from),
        remote: args.remote.request(context, programs::remote_client)?,
        cache: match args.run.no_cache {
            true => CacheUse::ThisRunOnly,
            false => CacheUse::Persistent,
        },
        log: args.run.log.as_deref().map(|path| context.absolute(path)),
        for_rustc: ForRustc {
            crashes_test: args.result.crashes_test,
            bisect_script: args.result.bisect_script,
            ui_test: args.result.ui_test.clone(),
        },
        priority: args.run.priority.into(),
        launcher: launcher::words(args.run.launcher.as_deref(), context)?,
        scratch: launcher::scratch(args.run.scratch.as_deref(), context)?,
        budget: Budget {
            seconds: args.run.max_time,
            queries: args.run.max_queries,
        },
    };
    request.output = match &args.result.output {
        Some(output) => context.absolute(output),
        None => place::default_output(project, &request),
    };
    if let Some(step) = args.search.from {
        let directory = std::mem::take(&mut request.output);
        request.output = directory_from(&directory, step);
        request.from = Some(EarlierStep {
            directory,
            step,
            forbids: args.search.forbid,
        });
    }
    let checked = request.check_bounds();
    checked.map_err(|error| CommandError::bad_input(error.to_string()))?;
    Ok(request)
}

/// Makes the request for a failure that the user has chosen from those that an earlier request has found.
///
/// # Errors
/// Where it cannot be asked for.
pub(crate) fn chosen(
    offer: &Offer,
    request: &ReductionRequest,
    args: &ReduceArgs,
    project: &Project,
    context: &Context,
) -> Result<ReductionRequest, CommandError> {
    let words = ["cargo", "reduce"].into_iter();
    let words = words.chain(offer.words.iter().map(String::as_str));
    let parsed = parse(words.map(OsString::from), &Layer::new());
    let parsed = parsed.map_err(|error| CommandError::bad_input(error.to_string()))?;
    let alone = self::request(&parsed, project, context)?;
    let goal = alone.property.goal;
    let is_test = goal::may_be_test(&goal);
    let (fidelity, mutate) = match is_test {
        true => (request.property.fidelity, request.property.mutate.clone()),
        false => (Fidelity::default(), Vec::new()),
    };
    let mut chosen = ReductionRequest {
        input: alone.input,
        property: PropertyOptions {
            goal,
            fidelity,
            mutate,
            ..request.property.clone()
        },
        ..request.clone()
    };
    if args.result.output.is_none() {
        chosen.output = place::default_output(project, &chosen);
    }
    Ok(chosen)
}

/// Refuses a toolchain in the place of the file: cargo takes one only before the command.
fn check_toolchain(args: &ReduceArgs) -> Result<(), CommandError> {
    let word = args.program.subject.file_or_test.as_ref();
    match word.filter(|word| word.as_str().starts_with('+')) {
        Some(toolchain) => {
            let message = format!("`{toolchain}` is a toolchain, which stands before the command");
            Err(CommandError::bad_input(message).hint(format!("`cargo {toolchain} reduce ..`")))
        }
        None => Ok(()),
    }
}

/// Refuses the names of several tests, and a test's name together with a failure that is not a failing test. A name of a
/// test where none can be is a file that was not spelled as one.
fn check_filter(args: &ReduceArgs, goal: &Goal) -> Result<(), CommandError> {
    if args.program.n_test_names() > 1 {
        return Err(
            CommandError::bad_input("only one test can be reduced at a time")
                .hint("give one name, before `--` or after it"),
        );
    }
    match (args.program.filter(), goal) {
        (Some(name), goal) if !goal.info().takes_test_name => {
            let message = format!("`{name}` is no Rust source file");
            Err(CommandError::bad_input(message)
                .hint("a file has the extension `.rs`; a test's name is for failing tests"))
        }
        _ => Ok(()),
    }
}

/// Refuses to look for a failing test in a single file, as cargo knows tests of packages only.
fn check_file(args: &ReduceArgs, project: &Project, goal: &Goal) -> Result<(), CommandError> {
    match args.program.file().filter(|_| project.script().is_none()) {
        Some(_) if goal.info().needs_package => {
            let message = "a single file has no tests that cargo knows of";
            Err(CommandError::bad_input(message)
                .hint("`--run FILE.rs -- --test` runs the tests in a file"))
        }
        _ => Ok(()),
    }
}

/// Refuses a target that the failure cannot have: what is run, or handed to another program, is one target. Only a failing
/// test can be a fuzz target; in a doc test, the compiler may crash or report an error as well.
fn check_target(target: &TargetSelection, goal: &Goal) -> Result<(), CommandError> {
    let flag = match target {
        TargetSelection::Doc if matches!(goal, Goal::Ice | Goal::Error(_)) => None,
        TargetSelection::Doc => Some("--doc"),
        TargetSelection::Fuzz { .. } => Some("--fuzz"),
        _ => None,
    };
    if let (Some(flag), false) = (flag, matches!(goal, Goal::Test { .. })) {
        let message = format!("`{flag}` selects tests, which are reduced only where they fail");
        let hint = format!("leave out `{flag}`, or the flag that asks for another failure");
        return Err(CommandError::bad_input(message).hint(hint));
    }
    let Some(needs_one) = goal.info().one_target_for else {
        return Ok(());
    };
    match target.flag_of_several() {
        None => Ok(()),
        Some(flag) => Err(CommandError::bad_input(format!(
            "`{needs_one}` needs one target, and `{flag}` selects several"
        ))
        .hint("name it: `--lib`, `--bin NAME`, `--test NAME`, `--example NAME` or `--bench NAME`")),
    }
}

/// Refuses `--watch` for inputs that never change: what was read from standard input, and a script, of which the package is made once.
fn check_watch(args: &ReduceArgs, project: &Project) -> Result<(), CommandError> {
    let (message, hint) = match () {
        () if !args.run.watch => return Ok(()),
        () if args.program.is_standard_input() => (
            "`--watch` cannot watch standard input",
            "write the program to a file, and name that",
        ),
        () if project.script().is_some() => (
            "`--watch` cannot watch a cargo script",
            "make a package of it, and call `cargo reduce --watch` there",
        ),
        () => return Ok(()),
    };
    Err(CommandError::bad_input(message).hint(hint))
}

/// Checks that options for those who work on rustc go with a crash; a bisection is about whatever a toolchain can have brought.
fn check_for_rustc(args: &ReduceArgs, goal: &Goal) -> Result<(), CommandError> {
    let ResultArgs {
        crashes_test,
        bisect_script,
        ui_test,
        ..
    } = &args.result;
    let wanted = [
        (crashes_test.is_some(), "--crashes-test"),
        (*bisect_script, "--bisect-script"),
        (ui_test.is_some(), "--ui-test"),
    ];
    let option = wanted.into_iter().find(|(is_wanted, _)| *is_wanted);
    let is_bisected = matches!(
        goal,
        Goal::Error(_) | Goal::Warning(_) | Goal::Any | Goal::Run { .. } | Goal::Test { .. }
    );
    match option {
        Some((_, "--bisect-script")) if is_bisected => Ok(()),
        Some((_, option)) if *goal != Goal::Ice => {
            let others = match option {
                "--bisect-script" => {
                    ", an error, a warning, a failing test or a program that fails"
                }
                _ => "",
            };
            let message = format!("`{option}` writes a file about a crash of the compiler{others}");
            Err(CommandError::bad_input(message).hint(format!(
                "add `--ice` if the compiler crashes; for another failure leave `{option}` out"
            )))
        }
        _ => check_names(*crashes_test, ui_test.as_deref()),
    }
}

/// Refuses `--others` if the failure is no crash of the compiler.
fn check_others(args: &ReduceArgs, goal: &Goal) -> Result<(), CommandError> {
    match args.run.others && *goal != Goal::Ice {
        true => Err(
            CommandError::bad_input("`--others` reduces other crashes of the compiler").hint(
                "add `--ice` if the compiler crashes; for another failure leave `--others` out",
            ),
        ),
        false => Ok(()),
    }
}

/// Refuses names for which the tests of `--crashes-test` and `--ui-test` would be the same file.
fn check_names(crashes_test: Option<u32>, ui_test: Option<&str>) -> Result<(), CommandError> {
    let number = crashes_test.map(|number| number.to_string());
    match (number, ui_test) {
        (Some(number), Some(name)) if number == name => {
            let message = "the tests of `--crashes-test` and `--ui-test` would be the same file";
            Err(CommandError::bad_input(message).hint(format!(
                "name the other one otherwise, such as `--ui-test issue-{number}`"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses `--at-least` if the failures cannot be in so few runs.
fn check_repetition(args: &ReduceArgs) -> Result<(), CommandError> {
    let at_least = args.property.at_least;
    match args.property.repeat {
        Repeat::Times(times) if times < at_least => {
            let message = format!("{at_least} failures cannot be in `--repeat {times}` runs");
            Err(CommandError::bad_input(message).hint(format!(
                "`--repeat auto --at-least {at_least}` chooses how many runs that needs"
            )))
        }
        _ => Ok(()),
    }
}

fn file_input(
    parsed: &Parsed,
    project: &Project,
    context: &Context,
    file: &Utf8Path,
) -> Result<FileInput, CommandError> {
    let is_given = |id: &&&str| parsed.rank(id) == Some(Rank::CommandLine);
    if let Some(id) = PACKAGE_FLAGS.iter().find(is_given) {
        let flag = id.replace('_', "-");
        return Err(CommandError::bad_input(format!(
            "`--{flag}` is for packages, and `{file}` is a single file"
        ))
        .hint("flags for rustc go after `--`"));
    }
    let program = &parsed.args.program;
    let (path, text) = match &project.subject {
        Subject::StandardInput(text) => ("stdin.rs".into(), Some(text.clone())),
        _ => (file, None),
    };
    Ok(FileInput {
        path: context.absolute(path),
        text,
        edition: program.build.edition.clone(),
        target_triple: program.build.target.clone(),
        rustc_args: program.rustc_args(),
        revision: program.build.revision.clone(),
        ..FileInput::default()
    })
}

fn package_input(
    parsed: &Parsed,
    project: &Project,
    context: &Context,
) -> Result<PackageInput, CommandError> {
    if parsed.rank("edition") == Some(Rank::CommandLine) {
        return Err(CommandError::bad_input("`--edition` is for single files")
            .hint("the edition of a package is in its manifest"));
    }
    if parsed.rank("revision") == Some(Rank::CommandLine) {
        return Err(CommandError::bad_input("`--revision` is for single files")
            .hint("only a file of rustc's own tests has revisions"));
    }
    let program = &parsed.args.program;
    let named = program.subject.manifest_path.as_deref();
    let manifest = project.script().map(Utf8Path::to_owned);
    Ok(PackageInput {
        manifest_path: manifest.or_else(|| named.map(|path| context.absolute(path))),
        package: program.subject.package.clone(),
        target: target(parsed, context)?,
        features: program.build.features.clone(),
        all_features: program.build.all_features,
        no_default_features: program.build.no_default_features,
        release: program.build.release,
        target_triple: program.build.target.clone(),
        rustc_args: program.rustc_args(),
    })
}

/// Returns the target of the package that the user has selected with the highest precedence: a flag counts more than a
/// variable, and that more than a file.
fn target(parsed: &Parsed, context: &Context) -> Result<TargetSelection, CommandError> {
    let targets = &parsed.args.program.targets;
    let given = [
        ("lib", targets.lib.then_some(TargetSelection::Lib)),
        ("doc", targets.doc.then_some(TargetSelection::Doc)),
        ("fuzz", fuzz_target(targets, context)),
        ("bin", targets.bin.clone().map(TargetSelection::Bin)),
        ("test", targets.test.clone().map(TargetSelection::Test)),
        (
            "example",
            targets.example.clone().map(TargetSelection::Example),
        ),
        ("bench", targets.bench.clone().map(TargetSelection::Bench)),
        ("tests", targets.tests.then_some(TargetSelection::Tests)),
        (
            "benches",
            targets.benches.then_some(TargetSelection::Benches),
        ),
        (
            "all_targets",
            targets.all_targets.then_some(TargetSelection::AllTargets),
        ),
    ];
    let given = given
        .into_iter()
        .filter_map(|(id, target)| Some((parsed.rank(id), target?)));
    let mut given: Vec<(Option<Rank>, TargetSelection)> = given.collect();
    let highest = given.iter().map(|(rank, _)| *rank).max();
    given.retain(|(rank, _)| Some(*rank) == highest);
    match (given.pop(), given.pop()) {
        (None, _) => Ok(match parsed.args.program.test_name() {
            Some(TestName::Doc(_)) => TargetSelection::Doc,
            _ => TargetSelection::Default,
        }),
        (Some((_, target)), None) => Ok(target),
        (Some(_), Some(_)) => Err(CommandError::bad_input(
            "only one of `--lib`, `--doc`, `--fuzz`, `--bin`, `--test`, `--example`, `--bench`, `--tests`, `--benches` \
             and `--all-targets` can be reduced at a time",
        )
        .hint("`--all-targets` looks in all of them and reduces what fails first")),
    }
}

fn fuzz_target(targets: &TargetArgs, context: &Context) -> Option<TargetSelection> {
    let (target, input) = targets.fuzz.as_ref().zip(targets.input.as_ref())?;
    Some(TargetSelection::Fuzz {
        target: target.clone(),
        input: context.absolute(input),
    })
}

/// Returns the number of cores that this process may use.
pub(crate) fn cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.min(MOST_JOBS)
}

#[cfg(test)]
mod tests;
