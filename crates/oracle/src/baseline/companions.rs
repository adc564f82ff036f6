//! Finds the companions that the user demands, and checks that each has the demanded outcome for the original
//! program.

use super::elsewhere::Selected;
use super::good;
use super::replay::Replayed;
use super::settled::settled;
use crate::compiler::toolchain::{Compiler, Other};
use crate::demands::Demand;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::plan::companion::Companion;
use crate::search::context::BaselineContext;
use std::collections::BTreeMap;

/// A companion that the user demands, with its toolchain and its flags.
struct Wish<'a> {
    demand: Demand,
    toolchain: Option<&'a str>,
    flags: &'a [String],
}

/// Adds the companions that the user demands to the plan. `selected` is what cargo compiles, where it does.
///
/// # Errors
/// [`OracleError::FailsElsewhere`] where one does not show what it must, and whatever hinders
/// finding its compiler.
pub(super) fn add(
    mut replayed: Replayed,
    selected: Option<&Selected<'_>>,
    context: &BaselineContext<'_>,
) -> Result<Replayed, OracleError> {
    for wish in wishes(context) {
        let companion = find(&wish, &replayed, selected, context)?;
        replayed.plan.add_companion(companion);
    }
    if let Some(version) = &context.options.demands.good {
        let companion = good::find(version, &replayed, selected, context)?;
        replayed.plan.add_companion(companion);
    }
    Ok(replayed)
}

fn wishes<'a>(context: &BaselineContext<'a>) -> Vec<Wish<'a>> {
    let demands = &context.options.demands;
    let regression = demands.regression.iter().map(|toolchain| Wish {
        demand: Demand::Succeeds,
        toolchain: Some(toolchain),
        flags: &[],
    });
    let valid_with = demands.valid_with.iter().map(|words| {
        let toolchain = words.first().filter(|word| word.starts_with('+'));
        Wish {
            demand: Demand::Compiles,
            flags: &words[usize::from(toolchain.is_some())..],
            toolchain: toolchain.map(String::as_str),
        }
    });
    regression.chain(valid_with).collect()
}

/// Makes a demanded companion, and checks that it has the demanded outcome for the original program.
fn find(
    wish: &Wish<'_>,
    replayed: &Replayed,
    selected: Option<&Selected<'_>>,
    context: &BaselineContext<'_>,
) -> Result<Companion, OracleError> {
    let plan = &replayed.plan;
    let other = wish.toolchain.map(|name| {
        (context.note)(&format!("trying the toolchain `{name}`"));
        Other::find(name, context.user, context.cancel)
    });
    let other = other.transpose()?;
    let mut replaced = BTreeMap::new();
    if let (Some(other), Some(selected)) = (&other, selected)
        && !plan.extern_files().is_empty()
    {
        let there = context.of_other(other);
        let found = selected.replaced(plan, &there);
        context.count(there.runs.get());
        replaced = found.map_err(|error| refused(wish, &other.plus, selected, error))?;
    }
    let toolchain = other.map(|other| tool(other.toolchain.compiler, plan, context));
    let companion = Companion {
        flags: wish.flags.to_vec(),
        replaced,
        ..Companion::new(toolchain, wish.demand, plan)
    };
    settled(companion, replayed, context)
}

/// Returns the tool of the plan, such as clippy, that lies beside another toolchain's compiler, or else that
/// compiler.
fn tool(compiler: Compiler, plan: &Plan, context: &BaselineContext<'_>) -> Compiler {
    let name = plan.call.compiler.path.file_name();
    let usual = context.toolchain.compiler.path.file_name();
    let beside = name.filter(|_| name != usual);
    let beside = beside.map(|name| compiler.path.with_file_name(name));
    match beside.filter(|path| path.is_file()) {
        Some(path) => Compiler { path, ..compiler },
        None => compiler,
    }
}

/// Makes the error that cargo fails with the toolchain of a demanded companion: the user should hear this, not that
/// we could not match what it made.
fn refused(
    wish: &Wish<'_>,
    plus: &str,
    selected: &Selected<'_>,
    error: OracleError,
) -> OracleError {
    let output = match error {
        OracleError::CargoRejected { stderr, .. } => stderr,
        OracleError::NoFailure { output, .. } => output,
        error => return error,
    };
    let command = ["cargo", plus, &selected.typed().join(" ")];
    let words = command.into_iter().filter(|word| !word.is_empty());
    OracleError::FailsElsewhere {
        demand: wish.demand,
        command: words.collect::<Vec<_>>().join(" "),
        output,
    }
}
