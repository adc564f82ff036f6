#[cfg(test)]
mod chat {
    //! Messages of a chat, in the form that other clients send them.

    use crate::{JsonParseError, JsonValue};
    use std::collections::HashMap;
    use std::convert::TryFrom;
    use std::fmt;

    #[derive(Debug)]
    enum Refused {
        Syntax(JsonParseError),
        Missing(&'static str),
        WrongType(&'static str),
        Version(f64),
    }

    impl fmt::Display for Refused {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Refused::Syntax(error) => write!(f, "no JSON: {}", error),
                Refused::Missing(field) => write!(f, "`{}` is missing", field),
                Refused::WrongType(field) => write!(f, "`{}` has the wrong type", field),
                Refused::Version(version) => write!(f, "version {} is not known", version),
            }
        }
    }

    impl std::error::Error for Refused {}

    impl From<JsonParseError> for Refused {
        fn from(error: JsonParseError) -> Self {
            Refused::Syntax(error)
        }
    }

    #[derive(Debug, Clone, PartialEq)]
    struct Message {
        from: String,
        text: String,
        tags: Vec<String>,
        reply_to: Option<u64>,
    }

    struct Fields(HashMap<String, JsonValue>);

    impl Fields {
        fn take<T>(&mut self, name: &'static str) -> Result<T, Refused>
        where
            T: TryFrom<JsonValue>,
        {
            let value = self.0.remove(name).ok_or(Refused::Missing(name))?;
            T::try_from(value).map_err(|_| Refused::WrongType(name))
        }

        fn take_optional<T>(&mut self, name: &'static str) -> Result<Option<T>, Refused>
        where
            T: TryFrom<JsonValue>,
        {
            match self.0.get(name) {
                None | Some(JsonValue::Null) => Ok(None),
                Some(_) => self.take(name).map(Some),
            }
        }
    }

    fn read(frame: &str) -> Result<Message, Refused> {
        let value: JsonValue = frame.parse()?;
        let fields = HashMap::try_from(value).map_err(|_| Refused::WrongType("frame"))?;
        let mut fields = Fields(fields);
        let version: f64 = fields.take("v")?;
        if version != 2.0 {
            return Err(Refused::Version(version));
        }
        let tags: Option<Vec<JsonValue>> = fields.take_optional("tags")?;
        let tags = tags
            .unwrap_or_default()
            .into_iter()
            .map(|tag| String::try_from(tag).map_err(|_| Refused::WrongType("tags")))
            .collect::<Result<Vec<String>, Refused>>()?;
        let reply_to: Option<f64> = fields.take_optional("reply_to")?;
        Ok(Message {
            from: fields.take("from")?,
            text: fields.take("text")?,
            tags,
            reply_to: reply_to.map(|id| id as u64),
        })
    }

    fn frame(from: &str, text: &str, rest: &str) -> String {
        format!(
            "{{\n  \"v\": 2,\n  \"from\": \"{}\",\n  \"text\": \"{}\"{}\n}}",
            from, text, rest
        )
    }

    #[test]
    fn a_plain_message_is_read() -> Result<(), Refused> {
        let message = read(&frame("ada", "hello\\n\\tworld", ""))?;
        assert_eq!(message.text, "hello\n\tworld");
        assert_eq!(message.tags, Vec::<String>::new());
        assert_eq!(message.reply_to, None);
        Ok(())
    }

    #[test]
    fn an_escaped_letter_is_read() -> Result<(), Refused> {
        let message = read(&frame("bj\\u00f6rn", "caf\\u00E9 \\u2615!", ""))?;
        assert_eq!((&*message.from, &*message.text), ("björn", "café ☕!"));
        Ok(())
    }

    #[test]
    fn what_is_missing_is_named() {
        let refused = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(refused("{\"v\": 2, \"from\": \"ada\"}"), "`text` is missing");
        assert_eq!(refused("{\"v\": 3}"), "version 3 is not known");
        assert_eq!(refused("[]"), "`frame` has the wrong type");
        assert!(refused("{\"v\": 2,}").starts_with("no JSON: "));
    }

    #[test]
    fn a_message_with_an_emoji_is_read() -> Result<(), Refused> {
        let rest = ",\n  \"tags\": [\"fun\", \"\\u2764\"],\n  \"reply_to\": 17";
        let first = read(&frame("grace", "nice", rest))?;
        assert_eq!(first.tags, ["fun", "❤"]);
        assert_eq!(first.reply_to, Some(17));

        let mut texts = vec![first.text];
        for text in ["ok \\u263a", "well done \\ud83c\\udf89!", "thanks"].iter() {
            let message = read(&frame("ada", text, ""))?;
            assert_eq!(message.from, "ada");
            texts.push(message.text);
        }
        assert_eq!(texts, ["nice", "ok ☺", "well done 🎉!", "thanks"]);
        Ok(())
    }
}
