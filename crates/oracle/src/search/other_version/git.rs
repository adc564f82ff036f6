//! Reads the git repository of the user's program. It is only read: what is taken out of it goes to a directory of
//! ours, with an index of its own.

use super::refusal::Refusal;
use crate::compiler::toolchain::{look_up, run_quickly};
use crate::error::OracleError;
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::system::process::{Ending, Outcome};
use crate::system::snapshot::make_outer_paths_absolute;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// The variables that keep git from starting or writing anything.
const QUIET: [(&str, &str); 3] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
];
/// The number of characters of a commit's name that are shown.
const SHORT: usize = 10;

/// A repository with the user's program.
pub(super) struct Repository<'a> {
    git: Utf8PathBuf,
    env: BTreeMap<String, String>,
    /// The repository's directory without symbolic links.
    pub(super) root: Utf8PathBuf,
    context: &'a BaselineContext<'a>,
}

/// The full name of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit(String);

impl Commit {
    pub(super) fn name(&self) -> &str {
        &self.0
    }

    pub(super) fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }
}

impl<'a> Repository<'a> {
    /// Finds the repository in which a directory lies.
    pub(super) fn around(
        directory: &Utf8Path,
        context: &'a BaselineContext<'a>,
    ) -> Result<Result<Self, Refusal>, OracleError> {
        let Some(git) = look_up("git".into(), context.user) else {
            return Ok(Err(Refusal {
                reason: "git is in no directory of `PATH`".to_owned(),
                hint: "install git, or give a path with a `/` in it",
            }));
        };
        let user = context.user.vars.iter();
        let user = user.filter(|(name, _)| !name.starts_with("GIT_"));
        let mut env: BTreeMap<_, _> = user.map(|(n, v)| (n.clone(), v.clone())).collect();
        env.extend(QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut repository = Self {
            git,
            env,
            root: directory.to_owned(),
            context,
        };
        let outcome = repository.run(&["rev-parse", "--show-toplevel"])?;
        if outcome.ending != Ending::Exited(0) {
            return Ok(Err(Refusal {
                reason: format!("`{directory}` is in no git repository"),
                hint: "give a path with a `/` in it, or a version such as `=1.2.3`",
            }));
        }
        repository.root = outcome.stdout.trim_end_matches('\n').into();
        Ok(Ok(repository))
    }

    /// Returns the commit that a revision names.
    pub(super) fn commit(&self, revision: &str) -> Result<Result<Commit, Refusal>, OracleError> {
        let commit = format!("{revision}^{{commit}}");
        let outcome = self.run(&["rev-parse", "--verify", "--end-of-options", &commit])?;
        Ok(match outcome.ending {
            Ending::Exited(0) => Ok(Commit(outcome.stdout.trim().to_owned())),
            _ => Err(Refusal {
                reason: format!("git knows no such revision in `{}`", self.root),
                hint: "`git log --oneline` lists commits, `git fetch` gets more of them; a path has a `/` in it",
            }),
        })
    }

    /// Returns the newest commits before the present state of the user's directory, without those that were
    /// merged; with what each is about.
    pub(super) fn first_parents(&self, most: usize) -> Result<Vec<(Commit, String)>, OracleError> {
        let most = format!("--max-count={most}");
        let args = ["log", "--first-parent", "--format=%H %s", &most, "HEAD"];
        let outcome = self.run(&args)?;
        if outcome.ending != Ending::Exited(0) {
            // There is none yet.
            return Ok(vec![]);
        }
        let lines = outcome
            .stdout
            .lines()
            .filter_map(|line| line.split_once(' '));
        let commits = lines.map(|(name, about)| (Commit(name.to_owned()), about.to_owned()));
        Ok(commits.collect())
    }

    /// Whether the user's files are as they were committed, apart from files that were never committed.
    pub(super) fn is_clean(&self) -> Result<bool, OracleError> {
        let outcome = self.run(&["diff", "--quiet", "--no-ext-diff", "HEAD"])?;
        Ok(outcome.ending == Ending::Exited(0))
    }

    /// Writes all files of a commit below `to`, and makes paths absolute that lead out of the repository.
    pub(super) fn check_out(&self, commit: &Commit, to: &Utf8Path) -> Result<(), OracleError> {
        files::make_empty(to)?;
        let index = to.with_extension("index");
        let index = [("GIT_INDEX_FILE".to_owned(), index.into_string())];
        let env: BTreeMap<_, _> = self.env.clone().into_iter().chain(index).collect();
        let prefix = format!("--prefix={to}/");
        for args in [["read-tree", commit.name()], ["checkout-index", "--all"]] {
            let more = (args[0] == "checkout-index").then_some(prefix.as_str());
            let args: Vec<&str> = args.into_iter().chain(more).collect();
            let outcome = self.run_with(&args, &env)?;
            check(&args, &self.root, outcome)?;
        }
        self.mend_manifests(to)
    }

    fn mend_manifests(&self, tree: &Utf8Path) -> Result<(), OracleError> {
        let mut dirs = vec![tree.to_owned()];
        while let Some(dir) = dirs.pop() {
            for entry in files::entries(&dir)? {
                let path = entry.path();
                let kind = entry.file_type().map_err(OracleError::io("read", path))?;
                if kind.is_dir() {
                    dirs.push(path.to_owned());
                } else if path.file_name() == Some("Cargo.toml")
                    && let Ok(inner) = path.strip_prefix(tree)
                {
                    let stays = |outer: &Utf8Path| outer.starts_with(&self.root);
                    make_outer_paths_absolute(&self.root.join(inner), path, &stays)?;
                }
            }
        }
        Ok(())
    }

    fn run(&self, args: &[&str]) -> Result<Outcome, OracleError> {
        self.run_with(args, &self.env)
    }

    fn run_with(
        &self,
        args: &[&str],
        env: &BTreeMap<String, String>,
    ) -> Result<Outcome, OracleError> {
        let before = [
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ];
        let args = before.iter().chain(args).map(|arg| (*arg).to_owned());
        let args: Vec<String> = args.collect();
        let outcome = run_quickly(&self.git, &args, env, &self.root, self.context.cancel)?;
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            _ => Ok(outcome),
        }
    }
}

fn check(args: &[&str], root: &Utf8Path, outcome: Outcome) -> Result<(), OracleError> {
    match outcome.ending {
        Ending::Exited(0) => Ok(()),
        ending => Err(OracleError::Format {
            what: format!("what `git {}` says in `{root}`", args[0]),
            source: format!("{ending}: {}", outcome.stderr.trim()).into(),
        }),
    }
}
