//! Writes a case of a table of cases as a plain test: of `#[rstest]` with `#[case(..)]` and `#[values(..)]`, or of
//! `#[test_case(..)]`. The test's name says which case it is, and the values stand in the source.

use super::test_file::{Change, TestFile, is_attribute};
use proc_macro2::{TokenStream, TokenTree};
use reduce_syntax::{byte_range, is_punct, split_trees_by_commas};
use std::ops::Range;
use syn::{Attribute, Expr, FnArg, Item, ItemFn, Lit, Meta, PatType, ReturnType, Type};

/// Attributes of rstest for a whole function.
const OF_RSTEST: [&str; 4] = ["rstest", "trace", "timeout", "awt"];

/// Writes the case of a `#[rstest]` function that the last parts of the test's path name.
pub(super) fn of_rstest(file: TestFile<'_>, function: &ItemFn, named: &[&str]) -> Vec<Change> {
    rstest(file, function, named).into_iter().collect()
}

fn rstest(file: TestFile<'_>, function: &ItemFn, named: &[&str]) -> Option<Change> {
    let mut cases = function.attrs.iter().filter(|one| is_case(one));
    let idx = named.iter().find_map(|part| number_after(part, "case"));
    let case = match idx {
        Some(idx) => arguments(cases.nth(idx.checked_sub(1)?)?)?,
        None => vec![],
    };
    let mut case = case.into_iter();
    let mut values = vec![];
    for input in &function.sig.inputs {
        let FnArg::Typed(parameter) = input else {
            return None;
        };
        values.push(rstest_value(file, parameter, &mut case, named)?);
    }
    let is_of_rstest = |one: &Attribute| OF_RSTEST.iter().any(|name| is_attribute(one, name));
    let gone = |one: &&Attribute| is_case(one) || is_of_rstest(one);
    let mut edits = inlined(file, function, values);
    edits.extend(without_attributes(function, gone));
    Some(Change {
        edits,
        name: function.sig.ident.to_string(),
    })
}

/// Returns whether an attribute is `#[case(..)]` or `#[case::name(..)]`.
fn is_case(attribute: &Attribute) -> bool {
    let first = attribute.path().segments.first();
    first.is_some_and(|segment| segment.ident == "case")
}

/// Returns the value of a parameter in a case of `#[rstest]`.
fn rstest_value(
    file: TestFile<'_>,
    parameter: &PatType,
    case: &mut impl Iterator<Item = Range<usize>>,
    named: &[&str],
) -> Option<String> {
    let name = file.text[byte_range(&parameter.pat)]
        .trim_start_matches("mut ")
        .trim();
    let name = name.trim_start_matches('_');
    let range = match parameter.attrs.as_slice() {
        [] => return Some(fixture_call(file, name)),
        [one] if is_attribute(one, "case") => case.next()?,
        [one] if is_attribute(one, "values") => {
            let idx = named.iter().find_map(|part| number_after(part, name))?;
            arguments(one)?.into_iter().nth(idx.checked_sub(1)?)?
        }
        _ => return None,
    };
    let value = &file.text[range];
    Some(match is_converted(value, &parameter.ty) {
        true => format!("{value}.parse().unwrap()"),
        false => value.to_owned(),
    })
}

/// Returns whether rstest converts a string literal to the parameter's type, by `FromStr`.
fn is_converted(value: &str, ty: &Type) -> bool {
    let literal = syn::parse_str::<Expr>(value);
    let is_string = matches!(literal, Ok(Expr::Lit(one)) if matches!(one.lit, Lit::Str(_)));
    is_string && matches!(ty, Type::Path(_))
}

/// Returns the expression for a fixture of rstest: a call of its function if that is in the file, else `name::default()`.
fn fixture_call(file: TestFile<'_>, name: &str) -> String {
    let is_simple = |item: &Item| matches!(item, Item::Fn(one) if one.sig.ident == name && one.sig.inputs.is_empty());
    match file.items.iter().any(is_simple) {
        true => format!("{name}()"),
        false => format!("{name}::default()"),
    }
}

/// Returns the number after `name` in the name of a case: 12 in `case_12_some_name`.
fn number_after(part: &str, name: &str) -> Option<usize> {
    let rest = part.strip_prefix(name)?.strip_prefix('_')?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Writes the case of a function with `#[test_case(..)]` that the last part of the test's path names.
pub(super) fn of_test_case(file: TestFile<'_>, function: &ItemFn, named: &str) -> Vec<Change> {
    test_case(file, function, named).into_iter().collect()
}

fn test_case(file: TestFile<'_>, function: &ItemFn, named: &str) -> Option<Change> {
    let is_table = |one: &&Attribute| is_attribute(one, "test_case") || is_attribute(one, "case");
    let cases = function.attrs.iter().filter(is_table);
    let cases = cases.map(TestCase::of).collect::<Option<Vec<_>>>()?;
    let case = chosen(file, &cases, named)?;
    let values = case
        .values
        .iter()
        .map(|range| file.text[range.clone()].to_owned());
    let values: Vec<String> = values.collect();
    match &case.expected {
        None => compared_inside(file, function, values, is_table),
        Some(expected) => {
            compared_outside(&file.text[expected.clone()], function, values, is_table)
        }
    }
}

/// Turns the function of a `#[test_case]` without an expected result into a test, with the case's arguments as variables.
fn compared_inside(
    file: TestFile<'_>,
    function: &ItemFn,
    values: Vec<String>,
    is_table: impl Fn(&&Attribute) -> bool,
) -> Option<Change> {
    let mut edits = inlined(file, function, values);
    edits.extend(without_attributes(function, is_table));
    let name = function.sig.ident.to_string();
    let returns = !matches!(function.sig.output, ReturnType::Default);
    (!returns).then_some(Change { edits, name })
}

/// Writes a test that calls the function of a `#[test_case]`, and compares the result with the expected one.
fn compared_outside(
    expected: &str,
    function: &ItemFn,
    values: Vec<String>,
    is_table: impl Fn(&&Attribute) -> bool,
) -> Option<Change> {
    let function_name = &function.sig.ident;
    let name = format!("{function_name}_case");
    let call = format!("{function_name}({})", values.join(", "));
    let (attribute, body) = match expected.split_whitespace().next()? {
        "panics" => ("\n#[should_panic]", format!("{call};")),
        "matches" | "with" | "using" | "it" | "is" | "ignore" | "inconclusive" => return None,
        _ => ("", format!("assert_eq!({call}, {expected});")),
    };
    let test = format!("\n\n#[test]{attribute}\nfn {name}() {{\n    {body}\n}}\n");
    let gone = ranges(function, |one| is_table(one) || is_attribute(one, "test"));
    let mut edits: Vec<_> = gone.map(|range| (range, String::new())).collect();
    let end = byte_range(function).end;
    edits.push((end..end, test));
    Some(Change { edits, name })
}

/// A case: `#[test_case(1, 2 => 3; "a name")]`.
struct TestCase {
    values: Vec<Range<usize>>,
    expected: Option<Range<usize>>,
    /// The title of the case in the source, after which its test is called.
    title: Range<usize>,
}

impl TestCase {
    fn of(attribute: &Attribute) -> Option<Self> {
        let Meta::List(list) = &attribute.meta else {
            return None;
        };
        let trees: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
        let semicolon = trees.iter().position(|tree| is_punct(tree, ';'));
        let (case, comment) = trees.split_at(semicolon.unwrap_or(trees.len()));
        let arrow = case
            .windows(2)
            .position(|two| is_punct(&two[0], '=') && is_punct(&two[1], '>'));
        let values = &case[..arrow.unwrap_or(case.len())];
        let expected = arrow.map(|at| &case[at + 2..]);
        let title = comment
            .get(1..)
            .filter(|one| !one.is_empty())
            .unwrap_or(case);
        Some(Self {
            values: values_in(values),
            expected: expected.and_then(range_of),
            title: range_of(title)?,
        })
    }
}

/// Chooses the case that the name of a test means, by its number or by the words of its title.
fn chosen<'c>(file: TestFile<'_>, cases: &'c [TestCase], named: &str) -> Option<&'c TestCase> {
    if let Some(number) = number_after(named, "test_case") {
        return cases.get(number.checked_sub(1)?);
    }
    let plain = |text: &str| -> String {
        let parts = text.chars().filter(char::is_ascii_alphanumeric);
        parts.map(|c| c.to_ascii_lowercase()).collect()
    };
    let named = plain(named);
    let mut alike = cases.iter().filter(|case| {
        let title = plain(&file.text[case.title.clone()]);
        named == title || named == format!("{title}expects")
    });
    let first = alike.next();
    first.filter(|_| alike.next().is_none())
}

/// Returns the ranges of an attribute's arguments.
fn arguments(attribute: &Attribute) -> Option<Vec<Range<usize>>> {
    match &attribute.meta {
        Meta::List(list) => Some(values_in(&trees_of(&list.tokens))),
        Meta::Path(_) => Some(vec![]),
        Meta::NameValue(_) => None,
    }
}

fn trees_of(tokens: &TokenStream) -> Vec<TokenTree> {
    tokens.clone().into_iter().collect()
}

fn values_in(trees: &[TokenTree]) -> Vec<Range<usize>> {
    let values = split_trees_by_commas(trees).into_iter();
    values.filter_map(range_of).collect()
}

pub(super) fn range_of(trees: &[TokenTree]) -> Option<Range<usize>> {
    let (first, last) = (trees.first()?, trees.last()?);
    Some(byte_range(first).start..byte_range(last).end)
}

/// Turns the parameters of a function into variables with these values.
pub(super) fn inlined(
    file: TestFile<'_>,
    function: &ItemFn,
    values: Vec<String>,
) -> Vec<(Range<usize>, String)> {
    let parameters = function.sig.inputs.iter().zip(values);
    let variables = parameters.filter_map(|(input, value)| match input {
        FnArg::Typed(parameter) => Some(variable(file, parameter, &value)),
        FnArg::Receiver(_) => None,
    });
    let variables: String = variables.collect();
    let open = byte_range(&function.block).start + 1;
    let parentheses = byte_range(&function.sig.paren_token.span.join());
    vec![
        (parentheses, "()".to_owned()),
        (open..open, format!("\n{variables}")),
    ]
}

fn variable(file: TestFile<'_>, parameter: &PatType, value: &str) -> String {
    let pattern = &file.text[byte_range(&parameter.pat)];
    match &*parameter.ty {
        Type::ImplTrait(_) | Type::Infer(_) => format!("    let {pattern} = {value};\n"),
        ty => format!(
            "    let {pattern}: {} = {value};\n",
            &file.text[byte_range(ty)]
        ),
    }
}

/// Returns the bytes of some attributes of a function that are to be removed.
fn ranges(
    function: &ItemFn,
    gone: impl Fn(&&Attribute) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let gone = function.attrs.iter().filter(move |one| gone(one));
    gone.map(byte_range)
}

/// Removes attributes, and puts `#[test]` in their place where no other makes a test of the function.
pub(super) fn without_attributes(
    function: &ItemFn,
    gone: impl Fn(&&Attribute) -> bool,
) -> Vec<(Range<usize>, String)> {
    let mut others = function.attrs.iter().filter(|one| !gone(one));
    let is_test = others.any(|one| is_attribute(one, "test"));
    let by = |idx: usize| match idx == 0 && !is_test {
        true => "#[test]".to_owned(),
        false => String::new(),
    };
    let ranges = ranges(function, gone).enumerate();
    ranges.map(|(idx, range)| (range, by(idx))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{FailingCase, PlainTest, failing_case};

    #[track_caller]
    fn check(text: &str, path: &str, test: &str, expected: &str) {
        let FailingCase::Written(all) = failing_case(text, path, "") else {
            panic!("{path} is not written");
        };
        let (text, test) = (expected.to_owned(), test.to_owned());
        assert_eq!(all, [PlainTest { text, test }]);
    }

    #[test]
    fn the_case_of_the_name_becomes_variables() {
        check(
            "#[rstest]\n#[case(3, 30)]\n#[case::b(8, f(1, 2))]\nfn f(#[case] n: u32, #[case] mut e: u32) { a(n, e); }",
            "f::case_2_b",
            "f",
            "#[test]\n\n\nfn f() {\n    let n: u32 = 8;\n    let mut e: u32 = f(1, 2);\n a(n, e); }",
        );
        check(
            "mod m { #[rstest]\nfn f(#[values(1, 8)] n: u32, #[values(\"a\", \"b\")] _s: &str) {} }",
            "m::f::n_2_8::s_1___a__",
            "m::f",
            "mod m { #[test]\nfn f() {\n    let n: u32 = 8;\n    let _s: &str = \"a\";\n} }",
        );
    }

    #[test]
    fn literals_become_other_types_as_rstest_makes_them() {
        check(
            "#[rstest]\n#[case(\"::1\", 4)]\nfn f(#[case] ip: Ip, #[case] n: u8) {}",
            "f::case_1",
            "f",
            "#[test]\n\nfn f() {\n    let ip: Ip = \"::1\".parse().unwrap();\n    let n: u8 = 4;\n}",
        );
    }

    #[test]
    fn fixtures_are_called() {
        check(
            "#[fixture] fn ten() -> u8 { 10 }\n#[rstest]\nfn f(ten: u8, _db: Db) {}",
            "f",
            "f",
            "#[fixture] fn ten() -> u8 { 10 }\n#[test]\nfn f() {\n    let ten: u8 = ten();\n    let _db: Db = db::default();\n}",
        );
    }

    #[test]
    fn a_test_of_a_runtime_stays_one() {
        check(
            "#[rstest]\n#[case(1)]\n#[tokio::test]\nasync fn f(#[case] n: u8) {}",
            "f::case_1",
            "f",
            "\n\n#[tokio::test]\nasync fn f() {\n    let n: u8 = 1;\n}",
        );
    }

    const TABLE: &str =
        "#[test_case(3, 30; \"when small\")]\n#[test_case(8, 80)]\nfn f(n: u32, e: u32) {}";

    #[test]
    fn a_row_is_known_by_its_number_or_its_words() {
        let small = "#[test]\n\nfn f() {\n    let n: u32 = 3;\n    let e: u32 = 30;\n}";
        let large = "#[test]\n\nfn f() {\n    let n: u32 = 8;\n    let e: u32 = 80;\n}";
        for path in ["f::test_case_1_when_small", "f::when_small"] {
            check(TABLE, path, "f", small);
        }
        for path in ["f::test_case_2_8_80_expects", "f::_8_80_expects"] {
            check(TABLE, path, "f", large);
        }
    }

    #[test]
    fn an_expected_result_is_compared() {
        check(
            "#[test_case(9 => 90; \"a\")]\n#[test_case(0 => panics)]\nfn f(n: u32) -> u32 { n }",
            "f::a",
            "f_case",
            "\n\nfn f(n: u32) -> u32 { n }\n\n#[test]\nfn f_case() {\n    assert_eq!(f(9), 90);\n}\n",
        );
        check(
            "#[test_case(0 => panics)]\nfn f(n: u32) -> u32 { n }",
            "f::test_case_1",
            "f_case",
            "\nfn f(n: u32) -> u32 { n }\n\n#[test]\n#[should_panic]\nfn f_case() {\n    f(0);\n}\n",
        );
    }

    #[test]
    fn what_is_not_in_the_source_stays() {
        for (text, path) in [
            ("#[rstest] fn f(#[files(\"*.txt\")] p: P) {}", "f::path_1_a"),
            (
                "#[rstest] #[case(1)] fn f(#[case] a: u8, #[case] b: u8) {}",
                "f::case_1",
            ),
            ("#[rstest] #[case(1)] fn f(#[case] a: u8) {}", "f::case_2"),
            (TABLE, "f::other"),
            (
                "#[test_case(1 => matches Some(_))] fn f(n: u8) -> O { n }",
                "f::test_case_1",
            ),
        ] {
            assert_eq!(
                failing_case(text, path, ""),
                FailingCase::Unreadable,
                "{text}"
            );
        }
        assert_eq!(
            failing_case("#[test] fn f() {}", "f", ""),
            FailingCase::Plain
        );
        assert_eq!(failing_case("fn f( {", "f", ""), FailingCase::Plain);
    }
}
