//! What writes the values down. It stands at the end of each file, names everything from its own `extern crate std`, and
//! has nothing unsafe in it.
//!
//! Only values of which the standard library's types are made have a literal. Which they are the compiler says, by the
//! trait that a call without a trait's name finds first (autoref specialisation).

use super::sites::{Site, SiteKind};

/// The variable that has the path of the file to which a program with probes writes.
pub const VALUES_VARIABLE: &str = "CARGO_REDUCE_VALUES";

/// In place of a literal, where a value has none, or not always the same.
pub(super) const NO_LITERAL: &str = "-";

/// What is put in before and after an expression.
pub(super) fn around(idx: usize, site: &Site) -> (String, String) {
    let module = format!("self::{}__reduce_values", "super::".repeat(site.depth));
    let traits = format!("use {module}::{{Literal as _, NoLiteral as _}};");
    let note = |value: &str| format!("{{ {traits} (&{module}::Value({value})).note({idx}); }}");
    match site.kind {
        SiteKind::Value => (
            "(match ".to_owned(),
            format!(" {{ value => {{ {} value }} }})", note("&value")),
        ),
        SiteKind::Place => (
            "(*{ let value = &".to_owned(),
            format!("; {} value }})", note("value")),
        ),
        SiteKind::MovedPlace => (
            "({ let value = ".to_owned(),
            format!("; {} value }})", note("&value")),
        ),
    }
}

/// The module.
pub(super) const MODULE: &str = r#"
#[allow(warnings)]
mod __reduce_values {
    extern crate std;

    use self::std::borrow::ToOwned as _;
    use self::std::cell::RefCell;
    use self::std::clone::Clone as _;
    use self::std::collections::BTreeMap;
    use self::std::format;
    use self::std::io::Write as _;
    use self::std::iter::Iterator as _;
    use self::std::iter::IntoIterator as _;
    use self::std::option::Option::{self, None, Some};
    use self::std::result::Result::{self, Err, Ok};
    use self::std::string::String;
    use self::std::vec::Vec;

    const LONGEST: usize = 1000;

    pub struct Value<'v, T: ?Sized>(pub &'v T);

    pub trait Literal {
        fn note(&self, number: u32);
    }

    pub trait NoLiteral {
        fn note(&self, number: u32);
    }

    impl<'v, T: Written + ?Sized> Literal for Value<'v, T> {
        fn note(&self, number: u32) {
            note(number, self.0.written().filter(|text| text.len() <= LONGEST));
        }
    }

    impl<'a, 'v, T: ?Sized> NoLiteral for &'a Value<'v, T> {
        fn note(&self, _: u32) {}
    }

    self::std::thread_local! {
        static NOTED: RefCell<BTreeMap<u32, Option<String>>> = RefCell::new(BTreeMap::new());
    }

    fn note(number: u32, text: Option<String>) {
        let _ = NOTED.try_with(|noted| {
            if let Ok(mut noted) = noted.try_borrow_mut() {
                if let Some(known) = noted.get(&number) {
                    if *known == text || *known == None {
                        return;
                    }
                    noted.insert(number, None);
                    append(number, "-");
                } else {
                    append(number, text.as_ref().map_or("-", |text| text.as_str()));
                    noted.insert(number, text);
                }
            }
        });
    }

    fn append(number: u32, text: &str) {
        if let Some(path) = self::std::env::var_os("CARGO_REDUCE_VALUES") {
            let mut file = self::std::fs::OpenOptions::new();
            if let Ok(mut file) = file.create(true).append(true).open(path) {
                let _ = file.write_all(format!("{} {}\n", number, text).as_bytes());
            }
        }
    }

    pub trait Written {
        fn written(&self) -> Option<String>;
    }

    macro_rules! numbers {
        ($($number:ident)*) => {
            $(impl Written for $number {
                fn written(&self) -> Option<String> {
                    Some(format!("{}", self))
                }
            })*
        };
    }
    numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

    macro_rules! floats {
        ($($number:ident)*) => {
            $(impl Written for $number {
                fn written(&self) -> Option<String> {
                    match self.is_finite() {
                        true => Some(format!("{:?}", self)),
                        false => None,
                    }
                }
            })*
        };
    }
    floats! { f32 f64 }

    impl Written for bool {
        fn written(&self) -> Option<String> {
            Some(format!("{}", self))
        }
    }

    impl Written for char {
        fn written(&self) -> Option<String> {
            Some(format!("{:?}", self))
        }
    }

    impl Written for self::std::cmp::Ordering {
        fn written(&self) -> Option<String> {
            Some(format!("std::cmp::Ordering::{:?}", self))
        }
    }

    impl Written for str {
        fn written(&self) -> Option<String> {
            Some(format!("{:?}", self))
        }
    }

    impl<'r> Written for &'r str {
        fn written(&self) -> Option<String> {
            (**self).written()
        }
    }

    impl<'a, 'r> Written for &'a &'r str {
        fn written(&self) -> Option<String> {
            Some(format!("&{}", (**self).written()?))
        }
    }

    impl Written for String {
        fn written(&self) -> Option<String> {
            Some(format!("{}.to_string()", self.as_str().written()?))
        }
    }

    macro_rules! references {
        ($($ty:ty)*) => {
            $(impl<'r> Written for &'r $ty {
                fn written(&self) -> Option<String> {
                    Some(format!("&{}", (**self).written()?))
                }
            })*
        };
    }
    references! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char String }

    fn list<'l, T: Written + 'l>(all: &'l [T]) -> Option<String> {
        let mut texts = Vec::new();
        for one in all {
            texts.push(one.written()?);
        }
        Some(texts.join(", "))
    }

    impl<T: Written> Written for Vec<T> {
        fn written(&self) -> Option<String> {
            Some(format!("vec![{}]", list(self)?))
        }
    }

    impl<'r, T: Written> Written for &'r [T] {
        fn written(&self) -> Option<String> {
            Some(format!("&[{}]", list(self)?))
        }
    }

    impl<T: Written> Written for Option<T> {
        fn written(&self) -> Option<String> {
            match self {
                Some(inner) => Some(format!("Some({})", inner.written()?)),
                None => Some(String::from("None")),
            }
        }
    }

    impl<T: Written, E: Written> Written for Result<T, E> {
        fn written(&self) -> Option<String> {
            match self {
                Ok(inner) => Some(format!("Ok({})", inner.written()?)),
                Err(inner) => Some(format!("Err({})", inner.written()?)),
            }
        }
    }

    impl<A: Written, B: Written> Written for (A, B) {
        fn written(&self) -> Option<String> {
            Some(format!("({}, {})", self.0.written()?, self.1.written()?))
        }
    }

    impl<A: Written, B: Written, C: Written> Written for (A, B, C) {
        fn written(&self) -> Option<String> {
            let (a, b, c) = (self.0.written()?, self.1.written()?, self.2.written()?);
            Some(format!("({}, {}, {})", a, b, c))
        }
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_and_its_reader_agree() {
        assert!(MODULE.contains(&format!("var_os(\"{VALUES_VARIABLE}\")")));
        assert!(MODULE.contains(&format!("append(number, \"{NO_LITERAL}\")")));
    }
}
