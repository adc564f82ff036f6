use rust_decimal::Decimal;

#[test]
fn the_better_of_two_discounts_is_given() {
    let discounts = [Decimal::new(-161735, 4), Decimal::from(-25)];
    assert_eq!(discounts.into_iter().min(), Some(Decimal::from(-25)));
}
