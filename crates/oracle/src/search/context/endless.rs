//! Limits runs that do not end by themselves while the failure is looked for: how long they may take, what the user
//! is told meanwhile, and the error in the end.

use super::BaselineContext;
use crate::error::OracleError;
use crate::text::output::tail;
use crate::text::shell::line_of;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The time after which the user is told again what is still running.
const REMINDER: Duration = Duration::from_secs(30);
/// The factor by which cargo gets more time than a single compiler run, as it may have all of a workspace to compile.
const TIMES_FOR_CARGO: u32 = 6;
/// The seconds that a program must run to count as hanging, as a hint says them.
const HANGS_AFTER: &str = "10";

impl BaselineContext<'_> {
    /// Returns the time that a single run of a test, a program or a command may take.
    pub(crate) fn longest_run(&self) -> Duration {
        self.options.limits.longest
    }

    /// Returns the time that a single compiler run may take.
    pub(crate) fn longest_compilation(&self) -> Duration {
        self.options.limits.longest_compilation()
    }

    /// Returns the time that cargo may take to compile what is needed.
    pub(crate) fn longest_build(&self) -> Duration {
        self.longest_compilation().saturating_mul(TIMES_FOR_CARGO)
    }

    /// Does work that may take long, and tells the user now and then that it is still going on.
    pub(crate) fn reminding<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        reminding(REMINDER, what, self.note, work)
    }

    /// Makes the error about a command that did not end, with what it printed. `test` is the test that it
    /// was about, if that is clear.
    pub(crate) fn never_ends(
        &self,
        command: String,
        after: Duration,
        printed: &str,
        test: Option<&str>,
    ) -> OracleError {
        OracleError::NeverEnds {
            command,
            after,
            output: tail(printed),
            hang: self.as_hang(test),
        }
    }

    /// Returns the arguments of `cargo reduce` that look for a hang in place of the wanted failure.
    fn as_hang(&self, test: Option<&str>) -> Option<String> {
        let first = self.wanted.as_hang.clone()?;
        let hang = ["--hang", HANGS_AFTER].map(str::to_owned).to_vec();
        let test = test.filter(|_| self.wanted.takes_test_name);
        let test = test.map(str::to_owned).or(self.wanted.test_name.clone());
        let all = [
            first,
            hang,
            self.selected.clone(),
            test.into_iter().collect(),
        ];
        Some(line_of(&all.concat()))
    }
}

fn reminding<T>(
    every: Duration,
    what: &str,
    note: &(dyn Fn(&str) + Sync),
    work: impl FnOnce() -> T,
) -> T {
    let (working, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        // Dropped at the end of the work, however that is: then nobody waits any more.
        let _working = working;
        scope.spawn(move || {
            let mut passed = every;
            while is_done.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                note(&format!(
                    "still running {what} after {} s",
                    passed.as_secs()
                ));
                passed += every;
            }
        });
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::Sender;

    #[test]
    fn what_is_still_running_is_told_while_it_runs() {
        let (told, notes) = channel::<String>();
        let told: Mutex<Sender<String>> = Mutex::new(told);
        let note = |what: &str| {
            // The work has had what it waited for, and may be over.
            let _ = told.lock().unwrap().send(what.to_owned());
        };
        let every = Duration::from_millis(1);
        // The work ends once it was told of.
        let seen = reminding(every, "the tests", &note, || notes.recv().unwrap());
        assert_eq!(seen, "still running the tests after 0 s");
    }
}
