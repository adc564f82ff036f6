#[test]
fn a_list_with_a_mistake_is_refused() {
    let _ = glob::Pattern::new("[!");
}
