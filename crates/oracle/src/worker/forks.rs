//! Starts a program once and forks it for each of several runs that differ in a variable, on the systems where that can be.
//!
//! Most of a short run is the start of its process: the sandbox, loading the program and its libraries, linking them. A run
//! by a fork is believed where it has the expected outcome; another one is looked at again with a process of its own (see
//! `check::variants`).
//!
//! See docs/decisions/queries.md.

use super::query::Query;
use crate::check::Execution;
use crate::error::OracleError;
use crate::system::process::{Outcome, Preload, Server, Stops};

impl Query<'_> {
    /// Starts the compiled program for runs with these settings, in place of one that is there already. Returns whether it
    /// stands ready to be forked.
    pub(super) fn start_program(
        &mut self,
        execution: &Execution,
        settings: &[String],
    ) -> Result<bool, OracleError> {
        self.forked = None;
        let Some(forks) = self.forks.as_deref().filter(|forks| !forks.is_declined) else {
            return Ok(false);
        };
        // Only what is linked dynamically is sure to be preloaded, and to stop; a program with an input is started by another.
        let is_loaded = execution.links_dynamically && execution.input.is_none();
        let is_one_line = |setting: &String| !setting.contains('\n');
        let is_preloaded = execution.env.contains_key("LD_PRELOAD");
        if !is_loaded || is_preloaded || !settings.iter().all(is_one_line) {
            return Ok(false);
        }
        let library = forks.library.clone();
        let started = self.with_program(execution, |query, invocation| {
            let confinement = query.place.confined.program.confinement()?;
            let is_allowed = confinement.is_none_or(|confinement| confinement.allows_forks());
            let (Ok(program), true) = (invocation.program.canonicalize_utf8(), is_allowed) else {
                return Ok(None);
            };
            let preload = Preload {
                library: &library,
                program: &program,
                stops: Stops::BeforeMain { settings },
            };
            Server::start(&invocation.confined(confinement), preload, query.cancel)
        })?;
        self.forked = started;
        if self.forked.is_none()
            && !self.cancel.is_cancelled()
            && let Some(forks) = &mut self.forks
        {
            forks.is_declined = true;
        }
        Ok(self.forked.is_some())
    }

    /// Runs the program that stands ready with the setting of this number. `None` where there is none, or it does not answer:
    /// then it is not asked any more.
    pub(super) fn fork_program(
        &mut self,
        execution: &Execution,
        setting: usize,
    ) -> Result<Option<Outcome>, OracleError> {
        let Some(mut server) = self.forked.take() else {
            return Ok(None);
        };
        let ran = self.with_program(execution, |query, invocation| {
            let confinement = query.place.confined.program.confinement()?;
            server.run_with(&invocation.confined(confinement), setting, query.cancel)
        })?;
        self.forked = ran.is_some().then_some(server);
        Ok(ran)
    }
}
