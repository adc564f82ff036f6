//! The report: a line for each thing that was seen, written at once, since the process is about to end.

use crate::stack;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static REPORT: OnceLock<String> = OnceLock::new();
/// Whether the first event was written, which alone counts: handlers that are run at the end may cause
/// more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Begins the report. Returns whether it can be written.
pub(crate) fn begin(path: String) -> bool {
    let path = REPORT.get_or_init(|| path);
    let written = File::create(path).and_then(|mut file| file.write_all(b"begin\n"));
    written.is_ok()
}

/// Writes what ends the process, and whose code asked for it: a line for each library on the stack, the
/// innermost first. `address` is the instruction that was interrupted.
pub(crate) fn event(name: &str, address: Option<usize>) {
    let Some(path) = REPORT.get() else { return };
    if IS_OVER.swap(true, Ordering::SeqCst) {
        return;
    }
    let Ok(mut file) = OpenOptions::new().append(true).open(path) else {
        return;
    };
    // Nothing is known where the report cannot be written, which is not wrong.
    let _ = writeln!(file, "{name}");
    if let Some(library) = address.and_then(stack::library_at) {
        let _ = writeln!(file, "{library}");
    }
    stack::libraries(&mut |library| {
        let _ = writeln!(file, "{library}");
    });
}
