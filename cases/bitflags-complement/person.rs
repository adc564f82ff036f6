use bitflags::bitflags;

bitflags! {
    struct Permissions: u16 {
        const EDIT = 0b11;
        const REST = 0b11_0100;
    }
}

#[test]
fn what_is_denied_is_listed() {
    assert_eq!((!Permissions::EDIT).bits(), 0b11_0100);
}
