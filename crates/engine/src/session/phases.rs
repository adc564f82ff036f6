//! What the parts of a search have brought and cost, one after the other.

use super::Session;
use crate::figures::Phase;

/// Where the current phase began.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Begin {
    queries: u64,
    steps: u64,
    seconds: f64,
}

impl Session<'_> {
    /// Ends a phase, and with it begins the next. One of a name that was there before is added to it.
    pub(crate) fn end_phase(&mut self, name: &'static str) {
        if self.is_on_detour {
            return;
        }
        let now = Begin {
            queries: self.figures.queries,
            steps: self.figures.steps,
            seconds: self.tools.started.elapsed().as_secs_f64(),
        };
        let begin = std::mem::replace(&mut self.phase, now);
        let idx = self.phases.iter().position(|phase| phase.phase == name);
        let idx = idx.unwrap_or_else(|| {
            self.phases.push(Phase {
                phase: name.to_owned(),
                ..Phase::default()
            });
            self.phases.len() - 1
        });
        let phase = &mut self.phases[idx];
        phase.tokens_after = self.best_size.tokens;
        phase.queries += now.queries - begin.queries;
        phase.steps += now.steps.saturating_sub(begin.steps);
        phase.seconds += now.seconds - begin.seconds;
    }

    pub(crate) fn phases(&self) -> &[Phase] {
        &self.phases
    }
}
