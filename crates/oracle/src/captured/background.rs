//! `capture on --auto`: a crash that was kept is reduced after the build has gone on, and a later build tells the user.
//!
//! A process of its own is a client of the daemon, as if the user had typed `cargo reduce --captured N`, with one worker and a quarter of a usual share of the machine.
//! What came of it is a line in a file, which the next call of the wrapper prints.

use super::store::CapturedStore;
use crate::search::setting::environment;
use crate::system::files;
use crate::system::process::stand_in::{Apart, run_apart};
use camino::Utf8Path;
use reduce_platform::processes::work_apart;
use serde_json::Value;
use std::collections::BTreeMap;

const HOME_VARIABLE: &str = "CARGO_REDUCE_HOME";
/// In our home: what the user has not been told yet, a file for each kept crash.
const NEWS: &str = "captured/news";
/// In the directory of the kept crash.
const OUTPUT: &str = "reduced";
const LOG: &str = "log";

/// Has a kept crash reduced by the wrapper's own executable.
pub(super) fn reduce(
    number: u64,
    home: &Utf8Path,
    executable: &Utf8Path,
    env: &BTreeMap<String, String>,
) {
    let directory = CapturedStore::in_home(home).directory_of(number);
    let output = directory.join(OUTPUT);
    let number = number.to_string();
    let args = [
        "reduce",
        "--captured",
        &number,
        "--jobs",
        "1",
        "--priority",
        "low",
        "--force",
        "--output",
        output.as_str(),
    ];
    let args = args.map(str::to_owned);
    let mut env = environment::without_those_of_cargo(env);
    env.insert(HOME_VARIABLE.to_owned(), home.to_string());
    work_apart(|| {
        let done = run_apart(&Apart {
            program: executable,
            args: &args,
            env: &env,
            dir: &directory,
            log: &directory.join(LOG),
        });
        if matches!(done, Ok(true)) {
            let _untold = note(home, &number, &output);
        }
    });
}

fn note(home: &Utf8Path, number: &str, output: &Utf8Path) -> std::io::Result<()> {
    let text = std::fs::read(output.join("reduction.json"))?;
    let summary: Value = serde_json::from_slice(&text)?;
    let tokens = summary["tokens_after"].as_u64().unwrap_or_default();
    let line = format!(
        "cargo reduce: the kept crash #{number} was reduced to {tokens} tokens: {output}/report.md"
    );
    let part = output.with_file_name("news");
    std::fs::write(&part, line)?;
    std::fs::create_dir_all(home.join(NEWS))?;
    std::fs::rename(part, home.join(NEWS).join(number))
}

/// What the user has not been told yet, each line once.
pub(super) fn news(home: &Utf8Path) -> Vec<String> {
    let entries = files::entries(&home.join(NEWS)).unwrap_or_default();
    let lines = entries.iter().filter_map(|entry| {
        let line = files::read(entry.path()).ok();
        // Another call may have told it.
        std::fs::remove_file(entry.path()).ok().and(line)
    });
    lines.collect()
}
