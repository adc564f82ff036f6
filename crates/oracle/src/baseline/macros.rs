//! Tells whether a crash comes from the compiler itself, or from a procedural macro that runs in it. Both end the
//! same process, and a macro may print what it likes. Nothing is done where no macro is linked.

use crate::compiler::unit::Unit;
use crate::compiler::witness::{Ender, watch};
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::system::process::Ending;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;
use std::collections::BTreeSet;

/// The origin of a crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// The crash is the compiler's own, as far as anybody can tell.
    Compiler,
    /// The origin is unclear: a person should look at the crash.
    Unclear,
}

/// Tells where a crash comes from by running the compiler once more with a library in it that sees who ends the
/// process. Where that one does not work, the crash is the compiler's if it comes after all macros were expanded.
///
/// # Errors
/// [`OracleError::CrashOfMacro`].
pub(super) fn origin(
    plan: &Plan,
    units: &[Unit],
    context: &BaselineContext<'_>,
) -> Result<Origin, OracleError> {
    let libraries = libraries(plan, units);
    let takes_two_calls = plan.first_args().is_some();
    if !plan.run_policy.check.is_crash() || takes_two_calls || libraries.is_empty() {
        return Ok(Origin::Compiler);
    }
    (context.note)("looking whether the crash is that of a procedural macro");
    let is_macro = |path: &Utf8Path| libraries.iter().any(|library| is_same(library, path));
    let (ending, ender) = witnessed(plan, &is_macro, context)?;
    match ender {
        Some(Ender::Macro(library)) if ending.is_of_crash() => {
            Err(crash_of_macro(&library, ending, plan, units, context))
        }
        Some(Ender::Compiler) => Ok(Origin::Compiler),
        _ => after_expansion(plan, context),
    }
}

/// Returns the files of the procedural macros that the compiler may load.
fn libraries(plan: &Plan, units: &[Unit]) -> Vec<Utf8PathBuf> {
    let of_units = units.iter().filter(|unit| unit.is_proc_macro);
    let of_units = of_units.map(|unit| unit.artifact.clone());
    let named = plan.extern_files().into_iter();
    let named = named.filter(|file| file.extension() == Some("so"));
    of_units.chain(named).collect()
}

/// Whether two paths are of the same library: the loader may have found it by another path.
fn is_same(library: &Utf8Path, loaded: &Utf8Path) -> bool {
    library.file_name() == loaded.file_name()
}

fn witnessed(
    plan: &Plan,
    is_macro: &dyn Fn(&Utf8Path) -> bool,
    context: &BaselineContext<'_>,
) -> Result<(Ending, Option<Ender>), OracleError> {
    let dir = context.scratch.join("witness");
    files::make_empty(&dir)?;
    let output = vec!["--out-dir".to_owned(), dir.to_string()];
    let args = [plan.call.args.clone(), output].concat();
    let place = plan.inputs.tree.join(&plan.call.cwd);
    let invocation = context.invocation(plan, &args, &place);
    let (outcome, ender) = watch(invocation, &dir, is_macro, context.cancel)?;
    context.count(1);
    match outcome.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        ending => Ok((ending, ender)),
    }
}

/// Tells the origin of a crash by expanding the program: one that can be expanded crashes the compiler
/// when no macro runs any more.
fn after_expansion(plan: &Plan, context: &BaselineContext<'_>) -> Result<Origin, OracleError> {
    let mut worker = context.worker(plan)?;
    let expanded = worker.expand(plan, &Sources::new(), context.cancel)?;
    context.count(1);
    Ok(match expanded {
        Some(_) => Origin::Compiler,
        None => Origin::Unclear,
    })
}

fn crash_of_macro(
    library: &Utf8Path,
    ending: Ending,
    plan: &Plan,
    units: &[Unit],
    context: &BaselineContext<'_>,
) -> OracleError {
    let unit = units
        .iter()
        .find(|unit| unit.is_proc_macro && is_same(&unit.artifact, library));
    let names = unit.map_or_else(BTreeSet::new, |unit| macros_of(unit, plan));
    let krate = unit.map_or_else(|| crate_of(library), |unit| unit.name.as_str());
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let macros = match quoted.as_slice() {
        [] => "a procedural macro".to_owned(),
        [name] => format!("the procedural macro {name}"),
        several => format!("one of the procedural macros {}", several.join(", ")),
    };
    OracleError::CrashOfMacro {
        what: format!("{macros} of the crate `{krate}`"),
        ending: ending.to_string(),
        source_file: of_user(unit.map_or(library, |unit| &unit.root), context),
    }
}

/// Returns the name of the crate that a library was made of, without what cargo adds to tell versions
/// apart.
fn crate_of(library: &Utf8Path) -> &str {
    let stem = library.file_stem().unwrap_or_default();
    let stem = stem.strip_prefix("lib").unwrap_or(stem);
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|c| c.is_ascii_hexdigit());
    match stem.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => stem,
    }
}

/// Returns the path of the user's original of a copied file: the user knows the original, not the copy.
fn of_user(path: &Utf8Path, context: &BaselineContext<'_>) -> Utf8PathBuf {
    let snapshot = context.snapshot();
    let origin = context.origin.get().map_or("", |origin| origin.as_str());
    relocate(path.as_str(), &snapshot, origin).into()
}

/// Returns the macros of a crate that the program mentions: its root, if that mentions any. They are
/// defined in the root of their crate, by a rule of the language.
fn macros_of(unit: &Unit, plan: &Plan) -> BTreeSet<String> {
    let defined = std::fs::read_to_string(&unit.root).unwrap_or_default();
    let root = std::fs::read_to_string(plan.inputs.tree.join(&plan.call.root)).unwrap_or_default();
    let named = mentioned(&defined, &root);
    if !named.is_empty() {
        return named;
    }
    let sources = plan
        .inputs
        .files
        .iter()
        .filter(|path| path.extension() == Some("rs"));
    let sources = sources.map(|path| std::fs::read_to_string(plan.inputs.tree.join(path)));
    mentioned(
        &defined,
        &sources.map(Result::unwrap_or_default).collect::<String>(),
    )
}

/// Returns the names of the macros that one text defines and another text mentions.
fn mentioned(defined: &str, text: &str) -> BTreeSet<String> {
    let is_mentioned = |name: &String| {
        let word = Regex::new(&format!(r"\b{name}\b"));
        word.is_ok_and(|word| word.is_match(text))
    };
    let defined = defined_macros(defined).into_iter();
    defined.filter(is_mentioned).collect()
}

fn defined_macros(text: &str) -> Vec<String> {
    const DEFINITION: &str = r"#\[proc_macro(?:_attribute)?\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*pub\s+fn\s+(\w+)|#\[proc_macro_derive\(\s*(\w+)";
    let definition = Regex::new(DEFINITION).expect("it is one");
    let found = definition.captures_iter(text);
    found
        .filter_map(|found| found.get(1).or(found.get(2)))
        .map(|name| name.as_str().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_named_after_its_crate() {
        let named = |path: &'static str| crate_of(Utf8Path::new(path));
        assert_eq!(named("/deps/libloud-0a5aa92994ce6f98.so"), "loud");
        assert_eq!(named("/deps/libloud.so"), "loud");
        assert_eq!(named("/deps/very-loud.so"), "very-loud");
    }

    #[test]
    fn macros_are_found_by_their_attributes() {
        let text = "#[proc_macro]\npub fn a(t: T) -> T { t }\n\
                    #[proc_macro_attribute]\n// what it does\n#[allow(x)]\npub fn b(..) {}\n\
                    #[proc_macro_derive(C, attributes(c))]\npub fn derive_c(..) {}\n\
                    pub fn d() {}\n";
        assert_eq!(defined_macros(text), ["a", "b", "C"]);
    }
}
