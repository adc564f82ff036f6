struct Error;

fn from_str(timeout: Result<(), u8>) -> Result<(), Error> {
    timeout?;
    Ok(())
}
