use rangemap::RangeMap;

#[test]
fn an_error_at_the_end_of_a_token_is_shown() {
    let mut styles = RangeMap::new();
    styles.insert(0..4, 'n');
    styles.insert(4..5, '.');
    styles.insert(2..4, 'E');
    assert_eq!(styles.get(&4), Some(&'.'));
}
