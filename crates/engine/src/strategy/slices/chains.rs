//! Slices of what the compiler was making code of when it crashed: chains of callers, up to functions that it makes although
//! nothing calls them. A slice without a caller compiles, and one with all of them has most of a large crate.

use super::{ENDS, MOST_PRINTED, keeping_statements, try_in, without_unnamed_fields};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::Proposals;
use crate::propose::{Methods, Named};
use crate::session::Session;
use crate::session::run_search;
use reduce_algorithms::{List, Subset};
use reduce_model::{CallChains, Model, Relations, Seed, Spare};
use reduce_syntax::SourceTree;

/// Tries chains of callers, first the shortest one alone, then twice as many each time, and then leaves out all of those that
/// the crash does not need. Returns how many slices were accepted.
pub(super) fn keep_chains(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<u64, Failure> {
    if named.made.is_empty() || session.best().tree.count_tokens() > MOST_PRINTED {
        return Ok(0);
    }
    let lasting = Relations::of(session.program().model()).lasting(&named.made);
    let accepted = keep_shortest(session, methods, named)?;
    match accepted {
        0 => Ok(0),
        _ => Ok(accepted + keep_calls(session, &lasting)?),
    }
}

/// Tries to keep nothing of the callers but their calls, with what these need.
fn keep_calls(session: &mut Session<'_>, seeds: &[Seed]) -> Result<u64, Failure> {
    let names = session
        .tools
        .in_turn(|oracle, cancel| oracle.calls(session.best(), cancel))?;
    let (base, program) = (session.best().clone(), session.program());
    let chains = program.model().call_chains(&names, seeds);
    let left = ENDS.into_iter().filter_map(|end| {
        let edits = chains.as_ref()?.keep_calls(end)?;
        Some(base.with_tree(edits.apply(&base.tree)))
    });
    let slices = left.map(|left| {
        let names = session
            .tools
            .in_turn(|oracle, cancel| oracle.calls(&left, cancel))?;
        let model = Model::new(&left.tree);
        Ok(model.call_chains(&names, seeds).map(|chains| {
            let edits = chains.slice(0..chains.n_starts(), Spare::Nothing);
            without_unnamed_fields(edits.apply(&left.tree), &[])
        }))
    });
    let slices: Vec<Option<SourceTree>> = slices.collect::<Result<_, Failure>>()?;
    try_in(session, slices.into_iter().flatten().collect())
}

/// Tries to keep what the compiler was making with the shortest chains that lead there, and then of it the statements that the
/// compiler points at alone.
fn keep_shortest(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<u64, Failure> {
    let names = session
        .tools
        .in_turn(|oracle, cancel| oracle.calls(session.best(), cancel))?;
    let (base, program) = (session.best().clone(), session.program());
    let Some(chains) = program.model().call_chains(&names, &named.made) else {
        return Ok(0);
    };
    for spare in [Spare::Nothing, Spare::ImportsAndCalls] {
        let mut slices = ChainSlices::new(&base, &chains, spare);
        let mut accepted = slices.try_doubling(session)?;
        if accepted > 0 {
            accepted += slices.leave_out_starts(session, methods)?;
            let statements = slices.of_statements(program.model(), &named.pointed_at);
            return Ok(accepted + try_in(session, statements)?);
        }
    }
    Ok(0)
}

/// Slices of a program that keep some chains of callers, each known by the number of the function
/// at which it starts.
struct ChainSlices<'m> {
    base: &'m Candidate,
    chains: &'m CallChains<'m>,
    spare: Spare,
    /// The numbers of the chains that the accepted slice has.
    kept: Vec<usize>,
}

impl<'m> ChainSlices<'m> {
    fn new(base: &'m Candidate, chains: &'m CallChains<'m>, spare: Spare) -> Self {
        Self {
            base,
            chains,
            spare,
            kept: Vec::new(),
        }
    }

    /// Returns the accepted slice with only those statements in a body that the compiler points at, and what these
    /// need.
    fn of_statements(&self, model: &Model, pointed_at: &[Seed]) -> Vec<SourceTree> {
        let slice = self.chains.slice(self.kept.iter().copied(), self.spare);
        let slices = keeping_statements(model, pointed_at).filter_map(|mut edits| {
            edits.extend(&slice);
            (!edits.is_contradictory()).then(|| edits.apply(&self.base.tree))
        });
        slices.collect()
    }

    fn slice(&self, starts: impl IntoIterator<Item = usize>) -> Candidate {
        let edits = self.chains.slice(starts, self.spare);
        self.base.with_tree(edits.apply(&self.base.tree))
    }

    /// Tries slices with the first chain, with the first two, with the first four, and so on.
    fn try_doubling(&mut self, session: &mut Session<'_>) -> Result<u64, Failure> {
        let n_starts = self.chains.n_starts();
        let powers = std::iter::successors(Some(1), |n: &usize| n.checked_mul(2));
        let sizes = powers.take_while(|n| *n < n_starts).chain([n_starts]);
        for n_tried in sizes {
            let accepted = try_in(session, vec![self.slice(0..n_tried).tree])?;
            if accepted > 0 || session.is_cancelled() {
                self.kept = (0..n_tried).collect();
                return Ok(accepted);
            }
        }
        Ok(0)
    }

    /// Leaves out the chains that the crash does not need.
    fn leave_out_starts(
        &mut self,
        session: &mut Session<'_>,
        methods: &Methods,
    ) -> Result<u64, Failure> {
        if self.kept.len() < 2 {
            return Ok(0);
        }
        let search = methods.list_algorithm().search(List::new(self.kept.len()));
        run_search(session, search, self)
    }
}

impl Proposals<Subset> for ChainSlices<'_> {
    fn candidate(&self, proposal: &Subset) -> Candidate {
        self.slice(proposal.kept())
    }

    fn kind(&self, _proposal: &Subset) -> &'static str {
        "callers"
    }

    fn accepted(&mut self, proposal: &Subset, _program: &Candidate) {
        self.kept = proposal.kept().collect();
    }
}
