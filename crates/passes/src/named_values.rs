//! Replaces computations by the numbers that an error of the compiler names: of a chain of a thousand calls that count up to an
//! overflow, the last call is left.

use crate::program::Program;
use crate::visit::{self, Node};
use reduce_model::Place;
use reduce_syntax::{EditSet, count_tokens};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use syn::Expr;

/// The most numbers of an error message that are tried.
const MOST_VALUES: usize = 4;
/// The most expressions in whose place a number of the message is tried.
const MOST_PLACES: usize = 8;
/// The fewest tokens of an expression in whose place a number of the message is tried.
const FEWEST_TOKENS: u64 = 4;

/// The beginnings of error messages in which the numbers are values that the program has computed.
const OF_VALUES: [&str; 2] = ["attempt to ", "index out of bounds"];

/// Returns the numbers, as literals, that the compiler's message names in its lines about a computation.
#[must_use]
pub fn named_values(raw_message: &str) -> Vec<String> {
    let is_of_values = |line: &&str| OF_VALUES.iter().any(|words| line.contains(words));
    let lines = raw_message.lines().filter(is_of_values);
    let is_between = |one: char| one.is_whitespace() || "`,;()".contains(one);
    let words = lines.flat_map(|line| line.split(is_between));
    let mut seen = BTreeSet::new();
    let values = words.filter_map(value);
    let new = values.filter(|one| seen.insert(one.clone()));
    new.take(MOST_VALUES).collect()
}

/// Returns the changes that put one of these values in place of a long expression, the longest first.
#[must_use]
pub fn values_in_place(program: &Program, values: &[String]) -> Vec<EditSet> {
    let places = longest_operands(program);
    let changes = places.iter().flat_map(|place| {
        let with = |value: &String| program.change().replace_expr(place, value).finish();
        values.iter().filter_map(with)
    });
    changes.collect()
}

/// Returns the number that a word stands for: `255` for `u8::MAX`, `1` for `1_u8`.
fn value(word: &str) -> Option<String> {
    if let Some((ty, limit)) = word.split_once("::") {
        return limit_of(ty, limit);
    }
    let number = word.split('_').next()?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_number = !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit());
    is_number.then(|| number.to_owned())
}

/// Returns the largest or least number of a type, such as `255` for `u8` and `MAX`. How large one of the width of pointers is
/// depends on the target.
fn limit_of(ty: &str, limit: &str) -> Option<String> {
    if !["MAX", "MIN"].contains(&limit) || !ty.starts_with(['u', 'i']) {
        return None;
    }
    let is_max = limit == "MAX";
    let Ok(n_bits) = ty[1..].parse::<u32>() else {
        return (&ty[1..] == "size").then(|| format!("{ty}::{limit}"));
    };
    let ones = u128::MAX.checked_shr(128_u32.checked_sub(n_bits)?)?;
    Some(match (ty.starts_with('u'), is_max) {
        (true, true) => ones.to_string(),
        (true, false) => "0".to_owned(),
        (false, true) => (ones >> 1).to_string(),
        (false, false) => format!("-{}", (ones >> 1) + 1),
    })
}

/// Returns the places of the longest expressions that are arguments, indices or operands.
fn longest_operands(program: &Program) -> Vec<Place> {
    let all = visit::collect(program, |at, node| {
        let operands = match node {
            Node::Expr(expression) => operands(expression),
            _ => Vec::new(),
        };
        let places = operands.into_iter().map(|one| at.place(one));
        places.collect::<Vec<_>>()
    });
    let weighed = all.into_iter();
    let weighed = weighed.map(|place| (count_tokens(program.text(&place)), place));
    let mut long: Vec<(u64, Place)> = weighed.filter(|one| one.0 >= FEWEST_TOKENS).collect();
    long.sort_by_key(|one| Reverse(one.0));
    let longest = long.into_iter().take(MOST_PLACES);
    longest.map(|(_, place)| place).collect()
}

fn operands(expression: &Expr) -> Vec<&Expr> {
    match expression {
        Expr::Call(call) => call.args.iter().collect(),
        Expr::MethodCall(call) => call.args.iter().collect(),
        Expr::Index(index) => vec![&index.index],
        Expr::Binary(binary) => vec![&binary.left, &binary.right],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    #[track_caller]
    fn check_values(message: &str, expected: &[&str]) {
        assert_eq!(named_values(message), expected, "{message}");
    }

    #[test]
    fn values_are_read_from_messages_about_computations() {
        check_values(
            "error[E0080]: attempt to compute `u8::MAX + 1_u8`, which would overflow",
            &["255", "1"],
        );
        check_values(
            "attempt to compute `i32::MIN - 10_i32`",
            &["-2147483648", "10"],
        );
        check_values(
            "attempt to compute `-7_i8 * i128::MAX`",
            &["-7", &i128::MAX.to_string()],
        );
        check_values("attempt to negate `isize::MIN`", &["isize::MIN"]);
        check_values(
            "index out of bounds: the length is 3 but the index is 7",
            &["3", "7"],
        );
        check_values(
            "index out of bounds: the length is 3 but the index is 3",
            &["3"],
        );
    }

    #[test]
    fn other_messages_name_no_values() {
        check_values(
            "this function takes 2 arguments but 1 argument was supplied",
            &[],
        );
        check_values("attempt to compute `char::MAX + u::MIN + u256::MAX`", &[]);
        check_values("attempt to divide by zero", &[]);
        check_values("", &[]);
    }

    /// The programs with a value in place of something.
    fn changed(text: &str, value: &str) -> Vec<String> {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let changes = values_in_place(&Program::new(&sources), &[value.to_owned()]);
        let changed = changes.iter().map(|edits| edits.apply(&sources));
        changed
            .map(|tree| tree.text(tree.root()).to_owned())
            .collect()
    }

    #[test]
    fn values_take_the_place_of_long_operands() {
        let text = "const A: u8 = f(f(f(f(0)))); fn g() { a[b + c.d() - 1]; 1 + h(2) + 3; }";
        let expected = [
            "const A: u8 = f(255); fn g() { a[b + c.d() - 1]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(f(f(0)))); fn g() { a[255]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(255)); fn g() { a[b + c.d() - 1]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(f(f(0)))); fn g() { a[255 - 1]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(f(f(0)))); fn g() { a[b + c.d() - 1]; 255 + 3; }",
            "const A: u8 = f(f(f(255))); fn g() { a[b + c.d() - 1]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(f(f(0)))); fn g() { a[b + 255 - 1]; 1 + h(2) + 3; }",
            "const A: u8 = f(f(f(f(0)))); fn g() { a[b + c.d() - 1]; 1 + 255 + 3; }",
        ];
        let mut found = changed(text, "255");
        found[1..].sort();
        let mut sorted = expected.map(str::to_owned);
        sorted[1..].sort();
        assert_eq!(found, sorted);
        assert!(changed("fn f() { g(1); g(h()); }", "255").is_empty());
    }

    #[test]
    fn what_is_negative_gets_the_parentheses_that_it_needs() {
        assert_eq!(
            changed("fn f() { (a + b + c).g(); }", "-1"),
            Vec::<String>::new()
        );
        assert_eq!(
            changed("fn f() { g(a + b + c, 1); }", "-1")[0],
            "fn f() { g(-1, 1); }"
        );
    }
}
