//! The end of a reduction: the figures, what is worth knowing of the result, and the code.
//!
//! - `statistics` has the tables that `--verbose` adds.

mod statistics;

use super::printable::Printable;
use super::progress::{per_second, time};
use reduce_engine::{
    CodeUnderTest, CompiledCrate, CrashKind, Ended, FlakyFigures, LinkedCrates, Neighbour,
    RemoteFigures, SearchCounts, Sizes, SkippedPass, Success, Summary, SuspiciousLine,
    UndefinedBehaviour, but_for_late, but_for_skipped,
};

/// The warning that `--free` gives to whoever reads the result.
const CAUSE_MAY_BE_LOST: &str =
    "may be lost: with `--free` the result fails in the same way, maybe not for the same reason";

/// The text on whether the result has other errors, if the user's own command decided about candidates.
const NOT_ASKED: &str =
    "not known: nothing but what is kept was checked, and no compiler was asked";

/// The words for a result that was not compiled once more.
const NOT_CHECKED: &str = "not known: the result was not compiled once more";

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
        text += statistics::lines(summary);
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
        None if !summary.behaviour.checked => {
            "no: the search was stopped, and there was no time to compile the result once more"
                .to_owned()
        }
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
    if !summary.behaviour.checked {
        return NOT_CHECKED.to_owned();
    }
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

#[cfg(test)]
pub(crate) mod tests;
