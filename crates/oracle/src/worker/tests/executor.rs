//! Workers whose processes run elsewhere.

use super::*;
use crate::system::process::{Decides, Outcome};
use crate::worker::confined::ProcessSort;
use crate::worker::executor::{Execute, Order};
use crate::worker::remote::RemoteExecutor;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// An executor that notes what it was to run, and runs it here.
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
    bench.plan.access.sandbox = CONFINED;
    let mut worker = bench.worker();
    let text = sources(&[("src/lib.rs", "exit 1\n")]);
    let here = bench.ask(&mut worker, &text);
    let noting = Noting::default();
    worker.run_by(&Executor::new(noting.clone()));
    let elsewhere = bench.ask(&mut worker, &text);
    assert_eq!(here.verdict, elsewhere.verdict);
    let program = bench.dir.join("worker/deps/program");
    let expected = [
        (ProcessSort::Compiler, bench.plan.call.compiler.path.clone()),
        (ProcessSort::Program, program),
    ];
    assert_eq!(*noting.0.lock().unwrap(), expected);
    worker.run_by(&Executor::local());
    bench.ask(&mut worker, &text);
    assert_eq!(noting.0.lock().unwrap().len(), 2);
}

/// An executor that compiles elsewhere, so that only a file of text stands for the program here, and gives
/// back each run of it.
#[derive(Debug)]
struct CompilesAlone(Arc<AtomicBool>);

impl Execute for CompilesAlone {
    fn run_until(
        &self,
        order: &Order<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Outcome, OracleError> {
        if order.rights.sort == ProcessSort::Program {
            self.0.store(true, Ordering::Relaxed);
            return Err(OracleError::Declined {
                reason: "no runs".to_owned(),
            });
        }
        let compiled = order.run_here(cancel, decides)?;
        let program = order
            .invocation
            .args
            .iter()
            .skip_while(|arg| *arg != "-o")
            .nth(1)
            .unwrap();
        std::fs::write(program, "on a server").unwrap();
        Ok(compiled)
    }
}

#[test]
fn a_question_that_is_given_back_is_asked_here_from_the_beginning() {
    let bench = time::running("true");
    let mut worker = bench.worker();
    let text = sources(&[("src/lib.rs", "exit 1\n")]);
    let here = bench.ask(&mut worker, &text);
    let has_declined = Arc::<AtomicBool>::default();
    let remote = RemoteExecutor::of(CompilesAlone(has_declined.clone()), has_declined);
    worker.remote = Some(remote);
    let property = property();
    let cancel = Cancel::new().unwrap();
    let ask = |worker: &mut Worker| worker.judge(&bench.plan, &text, &property, &cancel);
    assert!(worker.asking_remotely(ask).unwrap().is_none());
    let again = worker.asking_here(ask).unwrap();
    assert_eq!(again.verdict, here.verdict);
    assert!(worker.place.executor.is_local());
}
