//! Turns the end of a command on a server into the outcome of a process here, where that is certain.

use super::inputs::Mapping;
use crate::system::process::{Decides, Ending, Outcome};
use crate::worker::confined::ProcessSort;
use crate::worker::executor::Order;
use reduce_remote_protocol::{End, Ended};
use std::time::Duration;

/// Signals of limits, and of a machine that has no memory left: `SIGKILL`, `SIGXCPU`, `SIGXFSZ`.
const OF_LIMITS: [i32; 3] = [9, 24, 25];
/// The messages of programs that got no memory.
const WITHOUT_MEMORY: [&str; 3] = [
    "memory allocation of ",
    "LLVM ERROR: out of memory",
    "LLVM ERROR: Allocation failed",
];
/// The idle time that is not taken for sleep of a program, as a server needs some time around it.
const AROUND: Duration = Duration::from_millis(200);
/// The idle time by which a program on a server may exceed its limit: nobody knows what the machine did meanwhile.
const MORE_IDLE: Duration = Duration::from_millis(750);

/// The reason why the end of a command on a server decides nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Doubt {
    /// The command may have run into a limit, or into one of the machine's own.
    #[error("it may have run into a limit")]
    Limit,
    /// The command would have been stopped here for the time that it took.
    #[error("it took too long")]
    Time,
    /// The server did not run the process as it should, or does not say how the process ended.
    #[error("it is not certain how it ended")]
    Unclear,
}

/// Returns the outcome of a process that has ended on the server.
///
/// # Errors
/// Where a process here might have another one.
pub(super) fn of(
    ended: &Ended,
    order: &Order<'_>,
    mapping: &Mapping,
    decides: &mut Decides<'_>,
) -> Result<Outcome, Doubt> {
    let ending = match ended.end {
        End::Exited(status) => Ending::Exited(status),
        End::Signalled(signal) if OF_LIMITS.contains(&signal) => return Err(Doubt::Limit),
        End::Signalled(signal) => Ending::Signalled(signal),
        End::Unclear => return Err(Doubt::Unclear),
    };
    let text = |printed: &str| mapping.here(printed, &ended.root);
    let (stdout, mut stderr) = (text(&ended.stdout), text(&ended.stderr));
    if WITHOUT_MEMORY.iter().any(|said| stderr.contains(said)) {
        return Err(Doubt::Limit);
    }
    let asleep = asleep(ended, order);
    if is_late(ended, order, asleep) {
        return Err(Doubt::Time);
    }
    let decided = first_deciding(&stderr, decides);
    if let Some(length) = decided {
        stderr.truncate(length);
    }
    Ok(Outcome {
        ending: decided.map_or(ending, |_| Ending::Decided),
        stdout,
        stderr,
        truncated: false,
        late: None,
        wall: ended.wall.unwrap_or(ended.cpu),
        asleep,
        cpu: ended.cpu,
        peak_memory_bytes: 0,
    })
}

/// Makes the outcome of a process that nobody waits for.
pub(super) fn cancelled() -> Outcome {
    Outcome {
        ending: Ending::Cancelled,
        stdout: String::new(),
        stderr: String::new(),
        truncated: false,
        late: None,
        wall: Duration::ZERO,
        asleep: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_memory_bytes: 0,
    }
}

/// Returns the time that a program may have slept: all the time in which it did not compute.
/// Compilers do not sleep.
fn asleep(ended: &Ended, order: &Order<'_>) -> Duration {
    let idle = ended.wall.map(|wall| wall.saturating_sub(ended.cpu));
    let of_program = idle.filter(|_| order.rights.sort == ProcessSort::Program);
    of_program.filter(|idle| *idle > AROUND).unwrap_or_default()
}

fn is_late(ended: &Ended, order: &Order<'_>, asleep: Duration) -> bool {
    let bounds = &order.invocation.bounds;
    let group = bounds.group;
    let most_asleep = group.and_then(|group| group.asleep);
    let cpu = [
        bounds.cpu,
        bounds.own_cpu,
        group.and_then(|group| group.cpu),
    ];
    let is_over = |bound: Option<Duration>, used: Duration| bound.is_some_and(|most| used > most);
    cpu.into_iter().any(|bound| is_over(bound, ended.cpu))
        || is_over(most_asleep.map(|most| most + MORE_IDLE), asleep)
        || is_over(bounds.deadline, ended.wall.unwrap_or_default())
}

/// Returns the end of the first line of stderr for which `decides` returns true.
fn first_deciding(stderr: &str, decides: &mut Decides<'_>) -> Option<usize> {
    let mut end = 0;
    for line in stderr.split_inclusive('\n') {
        end += line.len();
        // As long as a line has no end it may become another one.
        if let Some(line) = line.strip_suffix('\n')
            && decides(line)
        {
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Sources;
    use crate::system::process::{Bounds, GroupTime, Invocation};
    use crate::system::sandbox::{Places, SandboxMode};
    use crate::worker::confined::Rights;
    use crate::worker::remote::RemoteToolchain;
    use camino::Utf8Path;
    use std::collections::BTreeMap;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn ended(end: End) -> Ended {
        Ended {
            end,
            stdout: "out\n".to_owned(),
            stderr: "first\nsecond\nlast".to_owned(),
            cpu: ms(10),
            wall: Some(ms(50)),
            root: String::new(),
            made: vec![],
            wanted: vec![],
            is_cached: false,
        }
    }

    /// Returns the outcome of a program that may compute for 60 ms and sleep for a second.
    fn outcome(ended: &Ended, decides: &mut Decides<'_>) -> Result<Outcome, Doubt> {
        let bounds = Bounds {
            own_cpu: Some(ms(60)),
            group: Some(GroupTime {
                cpu: Some(ms(60)),
                asleep: Some(ms(1000)),
            }),
            ..Bounds::of_time(ms(30_000), 100)
        };
        let invocation = Invocation {
            program: Utf8Path::new("/w/out/program"),
            args: &[],
            env: &BTreeMap::new(),
            dir: Utf8Path::new("/w/tree"),
            bounds,
            confinement: None,
        };
        let places = Places {
            writes: vec!["/w/tmp".into()],
            ..Places::default()
        };
        let rights = Rights::new(SandboxMode::Off, ProcessSort::Program, places);
        let order = Order {
            invocation: &invocation,
            rights: &rights,
            tree: Utf8Path::new("/w/tree"),
            candidate: &Sources::default(),
        };
        let mapping = Mapping::of(&order, RemoteToolchain::Upload, &[]);
        of(ended, &order, &mapping, decides)
    }

    #[track_caller]
    fn check(ended: &Ended, expected: Result<Ending, Doubt>) {
        let outcome = outcome(ended, &mut |_| false);
        assert_eq!(outcome.map(|outcome| outcome.ending), expected);
    }

    #[test]
    fn a_status_and_a_signal_are_what_they_would_be_here() {
        check(&ended(End::Exited(101)), Ok(Ending::Exited(101)));
        check(&ended(End::Signalled(6)), Ok(Ending::Signalled(6)));
    }

    #[test]
    fn a_signal_of_a_limit_is_no_outcome() {
        for signal in OF_LIMITS {
            check(&ended(End::Signalled(signal)), Err(Doubt::Limit));
        }
        check(&ended(End::Unclear), Err(Doubt::Unclear));
    }

    #[test]
    fn a_program_that_got_no_memory_has_no_outcome() {
        let without = Ended {
            stderr: "memory allocation of 17 bytes failed\n".to_owned(),
            ..ended(End::Signalled(6))
        };
        check(&without, Err(Doubt::Limit));
    }

    #[test]
    fn what_would_be_late_here_has_no_outcome() {
        let slow = Ended {
            cpu: ms(70),
            ..ended(End::Exited(0))
        };
        check(&slow, Err(Doubt::Time));
        let sleeping = Ended {
            wall: Some(ms(2000)),
            ..ended(End::Exited(0))
        };
        check(&sleeping, Err(Doubt::Time));
    }

    #[test]
    fn a_little_time_around_a_program_is_no_sleep() {
        let asleep = |wall| {
            let ended = Ended {
                wall: Some(ms(wall)),
                ..ended(End::Exited(0))
            };
            outcome(&ended, &mut |_| false).unwrap().asleep
        };
        assert_eq!([asleep(200), asleep(500)], [Duration::ZERO, ms(490)]);
    }

    #[test]
    fn the_first_line_that_decides_is_the_last_that_is_read() {
        let told = |decisive: &'static str| {
            let told = outcome(&ended(End::Exited(1)), &mut |line| line == decisive);
            let told = told.unwrap();
            (told.ending, told.stderr)
        };
        let decided = "first\nsecond\n".to_owned();
        assert_eq!(told("second"), (Ending::Decided, decided));
        // It has no end, and may go on.
        assert_eq!(told("last").0, Ending::Exited(1));
    }
}
