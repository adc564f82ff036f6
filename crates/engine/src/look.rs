//! A look at a file: one run of the compiler says whether and how it crashes, and a few more which part of it does so too.

use crate::context::baseline_options;
use crate::failure::{Failure, FailureKind};
use crate::plain_tests::WrittenTests;
use crate::propose::named;
use crate::request::PropertyOptions;
use crate::request::directives::{Obeyed, obeyed};
use crate::site::Site;
use crate::strategy::cores;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_gather::collect_sources;
use reduce_oracle::{
    BaselineSite, Cancel, Ending, FileInput, Look as OracleLook, Looker, NamingProgram, PlainTests,
    Shown, Signature, Sources, is_variable_of_tools,
};
use reduce_syntax::SourceTree;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The beginning of the line with which the compiler reports a crash.
const CRASH: &str = "error: internal compiler error";

/// The facts that a look at a file has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The size of the file in tokens, with the modules that it names; 0 where it is no UTF-8.
    pub tokens: u64,
    /// The end of the compiler's run.
    pub seen: LookEnd,
}

/// The end of the compiler's run for a file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LookEnd {
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
    /// The narrowest part of the file that was seen to crash alone, or all of it; `None` where the file has modules in other
    /// files.
    pub core: Option<Core>,
}

/// A part of a program that crashes the compiler in the same way as the whole, or the whole where no part does.
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
        if matches!(look.seen, LookEnd::Crashes(_)) {
            return Ok(look);
        }
        first.get_or_insert(look);
    }
    Ok(first.expect("there is a way to compile a file"))
}

/// Returns hexadecimal digits that are the same where a look at a file shows the same: they depend on the text, the flags and the
/// files that the file names, on the compiler, its variables, and the options, and not on the place of the file.
///
/// # Errors
/// Where the file cannot be read or is no UTF-8.
///
/// # Panics
/// Never: all of it has a JSON form.
pub fn digest_of_look(
    file: &FileInput,
    looker: &Looker,
    property: &PropertyOptions,
) -> Result<String, Failure> {
    let text = text_of(file)?;
    let mut others = BTreeMap::new();
    for path in other_files(file) {
        let content = std::fs::read(&path).unwrap_or_default();
        others.insert(path, blake3::hash(&content).to_hex().to_string());
    }
    let vars = &looker.surroundings().vars;
    let vars = vars.iter().filter(|(name, _)| is_variable_of_tools(name));
    let file = FileInput {
        path: Utf8PathBuf::new(),
        text: Some(text),
        ..file.clone()
    };
    let property = PropertyOptions {
        stability_runs: None,
        ..property.clone()
    };
    let compiler = looker.compiler().identity;
    let vars: BTreeMap<_, _> = vars.collect();
    let all = serde_json::to_vec(&(file, others, compiler, vars, property));
    let all = all.expect("names and numbers have a JSON form");
    Ok(blake3::hash(&all).to_hex().to_string())
}

/// Lists the files that a file names, such as its modules; without itself.
fn other_files(file: &FileInput) -> BTreeSet<Utf8PathBuf> {
    if file.text.is_some() {
        return BTreeSet::new();
    }
    let read = |path: &Utf8Path| {
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8(bytes).ok().map(Arc::from))
    };
    let mut named = WrittenTests.named_files(&NamingProgram {
        root: &file.path,
        package: file.path.parent().unwrap_or(&file.path),
        read: &read,
    });
    named.remove(&file.path);
    named
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
            LookEnd::Crashes(Box::new(Crash {
                file: as_it_was_compiled(way.file, &look),
                signature,
                core,
            }))
        }
    };
    Ok(Look { tokens, seen })
}

/// Returns the end of a run in which the compiler did not crash.
fn without_crash(shown: &Shown) -> LookEnd {
    match shown.ending {
        Ending::Exited(0) => LookEnd::Compiles,
        Ending::TimedOut => LookEnd::TimesOut,
        Ending::Exceeded => LookEnd::ExceedsLimits,
        _ => {
            let is_error = |line: &&str| line.starts_with("error");
            let lines = shown.stderr.lines();
            let first = lines.clone().find(is_error).or(lines.last());
            LookEnd::HasErrors(first.unwrap_or_default().to_owned())
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
    let of = |shown: &Shown| cores(sources, &named(shown, &look.plan, sources));
    let mut all = of(&of_first_crash(&look.shown));
    all.extend(of(&look.shown));
    let mut asked_about = BTreeSet::new();
    all.retain(|core| asked_about.insert(core.digest()));
    for core in all {
        let text = Arc::from(without_directives(core.text(core.root())));
        let asked = Sources::from([(look.plan.call.root.clone(), text)]);
        if look.is_shown_by(&asked, cancel)? {
            return Ok(Some(Core::of(&core)));
        }
    }
    Ok(Some(Core::of(sources)))
}

/// Returns a run of the compiler as if its first crash were the only one: the compiler may go on with other bodies after one,
/// and the signature is that of the first.
fn of_first_crash(shown: &Shown) -> Shown {
    let mut at = 0;
    let begins = shown.stderr.split_inclusive('\n').map(|line| {
        let begin = at;
        at += line.len();
        (begin, line)
    });
    let mut crashes = begins.filter(|(_, line)| line.starts_with(CRASH));
    let until = crashes
        .nth(1)
        .map_or(shown.stderr.len(), |(begin, _)| begin);
    let is_innermost = |line: &String| line.starts_with("#0 ");
    let of_second = shown.query_stack.iter().skip(1).position(is_innermost);
    let n_first = of_second.map_or(shown.query_stack.len(), |idx| idx + 1);
    Shown {
        stderr: shown.stderr[..until].to_owned(),
        query_stack: shown.query_stack[..n_first].to_vec(),
        ..shown.clone()
    }
}

impl Core {
    fn of(sources: &SourceTree) -> Self {
        Self {
            text: without_directives(sources.text(sources.root())),
            tokens: sources.count_tokens(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn shown(stderr: &str, query_stack: &[&str]) -> Shown {
        Shown {
            stderr: stderr.to_owned(),
            stdout: String::new(),
            truncated: false,
            duration: Duration::ZERO,
            ending: Ending::Exited(101),
            signature: None,
            others: Vec::new(),
            errors: BTreeSet::new(),
            query_stack: query_stack.iter().map(|&line| line.to_owned()).collect(),
            runs: 1,
        }
    }

    #[test]
    fn crashes_after_the_first_one_say_nothing_of_it() {
        let two = "warning: x\nerror: internal compiler error: a\n --> a.rs:1:1\nerror: internal compiler error: b\n --> a.rs:2:2\n";
        let first = of_first_crash(&shown(two, &["#0 [a] a", "#1 [b] b", "#0 [c] c"]));
        assert!(
            first.stderr.ends_with(" --> a.rs:1:1\n"),
            "{}",
            first.stderr
        );
        assert_eq!(first.query_stack, ["#0 [a] a", "#1 [b] b"]);
        let one = shown("error: internal compiler error: a\n", &["#0 [a] a"]);
        assert_eq!(of_first_crash(&one), one);
    }

    #[test]
    fn the_end_of_a_run_without_a_crash_has_words() {
        let ended = |ending| Shown {
            ending,
            ..shown("warning: w\nerror[E0308]: mismatched types\n --> x\n", &[])
        };
        assert_eq!(without_crash(&ended(Ending::Exited(0))), LookEnd::Compiles);
        assert_eq!(without_crash(&ended(Ending::TimedOut)), LookEnd::TimesOut);
        let error = "error[E0308]: mismatched types".to_owned();
        assert_eq!(
            without_crash(&ended(Ending::Exited(1))),
            LookEnd::HasErrors(error)
        );
    }

    #[test]
    fn lines_for_the_test_runner_are_left_out_of_a_core() {
        let text = "//@ edition: 2021\n// why\nfn f() {}\n";
        assert_eq!(without_directives(text), "// why\nfn f() {}\n");
    }
}
