//! Lists the system calls that are refused, and with which arguments.

use super::calls::{
    ALWAYS, ALWAYS_HERE, FCHMOD, IPC, MODES, MODES_HERE, OF_A_PROCESS, OWNERS, OWNERS_HERE,
    PRIORITIES, SIGNALS,
};
use libc::{c_int, c_long};
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{self, Eq, Gt, Lt, MaskedEq, Ne};
use seccompiler::{BackendError, SeccompCondition, SeccompRule};
use std::collections::BTreeMap;

/// The placeholder in a filter for the child's own process number, which is not known before the child is there.
pub(super) const SELF: u32 = 0x5e1f_0001;
/// The placeholder in a filter for the negative of the child's own process number.
pub(super) const MINUS_SELF: u32 = 0x5e1f_0002;

/// The tasks that the other layers of the sandbox leave to the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) sockets: Sockets,
    pub(crate) signals: Signals,
    /// Whether the places that must not change are mounted read-only in a namespace.
    pub(crate) has_own_mounts: bool,
    /// Whether Landlock can refuse to truncate a file.
    pub(crate) has_truncate: bool,
    /// Whether the process is a candidate; a linker has to set modes.
    pub(crate) is_program: bool,
    /// Whether the process may make process groups.
    pub(crate) leads_groups: bool,
}

/// The sockets that a confined process may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sockets {
    /// Only pairs of sockets that are connected from the beginning.
    Pairs,
    /// Pairs of connected sockets, and internet sockets in a network of the process's own.
    Own,
}

/// The layer of the sandbox that keeps signals from processes outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signals {
    /// Landlock keeps signals from processes outside of the sandbox.
    Free,
    /// The filter of system calls keeps signals from processes outside by their numbers: signals go only to processes
    /// that are not older, which have larger numbers until the numbers begin again.
    ByNumber,
}

type Result<T> = std::result::Result<T, BackendError>;
/// The conditions under which each system call is refused; always where the list is empty.
pub(super) type Refused = BTreeMap<c_long, Vec<SeccompRule>>;

/// Flags of `clone` that are refused: a sibling in place of a child, whom we would have to reap, and
/// namespaces.
const OF_CLONE: [c_int; 8] = [
    libc::CLONE_PARENT,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// The request of `prctl` that keeps others from looking at a process: `PR_SET_DUMPABLE`.
const SET_DUMPABLE: u32 = 4;
/// The requests of `ioctl` that put letters into a terminal's input.
const TERMINAL: [u32; 2] = [0x5412, 0x541c];
/// The requests of `ioctl` that set the process that gets a socket's signals.
const OWNERS_OF_SOCKETS: [u32; 2] = [0x8901, 0x8902];
/// The commands of `fcntl` that set the process that gets a file's signals: `F_SETOWN` and `F_SETOWN_EX`.
const OWNERS_OF_FILES: [u32; 2] = [8, 15];
/// The kinds of sockets that can be connected to another one later: `SOCK_DGRAM` and `SOCK_RAW`.
const FREE_KINDS: [u32; 2] = [2, 3];
/// The bits of a socket's kind without its flags.
const KIND: u64 = 0xf;
/// The system calls that set priorities, each with the argument that stands for a user: `PRIO_USER` and
/// `IOPRIO_WHO_USER`.
const USERS: [(c_long, u32); 2] = [(libc::SYS_setpriority, 2), (libc::SYS_ioprio_set, 3)];

/// Returns the calls that are refused, with their conditions.
pub(super) fn refused(rules: Rules) -> Result<Refused> {
    let mut refused: Refused = without_conditions(rules)
        .map(|call| (call, vec![]))
        .collect();
    refused.insert(
        libc::SYS_clone,
        any(0, &OF_CLONE.map(i32::cast_unsigned), has)?,
    );
    for call in OF_A_PROCESS {
        refused.insert(call, others(0)?);
    }
    for call in PRIORITIES {
        refused.insert(call, others(1)?);
    }
    for (call, users) in USERS {
        refused.entry(call).or_default().push(is(0, users)?);
    }
    // Whoever cannot be traced by us cannot be measured by us.
    let hides = [condition(0, Eq, SET_DUMPABLE)?, condition(1, Ne, 1)?];
    refused.insert(libc::SYS_prctl, vec![rule(hides.into())?]);
    refused.insert(libc::SYS_ioctl, any(1, &TERMINAL, is)?);
    add_sockets(&mut refused, rules.sockets)?;
    if rules.signals == Signals::ByNumber {
        add_signals(&mut refused)?;
    }
    if !rules.has_own_mounts && rules.is_program {
        // Without a path, the times are those of a descriptor.
        let by_path = rule(vec![SeccompCondition::new(1, Qword, Ne, 0)?])?;
        refused.insert(libc::SYS_utimensat, vec![by_path]);
    }
    if !rules.has_own_mounts && !rules.has_truncate {
        add_cuts(&mut refused)?;
    }
    Ok(refused)
}

fn without_conditions(rules: Rules) -> impl Iterator<Item = c_long> {
    let if_so = |so: bool, calls: &'static [c_long]| if so { calls } else { &[] };
    let may_change_others = !rules.has_own_mounts;
    let lists: [&[c_long]; 10] = [
        &ALWAYS,
        &ALWAYS_HERE,
        if_so(!rules.leads_groups, &[libc::SYS_setpgid]),
        &IPC,
        if_so(may_change_others, &OWNERS),
        if_so(may_change_others, &OWNERS_HERE),
        if_so(may_change_others && rules.is_program, &MODES),
        if_so(may_change_others && rules.is_program, &MODES_HERE),
        if_so(may_change_others && rules.is_program, &[FCHMOD]),
        if_so(
            rules.signals == Signals::ByNumber,
            &[libc::SYS_pidfd_send_signal],
        ),
    ];
    lists.into_iter().flatten().copied()
}

fn add_sockets(refused: &mut Refused, sockets: Sockets) -> Result<()> {
    let mut pairs = any(1, &FREE_KINDS, kind_is)?;
    pairs.push(is_not(0, libc::AF_UNIX)?);
    refused.insert(libc::SYS_socketpair, pairs);
    let families = match sockets {
        Sockets::Pairs => vec![],
        Sockets::Own => {
            let [inet, inet6, netlink] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
            let others = [inet, inet6, netlink].map(|family| condition(0, Ne, number(family)));
            let netlink = condition(0, Eq, number(netlink))?;
            let no_routes = condition(2, Ne, number(libc::NETLINK_ROUTE))?;
            vec![
                rule(others.into_iter().collect::<Result<_>>()?)?,
                rule(vec![netlink, no_routes])?,
            ]
        }
    };
    refused.insert(libc::SYS_socket, families);
    Ok(())
}

fn add_signals(refused: &mut Refused) -> Result<()> {
    for call in SIGNALS {
        refused.insert(call, others(0)?);
    }
    refused.insert(libc::SYS_fcntl, any(1, &OWNERS_OF_FILES, is)?);
    let ioctls = refused.entry(libc::SYS_ioctl).or_default();
    ioctls.extend(any(1, &OWNERS_OF_SOCKETS, is)?);
    Ok(())
}

/// Adds the conditions by which system calls must not truncate a file by its path, or by opening it for reading.
fn add_cuts(refused: &mut Refused) -> Result<()> {
    let mode_and_cut = (libc::O_ACCMODE | libc::O_TRUNC).cast_unsigned();
    let cuts = |argument| -> Result<Vec<SeccompRule>> {
        let operator = MaskedEq(mode_and_cut.into());
        let cuts = condition(argument, operator, libc::O_TRUNC.cast_unsigned())?;
        Ok(vec![rule(vec![cuts])?])
    };
    refused.insert(libc::SYS_truncate, vec![]);
    refused.insert(libc::SYS_openat, cuts(2)?);
    #[cfg(target_arch = "x86_64")]
    refused.insert(libc::SYS_open, cuts(1)?);
    Ok(())
}

/// Returns the rules that match if an argument is the number of a process that is older than the leader, or of our
/// own, or of the group of such a one, or of all. Zero and the numbers of processes that are started later are
/// allowed.
fn others(argument: u8) -> Result<Vec<SeccompRule>> {
    let ours = std::process::id();
    // It may have a larger number than the leader, once the numbers have begun again.
    let group = rustix::process::getpgrp()
        .as_raw_nonzero()
        .get()
        .unsigned_abs();
    let is_older = [condition(argument, Lt, SELF)?, condition(argument, Ne, 0)?];
    Ok(vec![
        rule(is_older.into())?,
        rule(vec![condition(argument, Gt, MINUS_SELF)?])?,
        is(argument, ours)?,
        is(argument, ours.wrapping_neg())?,
        is(argument, group)?,
        is(argument, group.wrapping_neg())?,
    ])
}

fn any(
    argument: u8,
    values: &[u32],
    one: impl Fn(u8, u32) -> Result<SeccompRule>,
) -> Result<Vec<SeccompRule>> {
    values.iter().map(|value| one(argument, *value)).collect()
}

fn is(argument: u8, value: u32) -> Result<SeccompRule> {
    rule(vec![condition(argument, Eq, value)?])
}

fn is_not(argument: u8, value: c_int) -> Result<SeccompRule> {
    rule(vec![condition(argument, Ne, number(value))?])
}

/// Returns the rule that matches if an argument has this flag.
fn has(argument: u8, flag: u32) -> Result<SeccompRule> {
    rule(vec![condition(argument, MaskedEq(flag.into()), flag)?])
}

fn kind_is(argument: u8, kind: u32) -> Result<SeccompRule> {
    rule(vec![condition(argument, MaskedEq(KIND), kind)?])
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u32) -> Result<SeccompCondition> {
    SeccompCondition::new(argument, Dword, operator, value.into())
}

fn rule(conditions: Vec<SeccompCondition>) -> Result<SeccompRule> {
    SeccompRule::new(conditions)
}

fn number(value: c_int) -> u32 {
    value.cast_unsigned()
}
