use chrono::{DateTime, Utc};

#[test]
fn a_line_that_cannot_be_read_does_not_stop_the_import() {
    assert!("2023-08-30 07:20:00 früh".parse::<DateTime<Utc>>().is_err());
}
