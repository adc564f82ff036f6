//! Whether the warm compiler answers as a compiler that is started anew does: for this very
//! compiler, with the arguments of the plan, on a small program that compiles and one that does not.

use super::WarmCompiler;
use crate::cancel::Cancel;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::worker::Worker;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The first writes what the plan asks for, the second prints errors of two phases.
const PROGRAMS: [&str; 2] = [
    "pub fn probe() -> usize { [1, 2].len() }\nfn main() { probe(); }\n",
    "fn probe() -> u8 { missing() }\nfn main() { let text: &str = probe(); }\n",
];

impl WarmCompiler {
    /// Asks both compilers the same, below `dir`. Returns why the warm one is not to be used, if it
    /// is not.
    ///
    /// # Errors
    /// When the compiler cannot be started, or on cancellation.
    pub fn check(
        &self,
        plan: &Plan,
        dir: &Utf8Path,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        let edited = BTreeSet::from([plan.root.clone()]);
        let mut worker = Worker::new(dir.join("warm-check"), plan, &edited)?;
        worker.warm_up(self);
        for text in PROGRAMS {
            let sources = Sources::from([(plan.root.clone(), Arc::from(text))]);
            let anew = worker.trace_anew(plan, &sources, cancel)?;
            let warm = worker.trace(plan, &sources, cancel)?;
            if cancel.is_cancelled() {
                return Err(OracleError::Cancelled);
            }
            if !worker.is_warm() {
                let reason = "it does not stop where it is loaded";
                return Ok(Some(reason.to_owned()));
            }
            if anew != warm {
                return Ok(Some("it gives other answers".to_owned()));
            }
        }
        Ok(None)
    }
}
