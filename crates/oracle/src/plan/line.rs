//! Plans as shell lines for people.

use super::{Plan, TARGET_TMPDIR};
use crate::check::Execution;
use crate::check::crash::Crash;
use crate::check::input::STANDARD_INPUT;
use crate::compiler::args;
use crate::plan::auxiliary::{AuxiliaryCall, COMPILED};
use crate::text::paths::relocate;
use crate::text::shell::{SHOWN, assignments, line_of, quoted, shell_line};
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::time::Duration;

/// The flag by which, in a shell line, the first compiler call keeps its results for the second. The directory has to be
/// empty at first.
const KEPT: &str = "-Cincremental=incremental";

/// The directory, beside a result, with the files of two versions that are compiled by themselves; the result is compiled
/// there too if it is one file.
pub const TWO_FILES: &str = "two-files";
/// The names of the two versions' files, or directories where there are several files; the first version is first.
pub const VERSIONS: [&str; 2] = ["before", "after"];
/// The name that a linked program gets in shell lines where its own name is that of a directory.
const OTHER_NAME: &str = "program";
/// The name under which each of the two versions' files is compiled.
const COMPILED_AS: &str = "program.rs";

impl Plan {
    /// Returns the shell line with which a person compiles `root`, to be run in any directory.
    #[must_use]
    pub fn command(&self, root: &Utf8Path) -> String {
        of_plan(self, root, &|_| false)
    }

    /// Returns the line of [`Plan::command`] with the environment variables that `is_used` picks, such as those
    /// that the program reads with `env!`. Variables that name a place in the tree are left out.
    #[must_use]
    pub fn command_with(&self, root: &Utf8Path, is_used: &dyn Fn(&str) -> bool) -> String {
        of_plan(self, root, is_used)
    }

    /// Returns the parts of [`Plan::command_with`]: the shell line that compiles `root`, and the one that starts the
    /// program, where that is run.
    #[must_use]
    pub fn build_and_run(
        &self,
        root: &Utf8Path,
        is_used: &dyn Fn(&str) -> bool,
    ) -> (String, Option<String>) {
        let (builds, run) = builds_and_run(self, root, is_used);
        (builds.join(" && "), run)
    }

    /// Returns the line of [`Plan::command_with`] for people elsewhere: a compiler that is called by its path is called by
    /// its name.
    #[must_use]
    pub fn command_elsewhere(&self, root: &Utf8Path, is_used: &dyn Fn(&str) -> bool) -> String {
        let mut plan = self.clone();
        plan.call.compiler = self.call.compiler.without_path();
        plan.command_with(root, is_used)
    }
}

fn of_plan(plan: &Plan, root: &Utf8Path, also: &dyn Fn(&str) -> bool) -> String {
    if let Some(line) = of_command(plan, root) {
        return line;
    }
    if let Some(first) = plan.first_args() {
        let is_apart = plan.has_versions_apart();
        let is_in_place = root == plan.call.root;
        let compiled = match is_apart && !is_in_place {
            true => Utf8Path::new(TWO_FILES).join(COMPILED_AS),
            false => root.to_owned(),
        };
        let calls = [first, plan.second_args()].map(|args| {
            let args = [args, vec![KEPT.to_owned()]].concat();
            let alone = plan.with_args(args).checked(Crash::check());
            of_plan(&alone, &compiled, also)
        });
        let puts = VERSIONS.map(|version| match is_in_place {
            _ if !is_apart => None,
            true => Some(format!("cp -R {TWO_FILES}/{version}/. .")),
            false => Some(format!("cp {TWO_FILES}/{version}.rs {compiled}")),
        });
        let lines = puts.into_iter().zip(calls);
        let lines =
            lines.map(|(put, call)| Vec::from_iter(put.into_iter().chain([call])).join(" && "));
        // A call that ends with errors is none after which a shell would go on.
        let next = if plan.has_errors_first() {
            "; "
        } else {
            " && "
        };
        return Vec::from_iter(lines).join(next);
    }
    let (builds, run) = builds_and_run(plan, root, also);
    let mut all = builds.clone();
    all.extend(run.clone());
    if plan.run_policy.check.compares_builds() {
        let flags = line_of(plan.run_policy.check.second_flags());
        all.extend(builds.last().map(|last| format!("{last} {flags}")));
        all.extend(run);
    }
    all.join(" && ")
}

/// Returns the shell lines that compile what the program links and then the program, and the line that starts it, where
/// that is run.
fn builds_and_run(
    plan: &Plan,
    root: &Utf8Path,
    also: &dyn Fn(&str) -> bool,
) -> (Vec<String>, Option<String>) {
    let mut words = assignments(&plan.call.env);
    let others = plan.call.env.iter().filter(|(name, value)| {
        !SHOWN.contains(&name.as_str()) && also(name) && !value.contains(plan.inputs.tree.as_str())
    });
    words.extend(others.map(|(name, value)| match name.as_str() {
        // Whoever gives the command has another one.
        TARGET_TMPDIR => format!("{name}=."),
        _ => format!("{name}={}", quoted(value)),
    }));
    words.extend(stopped_after(plan.run_policy.check.compiler_hangs_after()));
    words.push(plan.call.compiler.command.clone());
    words.extend(plan.run_policy.check.added_flag().map(str::to_owned));
    for group in args::groups(&plan.call.args) {
        if group.is_root() {
            words.push(quoted(root.as_str()));
        } else {
            let args = plan.call.args[group.range].iter();
            words.extend(args.map(|arg| quoted(&beside(arg, plan))));
        }
    }
    let name = program_name(plan, root);
    let run = plan.run_policy.check.execution();
    let program = match run.is_some() && is_directory(&name, plan, root) {
        true => OTHER_NAME.to_owned(),
        false => name.clone(),
    };
    if program != name {
        words.extend(["-o".to_owned(), program.clone()]);
    }
    let before = plan
        .inputs
        .auxiliaries
        .iter()
        .map(|call| of_auxiliary(call, plan));
    let builds = before.chain([words.join(" ")]).collect();
    let run = run.map(|execution| of_execution(execution, plan, &program));
    (builds, run)
}

/// Returns the shell line that starts the compiled program, in the directory of the files that it may read.
fn of_execution(execution: &Execution, plan: &Plan, program: &str) -> String {
    let dir = &execution.cwd;
    let mut files = plan.inputs.files.iter();
    let is_among_files = dir.as_str() != ""
        && files.any(|path| path.starts_with(dir) && path.extension() != Some("rs"));
    let up = match is_among_files {
        true => "../".repeat(dir.components().count()),
        false => "./".to_owned(),
    };
    let line = shell_line(&BTreeMap::new(), &format!("{up}{program}"), &execution.args);
    let words = stopped_after(execution.hangs_after).into_iter();
    let outer = up.strip_prefix("./").unwrap_or(&up);
    let input = execution.input.iter();
    let input = input.map(|_| format!("< {outer}{STANDARD_INPUT}"));
    let line = words
        .chain([line])
        .chain(input)
        .collect::<Vec<_>>()
        .join(" ");
    match is_among_files {
        true => format!("(cd {} && {line})", quoted(dir.as_str())),
        false => line,
    }
}

/// Returns the beginning of a shell line, `timeout SECONDS`, for a program that does not end by itself.
fn stopped_after(time: Option<Duration>) -> Option<String> {
    time.map(|time| format!("timeout {}", time.as_secs()))
}

/// Returns the name that rustc gives to the program that it links.
fn program_name(plan: &Plan, root: &Utf8Path) -> String {
    let given = args::value(&plan.call.args, "--crate-name");
    given.unwrap_or_else(|| root.file_stem().unwrap_or("main").replace('-', "_"))
}

/// Returns whether files of the program are in a directory of this name, as those of a member of a workspace often are.
fn is_directory(name: &str, plan: &Plan, root: &Utf8Path) -> bool {
    let files = plan.inputs.files.iter().map(|path| path.as_path());
    let mut files = files.chain([root]);
    files.any(|path| path.starts_with(name) && path != name)
}

/// Returns the shell line that compiles an auxiliary crate into the directory of the command. What goes without saying is
/// left out.
fn of_auxiliary(call: &AuxiliaryCall, plan: &Plan) -> String {
    let name = call
        .file
        .file_stem()
        .map(|name| format!("--crate-name={name}"));
    let is_usual = |arg: &&String| {
        let usual = ["--emit=link", "--cap-lints=allow"];
        usual.contains(&arg.as_str()) || Some(*arg) == name.as_ref()
    };
    let mut words = assignments(&plan.call.env);
    words.push(plan.call.compiler.command.clone());
    let args = call.args.iter().filter(|arg| !is_usual(arg));
    words.extend(args.map(|arg| quoted(&beside(arg, plan))));
    words.join(" ")
}

/// Changes the paths of auxiliary crates in an argument so that these lie in the directory of the command.
fn beside(arg: &str, plan: &Plan) -> String {
    let directory = plan.inputs.tree.join(COMPILED);
    let in_it = relocate(arg, &directory, ".");
    in_it.replace("=./", "=")
}

/// Returns the shell line for a command in place of a compiler, to be run where the plan's tree is, or beside the file
/// where that is all that is left.
fn of_command(plan: &Plan, root: &Utf8Path) -> Option<String> {
    let call = plan.run_policy.check.command()?;
    let is_in_place = root == plan.call.root;
    let file = match is_in_place {
        true => root.strip_prefix(&call.cwd).unwrap_or(root),
        false => root,
    };
    let mut words = assignments(&call.env);
    words.push(
        plan.run_policy
            .check
            .typed(&quoted(file.as_str()), is_in_place)?,
    );
    let line = words.join(" ");
    Some(match is_in_place && !call.cwd.as_str().is_empty() {
        true => format!("cd {} && {line}", quoted(call.cwd.as_str())),
        false => line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::program::Program;
    use crate::evidence::program::Harness;
    use crate::plan::testing;

    /// Returns the shell line that starts the program `lib` in `night` where these files are beside it.
    fn started(files: &[&str]) -> String {
        started_with(files, None)
    }

    /// Returns the shell line that starts the program `lib` in `night`, perhaps with a standard input.
    fn started_with(files: &[&str], input: Option<&str>) -> String {
        let execution = Execution {
            args: vec![],
            harness: Harness::None,
            env: BTreeMap::new(),
            cwd: "night".into(),
            hangs_after: None,
            may_succeed: false,
            links_dynamically: false,
            link_args: vec![],
            input: input.map(str::to_owned),
        };
        let mut plan = testing::plan("/x").checked(Program::check(execution));
        plan.inputs.files = files.iter().map(|file| (*file).into()).collect();
        plan.call.args = vec!["lib.rs".to_owned()];
        let line = plan.command(Utf8Path::new("lib.rs"));
        let (compiled, started) = line.split_once(" && ").unwrap();
        let words = compiled.split_once("lib.rs").unwrap().1;
        format!("{}{started}", words.trim_start())
    }

    #[test]
    fn a_program_is_started_among_the_files_that_it_reads() {
        assert_eq!(started(&["night/prices.txt"]), "(cd night && ../lib)");
        assert_eq!(started(&["prices.txt", "night/a.rs"]), "./lib");
    }

    #[test]
    fn a_program_reads_its_input_from_a_file_beside_it() {
        let input = Some("1\n");
        assert_eq!(started_with(&[], input), "./lib < standard-input.txt");
        assert_eq!(
            started_with(&["night/prices.txt"], input),
            "(cd night && ../lib < ../standard-input.txt)"
        );
    }

    #[test]
    fn a_program_is_not_called_as_a_directory_beside_it() {
        assert_eq!(started(&["lib/a.rs"]), "-o program./program");
        assert_eq!(started(&["lib.rs", "library/a.rs"]), "./lib");
    }
}
