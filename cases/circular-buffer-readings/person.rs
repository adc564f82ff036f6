use circular_buffer::CircularBuffer;

#[test]
fn the_report_of_the_night_has_only_readings_of_the_night() {
    let readings = CircularBuffer::<3, u8>::from_iter([0, 1, 2, 3, 4]);
    assert_eq!(readings.range(0..2).count(), 2);
}
