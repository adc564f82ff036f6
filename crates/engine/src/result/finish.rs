//! The end of a reduction: the result is checked a last time, and the report and the figures are
//! written.

use super::BESIDE;
use super::confirm::{Confirmed, Loss, confirm};
use super::delivered::Delivered;
use super::delivery::Delivery;
use super::for_rustc::{is_one, tests};
use super::kept::kept;
use super::names::ResultNames;
use super::nearest::{Nearest, nearest_programs};
use super::page::page;
use super::reporting::{is_quoted, report, title};
use crate::ask::{CompilerOracle, flaky};
use crate::candidate::Candidate;
use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, unless_stopped};
use crate::figures::{
    CompiledCrate, Ended, FlakyFigures, LinkedCrates, RemoteFigures, Success, VariableValue,
    Verification,
};
use crate::hurry::MOST_TOKENS;
use crate::output::{OutputDirectory, Place};
use crate::packaged::PackagedTest;
use crate::session::Session;
use crate::summary::{
    Breakdown, DeliveredResult, ReductionCosts, ResultBehaviour, SUMMARY_VERSION, SearchCounts,
    Sizes, Summary,
};
use crate::turns::Work;
use crate::words::has_word;
use reduce_gather::{Side, unified_difference, with_other_names};
use reduce_guard::Guard;
use reduce_oracle::{Companion, CrashKind, Flaky, Plan, Sample, Shown, Stability, Tool, Unit};
use reduce_syntax::{SourceTree, build_tree, interruptible};
use std::collections::{BTreeMap, BTreeSet};

/// The longest code that is part of the summary, in bytes.
const LONGEST_CODE: u64 = 8_000;

/// All that is known at the end of a search and goes into the report.
pub(crate) struct Ending<'a> {
    pub(crate) ended: Ended,
    pub(crate) oracle: &'a CompilerOracle,
    /// The number of compiler runs before the search.
    pub(crate) other_runs: u64,
    pub(crate) verified: Option<Verification>,
    /// The rate at which the failure shows, where it need not show in each run.
    pub(crate) flaky: Option<Flaky>,
    /// Whether the crash of the input may have happened in a procedural macro.
    pub(crate) may_be_of_macro: bool,
    /// The number of runs in which the input has failed, where it should fail in each.
    pub(crate) stability: Option<Stability>,
    /// The compiler's output for the input.
    pub(crate) of_input: &'a Shown,
    /// The guard of a failing test, with the facts that runs of the original have shown of the code
    /// under test.
    pub(crate) guard: &'a dyn Guard,
    /// The test whose result is shown in the user's package, if it is one.
    pub(crate) packaged: Option<&'a PackagedTest>,
    /// The figures of the server's work, if there is one.
    pub(crate) remote: Option<RemoteFigures>,
}

/// Shows the result to the compiler once more, as a person would, and writes report and figures. Where
/// it does not fail any more, an earlier step is the result, and why comes with it.
///
/// # Errors
/// Where our own surroundings fail.
pub(crate) fn write(
    context: &Context<'_>,
    session: &mut Session<'_>,
    output: &OutputDirectory,
    original: &SourceTree,
    ending: &Ending<'_>,
) -> Result<(Summary, Option<Loss>), Failure> {
    let checks = (ending.oracle, ending.packaged);
    let confirmed = confirm(context, session, checks, ending.of_input)?;
    let Confirmed {
        delivery,
        runs,
        loss,
    } = confirmed;
    let nearest = match loss {
        None if ending.ended == Ended::Fixpoint => {
            let place = output.place(&session.best().tree);
            let errors = &delivery.shown.errors;
            nearest_programs(context, session, (ending.oracle, &place), errors)?
        }
        _ => Nearest::default(),
    };
    let session = &*session;
    let best = session.best();
    session.keep_late_edit()?;
    let counted = match loss {
        None => count(context, session, ending)?,
        Some(_) => None,
    };
    output.set_support(delivery.support.clone());
    output.write_best(&best.tree)?;
    let place = output.place(&best.tree);
    let errors = delivery.is_checked.then_some(&delivery.shown.errors);
    let mut summary = summary(context, session, original, ending, errors);
    if loss.is_some() {
        summary.ended = Ended::Unconfirmed;
    }
    summary.counts.other_runs += runs + nearest.runs;
    summary.behaviour.nearest = nearest.programs;
    note_rate(&mut summary, counted);
    note_delivery(&mut summary, &delivery, &place, &best.tree);
    let wanted = &context.request.property;
    let raw_message = delivery.shown.message(&summary.behaviour.signature);
    let (goal, signature) = (&wanted.goal, &summary.behaviour.signature);
    summary.behaviour.kept = kept(goal, wanted.any_message, signature, raw_message.as_deref());
    // Another compiler's answer says nothing about a crash of another tool.
    let is_of_rustc = goal.tool() == Tool::Rustc;
    let is_crash = summary.behaviour.signature.noun() == "crash";
    if summary.ended == Ended::Fixpoint && is_crash && is_of_rustc {
        note_neighbour(&mut summary, context, ending.oracle, best)?;
    }
    if let Some(test) = ending.packaged {
        let companions = &delivery.plan.run_policy.companions;
        note_package(&mut summary, test, companions);
        note_variables(&mut summary, context, ending.oracle, best)?;
    }
    let is_one = is_one(&summary.delivered, &delivery, &place);
    summary.delivered.for_rustc = tests(&context.request.for_rustc, &delivery, is_one);
    let title = ending.packaged.map(|test| title(test, &delivery.plan));
    let sources = (original, &best.tree);
    let report = report(context, &summary, &delivery, sources, (&place, title))?;
    let page = page(&summary, &report, &session.log);
    // Nothing of what was said of the result is told where another compiler has said it.
    ending.oracle.unless_changed()?;
    output.keep_steps(&session.log.kept())?;
    output.finish(&summary, &report.markdown(), &page)?;
    let delivered = Delivered {
        context,
        output,
        delivery: &delivery,
        reduced: &best.tree,
        summary: &summary,
        place: &place,
    };
    for write in BESIDE {
        write(&delivered)?;
    }
    if loss.is_none() {
        session.emit(Event::Finished(Box::new(summary.clone())));
    }
    Ok((summary, loss))
}

/// Puts the rate at which the result fails into the summary.
fn note_rate(summary: &mut Summary, counted: Option<Sample>) {
    if let (Some(figures), Some(sample)) = (&mut summary.flaky, counted) {
        figures.result = Some(sample.into());
        summary.counts.other_runs += u64::from(sample.runs);
    }
}

/// Puts the place of the result into the summary, and the commands that show how it fails.
fn note_delivery(summary: &mut Summary, delivery: &Delivery, place: &Place, reduced: &SourceTree) {
    let plan = &delivery.plan;
    let is_used = |name: &str| is_quoted(reduced, name);
    let success = |(plan, companion): (&Plan, &Companion)| Success {
        command: plan.command_with(&place.root, &is_used),
        compiler: plan.call.compiler.version().to_owned(),
        version: companion
            .version
            .as_ref()
            .map(|version| version.name.clone()),
        broken_by: companion
            .version
            .clone()
            .and_then(|version| version.broken_by),
    };
    summary.delivered.reproduce = plan.command_with(&place.root, &is_used);
    let companions = delivery.companions.iter();
    let companions = companions.zip(&plan.run_policy.companions);
    summary.delivered.also = companions.map(success).collect();
    summary.delivered.difference = difference(plan, place, reduced);
    summary.delivered.compiler = plan.call.compiler.verbose_version.trim_end().to_owned();
    summary.delivered.result = place.result.clone();
    summary.behaviour.undefined_behaviour = plan.undefined_behaviour().cloned();
    let seen = delivery.shown.signature.as_ref();
    // Its values may be others than those of the input.
    let seen = seen.filter(|seen| delivery.is_interesting && seen.kind == CrashKind::Assertion);
    let failure = delivery
        .shown
        .describe(seen.unwrap_or(&summary.behaviour.signature));
    summary.behaviour.failure = ResultNames::of(plan, place).in_message(&failure);
}

/// Puts into the summary which part of the user's package the result replaces, and how it is run there, also by companions.
fn note_package(summary: &mut Summary, test: &PackagedTest, companions: &[Companion]) {
    summary.delivered.reproduce = test.command();
    summary.delivered.goes_to = Some(test.goes_to());
    for (one, companion) in summary.delivered.also.iter_mut().zip(companions) {
        one.command = test.command_of(companion);
    }
}

/// Puts the values of the variables of a test into the summary. Whoever stops a search does not wait for them.
fn note_variables(
    summary: &mut Summary,
    context: &Context<'_>,
    oracle: &CompilerOracle,
    best: &Candidate,
) -> Result<(), Failure> {
    let _turn = context.turn(Work::Query);
    let values = oracle.values_of_variables(best, context.cancel);
    let values = unless_stopped(values, context.cancel)?.unwrap_or_default();
    let told = values.into_iter().map(|one| VariableValue {
        file: best.tree.path(one.file).to_owned(),
        line: one.line as u64,
        variable: one.name,
        values: one.values,
        is_cut: one.is_cut,
    });
    summary.delivered.variables = told.collect();
    Ok(())
}

/// Puts another compiler's answer about the result into the summary.
fn note_neighbour(
    summary: &mut Summary,
    context: &Context<'_>,
    oracle: &CompilerOracle,
    best: &Candidate,
) -> Result<(), Failure> {
    let user = &context.request.surroundings;
    let _turn = context.turn(Work::Query);
    let told = oracle.neighbour(best, user, context.cancel);
    // The result is there, and only this is missing where that was stopped.
    if let Some((neighbour, n_asked)) = unless_stopped(told, context.cancel)? {
        summary.behaviour.neighbour = neighbour;
        summary.counts.other_runs += n_asked;
    }
    Ok(())
}

/// Returns the difference between the passing version and the failing one as a diff, if the result
/// is two versions in one text.
fn difference(plan: &Plan, place: &Place, reduced: &SourceTree) -> Option<String> {
    if !plan.is_of_two_versions() {
        return None;
    }
    let diffs = reduced.files().filter_map(|(file, path, text)| {
        let is_root = file == reduced.root();
        let path = if is_root {
            place.root.as_str()
        } else {
            path.as_str()
        };
        match plan.versions() {
            Some(names) => {
                let names = [names.before, names.after];
                let sides = with_other_names(text, names, Side::ALL.map(Side::cfg));
                unified_difference(path, &sides)
            }
            None => unified_difference(path, text),
        }
    });
    let diff: String = diffs.collect();
    (!diff.is_empty()).then_some(diff)
}

/// Counts how often the result fails, where it need not fail each time. A search that was stopped is
/// not held up by that.
fn count(
    context: &Context<'_>,
    session: &Session<'_>,
    ending: &Ending<'_>,
) -> Result<Option<Sample>, Failure> {
    let Some(flaky) = ending.flaky.filter(|_| ending.ended != Ended::Cancelled) else {
        return Ok(None);
    };
    let what = "counting how often the result fails".to_owned();
    session.emit(Event::Preparing { what });
    let turn = context.turn(Work::Query);
    let sample = flaky::confirm(flaky, ending.oracle, session.best(), context.cancel);
    drop(turn);
    let Some(sample) = unless_stopped(sample, context.cancel)? else {
        return Ok(None);
    };
    if let Some(message) = flaky::warning(flaky, sample) {
        session.emit(Event::Warning { message });
    }
    Ok(Some(sample))
}

fn summary(
    context: &Context<'_>,
    session: &Session<'_>,
    original: &SourceTree,
    ending: &Ending<'_>,
    errors: Option<&BTreeSet<String>>,
) -> Summary {
    let (best, figures) = (session.best(), session.ledger.figures());
    let is_beside = |error: &&String| !ending.oracle.looks_for(error);
    let is_checked = errors.is_some();
    let errors = errors.into_iter().flatten();
    let errors: Vec<String> = errors.filter(is_beside).cloned().collect();
    let crates = linked_crates(session, ending);
    Summary {
        version: SUMMARY_VERSION,
        ended: ending.ended,
        search: context.request.search,
        fidelity: context.request.property.fidelity,
        sizes: Sizes {
            tokens_before: original.count_tokens(),
            tokens_in_islands: tokens_in_islands(context, original),
            tokens_after: best.tree.count_tokens(),
        },
        counts: SearchCounts {
            queries: figures.queries,
            speculative_queries: figures.compiler_runs.saturating_sub(figures.queries),
            other_runs: ending.other_runs + session.ledger.final_checks() + runs_of_input(ending),
            cache_hits: figures.cache_hits,
            cache_hits_from_earlier_runs: figures.cache_hits_from_earlier_runs,
            steps: figures.steps,
            possible_edits: session.ledger.possible_edits(),
            carved_calls: session.ledger.carved_calls,
            expects_anew: best.compile_options.own_failure().is_some(),
            not_carved: session.ledger.not_carved,
            out_of_time: session.ledger.out_of_time(),
            skipped: session.ledger.skipped().collect(),
            verified: ending.verified,
            slippage: figures.slippage,
        },
        costs: ReductionCosts {
            wall_seconds: context.started.elapsed().as_secs_f64(),
            warm_compiler: ending.oracle.is_warm(),
            remote: ending.remote,
            cheapest_call: ending.oracle.cheapest_call().to_owned(),
            overhead_seconds: figures.overhead.as_secs_f64(),
            compiler_cpu_seconds: figures.cpu.as_secs_f64(),
            peak_memory_bytes: figures.peak_memory_bytes,
        },
        behaviour: ResultBehaviour {
            kept: None,
            checked: is_checked,
            clean: (is_checked && !ending.oracle.runs_command()).then_some(errors.is_empty()),
            remaining_errors: errors,
            neighbour: None,
            undefined_behaviour: None,
            nearest: Vec::new(),
            signature: ending.oracle.signature(&best.compile_options),
            failure: String::new(),
        },
        delivered: DeliveredResult {
            code_under_test: ending.guard.report(figures.refused_by_guard),
            result: context.request.output.clone(),
            ..DeliveredResult::default()
        },
        flaky: ending.flaky.map(FlakyFigures::from),
        stability: ending.stability,
        code: short_code(best),
        other_crashes: figures.other_crashes.clone(),
        may_be_of_macro: ending.may_be_of_macro && crates.may_have_macros(),
        crates,
        breakdown: Breakdown {
            phases: session.ledger.phases().to_vec(),
            passes: session.ledger.passes().to_vec(),
            kinds: figures.kinds.clone(),
            deciders: figures.deciders(),
        },
    }
}

/// Counts the tokens of the input that cannot be parsed; a user who has stopped the search does not wait until a large one is
/// parsed.
fn tokens_in_islands(context: &Context<'_>, original: &SourceTree) -> Option<u64> {
    let is_slow = original.count_tokens() > MOST_TOKENS;
    let cancel = context.cancel.clone();
    interruptible(
        move || is_slow && cancel.is_cancelled(),
        || build_tree(original).tokens_in_islands(original),
    )
}

/// Returns the number of runs that were made to see whether the input fails each time.
fn runs_of_input(ending: &Ending<'_>) -> u64 {
    ending
        .stability
        .map_or(0, |stability| u64::from(stability.runs))
}

/// Returns for each crate that the program was linked with what has become of it.
fn linked_crates(session: &Session<'_>, ending: &Ending<'_>) -> LinkedCrates {
    let oracle = ending.oracle;
    let Some(crates) = session.tools.oracle.crates() else {
        return LinkedCrates::default();
    };
    let units = crates.units();
    let name = |idx: &usize| units[*idx].name.clone();
    let linkage = &session.best().compile_options.linkage;
    let is_compiled = |idx: &usize| !linkage.auxiliaries.contains_key(idx);
    let compiled: Vec<usize> = match ending.packaged.is_some() {
        true => named_by(&session.best().tree, &linkage.externs),
        false => linkage
            .reachable(units)
            .into_iter()
            .filter(is_compiled)
            .collect(),
    };
    LinkedCrates {
        before: oracle.compile_options().linkage.reachable(units).len() as u64,
        merged: linkage.modules.iter().map(name).collect(),
        auxiliary: linkage.auxiliaries.keys().map(name).collect(),
        compiled: compiled
            .iter()
            .map(|idx| compiled_crate(&units[*idx]))
            .collect(),
    }
}

/// Returns the crates that a program names, of those that it is linked with.
fn named_by(tree: &SourceTree, externs: &BTreeMap<String, usize>) -> Vec<usize> {
    let names = |name: &str| tree.files().any(|(_, _, text)| has_word(text, name));
    let named = externs.iter().filter(|(name, _)| names(name));
    // A crate may have several names.
    let named: BTreeSet<usize> = named.map(|(_, idx)| *idx).collect();
    named.into_iter().collect()
}

/// Describes a crate that stays compiled. A file that another one links belongs to no package.
fn compiled_crate(unit: &Unit) -> CompiledCrate {
    let belongs = !unit.package.is_empty();
    let name = if belongs { &unit.package } else { &unit.name };
    CompiledCrate {
        package: name.clone(),
        version: unit.version.clone(),
        is_procedural: unit.is_proc_macro,
        links_native: unit.links_native,
    }
}

fn short_code(best: &Candidate) -> Option<String> {
    let is_short = best.tree.files().count() == 1 && best.tree.count_bytes() <= LONGEST_CODE;
    is_short.then(|| best.tree.text(best.tree.root()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_only_other_tests_name_are_not_linked_by_the_result() {
        let code = "fn f() {\n    shelf::titles(\"rand_core\");\n}\n";
        let tree = SourceTree::single("tests/a.rs".into(), code.into());
        let externs = ["serde", "rand", "shelf", "titles_of"].map(str::to_owned);
        let externs: BTreeMap<String, usize> = externs.into_iter().zip(0..).collect();
        assert_eq!(named_by(&tree, &externs), [2]);
    }
}
