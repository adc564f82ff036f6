//! Threads whose stacks are deep enough to parse any program.

/// The size of a thread's stack in bytes: programs nest as deeply as somebody wrote them or a macro
/// made them, and are parsed by descent.
const STACK_BYTES: usize = 512 << 20;

/// Makes a thread whose stack is deep enough for [`reduce`](crate::reduce); memory is taken only for the part
/// that is used.
pub fn thread(name: &str) -> std::thread::Builder {
    let named = std::thread::Builder::new().name(name.to_owned());
    named.stack_size(STACK_BYTES)
}
