//! A printer that panics leaves nothing on the terminal. A program of its own, as the hook is of the whole process.

use std::panic::{catch_unwind, set_hook};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn nobody_hears_of_syntax_that_the_printer_does_not_know() {
    let heard = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&heard);
    set_hook(Box::new(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
    }));
    let unknown = "macro_rules! m { unknown }";
    assert!(syn::parse_file(unknown).is_ok());
    assert_eq!(reduce_syntax::pretty(unknown), None);
    assert_eq!(heard.load(Ordering::SeqCst), 0);
    assert!(catch_unwind(|| panic!("another one")).is_err());
    assert_eq!(heard.load(Ordering::SeqCst), 1);
}
