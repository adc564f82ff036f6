//! Refuses a command that gives the same answer without a program: every candidate would be accepted,
//! down to nothing.

use crate::Failure;
use crate::ask::CompilerOracle;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::failure::FailureKind;
use crate::turns::Work;
use reduce_oracle::Goal;
use reduce_syntax::SourceTree;
use std::sync::Arc;

/// Asks the script or the cargo command about the program with all of its files empty, and fails where that is as
/// interesting as the input. Returns how often it was asked.
///
/// # Errors
/// Where the empty program is as interesting as the input, and where our own surroundings fail.
pub(super) fn refuse_if_empty_passes(
    context: &Context<'_>,
    oracle: &CompilerOracle,
    begin: &Candidate,
) -> Result<u64, Failure> {
    let goal = &context.request.property.goal;
    if !matches!(goal, Goal::Script { .. } | Goal::Cargo { .. }) || begin.tree.count_tokens() == 0 {
        return Ok(0);
    }
    let _turn = context.turn(Work::Query);
    let plan = oracle.plan(&begin.compile_options);
    let shown = oracle.show(
        &plan,
        &begin.with_tree(emptied(&begin.tree)),
        context.cancel,
    )?;
    if !oracle.is_interesting(&begin.compile_options, &shown) {
        return Ok(u64::from(shown.runs));
    }
    let command = plan.command(&plan.call.root);
    Err(match goal {
        Goal::Script { path } => {
            let message = format!(
                "failed to learn anything from `{path}`: it ends with status 0 for an empty program too"
            );
            Failure::new(FailureKind::NoCrash, message)
                .hint("have it end with another status where what matters is not there, as for an empty file")
                .hint(format!("it was called as `{command}`, in a copy of the directory"))
        }
        _ => {
            let message = format!(
                "failed to learn anything from `{command}`: without the program it fails in the same way"
            );
            let root = begin.tree.path(begin.tree.root());
            Failure::new(FailureKind::NoCrash, message)
                .hint(format!("the failure does not come from `{root}` and its modules; name the target that fails with `-p`, `--lib`, `--bin`, `--test` .."))
                .hint("`--and REGEX` demands that it prints what only the failure prints")
        }
    })
}

fn emptied(tree: &SourceTree) -> SourceTree {
    let mut empty = tree.clone();
    for (file, ..) in tree.files() {
        empty.set_text(file, Arc::from(""));
    }
    empty
}
