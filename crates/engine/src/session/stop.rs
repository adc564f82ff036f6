//! Why a search ends before it is done: the user asks for the best so far, or has edited it, so that
//! all begins anew from there. Either way everything comes to its end soon, and nothing is lost.

use reduce_oracle::Cancel;

#[derive(Debug)]
pub(crate) struct Stop {
    user: Cancel,
    /// Whether a person's edit waits to be taken up.
    pub(super) for_edit: bool,
}

impl Stop {
    pub(super) fn new(user: &Cancel) -> Self {
        Self {
            user: user.clone(),
            for_edit: false,
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.for_edit || self.user.is_cancelled()
    }
}
