//! Plans as shell lines for people.

mod command;

use super::{Plan, relocate};
use crate::args;
use crate::check::Check;
use crate::escape::is_active;
use crate::linkage::{AuxiliaryCall, COMPILED};
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::time::Duration;

/// Variables that change what the compiler does.
const SHOWN: [&str; 2] = ["RUSTC_BOOTSTRAP", "RUST_MIN_STACK"];

impl Plan {
    /// [`Plan::command_with`] for people elsewhere: a compiler that is called by its path is called by
    /// its name.
    #[must_use]
    pub fn command_elsewhere(&self, root: &Utf8Path, is_used: &dyn Fn(&str) -> bool) -> String {
        let compiler = self.compiler.without_path();
        let plan = Self {
            compiler,
            ..self.clone()
        };
        plan.command_with(root, is_used)
    }
}

pub(super) fn of_plan(plan: &Plan, root: &Utf8Path, also: &dyn Fn(&str) -> bool) -> String {
    if let Check::Command(call) = &plan.check {
        return command::of_call(call, plan, root);
    }
    let mut words = assignments(&plan.env);
    let others = plan.env.iter().filter(|(name, value)| {
        !SHOWN.contains(&name.as_str()) && also(name) && !value.contains(plan.tree.as_str())
    });
    words.extend(others.map(|(name, value)| format!("{name}={}", quoted(value))));
    words.extend(stopped_after(plan.check.compiler_hangs_after()));
    words.push(plan.compiler.command.clone());
    words.extend(plan.adds_flag().map(str::to_owned));
    for group in args::groups(&plan.args) {
        if group.is_root() {
            words.push(quoted(root.as_str()));
        } else {
            let args = plan.args[group.range].iter();
            words.extend(args.map(|arg| quoted(&beside(arg, plan))));
        }
    }
    let before = plan.auxiliaries.iter().map(|call| of_auxiliary(call, plan));
    let builds: Vec<String> = before.chain([words.join(" ")]).collect();
    let mut all = builds.clone();
    let run = plan.check.execution().map(|execution| {
        let program = format!("./{}", program_name(plan, root));
        let line = shell_line(&BTreeMap::new(), &program, &execution.args);
        let words = stopped_after(execution.hangs_after);
        words
            .into_iter()
            .chain([line])
            .collect::<Vec<_>>()
            .join(" ")
    });
    all.extend(run.clone());
    if let Check::Miscompile { flags, .. } = &plan.check {
        let flags: Vec<String> = flags.iter().map(|flag| quoted(flag)).collect();
        all.extend(
            builds
                .last()
                .map(|last| format!("{last} {}", flags.join(" "))),
        );
        all.extend(run);
    }
    all.join(" && ")
}

/// What ends a command after some time, which would not end by itself.
fn stopped_after(time: Option<Duration>) -> Option<String> {
    time.map(|time| format!("timeout {}", time.as_secs()))
}

/// As rustc names what it links.
fn program_name(plan: &Plan, root: &Utf8Path) -> String {
    let given = args::value(&plan.args, "--crate-name");
    given.unwrap_or_else(|| root.file_stem().unwrap_or("main").replace('-', "_"))
}

/// The line for a crate that is compiled before, into the directory of the command. What goes
/// without saying is left out.
fn of_auxiliary(call: &AuxiliaryCall, plan: &Plan) -> String {
    let name = call
        .file
        .file_stem()
        .map(|name| format!("--crate-name={name}"));
    let is_usual = |arg: &&String| {
        let usual = ["--emit=link", "--cap-lints=allow"];
        usual.contains(&arg.as_str()) || Some(*arg) == name.as_ref()
    };
    let mut words = assignments(&plan.env);
    words.push(plan.compiler.command.clone());
    let args = call.args.iter().filter(|arg| !is_usual(arg));
    words.extend(args.map(|arg| quoted(&beside(arg, plan))));
    words.join(" ")
}

/// An argument with the compiled auxiliary crates in the directory of the command.
fn beside(arg: &str, plan: &Plan) -> String {
    let directory = plan.tree.join(COMPILED);
    let in_it = relocate(arg, &directory, ".");
    in_it.replace("=./", "=")
}

/// A command as it could be typed.
pub(crate) fn shell_line(env: &BTreeMap<String, String>, program: &str, args: &[String]) -> String {
    let mut words = assignments(env);
    words.push(quoted(program));
    words.extend(args.iter().map(|arg| quoted(arg)));
    words.join(" ")
}

fn assignments(env: &BTreeMap<String, String>) -> Vec<String> {
    let shown = SHOWN
        .iter()
        .filter_map(|name| Some((name, env.get(*name)?)));
    shown
        .map(|(name, value)| format!("{name}={}", quoted(value)))
        .collect()
}

/// Quoted only where a shell needs it. What would act on a terminal is written as bytes in `$'..'`,
/// which bash, zsh and newer shells understand, so that a line can be shown as it is.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.chars().any(is_active) {
        return in_bytes(word);
    }
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

fn in_bytes(word: &str) -> String {
    let mut quoted = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_active(c) => {
                let bytes = c.to_string().into_bytes();
                // Three octal digits: what follows cannot be taken for a part of it.
                quoted.extend(bytes.iter().map(|byte| format!("\\{byte:03o}")));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_so_that_a_shell_and_a_reader_see_the_same() {
        let table = [
            ("src/lib.rs", "src/lib.rs"),
            ("", "''"),
            ("my file.rs", "'my file.rs'"),
            ("it's", "\"it's\""),
            ("a\nb.rs", r"$'a\nb.rs'"),
            ("\u{1b}[31mred.rs", r"$'\033[31mred.rs'"),
            ("\u{202e}1", r"$'\342\200\2561'"),
            ("it's\\\u{7}", r"$'it\'s\\\007'"),
        ];
        for (word, expected) in table {
            assert_eq!(quoted(word), expected);
        }
    }
}
