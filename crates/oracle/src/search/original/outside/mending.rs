//! Finds the flags that make a program fail in the sandbox as it does outside: variables that are passed on, or no
//! sandbox. They are found by trying, so that no name is a guess.

use super::{Seen, Trial, is_same};
use crate::error::OracleError;
use crate::search::context::environment;
use crate::search::original::target::Target;
use crate::system::sandbox::SandboxMode;

/// The largest number of environment variables that are tried one by one.
const MOST_VARIABLES: usize = 32;

impl Trial<'_> {
    /// Finds the fewest flags that make the program fail in the sandbox as it does outside; none where nothing helps.
    /// `wanted` is the failure that is seen outside.
    pub(super) fn mending_flags(&self, wanted: &Seen) -> Result<Vec<String>, OracleError> {
        let given = self.context.options.sandbox;
        let hidden = self.hidden_variables();
        let off = SandboxMode::Off;
        for (mode, names) in [(given, hidden.clone()), (off, vec![]), (off, hidden)] {
            if self.mends(mode, &names, wanted)? && self.mends(mode, &names, wanted)? {
                let names = self.fewest(mode, names, wanted)?;
                let off = (mode != given).then(|| "--sandbox off".to_owned());
                let names = names.iter().map(|name| format!("--env {name}"));
                return Ok(names.chain(off).collect());
            }
        }
        Ok(vec![])
    }

    /// Returns the user's variables that the program does not see.
    fn hidden_variables(&self) -> Vec<String> {
        let user = &self.context.user.vars;
        let there = &self.inside.execution.env;
        let mut names = environment::of_user_alone(user);
        names.retain(|name| there.get(name) != user.get(name) && !environment::is_place(name));
        names
    }

    /// Returns the fewest of these variables that are needed for the failure.
    fn fewest(
        &self,
        mode: SandboxMode,
        mut names: Vec<String>,
        wanted: &Seen,
    ) -> Result<Vec<String>, OracleError> {
        let mentioned = self.mentioned(&names);
        if mentioned.len() < names.len() && self.mends(mode, &mentioned, wanted)? {
            names = mentioned;
        }
        if names.len() > MOST_VARIABLES {
            return Ok(names);
        }
        for name in names.clone() {
            let mut others = names.clone();
            others.retain(|one| *one != name);
            if self.mends(mode, &others, wanted)? {
                names = others;
            }
        }
        Ok(names)
    }

    /// Returns those of the variables whose names are somewhere in the program.
    fn mentioned(&self, names: &[String]) -> Vec<String> {
        let program = std::fs::read(&self.inside.executable).unwrap_or_default();
        let is_mentioned = |name: &&String| {
            let name = regex::bytes::Regex::new(&regex::escape(name));
            name.is_ok_and(|name| name.is_match(&program))
        };
        names.iter().filter(is_mentioned).cloned().collect()
    }

    /// Whether the program fails as it does outside, with these variables and this sandbox.
    fn mends(
        &self,
        mode: SandboxMode,
        names: &[String],
        wanted: &Seen,
    ) -> Result<bool, OracleError> {
        let known = self.context.options.env.as_slice();
        let target = Target {
            plan: self.inside.plan.in_sandbox(mode),
            execution: self
                .inside
                .with_variables(&[known, names].concat(), self.context),
            ..self.inside.clone()
        };
        Ok(is_same(&self.seen(&target)?, wanted))
    }
}
