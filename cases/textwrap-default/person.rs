#[test]
fn a_reply_quotes_what_it_answers() {
    assert_eq!(
        textwrap::wrap("aaa b cc ddddd", 5),
        ["aaa", "b cc", "ddddd"]
    );
}
