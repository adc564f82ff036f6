//! Finds the values of a program that come from the code under test: from other crates than the standard library's (taint
//! analysis: Denning and Denning, Certification of Programs for Secure Information Flow, 1977). In a failing test these are the
//! values that the code under test gives: what it returns, and what it passes to functions and closures of the test.
//!
//! What is clean is clean for certain, as far as names tell; what is tainted may be clean.
//!
//! - `sources` finds where other crates are named.
//! - `flows` says from where to where values go.
//!
//! See docs/decisions/values-in-runs.md.

mod flows;
mod sources;

use crate::program::{Place, Program};
use flows::{Flow, flows};
use reduce_model::Position;
use sources::Sources;
pub(crate) use sources::is_of_program;
use std::collections::BTreeSet;

/// The places of a program at which values of other crates are mentioned.
pub(crate) struct Taint {
    mentions: BTreeSet<Position>,
}

/// Returns the positions at which a program names other crates than the standard library's.
pub(crate) fn sources(program: &Program) -> BTreeSet<Position> {
    Sources::of(program).mentions()
}

impl Taint {
    /// Finds the tainted values of a program.
    pub(crate) fn of(program: &Program) -> Self {
        let mut taint = Self {
            mentions: sources(program),
        };
        let mut open = flows(program);
        loop {
            let (taken, left): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|flow| taint.enters(flow));
            if taken.is_empty() {
                return taint;
            }
            taint
                .mentions
                .extend(taken.into_iter().flat_map(|flow| flow.to));
            open = left;
        }
    }

    /// Makes the taint of a program in which no value comes from other crates.
    pub(crate) fn none() -> Self {
        Self {
            mentions: BTreeSet::new(),
        }
    }

    /// Whether the value of the code at a place may come from another crate.
    pub(crate) fn is_in(&self, place: &Place) -> bool {
        let mut within = self.mentions.range(place.start()..place.end());
        within.next().is_some()
    }

    fn enters(&self, flow: &Flow) -> bool {
        flow.from.iter().any(|place| self.is_in(place))
    }
}

#[cfg(test)]
mod tests;
