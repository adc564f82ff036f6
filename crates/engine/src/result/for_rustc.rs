//! What a contributor of rustc can use of a crash, each where the user wants it: files beside the result.

use super::bisection::{self, SCRIPT};
use super::crashes_test::crashes_test;
use super::delivery::Delivery;
use super::reporting::{is_one_file, is_quoted};
use crate::context::Context;
use crate::event::Event;
use crate::failure::Failure;
use crate::output::{OutputDirectory, Place};
use reduce_oracle::Signature;
use reduce_syntax::SourceTree;

/// A result of which other forms are written.
pub(super) struct Crash<'a> {
    pub(super) delivery: &'a Delivery,
    pub(super) reduced: &'a SourceTree,
    pub(super) signature: &'a Signature,
    pub(super) place: &'a Place,
}

/// Writes the forms of the result that the user wants, where it fails and is one file.
///
/// # Errors
/// Where the disk is full or the directory is gone.
pub(super) fn write_for_rustc(
    context: &Context<'_>,
    crash: &Crash<'_>,
    output: &OutputDirectory,
) -> Result<(), Failure> {
    let wanted = &context.request.for_rustc;
    let test = wanted.crashes_test.map(|number| format!("{number}.rs"));
    let script = wanted.bisect_script.then(|| SCRIPT.to_owned());
    let names: Vec<String> = test.iter().chain(&script).cloned().collect();
    if names.is_empty() || !crash.delivery.is_interesting {
        return Ok(());
    }
    if !is_one_file(crash.delivery, crash.place) {
        for name in names {
            let message = format!("`{name}` is not written: the result is more than one file");
            (context.emit)(Event::Warning { message });
        }
        return Ok(());
    }
    if let (Some(name), Some(number)) = (test, wanted.crashes_test) {
        output.write_beside(&name, &crash.crashes_test(number))?;
    }
    if let Some(name) = script {
        output.write_script(&name, &crash.script())?;
    }
    Ok(())
}

impl Crash<'_> {
    fn crashes_test(&self, number: u32) -> String {
        let code = self.reduced.text(self.reduced.root());
        let is_read = |variable: &str| is_quoted(self.reduced, variable);
        crashes_test(number, &self.delivery.plan, code, is_read)
    }

    fn script(&self) -> String {
        let Delivery { plan, shown, .. } = self.delivery;
        let is_read = |variable: &str| is_quoted(self.reduced, variable);
        bisection::script(plan, &self.place.root, self.signature, shown, &is_read)
    }
}
