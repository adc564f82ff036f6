//! Checks that the warm compiler answers as a compiler that is started anew does: for this very compiler, with the
//! arguments of the plan, on a small program that compiles and one that does not.

use super::WarmCompiler;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::worker::{Trace, Worker};
use camino::Utf8Path;
use reduce_platform::Cancel;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The programs by which the compilers are compared: the first one writes what the plan asks for, the second prints
/// errors of two phases.
const PROGRAMS: [&str; 2] = [
    "pub fn probe() -> usize { [1, 2].len() }\nfn main() { probe(); }\n",
    "fn probe() -> u8 { missing() }\nfn main() { let text: &str = probe(); }\n",
];

/// The result of comparing the warm compiler with one that is started anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarmCheck {
    /// The reason why the warm compiler is not to be used, if it is not.
    pub objection: Option<String>,
    /// The number of compiler runs that were made.
    pub runs: u64,
}

impl WarmCompiler {
    /// Asks the warm compiler and one that is started anew the same, below `dir`, and compares their answers.
    ///
    /// # Errors
    /// When the compiler cannot be started, or on cancellation.
    pub fn check(
        &self,
        plan: &Plan,
        dir: &Utf8Path,
        cancel: &Cancel,
    ) -> Result<WarmCheck, OracleError> {
        let edited = BTreeSet::from([plan.call.root.clone()]);
        let mut worker = Worker::new(dir.join("warm-check"), plan, &edited)?;
        worker.warm_up(self);
        let mut check = WarmCheck {
            objection: None,
            runs: 0,
        };
        for text in PROGRAMS {
            let sources = Sources::from([(plan.call.root.clone(), Arc::from(text))]);
            let anew = comparable(worker.trace_anew(plan, &sources, cancel)?);
            let warm = comparable(worker.trace(plan, &sources, cancel)?);
            check.runs += 2;
            if cancel.is_cancelled() {
                return Err(OracleError::Cancelled);
            }
            let objection = match worker.is_warm() {
                false => Some("it does not stop where it is loaded"),
                true if anew != warm => Some("it gives other answers"),
                true => None,
            };
            check.objection = objection.map(str::to_owned);
            if objection.is_some() {
                break;
            }
        }
        Ok(check)
    }
}

/// Returns a trace without what two compilers that are started anew do not agree in: numbers of
/// threads, and addresses. A plan may make a crash of any error.
pub(super) fn comparable(mut trace: Trace) -> Trace {
    trace.stderr = without_addresses(&without_thread(&trace.stderr));
    trace
}

fn without_thread(text: &str) -> String {
    let mut parts = text.split("thread 'rustc' (");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
    rest.fold(first, |text, part| format!("{text}thread 'rustc'{part}"))
}

fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    rest.fold(first, |text, part| format!("{text}0x{part}"))
}
