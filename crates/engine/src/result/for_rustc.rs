//! Files beside the result for contributors of rustc, such as tests of rustc's own, each where the
//! user wants it.

use super::bisection;
use super::delivered::Delivered;
use super::delivery::Delivery;
use super::report::title;
use super::reporting::{is_one_file, is_quoted};
use super::rustc_test::{Passes, RustcTest};
use crate::candidate::Candidate;
use crate::event::Event;
use crate::failure::Failure;
use crate::output::{OutputDirectory, Place};
use crate::request::ForRustc;
use crate::summary::DeliveredResult;
use reduce_oracle::{Goal, Neighbour, Plan, escape};
use std::sync::Arc;

/// Returns the names of the tests of rustc's own that are written beside the result.
pub(super) fn tests(wanted: &ForRustc, delivery: &Delivery, is_one: bool) -> Vec<String> {
    let tests = [
        wanted.crashes_test.map(test_file),
        wanted.ui_test.as_ref().map(test_file),
    ];
    let is_written = delivery.is_interesting && is_one;
    tests.into_iter().flatten().filter(|_| is_written).collect()
}

/// Whether the result is one file, or goes as a whole to one place in a package.
pub(super) fn is_one(delivered: &DeliveredResult, delivery: &Delivery, place: &Place) -> bool {
    delivered.goes_to.is_some() || is_one_file(delivery, place)
}

/// Writes the tests and scripts for rustc that the user wants, if the result fails and is one file.
///
/// # Errors
/// Where the disk is full or the directory is gone.
pub(super) fn write(crash: &Delivered<'_>) -> Result<(), Failure> {
    let (context, output) = (crash.context, crash.output);
    let wanted = &context.request.for_rustc;
    if !crash.delivery.is_interesting {
        return Ok(());
    }
    let warn = |message: String| (context.emit)(Event::Warning { message });
    if !is_one(&crash.summary.delivered, crash.delivery, crash.place) {
        for name in names(wanted) {
            warn(format!(
                "`{name}` is not written: the result is more than one file"
            ));
        }
        return Ok(());
    }
    if let Some(number) = wanted.crashes_test {
        output.write_beside(&test_file(number), &crash.crashes_test(number))?;
    }
    if let Some(name) = &wanted.ui_test {
        let file = test_file(name);
        output.write_beside(&file, &crash.ui_test(wanted.crashes_test))?;
        warn(format!(
            "`{file}` has no expected output yet: put it into `tests/ui` of rust-lang/rust, and run `./x test tests/ui \
             --test-args {file} --bless` once the crash is mended"
        ));
    }
    if wanted.bisect_script {
        let goal = &context.request.property.goal;
        output.write_script(OutputDirectory::BISECTION_SCRIPT, &crash.script(goal))?;
    }
    Ok(())
}

/// Adds the lines of a test in rustc's `tests/incremental` to a program whose versions are revisions, where it is one
/// file.
pub(crate) fn as_incremental_test(plan: &Plan, named: Candidate) -> Candidate {
    let (Some(names), 1) = (plan.versions(), named.tree.files().count()) else {
        return named;
    };
    let root = named.tree.root();
    let test = RustcTest {
        plan,
        code: named.tree.text(root),
        is_read: &|variable| is_quoted(&named.tree, variable),
    };
    let text = test.in_incremental([names.before, names.after]);
    let mut tree = named.tree.clone();
    tree.set_text(root, Arc::from(text));
    named.with_tree(tree)
}

/// Returns the names of the files that the user wants.
fn names(wanted: &ForRustc) -> Vec<String> {
    let script = wanted
        .bisect_script
        .then(|| OutputDirectory::BISECTION_SCRIPT.to_owned());
    let tests = [
        wanted.crashes_test.map(test_file),
        wanted.ui_test.as_ref().map(test_file),
    ];
    tests.into_iter().flatten().chain(script).collect()
}

fn test_file(name: impl std::fmt::Display) -> String {
    format!("{name}.rs")
}

impl Delivered<'_> {
    fn crashes_test(&self, number: u32) -> String {
        self.with_test(|test| test.in_crashes(number))
    }

    fn ui_test(&self, issue: Option<u32>) -> String {
        let title = title(&self.delivery.shown, &self.summary.behaviour.signature);
        let title = title.map(|title| escape::line(&title).to_string());
        self.with_test(|test| test.in_ui(title.as_deref(), issue, self.passes()))
    }

    /// Returns how far the program compiles once the bug is mended, which is known where another compiler, which does not
    /// crash, compiles it.
    fn passes(&self) -> Option<Passes> {
        let Neighbour { error, .. } = self.summary.behaviour.neighbour.as_ref()?;
        if error.is_some() {
            return None;
        }
        Some(match self.summary.costs.cheapest_call.as_str() {
            "parse" | "resolve" | "analyse" => Passes::Check,
            _ => Passes::Build,
        })
    }

    fn with_test(&self, text: impl FnOnce(&RustcTest<'_>) -> String) -> String {
        text(&RustcTest {
            plan: &self.delivery.plan,
            code: self.reduced.text(self.reduced.root()),
            is_read: &|variable| is_quoted(self.reduced, variable),
        })
    }

    fn script(&self, goal: &Goal) -> String {
        let Delivery { plan, shown, .. } = self.delivery;
        let is_read = |variable: &str| is_quoted(self.reduced, variable);
        let told = (goal, self.summary);
        bisection::script(plan, &self.place.root, told, shown, &is_read)
    }
}
