//! The sections of `--help` and the man page after the flags: variables, files, exit codes.

use crate::exit::ExitStatus;
use reduce_engine::{ListedPhase, PassChoice, listed_phases};
use std::fmt::Write;

/// The sections after the options, with their titles in a man page.
pub(crate) const SECTIONS: [(&str, &str); 3] = [
    ("ENVIRONMENT AND CONFIGURATION", CONFIGURATION),
    ("FILES", FILES),
    ("INTERRUPTION", INTERRUPTION),
];

const CONFIGURATION: &str = "\
Every flag may also be set
  - as a variable: `CARGO_REDUCE_` and its name, `CARGO_REDUCE_NO_CACHE=1`;
  - in `reduce.toml` beside the package's Cargo.toml or beside FILE.rs;
  - in `config.toml` in the directory of cargo-reduce.
A file has a line per flag: `no-cache = true`, `jobs = 4`, `features = [\"a\", \"b\"]`. The command
line has precedence over a variable, a variable over `reduce.toml`, and that over `config.toml`.
";

const FILES: &str = "\
The directory of cargo-reduce holds the store of verdicts, compiled dependencies and the daemon's
log. It is `$CARGO_REDUCE_HOME`, else `$XDG_CACHE_HOME/cargo-reduce`, else `~/.cache/cargo-reduce`.
";

const INTERRUPTION: &str = "\
The first Ctrl-C asks for the best result so far, the second leaves at once. A command that is typed
again after an interruption goes on from the last accepted step.
";

/// Returns the list of all passes: name, what it does, what it keeps, when it runs, and what one edit of it makes of an example.
pub(crate) fn passes() -> String {
    let mut text = String::new();
    let phases: Vec<ListedPhase> = listed_phases().collect();
    for (name, about, keeps) in PassChoice::all() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}\n    {about}\n    (keeps {keeps})");
        let runs = phases.iter().filter(|phase| phase.has(name));
        let runs: Vec<&str> = runs.map(|phase| phase.when).collect();
        let _ = writeln!(text, "    (runs {})", runs.join("; "));
        if let Some((before, after)) = PassChoice::example(name) {
            let _ = writeln!(text, "        {before}\n     -> {after}");
        }
    }
    text
}

/// Returns the text that `--help` shows after the options.
pub(crate) fn after_long_help() -> String {
    let sections = SECTIONS.map(|(_, text)| format!("{text}\n"));
    let mut text = sections.concat() + "Exit codes:\n";
    for status in ExitStatus::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:>3}  {}", status.code(), status.meaning());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn each_pass_is_listed_with_what_it_keeps_and_an_example() {
        let text = passes();
        let part = |name: &str, n_lines: usize| {
            let lines = text.lines().skip_while(|line| *line != name);
            lines.take(n_lines).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(part("empty_bodies", 12), @"
        empty_bodies
            Replaces function bodies by `loop {}`, which fits any return type
            (keeps types)
            (runs first of all; for each crate that has become a module; in each round; when a round has brought nothing)
                fn f(a: u8) -> u8 { let b = a + 1; g(b) }
             -> fn f(a: u8) -> u8 { loop {} }
        delete_items
            Deletes items, and members of impls and traits
            (keeps behaviour)
            (runs first of all; for each crate that has become a module; in each round; when a round has brought nothing)
                struct S; impl S { fn f() {} }
             -> struct S; impl S { }
        ");
        insta::assert_snapshot!(part("keep_slice", 4), @"
        keep_slice
            Keeps what is reachable from the definitions that the crash names
            (keeps types)
            (runs at the beginning; for each crate that has become a module)
        ");
    }
}
