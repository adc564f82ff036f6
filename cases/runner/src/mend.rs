//! Finds the faulty statement in a result that has the code under test in it, and mends it. Names may be
//! others there, so texts are compared token by token.

use reduce_syntax::{is_number_type, tokens};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The result with the right line in place of the wrong one, once for each place where the wrong one
/// stands. Where it stands nowhere under other names, operands of it may be other expressions: a
/// reduction puts what a variable stands for in its place. Where that is so with the variable that the
/// line defines, what it is made with is looked for.
///
/// Variants may have been imported, so that their enum is not named any more.
pub fn mended(result: &str, wrong: &str, right: &str) -> Vec<String> {
    let (short_wrong, short_right) = (with_imported_variants(wrong), with_imported_variants(right));
    let pairs = [
        (Some(wrong), Some(right)),
        (value_of_let(wrong), value_of_let(right)),
        (Some(&*short_wrong), Some(&*short_right)),
    ];
    let pairs = pairs
        .into_iter()
        .filter_map(|(wrong, right)| Some((wrong?, right?)));
    let mut texts = pairs.map(|(wrong, right)| mended_line(result, wrong, right));
    texts.find(|texts| !texts.is_empty()).unwrap_or_default()
}

/// A line with `B` in the place of `A::B`.
fn with_imported_variants(line: &str) -> String {
    let all = tokens(line);
    let word = |idx: usize| all.get(idx).map_or("", |token| &line[token.range()]);
    let is_type = |idx: usize| word(idx).starts_with(|first: char| first.is_uppercase());
    let is_enum = |idx: usize| is_type(idx) && word(idx + 1) == "::" && is_type(idx + 2);
    let enums = (0..all.len()).rev().filter(|&idx| is_enum(idx));
    let mut short = line.to_owned();
    for idx in enums {
        short.replace_range(all[idx].range().start..all[idx + 2].range().start, "");
    }
    short
}

/// What a statement makes a variable with, if it does nothing else.
fn value_of_let(line: &str) -> Option<&str> {
    let statement = line.trim().strip_prefix("let ")?.strip_suffix(';')?;
    let (name, value) = statement.split_once(" = ")?;
    let is_name = |name: &str| name.chars().all(|one| one.is_alphanumeric() || one == '_');
    let is_whole = is_name(name.strip_prefix("mut ").unwrap_or(name)) && !value.contains(';');
    is_whole.then_some(value)
}

fn mended_line(result: &str, wrong: &str, right: &str) -> Vec<String> {
    let all = without_last_commas(result);
    let wrong = split(wrong);
    if wrong.is_empty() {
        return Vec::new();
    }
    let under = |operands: Operands| {
        let places = 0..all.len();
        let found = places.filter_map(|at| {
            let found = Alignment::of(&wrong, result, &all[at..], operands)?;
            let (start, end) = (all[at].start, all[at + found.n_tokens - 1].end);
            let meanings = meanings(right, &found.names, around(result, &all, at));
            let lines = meanings
                .into_iter()
                .map(move |names| renamed(right, &names));
            Some(lines.map(move |line| format!("{}{line}{}", &result[..start], &result[end..])))
        });
        found.flatten().collect::<Vec<String>>()
    };
    let texts = under(Operands::AreNames);
    match texts.is_empty() {
        true => under(Operands::AreExpressions),
        false => texts,
    }
}

/// The names of the function around a token, from its own name to that token.
fn around<'t>(result: &'t str, all: &[Range<usize>], at: usize) -> BTreeSet<&'t str> {
    let word = |idx: usize| &result[all[idx].clone()];
    let start = (0..at).rev().find(|&idx| word(idx) == "fn").unwrap_or(at);
    let names = (start..at).map(word).filter(|word| is_variable(word));
    names.collect()
}

/// What the names of the right line may be in the result. A variable that only the right line has is any of those around.
fn meanings<'t>(
    right: &'t str,
    names: &HashMap<&'t str, &'t str>,
    around: BTreeSet<&'t str>,
) -> Vec<HashMap<&'t str, &'t str>> {
    let words = split(right);
    let is_unknown = |idx: &usize| {
        let before = idx.checked_sub(1).map(|before| words[before]);
        let next = words.get(idx + 1).copied();
        is_variable(words[*idx])
            && !names.contains_key(words[*idx])
            && !matches!(before, Some("." | "::"))
            && !matches!(next, Some("(" | "::" | "!" | ":"))
    };
    let unknown = (0..words.len()).find(is_unknown);
    let Some(unknown) = unknown.map(|idx| words[idx]) else {
        return vec![names.clone()];
    };
    let meanings = around.into_iter().map(|name| {
        let mut names = names.clone();
        names.insert(unknown, name);
        names
    });
    [names.clone()].into_iter().chain(meanings).collect()
}

fn is_variable(token: &str) -> bool {
    is_name(token) && token.starts_with(|first: char| first.is_lowercase()) && token != "self"
}

fn split(text: &str) -> Vec<&str> {
    let all = without_last_commas(text).into_iter();
    all.map(|range| &text[range]).collect()
}

/// Where the tokens of a text are, without the commas before closing brackets: a formatter puts them there.
fn without_last_commas(text: &str) -> Vec<Range<usize>> {
    let all: Vec<Range<usize>> = tokens(text)
        .into_iter()
        .map(|token| token.range())
        .collect();
    let is_last_comma = |idx: usize| {
        let next = all.get(idx + 1).map(|range| &text[range.clone()]);
        &text[all[idx].clone()] == "," && matches!(next, Some(")" | "]" | "}"))
    };
    let kept = (0..all.len()).filter(|&idx| !is_last_comma(idx));
    kept.map(|idx| all[idx].clone()).collect()
}

/// What may stand in the place of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    AreNames,
    AreExpressions,
}

/// An expression in the place of a name has at most so many tokens.
const LONGEST_OPERAND: usize = 24;

/// How a text stands at a place of another one.
struct Alignment<'t> {
    /// What the names of the one text are in the other.
    names: HashMap<&'t str, &'t str>,
    n_tokens: usize,
}

impl<'t> Alignment<'t> {
    /// The alignment of a text with the beginning of others, of which `theirs` are the tokens in `result`.
    fn of(
        ours: &[&'t str],
        result: &'t str,
        theirs: &[Range<usize>],
        operands: Operands,
    ) -> Option<Self> {
        let mut matcher = Matcher {
            result,
            operands,
            forth: HashMap::new(),
            back: HashMap::new(),
        };
        let n_tokens = matcher.align(ours, theirs, None)?;
        Some(Self {
            names: matcher.forth,
            n_tokens,
        })
    }
}

struct Matcher<'t> {
    result: &'t str,
    operands: Operands,
    forth: HashMap<&'t str, &'t str>,
    back: HashMap<&'t str, &'t str>,
}

impl<'t> Matcher<'t> {
    /// How many of their tokens all of ours take. `before` is our last token.
    fn align(
        &mut self,
        ours: &[&'t str],
        theirs: &[Range<usize>],
        before: Option<&str>,
    ) -> Option<usize> {
        let Some((&our, rest)) = ours.split_first() else {
            return Some(0);
        };
        let result = self.result;
        let their = &result[theirs.first()?.clone()];
        if !is_name(our) || is_number_type(our) {
            let n_rest = (our == their).then(|| self.align(rest, &theirs[1..], Some(our)))?;
            return n_rest.map(|n_rest| n_rest + 1);
        }
        let is_operand = self.operands == Operands::AreExpressions
            && !matches!(before, Some("." | "::" | "fn" | "let" | "as" | ":"))
            && !matches!(rest.first(), Some(&("(" | "::" | "!" | "{")));
        let most = if is_operand { LONGEST_OPERAND } else { 1 };
        (1..=most.min(theirs.len())).find_map(|n_tokens| {
            let span = theirs[0].start..theirs[n_tokens - 1].end;
            let tokens = theirs[..n_tokens].iter().map(|one| &result[one.clone()]);
            let is_whole = match n_tokens {
                1 => is_name(their) || is_operand && is_literal(their),
                _ => is_balanced(tokens),
            };
            let (forth, back) = (self.forth.clone(), self.back.clone());
            let n_rest = (is_whole && self.is_same(our, &result[span]))
                .then(|| self.align(rest, &theirs[n_tokens..], Some(our)))
                .flatten();
            if n_rest.is_none() {
                (self.forth, self.back) = (forth, back);
            }
            n_rest.map(|n_rest| n_rest + n_tokens)
        })
    }

    /// Whether a name of ours may be this text of theirs; from now on it is.
    fn is_same(&mut self, our: &'t str, their: &'t str) -> bool {
        *self.forth.entry(our).or_insert(their) == their
            && *self.back.entry(their).or_insert(our) == our
    }
}

/// Whether tokens may be an expression: all brackets are closed, and no statement ends.
fn is_balanced<'t>(tokens: impl Iterator<Item = &'t str>) -> bool {
    let mut depth = 0_usize;
    for token in tokens {
        match token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return false,
            ")" | "]" | "}" => depth -= 1,
            "," | ";" | "=" | "=>" if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}

fn is_literal(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_digit() || first == '"' || first == '\'')
}

fn renamed(text: &str, names: &HashMap<&str, &str>) -> String {
    let mut renamed = String::new();
    let mut at = 0;
    for token in tokens(text) {
        let word = &text[token.range()];
        renamed.push_str(&text[at..token.range().start]);
        match names.get(word) {
            Some(operand) if tokens(operand).len() > 1 => renamed.push_str(&format!("({operand})")),
            name => renamed.push_str(name.unwrap_or(&word)),
        }
        at = token.range().end;
    }
    renamed.push_str(&text[at..]);
    renamed
}

/// Whether a token is a name that a reduction may change.
fn is_name(token: &str) -> bool {
    const KEPT: [&str; 16] = [
        "as", "else", "false", "fn", "for", "if", "in", "let", "loop", "match", "mut", "ref",
        "return", "true", "while", "_",
    ];
    let is_first = |character: char| character.is_alphabetic() || character == '_';
    token.starts_with(is_first) && !KEPT.contains(&token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_found_under_other_names() {
        let result = "fn main() { if x > *y.get() { f() } }";
        let mended = mended(result, "if next > *ent.get() {", "if next < *ent.get() {");
        assert_eq!(mended, ["fn main() { if x < *y.get() { f() } }"]);
    }

    #[test]
    fn a_comma_before_a_bracket_does_not_matter() {
        let result = "f(S {\n    a,\n    b: 1,\n});";
        let mended = mended(result, "S { a, b: 1 }", "S { a, b: 2 }");
        assert_eq!(mended, ["f(S { a, b: 2 });"]);
    }

    #[test]
    fn two_names_do_not_become_one() {
        let result = "fn main() { f(a, a) }";
        assert_eq!(mended(result, "g(x, y)", "g(y, x)"), [""; 0]);
        assert_eq!(mended("f(b, a)", "g(x, y)", "g(y, x)"), ["f(a, b)"]);
    }

    #[test]
    fn a_type_of_numbers_has_no_other_name() {
        let result = "a as u32 as u64; b.c() as i16 as i32";
        let mended = mended(result, "d as i16 as i32", "d as i32");
        assert!(mended.contains(&"a as u32 as u64; (b.c()) as i32".to_owned()));
        assert!(mended.iter().all(|text| text.contains("u32 as u64")));
    }

    #[test]
    fn a_name_is_no_keyword() {
        assert_eq!(mended("return x", "a b", "b a"), [""; 0]);
    }

    #[test]
    fn an_operand_may_be_another_expression() {
        let result = "x |= u64::from((foo(z[0]) as u64 as u32).wrapping_shl(y));";
        let wrong = "result |= u64::from((low_bits as u32).wrapping_shl(shift));";
        let mended = mended(result, wrong, "result |= low_bits << shift;");
        assert_eq!(mended, ["x |= (foo(z[0]) as u64) << y;"]);
    }

    #[test]
    fn a_variable_of_the_right_line_alone_is_any_of_the_function() {
        let result = "fn f(a: u8, b: u8) -> S { S { a } }";
        let mended = mended(result, "T { value }", "T::new(value, length)");
        let with = |name: &str| format!("fn f(a: u8, b: u8) -> S {{ S::new(a, {name}) }}");
        assert_eq!(mended, ["length", "a", "b", "f", "u8"].map(with));
    }

    #[test]
    fn fields_may_have_other_names() {
        let result = "Self { a: b.c(), d: e }.f(&Self { a: e, d: g.d.c() })";
        let mended = mended(result, "R { n: r, m: o.m.c() }", "R { n: o.m.c(), m: r }");
        assert_eq!(
            mended,
            ["Self { a: b.c(), d: e }.f(&Self { a: g.d.c(), d: e })"]
        );
    }

    #[test]
    fn a_variant_may_be_imported() {
        let mended = mended(
            "let a = replace(b, D(c)); a.c = E(c)",
            "let entry = replace(old, Entry::Vacant(key));",
            "let entry = replace(old, Entry::Vacant(key.0));",
        );
        assert_eq!(mended, ["let a = replace(b, D(c.0)); a.c = E(c)"]);
    }

    #[test]
    fn a_variable_may_be_inlined() {
        let result = "a.cmp(&S::new(x.c(), y))";
        let mended = mended(
            result,
            "let b = R::new(d, e.c());",
            "let b = R::new(e.c(), d);",
        );
        assert_eq!(mended, [""; 0]);
        let result = "a.cmp(&S::new(y, x.c()))";
        let mended = super::mended(
            result,
            "let b = R::new(d, e.c());",
            "let b = R::new(e.c(), d);",
        );
        assert_eq!(mended, ["a.cmp(&S::new(x.c(), y))"]);
        assert_eq!(value_of_let("if let Some(a) = b {"), None);
        assert_eq!(value_of_let("let (a, b) = c;"), None);
    }

    #[test]
    fn an_operand_does_not_end_a_statement() {
        assert_eq!(mended("a = b; c + 1", "x = y + 1", "x = y + 2"), [""; 0]);
    }

    #[test]
    fn each_place_is_mended_by_itself() {
        let both = mended("a + 1; b + 1", "c + 1", "c + 2");
        assert_eq!(both, ["a + 2; b + 1", "a + 1; b + 2"]);
    }
}
