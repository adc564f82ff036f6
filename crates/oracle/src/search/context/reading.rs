//! Finds the files and variables that the compiler reads: it says so itself, in dep-info.

use super::BaselineContext;
use crate::compiler::args::{with_emit, without_output};
use crate::error::OracleError;
use crate::plain_tests::NamingProgram;
use crate::system::files;
use crate::system::process::{Bounds, Invocation, run};
use crate::text::path::normal;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The files and variables of which a program is made.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The absolute paths of the files.
    pub(crate) files: BTreeSet<Utf8PathBuf>,
    /// Names of the variables that `env!` and `option_env!` read.
    pub(crate) vars: Vec<String>,
}

/// Runs the compiler just as far as it must go to say which files and variables it reads, and returns these. `None`
/// where it does not get so far: it may crash before, or report errors.
pub(crate) fn read_files(
    compiler: &Utf8Path,
    args: &[String],
    env: &BTreeMap<String, String>,
    dir: &Utf8Path,
    context: &BaselineContext<'_>,
) -> Result<Option<Reading>, OracleError> {
    let out = context.scratch.join("dep-info");
    files::make_empty(&out)?;
    let target = out.join("files.d");
    let mut args = with_emit(&without_output(args), &format!("dep-info={target}"));
    args.extend(["--out-dir".to_owned(), out.into_string()]);
    let bounds = Bounds {
        deadline: context
            .longest_call()
            .or(context.options.limits.deadline)
            .or(Some(context.longest_compilation())),
        ..context.bounds_of_cargo()
    };
    let outcome = run(
        &Invocation {
            program: compiler,
            args: &args,
            env,
            dir,
            bounds,
            confinement: None,
        },
        context.cancel,
    )?;
    context.count(1);
    if outcome.ending == crate::system::process::Ending::Cancelled {
        return Err(OracleError::Cancelled);
    }
    let text = std::fs::read_to_string(&target).ok();
    let reading = text
        .map(|text| parse(&text, dir))
        .filter(|reading| !reading.files.is_empty());
    if let Some(reading) = &reading {
        context.variables.note_named(&reading.vars);
    }
    Ok(reading)
}

/// Returns the files that the program names, for a compiler that does not get so far that it says what it reads: the crate
/// root, and files that `mod`, `#[path]`, `include!` and the like name. All paths are absolute. What merely lies beside them
/// is none of ours.
pub(crate) fn named_files(
    root: &Utf8Path,
    package: &Utf8Path,
    context: &BaselineContext<'_>,
) -> BTreeSet<Utf8PathBuf> {
    let read = |path: &Utf8Path| {
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8(bytes).ok().map(Arc::from))
    };
    let read = &read;
    let program = NamingProgram {
        root,
        package,
        read,
    };
    context.plain_tests.named_files(&program)
}

/// Reads a dep-info file, in which the compiler lists the files and variables that it has read. Each file has a line
/// of its own, `PATH:`, with spaces escaped. Line breaks are not, so that such a name goes on until a line ends in a
/// colon.
pub(crate) fn parse(dep_info: &str, dir: &Utf8Path) -> Reading {
    let mut reading = Reading::default();
    let mut begun = String::new();
    for line in dep_info.lines() {
        if line.is_empty() {
            begun.clear();
        } else if let Some(variable) = line.strip_prefix("# env-dep:") {
            let name = variable.split('=').next().unwrap_or(variable);
            reading.vars.push(name.to_owned());
        } else if let Some(end) = line.strip_suffix(':') {
            let path = format!("{begun}{end}").replace("\\ ", " ");
            reading.files.insert(normal(&dir.join(path)));
            begun.clear();
        } else {
            begun += &format!("{line}\n");
        }
    }
    reading
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dep_info_names_files_and_variables() {
        let text = "out/a.d: src/lib.rs src/a\\ b.rs\n\nsrc/lib.rs:\nsrc/../src/a\\ b.rs:\n/x/y.rs:\n\n\
                    # env-dep:CARGO_PKG_NAME=a\n# env-dep:MISSING\n";
        let reading = parse(text, Utf8Path::new("/p"));
        let files: Vec<_> = reading.files.iter().map(|file| file.as_str()).collect();
        assert_eq!(files, ["/p/src/a b.rs", "/p/src/lib.rs", "/x/y.rs"]);
        assert_eq!(reading.vars, ["CARGO_PKG_NAME", "MISSING"]);
    }

    #[test]
    fn a_name_may_have_line_breaks() {
        let text = "/o/a.d: /p/a\nerror: b.rs /p/c.rs\n\n/p/a\nerror:\\ b.rs:\n/p/c.rs:\n\n";
        let reading = parse(text, Utf8Path::new("/p"));
        let files: Vec<_> = reading.files.iter().map(|file| file.as_str()).collect();
        assert_eq!(files, ["/p/a\nerror: b.rs", "/p/c.rs"]);
    }
}
