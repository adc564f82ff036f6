//! Puts what is used once in place of its variable, where that is used in the next statement and nothing is evaluated before it
//! there.

use super::line::{Scope, Statement, declared_by, is_variable, names_in};
use super::literal::{is_name, operand};
use reduce_syntax::TokenCursor;
use std::collections::HashMap;

/// The methods that take what they are called on, or give nothing that borrows from it.
const TAKING: [&str; 12] = [
    "unwrap",
    "expect",
    "unwrap_err",
    "into_iter",
    "clone",
    "to_string",
    "to_owned",
    "len",
    "is_empty",
    "into",
    "to_vec",
    "await",
];

/// The statements of a straight line, with what is used once where it is used; `end` is what stands behind them.
pub(super) fn inlined(statements: &[&Statement], end: &str) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let texts = statements.iter().map(|one| &*one.text).chain([end]);
    let mut n_named: HashMap<&str, usize> = HashMap::new();
    for name in texts.flat_map(names_in) {
        *n_named.entry(name).or_default() += 1;
    }
    // From the end on, so that what has taken in something may be taken in itself.
    for statement in statements.iter().rev().filter(|one| one.scope.is_none()) {
        let merged = done.last().and_then(|next| {
            let name = statement.declares.as_deref()?;
            let value = statement.text.strip_prefix("let ")?;
            let value = value.strip_prefix("mut ").unwrap_or(value);
            let value = value.strip_prefix(&format!("{name} = "))?;
            let value = value.strip_suffix(';')?;
            // Where it is declared, and where it is used.
            (n_named.get(name) == Some(&2)).then(|| with_value(next, name, value))?
        });
        match merged {
            Some(merged) => {
                done.pop();
                done.push(merged);
            }
            None => done.push(statement.text.clone()),
        }
    }
    done.reverse();
    done
}

/// The statements of a straight line with a block for each scope of the test, where nothing that is declared in it is used
/// after it: values are dropped when the test dropped them.
pub(super) fn in_blocks(statements: &[&Statement], end: &str) -> Vec<String> {
    let texts = statements.iter().map(|one| &*one.text).chain([end]);
    let named: Vec<Vec<&str>> = texts.map(names_in).collect();
    let mut open: Vec<usize> = Vec::new();
    let mut is_block = vec![false; statements.len()];
    for (idx, statement) in statements.iter().enumerate() {
        match statement.scope {
            Some(Scope::Begins) => open.push(idx),
            Some(Scope::Ends) => {
                let Some(start) = open.pop() else {
                    continue;
                };
                let within = statements[start..idx].iter().filter(|one| !one.is_clean);
                let declared: Vec<&str> = within.flat_map(|one| declared_by(&one.text)).collect();
                let mut later = named[idx..].iter().flatten();
                let is_used_later = later.any(|name| declared.contains(name));
                let is_last = statements[idx..].iter().all(|one| one.scope.is_some());
                let is_whole = is_last && end.is_empty();
                if !declared.is_empty() && !is_used_later && !is_whole {
                    (is_block[start], is_block[idx]) = (true, true);
                }
            }
            None => {}
        }
    }
    let all = statements.iter().zip(is_block);
    let texts = all.filter_map(|(one, is_block)| match one.scope {
        None => Some(one.text.clone()),
        Some(_) if !is_block => None,
        Some(Scope::Begins) => Some("{".to_owned()),
        Some(Scope::Ends) => Some("}".to_owned()),
    });
    texts.collect()
}

/// A statement with a value in place of the variable that is evaluated first in it.
fn with_value(statement: &str, name: &str, value: &str) -> Option<String> {
    let cursor = TokenCursor::new(statement);
    let words: Vec<&str> = cursor.words().collect();
    let mut all_places = (0..words.len()).filter(|idx| is_variable(&words, *idx));
    let at = all_places.find(|idx| words[*idx] == name)?;
    let named = names_in(value);
    let may_stand_before = |word: &str| match word {
        ")" | "]" | "}" | "{" | "?" | "|" | "||" | "&&" | "=>" => false,
        "if" | "match" | "for" | "while" | "loop" | "move" | "async" | "fn" => false,
        word => !named.contains(&word),
    };
    let is_let = words[0] == "let";
    let begins = if is_let {
        words.iter().position(|word| *word == "=")? + 1
    } else {
        0
    };
    if begins > at || !words[begins..at].iter().all(|word| may_stand_before(word)) {
        return None;
    }
    let before = at.checked_sub(1).map_or("", |idx| words[idx]);
    let after = words.get(at + 1).copied().unwrap_or_default();
    let is_place = !value.contains('(');
    let is_part = after == "." || after == "[";
    let is_borrowed = matches!(before, "&" | "mut") && begins < at;
    let is_assigned = after.ends_with('=') && !matches!(after, "==" | "<=" | ">=" | "!=");
    let is_taken = after == "." && words.get(at + 2).is_some_and(|word| TAKING.contains(word));
    // A temporary value is gone at the end of its statement, and a change of a copy is none of what was copied.
    let outlives = is_let && (is_borrowed || (is_part && !is_taken));
    let changes = is_place && (is_part || before == "mut");
    if is_assigned || outlives || changes || before == "." {
        return None;
    }
    let is_whole =
        matches!(before, "(" | "," | "=" | "[" | "") && matches!(after, ")" | "," | ";" | "]");
    let text = match is_whole {
        true => value.to_owned(),
        false => operand(value),
    };
    let range = cursor.range(at);
    let is_word = is_name(&statement[range.clone()]);
    is_word.then(|| {
        format!(
            "{}{text}{}",
            &statement[..range.start],
            &statement[range.end..]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[(&str, &str)], expected: &[&str]) {
        let statements = lines.iter().map(|(name, text)| Statement {
            declares: Some(*name)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            ..Statement::new((*text).to_owned(), false)
        });
        let statements: Vec<Statement> = statements.collect();
        let statements: Vec<&Statement> = statements.iter().collect();
        assert_eq!(inlined(&statements, ""), expected);
    }

    #[test]
    fn what_is_used_once_stands_where_it_is_used() {
        check(
            &[
                ("a", "let mut a = lib::a();"),
                ("b", "let mut b = lib::b();"),
                ("c", "let mut c = a.unwrap();"),
                ("", "lib::f(c, b + 1);"),
            ],
            &[
                "let mut a = lib::a();",
                "let mut b = lib::b();",
                "lib::f(a.unwrap(), b + 1);",
            ],
        );
        check(
            &[
                ("a", "let mut a = lib::a();"),
                ("b", "let mut b = lib::b() + 1;"),
                ("", "assert_eq!(a, b.c());"),
            ],
            &["assert_eq!(lib::a(), (lib::b() + 1).c());"],
        );
    }

    #[test]
    fn what_is_evaluated_after_something_else_or_lives_longer_stays() {
        let a = ("a", "let mut a = lib::a();");
        for next in [
            "lib::f(lib::b(), a);",
            "let mut b = a.iter();",
            "let mut b = lib::f(&a);",
            "a += 1;",
            "lib::f(|| a);",
            "lib::f(a, a);",
            "lib::f(\"{a}\");",
        ] {
            check(&[a, ("", next)], &[a.1, next]);
        }
        let copy = ("b", "let mut b = a.c;");
        check(&[copy, ("", "b.push(1);")], &[copy.1, "b.push(1);"]);
    }
}
