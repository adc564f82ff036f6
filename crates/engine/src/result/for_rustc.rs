//! What a contributor of rustc can use of a crash, each where the user wants it: files beside the result.

use super::crashes_test::crashes_test;
use super::delivery::Delivery;
use super::reporting::{is_one_file, is_quoted};
use crate::context::Context;
use crate::event::Event;
use crate::failure::Failure;
use crate::output::{OutputDirectory, Place};
use reduce_syntax::SourceTree;

/// Writes the forms of the result that the user wants.
///
/// # Errors
/// Where the disk is full or the directory is gone.
pub(super) fn write_for_rustc(
    context: &Context<'_>,
    delivery: &Delivery,
    reduced: &SourceTree,
    to: (&OutputDirectory, &Place),
) -> Result<(), Failure> {
    write_crashes_test(context, delivery, reduced, to)
}

/// Writes the result as a test of rustc's own, where the user wants one and it is one file.
fn write_crashes_test(
    context: &Context<'_>,
    delivery: &Delivery,
    reduced: &SourceTree,
    (output, place): (&OutputDirectory, &Place),
) -> Result<(), Failure> {
    let wanted = context.request.crashes_test;
    let Some(number) = wanted.filter(|_| delivery.is_interesting) else {
        return Ok(());
    };
    let name = format!("{number}.rs");
    let plan = &delivery.plan;
    if !is_one_file(delivery, place) {
        let message = format!("`{name}` is not written: the result is more than one file");
        (context.emit)(Event::Warning { message });
        return Ok(());
    }
    let code = reduced.text(reduced.root());
    let is_read = |variable: &str| is_quoted(reduced, variable);
    output.write_beside(&name, &crashes_test(number, plan, code, is_read))
}
