//! The wrapper that cargo calls in each build: `build.rustc-wrapper`. On the good path it costs a few
//! milliseconds (docs/decisions/captured-crashes.md), and whatever goes wrong with it, the build goes on.

use super::background;
use super::crash::{Crash, signature};
use super::good::GoodCalls;
use super::inputs::kept_variables;
use super::invocation::{Compilation, Invocation};
use super::settings::{WRAPPER, WrapperPlace};
use super::store::Kept;
use crate::compiler::capture::{OF_BUILD_SCRIPTS, end_like};
use crate::system::process::stand_in::{Passed, become_program, pass_on};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

/// The status of a compiler that has compiled what it was asked to.
const GOOD_STATUS: i32 = 0;

/// Whether this process was started as the wrapper that cargo calls, by the name by which it was called.
#[must_use]
pub fn is_requested(called_as: Option<&OsStr>) -> bool {
    called_as.and_then(|path| Path::new(path).file_name()) == Some(OsStr::new(WRAPPER))
}

/// Acts as the compiler wrapper: calls the compiler for cargo, and keeps a crash or a good call. To be called first thing
/// in `main` where [`is_requested`]. `tokens` is a digest of the tokens of a text.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "a wrapper stands where a compiler would, with its environment"
)]
pub fn main(tokens: fn(&str) -> [u8; 32]) -> ExitCode {
    let began = SystemTime::now();
    let mut words = std::env::args_os();
    let place = place(words.next(), std::env::current_exe().ok());
    let settings = place.as_ref().and_then(|place| place.settings().ok());
    let chained = settings
        .as_ref()
        .and_then(|settings| settings.chained.as_deref());
    let Some(invocation) = Invocation::new(words.collect(), chained) else {
        return say("error: a compiler wrapper needs the name of a compiler");
    };
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = Utf8PathBuf::from_path_buf(cwd).unwrap_or_default();
    let is_of_build_script = std::env::var_os(OF_BUILD_SCRIPTS).is_some();
    let compilation = invocation.compilation(&cwd).filter(|_| !is_of_build_script);
    // Whoever builds with another user's rights, such as root, leaves nothing in the home of that user.
    let is_ours = place.as_ref().is_some_and(WrapperPlace::is_ours);
    let told = settings.as_ref().filter(|_| is_ours);
    let told = told.and_then(|told| Some((told, told.home.as_deref()?)));
    let (Some(call), Some((told, home)), false) =
        (compilation, told, std::io::stderr().is_terminal())
    else {
        let error = become_program(invocation.first(), &invocation.rest());
        return failed(&invocation, &error);
    };
    match pass_on(invocation.first(), &invocation.rest()) {
        Ok(passed) => {
            let vars = std::env::vars_os().filter_map(|(name, value)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            });
            let after = After {
                call: &call,
                env: vars.collect(),
                began,
                home,
                limit_bytes: told.limit_bytes,
                tokens,
                reduces_with: place
                    .as_ref()
                    .filter(|_| told.auto)
                    .map(WrapperPlace::program),
            };
            keep_quietly(&after, &passed);
            end_like(passed.status)
        }
        Err(error) => failed(&invocation, &error),
    }
}

/// Returns the wrapper's own place: by the name by which it was called, or by its executable.
fn place(
    called_as: Option<OsString>,
    executable: Option<std::path::PathBuf>,
) -> Option<WrapperPlace> {
    let named = called_as
        .map(std::path::PathBuf::from)
        .filter(|path| path.is_absolute());
    let path = Utf8PathBuf::from_path_buf(named.or(executable)?).ok()?;
    WrapperPlace::of_wrapper(&path)
}

fn failed(invocation: &Invocation, error: &std::io::Error) -> ExitCode {
    let program = invocation.first().display();
    say(&format!("error: failed to run `{program}`: {error}"))
}

fn say(line: &str) -> ExitCode {
    // Whoever does not read it does not miss it.
    let _unread = writeln!(std::io::stderr(), "{line}");
    ExitCode::FAILURE
}

/// A compiler call that has ended.
struct After<'a> {
    call: &'a Compilation,
    env: BTreeMap<String, String>,
    began: SystemTime,
    home: &'a Utf8Path,
    limit_bytes: u64,
    tokens: fn(&str) -> [u8; 32],
    /// The executable that reduces kept crashes in the background, if the user wants that.
    reduces_with: Option<Utf8PathBuf>,
}

/// Keeps a crash or a good call. Whatever goes wrong here, the call has ended as it has.
fn keep_quietly(after: &After<'_>, passed: &Passed) {
    std::panic::set_hook(Box::new(|_| {}));
    reduce_platform::processes::make_files_private();
    let kept = std::panic::catch_unwind(|| after.keep(passed));
    let news = background::news(after.home);
    for line in kept.ok().flatten().into_iter().chain(news) {
        let _told = say(&line);
    }
}

impl After<'_> {
    /// Keeps a call that crashed or succeeded, and returns the message for the user about it, if there is one.
    fn keep(&self, passed: &Passed) -> Option<String> {
        if passed.status.code() == Some(GOOD_STATUS) {
            let good = GoodCalls::in_home(self.home);
            let _kept = good.keep(self.call, kept_variables(&self.env, &[]), self.began);
            return None;
        }
        let crash = Crash {
            call: self.call,
            env: &self.env,
            began: self.began,
            signature: signature(passed)?,
            stderr: &passed.stderr,
            tokens: self.tokens,
        };
        let kept = crash.keep(self.home, self.limit_bytes);
        if let (Ok(kept), Some(executable)) = (&kept, &self.reduces_with) {
            let (number, is_new) = match kept {
                Kept::Now(number, _) | Kept::Anew(number, _) => (*number, true),
                Kept::Already(number) => (*number, false),
            };
            if is_new || !background::is_known(number, self.home) {
                background::reduce(number, self.home, executable, &self.env);
            }
        }
        Some(match kept {
            Ok(kept) => told(&kept),
            Err(error) => format!(
                "cargo reduce: this crash could not be kept: {}",
                with_causes(&error)
            ),
        })
    }
}

/// Returns the message that tells the user of a kept crash.
fn told(kept: &Kept) -> String {
    let (number, is_kept, deleted) = match kept {
        Kept::Now(number, deleted) => (number, format!("was kept as #{number}"), &deleted[..]),
        Kept::Anew(number, deleted) => {
            let is_kept = format!("is kept as #{number}, with its new sources");
            (number, is_kept, &deleted[..])
        }
        Kept::Already(number) => (number, format!("is kept as #{number} already"), &[][..]),
    };
    let deleted: Vec<String> = deleted.iter().map(|one| format!("#{one}")).collect();
    let room = match deleted.as_slice() {
        [] => String::new(),
        deleted => format!(" ({} was deleted to make room)", deleted.join(", ")),
    };
    format!(
        "cargo reduce: this crash {is_kept}{room}; reduce it with cargo reduce --captured {number}"
    )
}

/// Returns an error with its causes, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}
