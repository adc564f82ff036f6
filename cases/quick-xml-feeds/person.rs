use quick_xml::events::attributes::Attribute;

#[test]
fn feeds_of_another_program_are_taken_over() -> quick_xml::Result<()> {
    Attribute::from((&b"xmlUrl"[..], &b"&amp;"[..])).unescape_value()?;
    Ok(())
}
