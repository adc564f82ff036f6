//! Finds the processes that belong to a run.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SocketFlags, SocketType,
    recvmsg, socketpair, sockopt,
};
use rustix::process::Pid;
use std::fs;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

/// The process group of a run.
#[derive(Debug)]
pub(super) enum Group {
    /// A group that is known by the number of its leader.
    Known(Pid),
    /// The group of a leader that was forked by a process of ours, and introduces itself: whoever has
    /// forked it may know it by another number than we do.
    Introduced(Introduction),
}

/// A socket over which the leader of a group says who it is.
#[derive(Debug)]
pub(super) struct Introduction {
    socket: OwnedFd,
}

impl Group {
    /// Returns all processes of the group at the moment. Empty where nobody has introduced itself yet.
    pub(super) fn processes(&mut self) -> Vec<Pid> {
        if let Self::Introduced(introduction) = self
            && let Some(leader) = introduction.leader()
        {
            *self = Self::Known(leader);
        }
        match self {
            Self::Known(leader) => members(*leader),
            Self::Introduced(_) => vec![],
        }
    }
}

impl Introduction {
    /// Makes both ends of a socket for an introduction: ours, and the one for the leader, which sends a byte, to
    /// which the kernel adds who sent it.
    pub(super) fn new() -> std::io::Result<(Self, OwnedFd)> {
        let (family, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
        let (socket, theirs) = socketpair(family, kind, SocketFlags::CLOEXEC, None)?;
        sockopt::set_socket_passcred(&socket, true)?;
        Ok((Self { socket }, theirs))
    }

    /// Returns the leader that has said who it is, if one has.
    fn leader(&self) -> Option<Pid> {
        let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        poll(&mut fds, Some(&now)).ok().filter(|ready| *ready > 0)?;
        let (mut byte, mut space) = (
            [0],
            [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))],
        );
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut buffers = [IoSliceMut::new(&mut byte)];
        recvmsg(&self.socket, &mut buffers, &mut control, RecvFlags::empty()).ok()?;
        control.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmCredentials(sender) => Some(sender.pid),
            _ => None,
        })
    }
}

fn members(leader: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let processes = numbers.filter_map(Pid::from_raw);
    processes
        .filter(|process| group_of(*process) == leader.as_raw_nonzero().get())
        .collect()
}

/// Returns the process group of a process: zero for a thread of the kernel, which the safe interface does not expect,
/// and negative for a process that has ended.
#[expect(
    unsafe_code,
    reason = "the safe interface asserts that there is a group"
)]
fn group_of(process: Pid) -> libc::pid_t {
    // SAFETY: a number.
    unsafe { libc::getpgid(process.as_raw_nonzero().get()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{getpgrp, getpid};

    #[test]
    fn this_process_is_a_member_of_its_group() {
        assert!(Group::Known(getpgrp()).processes().contains(&getpid()));
    }

    #[test]
    fn a_leader_is_known_when_it_has_introduced_itself() {
        let (introduction, theirs) = Introduction::new().unwrap();
        let mut group = Group::Introduced(introduction);
        assert!(group.processes().is_empty());
        rustix::net::send(&theirs, &[1], rustix::net::SendFlags::empty()).unwrap();
        group.processes();
        assert!(matches!(group, Group::Known(leader) if leader == getpid()));
    }
}
