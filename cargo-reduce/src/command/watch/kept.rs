//! `--captured N --watch`: the same crash, kept anew. Nothing of a kept crash changes, as several share its files; but whoever works
//! on the program builds it again, and then the crash is kept with the sources of that moment.

use crate::context::Context;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_engine::captured::{Captured, CapturedStore};
use reduce_engine::{CapturedInput, Input, ReductionRequest};

/// The crashes that are kept while somebody waits for one of them.
pub(super) struct KeptAnew {
    store: CapturedStore,
    crash: Captured,
    /// The last number that was looked at.
    last: u64,
}

impl KeptAnew {
    /// Waits for the crash that is reduced; `None` where it is not a kept one.
    ///
    /// # Errors
    /// Where what is known of it cannot be read.
    pub(super) fn of(
        request: &ReductionRequest,
        context: &Context,
    ) -> Result<Option<Self>, CommandError> {
        let Input::Captured(input) = &request.input else {
            return Ok(None);
        };
        let crash = Captured::read(&input.directory);
        let crash = crash.map_err(|error| CommandError::new(ExitStatus::BadInput, error))?;
        let store = CapturedStore::in_home(&context.base()?);
        let last = store.numbers().last().copied().unwrap_or_default();
        Ok(Some(Self { store, crash, last }))
    }

    /// The newest of the crashes that were kept since this was asked last, and that is the same one: of the same crate, with the
    /// same signature.
    pub(super) fn next(&mut self) -> Option<u64> {
        let numbers = self.store.numbers().into_iter();
        let new: Vec<u64> = numbers.filter(|number| *number > self.last).collect();
        self.last = new.last().copied().unwrap_or(self.last);
        let mut newest_first = new.into_iter().rev();
        newest_first.find(|number| {
            self.store
                .read(*number)
                .is_ok_and(|kept| self.is_same(&kept))
        })
    }

    fn is_same(&self, kept: &Captured) -> bool {
        kept.crate_name == self.crash.crate_name && kept.signature == self.crash.signature
    }

    /// What is reduced in place of what was, with the same arguments.
    pub(super) fn input(&self, number: u64, before: &Input) -> Input {
        let rustc_args = match before {
            Input::Captured(before) => before.rustc_args.clone(),
            Input::File(_) | Input::Package(_) => Vec::new(),
        };
        Input::Captured(CapturedInput {
            directory: self.store.directory_of(number),
            name: format!("#{number}"),
            rustc_args,
        })
    }
}
