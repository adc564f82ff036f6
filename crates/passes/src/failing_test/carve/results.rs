//! Texts of calls whose result is looked at: errors that did not come need no words, and what a call gives is said in the call.

use super::literal::is_name;
use reduce_syntax::TokenCursor;
use std::ops::Range;

/// The methods that only say what an error is like.
const OF_ERRORS: [&str; 6] = [
    "map_err",
    "ok_or",
    "ok_or_else",
    "context",
    "with_context",
    "or_else",
];

/// A result or option without the calls at its end that only say what its error is like. It is unwrapped.
pub(super) fn before_its_error(text: &str) -> &str {
    match last_call(text) {
        Some((name, whole)) if OF_ERRORS.contains(&&text[name.clone()]) => {
            before_its_error(text[..whole.start].trim_end())
        }
        _ => text,
    }
}

/// A type as it can be written, of its name in a run; what only other crates can name is left open. Nothing if it has no name.
pub(super) fn written_type(name: &str) -> Option<String> {
    /// The modules of the collections, which the standard library gives other names.
    const MODULES: [&str; 5] = [
        "vec_deque::",
        "hash::map::",
        "hash::set::",
        "btree::map::",
        "btree::set::",
    ];
    if name.contains(['{', '}']) || name.contains("dyn ") || name.contains("->") {
        return None;
    }
    // Two ends of arguments are one token otherwise.
    let mut name = name.replace('>', "> ");
    for module in MODULES {
        name = name.replace(module, "");
    }
    let cursor = TokenCursor::new(&name);
    let words: Vec<&str> = cursor.words().collect();
    let (mut result, mut idx) = (String::new(), 0);
    while idx < words.len() {
        if !is_name(words[idx]) {
            result.push_str(match words[idx] {
                "," => ", ",
                other => other,
            });
            idx += 1;
            continue;
        }
        let mut end = idx + 1;
        while words.get(end) == Some(&"::") && end + 1 < words.len() {
            end += 2;
        }
        let last = words[end - 1];
        let is_alone = end == idx + 1;
        let is_prelude = matches!(last, "String" | "Vec" | "Option" | "Result" | "Box");
        match words[idx] {
            "mut" => result.push_str("mut "),
            _ if is_alone || (is_prelude && matches!(words[idx], "alloc" | "core")) => {
                result.push_str(last);
            }
            "alloc" | "core" | "std" => {
                result.push_str(&format!("std::{}", words[idx + 2..end].concat()));
            }
            "crate" if end == idx + 3 => result.push_str(last),
            "crate" => result.push_str(&words[idx..end].concat()),
            _ => {
                result.push('_');
                // With its arguments.
                if cursor.is(end, "<") {
                    end = cursor.skip_angles(end);
                }
            }
        }
        idx = end;
    }
    Some(result)
}

/// The result of the code under test that an error was made of for the end of a function, if a text is one.
pub(super) fn propagated(text: &str) -> Option<&str> {
    let (head, rest) = text.split_once(">(")?;
    let is_error = head.starts_with("Err::<");
    rest.strip_suffix(PROPAGATED).filter(|_| is_error)
}

/// The value of a function that the error of this result has left, where the function gives a result of type `ty`.
pub(super) fn propagating(text: &str, ty: &str) -> Option<String> {
    let given = succeeding(ty)?;
    Some(format!("Err::<{given}, _>({text}{PROPAGATED}"))
}

/// The end of the text that is made of an error.
const PROPAGATED: &str = ".err().unwrap())";

/// A call that gives a value of this type, with the type in it: `text.parse::<u8>()`.
pub(super) fn closed(text: &str, ty: &str) -> String {
    let unwrapped = text.strip_suffix(".unwrap()").or(text.strip_suffix('?'));
    let (call, end) = match unwrapped {
        Some(call) => (call, &text[call.len()..]),
        None => (text, ""),
    };
    let call_without = before_its_error(call);
    let error = &call[call_without.len()..];
    let asked = match call_without {
        call if call.ends_with(".parse()") && end.is_empty() => succeeding(ty),
        call if call.ends_with(".parse()") => Some(ty.to_owned()),
        call if end.is_empty() && (call.ends_with(".collect()") || call.ends_with(".sum()")) => {
            Some(ty.to_owned())
        }
        _ => None,
    };
    let asked = asked.filter(|ty| ty != "_");
    match (asked, call_without.strip_suffix("()")) {
        (Some(ty), Some(call)) => format!("{call}::<{ty}>(){error}{end}"),
        _ => text.to_owned(),
    }
}

/// The type in a result type.
pub(super) fn succeeding(ty: &str) -> Option<String> {
    let inner = ty
        .trim()
        .split_once('<')
        .filter(|(name, _)| name.trim().ends_with("Result"));
    let inner = inner?.1.trim().strip_suffix('>')?;
    let mut depth = 0_usize;
    let end = inner.find(|one: char| {
        match one {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        one == ',' && depth == 0
    });
    Some(inner[..end.unwrap_or(inner.len())].trim().to_owned())
}

/// The method call that a text ends with: the place of its name, and the whole from its point on.
fn last_call(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let cursor = TokenCursor::new(text);
    let last = cursor.len().checked_sub(1)?;
    let open = cursor.partner(last).filter(|_| cursor.is(last, ")"))?;
    let (name, point) = (open.checked_sub(1)?, open.checked_sub(2)?);
    let is_method = cursor.is(point, ".") && is_name(cursor.word(name));
    let whole = cursor.range(point).start..text.len();
    is_method.then(|| (cursor.range(name), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_an_error_is_goes() {
        let check = |text: &str, expected| assert_eq!(before_its_error(text), expected);
        check("a.parse().map_err(|one| E { one })", "a.parse()");
        check("a.get(1).ok_or(2).context(\"a)\")", "a.get(1)");
        check("f(a.map_err(g))", "f(a.map_err(g))");
        check("a.map(f)", "a.map(f)");
    }

    #[test]
    fn types_of_a_run_are_written_as_the_test_may_name_them() {
        let check = |name, expected: Option<&str>| {
            assert_eq!(written_type(name).as_deref(), expected, "{name}");
        };
        check(
            "alloc::vec::Vec<alloc::string::String>",
            Some("Vec<String>"),
        );
        check(
            "std::collections::hash::map::HashMap<&str, crate::A>",
            Some("std::collections::HashMap<&str, A>"),
        );
        check("alloc::vec::Vec<lib::C>", Some("Vec<_>"));
        check("core::option::Option<lib::b::C<u8>>", Some("Option<_>"));
        check(
            "core::option::Option<alloc::vec::Vec<u8>>",
            Some("Option<Vec<u8>>"),
        );
        check("(u8, &mut [crate::a::B])", Some("(u8, &mut [crate::a::B])"));
        check("crate::a::{{closure}}", None);
    }

    #[test]
    fn types_stand_in_the_calls_that_give_them() {
        let check = |text, ty, expected: &str| assert_eq!(closed(text, ty), expected);
        check("a.parse().unwrap()", "u8", "a.parse::<u8>().unwrap()");
        check(
            "a.parse()",
            "Result<(u8, B<C, D>), E>",
            "a.parse::<(u8, B<C, D>)>()",
        );
        check("a.parse().map_err(f)?", "u8", "a.parse::<u8>().map_err(f)?");
        check("a.collect()", "Vec<u8>", "a.collect::<Vec<u8>>()");
        check("a.parse()", "Result<_, _>", "a.parse()");
        check("a.b()", "u8", "a.b()");
    }
}
