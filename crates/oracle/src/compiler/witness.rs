//! The witness's report of who ends a compiler: the compiler itself, or a procedural macro that runs
//! in it.
//!
//! A library that is preloaded into rustc (see `witness/lib.rs`) writes down whose code stood on the
//! stack when the process was ended, since nothing that is printed tells the two apart.

use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{Invocation, Outcome, run};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;

/// The bytes of the witness library, which the build script compiles; empty on a platform without one.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/witness.so"));
/// The variable that names the report's file; the library has the same.
const REPORT_VARIABLE: &str = "CARGO_REDUCE_WITNESS";
const PROGRAM_VARIABLE: &str = "CARGO_REDUCE_WITNESS_PROGRAM";
/// The libraries of the compiler. Not its standard library, which a macro may use too.
const OF_COMPILER: [&str; 2] = ["librustc_driver", "libLLVM"];

/// The code that ended the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ender {
    /// The compiler's own code has ended the process.
    Compiler,
    /// The code of a procedural macro, in this library, has ended the process.
    Macro(Utf8PathBuf),
}

/// Runs a compiler with the witness in it; `dir` is for the library and its report. There is no answer
/// where the witness does not work: on other platforms, where a script stands for the compiler, or
/// where the process was ended behind the back of the C library.
pub(crate) fn watch(
    invocation: Invocation<'_>,
    dir: &Utf8Path,
    is_macro: &dyn Fn(&Utf8Path) -> bool,
    cancel: &Cancel,
) -> Result<(Outcome, Option<Ender>), OracleError> {
    let (library, report) = (dir.join("witness.so"), dir.join("report"));
    let is_preloaded = invocation.env.contains_key("LD_PRELOAD");
    let program = invocation.program.canonicalize_utf8();
    let mut env = invocation.env.clone();
    if let (false, false, Ok(program)) = (LIBRARY.is_empty(), is_preloaded, program) {
        std::fs::write(&library, LIBRARY).map_err(OracleError::io("write", &library))?;
        files::remove(&report)?;
        env.extend([
            ("LD_PRELOAD".to_owned(), library.into_string()),
            (REPORT_VARIABLE.to_owned(), report.to_string()),
            (PROGRAM_VARIABLE.to_owned(), program.into_string()),
        ]);
    }
    let outcome = run(
        &Invocation {
            env: &env,
            ..invocation
        },
        cancel,
    )?;
    let text = std::fs::read_to_string(&report).unwrap_or_default();
    Ok((outcome, ender(&text, is_macro)))
}

/// Reads a report: the first event, and after it the libraries on the stack, the innermost first.
fn ender(report: &str, is_macro: &dyn Fn(&Utf8Path) -> bool) -> Option<Ender> {
    let mut lines = report.lines().skip_while(|line| *line == "begin");
    // No macro returns from the compiler's `main`.
    if lines.next()? == "return" {
        return Some(Ender::Compiler);
    }
    lines.map(Utf8Path::new).find_map(|library| {
        let name = library.file_name().unwrap_or_default();
        match OF_COMPILER.iter().any(|own| name.starts_with(own)) {
            true => Some(Ender::Compiler),
            false => is_macro(library).then(|| Ender::Macro(library.to_owned())),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(report: &str, expected: Option<Ender>) {
        let is_macro = |library: &Utf8Path| library.as_str().contains("/deps/");
        assert_eq!(ender(report, &is_macro), expected, "{report}");
    }

    #[test]
    fn the_innermost_code_of_a_macro_or_of_the_compiler_has_ended_the_process() {
        let of_macro = Some(Ender::Macro("/deps/libloud-1.so".into()));
        check(
            "begin\nexit\n/x/witness.so\n/deps/libloud-1.so\n/t/lib/librustc_driver-2.so\n",
            of_macro.clone(),
        );
        check("begin\nsignal 11\n/deps/libloud-1.so\n", of_macro);
        check(
            "begin\nsignal 6\n/lib/libc.so.6\n/t/lib/libstd-3.so\n/t/lib/librustc_driver-2.so\n\
             /deps/libloud-1.so\n",
            Some(Ender::Compiler),
        );
        check(
            "begin\nsignal 11\n/t/lib/libLLVM.so.20.1\n",
            Some(Ender::Compiler),
        );
        check("begin\nreturn\n/x/witness.so\n", Some(Ender::Compiler));
    }

    #[test]
    fn what_ends_without_an_event_was_ended_by_nobody_that_is_known() {
        check("", None);
        check("begin\n", None);
        check("begin\nexit\n/lib/libc.so.6\n/t/bin/rustc\n", None);
    }
}
