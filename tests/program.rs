//! The tests of the whole program. They are one target: each target compiles `support` and links anew, and cargo runs one
//! target after the other, so that one core is idle while the last test of each runs.
//!
//! See docs/decisions/tests-and-gate.md.

mod bad_input;
mod candidate_log;
mod capture;
mod captured;
mod carving;
mod commands;
mod compiler;
mod crates;
mod daemon;
mod directives;
mod endless;
mod failing;
mod faults;
mod flaky;
mod good;
mod hostile;
mod ice;
mod in_package;
mod incremental;
mod jobs;
mod launcher;
mod lifecycle;
mod live_view;
mod miscompile;
mod mutation_guard;
mod named_tests;
mod passes;
mod plain_tests;
mod properties;
mod regression;
mod remote_client;
mod scaffolding;
mod shell;
mod stability;
mod started;
mod support;
mod targets;
mod texts;
mod triage;
mod unit_tests;
mod watching;
mod whole;
