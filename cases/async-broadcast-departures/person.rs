use async_broadcast::broadcast;

#[test]
fn nobody_announces_to_displays_that_are_switched_off() {
    let (sender, receiver) = broadcast::<()>(1);
    drop(receiver.deactivate());
    assert!(sender.is_closed());
}
