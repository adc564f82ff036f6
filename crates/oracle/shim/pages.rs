//! Moves the code of a running rustc to huge pages.
//!
//! A child shares its parent's memory, but not the tables that say where each page of a file's
//! mapping is: it takes a fault for every few of the code pages that it runs through. A copy of the
//! code in anonymous huge pages, moved to where the code was, costs 50 MB once for each server, and a
//! child no faults. Released compilers have what runs often in a mapping of its own; that one is enough.

use crate::heap::{HUGE, reserve};
use crate::system::{self, MADV_HUGEPAGE, MREMAP_FIXED, MREMAP_MAYMOVE, PROT_EXEC, PROT_READ};
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::with_exposed_provenance_mut;

/// The beginning of the file name of the library that has the compiler's code.
const DRIVER: &str = "/librustc_driver-";

/// Moves the compiler's code to huge pages: the mapping of which most has run already. Where the system
/// does not allow it, all stays as it is.
pub(crate) fn move_code_to_huge_pages() {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    if let Some((code, _)) = code_of_driver(&maps).max_by_key(|(_, resident)| *resident) {
        move_to_huge_pages(code);
    }
}

/// Returns the driver's mappings of code in `/proc/PID/smaps`, with how much of each is in memory.
fn code_of_driver(maps: &str) -> impl Iterator<Item = (Range<usize>, u64)> {
    let mut code = None;
    maps.lines().filter_map(move |line| {
        if let Some(addresses) = addresses_of(line) {
            code = is_code_of_driver(line).then_some(addresses);
            return None;
        }
        Some((code.clone()?, resident_kib(line)?))
    })
}

/// Returns the addresses of a mapping, if a line of `/proc/PID/smaps` begins one.
fn addresses_of(line: &str) -> Option<Range<usize>> {
    let (start, end) = line.split_ascii_whitespace().next()?.split_once('-')?;
    let number = |digits| usize::from_str_radix(digits, 16).ok();
    Some(number(start)?..number(end)?)
}

fn is_code_of_driver(line: &str) -> bool {
    line.contains(" r-xp ") && line.contains(DRIVER)
}

/// Returns the size of a mapping's part that is in memory and has been used, in KiB.
fn resident_kib(line: &str) -> Option<u64> {
    let amount = line.strip_prefix("Rss:")?.trim().strip_suffix(" kB")?;
    amount.parse().ok()
}

fn move_to_huge_pages(code: Range<usize>) {
    let reserved = code.len() + 2 * HUGE;
    let Some(base) = reserve(reserved) else {
        return;
    };
    // As far into a huge page as the code itself: the tables can then be moved as they are.
    let start = base.next_multiple_of(HUGE) + code.start % HUGE;
    let copy: *mut c_void = with_exposed_provenance_mut(start);
    let original: *mut c_void = with_exposed_provenance_mut(code.start);
    // SAFETY: the copy lies in the new mapping with a huge page to spare. The original is readable,
    // and the copy replaces it with the same bytes at the same addresses, in one step: no thread
    // sees anything else. What is left of the new mapping is not used by anybody.
    unsafe {
        system::madvise(with_exposed_provenance_mut(base), reserved, MADV_HUGEPAGE);
        std::ptr::copy_nonoverlapping(
            original.cast::<u8>().cast_const(),
            copy.cast::<u8>(),
            code.len(),
        );
        let flags = MREMAP_MAYMOVE | MREMAP_FIXED;
        if system::mprotect(copy, code.len(), PROT_READ | PROT_EXEC) == 0 {
            system::mremap(copy, code.len(), code.len(), flags, original);
        }
    }
    unmap_around(base..base + reserved, start..start + code.len());
}

/// Unmaps a mapping except for the part that was moved to another place. If it was not, that part goes too.
fn unmap_around(whole: Range<usize>, moved: Range<usize>) {
    for rest in [
        whole.start..moved.start,
        moved.clone(),
        moved.end..whole.end,
    ] {
        // SAFETY: nobody uses it; where it was moved away, nothing has been mapped there since, as
        // the other threads wait.
        unsafe { system::munmap(with_exposed_provenance_mut(rest.start), rest.len()) };
    }
}
