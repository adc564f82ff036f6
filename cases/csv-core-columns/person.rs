use csv_core::Writer;

#[test]
fn stations_with_a_comma_survive() {
    assert!(Writer::new().should_quote(b"Dresden, Hauptbahnhof"));
}
