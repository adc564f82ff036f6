//! Generates the code by which a probe writes values of the program's own types, as expressions of their definition's form. Only
//! types of the first level of a file are, as those in functions and modules cannot always be named.

use crate::program::SyntaxFile;
use syn::{Fields, GenericParam, Generics, Ident, Item};

/// Returns the code that writes values of a type, for the end of the type's file.
pub(super) fn written(file: SyntaxFile<'_>, item: &Item) -> Option<String> {
    let (name, generics, arms) = match item {
        Item::Struct(one) => {
            let name = one.ident.to_string();
            (&one.ident, &one.generics, vec![arm(&name, &one.fields)])
        }
        Item::Enum(one) => {
            let arm = |variant: &syn::Variant| {
                arm(
                    &format!("{}::{}", one.ident, variant.ident),
                    &variant.fields,
                )
            };
            (
                &one.ident,
                &one.generics,
                one.variants.iter().map(arm).collect(),
            )
        }
        _ => return None,
    };
    let OwnType { declared, named } = OwnType::of(file, name, generics)?;
    let condition = generics.where_clause.as_ref();
    let condition = condition.map_or("", |condition| file.text(condition));
    let arms = arms.join(" ");
    Some(format!(
        "impl<{declared}> Written for {named} {condition} {{ \
         fn written(&self) -> Option<String> {{ match *self {{ {arms} }} }} }}\n\
         impl<'reduce, {declared}> Written for &'reduce {named} {condition} {{ \
         fn written(&self) -> Option<String> {{ (**self).written().map(|text| format!(\"&{{}}\", text)) }} }}\n"
    ))
}

/// The name and the parameters of a type, as they are written in an impl.
struct OwnType {
    /// The generic parameters as an impl declares them.
    declared: String,
    /// The type with its generic arguments, as an impl names it.
    named: String,
}

impl OwnType {
    fn of(file: SyntaxFile<'_>, name: &Ident, generics: &Generics) -> Option<Self> {
        let (mut declared, mut named) = (Vec::new(), Vec::new());
        for one in &generics.params {
            match one {
                GenericParam::Lifetime(one) => {
                    declared.push(file.text(one).to_owned());
                    named.push(one.lifetime.to_string());
                }
                GenericParam::Type(one) => {
                    let bounds = one.bounds.iter().map(|bound| file.text(bound));
                    let bounds: Vec<&str> = bounds.chain(["Written"]).collect();
                    declared.push(format!("{}: {}", one.ident, bounds.join(" + ")));
                    named.push(one.ident.to_string());
                }
                GenericParam::Const(_) => return None,
            }
        }
        Some(Self {
            declared: declared.join(", "),
            named: format!("super::{name}<{}>", named.join(", ")),
        })
    }
}

/// Returns the arm of a `match` for a struct or variant, such as `super::A(ref a0) => ..`.
fn arm(name: &str, fields: &Fields) -> String {
    let pattern = |idx: usize, field: &syn::Field| match &field.ident {
        Some(name) => format!("{name}: ref a{idx}"),
        None => format!("ref a{idx}"),
    };
    let patterns: Vec<String> = (0..)
        .zip(fields)
        .map(|(idx, one)| pattern(idx, one))
        .collect();
    let shown: Vec<String> = fields.iter().map(shown).collect();
    let values: String = (0..fields.len())
        .map(|idx| format!(", part!(a{idx})"))
        .collect();
    let (patterns, shown) = (patterns.join(", "), shown.join(", "));
    match fields {
        Fields::Unit => format!("super::{name} => Some(format!(\"{name}\")),"),
        Fields::Unnamed(_) => {
            format!("super::{name}({patterns}) => Some(format!(\"{name}({shown})\"{values})),")
        }
        Fields::Named(_) => format!(
            "super::{name} {{ {patterns} }} => Some(format!(\"{name} {{{{ {shown} }}}}\"{values})),"
        ),
    }
}

/// Returns the part of a format string that shows a field: `a: {}` or `{}`.
fn shown(field: &syn::Field) -> String {
    match &field.ident {
        Some(name) => format!("{name}: {{}}"),
        None => "{}".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use crate::program::Program;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    fn arms(text: &str) -> Option<String> {
        let path = Utf8PathBuf::from("tests/a.rs");
        let program = Program::new(&SourceTree::single(path, Arc::from(text)));
        let file = program.files().next()?;
        written(file, file.syntax.items.first()?)
    }

    #[track_caller]
    fn check(text: &str, parts: &[&str]) {
        let found = arms(text).unwrap();
        for part in parts {
            assert!(found.contains(part), "no `{part}` in\n{found}");
        }
    }

    #[test]
    fn values_are_made_as_their_type_is_defined() {
        check(
            "struct A { b: u8, c: String }",
            &["super::A { b: ref a0, c: ref a1 } => \
               Some(format!(\"A {{ b: {}, c: {} }}\", part!(a0), part!(a1))),"],
        );
        check(
            "enum A { B(u8), C, D {} }",
            &[
                "super::A::B(ref a0) => Some(format!(\"A::B({})\", part!(a0))),",
                "super::A::C => Some(format!(\"A::C\")),",
                "super::A::D {  } => Some(format!(\"A::D {{  }}\")),",
            ],
        );
    }

    #[test]
    fn parameters_of_types_are_those_of_the_impl() {
        check(
            "struct A<'a, T: B<T>>(&'a T) where T: C;",
            &[
                "impl<'a, T: B<T> + Written> Written for super::A<'a, T> where T: C {",
                "impl<'reduce, 'a, T: B<T> + Written> Written for &'reduce super::A<'a, T> where",
            ],
        );
        assert_eq!(arms("struct A<const N: usize>;"), None);
        assert_eq!(arms("type A = u8;"), None);
    }
}
