//! Puts the heap of each forked rustc into huge pages, which costs the kernel less time.
//!
//! Most of a small query's time in the kernel goes into the first touch of each of some thousand pages.
//! The compiler's allocator asks the system for a few megabytes at a time; here it gets them as
//! neighbours out of a mapping of huge pages. What was there before the fork stays as it is.

use crate::system::{
    self, MADV_HUGEPAGE, MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ,
    PROT_WRITE, Replaced,
};
use crate::threads;
use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

type Map = unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, i64) -> *mut c_void;

static MAP: Replaced = Replaced::new(c"mmap");
static IS_WANTED: AtomicBool = AtomicBool::new(false);
/// The addresses of the last mapped huge pages that no allocation uses yet.
static REST: Mutex<Range<usize>> = Mutex::new(0..0);

/// The size of a huge page.
pub(crate) const HUGE: usize = 2 << 20;
/// The size of an ordinary page.
const PAGE: usize = 4096;
/// The least size in bytes from which on a mapping is taken for one of the allocator's.
const SMALLEST: usize = 1 << 20;
/// The number of bytes of huge pages that are mapped at a time; a mapping counts as address space, but takes memory
/// only where it is touched.
const CHUNK: usize = 32 << 20;

/// Makes forked compilers put their heaps into huge pages.
pub(crate) fn want_huge_pages() {
    // Looked up now: in a child, it is the allocator that asks.
    original();
    IS_WANTED.store(true, SeqCst);
}

/// Maps memory or a file.
///
/// # Safety
/// As the C library's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn mmap(
    address: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    offset: i64,
) -> *mut c_void {
    let is_memory = flags & !MAP_NORESERVE == MAP_PRIVATE | MAP_ANONYMOUS
        && protection == PROT_READ | PROT_WRITE;
    let is_heap = is_memory && address.is_null() && len >= SMALLEST;
    let place = match is_heap && is_for_child() {
        true => take(len.next_multiple_of(PAGE)),
        false => None,
    };
    if let Some(place) = place {
        return place;
    }
    // SAFETY: the arguments are the caller's.
    unsafe { original()(address, len, protection, flags, fd, offset) }
}

fn is_for_child() -> bool {
    IS_WANTED.load(SeqCst) && threads::is_child()
}

/// Returns the address of `len` unused bytes in huge pages; `None` where the system has none.
fn take(len: usize) -> Option<*mut c_void> {
    let mut rest = REST.lock().unwrap_or_else(PoisonError::into_inner);
    if rest.len() < len {
        *rest = chunk(len.next_multiple_of(HUGE).max(CHUNK))?;
    }
    let start = rest.start;
    rest.start += len;
    Some(std::ptr::with_exposed_provenance_mut(start))
}

/// Maps new memory anywhere, and returns its address as a number.
pub(crate) fn reserve(len: usize) -> Option<usize> {
    let (protection, flags) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
    // SAFETY: a new mapping anywhere.
    let base = unsafe { original()(null_mut(), len, protection, flags | MAP_NORESERVE, -1, 0) };
    (base != MAP_FAILED).then(|| base.expose_provenance())
}

/// Maps `len` bytes of new memory that begin with a huge page.
fn chunk(len: usize) -> Option<Range<usize>> {
    let base = reserve(len + HUGE)?;
    let start = base.next_multiple_of(HUGE);
    for surplus in [base..start, start + len..base + len + HUGE] {
        let place = std::ptr::with_exposed_provenance_mut(surplus.start);
        // SAFETY: a part of the new mapping that nobody has. Nothing is unmapped where it is empty.
        unsafe { system::munmap(place, surplus.len()) };
    }
    // SAFETY: the rest of the new mapping; where there are no huge pages, small ones will do.
    unsafe {
        system::madvise(
            std::ptr::with_exposed_provenance_mut(start),
            len,
            MADV_HUGEPAGE,
        )
    };
    Some(start..start + len)
}

fn original() -> Map {
    // SAFETY: the C library defines it with this type.
    unsafe { transmute::<usize, Map>(MAP.original()) }
}
