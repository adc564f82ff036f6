#[test]
fn what_one_deletes_and_the_other_continues_is_a_conflict() {
    assert!(diffy::merge("ginger\n", "", "ginger\nsalt\n").is_err());
}
