//! Forks children for the oracle's requests, and watches over each until nothing of its group is left.

use crate::protocol::{PACKET_BYTES, Packet, Reply, Request, Run, Use};
use crate::system::{
    Buffer, EINTR, ITIMER_PROF, Limit, MSG_CMSG_CLOEXEC, Message, POLLIN, PR_SET_PDEATHSIG, Poll,
    RLIMIT_CPU, SIGKILL, SYS_PIDFD_OPEN, Time, Timer, Usage,
};
use crate::{lock, system};
use std::ffi::{c_int, c_ulong};
use std::io::Error;
use std::ptr::null_mut;

/// Forks a child, and watches over it. Returns whether this is the child.
pub(crate) fn fork(socket: c_int, run: Run, streams: [c_int; 3]) -> bool {
    // SAFETY: the C library and the allocator are made for a fork in a process with threads; the
    // threads that are missing in the child wait for this one, or for signals.
    let (parent, pid) = unsafe { (system::getpid(), system::fork()) };
    if pid == 0 {
        become_leader(parent, socket, run, streams);
        return true;
    }
    let error = Error::last_os_error();
    for stream in streams {
        // SAFETY: the descriptors came with the request and are ours.
        unsafe { system::close(stream) };
    }
    let answer = match pid {
        -1 => Err(error),
        pid => supervise(socket, pid),
    };
    reply(
        socket,
        match answer {
            Ok(used) => Reply::Ended(used),
            Err(error) => Reply::NotForked(error.raw_os_error().unwrap_or(0)),
        },
    );
    false
}

/// Sets up a forked child like each process that the oracle starts: the leader of a group, with pipes for output and
/// limits, that does not outlive its parent. It has introduced itself to the oracle, and keeps no descriptor of the
/// server's.
fn become_leader(parent: c_int, socket: c_int, run: Run, streams: [c_int; 3]) {
    // SAFETY: system calls on descriptors of ours and on values; the child has one thread.
    unsafe {
        system::setpgid(0, 0);
        system::prctl(PR_SET_PDEATHSIG, SIGKILL as c_ulong);
        if system::getppid() != parent {
            system::_exit(97);
        }
        let [out, err, introduction] = streams;
        system::dup2(out, 1);
        system::dup2(err, 2);
        // The kernel adds who says so. A failure shows as the stream's end.
        system::send(introduction, [0_u8].as_ptr().cast(), 1, 0);
        for descriptor in [out, err, introduction, socket] {
            system::close(descriptor);
        }
        if run.cpu_seconds > 0 {
            let limit = Limit {
                current: run.cpu_seconds,
                maximum: run.cpu_seconds + 1,
            };
            system::setrlimit(RLIMIT_CPU, &raw const limit);
        }
        if run.own_microseconds > 0 {
            let timer = Timer {
                again: Time::default(),
                first: Time::of_microseconds(run.own_microseconds),
            };
            system::setitimer(ITIMER_PROF, &raw const timer, null_mut());
        }
        if !lock::stay_in_group() {
            system::_exit(98);
        }
    }
}

/// Waits until the child has ended, and passes the oracle's signals on to it. The group is killed before the child is
/// reaped: until then its number cannot belong to another. A child that cannot be watched is killed.
fn supervise(socket: c_int, pid: c_int) -> Result<Use, Error> {
    // SAFETY: system calls on a child that is not reaped yet.
    let pidfd = unsafe {
        system::setpgid(pid, pid);
        system::syscall(SYS_PIDFD_OPEN, pid, 0)
    };
    let error = Error::last_os_error();
    let pidfd = c_int::try_from(pidfd).unwrap_or(-1);
    if pidfd >= 0 {
        watch(socket, pidfd, pid);
    }
    // SAFETY: as above; the descriptor is ours.
    unsafe {
        system::kill(-pid, SIGKILL);
        system::close(pidfd);
    }
    let used = reap(pid);
    if pidfd >= 0 { Ok(used) } else { Err(error) }
}

/// Passes the oracle's signals on to the child until the child has ended.
fn watch(socket: c_int, pidfd: c_int, pid: c_int) {
    loop {
        let mut polls = [socket, pidfd].map(|fd| Poll {
            fd,
            events: POLLIN,
            ready: 0,
        });
        // SAFETY: two entries, as said.
        unsafe { system::poll(polls.as_mut_ptr(), 2, -1) };
        if polls[1].ready != 0 {
            return;
        }
        if polls[0].ready != 0 {
            hand_on(socket, pid);
        }
    }
}

fn hand_on(socket: c_int, pid: c_int) {
    let signal = match receive(socket) {
        Some((Request::Signal(signal), _)) => signal,
        Some((Request::Run(_), _)) => return,
        None => SIGKILL,
    };
    // SAFETY: the child is not reaped yet, so that its group is still its own.
    unsafe { system::kill(-pid, signal) };
}

fn reap(pid: c_int) -> Use {
    let (mut status, mut usage) = (0, Usage::default());
    // SAFETY: both pointers are to live locals of the right types; the child is ours.
    while unsafe { system::wait4(pid, &raw mut status, 0, &raw mut usage) } < 0
        && Error::last_os_error().raw_os_error() == Some(EINTR)
    {}
    let seconds = usage.user.seconds + usage.system.seconds;
    let microseconds = usage.user.microseconds + usage.system.microseconds;
    Use {
        status,
        cpu_microseconds: u64::try_from(seconds * 1_000_000 + microseconds).unwrap_or(0),
        peak_kib: u64::try_from(usage.peak_kib).unwrap_or(0),
    }
}

pub(crate) fn reply(socket: c_int, reply: Reply) {
    let packet = reply.to_packet();
    // SAFETY: the packet lives until the call has returned. A failure shows as the stream's end.
    unsafe { system::send(socket, packet.as_ptr().cast(), packet.len(), 0) };
}

/// A control message of a socket that brings three file descriptors: length, level, type, descriptors.
#[repr(C, align(8))]
struct Control {
    len: usize,
    level: c_int,
    kind: c_int,
    fds: [c_int; 3],
}

/// Receives the next request and the descriptors that came with it, -1 for none; `None` at the end
/// of the stream, and where the oracle is of another build.
pub(crate) fn receive(socket: c_int) -> Option<(Request, [c_int; 3])> {
    let mut packet: Packet = [0; PACKET_BYTES];
    let mut control = Control {
        len: 0,
        level: 0,
        kind: 0,
        fds: [-1; 3],
    };
    let mut buffer = Buffer {
        base: packet.as_mut_ptr().cast(),
        len: PACKET_BYTES,
    };
    loop {
        let mut message = Message {
            name: null_mut(),
            name_len: 0,
            buffers: &raw mut buffer,
            buffer_count: 1,
            control: (&raw mut control).cast(),
            control_len: size_of::<Control>(),
            flags: 0,
        };
        // SAFETY: all pointers are to live locals, with their sizes.
        let received = unsafe { system::recvmsg(socket, &raw mut message, MSG_CMSG_CLOEXEC) };
        if received == PACKET_BYTES.cast_signed() {
            return Some((Request::from_packet(&packet)?, control.fds));
        }
        if received >= 0 || Error::last_os_error().raw_os_error() != Some(EINTR) {
            return None;
        }
    }
}
