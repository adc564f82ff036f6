//! The words for what had to stay of a failure, where its signature does not say it to a person: how much of an error's
//! message, and of a command only how it ends.

use reduce_oracle::{CrashKind, Goal, Signature};

/// Says in words what had to stay of the failure; `None` where the signature says it. `raw_message` is what the failure
/// of the result says.
pub(super) fn kept(
    goal: &Goal,
    any_message: bool,
    signature: &Signature,
    raw_message: Option<&str>,
) -> Option<String> {
    let wanted = goal.info().words;
    match (goal, signature.kind) {
        (Goal::Script { .. }, _) => Some(wanted),
        (Goal::Cargo { .. }, _) => Some(format!("{wanted}, which says: {signature}")),
        (Goal::Error(_) | Goal::Warning(_) | Goal::Any, CrashKind::Diagnostic) => {
            of_diagnostic(goal, any_message, signature, raw_message)
        }
        _ => None,
    }
}

fn of_diagnostic(
    goal: &Goal,
    any_message: bool,
    signature: &Signature,
    raw_message: Option<&str>,
) -> Option<String> {
    let noun = match goal {
        Goal::Warning(_) => "the warning",
        _ => "the error",
    };
    if let Goal::Error(pattern) = goal
        && !pattern.is_code()
    {
        let (code, _) = signature.message.split_once(": ")?;
        return Some(format!("{noun} `{code}` that matches `{pattern}`"));
    }
    let Some((code, shape)) = signature.message.split_once(": ").filter(|_| !any_message) else {
        return Some(format!("{noun} `{}`, whatever it says", signature.message));
    };
    let words = raw_message.and_then(|message| message.strip_prefix(code)?.strip_prefix(": "));
    Some(format!(
        "{noun} `{code}` in these words, with other names, types and numbers: {}",
        words.unwrap_or(shape)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_error_it_is_said_how_much_of_its_message_stays() {
        let error = Goal::Error("E0277".parse().expect("it is a code"));
        let words = "E0277: .. cannot be sent between thread safely";
        let said = "E0277: `Rc<u8>` cannot be sent between threads safely";
        let shape = Signature::of_kind(CrashKind::Diagnostic, words);
        let text = kept(&error, false, &shape, Some(said));
        let expected = "the error `E0277` in these words, with other names, types and numbers: \
                        `Rc<u8>` cannot be sent between threads safely";
        assert_eq!(text.as_deref(), Some(expected));
        let code = Signature::of_kind(CrashKind::Diagnostic, "E0277");
        let text = kept(&error, true, &code, Some(said));
        let expected = "the error `E0277`, whatever it says";
        assert_eq!(text.as_deref(), Some(expected));
        let pattern = Goal::Error("cannot .*".parse().expect("it is one"));
        let matched = Signature::of_kind(CrashKind::Diagnostic, "E0277: cannot .*");
        let text = kept(&pattern, false, &matched, None);
        let expected = "the error `E0277` that matches `cannot .*`";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn of_a_script_its_status_is_all() {
        let script = Goal::Script {
            path: "/a/b.sh".into(),
        };
        let text = kept(
            &script,
            false,
            &Signature::of_kind(CrashKind::Script, ""),
            None,
        );
        assert_eq!(text.as_deref(), Some("that `/a/b.sh` ends with status 0"));
        let crash = Signature::of_kind(CrashKind::Panic, "odd");
        assert_eq!(kept(&Goal::Ice, false, &crash, None), None);
    }
}
