//! Commands that are run in place of a compiler, as shell lines.

use super::{assignments, quoted};
use crate::check::{CommandCall, Meaning};
use crate::plan::Plan;
use camino::Utf8Path;

/// The line for `root`, to be run where the plan's tree is, or beside the file where that is all
/// that is left.
pub(super) fn of_call(call: &CommandCall, plan: &Plan, root: &Utf8Path) -> String {
    let is_in_place = root == plan.root;
    let file = match is_in_place {
        true => root.strip_prefix(&call.cwd).unwrap_or(root),
        false => root,
    };
    let mut words = assignments(&call.env);
    words.push(with_file(call, is_in_place, &quoted(file.as_str())));
    let line = words.join(" ");
    match is_in_place && !call.cwd.as_str().is_empty() {
        true => format!("cd {} && {line}", quoted(call.cwd.as_str())),
        false => line,
    }
}

fn with_file(call: &CommandCall, is_in_place: bool, file: &str) -> String {
    let shown = &call.shown;
    match call.meaning {
        Meaning::SuccessIsInteresting => format!("{shown} {file}"),
        Meaning::FailureIsInteresting => shown.clone(),
        Meaning::Formats => format!("{shown} --check {file}"),
        // A file alone need not be changed to be formatted twice.
        Meaning::FormatsOtherwise if !is_in_place => format!("{shown} < {file} | {shown} --check"),
        Meaning::FormatsOtherwise => format!("{shown} {file} && {shown} --check {file}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::toolchain::Compiler;
    use std::collections::BTreeMap;

    #[track_caller]
    fn check(meaning: Meaning, cwd: &str, root: &str, expected: &str) {
        let compiler = Compiler {
            path: "/t/bin/rustc".into(),
            command: "rustc".to_owned(),
            verbose_version: String::new(),
            identity: [0; 32],
            sysroot: None,
        };
        let call = CommandCall {
            program: "/bin/tool".into(),
            args: vec![],
            env: BTreeMap::from([("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned())]),
            cwd: cwd.into(),
            meaning,
            shown: "tool -x".to_owned(),
            identity: None,
            builds: None,
            reads: vec![],
        };
        let plan = Plan {
            check: Check::Command(call.clone()),
            ..Plan::of_root(compiler, "/tree".into(), "a/src/lib.rs")
        };
        let expected = expected.replace("TOOL", "RUSTC_BOOTSTRAP=1 tool -x");
        assert_eq!(of_call(&call, &plan, Utf8Path::new(root)), expected);
        assert_eq!(plan.removable_args(), []);
        assert_eq!(plan.command(Utf8Path::new(root)), expected);
    }

    #[test]
    fn a_script_gets_the_file_and_runs_in_its_own_directory() {
        let script = Meaning::SuccessIsInteresting;
        check(script, "", "a/src/lib.rs", "TOOL a/src/lib.rs");
        check(script, "a", "a/src/lib.rs", "cd a && TOOL src/lib.rs");
        check(script, "a", "reduced.rs", "TOOL reduced.rs");
        check(script, "", "my file.rs", "TOOL 'my file.rs'");
    }

    #[test]
    fn cargo_is_not_given_the_file() {
        let cargo = Meaning::FailureIsInteresting;
        check(cargo, "", "a/src/lib.rs", "TOOL");
        check(cargo, "a", "a/src/lib.rs", "cd a && TOOL");
    }

    #[test]
    fn rustfmt_is_shown_what_it_printed() {
        check(
            Meaning::Formats,
            "",
            "reduced.rs",
            "TOOL --check reduced.rs",
        );
        let twice = Meaning::FormatsOtherwise;
        check(
            twice,
            "",
            "reduced.rs",
            "TOOL < reduced.rs | tool -x --check",
        );
        check(
            twice,
            "",
            "a/src/lib.rs",
            "TOOL a/src/lib.rs && tool -x --check a/src/lib.rs",
        );
    }
}
