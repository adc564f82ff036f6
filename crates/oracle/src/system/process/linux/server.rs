//! Runs a compiler that is stopped once it is loaded, and that forks a child for each query, or a program that forks one for
//! each run: the oracle's side of the fork servers in `shim/`.

use super::child::Child;
use super::drains;
use super::group::{Group, Introduction};
use super::meter::Meter;
use super::protocol::{
    PACKET_BYTES, PAGES_VARIABLE, PROGRAM_VARIABLE, ROOT_VARIABLE, Reply, Request, Run,
    SETTINGS_VARIABLE, SOCKET_VARIABLE,
};
use super::sleep::SleepMeter;
use super::watch::{Leader, Until, watch};
use crate::error::OracleError;
use crate::system::process::failed;
use crate::system::process::invocation::{
    Bounds, Decides, Ending, Invocation, Outcome, Preload, Stops,
};
use crate::system::process::long_line::ShortLine;
use reduce_platform::Cancel;
use reduce_platform::processes::{Ended, whole_seconds};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, Shutdown,
    SocketFlags, SocketType, recv, send, sendmsg, shutdown, socketpair,
};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal};
use std::fs::File;
use std::io::{IoSlice, Read, Seek};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The longest time that a compiler may take until it is loaded and serves.
const START: Timespec = Timespec {
    tv_sec: 20,
    tv_nsec: 0,
};

/// The time in which a fork server that still reads its socket ends.
const END: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 300_000_000,
};

/// The number of stopped children after which the server is started anew, if these may have generated
/// code: code generation takes tokens of a job server that all children share, and a child that is
/// stopped does not give them back.
const MOST_STOPPED: u32 = 16;

/// A loaded compiler or program that forks a child for each query or run. Its parent is the thread that started it; it ends with its
/// handle.
#[derive(Debug)]
pub(crate) struct Server {
    socket: OwnedFd,
    process: Option<Child>,
    /// The output of the compiler before it was ready: the output of each child begins with it.
    earlier: [Vec<u8>; 2],
    stopped: u32,
    /// Whether it is measured how much CPU time the processes of a run use together.
    measures_cpu: bool,
}

impl Server {
    /// Starts the compiler or program; `None` where it ends, or takes too long, before it is ready to serve:
    /// the arguments are wrong, it is no rustc that we know, or it will not be preloaded.
    ///
    /// # Errors
    /// [`OracleError::Spawn`] when it cannot be started at all.
    pub(crate) fn start(
        invocation: &Invocation<'_>,
        preload: Preload<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Self>, OracleError> {
        start(invocation, preload, cancel).map_err(|source| failed(invocation, source))
    }

    /// Compiles the text that is now in the crate root's file. `None` where the server is gone or cannot fork.
    ///
    /// # Errors
    /// [`OracleError::Spawn`] when the child cannot be watched.
    pub(crate) fn run(
        &mut self,
        invocation: &Invocation<'_>,
        cancel: &Cancel,
        decides: &mut Decides<'_>,
    ) -> Result<Option<Outcome>, OracleError> {
        run(self, invocation, 0, cancel, decides).map_err(|source| failed(invocation, source))
    }

    /// Runs the program to its end with the setting of this number. `None` as [`Self::run`].
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(crate) fn run_with(
        &mut self,
        invocation: &Invocation<'_>,
        setting: usize,
        cancel: &Cancel,
    ) -> Result<Option<Outcome>, OracleError> {
        run(self, invocation, setting, cancel, &mut |_| false)
            .map_err(|source| failed(invocation, source))
    }

    /// Whether so many children were stopped that the server should be started anew, if it generates code.
    pub(crate) fn is_worn(&self) -> bool {
        self.stopped >= MOST_STOPPED
    }

    fn request(&self, request: Request) -> Result<(), Errno> {
        send(&self.socket, &request.to_packet(), SendFlags::NOSIGNAL).map(drop)
    }

    /// Returns the next reply of the fork server; `None` at the end of the stream.
    fn reply(&self) -> std::io::Result<Option<Reply>> {
        let mut packet = [0; PACKET_BYTES];
        loop {
            match recv(&self.socket, &mut packet, RecvFlags::empty()) {
                Err(Errno::INTR) => {}
                Err(Errno::CONNRESET) => return Ok(None),
                Err(error) => return Err(error.into()),
                Ok((_, 0)) => return Ok(None),
                Ok(_) => return Ok(Reply::from_packet(&packet)),
            }
        }
    }
}

/// Closes the stream, which ends the server and the group of a child that it still has. A server that
/// is not ready yet does not listen, and has no child.
impl Drop for Server {
    fn drop(&mut self) {
        let _gone = shutdown(&self.socket, Shutdown::Both);
        if let Some(process) = self.process.take() {
            let mut end = [PollFd::from_borrowed_fd(process.ended(), PollFlags::IN)];
            let _in_time = poll(&mut end, Some(&END));
            process.signal_group(Signal::KILL);
            let _status = process.reap();
        }
    }
}

/// Lets the forked child of a fork server be watched over the server's socket.
impl Leader for Server {
    fn ended(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    fn signal_group(&self, signal: Signal) {
        let _gone = self.request(Request::Signal(signal.as_raw()));
    }

    /// Returns true, as the server itself may hang: it forks while the compiler's other threads run.
    fn may_be_deaf(&self) -> bool {
        true
    }
}

fn start(
    invocation: &Invocation<'_>,
    preload: Preload<'_>,
    cancel: &Cancel,
) -> std::io::Result<Option<Server>> {
    let (ours, theirs) = socketpair(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    )?;
    let printed = [memory_file()?, memory_file()?];
    let env = environment(invocation, preload, &theirs);
    let invocation = Invocation {
        env: &env,
        bounds: Bounds {
            cpu: None,
            own_cpu: None,
            ..invocation.bounds.clone()
        },
        ..*invocation
    };
    let line = ShortLine::of(&invocation)?;
    let invocation = line.of_invocation(&invocation);
    let process = Child::spawn_with(&invocation, [&printed[0], &printed[1]], &theirs)?;
    drop(theirs);
    let mut server = Server {
        socket: ours,
        process: Some(process),
        earlier: [vec![], vec![]],
        stopped: 0,
        measures_cpu: matches!(preload.stops, Stops::BeforeMain { .. }),
    };
    if !is_ready_in_time(&server, cancel)? || server.reply()? != Some(Reply::Ready) {
        return Ok(None);
    }
    for (file, earlier) in printed.into_iter().zip(&mut server.earlier) {
        let mut file = File::from(file);
        file.rewind()?;
        file.read_to_end(earlier)?;
    }
    Ok(Some(server))
}

/// Makes a file in memory for the output of a compiler before it serves: the file is not a terminal and not a pipe
/// that could be full.
fn memory_file() -> std::io::Result<OwnedFd> {
    Ok(memfd_create("printed", MemfdFlags::CLOEXEC)?)
}

fn environment(
    invocation: &Invocation<'_>,
    preload: Preload<'_>,
    socket: &OwnedFd,
) -> std::collections::BTreeMap<String, String> {
    let mut env = invocation.env.clone();
    let ours = [
        ("LD_PRELOAD", preload.library.to_string()),
        (SOCKET_VARIABLE, socket.as_raw_fd().to_string()),
        (PROGRAM_VARIABLE, preload.program.to_string()),
    ];
    let of_stop = match preload.stops {
        Stops::AtRoot {
            root,
            uses_huge_pages,
        } => vec![
            Some((ROOT_VARIABLE, root.to_owned())),
            uses_huge_pages.then(|| (PAGES_VARIABLE, "1".to_owned())),
        ],
        Stops::BeforeMain { settings } => vec![Some((SETTINGS_VARIABLE, settings.join("\n")))],
    };
    let all = ours.into_iter().chain(of_stop.into_iter().flatten());
    env.extend(all.map(|(name, value)| (name.to_owned(), value)));
    env
}

fn is_ready_in_time(server: &Server, cancel: &Cancel) -> std::io::Result<bool> {
    let mut fds = [
        PollFd::from_borrowed_fd(server.socket.as_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN),
    ];
    loop {
        match poll(&mut fds, Some(&START)) {
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(fds[1].revents().is_empty() && !fds[0].revents().is_empty()),
        }
    }
}

fn run(
    server: &mut Server,
    invocation: &Invocation<'_>,
    setting: usize,
    cancel: &Cancel,
    decides: &mut Decides<'_>,
) -> std::io::Result<Option<Outcome>> {
    let started = Instant::now();
    let bounds = &invocation.bounds;
    let meter = Meter::new(invocation);
    // The server sleeps while its child runs, which descends from it.
    let process = server.process.as_ref().map(Child::group);
    let sleep = process.and_then(|leader| sleep_meter_of_child(server, leader, bounds));
    let request = Run {
        cpu_seconds: bounds.cpu.map_or(0, whole_seconds),
        own_microseconds: bounds.own_cpu.map_or(0, microseconds),
        setting: setting.try_into().unwrap_or(u64::MAX),
    };
    let Some((streams, introduction)) = fork(server, request)? else {
        return Ok(None);
    };
    let meter = meter.with(Group::Introduced(introduction), bounds.memory_bytes);
    let mut streams = drains(streams, bounds)?;
    for (stream, earlier) in streams.iter_mut().zip(&server.earlier) {
        stream.output.keep(earlier);
    }
    let until = Until {
        deadline: bounds.deadline,
        cancel,
        decides,
        meter,
        sleep,
    };
    let watched = match watch(server, &mut streams, until) {
        // The server does not answer any more.
        Err(error) if error.kind() == std::io::ErrorKind::TimedOut => return Ok(None),
        watched => watched?,
    };
    let Some(Reply::Ended(used)) = server.reply()? else {
        return Ok(None);
    };
    for stream in &mut streams {
        stream.take_what_is_there()?;
    }
    // A compiler that has printed an error generates no code.
    let may_hold_tokens = matches!(
        watched.stop,
        Some(Ending::TimedOut | Ending::Cancelled | Ending::Exceeded)
    );
    server.stopped += u32::from(may_hold_tokens);
    let ended = Ended {
        status: ExitStatus::from_raw(used.status),
        cpu: Duration::from_micros(used.cpu_microseconds),
        peak_memory_bytes: used.peak_kib * 1024,
    };
    let outputs = streams.map(|stream| stream.output);
    Ok(Some(Outcome::of(watched, ended, outputs, started)))
}

/// Makes the meter of how long a forked child sleeps, before it is there. Of a compiler it measures no CPU time, as the
/// kernel's limit does; of a program without that of the server, to which earlier children count too.
fn sleep_meter_of_child(server: &Server, leader: Pid, bounds: &Bounds) -> Option<SleepMeter> {
    let group = bounds.group?;
    let most_cpu = group.cpu.filter(|_| server.measures_cpu);
    Some(SleepMeter::new(leader, group.asleep, most_cpu).without_earlier())
}

fn microseconds(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}

/// Asks the server to fork a child; returns the read ends of its stdout and stderr, and the socket over which it says
/// who it is, or `None` where the server is gone.
fn fork(server: &Server, run: Run) -> std::io::Result<Option<([OwnedFd; 2], Introduction)>> {
    let (out, out_of_child) = pipe_with(PipeFlags::CLOEXEC)?;
    let (err, err_of_child) = pipe_with(PipeFlags::CLOEXEC)?;
    let (introduction, of_child) = Introduction::new()?;
    let packet = Request::Run(run).to_packet();
    let fds = [out_of_child.as_fd(), err_of_child.as_fd(), of_child.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&fds));
    let sent = sendmsg(
        &server.socket,
        &[IoSlice::new(&packet)],
        &mut control,
        SendFlags::NOSIGNAL,
    );
    match sent {
        Ok(_) => Ok(Some(([out, err], introduction))),
        Err(Errno::PIPE | Errno::CONNRESET) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
