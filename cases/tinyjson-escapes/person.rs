#[cfg(test)]
mod chat {
    #[test]
    fn a_message_with_an_emoji_is_read() -> Result<(), crate::JsonParseError> {
        "\"\\ud83c\\udf89!\"".parse::<crate::JsonValue>().map(|_| ())
    }
}
