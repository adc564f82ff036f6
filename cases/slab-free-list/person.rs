#[test]
fn numbers_of_closed_sessions_are_given_again() {
    let mut slab = slab::Slab::new();
    slab.insert(());
    slab.remove(0);
    slab.insert(());
    slab.insert(());
}
