//! The facts for the report: the calls as people make them, without what is private of the user's
//! machine.

use super::bisection;
use super::delivery::Delivery;
use super::names::ResultNames;
use super::report::{Channel, Report, ReportText, TestTitle, ToldRevision};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Place;
use crate::packaged::PackagedTest;
use crate::summary::Summary;
use reduce_oracle::{Cancel, Plan, Surroundings};
use reduce_syntax::SourceTree;

/// Makes the text of the report.
pub(super) fn report(
    context: &Context<'_>,
    summary: &Summary,
    delivery: &Delivery,
    (original, reduced): (&SourceTree, &SourceTree),
    (place, test): (&Place, Option<TestTitle>),
) -> Result<ReportText, Failure> {
    let plan = &delivery.plan;
    let is_used = |name: &str| is_quoted(reduced, name);
    let command = |plan: &Plan| plan.command_elsewhere(&place.root, &is_used);
    // A crate that is compiled before is none of the reader's flags: the command names it.
    let tree = plan.inputs.tree.as_str();
    let mut flags = plan.deciding_flags();
    flags.retain(|flag| !flag.contains(tree));
    let report = Report {
        summary,
        tool: context.request.property.goal.tool(),
        tool_version: tool_version(context, plan)?,
        configuration: delivery.configuration.clone(),
        reduced,
        original,
        test,
        shown: &delivery.shown,
        edition: &plan.call.edition,
        flags: &flags,
        command: match summary.delivered.goes_to {
            Some(_) => summary.delivered.reproduce.clone(),
            None => command(plan),
        },
        successes: match summary.delivered.goes_to {
            // Another version is another package, in which the command is the same.
            Some(_) => {
                let also = summary.delivered.also.iter();
                let also = also.filter(|one| one.version.is_none());
                also.map(|one| one.command.clone()).collect()
            }
            None => delivery.companions.iter().map(command).collect(),
        },
        names: match summary.delivered.goes_to {
            Some(_) => None,
            None => Some(ResultNames::of(plan, place)),
        },
        revisions: plan
            .versions()
            .map(|names| revisions(plan, [names.before, names.after])),
        is_apart: plan.has_versions_apart(),
        // Elsewhere one call is made.
        channel: (plan.first_args().is_none() && is_alone(delivery, reduced, place))
            .then(|| Channel::of(plan)),
        bisection: wants_script(context, summary, delivery, place)
            .then(|| bisection::command(plan, summary.delivered.goes_to.as_ref())),
        private: private_directories(context),
    };
    Ok(report.text())
}

/// Asks the failing tool for its version, and returns what it prints.
fn tool_version(context: &Context<'_>, plan: &Plan) -> Result<Option<String>, Failure> {
    let (tool, user) = (
        context.request.property.goal.tool(),
        &context.request.surroundings,
    );
    // A cancelled search still has a report.
    let patient = Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?;
    Ok(tool.version(&plan.call.compiler, user, &patient)?)
}

/// Describes the two compilations of a plan, whose versions have these names.
fn revisions(plan: &Plan, [first, second]: [&str; 2]) -> [ToldRevision; 2] {
    let flags = plan.flags_of_one_call();
    let told = |name: &str, flags| ToldRevision {
        name: name.to_owned(),
        flags,
    };
    [told(first, flags.before), told(second, flags.after)]
}

/// Returns the names of a test and of the package that it belongs to.
pub(super) fn title(test: &PackagedTest, plan: &Plan) -> TestTitle {
    let variable = |name: &str| plan.call.env.get(name).cloned().unwrap_or_default();
    TestTitle {
        test: test.name().to_owned(),
        package: variable("CARGO_PKG_NAME"),
        version: variable("CARGO_PKG_VERSION"),
    }
}

/// Returns the directories of the user that tell a reader of the report nothing, with what to write for
/// each; the longest first.
fn private_directories(context: &Context<'_>) -> Vec<(String, &'static str)> {
    let Surroundings { cwd, vars, .. } = &context.request.surroundings;
    let home = vars.get("HOME").map(String::as_str);
    let shown_in = context.site.scratch.join("show").join("tree");
    let named = [
        (Some(shown_in.as_str()), "."),
        (Some(context.request.output.as_str()), "."),
        (Some(cwd.as_str()), "."),
        (home, "~"),
    ];
    let known = named.into_iter().filter_map(|(path, name)| {
        let path = path?.trim_end_matches('/');
        (!path.is_empty()).then(|| (path.to_owned(), name))
    });
    let mut known: Vec<_> = known.collect();
    known.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    known
}

/// Whether a program has a string with nothing but this name in it.
pub(super) fn is_quoted(tree: &SourceTree, name: &str) -> bool {
    let quoted = format!("\"{name}\"");
    tree.files().any(|(_, _, code)| code.contains(&quoted))
}

/// Whether a result is one file that links nothing.
pub(super) fn is_one_file(delivery: &Delivery, place: &Place) -> bool {
    let mut externs = delivery.plan.externs().into_iter();
    externs.all(|(_, file)| file.is_none()) && place.result.is_file()
}

/// Whether a script for a bisection is written.
fn wants_script(
    context: &Context<'_>,
    summary: &Summary,
    delivery: &Delivery,
    place: &Place,
) -> bool {
    let is_wanted = context.request.for_rustc.bisect_script && delivery.is_interesting;
    is_wanted && (summary.delivered.goes_to.is_some() || is_one_file(delivery, place))
}

/// Whether a result is one file that links nothing, and reads no variable.
fn is_alone(delivery: &Delivery, reduced: &SourceTree, place: &Place) -> bool {
    let mut variables = delivery.plan.call.env.keys();
    is_one_file(delivery, place) && !variables.any(|name| is_quoted(reduced, name))
}
