//! Compiles the crates that a single file links, as files of rustc's own tests do: each is a file too, and is
//! compiled once, before the file that links it.
//!
//! The linked crates lie where cargo would compile them, with their calls beside them, so that they can
//! become modules of what is reduced as those of a package can.

use super::file_call::{args_of, environment_of};
use crate::compiler::capture::Record;
use crate::compiler::target::{FileInput, LinkedFile};
use crate::compiler::unit::calls;
use crate::error::OracleError;
use crate::offer::Offer;
use crate::search::context::BaselineContext;
use crate::system::files;
use crate::system::process::{Ending, Outcome};
use crate::text::output::tail;
use crate::text::shell::shell_line;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// Compiles the crates that a file links. Returns the arguments with which the file finds them.
pub(super) fn compile(
    input: &FileInput,
    context: &BaselineContext<'_>,
) -> Result<Vec<String>, OracleError> {
    if input.links.is_empty() {
        return Ok(Vec::new());
    }
    let target = context
        .builds
        .join(format!("linked-{}", key(input, context)));
    let linking = Linking { context, target };
    linking.externs(input)
}

/// Returns a key for all that decides how the linked files are compiled, except for their texts: each is compiled in
/// each run.
fn key(input: &FileInput, context: &BaselineContext<'_>) -> String {
    let all = (
        &input.path,
        &input.links,
        &context.toolchain.compiler.identity,
    );
    let json = serde_json::to_vec(&all).expect("strings and numbers have a JSON form");
    blake3::hash(&json).to_hex()[..16].to_owned()
}

struct Linking<'a> {
    context: &'a BaselineContext<'a>,
    /// The directory of all crates that the file links, directly or not.
    target: Utf8PathBuf,
}

impl Linking<'_> {
    /// Compiles the crates that a file links, and returns the arguments by which the compiler finds them.
    fn externs(&self, input: &FileInput) -> Result<Vec<String>, OracleError> {
        let mut args = Vec::new();
        for link in &input.links {
            args.push(format!(
                "--extern={}={}",
                link.extern_name,
                self.made(link)?
            ));
        }
        if !args.is_empty() {
            args.push(format!("-Ldependency={}", self.target));
        }
        Ok(args)
    }

    /// Compiles a linked file, and returns the path of the compiled crate.
    fn made(&self, link: &LinkedFile) -> Result<Utf8PathBuf, OracleError> {
        let args = self.args(link)?;
        (self.context.note)(&format!("compiling `{}`", link.file.path));
        let out = self.context.scratch.join("linked");
        files::make_empty(&out)?;
        let env = environment_of(&link.file, &[], self.context);
        let context = self.context;
        let (program, dir) = (&context.toolchain.compiler.path, &context.user.cwd);
        let outcome = context.compile(program, (&with_output(&args, &out), &env), dir)?;
        if outcome.ending != Ending::Exited(0) {
            return Err(self.refused(&link.file, &args, &outcome));
        }
        let place = self.put(&out)?;
        self.keep(with_output(&args, &self.target), env)?;
        Ok(place)
    }

    fn args(&self, link: &LinkedFile) -> Result<Vec<String>, OracleError> {
        let mut args = args_of(&link.file, self.context)?;
        args.push(format!("--crate-name={}", link.crate_name));
        let own: &[&str] = match link.is_proc_macro {
            true => &["--crate-type=proc-macro", "--extern=proc_macro"],
            false => &["--crate-type=lib"],
        };
        args.extend(own.iter().map(|arg| (*arg).to_owned()));
        args.extend(self.externs(&link.file)?);
        args.push(link.file.path.to_string());
        Ok(args)
    }

    /// Moves a compiled crate to its place, where another job may link it: a file that is the same stays.
    fn put(&self, out: &Utf8Path) -> Result<Utf8PathBuf, OracleError> {
        let made = files::entries(out)?.into_iter().next();
        let made = made
            .expect("a compiler that succeeds has made a file")
            .into_path();
        let name = made.file_name().expect("it is a file");
        let place = self.target.join(name);
        let bytes = |path: &Utf8Path| std::fs::read(path).ok();
        if bytes(&made) != bytes(&place) {
            files::make_dir(&self.target)?;
            files::put(&place, |part| files::copy(&made, part).map(drop))?;
        }
        Ok(place)
    }

    /// Stores the call that compiled a linked file, as the compiler calls of cargo are stored.
    fn keep(&self, args: Vec<String>, env: BTreeMap<String, String>) -> Result<(), OracleError> {
        let record = Record {
            program: self.context.toolchain.compiler.path.to_string(),
            args,
            env,
            cwd: self.context.user.cwd.clone(),
            code: Some(0),
            signal: None,
            timed_out: false,
            wrappers: vec![],
        };
        calls::keep(&record, &self.target, &self.context.snapshot())
    }

    fn refused(&self, file: &FileInput, args: &[String], outcome: &Outcome) -> OracleError {
        if outcome.ending == Ending::Cancelled {
            return OracleError::Cancelled;
        }
        let crashes = outcome.ending != Ending::Exited(1);
        let words = || vec!["--ice".to_owned(), file.path.to_string()];
        let instead = crashes.then(|| Offer {
            what: format!("a crash for `{}`", file.path),
            words: words(),
        });
        OracleError::NotCompiled {
            wanted: self.context.wanted.words.clone(),
            command: shell_line(&BTreeMap::new(), "rustc", args),
            crashes,
            output: tail(&outcome.stderr),
            instead: instead.into_iter().collect(),
        }
    }
}

fn with_output(args: &[String], out: &Utf8Path) -> Vec<String> {
    let out = format!("--out-dir={out}");
    args.iter().cloned().chain([out]).collect()
}
