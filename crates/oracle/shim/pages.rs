//! The compiler's code in huge pages.
//!
//! A child shares its parent's memory, but not the tables that say where each page of a file's
//! mapping is: it takes a fault for every few of the code pages that it runs through, which is a
//! quarter of a small query's CPU time. A copy of the code in anonymous huge pages, moved to where
//! the code was, costs 60 MB once for each server, and a child no faults.

use crate::heap::{HUGE, reserve};
use crate::system::{self, MADV_HUGEPAGE, MREMAP_FIXED, MREMAP_MAYMOVE, PROT_EXEC, PROT_READ};
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::with_exposed_provenance_mut;

/// The library that the compiler consists of.
const DRIVER: &str = "/librustc_driver-";

/// Moves the compiler's code to huge pages. Where the system does not allow it, all stays as it is.
pub(crate) fn move_code_to_huge_pages() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for code in maps.lines().filter_map(code_of_driver) {
        move_to_huge_pages(code);
    }
}

/// The addresses of a line of `/proc/PID/maps`, if it is executable code of the driver.
fn code_of_driver(line: &str) -> Option<Range<usize>> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let is_code = words.next()? == "r-xp" && line.contains(DRIVER);
    let number = |digits| usize::from_str_radix(digits, 16).ok();
    Some(number(start)?..number(end)?).filter(|_| is_code)
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

/// Gives back a mapping but for a part that was moved away. If it was not, that part goes too.
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
