//! Writes a property of quickcheck as a plain test: `#[quickcheck] fn f(x: T) -> bool`, `quickcheck! { fn f(x: T) -> bool { .. }
//! }`, and `quickcheck(f as fn(T) -> bool)`. A run that fails prints the arguments. The function stays, and is called.

use super::debug_value::{GUESSES, Guess, elements, expression, type_arguments};
use super::test_file::{Change, TestFile, is_attribute};
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::byte_range;
use std::ops::Range;
use std::str::FromStr;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprMethodCall, FnArg, Ident, Item, ItemFn, ItemMacro, ReturnType, Type,
};

/// The text before a property's failing arguments in the output of a run.
const ARGUMENTS: &str = "Arguments: ";

/// Turns a function with `#[quickcheck]` into one that a plain test calls with the printed arguments.
pub(super) fn changes(function: &ItemFn, printed: &str) -> Vec<Change> {
    let name = test_name(&function.sig.ident);
    let end = byte_range(function).end;
    let attributes = function.attrs.iter();
    let gone = attributes.filter(|one| is_attribute(one, "quickcheck"));
    let gone: Vec<_> = gone.map(byte_range).collect();
    let tests = tests(function, &name, printed).into_iter();
    let changes = tests.map(|test| {
        let mut edits: Vec<_> = gone
            .iter()
            .map(|range| (range.clone(), String::new()))
            .collect();
        edits.push((end..end, test));
        let name = name.clone();
        Change { edits, name }
    });
    changes.collect()
}

/// Replaces a call of `quickcheck!` by its functions, and adds a plain `#[test]` that calls the named one.
pub(super) fn changes_of_macro(
    file: TestFile<'_>,
    call: &ItemMacro,
    name: &str,
    printed: &str,
) -> Vec<Change> {
    let functions = functions_in(call.mac.tokens.clone());
    let Some(function) = functions.iter().find(|one| one.sig.ident == name) else {
        return vec![];
    };
    let text = &file.text[byte_range(function)];
    let name = test_name(&function.sig.ident);
    let tests = tests(function, &name, printed).into_iter();
    let changes = tests.map(|test| Change {
        edits: vec![(byte_range(call), format!("{text}{test}"))],
        name: name.clone(),
    });
    changes.collect()
}

fn functions_in(tokens: TokenStream) -> Vec<ItemFn> {
    let Ok(file) = syn::parse2::<syn::File>(tokens) else {
        return vec![];
    };
    let items = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    items.collect()
}

/// Lets a test call a function with the printed arguments instead of handing it to quickcheck. `None` for a test that does not.
pub(super) fn changes_of_call(
    file: TestFile<'_>,
    function: &ItemFn,
    printed: &str,
) -> Option<Vec<Change>> {
    let mut calls = HandedOver::default();
    calls.visit_block(&function.block);
    let [(call, handed)] = calls.found.as_slice() else {
        return None;
    };
    let Expr::Cast(cast) = handed else {
        return Some(vec![]);
    };
    let Type::FnPtr(pointer) = &*cast.ty else {
        return Some(vec![]);
    };
    let types: Vec<&Type> = pointer.inputs.iter().map(|input| &input.ty).collect();
    let callee = &file.text[byte_range(&*cast.expr)];
    let asserted = GUESSES.into_iter().filter_map(|guess| {
        let call = format!("{callee}({})", arguments(printed, &types, guess)?);
        assertion(&call, &pointer.output)
    });
    let changes = asserted.map(|text| Change {
        edits: vec![(call.clone(), text)],
        name: function.sig.ident.to_string(),
    });
    Some(changes.collect())
}

/// The calls that hand a function to quickcheck: `quickcheck(f)` and `QuickCheck::new().quickcheck(f)`.
#[derive(Default)]
struct HandedOver<'a> {
    found: Vec<(Range<usize>, &'a Expr)>,
}

impl<'a> HandedOver<'a> {
    fn add(&mut self, range: Range<usize>, name: &Ident, handed: Option<&'a Expr>) {
        if name == "quickcheck" {
            self.found.extend(handed.map(|handed| (range, handed)));
        }
    }
}

impl<'a> Visit<'a> for HandedOver<'a> {
    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            self.add(byte_range(call), &last.ident, call.args.first());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.add(byte_range(call), &call.method, call.args.first());
        visit::visit_expr_method_call(self, call);
    }
}

/// Returns the name of the plain test that calls a property.
fn test_name(function: &Ident) -> String {
    format!("{function}_fails")
}

/// Writes tests that call a function with the printed arguments; several where types are not known.
fn tests(function: &ItemFn, name: &str, printed: &str) -> Vec<String> {
    let inputs = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(parameter) => Some(&*parameter.ty),
        FnArg::Receiver(_) => None,
    });
    let types: Vec<&Type> = inputs.collect();
    let tests = GUESSES.into_iter().filter_map(|guess| {
        let arguments = arguments(printed, &types, guess)?;
        let call = format!("{}({arguments})", function.sig.ident);
        let asserted = assertion(&call, &function.sig.output)?;
        Some(format!(
            "\n\n#[test]\nfn {name}() {{\n    {asserted};\n}}\n"
        ))
    });
    tests.collect()
}

/// Returns the printed arguments as expressions.
fn arguments(printed: &str, types: &[&Type], guess: Guess) -> Option<String> {
    let (_, rest) = printed.rsplit_once(ARGUMENTS)?;
    // A message may follow in the next line.
    let ends = rest.match_indices(')').map(|(at, _)| at + 1);
    let mut groups = ends.filter_map(|end| parenthesized(&rest[..end]));
    let values = elements(groups.next()?);
    if values.len() != types.len() {
        return None;
    }
    let texts = values
        .iter()
        .zip(types)
        .map(|(value, ty)| expression(value, Some(ty), guess));
    let texts: Option<Vec<String>> = texts.collect();
    Some(texts?.join(", "))
}

/// Returns the tokens in a pair of parentheses that encloses the whole text.
fn parenthesized(text: &str) -> Option<TokenStream> {
    let trees: Vec<TokenTree> = TokenStream::from_str(text).ok()?.into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Group(group)] => Some(group.stream()),
        _ => None,
    }
}

/// Writes an assertion that a call of a property succeeds, by the type that the property returns.
fn assertion(call: &str, output: &ReturnType) -> Option<String> {
    match output {
        ReturnType::Default => Some(call.to_owned()),
        ReturnType::Type(_, ty) => assertion_of(call, ty),
    }
}

fn assertion_of(call: &str, ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else {
        let is_unit = matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty());
        return is_unit.then(|| call.to_owned());
    };
    let last = path.path.segments.last()?;
    match last.ident.to_string().as_str() {
        "bool" => Some(format!("assert!({call})")),
        "TestResult" => Some(format!("assert!(!{call}.is_failure())")),
        "Result" => assertion_of(&format!("{call}.unwrap()"), type_arguments(ty).first()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FailingCase, PlainTest, failing_case};

    const PRINTED: &str = "thread 'f' panicked at q.rs:1:\n[quickcheck] TEST FAILED. Arguments: ([0, 1], \")\")\nnote";

    #[track_caller]
    fn check(text: &str, test: &str, expected: &str) {
        let FailingCase::Written(all) = failing_case(text, "m::f", PRINTED) else {
            panic!("{text} is not written");
        };
        let (text, test) = (expected.to_owned(), test.to_owned());
        assert_eq!(all[0], PlainTest { text, test });
    }

    #[test]
    fn a_property_is_called_with_what_was_printed() {
        let call = "f(vec![0, 1], String::from(\")\"))";
        check(
            "mod m { #[quickcheck] fn f(xs: Vec<u8>, s: String) -> bool { xs.len() == s.len() } }",
            "m::f_fails",
            &format!(
                "mod m {{  fn f(xs: Vec<u8>, s: String) -> bool {{ xs.len() == s.len() }}\n\n#[test]\nfn f_fails() {{\n    assert!({call});\n}}\n }}"
            ),
        );
        check(
            "mod m { quickcheck! { fn g() {} fn f(xs: Vec<u8>, s: String) -> TestResult { a() } } }",
            "m::f_fails",
            &format!(
                "mod m {{ fn f(xs: Vec<u8>, s: String) -> TestResult {{ a() }}\n\n#[test]\nfn f_fails() {{\n    assert!(!{call}.is_failure());\n}}\n }}"
            ),
        );
    }

    #[test]
    fn a_test_that_hands_a_function_over_calls_it() {
        for call in [
            "quickcheck(p as fn(Vec<u8>, &str) -> bool)",
            "QuickCheck::new().quickcheck(p as fn(Vec<u8>, &str) -> bool)",
        ] {
            check(
                &format!("mod m {{ #[test] fn f() {{ {call}; }} }}"),
                "m::f",
                "mod m { #[test] fn f() { assert!(p(vec![0, 1], \")\")); } }",
            );
        }
    }

    #[test]
    fn what_cannot_be_read_stays() {
        for text in [
            "#[quickcheck] fn f(x: u8) -> bool { true }",
            "#[quickcheck] fn f(x: Vec<u8>, y: String) -> Odd { a() }",
            "#[test] fn f() { quickcheck(p) }",
        ] {
            assert_eq!(
                failing_case(text, "f", PRINTED),
                FailingCase::Unreadable,
                "{text}"
            );
        }
        assert_eq!(
            failing_case("#[test] fn f() { a() }", "f", PRINTED),
            FailingCase::Plain
        );
    }
}
