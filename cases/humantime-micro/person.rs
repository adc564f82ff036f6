#[test]
fn limits_of_all_services_are_read() -> Result<(), humantime::DurationError> {
    humantime::parse_duration("2.5µs")?;
    Ok(())
}
