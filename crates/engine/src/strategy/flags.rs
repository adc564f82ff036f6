//! Flags of the compiler call that the crash does not need, and differences between the flags of two calls.

use crate::candidate::{Candidate, CompileOptions};
use crate::failure::Failure;
use crate::propose::Methods;
use crate::propose::Proposals;
use crate::propose::Together;
use crate::request::Stage;
use crate::session::Session;
use crate::session::run_wide;
use reduce_algorithms::{Replacement, Tmin};
use std::sync::Arc;

/// Leaves out flags of the compiler call that the crash does not need. Flags that one of two calls has alone, both get
/// where the crash does not need the difference. Returns how many changes were made.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn delete_flags(
    session: &mut Session<'_>,
    methods: &Methods,
    _: u32,
) -> Result<u64, Failure> {
    let flags = &methods.flags;
    let all = (0..flags.groups).collect();
    let fewer = change_flags(session, methods, Change::LeftOut, all)?;
    let left_out = session.best().compile_options.left_out.clone();
    let is_there = |group: &Option<usize>| group.is_none_or(|group| !left_out.contains(&group));
    let of_one_call = flags.of_one_call.iter().enumerate();
    let differing = of_one_call.filter(|(_, group)| is_there(group));
    let differing = differing.map(|(idx, _)| idx).collect();
    Ok(fewer + change_flags(session, methods, Change::Shared, differing)?)
}

/// Makes one kind of change to as many of the flags as possible.
fn change_flags(
    session: &mut Session<'_>,
    methods: &Methods,
    change: Change,
    flags: Vec<usize>,
) -> Result<u64, Failure> {
    if flags.is_empty() {
        return Ok(0);
    }
    // There are a few, which seldom need each other: one question for each.
    let search = Tmin::new(vec![1; flags.len()]);
    let fewer = FewerFlags {
        base: session.best().clone(),
        change,
        flags,
        changed: Arc::default(),
    };
    session.in_chosen_stage(methods, Stage::DeleteFlags, 1, |session| {
        run_wide(session, search, fewer)
    })
}

/// The kind of change that is made to flags of the compiler call.
#[derive(Debug, Clone, Copy)]
enum Change {
    LeftOut,
    /// Both calls get the flag.
    Shared,
}

impl Change {
    fn of(self, compile_options: &mut CompileOptions) -> &mut Arc<Vec<usize>> {
        match self {
            Self::LeftOut => &mut compile_options.left_out,
            Self::Shared => &mut compile_options.shared,
        }
    }
}

struct FewerFlags {
    base: Candidate,
    change: Change,
    flags: Vec<usize>,
    changed: Arc<Vec<usize>>,
}

impl Together<Replacement> for FewerFlags {
    fn together(&self, proposals: &[Replacement]) -> Candidate {
        let mut changed = self.changed.to_vec();
        changed.extend(proposals.iter().map(|one| self.flags[one.element]));
        changed.sort_unstable();
        let mut candidate = self.base.clone();
        *self.change.of(&mut candidate.compile_options) = Arc::new(changed);
        candidate
    }

    fn accepted_together(&mut self, _proposals: &[Replacement], program: &Candidate) {
        let mut compile_options = program.compile_options.clone();
        self.changed = self.change.of(&mut compile_options).clone();
    }
}

impl Proposals<Replacement> for FewerFlags {
    fn candidate(&self, proposal: &Replacement) -> Candidate {
        self.together(std::slice::from_ref(proposal))
    }

    fn kind(&self, _proposal: &Replacement) -> &'static str {
        match self.change {
            Change::LeftOut => "flag",
            Change::Shared => "flag of one call",
        }
    }

    fn accepted(&mut self, proposal: &Replacement, program: &Candidate) {
        self.accepted_together(std::slice::from_ref(proposal), program);
    }
}
