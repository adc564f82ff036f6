//! Runs searches with several candidates outstanding and verdicts in random order.

use reduce_algorithms::{Search, Ticket};
use std::collections::BTreeSet;

/// A SplitMix64 generator: the same numbers on every machine.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^ (state >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A record of a search.
#[derive(Debug)]
pub(crate) struct Run<C> {
    /// All candidates in the order in which they were proposed, with their verdicts.
    pub(crate) tested: Vec<(C, bool)>,
    /// The accepted ones.
    pub(crate) accepted: Vec<C>,
}

/// Runs a search to its end, one candidate at a time. `is_interesting` has the accepted ones too.
pub(crate) fn run<S: Search + ?Sized>(
    search: &mut S,
    mut is_interesting: impl FnMut(&[S::Candidate], &S::Candidate) -> bool,
) -> Run<S::Candidate>
where
    S::Candidate: Clone,
{
    let mut run = Run {
        tested: vec![],
        accepted: vec![],
    };
    while let Some((ticket, candidate)) = search.propose() {
        assert!(!search.is_done());
        let interesting = is_interesting(&run.accepted, &candidate);
        run.tested.push((candidate, interesting));
        let answered = search.answer(ticket, interesting);
        assert!(answered.void.is_empty());
        assert_eq!(answered.accepted.is_some(), interesting);
        run.accepted
            .extend(answered.accepted.map(|accepted| accepted.candidate));
    }
    assert!(search.is_done());
    run
}

/// Runs a search with up to `width` candidates outstanding, whose verdicts arrive in random order,
/// and returns the accepted candidates.
pub(crate) fn run_wide<S: Search + ?Sized>(
    search: &mut S,
    width: usize,
    random: &mut Random,
    mut is_interesting: impl FnMut(&[S::Candidate], &S::Candidate) -> bool,
) -> Vec<S::Candidate> {
    let mut outstanding: Vec<(Ticket, S::Candidate)> = vec![];
    let mut proposed = BTreeSet::new();
    let mut accepted = vec![];
    loop {
        while outstanding.len() < width
            && let Some(one) = search.propose()
        {
            proposed.insert(one.0);
            outstanding.push(one);
        }
        if outstanding.is_empty() {
            assert!(search.is_done());
            return accepted;
        }
        let (ticket, candidate) = outstanding.swap_remove(random.below(outstanding.len()));
        let answered = search.answer(ticket, is_interesting(&accepted, &candidate));
        let void: BTreeSet<Ticket> = answered.void.into_iter().collect();
        assert!(void.iter().all(|void| proposed.contains(void)));
        outstanding.retain(|(ticket, _)| !void.contains(ticket));
        accepted.extend(answered.accepted.map(|accepted| accepted.candidate));
    }
}
