//! Why a search ends before it is done: the user asks for the best so far, or has edited it, so that
//! all begins anew from there; or the failure turns out not to show each time. Either way everything
//! comes to its end soon, and nothing is lost.

use reduce_oracle::Cancel;

#[derive(Debug)]
pub(super) struct Stop {
    user: Cancel,
    /// Whether a person's edit waits to be taken up.
    pub(super) for_edit: bool,
    /// Whether the best so far did not fail when it was run again.
    pub(super) for_loss: bool,
    /// Raised when the input does not fail each time.
    pub(super) refuted: Option<Cancel>,
}

impl Stop {
    pub(super) fn new(user: &Cancel) -> Self {
        Self {
            user: user.clone(),
            for_edit: false,
            for_loss: false,
            refuted: None,
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        let is_refuted = self.refuted.as_ref().is_some_and(Cancel::is_cancelled);
        self.for_edit || self.for_loss || is_refuted || self.user.is_cancelled()
    }
}
