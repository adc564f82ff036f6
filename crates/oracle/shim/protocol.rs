//! The protocol between the oracle and a fork server, inside rustc or a program: packets of one size over a
//! `SOCK_SEQPACKET` socket. Compiled into both sides.
//!
//! The server sends [`Reply::Ready`] once rustc or the program is loaded. After each [`Request::Run`], which brings
//! three descriptors, the new child's stdout and stderr and a socket on which the child sends a byte to
//! introduce itself, it sends one [`Reply::Ended`] or
//! [`Reply::NotForked`]. A [`Request::Signal`] may come in between; one that comes when the child has
//! ended already does nothing. The end of the stream ends the server, and the child's group with it.

/// The size of every packet, in bytes.
pub(crate) const PACKET_BYTES: usize = 40;

/// One packet of the protocol.
pub(crate) type Packet = [u8; PACKET_BYTES];

/// The environment variable with the number of the descriptor by which the fork server speaks to the oracle.
pub(crate) const SOCKET_VARIABLE: &str = "CARGO_REDUCE_WARM_SOCKET";
/// The environment variable with the path of the crate root, as it stands in rustc's arguments.
pub(crate) const ROOT_VARIABLE: &str = "CARGO_REDUCE_WARM_ROOT";
/// The environment variable with the path of the executable that may become a server: another one, such as the shell
/// of a wrapper script, runs as if nothing were preloaded.
pub(crate) const PROGRAM_VARIABLE: &str = "CARGO_REDUCE_WARM_PROGRAM";
/// The environment variable with the settings of a program's runs: a variable with its value in each line.
pub(crate) const SETTINGS_VARIABLE: &str = "CARGO_REDUCE_WARM_SETTINGS";
/// The environment variable that, if it is there, has the compiler's code moved to huge pages.
pub(crate) const PAGES_VARIABLE: &str = "CARGO_REDUCE_WARM_PAGES";

/// A request of the oracle to the fork server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    /// Fork a child that compiles what now is the crate root, or that is one run of the program.
    Run(Run),
    /// Send this signal to the child's process group.
    Signal(i32),
}

/// The limits and the setting of a child that is to be forked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// CPU time in seconds after which the kernel ends the child; 0 for no limit.
    pub(crate) cpu_seconds: u64,
    /// CPU time in microseconds after which the kernel signals the child; 0 for no limit.
    pub(crate) own_microseconds: u64,
    /// The number of the program's setting, from 0. A compiler has none.
    pub(crate) setting: u64,
}

/// An answer of the fork server to the oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// rustc is loaded and about to read the crate root, or the program is loaded and its `main` is still to come.
    Ready,
    /// The child has ended, and nothing of its group is left.
    Ended(Use),
    /// No child was forked, because of this system error.
    NotForked(i32),
}

/// The end of a child and what it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    /// The exit status of the child, as `wait4` gives it.
    pub(crate) status: i32,
    /// User and system time of the child, in microseconds.
    pub(crate) cpu_microseconds: u64,
    /// Largest resident set of the child, in KiB.
    pub(crate) peak_kib: u64,
}

impl Request {
    pub(crate) fn to_packet(self) -> Packet {
        match self {
            Self::Run(run) => packet([1, run.cpu_seconds, run.own_microseconds, run.setting]),
            Self::Signal(signal) => packet([2, signed(signal), 0, 0]),
        }
    }

    /// Reads a request from a packet; `None` where the packet is none.
    pub(crate) fn from_packet(packet: &Packet) -> Option<Self> {
        let [tag, value, own_microseconds, setting] = words(packet);
        match tag {
            1 => Some(Self::Run(Run {
                cpu_seconds: value,
                own_microseconds,
                setting,
            })),
            2 => Some(Self::Signal(unsigned(value))),
            _ => None,
        }
    }
}

impl Reply {
    pub(crate) fn to_packet(self) -> Packet {
        match self {
            Self::Ready => packet([1, 0, 0, 0]),
            Self::Ended(used) => {
                packet([2, signed(used.status), used.cpu_microseconds, used.peak_kib])
            }
            Self::NotForked(error) => packet([3, signed(error), 0, 0]),
        }
    }

    /// Reads a reply from a packet; `None` where the packet is none.
    pub(crate) fn from_packet(packet: &Packet) -> Option<Self> {
        let [tag, value, cpu_microseconds, peak_kib] = words(packet);
        match tag {
            1 => Some(Self::Ready),
            2 => Some(Self::Ended(Use {
                status: unsigned(value),
                cpu_microseconds,
                peak_kib,
            })),
            3 => Some(Self::NotForked(unsigned(value))),
            _ => None,
        }
    }
}

/// The first word of each packet, by which both sides see that they are of one build. Four more words
/// follow.
const BUILD: u64 = 0x7761_726d_2d72_6332;

fn packet(words: [u64; 4]) -> Packet {
    let mut packet = [0; PACKET_BYTES];
    let [tag, a, b, c] = words;
    for (place, word) in packet.chunks_exact_mut(8).zip([BUILD, tag, a, b, c]) {
        place.copy_from_slice(&word.to_ne_bytes());
    }
    packet
}

fn words(packet: &Packet) -> [u64; 4] {
    let mut words = [0; 5];
    for (word, place) in words.iter_mut().zip(packet.chunks_exact(8)) {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(place);
        *word = u64::from_ne_bytes(bytes);
    }
    match words {
        [BUILD, tag, a, b, c] => [tag, a, b, c],
        _ => [0; 4],
    }
}

fn signed(number: i32) -> u64 {
    u64::from(number.cast_unsigned())
}

fn unsigned(word: u64) -> i32 {
    u32::try_from(word).unwrap_or(0).cast_signed()
}
