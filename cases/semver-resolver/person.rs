use resolver::Index;

#[test]
fn a_patch_of_an_unstable_crate_is_not_taken() {
    let mut index = Index::new();
    index
        .publish("app", "1.0.0", &[("codec", "0.0.3")])
        .publish("codec", "0.0.3", &[])
        .publish("codec", "0.0.5", &[]);
    assert_eq!(index.resolve("app").unwrap()["codec"].to_string(), "0.0.3");
}
