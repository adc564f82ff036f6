//! Writes a property of proptest as a plain test: `proptest! { #[test] fn f(x in strategy) { .. } }`. A run that fails prints the
//! smallest input that it has found.

use super::debug_value::{GUESSES, Guess, expression};
use super::test_file::{Change, TestFile};
use crate::rewriting::with_replaced;
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::{TokenCursor, byte_range, is_punct, split_trees_by_commas};
use std::ops::Range;
use std::str::FromStr;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Block, Expr, Ident, ItemMacro, Lit, Pat, Token, Type, Visibility};

/// The text before a property's failing input in the output of a run. `INPUT_END` comes after it.
const INPUT: &str = "minimal failing input: ";
const INPUT_END: &str = "\n\tsuccesses: ";
/// The macros of proptest that return from a property, and the macros of std that replace them in a plain test.
const ASSERTIONS: [(&str, &str); 3] = [
    ("prop_assert", "assert"),
    ("prop_assert_eq", "assert_eq"),
    ("prop_assert_ne", "assert_ne"),
];
/// The type that a property returns.
const RESULT: &str = "Result<(), proptest::test_runner::TestCaseError>";

/// Writes the property of this name as a test of the input that a run has printed; in several ways where types are not known.
pub(super) fn changes(
    file: TestFile<'_>,
    call: &ItemMacro,
    name: &str,
    printed: &str,
) -> Vec<Change> {
    let parsed = properties.parse2(call.mac.tokens.clone());
    let mut all = parsed.unwrap_or_default().into_iter();
    let Some(property) = all.find(|one| one.name == name) else {
        return vec![];
    };
    let Some(input) = input(printed, &property) else {
        return vec![];
    };
    let written = GUESSES.into_iter().filter_map(|guess| {
        let test = property.as_test(file.text, &input, guess)?;
        Some(Change {
            edits: vec![(byte_range(call), test)],
            name: name.to_owned(),
        })
    });
    written.collect()
}

/// A property of proptest, with the positions of its parts.
struct Property {
    attributes: Vec<Attribute>,
    name: Ident,
    parameters: Vec<Parameter>,
    body: Block,
}

/// A parameter of a property: `x in strategy` or `x: T`.
struct Parameter {
    pattern: Pat,
    origin: Origin,
}

/// The source of a parameter's values: a strategy, or the type.
enum Origin {
    Strategy(Box<Expr>),
    Type(Box<Type>),
}

fn properties(input: ParseStream<'_>) -> syn::Result<Vec<Property>> {
    input.call(Attribute::parse_inner)?;
    let mut all = vec![];
    while !input.is_empty() {
        all.push(input.parse()?);
    }
    Ok(all)
}

impl Parse for Property {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Token![fn]>()?;
        let name = input.parse()?;
        let inner;
        syn::parenthesized!(inner in input);
        let parameters = inner.parse_terminated(Parameter::parse, Token![,])?;
        Ok(Self {
            attributes,
            name,
            parameters: parameters.into_iter().collect(),
            body: input.parse()?,
        })
    }
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let pattern = input.call(Pat::parse_single)?;
        let origin = match input.peek(Token![:]) {
            true => {
                input.parse::<Token![:]>()?;
                Origin::Type(input.parse()?)
            }
            false => {
                input.parse::<Token![in]>()?;
                Origin::Strategy(input.parse()?)
            }
        };
        Ok(Self { pattern, origin })
    }
}

/// Returns the printed values of the failing input, one for each parameter of the property.
fn input(printed: &str, property: &Property) -> Option<Vec<Vec<TokenTree>>> {
    let (_, rest) = printed.rsplit_once(INPUT)?;
    let (text, _) = rest.split_once(INPUT_END)?;
    let trees: Vec<TokenTree> = TokenStream::from_str(text).ok()?.into_iter().collect();
    let parts = split_trees_by_commas(&trees);
    if parts.len() != property.parameters.len() {
        return None;
    }
    let values = parts.into_iter().map(|part| {
        let equals = part.iter().position(|tree| is_punct(tree, '='))?;
        Some(part[equals + 1..].to_vec())
    });
    values.collect()
}

impl Property {
    fn as_test(&self, text: &str, input: &[Vec<TokenTree>], guess: Guess) -> Option<String> {
        let variables = self.parameters.iter().zip(input);
        let variables: Option<Vec<String>> = variables
            .map(|(parameter, value)| parameter.variable(text, value, guess))
            .collect();
        let attributes = self.attributes.iter().map(|one| &text[byte_range(one)]);
        let attributes: Vec<&str> = attributes.collect();
        let body = self.body(text);
        Some(format!(
            "{}\nfn {}() {{\n{}{body}}}",
            attributes.join("\n"),
            self.name,
            variables?.concat()
        ))
    }

    /// Returns the property's body with the assertions of std. Where it returns by itself it becomes that of a closure.
    fn body(&self, text: &str) -> String {
        let range = byte_range(&self.body);
        let inner = &text[range.start + 1..range.end - 1];
        let body = with_plain_assertions(inner);
        let cursor = TokenCursor::new(&body);
        let returns = cursor
            .words()
            .any(|word| matches!(word, "?" | "return" | "Err"));
        match returns {
            true => format!(
                "    let property = || -> {RESULT} {{{body}\nOk(()) }};\n    property().unwrap();\n"
            ),
            false => body,
        }
    }
}

/// Replaces the assertions of proptest by those of std, and leaves `prop_assume!` out, as the input has passed it.
fn with_plain_assertions(body: &str) -> String {
    let cursor = TokenCursor::new(body);
    let mut edits: Vec<(Range<usize>, String)> = vec![];
    for idx in cursor.indices().filter(|idx| cursor.is(idx + 1, "!")) {
        let word = cursor.word(idx);
        let plain = ASSERTIONS.iter().find(|(name, _)| *name == word);
        if let Some((_, plain)) = plain {
            edits.push((cursor.range(idx), (*plain).to_owned()));
        } else if word == "prop_assume" {
            let after = cursor.skip_group(idx + 2);
            let end = if cursor.is(after, ";") {
                after
            } else {
                after - 1
            };
            edits.push((cursor.bytes(idx, end), String::new()));
        }
    }
    with_replaced(body, edits)
}

impl Parameter {
    /// Returns the `let` that gives a parameter its printed value.
    fn variable(&self, text: &str, value: &[TokenTree], guess: Guess) -> Option<String> {
        let pattern = &text[byte_range(&self.pattern)];
        let ty = match &self.origin {
            Origin::Type(ty) => Some(text[byte_range(&**ty)].to_owned()),
            Origin::Strategy(strategy) => type_text(text, strategy),
        };
        let parsed: Option<Type> = ty.as_deref().and_then(|ty| syn::parse_str(ty).ok());
        let value = expression(value, parsed.as_ref(), guess)?;
        Some(match ty {
            Some(ty) => format!("    let {pattern}: {ty} = {value};\n"),
            None => format!("    let {pattern} = {value};\n"),
        })
    }
}

/// Returns the type of the values of a strategy, if the strategy itself tells.
fn type_text(text: &str, strategy: &Expr) -> Option<String> {
    match strategy {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(_) => Some("String".to_owned()),
            Lit::Int(number) if !number.suffix().is_empty() => Some(number.suffix().to_owned()),
            Lit::Float(number) if !number.suffix().is_empty() => Some(number.suffix().to_owned()),
            _ => None,
        },
        Expr::Range(range) => [&range.start, &range.end]
            .into_iter()
            .flatten()
            .find_map(|end| type_text(text, end)),
        Expr::Unary(unary) => type_text(text, &unary.expr),
        Expr::Path(path) => type_of_constant(path),
        Expr::Call(call) => type_of_call(text, call),
        Expr::Tuple(tuple) => {
            let types: Option<Vec<String>> =
                tuple.elems.iter().map(|one| type_text(text, one)).collect();
            Some(format!("({},)", types?.join(", ")))
        }
        _ => None,
    }
}

/// Returns the type of a constant such as `u8::MAX`.
fn type_of_constant(path: &syn::ExprPath) -> Option<String> {
    let names = path.path.segments.iter().map(|one| one.ident.to_string());
    match names.collect::<Vec<_>>().as_slice() {
        [ty, name] if matches!(name.as_str(), "MIN" | "MAX") => Some(ty.clone()),
        _ => None,
    }
}

/// Returns the type of the values that a call makes: `any::<T>()`, or `vec(strategy, sizes)`.
fn type_of_call(text: &str, call: &syn::ExprCall) -> Option<String> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let last = path.path.segments.last()?;
    let inner = || call.args.first().and_then(|one| type_text(text, one));
    match (last.ident.to_string().as_str(), &last.arguments) {
        ("any", syn::PathArguments::AngleBracketed(of)) => {
            Some(text[byte_range(of.args.first()?)].to_owned())
        }
        ("vec", _) => Some(format!("Vec<{}>", inner()?)),
        ("of", _) => Some(format!("Option<{}>", inner()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FailingCase, PlainTest, failing_case};

    fn printed(input: &str) -> String {
        format!(
            "Test failed: ..\nminimal failing input: {input}\n\tsuccesses: 0\n\tlocal rejects: 0\n"
        )
    }

    #[track_caller]
    fn check(property: &str, input: &str, expected: &str) {
        let text = format!(
            "use p;\nproptest! {{\n{property}\n#[test] fn other(x: u8) {{}}\n}}\nfn g() {{}}\n"
        );
        let FailingCase::Written(all) = failing_case(&text, "f", &printed(input)) else {
            panic!("{property} is not written");
        };
        let test = "f".to_owned();
        let text = format!("use p;\n{expected}\nfn g() {{}}\n");
        assert_eq!(all[0], PlainTest { text, test });
    }

    #[test]
    fn the_input_that_is_printed_becomes_variables() {
        check(
            "/// Why.\n#[test]\nfn f(n in 0u32..9, mut v in vec(any::<u8>(), 0..3), b: bool) { a(n); }",
            "n = 8, v = [1], b = true",
            "/// Why.\n#[test]\nfn f() {\n    let n: u32 = 8;\n    let mut v: Vec<u8> = vec![1];\n    let b: bool = true;\n a(n); }",
        );
        check(
            "#![proptest_config(Config::default())]\n#[test] fn f((a, b) in both(), s in \"[a-z]*\") {}",
            "(a, b) = (1, -2), s = \"x, \"",
            "#[test]\nfn f() {\n    let (a, b) = (1, -2);\n    let s: String = String::from(\"x, \");\n}",
        );
    }

    #[test]
    fn assertions_are_those_of_std() {
        check(
            "#[test] fn f(n: u8) { prop_assume!(n > 1); prop_assert!(n < 3, \"{}\", n); prop_assert_eq!(n, 2); prop_assert_ne!(n, 4) }",
            "n = 8",
            "#[test]\nfn f() {\n    let n: u8 = 8;\n  assert!(n < 3, \"{}\", n); assert_eq!(n, 2); assert_ne!(n, 4) }",
        );
    }

    #[test]
    fn a_property_that_returns_is_a_closure() {
        check(
            "#[test] fn f(n: u8) { check(n)?; }",
            "n = 8",
            "#[test]\nfn f() {\n    let n: u8 = 8;\n    let property = || -> Result<(), proptest::test_runner::TestCaseError> { check(n)?; \nOk(()) };\n    property().unwrap();\n}",
        );
    }

    #[test]
    fn of_an_unknown_type_there_are_several_ways() {
        let text = "proptest! { #[test] fn f(s in names()) { a(s) } }";
        let FailingCase::Written(all) = failing_case(text, "f", &printed("s = [\"a\"]")) else {
            panic!("it is not written");
        };
        let ways = [
            "vec![String::from(\"a\")]",
            "vec![\"a\"]",
            "[String::from(\"a\")]",
        ];
        assert_eq!(all.len(), ways.len());
        for (one, way) in all.iter().zip(ways) {
            assert!(
                one.text.contains(&format!("let s = {way};")),
                "{}",
                one.text
            );
        }
    }

    #[test]
    fn what_was_not_printed_cannot_be_written() {
        let text = "proptest! { #[test] fn f(s in names(), t: u8) { a(s) } }";
        for printed in [
            "",
            &printed("s = 1"),
            &printed("s = <x>, t = 1"),
            &printed("s = \"a"),
        ] {
            assert_eq!(failing_case(text, "f", printed), FailingCase::Unreadable);
        }
        assert_eq!(failing_case(text, "g", ""), FailingCase::Plain);
    }
}
