//! Limits the time that the processes of a query may run, and notes the time that they ran.

use super::query::Query;
use crate::check::{CompilerTime, Execution};
use crate::system::budget::{ProcessBudget, TimeBudget, TimeSpent};
use crate::system::process::{Bounds, GroupTime, Outcome};
use std::time::Duration;

/// The factor from the user's own deadline to the CPU time of one process, whose threads run side by side.
const CPU_FACTOR: u32 = 4;
/// The factor by which a compiler whose CPU time is looked for may take more wall time.
const WALL_FACTOR: u32 = 10;
/// The number of descriptors that a process of a query may have.
const OPEN_FILES: u64 = 4096;

/// The wall time that a run may take, with the CPU time and the sleep that end it before.
struct Allowed {
    wall: Duration,
    cpu: Option<Duration>,
    asleep: Option<Duration>,
}

impl Query<'_> {
    /// Notes the time that a run of the compiler, or of a command in its place, has used.
    pub(super) fn note_compiled(&mut self, outcome: &Outcome) {
        self.note(TimeSpent {
            compiling: outcome.cpu,
            asleep: outcome.asleep,
            ..TimeSpent::default()
        });
    }

    /// Notes the time that a run of the compiled program has used.
    pub(super) fn note_executed(&mut self, outcome: &Outcome) {
        self.note(TimeSpent {
            running: outcome.cpu,
            asleep: outcome.asleep,
            ..TimeSpent::default()
        });
    }

    pub(super) fn note(&mut self, spent: TimeSpent) {
        self.spent = self.spent.max(spent);
    }

    /// Returns the limits for a run of the compiler, or of a command in its place.
    pub(super) fn bounds(&self) -> Bounds {
        let plan = self.plan;
        let usual = match plan.run_policy.check.command().is_some() {
            true => self.allowed(plan.run_policy.limits.longest, TimeBudget::of_compiler),
            false => self.allowed(
                plan.run_policy.limits.longest_compilation(),
                TimeBudget::of_compiler,
            ),
        };
        let allowed = match plan.run_policy.check.compiler_time() {
            CompilerTime::Usual => usual,
            CompilerTime::Wall(time) => Allowed::wall_alone(time),
            CompilerTime::Cpu(most) => Allowed {
                wall: usual.wall.max(most * WALL_FACTOR),
                cpu: Some(most),
                ..usual
            },
        };
        self.within(&allowed)
    }

    /// Returns the limits for a run of the compiled program.
    pub(super) fn bounds_of_program(&self, execution: &Execution) -> Bounds {
        let limits = &self.plan.run_policy.limits;
        let usual = || self.allowed(limits.longest, TimeBudget::of_program);
        let allowed = match execution.hangs_after {
            Some(time) => Allowed::wall_alone(time),
            None => usual(),
        };
        Bounds {
            // A limit of the user is a bound for the whole query, and may be less than a timer's tick.
            own_cpu: allowed.cpu.filter(|_| limits.deadline.is_none()),
            ..self.within(&allowed)
        }
    }

    /// Returns the wall time and CPU time that the user allows, or else the expectation. While nothing is
    /// known yet, `unknown` is the wall time.
    fn allowed(&self, unknown: Duration, of: impl Fn(&TimeBudget) -> ProcessBudget) -> Allowed {
        let limits = &self.plan.run_policy.limits;
        if let Some(deadline) = limits.deadline {
            return Allowed {
                cpu: Some(deadline * CPU_FACTOR),
                ..Allowed::wall_alone(deadline)
            };
        }
        match limits.usual {
            None => Allowed::wall_alone(unknown),
            Some(usual) => {
                let budget = self.expectation.budget(usual);
                let of_process = of(&budget);
                Allowed {
                    wall: of_process.wall,
                    cpu: Some(of_process.cpu),
                    asleep: Some(of_process.asleep),
                }
            }
        }
    }

    fn within(&self, allowed: &Allowed) -> Bounds {
        Bounds {
            deadline: Some(allowed.wall),
            cpu: allowed.cpu,
            own_cpu: None,
            // Without a bound too, it is measured how long the processes sleep.
            group: Some(GroupTime {
                cpu: allowed.cpu.filter(|_| allowed.asleep.is_some()),
                asleep: allowed.asleep,
            }),
            processes: self.place.most_processes,
            memory_bytes: Some(self.plan.memory_bytes()),
            file_bytes: Some(self.plan.run_policy.limits.file_bytes),
            open_files: Some(OPEN_FILES),
            output_bytes: self.plan.run_policy.limits.output_bytes,
        }
    }
}

impl Allowed {
    fn wall_alone(wall: Duration) -> Self {
        Self {
            wall,
            cpu: None,
            asleep: None,
        }
    }
}
