//! The beginning of `cargo reduce --help`, so that a change of it is seen. The options are on a page of the book, which is compared with them.

use super::parse::{Layer, Variables, command};

#[test]
fn the_help_begins_as_it_did() {
    let command = command(&Layer::new(), Variables::Ignore).term_width(100);
    let help = command
        .try_get_matches_from(["cargo", "reduce", "--help"])
        .unwrap_err();
    let help = help.to_string();
    let (beginning, _) = help.split_once("\nOptions:").unwrap();
    insta::assert_snapshot!(beginning, @r#"
    Shrinks a crate that crashes rustc, or has a failing test, to the smallest program that still fails
    in the same way

    Without FILE the package in the current directory is reduced, as cargo would compile it. If it is
    not said what must stay, what fails is listed, with the command that reduces each. The sources are
    never touched: the result goes to the output directory, and the reduced code, where it is short, to
    standard output.

    Usage: cargo reduce --ice [OPTIONS] [FILE.rs|-] [-- RUSTC_ARGS...]
           cargo reduce --test NAME [OPTIONS] [TEST]
           cargo reduce [--last] [OPTIONS]
           cargo reduce triage [OPTIONS] DIR|FILE.. [-- RUSTC_ARGS...]
           cargo reduce capture on|off|status
           cargo reduce captured [show|export|delete]
           cargo reduce jobs [list|attach|show|pause|resume|cancel|finish|skip|result|log] [ID]
           cargo reduce cache stats|prune|verify
           cargo reduce daemon status|stop|run
           cargo reduce completions SHELL
           cargo reduce man DIR

    Commands:
      daemon       The process in the background that does the work
      triage       Says which of many crashes of the compiler are one bug, and reduces one of each
      capture      Has crashes of the compiler kept when they happen, in ordinary builds
      captured     Lists the crashes that were kept
      jobs         The jobs of the daemon: lists them if no other command is given
      cache        What is kept across jobs: verdicts and compiled dependencies
      completions  Prints a script with which a shell completes `cargo reduce`
      man          Writes the man pages to a directory, which is made if it is not there
    "#);
}
