//! Makes system calls fail that are in a list of refused ones: a call that the list does not name works, and a
//! refused call returns `EPERM`, so that a program can go on.
//!
//! seccomp sees numbers, not what they point to. So a socket of the file system is refused when it is
//! made, not when it connects, and `clone3`, whose flags are in memory, is said not to exist: the C
//! libraries then use `clone`.

mod calls;
mod rules;

use rules::{MINUS_SELF, Refused, SELF};
pub(super) use rules::{Rules, Signals, Sockets};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, sock_filter};
use std::io;

/// The action for a refused system call, which is to return `EPERM`.
const REFUSED: SeccompAction = SeccompAction::Errno(libc::EPERM as u32);
/// Room for the largest filter, on the child's stack.
const MOST_INSTRUCTIONS: usize = 1536;
/// The first number of the calls of x32.
const FIRST_OF_X32: u32 = 0x4000_0000;
/// The flag by which filters do not slow down speculative execution: there is no secret to be kept in the child's memory.
const SPECULATES: libc::c_ulong = 4;

/// The placeholder for the number of instructions that a jump to the end of the filter skips.
const TO_THE_END: u32 = 0x5e1f_0003;
/// The codes of the filter's instructions.
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

/// A filter of system calls, as a program for the kernel.
#[derive(Debug)]
pub(super) struct Filter {
    program: BpfProgram,
}

/// The program of a filter, in the layout that the kernel expects.
#[repr(C)]
struct Program {
    length: libc::c_ushort,
    instructions: *const sock_filter,
}

impl Filter {
    /// Makes the filter of some rules for this processor.
    ///
    /// # Errors
    /// Where the processor is not known.
    pub(super) fn new(rules: Rules) -> io::Result<Self> {
        let arch = this_machine().ok_or(io::ErrorKind::Unsupported)?;
        let mut calls = rules::refused(rules).map_err(io::Error::other)?;
        let mut program = prelude(arch);
        program.extend(search(&leaves(&calls)?));
        // The search is enough for those that are refused whatever their arguments are.
        calls.retain(|_, conditions| !conditions.is_empty());
        let filter = SeccompFilter::new(calls, SeccompAction::Allow, REFUSED, arch);
        let compiled: Result<BpfProgram, _> = filter.and_then(BpfProgram::try_from);
        program.extend(compiled.map_err(io::Error::other)?);
        if program.len() > MOST_INSTRUCTIONS {
            return Err(io::Error::other("the filter of system calls is too long"));
        }
        Ok(Self { program })
    }

    /// Installs the filter on the calling thread for ever. No new privileges must have been asked for.
    /// Only makes system calls.
    #[expect(unsafe_code, reason = "the safe interface does not take flags")]
    pub(super) fn install(&self) -> io::Result<()> {
        let mine = std::process::id();
        let mut program = [const { instruction(0, 0, 0, 0) }; MOST_INSTRUCTIONS];
        for (place, from) in program.iter_mut().zip(&self.program) {
            let k = match from.k {
                SELF => mine,
                MINUS_SELF => mine.wrapping_neg(),
                k => k,
            };
            *place = instruction(from.code, from.jt, from.jf, k);
        }
        let program = Program {
            length: self.program.len().try_into().unwrap_or(0),
            instructions: program.as_ptr(),
        };
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        // SAFETY: the kernel copies the instructions, whose number is right, from the live array.
        let done =
            unsafe { libc::syscall(libc::SYS_seccomp, mode, SPECULATES, &raw const program) };
        if done == 0 {
            Ok(())
        } else {
            Err(io::Error::last_os_error())
        }
    }
}

/// Whether a filter can be written for this processor.
pub(super) fn knows_this_machine() -> bool {
    this_machine().is_some()
}

fn this_machine() -> Option<TargetArch> {
    TargetArch::try_from(std::env::consts::ARCH).ok()
}

/// Whether the kernel takes filters.
#[expect(unsafe_code, reason = "a system call that only asks")]
pub(super) fn is_there() -> bool {
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads one live number.
    let known = unsafe {
        let ask = libc::SECCOMP_GET_ACTION_AVAIL;
        libc::syscall(libc::SYS_seccomp, ask, 0, &raw const action)
    };
    known == 0
}

/// Returns the first instructions of a filter of system calls: calls of another architecture or of x32, and `clone3`,
/// do not exist. The compiled rules would end a process for the first, and not see the second.
fn prelude(arch: TargetArch) -> BpfProgram {
    let missing = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    let clone3 = u32::try_from(libc::SYS_clone3).expect("numbers of system calls are small");
    vec![
        instruction(LOAD, 0, 0, 4),
        instruction(IF_EQUAL, 0, 3, audited(arch)),
        instruction(LOAD, 0, 0, 0),
        instruction(IF_AT_LEAST, 1, 0, FIRST_OF_X32),
        instruction(IF_EQUAL, 0, 1, clone3),
        instruction(RETURN, 0, 0, missing),
    ]
}

/// A system call that rules are about.
struct Leaf {
    call: u32,
    /// The instruction for the call: return, or jump to the rules with conditions.
    step: sock_filter,
}

fn leaves(calls: &Refused) -> io::Result<Vec<Leaf>> {
    let refused = u32::from(REFUSED);
    let leaf = |(call, conditions): (&i64, &Vec<_>)| {
        let step = match conditions.is_empty() {
            true => instruction(RETURN, 0, 0, refused),
            false => instruction(JUMP, 0, 0, TO_THE_END),
        };
        let call = u32::try_from(*call).map_err(io::Error::other)?;
        Ok(Leaf { call, step })
    };
    calls.iter().map(leaf).collect()
}

/// Makes the part of a filter that looks a system call up by bisection of the sorted numbers, and allows it at once
/// if no rule is about it. The part goes on after its end with calls that have conditions. The compiled rules look at
/// one call after the other, and the kernel tries all calls there are when a filter is installed: that took it 0.3
/// ms.
fn search(leaves: &[Leaf]) -> BpfProgram {
    let mut program = vec![];
    add_search(leaves, &mut program);
    let end = program.len();
    for (at, step) in program.iter_mut().enumerate() {
        if step.k == TO_THE_END {
            step.k = u32::try_from(end - at - 1).unwrap_or(0);
        }
    }
    program
}

fn add_search(leaves: &[Leaf], program: &mut BpfProgram) {
    let (less, more) = leaves.split_at(leaves.len() / 2);
    let Some(first) = more.first() else { return };
    if less.is_empty() {
        program.push(instruction(IF_EQUAL, 1, 0, first.call));
        program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
        program.push(first.step.clone());
        return;
    }
    let fork = program.len();
    program.push(instruction(IF_AT_LEAST, 0, 1, first.call));
    program.push(instruction(JUMP, 0, 0, 0));
    add_search(less, program);
    let over = u32::try_from(program.len() - fork - 2).unwrap_or(0);
    if let Some(jump) = program.get_mut(fork + 1) {
        jump.k = over;
    }
    add_search(more, program);
}

/// Returns the number by which the kernel knows a kind of processor.
fn audited(arch: TargetArch) -> u32 {
    const IS_LITTLE_64: u32 = 0xc000_0000;
    let machine = match arch {
        TargetArch::x86_64 => 62,
        TargetArch::aarch64 => 183,
        TargetArch::riscv64 => 243,
    };
    machine | IS_LITTLE_64
}

const fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a program of jumps and returns for a call: a returned value, or `None` at its end.
    fn followed(program: &[sock_filter], call: u32) -> Option<u32> {
        let mut at = 0;
        while let Some(step) = program.get(at) {
            let skipped = |is_so| if is_so { step.jt } else { step.jf };
            at += 1 + match step.code {
                IF_EQUAL => usize::from(skipped(call == step.k)),
                IF_AT_LEAST => usize::from(skipped(call >= step.k)),
                JUMP => step.k as usize,
                RETURN => return Some(step.k),
                code => panic!("unknown step {code}"),
            };
        }
        None
    }

    fn check(refused: &[u32], conditional: &[u32]) {
        let always = refused.iter().map(|call| (i64::from(*call), vec![]));
        let condition = || seccompiler::SeccompCmpOp::Eq;
        let length = seccompiler::SeccompCmpArgLen::Dword;
        let rule = || {
            let condition = seccompiler::SeccompCondition::new(0, length.clone(), condition(), 1);
            seccompiler::SeccompRule::new(vec![condition.unwrap()]).unwrap()
        };
        let some = conditional
            .iter()
            .map(|call| (i64::from(*call), vec![rule()]));
        let program = search(&leaves(&always.chain(some).collect()).unwrap());
        for call in (0..600).chain([u32::MAX - 1, u32::MAX]) {
            let expected = if refused.contains(&call) {
                Some(u32::from(REFUSED))
            } else if conditional.contains(&call) {
                None
            } else {
                Some(libc::SECCOMP_RET_ALLOW)
            };
            assert_eq!(
                followed(&program, call),
                expected,
                "{call} {refused:?} {conditional:?}"
            );
        }
    }

    #[test]
    fn the_search_tells_what_is_refused_from_what_is_allowed_and_what_has_conditions() {
        check(&[0], &[]);
        check(&[], &[599]);
        check(&[1, 2, 3], &[4]);
        check(&[0, 7, 9, 300, 301, 599], &[8, 10, 302]);
        let odd: Vec<u32> = (0..200).map(|number| number * 3 + 1).collect();
        let even: Vec<u32> = (0..200).map(|number| number * 3).collect();
        check(&odd, &even);
    }

    #[test]
    fn all_filters_are_short_enough() {
        for bits in 0..64_u32 {
            let has = |bit: u32| bits & (1 << bit) != 0;
            let filter = Filter::new(Rules {
                sockets: if has(0) { Sockets::Own } else { Sockets::Pairs },
                signals: if has(1) {
                    Signals::Free
                } else {
                    Signals::ByNumber
                },
                has_own_mounts: has(2),
                has_truncate: has(3),
                is_program: has(4),
                leads_groups: has(5),
            });
            assert!(filter.unwrap().program.len() < MOST_INSTRUCTIONS);
        }
    }
}
