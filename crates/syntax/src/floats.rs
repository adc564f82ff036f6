//! Floats that are written as whole numbers, such as `1f64`. syn takes them for integers with a suffix.

use syn::visit_mut::VisitMut;
use syn::{Lit, LitFloat};

/// The suffixes by which a decimal number is a float.
const FLOATS: [&str; 4] = ["f16", "f32", "f64", "f128"];

/// Returns whether a text may have a literal such as `1f64`.
pub(crate) fn has_some(text: &str) -> bool {
    let bytes = text.as_bytes();
    let may_begin = |at: usize| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        before.is_some_and(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let mut found = text.match_indices('f');
    found.any(|(at, _)| may_begin(at) && FLOATS.iter().any(|one| text[at..].starts_with(one)))
}

/// A visitor that turns literals such as `1f64`, which syn reads as integers, into floats.
pub(crate) struct Floats;

impl VisitMut for Floats {
    fn visit_lit_mut(&mut self, literal: &mut Lit) {
        if let Lit::Int(number) = literal
            && FLOATS.contains(&number.suffix())
        {
            let text = number.to_string();
            // With a base there is no such float, and `0x1f64` is a number as a whole.
            if !["0b", "0o", "0x"].iter().any(|base| text.starts_with(base)) {
                *literal = Lit::Float(LitFloat::new(&text, number.span()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::macro_arguments::MacroArguments;
    use crate::parse::{Parsed, byte_range};
    use syn::Lit;
    use syn::visit::Visit;

    /// The kind of each literal, and where it is.
    #[derive(Default)]
    struct Kinds(Vec<(&'static str, std::ops::Range<usize>)>);

    impl<'a> Visit<'a> for Kinds {
        fn visit_lit(&mut self, literal: &'a Lit) {
            let kind = match literal {
                Lit::Int(_) => "integer",
                Lit::Float(_) => "float",
                _ => "other",
            };
            self.0.push((kind, byte_range(literal)));
        }
    }

    #[track_caller]
    fn check(literal: &str, expected: &str) {
        let text = format!("const A: B = f({literal}, m!({literal}));");
        let parsed = Parsed::new(&text);
        let mut kinds = Kinds::default();
        kinds.visit_file(parsed.file().unwrap());
        let at = text.find(literal).unwrap();
        assert_eq!(kinds.0, [(expected, at..at + literal.len())], "{literal}");
        let mut in_macro = Kinds::default();
        MacroArguments::of(&literal.parse().unwrap()).visit(&mut in_macro);
        assert_eq!(in_macro.0[0].0, expected, "{literal}");
    }

    #[test]
    fn whole_numbers_with_the_suffix_of_a_float_are_floats() {
        for literal in [
            "1f64",
            "1_f32",
            "12_000f16",
            "0f128",
            "1.5",
            "1e3",
            "1e3f32",
        ] {
            check(literal, "float");
        }
        for literal in ["1", "1u8", "0x1f64", "0x1_f32", "0xf32", "1_usize"] {
            check(literal, "integer");
        }
        check("\"1f64\"", "other");
    }
}
