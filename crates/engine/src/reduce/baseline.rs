//! The failure as it was found, the sources that show it, and what the user is told of both.

use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::plain_tests::WrittenTests;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_oracle::{Baseline, BaselineOptions, BaselineSite, Limits, Note, find_baseline};
use reduce_syntax::{SourceTree, build_tree};
use std::sync::Arc;
use std::time::Duration;

pub(super) fn baseline(context: &Context<'_>) -> Result<Baseline, Failure> {
    let (request, property) = (context.request, &context.request.property);
    let site = BaselineSite {
        scratch: &context.site.scratch,
        builds: &context.site.builds,
        capture_program: &context.site.capture_program,
        plain_tests: &WrittenTests,
    };
    let limits = Limits {
        deadline: property.timeout_seconds.map(Duration::from_secs),
        longest: Duration::from_secs(property.baseline_timeout_seconds),
        memory_bytes: property.memory_mib.saturating_mul(1 << 20),
        ..Limits::default()
    };
    let options = BaselineOptions {
        limits,
        demands: property.demands.clone(),
        env: property.env.clone(),
        reads: property.reads.clone(),
        repeat: property.repeat,
        at_least: property.at_least,
        sandbox: property.sandbox,
        allow_errors: property.allow_errors,
        ignore_location: property.ignore_location,
    };
    let note = |note: Note<'_>| {
        (context.emit)(match note {
            Note::Doing(what) => Event::Preparing {
                what: what.to_owned(),
            },
            Note::Cargo(line) => Event::Cargo {
                line: line.to_owned(),
            },
        })
    };
    let (input, surroundings) = (&request.input, &request.surroundings);
    Ok(find_baseline(
        &request.property.goal,
        input,
        surroundings,
        &site,
        &options,
        &note,
        context.cancel,
    )?)
}

pub(super) fn original(baseline: &Baseline) -> Result<SourceTree, Failure> {
    let plan = &baseline.plan;
    let read = |path: &Utf8Path| {
        std::fs::read_to_string(plan.inputs.tree.join(path))
            .ok()
            .map(Arc::from)
    };
    collect_sources(&plan.call.root, &read).ok_or_else(|| {
        Failure::new(
            FailureKind::BadInput,
            format!(
                "failed to read the crate root `{}` as UTF-8",
                plan.call.root
            ),
        )
        .hint("convert the file to UTF-8; rustc reads nothing else")
    })
}

pub(super) fn announce(context: &Context<'_>, baseline: &Baseline, original: &SourceTree) {
    let plan = &baseline.plan;
    if let Some(message) = plan.caution() {
        (context.emit)(Event::Warning {
            message: message.to_owned(),
        });
    }
    if baseline.may_be_of_macro {
        let message = "the crash shows while procedural macros run, and may be theirs: nothing here tells them from the compiler";
        (context.emit)(Event::Warning {
            message: message.to_owned(),
        });
    }
    (context.emit)(Event::BaselineFound {
        noun: baseline.property.signature.noun().to_owned(),
        signature: baseline.shown.describe(&baseline.property.signature),
        command: plan.command(&plan.call.root),
        compiler: plan
            .call
            .compiler
            .verbose_version
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        tokens: original.count_tokens(),
        files: original.files().count() as u64,
    });
    for message in baseline.remarks.iter().cloned() {
        (context.emit)(Event::Warning { message });
    }
    if let Some(names) = baseline.variables.clone() {
        (context.emit)(Event::VariablesKnown { names });
    }
    if let Some(flaky) = baseline.flaky {
        (context.emit)(Event::Flaky(flaky.into()));
    }
    for (file, reason) in build_tree(original).fallbacks {
        let path = original.path(file).to_owned();
        (context.emit)(Event::FallbackForFile { path, reason });
    }
}
