//! Prepares the guard by mutants: compiles the code under test with switches, and runs the test under its mutants.
//!
//! See docs/decisions/mutation-guard.md.

use crate::asked_mutants::AskedMutants;
use crate::asserting::Asserting;
use crate::calls::Unswitched;
use crate::code_under_test::may_start_programs;
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
use crate::weakness::weakness_of;
use reduce_mutants::MutantId;
use reduce_oracle::{CrashKind, Own, Plan, Unit, units_of_programs};
use reduce_passes::changes_behind_references;
use reduce_syntax::SourceTree;
use std::collections::BTreeSet;

/// The results of the preparation, of which the guard by mutants is made.
#[derive(Default)]
pub(crate) struct Prepared {
    pub(crate) findings: Findings,
    pub(crate) asked: Option<AskedMutants>,
    pub(crate) facts: Option<Facts>,
    pub(crate) marked: Option<MarkedCode>,
    /// The mutants that mend the test and break no other, as switches are set to them.
    pub(crate) mends: BTreeSet<String>,
}

/// Compiles the code under test with a switch for each mutant, and finds the mutants that change the test's outcome.
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
    let programs = match place {
        // With `--whole` the code under test is reduced, and programs are not a part of that.
        CodePlace::Linked if !context.is_whole() && may_start_programs(original) => {
            units_of_programs(plan, units, context.builds)?
        }
        _ => Vec::new(),
    };
    let units = &[units, &programs].concat();
    let mut switches = Switches::of(context, plan, units, (original, rest.as_ref()))?;
    let others = &switches.others;
    let asserting = Asserting::of(&switches.crates);
    let own = Own {
        asserting: asserting.functions,
        ..own_files(plan, original)
    };
    let unswitched = Unswitched::new(context, (plan, units), place, &switches, &own);
    let mut prepared = Prepared::default();
    prepared.findings.runs = switches.runs;
    let mut mutants = switches.mutants();
    // A mutant in an assertion under which the test passes tells nothing of the values that it
    // asserts.
    mutants.retain(|one| !asserting.mutants.contains(&one.id));
    if mutants.is_empty() {
        let reason = "there is no code under test that can be mutated";
        prepared.hold_by_calls((reason, others), &unswitched, original)?;
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
        ..own
    };
    let known = KnownMutants {
        all: &mutants,
        markable: &ids_of_markable,
    };
    let mut code = switches.crates.iter();
    let changes_hidden = code.any(|one| changes_behind_references(&one.sources))
        || changes_behind_references(original);
    let compiled = switches.compiled.take();
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
    } = match trial.outcomes(known, compiled)? {
        Ok(tried) => tried,
        Err(reason) => {
            prepared.hold_by_calls((reason, others), &unswitched, original)?;
            return Ok(prepared);
        }
    };
    let weakness = weakness_of(&outcomes, &isolated.tree, is_whole);
    let execution = trial.plan.execution().expect("a test is run").clone();
    let findings = &mut prepared.findings;
    findings.runs += isolated.runs;
    findings.isolated = switches.own.is_none().then(|| isolated.tree.clone());
    findings.unwraps = isolated.unwraps;
    findings.changed = isolated.changed;
    findings.is_narrowed = isolated.is_narrowed;
    findings.literals = isolated.literals;
    findings.ignores_values = !own.compares_values;
    findings.sets_in_vain = outcomes.sets_in_vain;
    findings.is_located = outcomes.located_in.is_some();
    let when_merged = is_whole.then_some(&ids_of_markable);
    let run = (switches.switched, execution);
    prepared.asked = AskedMutants::of(&outcomes, own, when_merged, run);
    match weakness {
        Some(reason) if prepared.asked.is_none() => {
            prepared.hold_by_calls((reason, others), &unswitched, &isolated.tree)?;
        }
        _ => prepared.findings.warning = weakness.map(|reason| unguarded(reason, others)),
    }
    prepared.mends = outcomes.mends.iter().map(MutantId::to_string).collect();
    prepared.marked = is_whole.then(|| marked(&markable, &outcomes));
    prepared.facts = Some(Facts {
        crates: switches.crates,
        failure: outcomes.failure,
        passed: outcomes.passed,
        unjudged: outcomes.unjudged,
        outcomes: outcomes.all,
        asked: outcomes.asked.iter().map(|(id, _)| *id).collect(),
        others: outcomes.others,
        located_in: outcomes.located_in,
    });
    Ok(prepared)
}

impl Prepared {
    /// Holds a test that panics in the code under test to the calls that lead to the panic, where mutants do not guard it for a
    /// reason. Where there are no such calls, nothing does. Both are told; `others` are packages that could get mutants too.
    fn hold_by_calls(
        &mut self,
        (reason, others): (&str, &BTreeSet<String>),
        unswitched: &Unswitched<'_>,
        tree: &SourceTree,
    ) -> Result<(), GuardError> {
        let findings = &mut self.findings;
        findings.runs += 1;
        let Some(held) = unswitched.held(tree)? else {
            findings.warning = Some(unguarded(reason, others));
            return Ok(());
        };
        findings.warning = Some(held_by_calls(reason, &held.told, others));
        findings.is_held_by_calls = true;
        findings.ignores_values = true;
        self.asked = Some(AskedMutants::none(held.runs));
        Ok(())
    }
}

/// Marks the code under test at the points that matter to the failure, and at those that a mended
/// program may come to.
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

/// Returns the warning for a reduction that no mutant guards; `others` are packages that could get
/// mutants too.
fn unguarded(reason: &str, others: &BTreeSet<String>) -> String {
    format!(
        "only what does not change what the test computes is tried, as mutants of the code under test do not say \
         whether the test still shows the bug: {reason}. {}",
        better_told(others)
    )
}

/// Returns the warning for a reduction that no mutant guards, and that is held to these calls.
fn held_by_calls(reason: &str, told: &str, others: &BTreeSet<String>) -> String {
    format!(
        "mutants of the code under test do not say whether the test still shows the bug: {reason}. So it is held to \
         {told}, and to nothing else. {}",
        better_told(others)
    )
}

/// Says what would tell whether a test still shows the bug.
fn better_told(others: &BTreeSet<String>) -> String {
    let more = match others.is_empty() {
        true => String::new(),
        false => {
            let flags = others.iter().map(|name| format!("`--mutate {name}`"));
            let flags = flags.collect::<Vec<_>>().join(" or ");
            format!(". If the bug may be in a package outside of the workspace, give {flags}")
        }
    };
    format!("A version in which the test passes would say so, if you give it with `--good`{more}")
}
