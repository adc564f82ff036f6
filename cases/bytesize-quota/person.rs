use bytesize::ByteSize;

#[test]
fn a_backup_of_the_whole_team_fits() -> Result<(), ByteSize> {
    let quota: ByteSize = "1.5 TiB".parse().unwrap();
    if ByteSize::gb(1560) > quota {
        return Err(quota);
    }
    Ok(())
}
