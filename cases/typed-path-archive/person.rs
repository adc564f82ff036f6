use typed_path::Utf8UnixPath;

#[test]
fn everything_is_unpacked_below_the_target() {
    assert_eq!(Utf8UnixPath::new("").join("LICENSE").as_str(), "LICENSE");
}
