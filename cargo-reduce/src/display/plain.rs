//! Events as plain lines, for logs and pipes: of progress at most one line every two seconds, and
//! where a user wants to see more, passes and steps.

use super::printable::Printable;
use super::progress::progress_line;
use super::summary;
use clap_cargo::style::WARN;
use reduce_engine::{Event, Progress};

/// Seconds between two lines of progress.
const INTERVAL_SECONDS: f64 = 2.0;

/// Turns events into lines. Time is taken from the events, not from a clock.
#[derive(Debug)]
pub(crate) struct Plain {
    verbose: bool,
    /// The time of the last line of progress.
    last_progress: Option<f64>,
}

impl Plain {
    pub(crate) fn new(verbose: bool) -> Self {
        Self {
            verbose,
            last_progress: None,
        }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Returns the lines that are printed for an event; empty where it is not shown.
    pub(crate) fn render(&mut self, event: &Event) -> Printable {
        match event {
            Event::Preparing { what } => status("Preparing", what),
            Event::Cargo { line } => {
                let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
                status(verb, rest)
            }
            Event::BaselineFound {
                noun,
                signature,
                command,
                compiler,
                tokens,
                files,
            } => {
                let command = self.verbose.then(|| status("Command", command));
                let files = if *files == 1 {
                    "1 file".to_owned()
                } else {
                    format!("{files} files")
                };
                let found = status(title(noun), &format!("{signature} ({compiler})"))
                    + status("Size", &format!("{tokens} tokens in {files}"));
                found + command.unwrap_or_default()
            }
            Event::Flaky(flaky) => status("Flaky", &flaky.to_string()),
            Event::Stability(stability) if stability.is_conclusive() && !self.verbose => {
                Printable::default()
            }
            Event::Stability(stability) => status("Stable", &stability.to_string()),
            Event::Resumed { steps, tokens } => status(
                "Resuming",
                &format!("after step {steps}, with {tokens} tokens"),
            ),
            Event::FallbackForFile { path, reason } => warning(&format!(
                "`{path}` is reduced by lines and tokens: {reason}"
            )),
            Event::IslandsInFile {
                path,
                places,
                tokens,
            } => {
                let tokens = match tokens {
                    1 => "one token".to_owned(),
                    _ => format!("{tokens} tokens"),
                };
                let at = match places {
                    1 => String::new(),
                    _ => format!(" at {places} places"),
                };
                status(
                    "Parsing",
                    &format!("`{path}` but for {tokens}{at}, which are reduced one by one"),
                )
            }
            Event::PassStarted { pass, round } if self.verbose => {
                status("Pass", &format!("{pass} (round {round})"))
            }
            Event::StepAccepted {
                step,
                pass,
                tokens_before,
                tokens_after,
            } if self.verbose => {
                let tokens = format!("{tokens_before} to {tokens_after} tokens");
                status("Step", &format!("{step} of {pass}: {tokens}"))
            }
            Event::PassStarted { .. }
            | Event::StepAccepted { .. }
            | Event::VariablesKnown { .. } => Printable::default(),
            Event::Paused { is_paused: true } => {
                status("Paused", "the job makes no queries until it is resumed")
            }
            Event::Paused { is_paused: false } => status("Going on", "the job was resumed"),
            Event::EditAdopted {
                path, tokens_after, ..
            } => status(
                "Adopted",
                &format!(
                    "your edit of `{path}` still fails in the same way; going on from it \
                     ({tokens_after} tokens)"
                ),
            ),
            Event::EditRejected {
                path,
                reason,
                kept_at,
            } => warning(&format!(
                "your edit of `{path}` does not fail in the same way any more ({reason}); it is \
                 kept in `{kept_at}`"
            )),
            Event::Progress(progress) => self.progress(progress),
            Event::OtherCrash { signature, kept_at } => {
                status("Other crash", &format!("{signature}; kept in `{kept_at}`"))
            }
            Event::Warning { message } => warning(message),
            Event::Finished(summary) => summary::figures(summary, self.verbose),
        }
    }

    fn progress(&mut self, progress: &Progress) -> Printable {
        let now = progress.elapsed_seconds;
        if self
            .last_progress
            .is_some_and(|last| now - last < INTERVAL_SECONDS)
        {
            return Printable::default();
        }
        self.last_progress = Some(now);
        status("Progress", &progress_line(progress))
    }
}

fn status(verb: &str, message: &str) -> Printable {
    Printable::status(verb, message)
}

fn warning(message: &str) -> Printable {
    Printable::labelled(WARN, "warning", message)
}

/// Returns the label of the line that shows the failure to preserve, by the noun for it.
fn title(noun: &str) -> &'static str {
    match noun {
        "crash" => "Crash",
        _ => "Failure",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::summary::tests::summary;

    fn render(plain: &mut Plain, event: &Event) -> String {
        anstream::adapter::strip_str(plain.render(event).as_str()).to_string()
    }

    #[track_caller]
    fn check(event: &Event, expected: &str) {
        assert_eq!(render(&mut Plain::new(false), event), expected);
    }

    #[test]
    fn preparations_are_shown() {
        let event = Event::Preparing {
            what: "running `cargo check`".to_owned(),
        };
        check(&event, "   Preparing running `cargo check`\n");
    }

    #[test]
    fn what_cargo_does_is_shown_as_cargo_does() {
        let line = "Compiling serde v1.0.2".to_owned();
        check(&Event::Cargo { line }, "   Compiling serde v1.0.2\n");
    }

    #[test]
    fn the_baseline_is_shown_with_its_command_where_it_is_asked_for() {
        let event = Event::BaselineFound {
            noun: "crash".to_owned(),
            signature: "panic: index out of bounds".to_owned(),
            command: "rustc lib.rs".to_owned(),
            compiler: "rustc 1.95.0".to_owned(),
            tokens: 900,
            files: 1,
        };
        let short = "       Crash panic: index out of bounds (rustc 1.95.0)\n        \
                     Size 900 tokens in 1 file\n";
        check(&event, short);
        let long = format!("{short}     Command rustc lib.rs\n");
        assert_eq!(render(&mut Plain::new(true), &event), long);
    }

    #[test]
    fn a_resumed_job_says_where_it_goes_on() {
        let event = Event::Resumed {
            steps: 12,
            tokens: 345,
        };
        check(&event, "    Resuming after step 12, with 345 tokens\n");
    }

    #[test]
    fn a_file_that_cannot_be_parsed_is_a_warning() {
        let event = Event::FallbackForFile {
            path: "src/a.rs".into(),
            reason: "expected `;`".to_owned(),
        };
        check(
            &event,
            "warning: `src/a.rs` is reduced by lines and tokens: expected `;`\n",
        );
    }

    #[test]
    fn places_that_cannot_be_parsed_are_counted() {
        let event = Event::IslandsInFile {
            path: "src/a.rs".into(),
            places: 2,
            tokens: 7,
        };
        check(
            &event,
            "     Parsing `src/a.rs` but for 7 tokens at 2 places, which are reduced one by one\n",
        );
    }

    #[test]
    fn a_pass_has_its_round_where_that_is_asked_for() {
        let event = Event::PassStarted {
            pass: "delete_items".to_owned(),
            round: 2,
        };
        check(&event, "");
        let verbose = render(&mut Plain::new(true), &event);
        assert_eq!(verbose, "        Pass delete_items (round 2)\n");
    }

    #[test]
    fn steps_are_shown_where_they_are_asked_for() {
        let event = Event::StepAccepted {
            step: 3,
            pass: "delete_items".to_owned(),
            tokens_before: 90,
            tokens_after: 50,
        };
        check(&event, "");
        let verbose = render(&mut Plain::new(true), &event);
        assert_eq!(verbose, "        Step 3 of delete_items: 90 to 50 tokens\n");
    }

    #[test]
    fn progress_is_shown_at_most_every_two_seconds() {
        let mut plain = Plain::new(false);
        let shown = [0.1, 0.5, 1.9, 2.2, 3.0, 4.3].map(|elapsed_seconds| {
            let progress = Progress {
                pass: "delete_items".to_owned(),
                round: 1,
                tokens_now: 10,
                tokens_at_start: 100,
                queries: 7,
                cache_hits: 2,
                elapsed_seconds,
            };
            !render(&mut plain, &Event::Progress(progress)).is_empty()
        });
        assert_eq!(shown, [true, false, false, true, false, true]);
    }

    #[test]
    fn edits_of_the_result_are_shown_with_what_became_of_them() {
        let adopted = Event::EditAdopted {
            path: "reduced.rs".into(),
            step: 4,
            tokens_before: 40,
            tokens_after: 55,
        };
        check(
            &adopted,
            "     Adopted your edit of `reduced.rs` still fails in the same way; going on from it \
             (55 tokens)\n",
        );
        let rejected = Event::EditRejected {
            path: "reduced.rs".into(),
            reason: "it compiles".to_owned(),
            kept_at: "/out/rejected-edit.rs".into(),
        };
        check(
            &rejected,
            "warning: your edit of `reduced.rs` does not fail in the same way any more (it \
             compiles); it is kept in `/out/rejected-edit.rs`\n",
        );
    }

    #[test]
    fn another_crash_is_shown_with_its_place() {
        let event = Event::OtherCrash {
            signature: "bug: no type".to_owned(),
            kept_at: "/out/other-1".into(),
        };
        check(
            &event,
            " Other crash bug: no type; kept in `/out/other-1`\n",
        );
    }

    #[test]
    fn a_warning_is_marked() {
        check(
            &Event::Warning {
                message: "the disk is slow".to_owned(),
            },
            "warning: the disk is slow\n",
        );
    }

    #[test]
    fn the_end_shows_the_figures() {
        let event = Event::Finished(Box::new(summary()));
        let text = render(&mut Plain::new(false), &event);
        assert!(text.starts_with("     Reduced 900 to 40 tokens"), "{text}");
    }
}
