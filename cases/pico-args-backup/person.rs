#[test]
fn copying_with_several_threads_is_no_call_for_help() {
    let mut arguments = pico_args::Arguments::from_vec(vec!["--threads".into()]);
    assert!(!arguments.contains("-h"));
}
