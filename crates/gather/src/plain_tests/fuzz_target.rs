//! Writes a fuzz target of cargo-fuzz, with an input that makes it fail, as the file of an integration test: the body of the
//! closure in `fuzz_target!`, without libFuzzer.

use crate::embed::{byte_literal, string_literal};
use crate::rewriting::{rewrite_tokens, with_replaced};
use reduce_syntax::{Parsed, UseEnd, byte_range, use_leaves};
use std::ops::Range;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprClosure, Item, ItemMacro, ItemUse, Pat, ReturnType, Token};

/// The crate that defines the macro `fuzz_target!`.
const LIBRARY: &str = "libfuzzer_sys";
/// The name of the macro that has a fuzz target's body.
const TARGET: &str = "fuzz_target";

/// A test that runs a fuzz target once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzTest {
    /// The file of an integration test.
    pub text: String,
    /// Whether the test needs the crate `arbitrary`, which makes the input of the bytes.
    pub needs_arbitrary: bool,
}

/// Writes the fuzz target in a file as a test of this name, with these bytes as its input.
///
/// Returns `None` where there is no call of `fuzz_target!`, where syn does not understand it, or where the closure
/// returns something.
#[must_use]
pub fn fuzz_test(source: &str, input: &[u8], name: &str) -> Option<FuzzTest> {
    let parsed = Parsed::new(source);
    let file = parsed.file()?;
    let mut edits: Vec<(Range<usize>, String)> = vec![];
    let inner = file
        .attrs
        .iter()
        .filter(|one| one.path().is_ident("no_main"));
    edits.extend(inner.map(|one| (byte_range(one), String::new())));
    let mut test = None;
    for item in &file.items {
        match item {
            Item::Use(import) => edits.extend(without_library(import)),
            Item::ExternCrate(one) if one.ident == LIBRARY => {
                edits.push((byte_range(one), String::new()));
            }
            Item::Macro(call) if is_target(call) => {
                let (text, needs_arbitrary) = as_test(source, call, input, name)?;
                edits.push((byte_range(call), text));
                test = Some(needs_arbitrary);
            }
            _ => {}
        }
    }
    let text = with_replaced(source, edits);
    Some(FuzzTest {
        needs_arbitrary: test? || text.contains("arbitrary"),
        text: without_paths_through(&text),
    })
}

fn is_target(call: &ItemMacro) -> bool {
    let last = call.mac.path.segments.last();
    last.is_some_and(|segment| segment.ident == TARGET)
}

/// Replaces an import through libFuzzer's crate by an import of what that re-exports: `arbitrary` is a crate of its own.
fn without_library(import: &ItemUse) -> Option<(Range<usize>, String)> {
    let leaves = use_leaves(&import.tree);
    let is_library = |leaf: &&reduce_syntax::UseLeaf<'_>| {
        leaf.prefix.first().is_some_and(|name| *name == LIBRARY)
    };
    leaves.iter().find(is_library)?;
    let lines = leaves.iter().filter_map(|leaf| {
        let prefix = leaf.prefix.iter().skip(1).map(ToString::to_string);
        let end = match leaf.end {
            UseEnd::Name(name) if name == TARGET || name == "self" => return None,
            UseEnd::Name(name) => name.to_string(),
            UseEnd::Rename(name, other) => format!("{name} as {other}"),
            UseEnd::Glob => "*".to_owned(),
        };
        let path: Vec<String> = prefix.chain([end]).collect();
        // A crate needs no import.
        (path != ["arbitrary"]).then(|| format!("use {};", path.join("::")))
    });
    let lines: Vec<String> = lines.collect();
    Some((byte_range(import), lines.join("\n")))
}

/// Removes libFuzzer's crate from the beginning of paths.
fn without_paths_through(text: &str) -> String {
    rewrite_tokens(text, |rewriting, idx| {
        if rewriting.cursor.are(idx, &[LIBRARY, "::", "arbitrary"]) {
            rewriting.replace_all(&(idx..idx + 2), "");
        }
    })
}

/// Writes a call of `fuzz_target!` as a test, and returns whether the test needs `arbitrary`.
fn as_test(source: &str, call: &ItemMacro, input: &[u8], name: &str) -> Option<(String, bool)> {
    let closure = last_closure.parse2(call.mac.tokens.clone()).ok()?;
    let is_plain = closure.inputs.len() == 1 && matches!(closure.output, ReturnType::Default);
    let parameter = closure.inputs.first().filter(|_| is_plain)?;
    let (pattern, ty) = match parameter {
        Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
        pattern => (pattern, None),
    };
    let pattern = &source[byte_range(pattern)];
    let ty = ty.map_or("&[u8]", |ty| &source[byte_range(ty)]);
    let (value, needs_arbitrary) = value(ty, input);
    let body = match &*closure.body {
        Expr::Block(block) => {
            let range = byte_range(block);
            &source[range.start + 1..range.end - 1]
        }
        body => &source[byte_range(body)],
    };
    let variable = format!("let {pattern}: {ty} = {value};");
    let test = format!("#[test]\nfn {name}() {{\n    {variable}\n{body}\n}}\n");
    Some((test, needs_arbitrary))
}

/// Reads the closure at the end of a macro's arguments. The tokens before it may prepare something once for all
/// runs.
fn last_closure(input: ParseStream<'_>) -> syn::Result<ExprClosure> {
    while !input.peek(Token![|]) && !input.peek(Token![move]) && !input.is_empty() {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    let closure = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    input.parse::<Option<Token![;]>>()?;
    Ok(closure)
}

/// Returns the expression for the closure's input, and whether the crate `arbitrary` makes that input.
fn value(ty: &str, input: &[u8]) -> (String, bool) {
    let plain: String = ty.split_whitespace().collect();
    match plain.as_str() {
        "&[u8]" => (byte_literal(input), false),
        "&str" => (string_literal(valid_start(input)), false),
        "String" => {
            let text = string_literal(valid_start(input));
            (format!("String::from({text})"), false)
        }
        _ => {
            let bytes = byte_literal(input);
            let unstructured = format!("arbitrary::Unstructured::new({bytes})");
            (
                format!("arbitrary::Arbitrary::arbitrary_take_rest({unstructured}).unwrap()"),
                true,
            )
        }
    }
}

/// Returns the text with which the bytes begin, up to the first byte that is no valid UTF-8, as `arbitrary` does.
fn valid_start(input: &[u8]) -> &str {
    match std::str::from_utf8(input) {
        Ok(text) => text,
        Err(error) => {
            std::str::from_utf8(&input[..error.valid_up_to()]).expect("it is valid up to there")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, input: &[u8], expected: &str, needs_arbitrary: bool) {
        let text = expected.to_owned();
        let expected = FuzzTest {
            text,
            needs_arbitrary,
        };
        assert_eq!(
            fuzz_test(source, input, "fuzz_a"),
            Some(expected),
            "{source}"
        );
    }

    #[test]
    fn the_body_of_the_closure_becomes_a_test() {
        check(
            "#![no_main]\nuse libfuzzer_sys::fuzz_target;\n\nfn g() {}\nfuzz_target!(|data: &[u8]| {\n    a(data);\n});\n",
            b"a\"\xff\0",
            "\n\n\nfn g() {}\n#[test]\nfn fuzz_a() {\n    let data: &[u8] = b\"a\\\"\\xff\\0\";\n\n    a(data);\n\n}\n\n",
            false,
        );
        check(
            "libfuzzer_sys::fuzz_target!(|data| a(data));",
            b"",
            "#[test]\nfn fuzz_a() {\n    let data: &[u8] = b\"\";\na(data)\n}\n",
            false,
        );
    }

    #[test]
    fn texts_need_no_other_crate() {
        let test = |ty: &str, value: &str| {
            check(
                &format!("fuzz_target!(|s: {ty}| {{}});"),
                b"ab\xff",
                &format!("#[test]\nfn fuzz_a() {{\n    let s: {ty} = {value};\n\n}}\n"),
                false,
            );
        };
        test("&str", "\"ab\"");
        test("String", "String::from(\"ab\")");
    }

    #[test]
    fn other_types_are_made_of_the_bytes() {
        let value = "arbitrary::Arbitrary::arbitrary_take_rest(arbitrary::Unstructured::new(b\"x\")).unwrap()";
        check(
            "use libfuzzer_sys::{arbitrary::{self, Arbitrary}, fuzz_target};\n#[derive(libfuzzer_sys::arbitrary::Arbitrary)]\nstruct A;\nfuzz_target!(|a: A| { b(a) });",
            b"x",
            &format!(
                "use arbitrary::Arbitrary;\n#[derive(arbitrary::Arbitrary)]\nstruct A;\n#[test]\nfn fuzz_a() {{\n    let a: A = {value};\n b(a) \n}}\n"
            ),
            true,
        );
    }

    #[test]
    fn what_is_no_plain_target_is_none() {
        for source in [
            "fn f() {}",
            "fuzz_target!(|data: &[u8]| -> Corpus { Corpus::Keep });",
            "fuzz_target!(a);",
            "fuzz_target!(|a, b| {});",
            "fn {",
        ] {
            assert_eq!(fuzz_test(source, b"", "fuzz_a"), None, "{source}");
        }
    }
}
