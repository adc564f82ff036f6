//! Reads values as `{:?}` prints them, and writes them as Rust expressions, guided by the types that are known of them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use reduce_syntax::{is_punct, split_trees_by_commas};
use syn::{GenericArgument, PathArguments, Type};

/// A guess at the expression for a value of which no type is known. `{:?}` prints a `String` as a `&str`, and a `Vec` as an
/// array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    strings_are_owned: bool,
    lists_are_vectors: bool,
}

/// The guesses that are tried for the type of a printed value, the likeliest first.
pub(super) const GUESSES: [Guess; 3] = [
    Guess {
        strings_are_owned: true,
        lists_are_vectors: true,
    },
    Guess {
        strings_are_owned: false,
        lists_are_vectors: true,
    },
    Guess {
        strings_are_owned: true,
        lists_are_vectors: false,
    },
];

/// Returns the expression for a value that `{:?}` has printed, of type `ty` if that is known. Returns `None` where it cannot be
/// read back.
pub(super) fn expression(printed: &[TokenTree], ty: Option<&Type>, guess: Guess) -> Option<String> {
    if let Some(Type::Reference(reference)) = ty {
        return borrowed(printed, &reference.elem, guess);
    }
    match printed {
        [TokenTree::Literal(literal)] => Some(literal_of(&literal.to_string(), ty, guess)),
        [minus, TokenTree::Literal(number)] if is_punct(minus, '-') => Some(format!("-{number}")),
        [TokenTree::Ident(name)] => name_of(&name.to_string(), ty),
        [TokenTree::Group(group)] => {
            let inner = elements(group.stream());
            match group.delimiter() {
                Delimiter::Parenthesis => tuple(&inner, ty, guess),
                Delimiter::Bracket => list(&inner, ty, guess),
                Delimiter::Brace => collection(&inner, ty, guess),
                Delimiter::None => None,
            }
        }
        [TokenTree::Ident(name), TokenTree::Group(group)] => {
            let name = variant(&name.to_string(), ty);
            let inner = elements(group.stream());
            match group.delimiter() {
                Delimiter::Parenthesis => Some(format!(
                    "{name}({})",
                    all(&inner, ty.map(type_arguments).unwrap_or_default(), guess)?
                )),
                Delimiter::Brace => Some(format!("{name} {{ {} }}", fields(&inner, guess)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Splits a list of printed values at its commas.
pub(super) fn elements(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let elements = split_trees_by_commas(&trees).into_iter();
    elements.map(<[TokenTree]>::to_vec).collect()
}

fn borrowed(printed: &[TokenTree], inner: &Type, guess: Guess) -> Option<String> {
    let is_plain =
        matches!(printed, [TokenTree::Literal(literal)] if literal.to_string().starts_with('"'));
    if is_plain {
        return expression(
            printed,
            None,
            Guess {
                strings_are_owned: false,
                ..guess
            },
        );
    }
    let guess = Guess {
        lists_are_vectors: false,
        ..guess
    };
    let inner = (!matches!(inner, Type::Slice(_))).then_some(inner);
    Some(format!("&{}", expression(printed, inner, guess)?))
}

fn literal_of(literal: &str, ty: Option<&Type>, guess: Guess) -> String {
    let is_owned = match ty.and_then(name) {
        Some(name) => name == "String",
        None => guess.strings_are_owned,
    };
    match literal.starts_with('"') && is_owned {
        true => format!("String::from({literal})"),
        false => literal.to_owned(),
    }
}

/// Returns the expression for a printed name without fields: `true`, `None`, a unit struct, or a variant of the type.
fn name_of(name: &str, ty: Option<&Type>) -> Option<String> {
    match name {
        "NaN" | "inf" => None,
        "true" | "false" | "None" => Some(name.to_owned()),
        _ => Some(variant(name, ty)),
    }
}

/// Returns the path of a variant that `{:?}` has printed without its type.
fn variant(printed: &str, ty: Option<&Type>) -> String {
    let known = ["Some", "Ok", "Err"];
    match ty.and_then(name) {
        Some(name) if name != printed && !known.contains(&printed) => format!("{name}::{printed}"),
        _ => printed.to_owned(),
    }
}

fn tuple(inner: &[Vec<TokenTree>], ty: Option<&Type>, guess: Guess) -> Option<String> {
    let types: Vec<&Type> = match ty {
        Some(Type::Tuple(tuple)) => tuple.elems.iter().collect(),
        _ => vec![],
    };
    let values = all(inner, types, guess)?;
    Some(match inner.len() {
        1 => format!("({values},)"),
        _ => format!("({values})"),
    })
}

fn list(inner: &[Vec<TokenTree>], ty: Option<&Type>, guess: Guess) -> Option<String> {
    let (element, is_vector) = match ty {
        Some(Type::Array(array)) => (Some(&*array.elem), false),
        Some(ty) => (
            type_arguments(ty).first().copied(),
            name(ty).as_deref() == Some("Vec"),
        ),
        None => (None, guess.lists_are_vectors),
    };
    let values = all(
        inner,
        element.into_iter().cycle().take(inner.len()).collect(),
        guess,
    )?;
    Some(match ty {
        Some(Type::Array(_)) => format!("[{values}]"),
        Some(_) if !is_vector => format!("[{values}].into_iter().collect()"),
        _ if is_vector => format!("vec![{values}]"),
        _ => format!("[{values}]"),
    })
}

/// Returns the expression for a printed set or map, whose kind only a known type tells.
fn collection(inner: &[Vec<TokenTree>], ty: Option<&Type>, guess: Guess) -> Option<String> {
    let types = type_arguments(ty?);
    let entries: Option<Vec<String>> = inner
        .iter()
        .map(|entry| match key_and_value(entry) {
            Some((key, value)) => {
                let key = expression(key, types.first().copied(), guess)?;
                Some(format!(
                    "({key}, {})",
                    expression(value, types.get(1).copied(), guess)?
                ))
            }
            None => expression(entry, types.first().copied(), guess),
        })
        .collect();
    Some(format!("[{}].into_iter().collect()", entries?.join(", ")))
}

fn key_and_value(entry: &[TokenTree]) -> Option<(&[TokenTree], &[TokenTree])> {
    let colon = entry.iter().position(|tree| is_punct(tree, ':'))?;
    Some((&entry[..colon], &entry[colon + 1..]))
}

fn fields(inner: &[Vec<TokenTree>], guess: Guess) -> Option<String> {
    let fields: Option<Vec<String>> = inner
        .iter()
        .map(|field| {
            let (name, value) = key_and_value(field)?;
            let [TokenTree::Ident(name)] = name else {
                return None;
            };
            Some(format!("{name}: {}", expression(value, None, guess)?))
        })
        .collect();
    Some(fields?.join(", "))
}

fn all(values: &[Vec<TokenTree>], types: Vec<&Type>, guess: Guess) -> Option<String> {
    let values = values.iter().enumerate();
    let texts = values.map(|(idx, value)| expression(value, types.get(idx).copied(), guess));
    let texts: Option<Vec<String>> = texts.collect();
    Some(texts?.join(", "))
}

/// Returns the last name of a type's path: `HashMap` of `std::collections::HashMap<K, V>`.
fn name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|one| one.ident.to_string()),
        _ => None,
    }
}

/// Returns the types in the angle brackets of a type: `K` and `V` of `HashMap<K, V>`.
pub(super) fn type_arguments(ty: &Type) -> Vec<&Type> {
    let Type::Path(path) = ty else {
        return vec![];
    };
    let last = path.path.segments.last().map(|one| &one.arguments);
    let Some(PathArguments::AngleBracketed(inner)) = last else {
        return vec![];
    };
    let types = inner.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn read(printed: &str, ty: Option<&str>, guess: Guess) -> Option<String> {
        let trees: Vec<TokenTree> = TokenStream::from_str(printed)
            .unwrap()
            .into_iter()
            .collect();
        let ty = ty.map(|ty| syn::parse_str::<Type>(ty).unwrap());
        expression(&trees, ty.as_ref(), guess)
    }

    #[track_caller]
    fn check(printed: &str, ty: &str, expected: &str) {
        let found = read(printed, Some(ty), GUESSES[0]);
        assert_eq!(found.as_deref(), Some(expected), "{printed}: {ty}");
    }

    #[test]
    fn values_are_read_back_as_their_type() {
        check("8", "u32", "8");
        check("-3", "i8", "-3");
        check("-1.5", "f64", "-1.5");
        check("'a'", "char", "'a'");
        check("true", "bool", "true");
        check("\"a\\n\"", "String", "String::from(\"a\\n\")");
        check("\"a\"", "&str", "\"a\"");
        check("[1, 2]", "Vec<u8>", "vec![1, 2]");
        check("[1, 2]", "[u8; 2]", "[1, 2]");
        check("[1, 2]", "&[u8]", "&[1, 2]");
        check("[1, 2]", "VecDeque<u8>", "[1, 2].into_iter().collect()");
        check("[\"a\"]", "Vec<String>", "vec![String::from(\"a\")]");
        check("(1, [2])", "(u8, Vec<u8>)", "(1, vec![2])");
        check("Some([1])", "Option<Vec<u8>>", "Some(vec![1])");
        check("None", "Option<u8>", "None");
        check(
            "{1: \"a\"}",
            "HashMap<u8, String>",
            "[(1, String::from(\"a\"))].into_iter().collect()",
        );
        check("{1, 2}", "BTreeSet<u8>", "[1, 2].into_iter().collect()");
        check("Red", "colours::Colour", "Colour::Red");
        check("Red(1)", "Colour", "Colour::Red(1)");
        check("Point { x: 1, y: -2 }", "Point", "Point { x: 1, y: -2 }");
        check("Wrapping(3)", "Wrapping<u8>", "Wrapping(3)");
    }

    #[test]
    fn of_an_unknown_type_there_are_guesses() {
        let all = |printed| GUESSES.map(|guess| read(printed, None, guess).unwrap());
        let texts = [
            "vec![String::from(\"a\")]",
            "vec![\"a\"]",
            "[String::from(\"a\")]",
        ];
        assert_eq!(all("[\"a\"]"), texts);
        assert_eq!(all("3"), ["3", "3", "3"]);
    }

    #[test]
    fn what_is_no_expression_is_not_read() {
        for printed in ["NaN", "{1, 2}", "a b", "<x>", "", "[inf]", "A { 1 }"] {
            assert_eq!(read(printed, None, GUESSES[0]), None, "{printed}");
        }
    }
}
