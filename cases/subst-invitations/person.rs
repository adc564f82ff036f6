#[test]
fn nobody_is_left_without_a_greeting() {
    subst::substitute("${greeting:${first:}}", &subst::NoSubstitution).unwrap();
}
