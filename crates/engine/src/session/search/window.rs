//! Windows of a search: the candidates that are decided together before the next are proposed. Most of those that
//! are not interesting are found by compiling all of a window at once.

use super::{Pending, SearchRun};
use crate::failure::Failure;
use crate::propose::Proposals;
use crate::session::verdicts::Known;
use crate::store::Digest;
use crate::trace::Proposer;
use reduce_algorithms::{Search, Ticket};
use std::time::Instant;

impl<S: Search, P: Proposals<S::Candidate>> SearchRun<'_, '_, S, P> {
    /// Returns the next candidate that the oracle has to be asked about.
    pub(super) fn next_undecided(&mut self) -> Result<Option<Ticket>, Failure> {
        while !self.session.is_cancelled() {
            match self.window.pop_front() {
                Some(ticket) if self.pending.contains_key(&ticket) => return Ok(Some(ticket)),
                Some(_) => {}
                None if self.open_window()? => {}
                None => break,
            }
        }
        Ok(None)
    }

    /// Opens a window with the next candidates: with one, or with as many as a joint compilation takes. Which these are
    /// depends on nothing but what was proposed since the last was accepted, so that it is the same with any number of
    /// workers. Returns whether there were any.
    fn open_window(&mut self) -> Result<bool, Failure> {
        if !self.has_budget_for(1) {
            self.waits_for_budget = true;
            return Ok(false);
        }
        let mut width = self.session.next_window();
        let joint = self.session.most_joint_queries(width);
        if width > 1 && !self.has_budget_for(width as u64 + joint) {
            width = 1;
        }
        let accepted_before = self.accepted;
        let mut has_proposed = false;
        while self.window.len() < width && self.accepted == accepted_before {
            match self.propose_next()? {
                true => has_proposed = true,
                false => break,
            }
        }
        if self.accepted == accepted_before {
            self.compile_window()?;
        }
        Ok(has_proposed)
    }

    /// Takes a proposal of the algorithm, and decides it where the oracle need not be asked. Returns whether there
    /// was one.
    fn propose_next(&mut self) -> Result<bool, Failure> {
        let mut started = Instant::now();
        let Some((ticket, proposal)) = self.search.propose() else {
            return Ok(false);
        };
        let mut candidate = self.proposals.candidate(&proposal);
        self.session.ledger.add_overhead(started.elapsed());
        let may_show_bug = self.session.expect_anew(&mut candidate)?;
        started = Instant::now();
        let mut pending = Pending {
            proposer: Proposer {
                search: self.number,
                ticket: ticket.number(),
            },
            candidate,
            kind: self.proposals.kind(&proposal),
            proposal,
            key: None,
            joint: None,
            is_known_to_be: None,
            may_be_query: false,
            is_counted: false,
        };
        let mut known = match may_show_bug {
            true => self.session.look_up(&pending.candidate),
            false => Known::NotSmaller,
        };
        // Verdicts that need no question must be known before the next is proposed, or it would depend on the
        // workers.
        if let (Known::Unknown(key), true) = (&known, self.search.uses_all_verdicts())
            && let Some(answer) = self.session.refusal(&pending.candidate)
        {
            self.session.learn(*key, &answer);
            pending.key = Some(*key);
            known = Known::NotSmaller;
        }
        self.session.ledger.add_overhead(started.elapsed());
        // A question that an earlier run has asked is none here, but counts as one in a wave: it would be one without
        // that run.
        let mut is_free = true;
        let decided = match known {
            Known::NotSmaller => Some(false),
            Known::Verdict(key, verdict) => {
                pending.key = Some(key);
                pending.is_known_to_be = Some(verdict.is_interesting());
                let is_settled = self.session.ledger.verdicts.is_settled(&key);
                is_free = self.session.ledger.verdicts.is_used(&key);
                pending.may_be_query = !is_settled;
                is_settled.then(|| verdict.is_interesting())
            }
            Known::Unknown(key) => {
                pending.key = Some(key);
                pending.may_be_query = true;
                None
            }
        };
        self.pending.insert(ticket, pending);
        match decided {
            Some(interesting) if is_free => self.decide_free(ticket, interesting)?,
            Some(interesting) => self.decide(ticket, interesting)?,
            None => self.window.push_back(ticket),
        }
        self.session.report_progress();
        Ok(true)
    }

    /// Compiles the candidates of the window together, and decides those that are refused.
    fn compile_window(&mut self) -> Result<(), Failure> {
        let of_window = |ticket: &Ticket| {
            let pending = self.pending.get(ticket)?;
            Some((*ticket, pending.key?))
        };
        let window: Vec<(Ticket, Digest)> = self.window.iter().filter_map(of_window).collect();
        let candidates = window
            .iter()
            .map(|(ticket, key)| (*key, &self.pending[ticket].candidate));
        let candidates: Vec<_> = candidates.collect();
        let Some((joint, refused)) = self.session.compile_jointly(&candidates)? else {
            return Ok(());
        };
        for (ticket, _) in &window {
            if let Some(pending) = self.pending.get_mut(ticket) {
                pending.joint = Some(joint);
            }
        }
        let refused: Vec<Ticket> = refused.into_iter().map(|idx| window[idx].0).collect();
        self.window.retain(|ticket| !refused.contains(ticket));
        for ticket in refused {
            self.decide(ticket, false)?;
        }
        Ok(())
    }
}
