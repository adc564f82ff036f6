//! `capture on --auto`: a crash that was kept is reduced after the build has gone on, and a later build tells the user.
//!
//! One process at a time takes the crashes that wait, one after the other, and is a client of the daemon as if the user had typed
//! `cargo reduce --captured N`, with one worker and a quarter of a usual share of the machine. Whoever has a crash to be reduced
//! while there is such a process only has it wait. The result of each reduction is a line in a file, which the next call of the
//! wrapper prints.

use super::store::CapturedStore;
use crate::search::context::environment;
use crate::system::files;
use crate::system::process::stand_in::{Apart, run_apart};
use camino::Utf8Path;
use reduce_platform::processes::work_apart;
use serde_json::Value;
use std::collections::BTreeMap;

const HOME_VARIABLE: &str = "CARGO_REDUCE_HOME";

/// Starts this executable to reduce a kept crash in the background.
pub(super) fn reduce(
    number: u64,
    home: &Utf8Path,
    executable: &Utf8Path,
    env: &BTreeMap<String, String>,
) {
    let store = CapturedStore::in_home(home);
    if store.automatic().want(number).is_err() {
        return;
    }
    let mut env = environment::without_those_of_cargo(env);
    env.insert(HOME_VARIABLE.to_owned(), home.to_string());
    let reducing = Reducing {
        store,
        executable,
        env,
    };
    work_apart(|| reducing.all_that_wait());
}

/// Returns whether a kept crash was reduced, is being reduced, or waits for that.
pub(super) fn is_known(number: u64, home: &Utf8Path) -> bool {
    CapturedStore::in_home(home).automatic().is_known(number)
}

/// Takes the news that the user has not been told yet, each line once.
pub(super) fn news(home: &Utf8Path) -> Vec<String> {
    CapturedStore::in_home(home).automatic().news()
}

struct Reducing<'a> {
    store: CapturedStore,
    executable: &'a Utf8Path,
    env: BTreeMap<String, String>,
}

impl Reducing<'_> {
    /// Reduces all crashes that wait. Whoever has one wait at the moment at which another process finds none finds that
    /// process at work: so it looks again once it is not.
    fn all_that_wait(&self) {
        let automatic = self.store.automatic();
        while automatic.waits() {
            let Ok(Some(_turn)) = automatic.try_begin() else {
                return;
            };
            while let Some(number) = automatic.take() {
                self.one(number);
            }
        }
    }

    fn one(&self, number: u64) {
        let automatic = self.store.automatic();
        let output = automatic.output(number);
        let number_arg = number.to_string();
        let args = [
            "reduce",
            "--captured",
            &number_arg,
            "--jobs",
            "1",
            "--priority",
            "low",
            "--force",
            "--output",
            output.as_str(),
        ];
        let done = run_apart(&Apart {
            program: self.executable,
            args: &args.map(str::to_owned),
            env: &self.env,
            dir: self.store.directory(),
            log: &automatic.log(number),
        });
        let is_deleted = self.store.forget_if_deleted(number).unwrap_or(true);
        if matches!(done, Ok(true)) && !is_deleted {
            let line = line(number, &output);
            let _untold = line.map(|line| automatic.note(number, &line));
        }
    }
}

/// Returns the line that tells the user of a result.
fn line(number: u64, output: &Utf8Path) -> Option<String> {
    let text = files::read(&output.join("reduction.json")).ok()?;
    let summary: Value = serde_json::from_str(&text).ok()?;
    let tokens = summary["tokens_after"].as_u64().unwrap_or_default();
    Some(format!(
        "cargo reduce: the kept crash #{number} was reduced to {tokens} tokens: {output}/report.md"
    ))
}
