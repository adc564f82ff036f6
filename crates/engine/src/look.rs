//! A look at a file: one run of the compiler says whether and how it crashes, and a few more which part of it does so too.

use crate::context::baseline_options;
use crate::failure::{Failure, FailureKind};
use crate::plain_tests::WrittenTests;
use crate::propose::named;
use crate::request::PropertyOptions;
use crate::request::directives::{Obeyed, obeyed};
use crate::site::Site;
use crate::strategy::cores;
use camino::Utf8Path;
use reduce_gather::collect_sources;
use reduce_oracle::{
    BaselineSite, Cancel, Ending, FileInput, Look as OracleLook, Looker, Shown, Signature, Sources,
};
use reduce_syntax::SourceTree;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The facts that a look at a file has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The size of the file in tokens, with the modules that it names; 0 where it is no UTF-8.
    pub tokens: u64,
    /// The end of the compiler's run.
    pub seen: Seen,
}

/// The end of the compiler's run for a file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// The compiler crashed.
    Crashes(Box<Crash>),
    /// The file compiles.
    Compiles,
    /// The file has errors, and the compiler did not crash. The line is that of the first error.
    HasErrors(String),
    /// The compiler did not end in time.
    TimesOut,
    /// The compiler needed more memory, or printed more, than it may.
    ExceedsLimits,
}

/// A crash of the compiler on a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// The signature of the crash.
    pub signature: Signature,
    /// The file with all flags by which it crashes, also those that its own lines ask for.
    pub file: FileInput,
    /// The part of the file that was seen to crash alone; `None` where no part was, or where the file has modules in other
    /// files.
    pub core: Option<Core>,
}

/// A part of a program that crashes the compiler in the same way as the whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Core {
    /// The text of the part, a program of its own.
    pub text: String,
    /// The size of the part in tokens.
    pub tokens: u64,
}

/// Compiles a file once, and, if the compiler crashes, the parts of it to which the crash points, until one crashes in the
/// same way. Of a file with revisions, the first that crashes counts.
///
/// # Errors
/// Where the file cannot be read, is no UTF-8 or has no such revision, where our own surroundings fail, or on cancellation.
pub fn look(
    file: &FileInput,
    looker: &Looker,
    property: &PropertyOptions,
    site: &Site,
    cancel: &Cancel,
) -> Result<Look, Failure> {
    let text = text_of(file)?;
    let read = |path: &Utf8Path| std::fs::read_to_string(path).ok();
    let ways = obeyed(file, &text, &read).map_err(|all| {
        let message = format!("it has none of the revisions that are asked for, but {all:?}");
        Failure::new(FailureKind::BadInput, message)
    })?;
    let mut first = None;
    for way in ways {
        let look = look_at(way, looker, property, site, cancel)?;
        if matches!(look.seen, Seen::Crashes(_)) {
            return Ok(look);
        }
        first.get_or_insert(look);
    }
    Ok(first.expect("there is a way to compile a file"))
}

fn text_of(file: &FileInput) -> Result<String, Failure> {
    if let Some(text) = &file.text {
        return Ok(text.clone());
    }
    let bytes = std::fs::read(&file.path).map_err(|error| {
        let message = format!("failed to read `{}`", file.path);
        Failure::new(FailureKind::BadInput, message).caused_by(&error)
    })?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::new(FailureKind::BadInput, "the file is no UTF-8"))
}

fn look_at(
    way: Obeyed,
    looker: &Looker,
    property: &PropertyOptions,
    site: &Site,
    cancel: &Cancel,
) -> Result<Look, Failure> {
    let oracle_site = BaselineSite {
        scratch: &site.scratch,
        builds: &site.builds,
        capture_program: &site.capture_program,
        plain_tests: &WrittenTests,
    };
    let options = baseline_options(property);
    let mut look = looker.look(&way.file, &oracle_site, &options, cancel)?;
    let plan = &look.plan;
    let sources = collect_sources(&plan.call.root, &|path: &Utf8Path| plan.text(path));
    let tokens = sources.as_ref().map_or(0, SourceTree::count_tokens);
    let seen = match look.shown.signature.clone() {
        None => without_crash(&look.shown),
        Some(signature) => {
            let core = match &sources {
                Some(sources) => core(&mut look, sources, cancel)?,
                None => None,
            };
            Seen::Crashes(Box::new(Crash {
                file: as_it_was_compiled(way.file, &look),
                signature,
                core,
            }))
        }
    };
    Ok(Look { tokens, seen })
}

/// Returns the end of a run in which the compiler did not crash.
fn without_crash(shown: &Shown) -> Seen {
    match shown.ending {
        Ending::Exited(0) => Seen::Compiles,
        Ending::TimedOut => Seen::TimesOut,
        Ending::Exceeded => Seen::ExceedsLimits,
        _ => {
            let is_error = |line: &&str| line.starts_with("error");
            let lines = shown.stderr.lines();
            let first = lines.clone().find(is_error).or(lines.last());
            Seen::HasErrors(first.unwrap_or_default().to_owned())
        }
    }
}

/// Finds the narrowest part of a file that crashes in the same way.
fn core(
    look: &mut OracleLook,
    sources: &SourceTree,
    cancel: &Cancel,
) -> Result<Option<Core>, Failure> {
    if sources.files().count() > 1 {
        return Ok(None);
    }
    let named = named(&look.shown, &look.plan, sources);
    for core in cores(sources, &named) {
        let text: Arc<str> = Arc::from(without_directives(core.text(core.root())));
        let asked = Sources::from([(look.plan.call.root.clone(), Arc::clone(&text))]);
        if look.is_shown_by(&asked, cancel)? {
            let tokens = core.count_tokens();
            let text = text.to_string();
            return Ok(Some(Core { text, tokens }));
        }
    }
    Ok(None)
}

/// Leaves out the lines by which a test of rustc's own says how it is compiled: the flags of the core are known.
fn without_directives(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines
        .filter(|line| !line.trim_start().starts_with("//@"))
        .collect()
}

/// Completes a file by the crate type with which it was compiled, if that was not its own.
fn as_it_was_compiled(file: FileInput, look: &OracleLook) -> FileInput {
    let has_type = |args: &[String]| args.iter().any(|arg| arg.starts_with("--crate-type"));
    match has_type(&look.plan.call.args) && !has_type(&file.rustc_args) {
        true => FileInput {
            rustc_args: [&file.rustc_args[..], &["--crate-type=lib".to_owned()]].concat(),
            ..file
        },
        false => file,
    }
}
