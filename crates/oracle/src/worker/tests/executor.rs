//! Workers whose processes run elsewhere.

use super::*;
use crate::system::process::{Decides, Outcome};
use crate::worker::confined::ProcessSort;
use crate::worker::executor::{Execute, Order};
use std::sync::Mutex;

/// Notes what it was to run, and runs it here.
#[derive(Debug, Default, Clone)]
struct Noting(Arc<Mutex<Vec<(ProcessSort, Utf8PathBuf)>>>);

impl Execute for Noting {
    fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        let noted = (order.rights.sort, order.invocation.program.to_owned());
        self.0.lock().unwrap().push(noted);
        order.run_here(cancel, decides)
    }
}

#[test]
fn an_executor_runs_all_processes_of_a_candidate_with_their_rights() {
    let mut bench = time::running("true");
    bench.plan.access.sandbox = SandboxMode::Default;
    let mut worker = bench.worker();
    let text = sources(&[("src/lib.rs", "exit 1\n")]);
    let here = bench.ask(&mut worker, &text);
    let noting = Noting::default();
    worker.run_by(&Executor::new(noting.clone()));
    let elsewhere = bench.ask(&mut worker, &text);
    assert_eq!(here.verdict, elsewhere.verdict);
    let program = bench.dir.join("worker/out/program");
    let expected = [
        (ProcessSort::Compiler, bench.plan.call.compiler.path.clone()),
        (ProcessSort::Program, program),
    ];
    assert_eq!(*noting.0.lock().unwrap(), expected);
    worker.run_by(&Executor::local());
    bench.ask(&mut worker, &text);
    assert_eq!(noting.0.lock().unwrap().len(), 2);
}
