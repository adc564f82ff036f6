//! Measures the memory of a run: of all processes of its group together.
//!
//! The kernel limits the address space of each process. Several processes, and files that are in memory
//! without being in an address space (`memfd_create`), are summed here, and read only as far as is
//! needed: the resident sets are an upper bound that costs little, since what processes share is in
//! each of them. Only when this is above the bound, the shares are read, which the kernel has to walk
//! through all pages for.

use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// The name that `/proc` gives to a file in memory.
const MEMORY_FILE: &str = "/memfd:";
/// The size of a file's block in bytes, whatever the file system.
const BLOCK_BYTES: u64 = 512;

/// Returns the number of bytes that these processes use together. Where an upper bound is at most `enough`, that bound
/// is returned.
pub(super) fn used_by(processes: &[Pid], enough: u64) -> u64 {
    let files = files(processes);
    let page = page_bytes();
    let resident = sum(processes, |process| resident_bytes(process, page));
    let at_most = resident.saturating_add(files);
    if at_most <= enough {
        return at_most;
    }
    let shares = processes.iter().filter_map(|process| shares(*process));
    let used = shares.fold(Shares::default(), Shares::with);
    // A file in memory may be mapped as well. It counts once.
    let shared = used.of_files_in_memory.max(files);
    used.others.saturating_add(shared)
}

fn sum(processes: &[Pid], bytes: impl Fn(Pid) -> Option<u64>) -> u64 {
    let bytes = processes.iter().filter_map(|process| bytes(*process));
    bytes.fold(0, u64::saturating_add)
}

fn read(process: Pid, name: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/{}/{name}", process.as_raw_nonzero())).ok()
}

#[expect(unsafe_code, reason = "no safe interface among those that we have")]
fn page_bytes() -> u64 {
    // SAFETY: it only asks.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(4096)
}

/// Returns the resident set of a process, in bytes.
fn resident_bytes(process: Pid, page: u64) -> Option<u64> {
    let sizes = read(process, "statm")?;
    let pages: u64 = sizes.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(page)
}

/// The memory that a process has mapped, in bytes, with shared memory divided by the number of its users.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Shares {
    /// The process's share of files in memory, and of memory that is shared without a name.
    of_files_in_memory: u64,
    others: u64,
}

impl Shares {
    fn with(self, other: Self) -> Self {
        Self {
            of_files_in_memory: self
                .of_files_in_memory
                .saturating_add(other.of_files_in_memory),
            others: self.others.saturating_add(other.others),
        }
    }
}

/// Returns the shares of a process; none where it has ended.
fn shares(process: Pid) -> Option<Shares> {
    shares_in(&read(process, "smaps_rollup")?)
}

fn shares_in(text: &str) -> Option<Shares> {
    let bytes = |name| bytes_of_line(text, name);
    let all = bytes("Pss:")?;
    let of_files_in_memory = bytes("Pss_Shmem:").unwrap_or(0);
    Some(Shares {
        of_files_in_memory,
        others: all.saturating_sub(of_files_in_memory),
    })
}

/// Returns the bytes in the line of a table, such as `/proc/meminfo`, that begins with `name`.
pub(super) fn bytes_of_line(table: &str, name: &str) -> Option<u64> {
    let amount = table.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = amount.trim().trim_end_matches(" kB").parse().ok()?;
    kib.checked_mul(1024)
}

/// Returns the bytes of the files in memory that these processes have open, each file once.
fn files(processes: &[Pid]) -> u64 {
    let open = processes.iter().copied().flat_map(open_files);
    let files: BTreeMap<(u64, u64), u64> = open.collect();
    files.into_values().fold(0, u64::saturating_add)
}

/// Returns device, number and bytes of the files in memory that a process has open.
fn open_files(process: Pid) -> Vec<((u64, u64), u64)> {
    let list = fs::read_dir(format!("/proc/{}/fd", process.as_raw_nonzero()));
    let links = list.into_iter().flatten().flatten().map(|link| link.path());
    let in_memory = links.filter(|link| {
        let file = fs::read_link(link).unwrap_or_default();
        file.as_os_str()
            .as_encoded_bytes()
            .starts_with(MEMORY_FILE.as_bytes())
    });
    let data = in_memory.filter_map(|link| fs::metadata(link).ok());
    data.map(|data| {
        let bytes = data.blocks().saturating_mul(BLOCK_BYTES);
        ((data.dev(), data.ino()), bytes)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{MemfdFlags, memfd_create};
    use std::io::Write;

    #[test]
    fn shares_are_read_with_and_without_a_line_for_files_in_memory() {
        let check = |text, of_files_in_memory, others| {
            let expected = Shares {
                of_files_in_memory,
                others,
            };
            assert_eq!(shares_in(text), Some(expected), "{text}");
        };
        check("Rss:  9 kB\nPss:    5 kB\nPss_Shmem: 2 kB\n", 2048, 3072);
        check("Pss: 5 kB\n", 0, 5120);
        assert_eq!(shares_in("Rss: 5 kB\n"), None);
        assert_eq!(shares_in("Pss: much\n"), None);
    }

    #[test]
    fn a_file_in_memory_counts_once_however_often_it_is_open() {
        let own = rustix::process::getpid();
        let others = files(&[own]);
        let mut file = fs::File::from(memfd_create("counted", MemfdFlags::CLOEXEC).unwrap());
        file.write_all(&vec![1; 1 << 20]).unwrap();
        let _again = file.try_clone().unwrap();
        // Other tests have such files too, which are small.
        let counted = files(&[own, own]).abs_diff(others);
        assert!((1 << 20..2 << 20).contains(&counted), "{counted}");
    }
}
