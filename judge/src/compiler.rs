//! The compiler as a judge: what `-Zunpretty=hir-tree` says that each path resolves to, and
//! `-Zunpretty=thir-tree` of methods and fields where the crate's types are right.
//!
//! - `atoms`: spans, names and ids as the dump prints them.
//! - `definitions`: where things are named that others mention.
//! - `mentions`: what names mean that stand in paths, fields, variables and labels; `segments` finds them.
//! - `types`: what names mean for which types have to be known.

mod atoms;
mod definitions;
mod mentions;
mod segments;
mod types;

use crate::dump;
use crate::input::Input;
use crate::meaning::{Meaning, Verdicts};
use crate::text::CrateText;
use anyhow::{Context, Result, bail};
use atoms::SpanReader;
use camino::Utf8Path;
use definitions::DefinitionCollector;
use mentions::MentionCollector;
use std::time::Duration;
use types::TypeReader;

/// The longest that the compiler may take for one crate: some inputs make it hang on purpose.
const LONGEST: Duration = Duration::from_secs(60);

/// What the compiler says about a crate.
pub fn judge(input: &Input, text: &CrateText<'_>) -> Result<Verdicts> {
    let names = print(input, "hir-tree")?;
    if !names.starts_with("DefId(") {
        bail!("the compiler does not print the crate");
    }
    let types = print(input, "thir-tree").unwrap_or_default();
    Ok(read(text, &input.directories(), &names, &types))
}

/// Reads both dumps.
fn read(text: &CrateText<'_>, directories: &[&Utf8Path], names: &str, types: &str) -> Verdicts {
    let spans = SpanReader::new(text, directories);
    let mut definitions = DefinitionCollector::new(text, &spans);
    let mut mentions = MentionCollector::new(text, &spans);
    for entry in dump::entries(names) {
        let entry = dump::read(entry);
        definitions.add(&entry);
        mentions.add(&entry);
    }
    let definitions = definitions.finish();
    let mut verdicts = Verdicts::default();
    for place in definitions.places() {
        verdicts.add(place, Meaning::Inside(place));
    }
    mentions.finish(&definitions, &mut verdicts);
    TypeReader::new(text, &spans, &definitions).read(types, &mut verdicts);
    verdicts
}

fn print(input: &Input, what: &str) -> Result<String> {
    let mut command = input.compiler(&format!("-Zunpretty={what}"));
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC_ICE", "0");
    let output = crate::process::output(command, LONGEST).context("failed to run the compiler")?;
    String::from_utf8(output).context("the compiler prints something else than text")
}

#[cfg(test)]
mod tests;
