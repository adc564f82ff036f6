use num_rational::Ratio;
use std::cmp::Ordering;

#[test]
fn intervals_are_ordered_by_size() {
    let lower = Ratio::new(6, 5);
    let higher = Ratio::new(5, 4);
    assert_eq!(
        higher.cmp(&lower),
        Ordering::Greater,
        "minor and major third"
    );
}
