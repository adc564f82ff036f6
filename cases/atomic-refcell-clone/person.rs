use atomic_refcell::{AtomicRef, AtomicRefCell};

mod views {
    use super::*;

    #[test]
    fn a_view_that_was_cloned_keeps_the_board_from_changing() {
        let cell = AtomicRefCell::new(());
        let first = cell.borrow();
        let second = AtomicRef::clone(&first);
        drop(first);
        assert!(cell.try_borrow_mut().is_err());
        drop(second);
    }
}
