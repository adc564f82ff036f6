//! Completion of the command line. `cargo reduce completions SHELL` prints a script (`completion/script`), which calls this
//! program again for each completion: so values come from the user's workspace (`completion/values`), and a script that was
//! written to a file stays true after an update.
//!
//! A call for a completion has the name of the shell in a variable, and after `--` the words of the line, the last of which
//! is to be completed. What fails leaves the shell without candidates: a message would stand in the middle of the user's
//! line.

mod script;
mod values;

pub(crate) use script::script;

use crate::args::{Cargo, Shell};
use crate::context::Context;
use clap::{CommandFactory, ValueEnum};
use clap_complete::CompletionCandidate;
use clap_complete::engine::complete;
use std::ffi::OsString;

/// The variable by which a shell's completion script tells us the name of the shell.
pub(crate) const VARIABLE: &str = "CARGO_REDUCE_COMPLETE";

/// Whether a script has started this process.
pub(crate) fn is_requested(vars: impl IntoIterator<Item = (OsString, OsString)>) -> bool {
    let mut vars = vars.into_iter();
    vars.any(|(name, value)| name == VARIABLE && !value.is_empty())
}

/// The candidates for the last word, as the shell reads them. `words` are those of this process.
pub(crate) fn answer(words: impl IntoIterator<Item = OsString>, context: &Context) -> String {
    let shell = context.vars.get(VARIABLE);
    let shell = shell.and_then(|name| Shell::from_str(name, false).ok());
    let words = words.into_iter().skip_while(|word| word != "--").skip(1);
    let words = without_toolchain(words.collect());
    match (shell, words.is_empty()) {
        (Some(shell), false) => shown(shell, &candidates(words, context)),
        _ => String::new(),
    }
}

/// Removes the name of a toolchain behind `cargo`, as in `cargo +nightly reduce`, which rustup takes for itself.
fn without_toolchain(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_toolchain = |word: &OsString| word.as_encoded_bytes().starts_with(b"+");
    if words.len() > 2 && words.get(1).is_some_and(is_toolchain) {
        words.remove(1);
    }
    words
}

fn candidates(words: Vec<OsString>, context: &Context) -> Vec<CompletionCandidate> {
    let mut command = values::with_values(Cargo::command(), &words, context);
    let last = words.len() - 1;
    let directory = Some(context.cwd.as_std_path());
    complete(&mut command, words, last, directory).unwrap_or_default()
}

/// Prints the candidates for a completion in the form that a shell reads, a line for each.
fn shown(shell: Shell, candidates: &[CompletionCandidate]) -> String {
    let lines = candidates.iter().filter_map(|candidate| {
        let value = candidate.get_value().to_str()?;
        let help = candidate.get_help().map(ToString::to_string);
        let help = help.as_deref().and_then(|help| help.lines().next());
        Some(line(shell, value, help) + "\n")
    });
    lines.collect()
}

fn line(shell: Shell, value: &str, help: Option<&str>) -> String {
    let (value, between) = match shell {
        Shell::Bash | Shell::Elvish => return value.to_owned(),
        Shell::Fish | Shell::Powershell => (value.to_owned(), '\t'),
        // zsh unescapes both parts of `VALUE:HELP`.
        Shell::Zsh => (value.replace('\\', "\\\\").replace(':', "\\:"), ':'),
    };
    match help {
        Some(help) if shell == Shell::Zsh => format!("{value}:{}", help.replace('\\', "\\\\")),
        Some(help) => format!("{value}{between}{help}"),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::flag_names;

    /// Returns the completions for a shell, word by word, without a workspace.
    fn told(shell: &str, words: &[&str]) -> String {
        let called = ["cargo-reduce", "--"].iter().chain(words);
        let context = Context {
            cwd: "/nowhere".into(),
            vars: [(VARIABLE.to_owned(), shell.to_owned())].into(),
            program: "/bin/cargo-reduce".into(),
            user_home: None,
        };
        answer(called.map(OsString::from), &context)
    }

    #[track_caller]
    fn check(words: &[&str], expected: &[&str]) {
        let told = told("bash", words);
        assert_eq!(told.lines().collect::<Vec<_>>(), expected, "{words:?}");
    }

    #[test]
    fn each_shell_is_told_all_options() {
        for shell in Shell::value_variants() {
            let name = shell.to_possible_value().unwrap();
            let told = told(name.get_name(), &["cargo", "reduce", "--"]);
            for flag in flag_names() {
                let option = format!("--{flag}");
                let mut lines = told.lines();
                let is_told = lines.any(|line| line.split(['\t', ':']).next() == Some(&option));
                assert!(is_told, "{shell:?} lacks {option}\n{told}");
            }
        }
    }

    #[test]
    fn options_subcommands_and_values_are_completed() {
        check(&["cargo", "re"], &["reduce"]);
        check(&["cargo", "reduce", "--ic"], &["--ice"]);
        check(&["cargo", "+nightly", "reduce", "--ic"], &["--ice"]);
        check(&["cargo-reduce", "reduce", "dae"], &["daemon"]);
        check(&["cargo", "reduce", "daemon", "st"], &["status", "stop"]);
        check(&["cargo", "reduce", "completions", "f"], &["fish"]);
        let expected = ["wddmin", "wprobdd"];
        check(&["cargo", "reduce", "--algorithm", "w"], &expected);
        check(&["cargo", "reduce", "--prior=u"], &["--prior=uniform"]);
        let expected = ["2015", "2018", "2021", "2024"];
        check(&["cargo", "reduce", "--edition", ""], &expected);
    }

    #[test]
    fn each_of_several_passes_is_completed() {
        let expected = ["print,delete_members_of_lists"];
        for option in ["--passes", "--skip-pass"] {
            let words = ["cargo", "reduce", option, "print,delete_mem"];
            check(&words, &expected);
        }
    }

    #[test]
    fn where_nothing_is_known_nothing_is_said() {
        check(&["cargo", "reduce", "--test", ""], &[]);
        check(&["cargo", "reduce", "--no-such-option"], &[]);
        check(&["cargo", "unknown", "--i"], &[]);
        check(&[], &[]);
        assert_eq!(told("csh", &["cargo", "reduce", "--ice"]), "");
    }

    #[test]
    fn help_is_said_as_the_shell_reads_it() {
        let help = Some("What: a\\b");
        let lines = Shell::value_variants().iter();
        let lines: Vec<String> = lines.map(|shell| line(*shell, "a:b", help)).collect();
        let expected = [
            "a:b",
            "a:b",
            "a:b\tWhat: a\\b",
            "a:b\tWhat: a\\b",
            "a\\:b:What: a\\\\b",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_call_of_a_script_is_told_by_its_variable() {
        let vars = |value: &str| [(OsString::from(VARIABLE), OsString::from(value))];
        assert!(is_requested(vars("bash")));
        assert!(!is_requested(vars("")));
        assert!(!is_requested([("COMPLETE".into(), "bash".into())]));
    }
}
