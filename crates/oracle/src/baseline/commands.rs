//! Checks in which something else than rustc is asked: a script, cargo, rustfmt, rustdoc, clippy.
//!
//! Of a candidate for a script, cargo or rustfmt nothing is known but its files: the compiler is not
//! asked which these are, as the program need not compile. rustdoc and clippy take the arguments of
//! rustc, and are asked like it.

use super::cargo_home::CargoHome;
use super::package::{Workspace, tail};
use super::replay::Replayed;
use super::{Setting, checks, environment};
use crate::args;
use crate::check::{Check, CommandCall, Meaning};
use crate::error::OracleError;
use crate::files;
use crate::goal::Goal;
use crate::plan::{Plan, Sources, quoted};
use crate::process::Ending;
use crate::sandbox::SandboxMode;
use crate::signature::CrashKind;
use crate::snapshot::{Snapshot, all_files};
use crate::target::PackageInput;
use camino::{Utf8Path, Utf8PathBuf};
use std::os::unix::fs::PermissionsExt;

/// Runs scripts that do not say what they are for.
const SHELL: &str = "/bin/sh";
/// Where rustfmt finds what the user wants of it.
const RUSTFMT_FILES: [&str; 2] = ["rustfmt.toml", ".rustfmt.toml"];
/// The same for clippy.
const CLIPPY_FILES: [&str; 2] = ["clippy.toml", ".clippy.toml"];
/// What rustdoc does not take of rustc's arguments.
const NOT_FOR_RUSTDOC: [&str; 6] = ["--emit", "-O", "-g", "-l", "--print", "--explain"];

/// Whether a package is not compiled by us to see the failure.
pub(super) fn serves(goal: &Goal) -> bool {
    matches!(
        goal,
        Goal::Script { .. } | Goal::Cargo { .. } | Goal::Rustfmt
    )
}

/// Finds the failure in a package, and replays it.
pub(super) fn find(
    workspace: &Workspace,
    input: &PackageInput,
    snapshot: &Snapshot,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    let plan = match &setting.options.goal {
        Goal::Cargo { args } => cargo_plan(workspace, args, input, snapshot, setting)?,
        Goal::Script { path } => {
            let plan = plan_of(workspace, &[], "", input, snapshot, setting)?;
            let directory = plan.cwd.clone();
            scripted(plan, path, directory, setting)?
        }
        _ => {
            let plan = plan_of(workspace, &[], "", input, snapshot, setting)?;
            formatted(plan, &setting.user.cwd, setting)?
        }
    };
    checks::replay(plan, None, setting)
}

/// The plan for a target of the workspace: its files, and no call.
fn plan_of(
    workspace: &Workspace,
    args: &[String],
    output: &str,
    input: &PackageInput,
    snapshot: &Snapshot,
    setting: &Setting<'_>,
) -> Result<Plan, OracleError> {
    let chosen = workspace.choose(input, args, output)?;
    let place = |path: &Utf8Path| snapshot.place_of(path).unwrap_or_else(|| path.to_owned());
    let (root, directory) = (place(&chosen.root), place(&chosen.directory));
    let inner = |path: &Utf8Path| path.strip_prefix(&snapshot.tree).map(Utf8Path::to_owned);
    let root = inner(&root).unwrap_or(root);
    let mut files = all_files(&snapshot.tree, &snapshot.tree)?;
    if setting.options.goal == Goal::Rustfmt {
        files.retain(|path| path.extension() == Some("rs"));
    }
    Ok(Plan {
        args: vec![format!("--edition={}", chosen.edition), root.to_string()],
        env: environment::of_file(&setting.user.vars, &[]),
        cwd: inner(&directory).unwrap_or_default(),
        root,
        files,
        crate_name: chosen.name,
        edition: chosen.edition,
        ..setting.bare_plan(setting.toolchain.compiler.clone(), snapshot.tree.clone())
    })
}

/// The plan for a cargo command. It is run once as the user would, which compiles what does not
/// change, and says which target fails.
fn cargo_plan(
    workspace: &Workspace,
    args: &[String],
    input: &PackageInput,
    snapshot: &Snapshot,
    setting: &Setting<'_>,
) -> Result<Plan, OracleError> {
    let mut home = home_for_candidates(setting)?;
    let ran = workspace.run_as_typed(args, &mut home, snapshot, setting)?;
    let plan = plan_of(workspace, args, &ran.output, input, snapshot, setting)?;
    let user = environment::of_cargo(&setting.user.vars, &setting.toolchain);
    let mut env = environment::of_command(&user, &setting.options.env);
    // What it needs is here now.
    env.insert("CARGO_NET_OFFLINE".to_owned(), "true".to_owned());
    let cwd = ran.directory.strip_prefix(&snapshot.tree);
    let words = args.iter().map(|word| quoted(word));
    let words: Vec<String> = words.collect();
    let call = CommandCall {
        program: ran.program,
        args: ran.args,
        env,
        cwd: cwd.map(Utf8Path::to_owned).unwrap_or_default(),
        meaning: Meaning::FailureIsInteresting,
        shown: format!(
            "{} {}",
            setting.toolchain.compiler.call_of("cargo"),
            words.join(" ")
        ),
        identity: None,
        builds: Some(ran.builds),
        reads: vec![],
    };
    Ok(with_command(plan, with_home(call, home)))
}

/// What stands in for the user's `CARGO_HOME`; without a sandbox nothing needs to.
fn home_for_candidates(setting: &Setting<'_>) -> Result<Option<CargoHome>, OracleError> {
    match setting.options.sandbox {
        SandboxMode::Off => Ok(None),
        _ => CargoHome::prepare(setting),
    }
}

/// The call with that directory.
fn with_home(mut call: CommandCall, home: Option<CargoHome>) -> CommandCall {
    if let Some(home) = home {
        let directory = home.directory.into_string();
        call.env.insert("CARGO_HOME".to_owned(), directory);
        call.reads.extend(home.reads);
    }
    call
}

/// The plan with a script of the user's, which runs in `cwd`, relative to the tree, and gets the name of
/// the file.
pub(super) fn scripted(
    plan: Plan,
    path: &Utf8Path,
    cwd: Utf8PathBuf,
    setting: &Setting<'_>,
) -> Result<Plan, OracleError> {
    let script = Script::read(path)?;
    let file = plan.root.strip_prefix(&cwd).unwrap_or(&plan.root);
    let call = CommandCall {
        program: script.program,
        args: [script.args, vec![file.to_string()]].concat(),
        env: environment::of_command(&setting.user.vars, &setting.options.env),
        cwd,
        meaning: Meaning::SuccessIsInteresting,
        shown: script.shown,
        identity: Some(script.digest),
        builds: None,
        reads: vec![],
    };
    let plan = with_command(plan, with_home(call, home_for_candidates(setting)?));
    let (ending, output) = observe(&plan, setting)?;
    match ending {
        Ending::Exited(0) | Ending::TimedOut => Ok(plan),
        _ => Err(OracleError::NotInteresting {
            command: plan.command(&plan.root),
            status: ending.to_string(),
            output: tail(&output),
        }),
    }
}

/// How a script is started.
struct Script {
    program: Utf8PathBuf,
    args: Vec<String>,
    shown: String,
    digest: [u8; 32],
}

impl Script {
    fn read(path: &Utf8Path) -> Result<Self, OracleError> {
        let unusable = |reason| OracleError::ScriptUnusable {
            path: path.to_owned(),
            reason,
        };
        let metadata = path
            .metadata()
            .map_err(|_| unusable("there is no such file"))?;
        if !metadata.is_file() {
            return Err(unusable("it is not a file"));
        }
        if metadata.permissions().mode() & 0o111 == 0 {
            return Err(unusable("it is not marked as executable"));
        }
        let bytes = std::fs::read(path).map_err(|_| unusable("it cannot be read"))?;
        let digest = *blake3::hash(&bytes).as_bytes();
        let says_what_runs_it = bytes.starts_with(b"#!") || bytes.starts_with(b"\x7fELF");
        let (path, shown) = (path.to_owned(), quoted(path.as_str()));
        Ok(match says_what_runs_it {
            true => Self {
                program: path,
                args: vec![],
                shown,
                digest,
            },
            // As a shell does when it is told to run it.
            false => Self {
                program: SHELL.into(),
                args: vec![path.into_string()],
                shown: format!("sh {shown}"),
                digest,
            },
        })
    }
}

/// The plan with rustfmt; `near` is where its configuration is looked for, and above.
///
/// # Errors
/// [`OracleError::NoFailure`] where rustfmt neither crashes nor changes its own output.
pub(super) fn formatted(
    plan: Plan,
    near: &Utf8Path,
    setting: &Setting<'_>,
) -> Result<Plan, OracleError> {
    let compiler = &plan.compiler;
    let program = compiler.formatter().ok_or_else(|| {
        let place = compiler.path.with_file_name("rustfmt");
        OracleError::ToolMissing {
            what: format!("`rustfmt` beside the compiler, at `{place}`"),
        }
    })?;
    let shown = format!("{} --edition {}", compiler.call_of("rustfmt"), plan.edition);
    let plan = with_file_near(plan, &RUSTFMT_FILES, near)?;
    let call = CommandCall {
        program,
        args: ["--edition", &plan.edition, "--quiet"]
            .map(str::to_owned)
            .to_vec(),
        env: environment::of_command(&setting.user.vars, &setting.options.env),
        cwd: Utf8PathBuf::new(),
        meaning: Meaning::FormatsOtherwise,
        shown,
        identity: None,
        builds: None,
        reads: vec![],
    };
    let plan = with_command(plan, call.clone());
    let mut worker = setting.worker(&plan)?;
    let (seen, shown) = worker.observe(&plan, &Sources::new(), setting.cancel)?;
    setting.count(1);
    match seen.crashes.first().map(|failure| failure.kind) {
        Some(CrashKind::DifferentOutput) => Ok(plan),
        // One run of rustfmt is enough for a crash.
        Some(_) => Ok(with_command(
            plan,
            CommandCall {
                meaning: Meaning::Formats,
                ..call
            },
        )),
        None if seen.ending == Ending::Cancelled => Err(OracleError::Cancelled),
        None => Err(OracleError::NoFailure {
            wanted: setting.options.goal.describe(),
            command: plan.command(&plan.root),
            output: tail(&shown.stderr),
            compiles: seen.ending == Ending::Exited(0),
        }),
    }
}

/// The same call of rustdoc, with what the user wants rustdoc to be told besides.
pub(super) fn documented(
    plan: Plan,
    more: &[String],
    setting: &Setting<'_>,
) -> Result<Plan, OracleError> {
    let (user, cancel) = (setting.user, setting.cancel);
    let compiler = plan.compiler.tool("rustdoc", user, cancel)?;
    let groups = args::groups(&plan.args).into_iter();
    let left_out: Vec<_> = groups
        .filter(|group| NOT_FOR_RUSTDOC.contains(&group.name.as_str()))
        .collect();
    let mut args = args::without(&plan.args, &left_out);
    let flags = user.vars.get("RUSTDOCFLAGS").map_or("", String::as_str);
    args.extend(flags.split_whitespace().map(str::to_owned));
    args.extend(more.iter().cloned());
    Ok(Plan {
        compiler,
        args,
        ..plan
    })
}

/// The same call of clippy's driver.
pub(super) fn with_clippy(plan: Plan, setting: &Setting<'_>) -> Result<Plan, OracleError> {
    let (user, cancel) = (setting.user, setting.cancel);
    let compiler = plan.compiler.tool("clippy-driver", user, cancel)?;
    let plan = with_file_near(plan, &CLIPPY_FILES, &user.cwd)?;
    Ok(Plan { compiler, ..plan })
}

fn with_command(plan: Plan, call: CommandCall) -> Plan {
    Plan {
        check: Check::Command(call),
        // The compiler is asked in the tree itself, if at all.
        cwd: Utf8PathBuf::new(),
        ..plan
    }
}

/// The plan with the configuration file that a tool finds beside the program or above, or `near` the
/// user. One from outside the tree is copied to the top of it.
fn with_file_near(mut plan: Plan, names: &[&str], near: &Utf8Path) -> Result<Plan, OracleError> {
    let find = |dir: &Utf8Path| {
        let candidates = names.iter().map(|name| dir.join(name));
        candidates.into_iter().find(|path| path.is_file())
    };
    let root = plan.tree.join(&plan.root);
    let inside = root
        .ancestors()
        .skip(1)
        .take_while(|dir| dir.starts_with(&plan.tree));
    if let Some(found) = inside.filter_map(find).next() {
        let inner = found.strip_prefix(&plan.tree).map(Utf8Path::to_owned);
        plan.files.extend(inner.ok());
        return Ok(plan);
    }
    let found = near.ancestors().filter_map(find).next();
    let named = found
        .as_deref()
        .and_then(|path| Some((path, path.file_name()?)));
    if let Some((from, name)) = named {
        files::copy(from, &plan.tree.join(name))?;
        plan.files.insert(name.into());
    }
    Ok(plan)
}

/// How the command ends for the program as it is, and what it prints.
fn observe(plan: &Plan, setting: &Setting<'_>) -> Result<(Ending, String), OracleError> {
    let mut worker = setting.worker(plan)?;
    let (seen, shown) = setting.reminding("the command", || {
        worker.observe(plan, &Sources::new(), setting.cancel)
    })?;
    setting.count(1);
    match seen.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        Ending::TimedOut if plan.limits.deadline.is_none() => {
            let (command, after) = (plan.command(&plan.root), plan.limits.longest);
            Err(setting.never_ends(command, after, &shown.printed(), None))
        }
        ending => Ok((ending, shown.stderr)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(bytes: &[u8], mode: u32) -> Result<Script, OracleError> {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("my test.sh")).unwrap();
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        Script::read(&path)
    }

    #[test]
    fn a_script_says_what_runs_it_or_is_for_the_shell() {
        let direct = script(b"#!/bin/sh\ntrue\n", 0o755).unwrap();
        assert_eq!(direct.program.file_name(), Some("my test.sh"));
        assert!(direct.args.is_empty() && direct.shown.starts_with('\''));
        let plain = script(b"true\n", 0o755).unwrap();
        assert_eq!(plain.program, SHELL);
        assert_eq!(plain.args.len(), 1);
        assert!(plain.shown.starts_with("sh '"));
        assert_ne!(plain.digest, direct.digest);
    }

    #[test]
    fn a_script_that_cannot_be_run_is_an_error_that_says_why() {
        let error = |result: Result<Script, OracleError>| match result {
            Err(error) => error.to_string(),
            Ok(_) => panic!("it can be run"),
        };
        assert!(error(script(b"true", 0o644)).contains("not marked as executable"));
        assert!(error(Script::read("/nowhere/at/all".into())).contains("no such file"));
        assert!(error(Script::read("/".into())).contains("not a file"));
    }
}
