//! Runs a cargo command as the user has typed it, on the copy of the workspace.

use super::ending::rejected;
use super::{Workspace, configuration, network, progress, wrappers};
use crate::compiler::capture::{self, Record};
use crate::compiler::target::PackageInput;
use crate::error::OracleError;
use crate::search::context::cargo_home::CargoHome;
use crate::search::context::{BaselineContext, environment};
use crate::system::files;
use crate::system::process::{Ending, Invocation, Outcome};
use crate::system::snapshot::Snapshot;
use crate::text::output::tail;
use crate::text::paths::relocate;
use crate::text::shell::shell_line;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;

/// The beginnings of cargo's output where cargo cannot even begin to work.
const NOT_STARTED: [&str; 6] = [
    "error: no such command",
    "error: no such subcommand",
    "error: failed to parse manifest",
    "error: could not find `Cargo.toml`",
    "error: unexpected argument",
    "error: unrecognized subcommand",
];

/// A cargo command that has failed, with its output.
pub(crate) struct Ran {
    pub(crate) program: Utf8PathBuf,
    pub(crate) args: Vec<String>,
    /// The directory in the copy in which the command ran.
    pub(crate) directory: Utf8PathBuf,
    /// The directory to which the command compiled.
    pub(crate) builds: Utf8PathBuf,
    /// The variables that cargo gets in addition to the user's.
    vars: BTreeMap<String, String>,
    pub(crate) output: String,
}

impl Workspace {
    /// Runs a cargo command in the directory where the user stands, with the network only where the command needs it.
    /// `home` stands in for cargo's own directory, where candidates get one.
    ///
    /// # Errors
    /// [`OracleError::NoFailure`] where it succeeds and may not (`may_succeed`), [`OracleError::CargoRejected`] where it is no
    /// command.
    pub(crate) fn run_as_typed(
        &self,
        typed: &[String],
        may_succeed: bool,
        home: Option<&CargoHome>,
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<Ran, OracleError> {
        self.run_with(typed, may_succeed, BTreeMap::new(), home, snapshot, context)
    }

    /// Runs doc tests as a user would, with our wrapper in the place of rustdoc, and returns how rustdoc was called.
    /// There is one call for each library.
    ///
    /// # Errors
    /// As [`Workspace::run_as_typed`].
    pub(crate) fn run_doc_tests(
        &self,
        typed: &[String],
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<(Ran, Vec<Record>), OracleError> {
        let calls = context.scratch.join("calls");
        files::make_empty(&calls)?;
        let (user, cancel) = (context.user, context.cancel);
        let rustdoc = match user.vars.get("RUSTDOC") {
            Some(named) => named.clone(),
            None => {
                let compiler = &context.toolchain.compiler;
                compiler.tool("rustdoc", user, cancel)?.path.to_string()
            }
        };
        let vars = [
            ("RUSTDOC", context.capture_program.to_string()),
            (capture::RUSTDOC_VARIABLE, rustdoc),
            (capture::DIRECTORY_VARIABLE, calls.to_string()),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value));
        let ran = self.run_with(typed, false, vars.into(), None, snapshot, context)?;
        let mut records = capture::records(&calls)?;
        records.retain(|record| record.args.iter().any(|arg| arg == "--test"));
        Ok((ran, records))
    }

    fn run_with(
        &self,
        typed: &[String],
        may_succeed: bool,
        vars: BTreeMap<String, String>,
        home: Option<&CargoHome>,
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<Ran, OracleError> {
        (context.note)(&format!("running `cargo {}`", typed.join(" ")));
        let manifest = self.manifest.parent().unwrap_or(&self.manifest);
        let user = &context.user.cwd;
        let directory = snapshot
            .place_of(user)
            .or_else(|| snapshot.place_of(manifest));
        let builds = self.target_dir(&PackageInput::default(), context);
        let builds = Utf8PathBuf::from(format!("{builds}-commands"));
        let ran = Ran {
            program: self.cargo.clone(),
            args: typed.to_vec(),
            directory: directory.unwrap_or_else(|| snapshot.tree.clone()),
            builds,
            vars,
            output: String::new(),
        };
        let mut outcome = ran.run(false, home, snapshot, context)?;
        if network::is_missing(&outcome.stderr) {
            outcome = ran.run(true, home, snapshot, context)?;
        }
        let output = format!("{}\n{}", outcome.stdout.trim_end(), outcome.stderr);
        let is_rejected = |line: &str| NOT_STARTED.iter().any(|start| line.starts_with(start));
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            Ending::Exited(0) if !may_succeed => Err(OracleError::NoFailure {
                wanted: context.wanted.words.clone(),
                command: format!("cargo {}", typed.join(" ")),
                output: tail(&output),
                compiles: true,
            }),
            _ if outcome.stderr.lines().any(is_rejected) => Err(rejected(typed, user, &outcome)),
            _ => Ok(Ran { output, ..ran }),
        }
    }
}

impl Ran {
    fn run(
        &self,
        is_offline: bool,
        home: Option<&CargoHome>,
        snapshot: &Snapshot,
        context: &BaselineContext<'_>,
    ) -> Result<Outcome, OracleError> {
        let mut env = environment::of_cargo(&context.user.vars, &context.toolchain);
        for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"] {
            env.insert(name.to_owned(), self.builds.to_string());
        }
        let wrappers = wrappers::in_copy(wrappers::of_user(context), snapshot);
        env.extend(wrappers::variables(&wrappers));
        env.extend(self.vars.clone());
        match home {
            Some(home) => {
                configuration::remove_outer(snapshot)?;
                home.add_to(&mut env);
            }
            None => {
                for (name, value) in configuration::write_outer(snapshot, context)? {
                    env.entry(name).or_insert(value);
                }
            }
        }
        if is_offline {
            env.insert("CARGO_NET_OFFLINE".to_owned(), "true".to_owned());
        }
        let invocation = Invocation {
            program: &self.program,
            args: &self.args,
            env: &env,
            dir: &self.directory,
            bounds: context.free_bounds(),
            // As the user would.
            confinement: None,
        };
        let mut outcome = context.reminding("the command", || {
            progress::run_shown(&invocation, snapshot, context)
        })?;
        context.count(1);
        if outcome.ending == Ending::TimedOut {
            let command = shell_line(&Default::default(), "cargo", &self.args);
            let after = context.longest_run();
            return Err(context.never_ends(command, after, &outcome.stderr, None));
        }
        // The user knows the original, not the copy.
        outcome.stderr = relocate(&outcome.stderr, &snapshot.tree, snapshot.base.as_str());
        Ok(outcome)
    }
}
