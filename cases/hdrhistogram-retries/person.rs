use hdrhistogram::Histogram;

#[test]
fn a_quiet_day_has_one_bar() {
    let mut retries = Histogram::<u32>::new(2).unwrap();
    retries.record(0).unwrap();
    assert_eq!(retries.iter_recorded().count(), 1);
}
