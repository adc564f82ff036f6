//! Tests of whole reductions that take long and go the same ways as others in `tests`. `cargo test`
//! leaves this target out; `.ci/run --slow` runs it.
//!
//! See docs/decisions/tests-and-gate.md.

mod support;

#[path = "slow/commands.rs"]
mod commands;
#[path = "slow/compilers.rs"]
mod compilers;
#[path = "slow/crates.rs"]
mod crates;
#[path = "slow/failing.rs"]
mod failing;
#[path = "slow/good.rs"]
mod good;
#[path = "slow/hostile.rs"]
mod hostile;
#[path = "slow/ice.rs"]
mod ice;
#[path = "slow/jobs.rs"]
mod jobs;
#[path = "slow/kills.rs"]
mod kills;
#[path = "slow/launcher.rs"]
mod launcher;
#[path = "slow/new_syntax.rs"]
mod new_syntax;
#[path = "slow/properties.rs"]
mod properties;
#[path = "slow/suspended.rs"]
mod suspended;
#[path = "slow/targets.rs"]
mod targets;
#[path = "slow/whole.rs"]
mod whole;
