use time::{Date, Duration, Month};

fn main() {
    let start = Date::from_calendar_date(1924, Month::May, 1).unwrap();
    let end = start + Duration::weeks(1043) * 5;
    assert_eq!(
        end,
        Date::from_calendar_date(2024, Month::April, 11).unwrap()
    );
}
