#[test]
fn packets_survive_the_wire() {
    let mut wire = Vec::new();
    leb128::write::unsigned(&mut wire, 1 << 32).unwrap();
    assert_eq!(
        leb128::read::unsigned(&mut wire.as_slice()).unwrap(),
        1 << 32
    );
}
