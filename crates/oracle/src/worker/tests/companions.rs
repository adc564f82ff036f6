//! Companions, compiled by a script that leaves a letter for each call.

use super::*;
use crate::demands::Demand;
use crate::plan::companion::Companion;
use std::sync::Arc;

/// Crashes where the text has `crash`, but not with `-Zok`; fails with `-Zok` where it has `wrong`, and
/// never ends where it has `sleep`.
fn bench(companions: Vec<Companion>) -> Bench {
    let mut bench = Bench::new(&format!(
        "log=$(dirname \"$0\")/log; text=$(cat src/lib.rs)
        case \"$* $text\" in
            *-Zok*wrong*) printf o >> \"$log\"; exit 1;;
            *-Zok*sleep*) printf o >> \"$log\"; exec sleep 60;;
            *-Zok*) printf o >> \"$log\"; exit 0;;
            *crash*) printf c >> \"$log\"; {CRASH};;
            *) printf c >> \"$log\"; exit 0;;
        esac"
    ));
    bench.plan.run_policy.companions = companions;
    bench
}

fn companion(is_cheaper: bool) -> Companion {
    Companion {
        toolchain: None,
        version: None,
        own_crate: None,
        env: BTreeMap::new(),
        flags: vec!["-Zok".to_owned()],
        unset: Vec::new(),
        units: Arc::new([]),
        replaced: BTreeMap::new(),
        demand: Demand::Compiles,
        is_stable: false,
        is_cheaper,
        usual: None,
    }
}

/// Checks the verdict of a text, and the calls in their order.
#[track_caller]
fn check(bench: &Bench, text: &str, expected: Verdict, calls: &str) {
    let sources = sources(&[("src/lib.rs", text)]);
    let answer = bench.ask(&mut bench.worker(), &sources);
    assert_eq!(answer.verdict, expected, "{text}");
    let log = bench.dir.join("log");
    assert_eq!(files::read(&log).unwrap(), calls, "{text}");
    assert_eq!(answer.runs as usize, calls.len(), "{text}");
    files::remove(&log).unwrap();
}

#[test]
fn what_fails_must_pass_the_companion() {
    let bench = bench(vec![companion(false)]);
    check(&bench, "crash", Verdict::Interesting, "co");
    check(&bench, "crash wrong", Verdict::Rejected, "co");
    check(&bench, "wrong", Verdict::Compiles, "c");
}

#[test]
fn a_companion_that_does_not_end_is_out_of_time() {
    let mut bench = bench(vec![companion(false)]);
    bench.plan.run_policy.limits.deadline = Some(Duration::from_secs(1));
    check(&bench, "crash sleep", Verdict::TimedOut, "co");
}

#[test]
fn a_companion_that_is_cheaper_comes_first() {
    let bench = bench(vec![companion(false), companion(true)]);
    check(&bench, "crash", Verdict::Interesting, "oco");
    check(&bench, "crash wrong", Verdict::Rejected, "o");
    check(&bench, "", Verdict::Compiles, "oc");
}

#[test]
fn where_a_failure_is_not_stable_one_success_is_not_enough() {
    let succeeds = Companion {
        demand: Demand::Succeeds,
        ..companion(false)
    };
    let mut bench = bench(vec![succeeds, companion(false)]);
    bench.plan.run_policy.repeat = 3;
    check(&bench, "crash", Verdict::Interesting, "coooo");
    check(&bench, "crash wrong", Verdict::Rejected, "co");
}

#[test]
fn the_last_check_asks_all_companions() {
    let bench = bench(vec![companion(false), companion(true)]);
    let cancel = Cancel::new().unwrap();
    for (text, expected) in [("crash", true), ("crash wrong", false)] {
        let sources = sources(&[("src/lib.rs", text)]);
        let holds = bench
            .worker()
            .holds_elsewhere(&bench.plan, &sources, &cancel);
        assert_eq!(holds.unwrap(), expected, "{text}");
    }
}
