//! The search of a tree, which is made of many searches of lists and nodes one after the other.
//!
//! A search of a level begins when the one before is at its end and nothing is outstanding, as what
//! it works on depends on that. Its tickets are counted on from the last one.

use super::arena::Tree;
use super::change::TreeChange;
use super::inner::{Inner, ListSearch, prune_list, replace};
use super::known::Known;
use super::node::NodeId;
use super::options::TreeOptions;
use super::route::Route;
use super::task::Task;
use crate::search::{Accepted, Answered, Search, Ticket};
use crate::subset::Subset;
use std::fmt;

type StartListSearch = Box<dyn FnMut(&[NodeId], &[u64]) -> ListSearch + Send>;

/// Reduces a tree: see [the module](super) for the ways to do it.
///
/// The tree as a whole is taken to be interesting. What is accepted does not depend on how
/// many candidates are outstanding. A change that failed is not proposed again before another one is
/// accepted. Memory is in proportion to the tree; a proposal takes time in proportion to what the
/// list algorithm and the logarithm of the tree's size take, but for the first of a level, which
/// looks at all nodes of the level.
pub struct TreeSearch {
    tree: Tree,
    route: Route,
    list_search: StartListSearch,
    /// The search that is under way. `None`: all is done.
    active: Option<Active>,
    /// The next candidate to be proposed, made beforehand so that `is_done` knows whether there is
    /// one.
    ahead: Option<(Ticket, TreeChange)>,
    known: Known,
    next_ticket: u64,
}

struct Active {
    search: Inner,
    /// The ticket of the tree search that stands for ticket 0 of the search under way.
    base: u64,
}

impl TreeSearch {
    /// Makes a search of `tree`. `list_search` makes the search that prunes a list of nodes, given
    /// the nodes and the weights of their subtrees. None of the lists is empty.
    #[must_use]
    pub fn new<F>(tree: Tree, options: TreeOptions, list_search: F) -> Self
    where
        F: FnMut(&[NodeId], &[u64]) -> Box<dyn Search<Candidate = Subset> + Send> + Send + 'static,
    {
        let mut search = Self {
            route: Route::new(&tree, options),
            known: Known::new(tree.len()),
            tree,
            list_search: Box::new(list_search),
            active: None,
            ahead: None,
            next_ticket: 0,
        };
        search.start_next();
        search.look_ahead();
        search
    }

    /// Returns the tree with the accepted changes.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Makes the candidate that is proposed next, unless a verdict has to come first.
    fn look_ahead(&mut self) {
        while self.ahead.is_none()
            && let Some(active) = &mut self.active
        {
            match active.search.propose() {
                Some((ticket, change)) => self.consider(ticket, change),
                None if active.search.is_done() => self.start_next(),
                None => return,
            }
        }
    }

    /// Keeps a candidate of the active search for later, or answers it if its verdict is known.
    /// That is a failure, and as it comes last nothing is accepted by it.
    fn consider(&mut self, ticket: Ticket, change: TreeChange) {
        let Some(active) = &mut self.active else {
            return;
        };
        if self.known.has_failed(&change) {
            active.search.answer(ticket, false);
        } else {
            let ticket = Ticket(active.base + ticket.0);
            self.next_ticket = ticket.0 + 1;
            self.ahead = Some((ticket, change));
        }
    }

    fn start_next(&mut self) {
        self.known.search_ended();
        let task = self.route.next_task(&self.tree);
        self.active = task.map(|task| Active {
            search: self.start(task),
            base: self.next_ticket,
        });
    }

    fn start(&mut self, task: Task) -> Inner {
        match task {
            Task::PruneList(nodes) => {
                let weights: Vec<u64> = nodes.iter().map(|node| self.tree.weight(*node)).collect();
                let search = (self.list_search)(&nodes, &weights);
                prune_list(nodes.into(), search)
            }
            Task::Replace(places) => replace(places),
        }
    }

    fn accept(&mut self, accepted: &Accepted<TreeChange>) {
        self.tree.apply(&accepted.candidate);
        self.known.accepted(accepted.ticket, &accepted.candidate);
        self.route.accepted(&self.tree, &accepted.candidate);
    }
}

impl Active {
    /// Takes a verdict on a ticket of the tree search. `None`: the ticket is an older one.
    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Option<Answered<TreeChange>> {
        let base = self.base;
        let inner = Ticket(ticket.0.checked_sub(base)?);
        let Answered { accepted, void } = self.search.answer(inner, interesting);
        let outer = |ticket: Ticket| Ticket(base + ticket.0);
        let accepted = accepted.map(|accepted| Accepted {
            ticket: outer(accepted.ticket),
            ..accepted
        });
        let void = void.into_iter().map(outer).collect();
        Some(Answered { accepted, void })
    }
}

impl Search for TreeSearch {
    type Candidate = TreeChange;

    fn propose(&mut self) -> Option<(Ticket, TreeChange)> {
        let (ticket, change) = self.ahead.take()?;
        self.known.proposed(ticket, &change);
        self.look_ahead();
        Some((ticket, change))
    }

    fn answer(&mut self, ticket: Ticket, interesting: bool) -> Answered<TreeChange> {
        let ahead = self.ahead.as_ref().map(|(ticket, _)| *ticket);
        let is_proposed = ahead.is_none_or(|ahead| ticket < ahead);
        let active = self.active.as_mut().filter(|_| is_proposed);
        let answered = active.and_then(|active| active.answer(ticket, interesting));
        let Some(Answered { accepted, mut void }) = answered else {
            return Answered {
                accepted: None,
                void: Vec::new(),
            };
        };
        // Nobody has seen the ticket of what is ahead.
        if ahead.is_some_and(|ahead| void.last() == Some(&ahead)) {
            void.pop();
            self.ahead = None;
        }
        accepted.iter().for_each(|accepted| self.accept(accepted));
        self.look_ahead();
        Answered { accepted, void }
    }

    fn is_done(&self) -> bool {
        self.active.is_none()
    }
}

impl fmt::Debug for TreeSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeSearch")
            .field("n_left", &self.tree.n_left())
            .field("next_ticket", &self.next_ticket)
            .field("is_done", &self.is_done())
            .finish_non_exhaustive()
    }
}
