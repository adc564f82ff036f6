#[cfg(test)]
mod suggestions {
    #[test]
    fn a_transposed_command_is_suggested() {
        assert_eq!(super::osa_distance("mrege", "merge"), 1);
    }
}
