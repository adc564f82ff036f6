//! The key that opens the best program so far in the user's editor. The job is paused meanwhile, so that nobody but the user
//! changes the file. What was saved is tried once it goes on, as each edit of the result is.

use crate::context::Context;
use crate::display::Display;
use camino::Utf8PathBuf;
use reduce_engine::edit_in_terminal;
use std::io::Error;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};

/// The longest time for which an editor that was asked for is not opened because queries are under way. A candidate whose
/// query takes longer may still be accepted, and an editor that notices such a change says so.
const PATIENCE: Duration = Duration::from_secs(2);
/// Variables that name the editor, in the order in which they count.
const VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];
/// The editor where no variable names one.
const USUAL_EDITOR: &str = "vi";

/// The user's editor, and whether it is closed, wanted or open.
#[derive(Debug)]
pub(super) struct Editing {
    program: String,
    args: Vec<String>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Closed,
    /// The editor is to open for this file as soon as no query of the job is under way.
    Wanted {
        file: Utf8PathBuf,
        since: Instant,
    },
    Open(JoinHandle<Result<ExitStatus, Error>>),
}

impl Editing {
    /// Makes the state of a closed editor, which is the one that the user's variables name.
    pub(super) fn new(context: &Context) -> Self {
        let named = VARIABLES.iter().filter_map(|name| context.vars.get(*name));
        let words = named.filter_map(|value| shlex::split(value));
        let mut words = words.filter(|words| !words.is_empty());
        let mut words = words.next().unwrap_or_default().into_iter();
        Self {
            program: words.next().unwrap_or_else(|| USUAL_EDITOR.to_owned()),
            args: words.collect(),
            stage: Stage::Closed,
        }
    }

    /// Returns whether the editor is open, and so has the terminal.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }

    /// Returns whether the editor is neither open nor asked for.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    /// Notes that the user wants to edit this file, as soon as the job is paused.
    pub(super) fn want(&mut self, file: Utf8PathBuf) {
        let since = Instant::now();
        self.stage = Stage::Wanted { file, since };
    }

    /// Opens the editor if the user wants it and no query of the job is under way, or has waited for long enough.
    pub(super) fn open_if_due(&mut self, display: &mut Display) {
        let Stage::Wanted { file, since } = &self.stage else {
            return;
        };
        let Some(live) = display.live() else {
            self.stage = Stage::Closed;
            return;
        };
        if !live.is_still() && since.elapsed() < PATIENCE {
            return;
        }
        live.lend();
        let (program, args, file) = (self.program.clone(), self.args.clone(), file.clone());
        let edit = move || edit_in_terminal(&program, &args, &file);
        self.stage = Stage::Open(spawn_blocking(edit));
    }

    /// Waits until the editor is closed, for ever if it is not open, and returns a message for the user. May be dropped
    /// and called again without loss.
    pub(super) async fn closed(&mut self) -> String {
        let Stage::Open(open) = &mut self.stage else {
            return std::future::pending().await;
        };
        let ended = open.await.map_err(Error::other);
        self.stage = Stage::Closed;
        match ended.and_then(|ended| ended) {
            Ok(status) if status.success() => "What you have saved is tried now.".to_owned(),
            Ok(status) => format!("The editor `{}` failed: {status}.", self.program),
            Err(error) => format!("The editor `{}` cannot be started: {error}.", self.program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn editor(vars: &[(&str, &str)]) -> (String, Vec<String>) {
        let vars = vars
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let editing = Editing::new(&Context {
            cwd: "/".into(),
            vars: BTreeMap::from_iter(vars),
            program: "/cargo-reduce".into(),
            user_home: None,
        });
        (editing.program, editing.args)
    }

    #[test]
    fn the_editor_is_the_one_that_variables_name() {
        let wait = ("code".to_owned(), vec!["--wait".to_owned()]);
        assert_eq!(
            editor(&[("EDITOR", "nano"), ("VISUAL", "code --wait")]),
            wait
        );
        assert_eq!(editor(&[("EDITOR", "nano"), ("VISUAL", "")]).0, "nano");
        assert_eq!(editor(&[]).0, "vi");
    }
}
