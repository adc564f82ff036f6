//! The failure as it was found, the sources that show it, and the user's information about both.

use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::unit_test::UnitTest;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_oracle::{Baseline, Note, UndefinedBehaviour, find_baseline};
use reduce_syntax::{FileId, SourceTree, build_tree};
use std::collections::BTreeMap;

pub(super) fn baseline(context: &Context<'_>) -> Result<Baseline, Failure> {
    let request = context.request;
    let note = |note: Note<'_>| {
        (context.emit)(match note {
            Note::Doing(what) => Event::Preparing {
                what: what.to_owned(),
            },
            Note::Warning(message) => Event::Warning {
                message: message.to_owned(),
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
        &context.oracle_site(),
        &context.oracle_options(),
        &note,
        context.cancel,
    )?)
}

/// The program that is reduced, and the failure that it shows.
pub(super) struct Input {
    pub(super) baseline: Baseline,
    pub(super) sources: SourceTree,
    /// The failing unit test, where nothing else is reduced.
    pub(super) unit_test: Option<UnitTest>,
}

/// Returns the whole failing crate as the input.
pub(super) fn whole(baseline: Baseline) -> Result<Input, Failure> {
    Ok(Input {
        sources: sources(&baseline)?,
        baseline,
        unit_test: None,
    })
}

fn sources(baseline: &Baseline) -> Result<SourceTree, Failure> {
    let plan = &baseline.plan;
    let read = |path: &Utf8Path| plan.text(path);
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

pub(super) fn announce(context: &Context<'_>, input: &Input) {
    let Input {
        baseline, sources, ..
    } = input;
    let plan = &baseline.plan;
    if let Some(UndefinedBehaviour::Unchecked(reason)) = plan.undefined_behaviour() {
        (context.emit)(Event::Warning {
            message: format!(
                "nobody looks for undefined behaviour, with which a program may print anything: {reason}; what unsafe code depends on stays as it is"
            ),
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
        tokens: sources.count_tokens(),
        files: sources.files().count() as u64,
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
    let tree = build_tree(sources);
    for (file, reason) in tree.fallbacks {
        let path = sources.path(file).to_owned();
        (context.emit)(Event::FallbackForFile { path, reason });
    }
    let mut by_file: BTreeMap<FileId, Vec<u64>> = BTreeMap::new();
    for (file, tokens) in tree.islands {
        by_file.entry(file).or_default().push(tokens);
    }
    for (file, sizes) in by_file {
        (context.emit)(Event::IslandsInFile {
            path: sources.path(file).to_owned(),
            places: sizes.len() as u64,
            tokens: sizes.iter().sum(),
        });
    }
}
