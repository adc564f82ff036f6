#[test]
fn a_night_of_frost_is_summed_up() {
    let high = evalexpr::eval("max(-1.5, -9.25)").unwrap();
    assert_eq!(format!("high: {high}"), "high: -1.5");
}
