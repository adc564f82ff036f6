//! The end of a reduction: the figures, what is worth knowing of the result, and the code.

use super::printable::Printable;
use super::progress::{per_second, time};
use reduce_engine::{
    CodeUnderTest, CompiledCrate, CrashKind, Ended, FlakyFigures, LinkedCrates, Neighbour,
    RemoteFigures, SearchCounts, SearchOptions, Sizes, SkippedPass, Success, Summary,
    SuspiciousLine, UndefinedBehaviour, but_for_late, but_for_skipped,
};

/// The warning that `--free` gives to whoever reads the result.
const CAUSE_MAY_BE_LOST: &str =
    "may be lost: with `--free` the result fails in the same way, maybe not for the same reason";

/// The text on whether the result has other errors, if the user's own command decided about candidates.
const NOT_ASKED: &str =
    "not known: nothing but what is kept was checked, and no compiler was asked";

/// The largest number of suspicious lines of the code under test that are named.
const MOST_LINES: usize = 3;
/// The largest number of linked crates that are named in each list of them.
const MOST_CRATES: usize = 6;
/// The words before the name of a version of the code.
const WITH_CODE: &str = "with the code of";

/// Returns the lines about the end of a reduction: sizes, queries, what was kept, times.
pub(crate) fn figures(summary: &Summary, verbose: bool) -> Printable {
    let mut text = sizes(summary);
    text += status("Queries", &queries(summary));
    if let Some(remote) = &summary.costs.remote {
        text += status("Remote", &remotely(remote));
    }
    text += status("Minimal", &minimality(summary));
    if let Some(kept) = &summary.behaviour.kept {
        text += status("Kept", kept);
    }
    text += status("Clean", &cleanness(summary));
    if let Some(told) = &summary.behaviour.undefined_behaviour {
        text += status("Undefined", &undefined_behaviour(told));
    }
    if summary.fidelity.may_lose_cause() {
        text += status("Cause", CAUSE_MAY_BE_LOST);
    }
    if !summary.counts.skipped.is_empty() {
        text += status("Skipped", &skipped(&summary.counts.skipped));
    }
    if let Some(flaky) = &summary.flaky {
        text += status("Flaky", &flakiness(flaky, verbose));
    }
    if let Some(crates) = crates(&summary.crates, summary.behaviour.signature.noun()) {
        text += status("Crates", &crates);
    }
    if summary.counts.slippage > 0 {
        text += status("Slippage", &slippage(summary));
    }
    if verbose {
        text += status("Search", &search(&summary.search));
        text += phases(summary);
        text += passes(summary);
        text += kinds(summary);
        text += deciders(summary);
        text += status("Costs", &costs(summary));
    }
    if let Some(lines) = summary
        .delivered
        .code_under_test
        .as_ref()
        .and_then(suspicious)
    {
        text += status("Suspicious", &lines);
    }
    text += status("Result", summary.delivered.result.as_str());
    if let Some(page) = summary.page() {
        text += status("Report", page.as_str());
    }
    let directory = match summary.delivered.result.extension() {
        Some("rs") => summary.delivered.result.parent(),
        _ => Some(summary.delivered.result.as_path()),
    };
    if let Some(place) = &summary.delivered.goes_to {
        let place = place.instruction(&|code| format!("`{code}`"));
        let message = format!("{place}; then: {}", summary.delivered.reproduce);
        text += status("Reproduce", &message);
        for success in &summary.delivered.also {
            // In another version of the package the command is the same.
            if success.version.is_none() {
                text += status("Succeeds", &format!("with {}", success.command));
            }
            text += versions(success, WITH_CODE);
        }
    } else if let Some(directory) = directory {
        text += status(
            "Reproduce",
            &format!("in `{directory}`: {}", summary.delivered.reproduce),
        );
        for success in &summary.delivered.also {
            text += status("Succeeds", &format!("with {}", success.command));
            let how = match summary.delivered.difference {
                Some(_) => "in the version",
                None => WITH_CODE,
            };
            text += versions(success, how);
        }
    }
    text
}

/// Describes a version of the code in which the program does not fail, and the version after it, since which it fails.
fn versions(success: &Success, how: &str) -> Printable {
    let mut text = Printable::default();
    if let Some(version) = &success.version {
        text += status("Passes", &format!("{how} `{version}`"));
    }
    if let Some(next) = &success.broken_by {
        text += status("Fails", &format!("since `{next}`"));
    }
    text
}

/// The lines of the code under test that are most suspicious, if there are some.
fn suspicious(code: &CodeUnderTest) -> Option<String> {
    let lines = code.lines.iter().take(MOST_LINES);
    let lines: Vec<String> = lines.map(suspicious_line).collect();
    let left = match code.lines.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        left => format!(" and {left} more, see the report"),
    };
    let located = code.located_in.iter();
    let located = located.map(|function| format!("{function} (probably the bug is there): "));
    (!lines.is_empty()).then(|| located.collect::<String>() + &lines.join(", ") + &left)
}

/// Describes a suspicious line of the code under test, and a change of it, if any, with which the test passes.
fn suspicious_line(line: &SuspiciousLine) -> String {
    let mends = line.changes.iter().find(|one| one.failure.is_none());
    let place = format!("{}:{}", line.file, line.line);
    match mends {
        Some(change) if change.mutated.is_empty() => {
            format!("{place} (passes without `{}`)", change.original)
        }
        Some(change) => format!("{place} (passes with `{}`)", change.mutated),
        None => place,
    }
}

fn status(verb: &str, message: &str) -> Printable {
    Printable::status(verb, message)
}

/// Says how many candidates failed in another way. Which way was said when it was met.
fn slippage(summary: &Summary) -> String {
    let failed = match summary.behaviour.signature.noun() {
        "crash" => "crashed",
        _ => "failed",
    };
    let count = summary.counts.slippage;
    let kept = match summary.other_crashes.len() {
        0 => String::new(),
        kept => format!("; {kept} of them kept, see above"),
    };
    format!("{count} candidate(s) {failed} in another way{kept}")
}

/// The code with a newline at its end; empty where it is too long to be shown.
pub(crate) fn code_of(summary: &Summary) -> String {
    match &summary.code {
        Some(code) if !code.ends_with('\n') => format!("{code}\n"),
        Some(code) => code.clone(),
        None => String::new(),
    }
}

/// Describes the sizes of the program before and after the reduction, with the number of steps. A result may be larger
/// than the input, as it has crates in it that the input was linked with.
fn sizes(summary: &Summary) -> Printable {
    let Sizes {
        tokens_before,
        tokens_after,
        ..
    } = summary.sizes;
    let steps = summary.counts.steps;
    let end = match summary.ended {
        Ended::Cancelled => "; stopped before the end".to_owned(),
        Ended::Unconfirmed => "; the last check did not show the failure".to_owned(),
        ended => match ended.early() {
            Some(why) => format!("; ended early, as {why}"),
            None => String::new(),
        },
    };
    let took = format!(
        "in {steps} steps and {}{end}",
        time(summary.costs.wall_seconds)
    );
    let message = match tokens_after <= tokens_before {
        true => format!("{tokens_before} to {tokens_after} tokens {took}"),
        false => format!(
            "to {tokens_after} tokens {took}; the input has {tokens_before}, without the code of other crates that the result has"
        ),
    };
    status("Reduced", &message)
}

fn queries(summary: &Summary) -> String {
    let SearchCounts {
        queries,
        speculative_queries,
        other_runs,
        cache_hits,
        ..
    } = &summary.counts;
    let rate = per_second(*queries, summary.costs.wall_seconds);
    let asked = queries + cache_hits;
    let hit_rate = if asked > 0 {
        100.0 * *cache_hits as f64 / asked as f64
    } else {
        0.0
    };
    let earlier = summary.counts.cache_hits_from_earlier_runs;
    format!(
        "{queries} ({rate:.1}/s), {speculative_queries} ahead of time, {other_runs} outside the \
         search; {cache_hits} cache hits ({hit_rate:.0} %), {earlier} from earlier runs"
    )
}

/// Describes the work of a server.
fn remotely(remote: &RemoteFigures) -> String {
    let RemoteFigures {
        answered,
        asked_here,
        hits,
        misses,
        retries,
        uploaded_bytes,
    } = remote;
    let mebibytes = *uploaded_bytes as f64 / f64::from(1 << 20);
    format!(
        "{answered} candidates decided by the server, {asked_here} asked about here instead; {hits} hits in its cache, \
         {misses} misses, {retries} retries, {mebibytes:.1} MiB uploaded"
    )
}

/// Says how sure it is that nothing more can go, and what that has cost.
fn minimality(summary: &Summary) -> String {
    let SearchCounts {
        steps,
        possible_edits,
        ..
    } = &summary.counts;
    let ratio = summary.query_ratio();
    let late = but_for_late(summary.counts.out_of_time);
    let fewest =
        format!("{ratio:.1} queries for each of {steps} steps and {possible_edits} edits left");
    match &summary.counts.verified {
        Some(verified) => format!(
            "yes, verified: each of {} single edits loses the {}{late}; {fewest}",
            verified.edits,
            summary.behaviour.signature.noun()
        ),
        None if summary.ended == Ended::Cancelled => "no: the search was stopped".to_owned(),
        None if summary.ended == Ended::Unconfirmed => {
            "no: an earlier step is the result".to_owned()
        }
        None => match summary.ended.early() {
            Some(why) => format!("no: {why}"),
            None => {
                let skipped = but_for_skipped(&summary.counts.skipped);
                format!("for each single edit of each pass{skipped}{late}; {fewest}")
            }
        },
    }
}

/// The passes that the user has skipped.
fn skipped(skipped: &[SkippedPass]) -> String {
    let tell = |one: &SkippedPass| match one.times {
        1 => format!("a run of `{}`", one.pass),
        times => format!("{times} runs of `{}`", one.pass),
    };
    let passes: Vec<String> = skipped.iter().map(tell).collect();
    format!(
        "{}, as you wished; the same command may lead to another result",
        passes.join(", ")
    )
}

/// Says how often input and result fail.
fn flakiness(flaky: &FlakyFigures, verbose: bool) -> String {
    let result = match &flaky.result {
        Some(rate) => format!("the result fails in {rate}, the input in {}", flaky.input),
        None => format!("the input fails in {}", flaky.input),
    };
    match verbose {
        true => format!("{result}; {}", flaky.verdicts()),
        false => result,
    }
}

fn cleanness(summary: &Summary) -> String {
    if summary.behaviour.clean.is_none() {
        return NOT_ASKED.to_owned();
    }
    if summary.behaviour.clean == Some(true) {
        let signature = &summary.behaviour.signature;
        let text = match signature.kind {
            CrashKind::Diagnostic => "yes: the result has no other error",
            _ if signature.noun() == "crash" => "yes: the result has no error but the crash",
            _ => "yes: the compiler reports no error",
        };
        return format!("{text}{}", by_neighbour(summary));
    }
    let errors = summary.behaviour.remaining_errors.join(", ");
    format!("no: the result also has {errors}{}", by_neighbour(summary))
}

/// Describes another compiler's answer about the result, as the end of a sentence.
fn by_neighbour(summary: &Summary) -> String {
    let Some(Neighbour { command, error, .. }) = &summary.behaviour.neighbour else {
        return String::new();
    };
    match error {
        None => format!("; it compiles with `{command}`"),
        Some(error) => format!("; `{command}` refuses it: {error}"),
    }
}

/// Says whether somebody has looked for undefined behaviour.
fn undefined_behaviour(told: &UndefinedBehaviour) -> String {
    match told {
        UndefinedBehaviour::CheckedBy(who) => format!("no: {who} finds no undefined behaviour"),
        UndefinedBehaviour::Unchecked(reason) => {
            format!("maybe: nobody has looked for undefined behaviour, as {reason}")
        }
    }
}

/// Describes what became of the crates that the program was linked with, if there were some.
fn crates(crates: &LinkedCrates, noun: &str) -> Option<String> {
    let LinkedCrates {
        before,
        merged,
        auxiliary,
        compiled,
    } = crates;
    if *before == 0 {
        return None;
    }
    let mut parts = Vec::new();
    if !auxiliary.is_empty() {
        let names = auxiliary.join("`, `");
        parts.push(format!("the {noun} needs the boundary to `{names}`"));
    }
    if !compiled.is_empty() {
        let named: Vec<String> = compiled.iter().map(compiled_crate).collect();
        parts.push(format!("still linked as compiled: {}", few(&named)));
    }
    if parts.is_empty() {
        parts.push(format!("none of {before} linked any more"));
    }
    if !merged.is_empty() {
        let named: Vec<String> = merged.iter().map(|name| format!("`{name}`")).collect();
        parts.push(format!("made modules: {}", few(&named)));
    }
    Some(parts.join("; "))
}

/// Joins the first names of a list, with the number of the others. `reduction.json` has them all.
fn few(names: &[String]) -> String {
    let (named, others) = names.split_at(names.len().min(MOST_CRATES));
    match others.len() {
        0 => named.join(", "),
        left => format!("{} and {left} more", named.join(", ")),
    }
}

fn compiled_crate(one: &CompiledCrate) -> String {
    let kind = match (one.is_procedural, one.links_native) {
        (true, _) => " (procedural macro)",
        (false, true) => " (native code)",
        (false, false) => "",
    };
    let words = format!("{} {}", one.package, one.version);
    format!("{}{kind}", words.trim_end())
}

fn phases(summary: &Summary) -> Printable {
    let widths = summary
        .breakdown
        .phases
        .iter()
        .map(|phase| phase.phase.len());
    let width = widths.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>8} {:>8} {:>8} {:>10}",
        "", "tokens", "queries", "steps", "seconds"
    );
    let mut text = match summary.breakdown.phases.is_empty() {
        true => return Printable::default(),
        false => status("Phases", &head),
    };
    for phase in &summary.breakdown.phases {
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>8} {:>10.1}",
            "", phase.phase, phase.tokens_after, phase.queries, phase.steps, phase.seconds
        ));
    }
    text
}

fn passes(summary: &Summary) -> Printable {
    let width = summary
        .breakdown
        .passes
        .iter()
        .map(|pass| pass.pass.len())
        .max()
        .unwrap_or(0);
    let mut text = status(
        "Passes",
        &format!(
            "{:width$} {:>8} {:>8} {:>8} {:>8} {:>10}",
            "", "tried", "queries", "accepted", "tokens", "seconds"
        ),
    );
    for pass in &summary.breakdown.passes {
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>8} {:>8} {:>10.1}",
            "", pass.pass, pass.tried, pass.queries, pass.accepted, pass.tokens, pass.seconds
        ));
    }
    text
}

/// Says how the program was searched, as a user would ask for it.
fn search(options: &SearchOptions) -> String {
    let SearchOptions {
        algorithm,
        strategy,
        seed,
        initial_probability,
        prior,
        closure,
        passes,
        replace_std,
        as_main,
        width,
        verify_minimal,
    } = options;
    let probability = match initial_probability {
        Some(probability) => format!(" --initial-probability {probability}"),
        None => String::new(),
    };
    let flag = |is_set: bool, name: &'static str| if is_set { name } else { "" };
    let replace = flag(*replace_std, " --replace-std");
    let main = flag(*as_main, " --as-main");
    let verify = flag(*verify_minimal, " --verify-minimal");
    let width = match width.get() {
        1 => String::new(),
        width => format!(" --width {width}"),
    };
    let mut text = format!(
        "--algorithm {algorithm} --strategy {strategy} --seed {seed}{probability} \
         --prior {prior} --closure {closure}{replace}{main}{width}{verify}"
    );
    let passes = passes.to_string();
    if !passes.is_empty() {
        text += " ";
        text += &passes;
    }
    text
}

fn kinds(summary: &Summary) -> Printable {
    let names = summary.breakdown.kinds.iter().map(|kind| kind.kind.len());
    let width = names.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>8} {:>8} {:>8}",
        "", "queries", "accepted", "rate"
    );
    let mut text = status("Kinds", &head);
    for kind in &summary.breakdown.kinds {
        let rate = 100.0 * kind.accepted as f64 / kind.queries.max(1) as f64;
        text += Printable::line(&format!(
            "{:12} {:width$} {:>8} {:>8} {:>6.1} %",
            "", kind.kind, kind.queries, kind.accepted, rate
        ));
    }
    text
}

fn deciders(summary: &Summary) -> Printable {
    let names = summary
        .breakdown
        .deciders
        .iter()
        .map(|one| one.decider.name().len());
    let width = names.max().unwrap_or(0);
    let head = format!(
        "{:width$} {:>10} {:>8} {:>8}",
        "", "candidates", "ms wall", "ms CPU"
    );
    let mut text = status("Decided by", &head);
    for one in &summary.breakdown.deciders {
        let each = |seconds: f64| 1000.0 * seconds / one.candidates.max(1) as f64;
        text += Printable::line(&format!(
            "{:12} {:width$} {:>10} {:>8.1} {:>8.1}",
            "",
            one.decider.name(),
            one.candidates,
            each(one.wall_seconds),
            each(one.cpu_seconds)
        ));
    }
    text
}

/// Describes the time that the compiler and we have used.
fn costs(summary: &Summary) -> String {
    let runs = summary.counts.queries + summary.counts.speculative_queries;
    let each = |seconds: f64| 1000.0 * seconds / runs.max(1) as f64;
    let compiler = match summary.costs.warm_compiler {
        true => "warm compiler",
        false => "compiler started anew",
    };
    format!(
        "{compiler} ({}), {:.1} ms CPU a run, at most {} MiB; our own time {:.2} ms a run",
        summary.costs.cheapest_call,
        each(summary.costs.compiler_cpu_seconds),
        summary.costs.peak_memory_bytes.div_ceil(1 << 20),
        each(summary.costs.overhead_seconds)
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use reduce_engine::{
        Algorithm, Breakdown, Decider, DeciderStatistics, DeliveredResult, Fidelity,
        KindStatistics, LineChange, OtherCrash, PassStatistics, Phase, ReductionCosts,
        ResultBehaviour, SUMMARY_VERSION, Verification,
    };

    pub(crate) fn summary() -> Summary {
        Summary {
            version: SUMMARY_VERSION,
            ended: Ended::Fixpoint,
            search: SearchOptions::default(),
            fidelity: Fidelity::default(),
            sizes: Sizes {
                tokens_before: 900,
                tokens_in_islands: 0,
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
}
