//! Miri, an interpreter that reports undefined behaviour in a program: where it is found, how it is called, and how its
//! answers are read.
//!
//! `miri` is a compiler that interprets what it compiles: it takes the arguments of rustc, those of its own with `-Zmiri-`,
//! and after `--` those of the program. The standard library that it interprets is made by `cargo miri setup`. What a program
//! links besides would have to be compiled for it too.

use crate::check::{CommandCall, Execution};
use crate::compiler::args;
use crate::compiler::toolchain::{Compiler, installed};
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::system::process::Ending;
use camino::{Utf8Path, Utf8PathBuf};

/// The flags of Miri: memory that is not freed is no undefined behaviour, and the sandbox keeps programs apart, so that they
/// may see their variables, the time and files as they do elsewhere.
const FLAGS: [&str; 2] = ["-Zmiri-ignore-leaks", "-Zmiri-disable-isolation"];
/// The flags that ask for output which Miri does not make.
const NOT_FOR_MIRI: [&str; 3] = ["--emit", "--out-dir", "-o"];
/// The words with which Miri begins to say that a program has undefined behaviour.
const UNDEFINED: &str = "Undefined Behavior: ";
/// The words with which Miri begins to say that it cannot run a program.
const UNSUPPORTED: &str = "unsupported operation: ";

/// A Miri that can be called.
pub(super) struct InstalledMiri {
    pub(super) call: CommandCall,
    /// The first line of Miri's version, which is that of its compiler.
    pub(super) version: String,
    /// The paths that Miri reads besides the program.
    pub(super) reads: Vec<Utf8PathBuf>,
}

/// Returns Miri of the compiler's toolchain, or else of the newest one that has it; or the reason why there is none.
///
/// # Errors
/// On cancellation, or where the library for it cannot be made for want of room and the like.
pub(super) fn find(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Result<InstalledMiri, String>, OracleError> {
    let (user, cancel) = (context.user, context.cancel);
    let of = |compiler: &Compiler| {
        let (miri, setup) = ("miri", "cargo-miri");
        let is_there = |name| compiler.path.with_file_name(name).is_file();
        let is_whole = is_there(miri) && is_there(setup);
        is_whole.then(|| compiler.tool(miri, user, cancel).ok())?
    };
    let compiler = &plan.call.compiler;
    let others = || installed(compiler, user, cancel).iter().find_map(of);
    let Some(miri) = of(compiler).or_else(others) else {
        return Ok(Err("Miri is not installed".to_owned()));
    };
    if !plan.extern_files().is_empty() {
        let reason = "Miri cannot interpret the compiled crates that the program links";
        return Ok(Err(reason.to_owned()));
    }
    let library = match library(&miri, context)? {
        Ok(library) => library,
        Err(reason) => return Ok(Err(reason)),
    };
    let own = user.vars.get("MIRIFLAGS").map_or("", String::as_str);
    let flags = FLAGS.into_iter().chain(own.split_whitespace());
    let call = CommandCall {
        program: miri.path.clone(),
        args: std::iter::once(format!("--sysroot={library}"))
            .chain(flags.map(str::to_owned))
            .collect(),
        env: plan.call.env.clone(),
        cwd: plan.call.cwd.clone(),
        meaning: "no-undefined-behaviour",
        shown: miri.command.clone(),
        identity: Some(miri.identity),
        builds: None,
        reads: vec![],
    };
    let reads = [miri.directories(), miri.files(), vec![library]].concat();
    Ok(Ok(InstalledMiri {
        call,
        version: miri.version().to_owned(),
        reads,
    }))
}

/// Returns the directory of the standard library that Miri interprets, made by its `cargo miri setup` where it is not there
/// yet; or the reason why there is none.
fn library(
    miri: &Compiler,
    context: &BaselineContext<'_>,
) -> Result<Result<Utf8PathBuf, String>, OracleError> {
    let user = context.user;
    if let Some(named) = user.vars.get("MIRI_SYSROOT").filter(|one| !one.is_empty()) {
        return Ok(Ok(user.cwd.join(named)));
    }
    (context.note)("preparing the standard library for Miri");
    let bin = miri.path.parent().unwrap_or(Utf8Path::new("/"));
    let path = user.vars.get("PATH").map_or("", String::as_str);
    let mut env = user.vars.clone();
    env.retain(|name, _| !["RUSTC", "RUSTUP_TOOLCHAIN"].contains(&name.as_str()));
    env.insert("CARGO".to_owned(), bin.join("cargo").to_string());
    env.insert("PATH".to_owned(), format!("{bin}:{path}"));
    // As cargo calls it for `cargo miri setup`.
    let args = ["miri", "setup", "--print-sysroot"].map(str::to_owned);
    let setup = bin.join("cargo-miri");
    let made = context.compile(&setup, (&args, &env), &user.cwd)?;
    let printed = made.stdout.trim();
    match made.ending {
        Ending::Cancelled => Err(OracleError::Cancelled),
        Ending::Exited(0) if Utf8Path::new(printed).is_dir() => Ok(Ok(printed.into())),
        ending => {
            let said = made.stderr.lines().rfind(|line| !line.trim().is_empty());
            let said = said.map_or_else(|| ending.to_string(), |line| line.trim().to_owned());
            Ok(Err(format!("`cargo miri setup` fails: {said}")))
        }
    }
}

/// Makes the call for the program that a compiler makes by these arguments. The output of the program as it runs is not
/// compared.
pub(super) fn of_program(
    call: &CommandCall,
    compiled: &[String],
    execution: &Execution,
    tree: &Utf8Path,
) -> CommandCall {
    let groups = args::groups(compiled).into_iter();
    let left_out: Vec<_> = groups
        .filter(|group| NOT_FOR_MIRI.contains(&group.name.as_str()))
        .collect();
    let mut call = call.clone();
    call.args.extend(args::without(compiled, &left_out));
    call.args.push("--".to_owned());
    call.args.extend(execution.args.iter().cloned());
    // Miri goes to this directory before it runs the program.
    let dir = tree.join(&execution.cwd);
    call.env.insert("MIRI_CWD".to_owned(), dir.into_string());
    call
}

/// An answer of Miri about a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The program has run to its end.
    Accepted,
    Undefined,
    /// Miri cannot run the program, for this reason.
    Unknown(String),
}

impl Answer {
    /// Reads an answer from how Miri has ended and what it has printed.
    pub(super) fn of(ending: &Ending, printed: &str) -> Self {
        let said = |how: &str| {
            let lines = printed.lines();
            lines
                .filter_map(|line| line.strip_prefix("error: "))
                .find_map(|message| message.strip_prefix(how))
        };
        if *ending == Ending::Exited(0) {
            return Self::Accepted;
        }
        if said(UNDEFINED).is_some() {
            return Self::Undefined;
        }
        Self::Unknown(match said(UNSUPPORTED) {
            Some(what) => format!("Miri does not support what the program does: {what}"),
            None => format!("Miri ends with {ending} for the program"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_miri_calls_undefined_is_undefined() {
        let of = |printed: &str| Answer::of(&Ending::Exited(1), printed);
        let undefined = "warning: unused\nerror: Undefined Behavior: using uninitialized data, but this operation requires initialized memory\n --> a.rs:3:5\n";
        assert_eq!(of(undefined), Answer::Undefined);
        let unsupported =
            "error: unsupported operation: can't call foreign function `bind` on OS `linux`\n";
        let expected = "Miri does not support what the program does: can't call foreign function `bind` on OS `linux`";
        assert_eq!(of(unsupported), Answer::Unknown(expected.to_owned()));
        // The program's own words.
        let own = "error: a program says Undefined Behavior: \n";
        let ended = Answer::Unknown("Miri ends with exit status 1 for the program".to_owned());
        assert_eq!(of(own), ended);
        assert_eq!(
            Answer::of(&Ending::Exited(0), undefined),
            Answer::Accepted,
            "what it only warns of"
        );
    }
}
