//! A search as it is seen from outside: it proposes candidates and takes verdicts.

/// The name of a proposed candidate, by which its verdict is handed back. Later candidates have
/// greater tickets; a ticket is never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub(crate) u64);

impl Ticket {
    /// Returns the number of the ticket in its search.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

/// A search that proposes candidates and takes verdicts, several of them outstanding.
///
/// The accepted candidates and their order depend on the verdicts alone: neither on the number of
/// candidates that are outstanding nor on the order in which their verdicts arrive.
///
/// ```
/// use reduce_algorithms::{Ddmin, Search};
///
/// let mut search = Ddmin::new(4);
/// let (first, keep_front) = search.propose().expect("a list of four can be split");
/// let (second, keep_back) = search.propose().expect("it has a second half");
/// assert_eq!(keep_front.kept().collect::<Vec<_>>(), [0, 1]);
/// assert_eq!(keep_back.kept().collect::<Vec<_>>(), [2, 3]);
///
/// // The second half is interesting, but it is accepted only once the first is known to fail.
/// assert!(search.answer(second, true).accepted.is_none());
/// let answered = search.answer(first, false);
/// assert_eq!(answered.accepted.expect("the first in order").ticket, second);
/// ```
pub trait Search {
    /// The type of the candidates that are tested.
    type Candidate;

    /// Proposes the next candidate, on the assumption that all outstanding ones fail. `None`: there
    /// is nothing to propose until a verdict comes, or the search [is done](Search::is_done).
    fn propose(&mut self) -> Option<(Ticket, Self::Candidate)>;

    /// Takes the verdict on a proposed candidate. The verdict of a void ticket, or a second one for
    /// a ticket, is ignored.
    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate>;

    /// Takes the verdict on a proposed candidate that was known without a test. To most searches it
    /// is a verdict like others.
    fn answer_free(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate> {
        self.answer(ticket, interesting)
    }

    /// Whether every verdict is used, also those of candidates that were proposed before one was accepted and come after it.
    fn uses_all_verdicts(&self) -> bool {
        false
    }

    /// Whether nothing is outstanding and nothing will be proposed again.
    fn is_done(&self) -> bool;
}

impl<S: Search + ?Sized> Search for Box<S> {
    type Candidate = S::Candidate;

    fn propose(&mut self) -> Option<(Ticket, Self::Candidate)> {
        (**self).propose()
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate> {
        (**self).answer(ticket, interesting)
    }

    fn answer_free(&mut self, ticket: Ticket, interesting: bool) -> Answered<Self::Candidate> {
        (**self).answer_free(ticket, interesting)
    }

    fn uses_all_verdicts(&self) -> bool {
        (**self).uses_all_verdicts()
    }

    fn is_done(&self) -> bool {
        (**self).is_done()
    }
}

/// The effect of a verdict on a search: a candidate that it accepts, and tickets that no longer
/// matter.
#[derive(Debug, Clone)]
pub struct Answered<C> {
    /// The candidate that is now accepted; later candidates are made on top of it. It may be another
    /// one than was answered for: an interesting candidate waits for those before it.
    pub accepted: Option<Accepted<C>>,
    /// Tickets whose verdict no longer matters, in ascending order. The queries of those that have none
    /// may be cancelled. Their candidates may be proposed again, under another ticket. Of a search that uses
    /// all verdicts, some of them may have a verdict already.
    pub void: Vec<Ticket>,
}

/// An accepted candidate.
#[derive(Debug, Clone)]
pub struct Accepted<C> {
    /// The ticket under which the accepted candidate was proposed.
    pub ticket: Ticket,
    /// The accepted candidate: the state on which the search goes on.
    pub candidate: C,
}

/// Runs a search to its end, one candidate at a time, and returns the last accepted candidate;
/// `None` if none was interesting.
///
/// ```
/// use reduce_algorithms::{Ddmin, minimize};
///
/// let reduced = minimize(&mut Ddmin::new(100), |subset| {
///     let kept: Vec<usize> = subset.kept().collect();
///     kept.contains(&17) && kept.contains(&80)
/// });
/// assert_eq!(reduced.expect("less is needed").kept().collect::<Vec<_>>(), [17, 80]);
/// ```
pub fn minimize<S: Search + ?Sized>(
    search: &mut S,
    mut is_interesting: impl FnMut(&S::Candidate) -> bool,
) -> Option<S::Candidate> {
    let mut best = None;
    while let Some((ticket, candidate)) = search.propose() {
        let interesting = is_interesting(&candidate);
        if let Some(accepted) = search.answer(ticket, interesting).accepted {
            best = Some(accepted.candidate);
        }
    }
    best
}
