//! Runs processes on Linux, by pidfds and parent-death signals, as far as the kernel has them.
//!
//! The whole group of processes is killed *before* its leader, which has ended, is reaped: until then its pid, and with
//! it the group's id, cannot belong to anybody else.
//!
//! A child is started anew (`child`), or forked from a compiler that is loaded already (`server`). One that starts others
//! where our signals do not get to is told by its input when to end (`attended`).

mod attended;
mod child;
mod drain;
mod group;
mod memory;
mod meter;
mod population;
#[path = "../../../shim/protocol.rs"]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "each side reads what the other one writes")
)]
pub(crate) mod protocol;
mod server;
mod sleep;
mod spawn;
mod stand_in;
mod watch;

pub(crate) use attended::run_attended;
pub(crate) use child::has_ended_within;
#[cfg(test)]
pub(crate) use meter::threads;
pub(crate) use population::most_processes;
pub(crate) use server::Server;
pub(crate) use spawn::BlockedSignals;
pub(crate) use stand_in::pass;

use super::invocation::Watched;
use super::invocation::{Bounds, Decides, Invocation, Outcome};
use child::Child;
use drain::Drain;
use group::Group;
use meter::Meter;
use reduce_platform::Cancel;
use rustix::process::{Pid, Signal};
use sleep::SleepMeter;
use std::os::fd::OwnedFd;
use std::time::Instant;
use watch::{Leader, Until, watch};

pub(crate) fn run(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Outcome> {
    let started = Instant::now();
    let meter = Meter::new(invocation);
    let (child, streams) = Child::spawn(invocation, None)?;
    let meter = meter.with(Group::Known(child.group()), invocation.bounds.memory_bytes);
    let mut streams = drains(streams, &invocation.bounds)?;
    let until = Until {
        deadline: invocation.bounds.deadline,
        cancel,
        decides,
        meter,
        sleep: sleep_meter(child.group(), &invocation.bounds),
    };
    let watched = watch(&child, &mut streams, until)?;
    end(child, watched, streams, started)
}

/// Ends the processes that are left of a child's group, and returns the outcome of the child.
fn end(
    child: Child,
    watched: Watched,
    mut streams: [Drain; 2],
    started: Instant,
) -> std::io::Result<Outcome> {
    child.signal_group(Signal::KILL);
    for stream in &mut streams {
        stream.take_what_is_there()?;
    }
    let ended = child.reap()?;
    let outputs = streams.map(|stream| stream.output);
    Ok(Outcome::of(watched, ended, outputs, started))
}

fn sleep_meter(leader: Pid, bounds: &Bounds) -> Option<SleepMeter> {
    let group = bounds.group?;
    Some(SleepMeter::new(leader, group.asleep, group.cpu))
}

fn drains(streams: [OwnedFd; 2], bounds: &Bounds) -> std::io::Result<[Drain; 2]> {
    let [stdout, stderr] = streams;
    let limit = bounds.output_bytes;
    Ok([Drain::new(stdout, limit)?, Drain::new(stderr, limit)?])
}
