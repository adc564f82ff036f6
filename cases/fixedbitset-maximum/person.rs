use fixedbitset::FixedBitSet;

#[test]
fn the_largest_gap_is_bounded() {
    let mut gaps = FixedBitSet::with_capacity(256);
    gaps.insert(14);
    assert_eq!(gaps.maximum(), Some(14));
}
