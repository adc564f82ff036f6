//! The preparation of the guard by mutants: the code under test is compiled with switches, and the test is run under its mutants.
//!
//! See docs/decisions/mutation-guard.md.

use crate::asked_mutants::AskedMutants;
use crate::asserting::Asserting;
use crate::context::{CodePlace, GuardContext};
use crate::error::GuardError;
use crate::facts::Facts;
use crate::findings::Findings;
use crate::keep_set::{End, PassedMutants, keep_set};
use crate::marked::{MarkedCode, MutatedCrate};
use crate::outcomes::{KnownMutants, Outcomes};
use crate::rest::RestOfCrate;
use crate::switches::Switches;
use crate::tests_beside::{tests_beside, tests_of_crate};
use crate::trial::{Trial, Tried, own_files};
use crate::weakness::weakness;
use reduce_mutants::{MUTANT_VARIABLE, MutantId, REACHED_VARIABLE};
use reduce_oracle::{CrashKind, Expected, Own, Plan, Signature, Unit, VariantOutcome, Variants};
use reduce_passes::{changes_behind_references, has_predicates};
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// All that the guard by mutants is made of.
#[derive(Default)]
pub(crate) struct Prepared {
    pub(crate) findings: Findings,
    pub(crate) asked: Option<AskedMutants>,
    pub(crate) facts: Option<Facts>,
    pub(crate) marked: Option<MarkedCode>,
}

/// Compiles the code under test with switches, and finds out which mutants tell something.
pub(crate) fn prepared(
    context: &GuardContext<'_>,
    (plan, units): (&Plan, &[Unit]),
    original: &SourceTree,
    place: CodePlace<'_>,
) -> Result<Prepared, GuardError> {
    (context.note)("compiling the code under test with mutants");
    let rest = match place {
        CodePlace::Linked => None,
        CodePlace::Beside(parts) => Some(RestOfCrate {
            fixed: parts.fixed,
            tests: Some(original),
        }),
        CodePlace::Within => Some(RestOfCrate {
            fixed: original,
            tests: None,
        }),
    };
    let switches = Switches::of(context, plan, units, (original, rest.as_ref()))?;
    let unguarded = |reason| unguarded(reason, &switches.others);
    let mut prepared = Prepared::default();
    prepared.findings.runs = switches.runs;
    let asserting = Asserting::of(&switches.crates);
    let mut mutants = switches.mutants();
    // A mutant in an assertion under which the test passes tells nothing of the values that it
    // asserts.
    mutants.retain(|one| !asserting.mutants.contains(&one.id));
    if mutants.is_empty() {
        prepared.findings.warning =
            Some(unguarded("there is no code under test that can be mutated"));
        return Ok(prepared);
    }
    (context.note)("running the test under mutants of the code under test");
    let beside = match place {
        CodePlace::Linked => tests_beside(plan, units, &switches)?,
        // A library that is the test's own crate is linked without switches by integration tests.
        CodePlace::Beside(parts) => tests_of_crate(plan, parts.whole, &switches)
            .into_iter()
            .collect(),
        CodePlace::Within => Vec::new(),
    };
    let mut plan = switches.switched.plan(plan);
    if rest.is_some() {
        // Its own crate has switches too, and takes longer.
        plan.run_policy.limits.usual = None;
    }
    let is_whole = context.is_whole();
    // The code under test is only marked where it is reduced after the test.
    let markable = match is_whole {
        true => switches.crates.iter().map(MutatedCrate::markable).collect(),
        false => switches.crates.clone(),
    };
    let all_markable = markable.iter().flat_map(|one| &one.mutants);
    let ids_of_markable = all_markable.map(|one| one.id).collect();
    let own = Own {
        is_all: is_whole,
        asserting: asserting.functions,
        ..own_files(&plan, original)
    };
    let known = KnownMutants {
        all: &mutants,
        markable: &ids_of_markable,
    };
    let mut code = switches.crates.iter();
    let changes_hidden = code.any(|one| changes_behind_references(&one.sources))
        || changes_behind_references(original);
    let trial = Trial {
        context,
        plan,
        original: switches.own.as_ref().unwrap_or(original),
        has_switches: switches.own.is_some(),
        own,
        only_reads: !changes_hidden,
        beside,
    };
    let Tried {
        isolated,
        own,
        outcomes,
    } = match trial.outcomes(known)? {
        Ok(tried) => tried,
        Err(reason) => {
            prepared.findings.warning = Some(unguarded(reason));
            return Ok(prepared);
        }
    };
    prepared.findings.runs += isolated.runs;
    let is_judged_by_test = !is_whole && is_judged_by_test(&isolated.tree, &outcomes);
    prepared.findings.isolated = switches.own.is_none().then_some(isolated.tree);
    prepared.findings.unwraps = isolated.unwraps;
    prepared.findings.changed = isolated.changed;
    prepared.findings.is_narrowed = isolated.is_narrowed;
    prepared.findings.literals = isolated.literals;
    prepared.findings.ignores_values = !own.compares_values;
    prepared.findings.sets_in_vain = outcomes.sets_in_vain;
    if is_whole {
        prepared.marked = Some(marked(&markable, &outcomes));
    }
    prepared.facts = Some(Facts {
        crates: switches.crates,
        failure: outcomes.failure.clone(),
        passed: outcomes.passed,
        outcomes: outcomes.all,
        asked: outcomes.asked.iter().map(|(id, _)| *id).collect(),
        others: outcomes.others,
        located_in: outcomes.located_in.clone(),
    });
    let is_ended_early =
        outcomes.failure.kind == CrashKind::ErrorReturned && outcomes.passed_in_success.is_empty();
    let is_caught = outcomes.failure.has_caught_panic()
        && outcomes
            .asked_when_merged
            .iter()
            .all(|(_, failure)| failure.is_some());
    let is_located = outcomes.located_in.is_some();
    prepared.findings.is_located = is_located;
    let needs_several = outcomes.is_own && !is_located;
    let should_panic = outcomes.failure.kind == CrashKind::NoPanic && !is_whole;
    let weakness = match outcomes.asked_when_merged.is_empty() {
        true if should_panic => {
            Some("no mutant that is known to break no other test lets the test panic as it should")
        }
        false if should_panic => None,
        _ if is_ended_early => {
            Some("the test returns an error, and no mutant shows what comes after that")
        }
        _ if is_caught => {
            Some("its harness catches the panic, and the test passes under no mutant")
        }
        _ if is_judged_by_test => {
            Some("a function of the test says what is right, and does so under no mutant")
        }
        _ => weakness(outcomes.asked_when_merged.len(), needs_several),
    };
    prepared.findings.warning = weakness.map(unguarded);
    if !outcomes.asked.is_empty() {
        let execution = trial.plan.execution().expect("a test is run").clone();
        let linked = Expected {
            variable: MUTANT_VARIABLE.to_owned(),
            failure: outcomes.failure,
            outcomes: under_mutants(match is_whole {
                true => both(outcomes.asked, &outcomes.asked_when_merged),
                false => outcomes.asked,
            }),
            record: REACHED_VARIABLE.to_owned(),
            entered: numbers(outcomes.entered.clone()),
            own,
        };
        let merged = is_whole.then(|| Expected {
            outcomes: under_mutants(outcomes.asked_when_merged),
            entered: numbers(&outcomes.entered & &ids_of_markable),
            ..linked.clone()
        });
        let linked = Variants::new(switches.switched, execution, linked, outcomes.usual);
        prepared.asked = Some(AskedMutants::new(linked, merged));
    }
    Ok(prepared)
}

/// Whether functions of the test itself may say what is right, and never do. A function that always says no fails as well.
fn is_judged_by_test(tests: &SourceTree, outcomes: &Outcomes) -> bool {
    let failure = &outcomes.failure;
    let is_judged = match failure.compared() {
        Some(values) => values
            .iter()
            .all(|value| matches!(*value, "true" | "false")),
        None => failure.kind == CrashKind::Assertion,
    };
    let is_never = outcomes.is_own && outcomes.passed_in_success.is_empty();
    is_judged && is_never && has_predicates(tests)
}

/// Marks the code under test at the points that matter, and at those that a mended program may come
/// to.
fn marked(crates: &[MutatedCrate], outcomes: &Outcomes) -> MarkedCode {
    let matter = outcomes.matter(crates.iter().flat_map(|one| &one.mutants));
    let keep_set = keep_set(
        crates,
        &PassedMutants {
            failing: &outcomes.passed,
            success: &outcomes.passed_in_success,
            matter: &matter,
            end: match outcomes.failure.kind {
                CrashKind::NoPanic => End::Whole,
                CrashKind::Assertion if outcomes.is_own => End::Assertion,
                _ => End::Early,
            },
        },
    );
    let run = &outcomes.passed_under_any | &keep_set.mutants;
    let stay = &matter | &keep_set.mutants;
    MarkedCode::new(crates, &run, &stay).knowing_rest(keep_set.is_seen)
}

/// Joins the mutants that are asked while the code under test is linked with those of the others that are asked once it has been
/// merged: what a candidate has lost by then would be missed after that.
fn both<F: Clone>(linked: Vec<(MutantId, F)>, merged: &[(MutantId, F)]) -> Vec<(MutantId, F)> {
    let is_new = |(id, _): &&(MutantId, F)| linked.iter().all(|(other, _)| other != id);
    let merged: Vec<_> = merged.iter().filter(is_new).cloned().collect();
    linked.into_iter().chain(merged).collect()
}

/// Returns the outcomes of the original under mutants, as a candidate is asked for them.
fn under_mutants(outcomes: Vec<(MutantId, Option<Signature>)>) -> Vec<VariantOutcome> {
    let outcomes = outcomes.into_iter();
    let under_mutants = outcomes.map(|(id, failure)| VariantOutcome {
        setting: id.to_string(),
        failure,
    });
    under_mutants.collect()
}

/// Returns the plain numbers of mutants, as the oracle takes them.
fn numbers(ids: BTreeSet<MutantId>) -> BTreeSet<u32> {
    ids.into_iter().map(|id| id.0).collect()
}

/// Returns the warning of a reduction that no mutant guards, where these packages could be mutated
/// too.
fn unguarded(reason: &str, others: &BTreeSet<String>) -> String {
    let more = match others.is_empty() {
        true => String::new(),
        false => {
            let flags = others.iter().map(|name| format!("`--mutate {name}`"));
            let flags = flags.collect::<Vec<_>>().join(" or ");
            format!(". If the bug may be in a package outside of the workspace, give {flags}")
        }
    };
    format!(
        "only what does not change what the test computes is tried, as mutants of the code under test do not say \
         whether the test still shows the bug: {reason}{more}"
    )
}
