//! Writes a value that `{:?}` has printed as an expression in the style of one in the source: with its references, suffixes,
//! paths, and calls that make a value of a literal.

use syn::Token;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprPath, ExprStruct, ExprUnary, Lit, Macro, Member, Path, UnOp};

/// Methods, such as `into`, that convert a value to another type.
const CONVERSIONS: [&str; 5] = ["into", "to_owned", "to_string", "to_vec", "as_slice"];

/// Whether an expression is a value in which nothing is computed, such as `[Some(1), None]`.
pub(crate) fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_negative(unary) && is_value(&unary.expr),
        Expr::Paren(inner) => is_value(&inner.expr),
        Expr::Reference(inner) => is_value(&inner.expr),
        Expr::Array(array) => array.elems.iter().all(is_value),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_value),
        Expr::Path(path) => is_of_type(&path.path),
        Expr::Call(call) => called(call).is_some_and(is_of_type) && call.args.iter().all(is_value),
        Expr::Struct(value) => value.fields.iter().all(|field| is_value(&field.expr)),
        Expr::MethodCall(call) => {
            let is_conversion = CONVERSIONS.iter().any(|name| call.method == name);
            is_conversion && call.args.is_empty() && is_value(&call.receiver)
        }
        Expr::Macro(call) => {
            elements_of_vec(&call.mac).is_some_and(|elements| elements.iter().all(is_value))
        }
        _ => false,
    }
}

/// Writes a printed value as an expression in the style of `like`; `None` where that is impossible.
pub(super) fn written(value: &Expr, like: Option<&Expr>) -> Option<String> {
    match like {
        Some(Expr::Paren(paren)) => return written(value, Some(&paren.expr)),
        Some(Expr::Reference(reference)) => {
            let inner = written(value, Some(&reference.expr))?;
            return Some(format!("&{inner}"));
        }
        Some(Expr::MethodCall(call)) if !matches!(value, Expr::Path(_)) => {
            let inner = written(value, Some(&call.receiver))?;
            return Some(format!("{inner}.{}()", call.method));
        }
        // The literal stands in a call such as `String::from("a")`.
        Some(Expr::Call(call)) if matches!(value, Expr::Lit(_)) && call.args.len() == 1 => {
            let inner = written(value, call.args.first())?;
            return Some(format!("{}({inner})", text_of(called(call)?)?));
        }
        Some(Expr::Unary(unary)) if !matches!(value, Expr::Unary(_)) => {
            return written(value, Some(&unary.expr));
        }
        _ => {}
    }
    match value {
        Expr::Lit(literal) => literal_text(&literal.lit, like),
        Expr::Unary(unary) if is_negative(unary) => {
            let like = match like {
                Some(Expr::Unary(like)) => Some(&*like.expr),
                like => like,
            };
            Some(format!("-{}", written(&unary.expr, like)?))
        }
        Expr::Array(array) => array_text(&array.elems, like),
        Expr::Tuple(tuple) => {
            let likes = match like {
                Some(Expr::Tuple(like)) => like.elems.iter().collect(),
                _ => vec![],
            };
            let end = if tuple.elems.len() == 1 { "," } else { "" };
            Some(format!(
                "({}{end})",
                all_written(&tuple.elems, &likes, None)?
            ))
        }
        Expr::Path(ExprPath { path, .. }) => qualified(path, like),
        Expr::Call(call) => call_text(call, like),
        Expr::Struct(value) => struct_text(value, like),
        _ => None,
    }
}

fn literal_text(literal: &Lit, like: Option<&Expr>) -> Option<String> {
    let like = match like {
        Some(Expr::Lit(like)) => Some(&like.lit),
        _ => None,
    };
    Some(match (literal, like) {
        (Lit::Int(number), Some(Lit::Int(like))) => {
            format!("{}{}", number.base10_digits(), like.suffix())
        }
        (Lit::Float(number), Some(Lit::Float(like))) => {
            format!("{}{}", number.base10_digits(), like.suffix())
        }
        (Lit::Int(number), _) => number.base10_digits().to_owned(),
        (Lit::Float(number), _) => number.base10_digits().to_owned(),
        (Lit::Str(text), _) => text.token().to_string(),
        (Lit::ByteStr(text), _) => text.token().to_string(),
        (Lit::Char(char), _) => char.token().to_string(),
        (Lit::Bool(value), _) => value.value.to_string(),
        _ => return None,
    })
}

fn array_text(elements: &Elements, like: Option<&Expr>) -> Option<String> {
    let of_vec = match like {
        Some(Expr::Macro(call)) => elements_of_vec(&call.mac),
        _ => None,
    };
    let likes: Vec<&Expr> = match (like, &of_vec) {
        (Some(Expr::Array(like)), _) => like.elems.iter().collect(),
        (_, Some(elements)) => elements.iter().collect(),
        _ => vec![],
    };
    let inner = all_written(elements, &likes, likes.first().copied())?;
    // A string of bytes is a reference.
    let is_bytes = matches!(like, Some(Expr::Lit(like)) if matches!(like.lit, Lit::ByteStr(_)));
    Some(match (of_vec.is_some(), is_bytes) {
        (true, _) => format!("vec![{inner}]"),
        (false, true) => format!("&[{inner}]"),
        (false, false) => format!("[{inner}]"),
    })
}

fn call_text(call: &ExprCall, like: Option<&Expr>) -> Option<String> {
    let name = called(call)?;
    let same = match like {
        Some(Expr::Call(like)) if called(like).and_then(last) == last(name) => {
            like.args.iter().collect()
        }
        _ => vec![],
    };
    let args = all_written(&call.args, &same, None)?;
    Some(format!("{}({args})", qualified(name, like)?))
}

fn struct_text(value: &ExprStruct, like: Option<&Expr>) -> Option<String> {
    let like_fields = match like {
        Some(Expr::Struct(like)) => Some(&like.fields),
        _ => None,
    };
    if value.dot2_token.is_some() {
        return None;
    }
    let fields = value.fields.iter().map(|field| {
        let Member::Named(name) = &field.member else {
            return None;
        };
        let mut likes = like_fields.into_iter().flatten();
        let like = likes.find(|like| like.member == field.member);
        let text = written(&field.expr, like.map(|like| &like.expr))?;
        Some(format!("{name}: {text}"))
    });
    let fields: Vec<String> = fields.collect::<Option<_>>()?;
    Some(format!(
        "{} {{ {} }}",
        qualified(&value.path, like)?,
        fields.join(", ")
    ))
}

pub(crate) type Elements = Punctuated<Expr, Token![,]>;

/// Writes each value in the style of the one at its index in `likes`, and those after the last in the style of `otherwise`.
fn all_written(values: &Elements, likes: &[&Expr], otherwise: Option<&Expr>) -> Option<String> {
    let values = values.iter().enumerate();
    let texts = values.map(|(idx, value)| written(value, likes.get(idx).copied().or(otherwise)));
    let texts: Vec<String> = texts.collect::<Option<_>>()?;
    Some(texts.join(", "))
}

/// Writes a printed name with the path that another value of its type has: `Shape::Dot` for `Dot`.
fn qualified(name: &Path, like: Option<&Expr>) -> Option<String> {
    let path = match like {
        Some(Expr::Path(path)) => Some(&path.path),
        Some(Expr::Call(call)) => called(call),
        Some(Expr::Struct(value)) => Some(&value.path),
        _ => None,
    };
    let name = text_of(name)?;
    let before = path.and_then(text_of);
    let before = before.as_deref().and_then(|path| path.rsplit_once("::"));
    Some(match before {
        Some((before, _)) if !name.contains("::") => format!("{before}::{name}"),
        _ => name,
    })
}

/// Returns the text of a path without generic arguments.
fn text_of(path: &Path) -> Option<String> {
    let is_plain = path
        .segments
        .iter()
        .all(|segment| segment.arguments.is_none());
    let names = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string());
    let names: Vec<String> = names.collect();
    let start = if path.leading_colon.is_some() {
        "::"
    } else {
        ""
    };
    is_plain.then(|| format!("{start}{}", names.join("::")))
}

/// Whether a path names a type, a variant, a constant, or a member of a type.
fn is_of_type(path: &Path) -> bool {
    let mut names = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string());
    names.any(|name| name.starts_with(char::is_uppercase))
}

fn called(call: &ExprCall) -> Option<&Path> {
    match &*call.func {
        Expr::Path(path) => Some(&path.path),
        _ => None,
    }
}

fn last(path: &Path) -> Option<String> {
    path.segments
        .last()
        .map(|segment| segment.ident.to_string())
}

/// Returns the elements of a `vec![..]`.
pub(crate) fn elements_of_vec(call: &Macro) -> Option<Elements> {
    let is_vec = call.path.is_ident("vec");
    let elements = call.parse_body_with(Elements::parse_terminated).ok();
    elements.filter(|_| is_vec)
}

fn is_negative(unary: &ExprUnary) -> bool {
    matches!(unary.op, UnOp::Neg(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(printed: &str, like: &str, expected: &str) {
        let value = syn::parse_str(printed).unwrap();
        let like: Expr = syn::parse_str(like).unwrap();
        assert!(is_value(&like), "{printed}");
        assert_eq!(written(&value, Some(&like)).as_deref(), Some(expected));
    }

    #[test]
    fn literals_keep_suffixes_references_and_conversions() {
        check("20", "67", "20");
        check("20", "67u64", "20u64");
        check("-20", "67i8", "-20i8");
        check("20", "-67i8", "20i8");
        check("-20", "-67", "-20");
        check("0.5", "1.0f32", "0.5f32");
        check("'\\n'", "'a'", "'\\n'");
        check("true", "false", "true");
        check("\"a\\\"\\u{7}\"", "r\"b\"", "\"a\\\"\\u{7}\"");
        check("\"a\"", "&\"b\"", "&\"a\"");
        check("\"a\"", "\"b\".to_string()", "\"a\".to_string()");
        check("\"a\"", "String::from(\"b\")", "String::from(\"a\")");
        check("[97, 98]", "b\"c\"", "&[97, 98]");
    }

    #[test]
    fn what_has_parts_keeps_how_they_are_written() {
        check(
            "(\"a\", 1)",
            "(\"b\".to_owned(), 2u8)",
            "(\"a\".to_owned(), 1u8)",
        );
        check("(1,)", "(2,)", "(1,)");
        check("[1, 2]", "[3u8]", "[1u8, 2u8]");
        check("[1, 2]", "vec![3u8, 4, 5]", "vec![1u8, 2]");
        check("[]", "vec![1]", "vec![]");
        check(
            "[(1, 2)]",
            "&[(3, 4), (5, 6)][..]".trim_end_matches("[..]"),
            "&[(1, 2)]",
        );
        check("[1]", "vec![2].as_slice()", "vec![1].as_slice()");
    }

    #[test]
    fn names_are_found_where_those_of_the_other_value_are() {
        check("Some(14)", "Some(&11)", "Some(&14)");
        check("None", "Some(&11)", "None");
        check("Some(14)", "None", "Some(14)");
        check("Err(\"a\")", "Ok(11)", "Err(\"a\")");
        check("Red", "Colour::Blue", "Colour::Red");
        check(
            "Red",
            "colours::Colour::Mixed(1, 2)",
            "colours::Colour::Red",
        );
        check("Mixed(1, 2)", "Colour::Blue", "Colour::Mixed(1, 2)");
        check(
            "Price { of: Red, cents: 7 }",
            "Price { cents: 8u64, of: Colour::Blue }",
            "Price { of: Colour::Red, cents: 7u64 }",
        );
    }

    #[test]
    fn what_is_computed_is_no_value() {
        for text in [
            "f(1)",
            "x",
            "1 + 1",
            "\"a\".repeat(2)",
            "vec![f(1)]",
            "a.b()",
            "S { x: y }",
        ] {
            let expr = syn::parse_str(text).unwrap();
            assert!(!is_value(&expr), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_or_no_expression_of_a_value_is_not_written() {
        for text in ["S { x: 1, .. }", "{ }", "1..2", "a + b", "|x| x"] {
            let value = syn::parse_str(text).unwrap();
            assert_eq!(written(&value, None), None, "{text}");
        }
    }
}
