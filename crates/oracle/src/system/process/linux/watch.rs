//! Watches a running process: drains its output, stops it when it takes too long, on cancellation, once
//! its output has decided the question, or when it uses too much.

use super::drain::Drain;
use super::meter::Meter;
use super::sleep::{SleepMeter, TooLong};
use crate::system::budget::Late;
use crate::system::process::invocation::{Decides, Ending, Watched};
use reduce_platform::Cancel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// The time that a group has between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_millis(300);
/// The time after SIGKILL in which a leader that others must pass signals to has to be seen to end.
const LOST: Duration = Duration::from_secs(5);

/// The leader of a process group.
pub(super) trait Leader {
    /// Returns a descriptor that polls as readable once the leader has ended.
    fn ended(&self) -> BorrowedFd<'_>;
    /// Signals the whole group. It is no error that the group is gone already.
    fn signal_group(&self, signal: Signal);
    /// Asks the whole group to end; returns the time that the group has for that.
    fn ask_to_end(&self) -> Duration {
        self.signal_group(Signal::TERM);
        GRACE
    }
    /// Asks a process that has not ended once more; returns the time that the process has for that. `None` where it
    /// is killed.
    fn ask_again(&self) -> Option<Duration> {
        None
    }
    /// Whether the leader may be killed without having been asked.
    fn may_be_killed_at_once(&self) -> bool {
        true
    }
    /// Whether the leader may go on after SIGKILL, as another process has to pass signals on to it.
    fn may_be_deaf(&self) -> bool {
        false
    }
}

/// The conditions until which a process runs.
pub(super) struct Until<'a> {
    pub(super) deadline: Option<Duration>,
    pub(super) cancel: &'a Cancel,
    pub(super) decides: &'a mut Decides<'a>,
    /// The meter of what the process uses.
    pub(super) meter: Meter,
    /// The meter of the time for which the process sleeps.
    pub(super) sleep: Option<SleepMeter>,
}

/// Reads the output of a process until its leader has ended, and stops the process when a condition of `until` is
/// met.
///
/// # Errors
/// [`std::io::ErrorKind::TimedOut`] if a leader that may be deaf was killed and does not end.
pub(super) fn watch<'a>(
    leader: &'a dyn Leader,
    streams: &mut [Drain; 2],
    until: Until<'a>,
) -> std::io::Result<Watched> {
    let mut watched = Watch {
        leader,
        until,
        stop: None,
        late: None,
        is_asked_again: false,
        is_killed: false,
        next: None,
    };
    watched.next = watched
        .until
        .deadline
        .and_then(|deadline| Instant::now().checked_add(deadline));
    while !watched.wait(streams)? {}
    let asleep = watched.until.sleep.as_ref().map(SleepMeter::asleep);
    Ok(Watched {
        stop: watched.stop,
        late: watched.late,
        asleep: asleep.unwrap_or_default(),
    })
}

struct Watch<'a> {
    leader: &'a dyn Leader,
    until: Until<'a>,
    /// The reason why the process was told to end.
    stop: Option<Ending>,
    late: Option<Late>,
    is_asked_again: bool,
    is_killed: bool,
    /// The time at which the process is next asked to end or killed.
    next: Option<Instant>,
}

impl Watch<'_> {
    /// Waits until there is output, the process has ended or it is time for something, and acts on that. Returns
    /// whether the leader has ended.
    fn wait(&mut self, streams: &mut [Drain; 2]) -> std::io::Result<bool> {
        let ready = self.poll(streams)?;
        for stream in streams.iter_mut() {
            stream.take_what_is_there()?;
        }
        let is_overdue = self.next.is_some_and(|next| Instant::now() >= next);
        if ready.ended {
            return Ok(true);
        }
        if self.is_killed && is_overdue {
            return Err(std::io::ErrorKind::TimedOut.into());
        } else if self.stop.is_some() {
            if is_overdue {
                self.insist();
            }
        } else if ready.cancelled {
            self.stop_for(Ending::Cancelled);
        } else if streams[1].output.any_new_line(self.until.decides) {
            // Nothing of it is wanted any more, not even a tidy end.
            self.stop_at_once(Ending::Decided);
        } else if is_overdue {
            self.stop_late(Late::Wall);
        } else if self.until.meter.is_exceeded() {
            // Before the look at each process, as there may be many.
            self.stop_at_once(Ending::Exceeded);
        } else if let Some(late) = self.overslept() {
            self.stop_late(late);
        }
        Ok(ready.ended)
    }

    /// Returns the limit of sleep or CPU time that the run has passed: asleep for too long, or too much CPU time with
    /// all that it has started.
    fn overslept(&mut self) -> Option<Late> {
        let too_long = self.until.sleep.as_mut()?.look()?;
        Some(match too_long {
            TooLong::Asleep => Late::Asleep,
            TooLong::Cpu => Late::Cpu,
        })
    }

    fn stop_late(&mut self, late: Late) {
        self.late = Some(late);
        self.stop_for(Ending::TimedOut);
    }

    fn stop_for(&mut self, reason: Ending) {
        self.stop = Some(reason);
        let grace = self.leader.ask_to_end();
        self.next = Instant::now().checked_add(grace);
    }

    fn stop_at_once(&mut self, reason: Ending) {
        self.stop_for(reason);
        if self.leader.may_be_killed_at_once() {
            self.kill();
        }
    }

    /// Asks a process that has not ended after it was asked to once more, or kills it.
    fn insist(&mut self) {
        let is_first = !std::mem::replace(&mut self.is_asked_again, true);
        match is_first.then(|| self.leader.ask_again()).flatten() {
            Some(grace) => self.next = Instant::now().checked_add(grace),
            None => self.kill(),
        }
    }

    fn kill(&mut self) {
        self.leader.signal_group(Signal::KILL);
        self.is_killed = true;
        let is_deaf = self.leader.may_be_deaf();
        self.next = Instant::now().checked_add(LOST).filter(|_| is_deaf);
    }

    /// Returns the next time at which the process is to be asked, killed or measured.
    fn wakes(&self) -> Option<Instant> {
        let until = Some(&self.until).filter(|_| self.stop.is_none());
        let meter = until.and_then(|until| until.meter.next());
        let sleep = until.and_then(|until| until.sleep.as_ref().map(SleepMeter::next));
        self.next.into_iter().chain(meter).chain(sleep).min()
    }

    /// Polls the outputs, the leader and the cancellation once.
    fn poll(&self, streams: &[Drain; 2]) -> std::io::Result<Ready> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.leader.ended(), PollFlags::IN)];
        let watches_cancel = self.stop.is_none();
        if watches_cancel {
            let cancel = self.until.cancel.as_fd();
            fds.push(PollFd::from_borrowed_fd(cancel, PollFlags::IN));
        }
        let open = streams.iter().filter_map(Drain::fd);
        fds.extend(open.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        let left = |next: Instant| timespec(next.saturating_duration_since(Instant::now()));
        match poll(&mut fds, self.wakes().map(left).as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let is_ready = |at: usize| !fds[at].revents().is_empty();
        Ok(Ready {
            ended: is_ready(0),
            cancelled: watches_cancel && is_ready(1),
        })
    }
}

struct Ready {
    ended: bool,
    cancelled: bool,
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;
    use std::sync::Mutex;

    /// A leader that does not end, whatever it is told.
    struct Deaf {
        never: std::io::PipeReader,
        signals: Mutex<Vec<Signal>>,
    }

    impl Leader for Deaf {
        fn ended(&self) -> BorrowedFd<'_> {
            self.never.as_fd()
        }

        fn signal_group(&self, signal: Signal) {
            self.signals.lock().unwrap().push(signal);
        }

        fn may_be_deaf(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_leader_that_survives_its_kill_is_given_up() {
        let (never, _open) = std::io::pipe().unwrap();
        let signals = Mutex::default();
        let deaf = Deaf { never, signals };
        let mut streams = [(); 2].map(|()| {
            let (reader, _) = std::io::pipe().unwrap();
            Drain::new(reader.into(), 100).unwrap()
        });
        let until = Until {
            deadline: Some(Duration::ZERO),
            cancel: &Cancel::new().unwrap(),
            decides: &mut |_| false,
            meter: Meter::idle(),
            sleep: None,
        };
        let error = watch(&deaf, &mut streams, until).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        let signals = deaf.signals.into_inner().unwrap();
        assert_eq!(signals, [Signal::TERM, Signal::KILL]);
    }
}
