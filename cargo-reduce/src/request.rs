//! From a parsed command line to a [`ReductionRequest`].

pub(crate) mod captured;
mod goal;
pub(crate) mod input;
mod launcher;
mod place;

use crate::args::{Layer, Parsed, ProgramArgs, Rank, ReduceArgs, ResultArgs, parse};
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
    if let Some(named) = &args.program.captured {
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
    if let Some(manifest) = &args.program.manifest_path {
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

/// Makes the request.
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
        input: match (&args.program.captured, args.program.file()) {
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
        remote: args.remote.request(|path| context.absolute(path)),
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

/// The request with a failure that was chosen in place of the one that left the choice.
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

/// Names of tests are those of one test. A name of a test where none can be is a file that was not spelled as one.
fn check_filter(args: &ReduceArgs, goal: &Goal) -> Result<(), CommandError> {
    if args.program.n_test_names() > 1 {
        return Err(
            CommandError::bad_input("only one test can be reduced at a time")
                .hint("give one name, before `--` or after it"),
        );
    }
    match (args.program.filter(), goal) {
        (Some(name), goal) if !goal.wanted().takes_test_name => {
            let message = format!("`{name}` is no Rust source file");
            Err(CommandError::bad_input(message)
                .hint("a file has the extension `.rs`; a test's name is for failing tests"))
        }
        _ => Ok(()),
    }
}

/// A failing test is one of a package.
fn check_file(args: &ReduceArgs, project: &Project, goal: &Goal) -> Result<(), CommandError> {
    match args.program.file().filter(|_| project.script().is_none()) {
        Some(_) if goal.wanted().needs_package => {
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
    let Some(needs_one) = goal.wanted().one_target_for else {
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

/// What is for those who work on rustc is about crashes.
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
    let is_reported = matches!(goal, Goal::Error(_) | Goal::Warning(_) | Goal::Any);
    match option {
        Some((_, "--bisect-script")) if is_reported => Ok(()),
        Some((_, option)) if *goal != Goal::Ice => {
            let others = match option {
                "--bisect-script" => ", an error or a warning",
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

/// Other crashes are those of the compiler, which are not looked for where something else fails.
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

/// Both tests of rustc's own are written beside the result.
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

/// So many failures cannot be in fewer runs.
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
        edition: program.edition.clone(),
        target_triple: program.target.clone(),
        rustc_args: program.rustc_args(),
        revision: program.revision.clone(),
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
    let named = program.manifest_path.as_deref();
    let manifest = project.script().map(Utf8Path::to_owned);
    Ok(PackageInput {
        manifest_path: manifest.or_else(|| named.map(|path| context.absolute(path))),
        package: program.package.clone(),
        target: target(parsed, context)?,
        features: program.features.clone(),
        all_features: program.all_features,
        no_default_features: program.no_default_features,
        release: program.release,
        target_triple: program.target.clone(),
        rustc_args: program.rustc_args(),
    })
}

/// The target that was given in the most pressing way: a flag counts more than a variable, and that
/// more than a file.
fn target(parsed: &Parsed, context: &Context) -> Result<TargetSelection, CommandError> {
    let program = &parsed.args.program;
    let given = [
        ("lib", program.lib.then_some(TargetSelection::Lib)),
        ("doc", program.doc.then_some(TargetSelection::Doc)),
        ("fuzz", fuzz_target(program, context)),
        ("bin", program.bin.clone().map(TargetSelection::Bin)),
        ("test", program.test.clone().map(TargetSelection::Test)),
        (
            "example",
            program.example.clone().map(TargetSelection::Example),
        ),
        ("bench", program.bench.clone().map(TargetSelection::Bench)),
        ("tests", program.tests.then_some(TargetSelection::Tests)),
        (
            "benches",
            program.benches.then_some(TargetSelection::Benches),
        ),
        (
            "all_targets",
            program.all_targets.then_some(TargetSelection::AllTargets),
        ),
    ];
    let given = given
        .into_iter()
        .filter_map(|(id, target)| Some((parsed.rank(id), target?)));
    let mut given: Vec<(Option<Rank>, TargetSelection)> = given.collect();
    let highest = given.iter().map(|(rank, _)| *rank).max();
    given.retain(|(rank, _)| Some(*rank) == highest);
    match (given.pop(), given.pop()) {
        (None, _) => Ok(match program.test_name() {
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

fn fuzz_target(program: &ProgramArgs, context: &Context) -> Option<TargetSelection> {
    let (target, input) = program.fuzz.as_ref().zip(program.input.as_ref())?;
    Some(TargetSelection::Fuzz {
        target: target.clone(),
        input: context.absolute(input),
    })
}

/// How many cores this process may use.
pub(crate) fn cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.min(MOST_JOBS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::ExitStatus;
    use reduce_engine::{Algorithm, CompilerChoice, Demands, SandboxMode, SearchOptions};

    fn try_request(words: &[&str], files: &Layer) -> Result<ReductionRequest, CommandError> {
        request_of(words, files, Subject::Package)
    }

    /// As asked for in `/crate`, a package or what else is said. A file is taken to be there.
    fn request_of(
        words: &[&str],
        files: &Layer,
        subject: Subject,
    ) -> Result<ReductionRequest, CommandError> {
        let words = ["cargo", "reduce"].iter().chain(words).map(OsString::from);
        let parsed = parse(words, files).unwrap();
        let context = Context {
            cwd: "/crate".into(),
            vars: [("PATH".to_owned(), "/bin".to_owned())].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        let project = match (parsed.args.program.file(), subject) {
            (Some(_), Subject::StandardInput(text)) => {
                Project::of_standard_input(text, &context.cwd)
            }
            (Some(file), _) => Project::of_file(&context.absolute(file), None, &context.cwd),
            (None, subject) => Project {
                directory: "/crate".into(),
                target_parent: "/workspace".into(),
                name: "krate".to_owned(),
                subject,
            },
        };
        request(&parsed, &project, &context)
    }

    /// Where the result goes.
    pub(super) fn output_of(words: &[&str]) -> Utf8PathBuf {
        try_request(words, &Layer::new()).unwrap().output
    }

    /// Where it goes for a workspace without a package of its own.
    pub(super) fn virtual_output_of(words: &[&str]) -> Utf8PathBuf {
        let request = request_of(words, &Layer::new(), Subject::Workspace);
        request.unwrap().output
    }

    #[track_caller]
    fn check_refused(words: &[&str], expected: &str) {
        let error = try_request(words, &Layer::new()).unwrap_err();
        assert_eq!(error.kind, ExitStatus::BadInput);
        assert!(
            error.source.to_string().contains(expected),
            "{}",
            error.source
        );
    }

    fn package(words: &[&str]) -> PackageInput {
        match try_request(words, &Layer::new()).unwrap().input {
            Input::Package(package) => package,
            other => panic!("{other:?} is no package"),
        }
    }

    #[test]
    fn ice_alone_reduces_the_package_here() {
        let request = try_request(&["--ice"], &Layer::new()).unwrap();
        assert_eq!(request.input, Input::Package(PackageInput::default()));
        assert_eq!(request.output, "/workspace/target/reduce/krate");
        assert_eq!(request.existing_output, ExistingOutput::Refuse);
        assert_eq!(request.cache, CacheUse::Persistent);
        assert_eq!(request.surroundings.vars["PATH"], "/bin");
        assert_eq!(request.property.memory_mib, 6144);
        assert_eq!(request.search, SearchOptions::default());
        assert!(request.jobs >= 1);
    }

    #[test]
    fn doc_tests_are_named_as_rustdoc_does() {
        let title = "src/lib.rs - price (line 5)";
        let request = try_request(&["--doc", title], &Layer::new()).unwrap();
        let filter = Some(title.to_owned());
        assert_eq!(request.property.goal, Goal::Test { filter });
        assert_eq!(package(&["--doc"]).target, TargetSelection::Doc);
        assert!(try_request(&["--ice", "--doc"], &Layer::new()).is_ok());
        check_refused(&["--clippy", "--doc"], "only where they fail");
    }

    #[test]
    fn a_test_is_named_as_tools_name_it() {
        let check = |words: &[&str], target: TargetSelection, expected: &str| {
            let request = try_request(words, &Layer::new()).unwrap();
            let filter = Some(expected.to_owned());
            assert_eq!(request.property.goal, Goal::Test { filter }, "{words:?}");
            let Input::Package(package) = request.input else {
                panic!("{words:?} is no package");
            };
            assert_eq!(package.target, target, "{words:?}");
            assert_eq!(package.rustc_args, [""; 0], "{words:?}");
        };
        let default = || TargetSelection::Default;
        check(&["test m::a ... FAILED"], default(), "m::a");
        check(&["spans::bin/tool m::a"], default(), "spans::bin/tool m::a");
        check(&["tests/api.rs:31:5"], default(), "tests/api.rs:31");
        check(&["--", "m::a", "--exact"], default(), "m::a");
        let api = || TargetSelection::Test("api".to_owned());
        check(&["--test", "api", "--", "--nocapture", "a"], api(), "a");
        let title = "src/lib.rs - price (line 5)";
        check(&[title], TargetSelection::Doc, title);
        check_refused(&["a", "--", "b"], "only one test");
        check_refused(&["--", "b", "a", "--exact"], "only one test");
    }

    #[test]
    fn a_fuzz_target_needs_an_input() {
        let target = package(&["--fuzz", "parse", "--input", "crash-1"]).target;
        let (name, input) = ("parse".to_owned(), "/crate/crash-1".into());
        assert_eq!(
            target,
            TargetSelection::Fuzz {
                target: name,
                input
            }
        );
        let fuzz = ["--ice", "--fuzz", "parse", "--input", "crash-1"];
        check_refused(&fuzz, "only where they fail");
        let words = ["cargo", "reduce", "--fuzz", "parse"].map(OsString::from);
        assert!(parse(words, &Layer::new()).is_err());
    }

    #[test]
    fn what_is_to_stay_must_be_said_where_nobody_chooses() {
        let request = try_request(&["--whole"], &Layer::new()).unwrap();
        assert_eq!(request.property.goal, Goal::Unsaid);
        for words in [["--detach"], ["--watch"], ["a.rs"]] {
            check_refused(&words, "what must stay");
        }
    }

    #[test]
    fn what_is_chosen_takes_the_place_of_what_left_the_choice() {
        let args = ["cargo", "reduce", "--whole", "--jobs", "3", "--release"].map(OsString::from);
        let parsed = parse(args, &Layer::new()).unwrap();
        let context = Context {
            cwd: "/crate".into(),
            vars: [].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        let project = Project::of_manifest("/crate/Cargo.toml".into());
        let unsaid = request(&parsed, &project, &context).unwrap();
        let chosen = |words: &[&str]| {
            let offer = Offer {
                what: "a".to_owned(),
                words: words.iter().map(|word| (*word).to_owned()).collect(),
            };
            chosen(&offer, &unsaid, &parsed.args, &project, &context).unwrap()
        };
        let test = chosen(&["--test", "api", "--release", "m::a"]);
        let filter = Some("m::a".to_owned());
        assert_eq!(test.property.goal, Goal::Test { filter });
        assert_eq!(test.property.fidelity, Fidelity::Whole);
        assert_eq!(test.jobs, 3);
        assert!(test.output.as_str().contains("test-api"), "{}", test.output);
        let Input::Package(package) = test.input else {
            panic!("it is no package");
        };
        assert_eq!(package.target, TargetSelection::Test("api".to_owned()));
        assert!(package.release);
        let error = chosen(&["--error", "E0308", "--lib"]);
        assert!(matches!(error.property.goal, Goal::Error(_)));
        assert_eq!(error.property.fidelity, Fidelity::Test);
    }

    #[test]
    fn package_flags_are_carried_over() {
        let package = package(&[
            "--ice",
            "--manifest-path",
            "sub/Cargo.toml",
            "-p",
            "tool",
            "--bin",
            "main",
            "--features",
            "a,b",
            "--no-default-features",
            "--release",
            "--target",
            "wasm32",
            "--",
            "-Zunpretty=hir",
            "-O",
        ]);
        assert_eq!(package.manifest_path.unwrap(), "/crate/sub/Cargo.toml");
        assert_eq!(package.package.unwrap(), "tool");
        assert_eq!(package.target, TargetSelection::Bin("main".to_owned()));
        assert_eq!(package.features, ["a,b"]);
        assert!(package.no_default_features && package.release && !package.all_features);
        assert_eq!(package.target_triple.unwrap(), "wasm32");
        assert_eq!(package.rustc_args, ["-Zunpretty=hir", "-O"]);
    }

    #[test]
    fn all_kinds_of_targets_are_carried_over() {
        use TargetSelection::{AllTargets, Bench, Benches, Tests};
        let cases = [
            (vec!["--bench", "b"], Bench("b".to_owned())),
            (vec!["--tests"], Tests),
            (vec!["--benches"], Benches),
            (vec!["--all-targets"], AllTargets),
        ];
        for (words, expected) in cases {
            let words = [vec!["--ice"], words].concat();
            assert_eq!(package(&words).target, expected);
        }
        check_refused(&["--ice", "--tests", "--lib"], "at a time");
        check_refused(
            &["--ice", "x.rs", "--all-targets"],
            "`--all-targets` is for packages",
        );
    }

    #[test]
    fn what_needs_one_target_does_not_take_all() {
        check_refused(
            &["--run", "--tests"],
            "`--run` needs one target, and `--tests`",
        );
        check_refused(
            &["--script", "x", "--all-targets"],
            "`--script` needs one target",
        );
        check_refused(&["--rustdoc", "--benches"], "`--rustdoc` needs one target");
        for words in [
            ["--error", "E0308"],
            ["--hang", "5"],
            ["--warning", "dead_code"],
        ] {
            let words = [&words[..], &["--all-targets"]].concat();
            assert!(try_request(&words, &Layer::new()).is_ok(), "{words:?}");
        }
    }

    #[test]
    fn a_file_is_compiled_by_rustc_alone() {
        let words = [
            "--ice",
            "a/crash.rs",
            "--edition",
            "2024",
            "--",
            "-Copt-level=3",
        ];
        let expected = Input::File(FileInput {
            path: "/crate/a/crash.rs".into(),
            text: None,
            edition: Some("2024".to_owned()),
            target_triple: None,
            rustc_args: vec!["-Copt-level=3".to_owned()],
            ..FileInput::default()
        });
        assert_eq!(try_request(&words, &Layer::new()).unwrap().input, expected);
    }

    #[test]
    fn run_flags_are_carried_over() {
        let words = [
            "--ice",
            "--output",
            "out",
            "--force",
            "--jobs",
            "7",
            "--compiler",
            "spawn",
            "--timeout",
            "9",
            "--baseline-timeout",
            "30",
            "--memory",
            "512",
            "--repeat",
            "4",
            "--stability-runs",
            "5",
            "--allow-errors",
            "--ignore-location",
            "--no-cache",
            "--algorithm",
            "probdd",
            "--rustc",
            "/built/rustc",
        ];
        let request = try_request(&words, &Layer::new()).unwrap();
        assert_eq!(request.output, "/crate/out");
        assert_eq!(request.existing_output, ExistingOutput::Replace);
        assert_eq!(request.jobs, 7);
        assert_eq!(request.compiler, CompilerChoice::Spawn);
        assert_eq!(request.cache, CacheUse::ThisRunOnly);
        assert_eq!(request.search.algorithm, Algorithm::Probdd);
        assert_eq!(request.surroundings.rustc.unwrap(), "/built/rustc");
        let expected = PropertyOptions {
            timeout_seconds: Some(9),
            baseline_timeout_seconds: 30,
            memory_mib: 512,
            allow_errors: true,
            strict_valid: false,
            ignore_location: true,
            any_message: false,
            fidelity: Fidelity::Test,
            mutate: vec![],
            repeat: Repeat::Times(4),
            at_least: 1,
            stability_runs: Some(5),
            sandbox: SandboxMode::Default,
            goal: Goal::Ice,
            demands: Demands::default(),
            env: vec![],
            reads: vec![],
        };
        assert_eq!(request.property, expected);
    }

    #[test]
    fn a_number_that_cannot_be_meant_is_refused() {
        check_refused(&["--ice", "--jobs", "1000000"], "from 1 to 1024");
        check_refused(&["--ice", "--memory", "9999999999999"], "`--memory");
        check_refused(
            &["--ice", "--timeout", "18446744073709551615"],
            "`--timeout",
        );
        check_refused(&["--hang", "18446744073709551615"], "`--hang");
    }

    #[test]
    fn a_hang_is_that_of_the_compiler_a_program_or_a_test() {
        let of_program = |args: &[&str]| Goal::Hang {
            of_program: true,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            seconds: 3,
        };
        let of_test = |filter: Option<&str>| Goal::TestHang {
            filter: filter.map(str::to_owned),
            seconds: 3,
        };
        let of_compiler = Goal::Hang {
            of_program: false,
            args: vec![],
            seconds: 3,
        };
        let table: [(&[&str], Goal); 7] = [
            (&["--test", "t"], of_compiler),
            (&["--run", "x.rs"], of_program(&[])),
            (&["--run", "--bin", "b"], of_program(&[])),
            (&["--run=own", "--test", "t"], of_program(&["own"])),
            (&["--run", "--test", "t"], of_test(None)),
            (&["--run", "--lib", "waits"], of_test(Some("waits"))),
            (&["--run", "waits"], of_test(Some("waits"))),
        ];
        for (words, expected) in table {
            let words = [&["--hang", "3"], words].concat();
            let request = try_request(&words, &Layer::new()).unwrap();
            assert_eq!(request.property.goal, expected, "{words:?}");
        }
    }

    #[test]
    fn how_faithful_a_result_is_can_be_said_of_tests() {
        let fidelity = |words: &[&str], files: &Layer| {
            let request = try_request(words, files).unwrap();
            request.property.fidelity
        };
        let nothing = Layer::new();
        assert_eq!(fidelity(&["--test", "api"], &nothing), Fidelity::Test);
        assert_eq!(fidelity(&["--free", "sums"], &nothing), Fidelity::Free);
        assert_eq!(fidelity(&["--lib", "--whole"], &nothing), Fidelity::Whole);
        let file = Layer::from([("free".to_owned(), vec!["true".to_owned()])]);
        assert_eq!(fidelity(&["--lib"], &file), Fidelity::Free);
        assert_eq!(fidelity(&["--ice"], &file), Fidelity::Test);
        check_refused(&["--ice", "--free"], "`--free` is for failing tests");
        check_refused(&["--ice", "--whole"], "`--whole` is for failing tests");
    }

    #[test]
    fn packages_are_mutated_for_a_test_that_mutants_guard() {
        let mutated = |words: &[&str], files: &Layer| {
            let request = try_request(words, files).unwrap();
            let specs = request.property.mutate.iter();
            specs.map(ToString::to_string).collect::<Vec<_>>()
        };
        let words = ["--lib", "--mutate", "a", "--mutate", "b@1.2"];
        assert_eq!(mutated(&words, &Layer::new()), ["a", "b@1.2"]);
        let file = Layer::from([("mutate".to_owned(), vec!["c".to_owned()])]);
        assert_eq!(mutated(&["--test", "t"], &file), ["c"]);
        assert_eq!(mutated(&["--ice"], &file), [""; 0]);
        let refused = "`--mutate` is for failing tests";
        check_refused(&["--ice", "--mutate", "a"], refused);
        check_refused(&["--lib", "--mutate", "a", "--free"], "`--free`");
        check_refused(&["--lib", "--mutate", "a", "--good", "HEAD"], "`--good`");
    }

    #[test]
    fn flags_that_contradict_each_other_are_refused() {
        check_refused(&["--ice", "--lib", "--bin", "main"], "at a time");
        check_refused(&["--ice", "x.rs", "--lib"], "`--lib` is for packages");
        check_refused(
            &["--ice", "x.rs", "--manifest-path", "a"],
            "`--manifest-path`",
        );
        check_refused(
            &["--ice", "--edition", "2024"],
            "`--edition` is for single files",
        );
    }

    #[test]
    fn more_failures_than_runs_are_refused() {
        check_refused(&["--ice", "--at-least", "2"], "2 failures");
        check_refused(
            &["--ice", "--repeat", "3", "--at-least", "4"],
            "`--repeat 3`",
        );
        let words = ["--ice", "--repeat", "auto", "--at-least", "4"];
        let property = try_request(&words, &Layer::new()).unwrap().property;
        assert_eq!((property.repeat, property.at_least), (Repeat::Auto, 4));
    }

    #[test]
    fn a_flag_wins_over_another_target_in_a_file() {
        let files = Layer::from([("bin".to_owned(), vec!["main".to_owned()])]);
        let request = try_request(&["--ice", "--lib"], &files).unwrap();
        assert!(matches!(
            request.input,
            Input::Package(PackageInput {
                target: TargetSelection::Lib,
                ..
            })
        ));
    }

    #[test]
    fn a_target_in_a_file_does_not_hinder_the_reduction_of_a_single_file() {
        let files = Layer::from([("bin".to_owned(), vec!["main".to_owned()])]);
        assert!(try_request(&["--ice", "x.rs"], &files).is_ok());
    }

    #[test]
    fn the_text_of_standard_input_is_the_program() {
        let of_text = |text: &str| {
            let subject = Subject::StandardInput(text.to_owned());
            request_of(&["--ice", "-"], &Layer::new(), subject).unwrap()
        };
        let request = of_text("fn f() {}");
        let Input::File(file) = &request.input else {
            panic!("{:?} is no file", request.input);
        };
        assert_eq!(file.path, "/crate/stdin.rs");
        assert_eq!(file.text.as_deref(), Some("fn f() {}"));
        assert!(
            request
                .output
                .as_str()
                .starts_with("/crate/target/reduce/stdin.")
        );
        assert_eq!(request.output, of_text("fn f() {}").output);
        assert_ne!(request.output, of_text("fn g() {}").output);
    }

    #[test]
    fn what_is_for_rustc_is_about_crashes() {
        let given = [
            "--crashes-test",
            "123",
            "--ui-test",
            "bad-bound",
            "--bisect-script",
        ];
        let request = try_request(&[&["--ice"], &given[..]].concat(), &Layer::new());
        let expected = ForRustc {
            crashes_test: Some(123),
            bisect_script: true,
            ui_test: Some("bad-bound".to_owned()),
        };
        assert_eq!(request.unwrap().for_rustc, expected);
        for option in [&given[..2], &given[2..4], &given[4..]] {
            check_refused(
                &[&["--run"], option].concat(),
                "about a crash of the compiler",
            );
        }
    }

    #[test]
    fn errors_and_warnings_are_bisected_too() {
        for goal in [["--error", "E0277"], ["--warning", "dead_code"]] {
            let given = [&goal[..], &["--bisect-script"]].concat();
            let request = try_request(&given, &Layer::new()).unwrap();
            assert!(request.for_rustc.bisect_script);
        }
    }

    #[test]
    fn a_ui_test_is_another_file_than_a_crashes_test() {
        let named = ["--ice", "--crashes-test", "123", "--ui-test", "123"];
        check_refused(&named, "would be the same file");
    }

    #[test]
    fn standard_input_is_not_watched() {
        check_refused(
            &["--ice", "-", "--watch"],
            "`--watch` cannot watch standard input",
        );
    }
}
