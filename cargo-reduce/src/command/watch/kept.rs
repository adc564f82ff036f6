//! `--captured N --watch`: the same crash, kept anew. Whoever works on the program builds it again, and then the crash is kept with
//! the sources of that moment, mostly under the same number.

use crate::context::Context;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_engine::captured::{Captured, CapturedStore};
use reduce_engine::{CapturedInput, Input, ReductionRequest};
use std::collections::BTreeMap;

/// The crashes that are kept while somebody waits for one of them.
pub(super) struct KeptAnew {
    store: CapturedStore,
    crash: Captured,
    /// For each crash that was looked at, by its number, the time at which it was kept.
    seen: BTreeMap<u64, Time>,
}

type Time = (i64, i64);

fn kept_now(store: &CapturedStore) -> BTreeMap<u64, Time> {
    let numbers = store.numbers().into_iter();
    let with_times = numbers.filter_map(|number| Some((number, store.kept_at(number)?)));
    with_times.collect()
}

impl KeptAnew {
    /// Begins to watch whether the kept crash that is reduced is kept again, or returns `None` if the input is no kept crash.
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
        let seen = kept_now(&store);
        Ok(Some(Self { store, crash, seen }))
    }

    /// Returns the newest crash that was kept since the last call, if it is of the same crate, with the same signature.
    pub(super) fn next(&mut self) -> Option<u64> {
        let now = kept_now(&self.store);
        let is_new = |(number, time): &(&u64, &Time)| self.seen.get(number) != Some(time);
        let mut new: Vec<(Time, u64)> = now
            .iter()
            .filter(is_new)
            .map(|(number, time)| (*time, *number))
            .collect();
        new.sort_unstable();
        self.seen = now;
        let mut newest_first = new.into_iter().rev().map(|(_, number)| number);
        newest_first.find(|number| {
            let kept = self.store.read(*number);
            kept.is_ok_and(|kept| kept.is_same_crash(&self.crash))
        })
    }

    /// Returns the input that takes the place of the one before, with the same arguments.
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
