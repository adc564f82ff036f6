//! Runs a process whose input is held open as long as the process is to run. A process that no signal of ours gets to
//! is told in this way to end: it reads, and the input ends when we close it, or when we are not there any more.

use super::child::Child;
use super::group::Group;
use super::meter::Meter;
use super::watch::{Leader, Until, watch};
use super::{drains, end};
use crate::system::process::invocation::{Decides, Invocation, Outcome};
use reduce_platform::Cancel;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Signal;
use std::cell::RefCell;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// The time that the process has after the end of its input, before it is signalled.
const BY_ITSELF: Duration = Duration::from_millis(1500);
/// The time that the process has after a signal to end and to pass the signal on, before it is killed.
const ON_SIGNAL: Duration = Duration::from_millis(1500);

/// A process whose input is held open, with that input.
struct Attended {
    child: Child,
    input: RefCell<Option<OwnedFd>>,
}

impl Leader for Attended {
    fn ended(&self) -> BorrowedFd<'_> {
        self.child.ended()
    }

    fn signal_group(&self, signal: Signal) {
        self.child.signal_group(signal);
    }

    fn ask_to_end(&self) -> Duration {
        drop(self.input.take());
        BY_ITSELF
    }

    fn ask_again(&self) -> Option<Duration> {
        self.signal_group(Signal::TERM);
        Some(ON_SIGNAL)
    }

    fn may_be_killed_at_once(&self) -> bool {
        false
    }
}

pub(crate) fn run_attended(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    let started = Instant::now();
    let meter = Meter::new(invocation);
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    let (child, streams) = Child::spawn(invocation, Some(&reader))?;
    drop(reader);
    let attended = Attended {
        child,
        input: RefCell::new(Some(writer)),
    };
    let group = Group::Known(attended.child.group());
    let mut streams = drains(streams, &invocation.bounds)?;
    let until = Until {
        deadline: invocation.bounds.deadline,
        cancel,
        decides,
        meter: meter.with(group, None),
        sleep: None,
    };
    let watched = watch(&attended, &mut streams, until)?;
    drop(attended.input.take());
    end(attended.child, watched, streams, started)
}
