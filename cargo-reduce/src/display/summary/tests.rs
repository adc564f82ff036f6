use super::statistics::search;
use super::*;
use reduce_engine::{
    Algorithm, Breakdown, Decider, DeciderStatistics, DeliveredResult, Fidelity, KindStatistics,
    LineChange, OtherCrash, PassStatistics, Phase, ReductionCosts, ResultBehaviour,
    SUMMARY_VERSION, SearchOptions, Verification,
};

pub(crate) fn summary() -> Summary {
    Summary {
        version: SUMMARY_VERSION,
        ended: Ended::Fixpoint,
        search: SearchOptions::default(),
        fidelity: Fidelity::default(),
        sizes: Sizes {
            tokens_before: 900,
            tokens_in_islands: Some(0),
            tokens_after: 40,
        },
        counts: SearchCounts {
            queries: 120,
            speculative_queries: 11,
            other_runs: 5,
            cache_hits: 30,
            cache_hits_from_earlier_runs: 10,
            steps: 21,
            carved_calls: 0,
            expects_anew: false,
            not_carved: None,
            possible_edits: 29,
            out_of_time: 0,
            skipped: vec![],
            verified: None,
            slippage: 0,
        },
        costs: ReductionCosts {
            wall_seconds: 6.0,
            warm_compiler: true,
            remote: None,
            cheapest_call: "full".to_owned(),
            overhead_seconds: 0.0655,
            compiler_cpu_seconds: 1.31,
            peak_memory_bytes: 150 << 20,
        },
        behaviour: ResultBehaviour {
            kept: None,
            checked: true,
            clean: Some(true),
            remaining_errors: vec![],
            neighbour: None,
            nearest: vec![],
            signature: serde_json::from_str(
                r#"{"kind":"panic","file":null,"position":null,"message":"m","query":null}"#,
            )
            .unwrap(),
            failure: "panic: m".to_owned(),
            undefined_behaviour: None,
        },
        delivered: DeliveredResult {
            variables: vec![],
            reproduce: "rustc reduced.rs".to_owned(),
            goes_to: None,
            code_under_test: None,
            difference: None,
            for_rustc: vec![],
            also: vec![],
            compiler: "rustc 1.95.0".to_owned(),
            result: "/out/reduced.rs".into(),
        },
        flaky: None,
        may_be_of_macro: false,
        stability: None,
        code: Some("fn main() {}".to_owned()),
        other_crashes: vec![],
        crates: LinkedCrates::default(),
        breakdown: Breakdown {
            phases: vec![Phase {
                phase: "slice".to_owned(),
                tokens_after: 300,
                queries: 4,
                steps: 1,
                seconds: 0.5,
            }],
            passes: vec![PassStatistics {
                pass: "delete_items".to_owned(),
                tried: 80,
                queries: 70,
                accepted: 12,
                tokens: 700,
                seconds: 3.25,
            }],
            kinds: vec![
                KindStatistics {
                    kind: "candidate".to_owned(),
                    queries: 100,
                    accepted: 20,
                },
                KindStatistics {
                    kind: "other form".to_owned(),
                    queries: 20,
                    accepted: 1,
                },
            ],
            deciders: vec![
                DeciderStatistics {
                    decider: Decider::Names,
                    candidates: 7,
                    wall_seconds: 0.0,
                    cpu_seconds: 0.0,
                },
                DeciderStatistics {
                    decider: Decider::End,
                    candidates: 100,
                    wall_seconds: 1.5,
                    cpu_seconds: 1.2,
                },
            ],
        },
    }
}

fn plain(summary: &Summary, verbose: bool) -> String {
    anstream::adapter::strip_str(figures(summary, verbose).as_str()).to_string()
}

#[test]
fn the_figures_of_a_clean_result() {
    insta::assert_snapshot!(plain(&summary(), false), @"
         Reduced 900 to 40 tokens in 21 steps and 6.0 s
         Queries 120 (20.0/s), 11 ahead of time, 5 outside the search; 30 cache hits (20 %), 10 from earlier runs
         Minimal for each single edit of each pass; 2.4 queries for each of 21 steps and 29 edits left
           Clean yes: the result has no error but the crash
          Result /out/reduced.rs
          Report /out/report.html
       Reproduce in `/out`: rustc reduced.rs
    ");
}

#[test]
fn what_another_compiler_says_stands_behind_what_the_own_one_does() {
    let mut summary = summary();
    let mut neighbour = Neighbour {
        command: "rustc +nightly".to_owned(),
        version: "rustc 1.97.0-nightly".to_owned(),
        error: None,
    };
    summary.behaviour.neighbour = Some(neighbour.clone());
    let valid = "yes: the result has no error but the crash; it compiles with `rustc +nightly`";
    assert_eq!(cleanness(&summary), valid);
    neighbour.error = Some("E0308".to_owned());
    summary.behaviour.neighbour = Some(neighbour);
    assert!(cleanness(&summary).ends_with("; `rustc +nightly` refuses it: E0308"));
}

#[test]
fn what_a_server_did_is_told() {
    let remote = RemoteFigures {
        answered: 40,
        asked_here: 2,
        hits: 7,
        misses: 90,
        retries: 1,
        uploaded_bytes: 3 << 19,
    };
    let expected = "40 candidates decided by the server, 2 asked about here instead; 7 hits in its cache, \
                    90 misses, 1 retries, 1.5 MiB uploaded";
    let summary = Summary {
        costs: ReductionCosts {
            remote: Some(remote),
            ..summary().costs
        },
        ..summary()
    };
    assert!(plain(&summary, false).contains(expected));
}

#[test]
fn a_free_reduction_says_that_the_cause_may_be_lost() {
    let mut summary = summary();
    let warns = |summary: &Summary| plain(summary, false).contains(CAUSE_MAY_BE_LOST);
    for (fidelity, expected) in [
        (Fidelity::Test, false),
        (Fidelity::Whole, false),
        (Fidelity::Free, true),
    ] {
        summary.fidelity = fidelity;
        assert_eq!(warns(&summary), expected, "{fidelity:?}");
    }
}

#[test]
fn the_most_suspicious_lines_are_named() {
    let change = |original: &str, mutated: &str, failure: Option<&str>| LineChange {
        original: original.to_owned(),
        mutated: mutated.to_owned(),
        failure: failure.map(str::to_owned),
        breaks: None,
    };
    let line = |line: u64, change: LineChange| SuspiciousLine {
        file: "src/a.rs".to_owned(),
        line,
        function: "f".to_owned(),
        run: 1,
        changes: vec![change],
    };
    let code = CodeUnderTest {
        lines: vec![
            line(12, change("a > b", "a >= b", None)),
            line(7, change("f();", "", None)),
            line(30, change("1", "2", Some("panic"))),
            line(31, change("1", "2", Some("panic"))),
        ],
        ..CodeUnderTest::default()
    };
    let expected = "src/a.rs:12 (passes with `a >= b`), src/a.rs:7 (passes without `f();`), src/a.rs:30 and 1 \
                    more, see the report";
    assert_eq!(suspicious(&code).as_deref(), Some(expected));
    let located = CodeUnderTest {
        located_in: Some("f".to_owned()),
        ..code
    };
    let expected = format!("f (probably the bug is there): {expected}");
    assert_eq!(suspicious(&located), Some(expected));
    assert_eq!(suspicious(&CodeUnderTest::default()), None);
}

#[test]
fn what_a_result_still_has_is_named() {
    let mut summary = summary();
    summary.ended = Ended::Cancelled;
    summary.behaviour.clean = Some(false);
    summary.behaviour.remaining_errors = vec!["E0308".to_owned(), "E0425".to_owned()];
    summary.counts.slippage = 3;
    summary.other_crashes = vec![OtherCrash {
        signature: "bug: no type".to_owned(),
        kept_at: "/out/other-1".into(),
    }];
    insta::assert_snapshot!(plain(&summary, true), @"
         Reduced 900 to 40 tokens in 21 steps and 6.0 s; stopped before the end
         Queries 120 (20.0/s), 11 ahead of time, 5 outside the search; 30 cache hits (20 %), 10 from earlier runs
         Minimal no: the search was stopped
           Clean no: the result also has E0308, E0425
        Slippage 3 candidate(s) crashed in another way; 1 of them kept, see above
          Search --algorithm wddmin --strategy staged --seed 0 --prior uniform --closure with-users
          Phases         tokens  queries    steps    seconds
                 slice      300        4        1        0.5
          Passes                 tried  queries accepted   tokens    seconds
                 delete_items       80       70       12      700        3.2
           Kinds             queries accepted     rate
                 candidate       100       20   20.0 %
                 other form       20        1    5.0 %
      Decided by                     candidates  ms wall   ms CPU
                 names and arguments          7      0.0      0.0
                 compiled to the end        100     15.0     12.0
           Costs warm compiler (full), 10.0 ms CPU a run, at most 150 MiB; our own time 0.50 ms a run
          Result /out/reduced.rs
          Report /out/report.html
       Reproduce in `/out`: rustc reduced.rs
    ");
}

#[test]
fn where_a_command_decided_nothing_is_claimed_of_errors() {
    let mut summary = summary();
    summary.behaviour.clean = None;
    summary.behaviour.kept = Some("that `/a/b.sh` ends with status 0".to_owned());
    let text = plain(&summary, false);
    let kept = "        Kept that `/a/b.sh` ends with status 0\n       Clean not known: nothing but what is kept";
    assert!(text.contains(kept), "{text}");
}

#[test]
fn a_result_that_was_not_compiled_once_more_is_called_so() {
    let mut summary = summary();
    summary.ended = Ended::Cancelled;
    summary.behaviour.checked = false;
    summary.behaviour.clean = None;
    let text = plain(&summary, false);
    let expected = "     Minimal no: the search was stopped, and there was no time to compile the result once more\n       \
                    Clean not known: the result was not compiled once more\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn what_passes_is_named_with_its_version() {
    let mut summary = summary();
    summary.delivered.also = vec![Success {
        command: "rustc other.rs".to_owned(),
        compiler: String::new(),
        version: Some("1a2b (Take notes)".to_owned()),
        broken_by: Some("3c4d (Compare)".to_owned()),
    }];
    let text = plain(&summary, false);
    let end = text.find("    Succeeds").map(|at| &text[at..]);
    insta::assert_snapshot!(end.unwrap(), @"
    Succeeds with rustc other.rs
      Passes with the code of `1a2b (Take notes)`
       Fails since `3c4d (Compare)`
    ");
}

#[test]
fn a_result_that_is_larger_than_the_input_says_why() {
    let larger = Summary {
        sizes: Sizes {
            tokens_before: 18,
            tokens_after: 47,
            ..summary().sizes
        },
        ..summary()
    };
    insta::assert_snapshot!(plain(&larger, false).lines().next().unwrap(), @"     Reduced to 47 tokens in 21 steps and 6.0 s; the input has 18, without the code of other crates that the result has");
}

#[test]
fn of_many_linked_crates_the_first_are_named() {
    let merged: Vec<String> = (1..=40).map(|number| format!("c{number}")).collect();
    let compiled = (1..=8).map(|number| CompiledCrate {
        package: format!("p{number}"),
        version: "1.0.0".to_owned(),
        is_procedural: number == 1,
        links_native: false,
    });
    let linked = LinkedCrates {
        before: 48,
        merged,
        auxiliary: vec![],
        compiled: compiled.collect(),
    };
    insta::assert_snapshot!(crates(&linked, "crash").unwrap(), @"still linked as compiled: p1 1.0.0 (procedural macro), p2 1.0.0, p3 1.0.0, p4 1.0.0, p5 1.0.0, p6 1.0.0 and 2 more; made modules: `c1`, `c2`, `c3`, `c4`, `c5`, `c6` and 34 more");
}

#[test]
fn what_became_of_linked_crates_is_said_if_there_were_some() {
    let name = |name: &str| vec![name.to_owned()];
    let mut linked = LinkedCrates::default();
    assert_eq!(crates(&linked, "crash"), None);
    linked.before = 3;
    linked.merged = name("either");
    insta::assert_snapshot!(crates(&linked, "crash").unwrap(), @"none of 3 linked any more; made modules: `either`");
    linked.auxiliary = name("signals");
    linked.compiled = vec![CompiledCrate {
        package: "derive".to_owned(),
        version: "1.0.0".to_owned(),
        is_procedural: true,
        links_native: false,
    }];
    insta::assert_snapshot!(crates(&linked, "crash").unwrap(), @"the crash needs the boundary to `signals`; still linked as compiled: derive 1.0.0 (procedural macro); made modules: `either`");
}

#[test]
fn a_result_that_was_verified_says_how() {
    let mut summary = summary();
    summary.counts.verified = Some(Verification {
        edits: 17,
        accepted: 0,
    });
    insta::assert_snapshot!(minimality(&summary), @"yes, verified: each of 17 single edits loses the crash; 2.4 queries for each of 21 steps and 29 edits left");
}

#[test]
fn candidates_that_ran_out_of_time_are_an_exception_to_minimality() {
    let mut summary = summary();
    summary.counts.out_of_time = 3;
    insta::assert_snapshot!(minimality(&summary), @"for each single edit of each pass but for 3 candidates that ran out of time; 2.4 queries for each of 21 steps and 29 edits left");
    summary.counts.out_of_time = 1;
    let (edits, accepted) = (17, 0);
    summary.counts.verified = Some(Verification { edits, accepted });
    insta::assert_snapshot!(minimality(&summary), @"yes, verified: each of 17 single edits loses the crash but for 1 candidate that ran out of time; 2.4 queries for each of 21 steps and 29 edits left");
}

#[test]
fn a_search_that_had_nothing_to_do_has_a_ratio() {
    let mut summary = summary();
    (
        summary.counts.queries,
        summary.counts.steps,
        summary.counts.possible_edits,
    ) = (3, 0, 0);
    insta::assert_snapshot!(minimality(&summary), @"for each single edit of each pass; 3.0 queries for each of 0 steps and 0 edits left");
}

#[test]
fn the_search_is_shown_as_it_would_be_asked_for() {
    let options = SearchOptions {
        algorithm: Algorithm::Wprobdd,
        initial_probability: Some("0.15".parse().unwrap()),
        ..SearchOptions::default()
    };
    let expected = "--algorithm wprobdd --strategy staged --seed 0 \
                    --initial-probability 0.15 --prior uniform --closure with-users";
    assert_eq!(search(&options), expected);
}

#[test]
fn the_code_ends_with_one_newline() {
    let mut summary = summary();
    assert_eq!(code_of(&summary), "fn main() {}\n");
    summary.code = Some("fn main() {}\n".to_owned());
    assert_eq!(code_of(&summary), "fn main() {}\n");
    summary.code = None;
    assert_eq!(code_of(&summary), "");
}
