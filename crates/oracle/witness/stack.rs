//! The libraries whose code is on the stack of this thread.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null;

/// The largest number of frames that are looked at: deeper ones have called all of these, and do
/// not matter.
const MOST_FRAMES: usize = 200;
/// The value by which a visitor of frames says to go on.
const GO_ON: c_int = 0;
/// The value by which a visitor of frames says to stop: any other reason.
const STOP: c_int = 5;

/// The structure `Dl_info`.
#[repr(C)]
struct Place {
    library: *const c_char,
    base: *const c_void,
    symbol: *const c_char,
    address: *const c_void,
}

type Visitor = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

unsafe extern "C" {
    fn dladdr(address: *const c_void, place: *mut Place) -> c_int;
    fn _Unwind_Backtrace(visitor: Visitor, data: *mut c_void) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
}

/// Returns the library, or the program, that has the instruction at an address.
pub(crate) fn library_at(address: usize) -> Option<Cow<'static, str>> {
    let mut place = Place {
        library: null(),
        base: null(),
        symbol: null(),
        address: null(),
    };
    // SAFETY: any address may be asked for; the place is ours.
    let is_known = unsafe { dladdr(std::ptr::without_provenance(address), &raw mut place) } != 0;
    if !is_known || place.library.is_null() {
        return None;
    }
    // SAFETY: the loader's name of a library is a C string, and stays as long as the library.
    let name = unsafe { CStr::from_ptr(place.library) };
    Some(name.to_string_lossy())
}

/// The state of a walk over the stack.
struct Walk<'a> {
    visit: &'a mut dyn FnMut(&str),
    last: String,
    frames: usize,
}

/// Visits the libraries of the frames, the innermost first; those that follow each other once.
pub(crate) fn libraries(visit: &mut dyn FnMut(&str)) {
    let mut walk = Walk {
        visit,
        last: String::new(),
        frames: 0,
    };
    // SAFETY: the visitor gets back the pointer to the walk, which lives until the call returns.
    unsafe { _Unwind_Backtrace(visitor, (&raw mut walk).cast()) };
}

unsafe extern "C" fn visitor(frame: *mut c_void, data: *mut c_void) -> c_int {
    // SAFETY: it is the walk that `libraries` has handed over, and nobody else has it meanwhile.
    let walk = unsafe { &mut *data.cast::<Walk<'_>>() };
    // SAFETY: the unwinder's own frame.
    let address = unsafe { _Unwind_GetIP(frame) };
    // The address is that after the call, which may be the next function's first.
    if let Some(library) = library_at(address.saturating_sub(1))
        && library != walk.last
    {
        (walk.visit)(&library);
        walk.last = library.into_owned();
    }
    walk.frames += 1;
    if walk.frames < MOST_FRAMES {
        GO_ON
    } else {
        STOP
    }
}
