//! The search for words in source text, comments and strings included.

/// Whether a name stands in a text as a word of its own, instead of as a part of a longer one.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        !text[..at].ends_with(is_part) && !after.starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_word_is_no_part_of_a_longer_one() {
        assert!(has_word("use a::b;", "a"));
        assert!(has_word("a", "a"));
        assert!(!has_word("use aa::b_a;", "a"));
    }
}
