//! Generates the module that is appended to a program with probes, and writes the values down. It stands at the end of each file,
//! and names everything from its own `extern crate std`.
//!
//! Only values of which the standard library's types are made have a literal. Which they are the compiler says, by the
//! trait that a call without a trait's name finds first (autoref specialisation). In a generic function it does not know; there
//! the type's name in the run says it.

use super::sites::{Site, SiteKind};

/// The environment variable with the path of the file to which a program with probes writes.
pub const VALUES_VARIABLE: &str = "CARGO_REDUCE_VALUES";

/// The text that is recorded in place of a literal where a value has none, or not always the same one.
pub(in crate::failing_test) const NO_LITERAL: &str = "-";

/// The mark before the number of a loop where the loop is entered.
pub(super) const ENTERED: &str = ">";

/// The mark before the number of a loop where a round of the loop begins.
pub(in crate::failing_test) const ROUND: &str = ".";

/// The mark before the number of a loop where the loop has come to its end.
pub(in crate::failing_test) const ENDED: &str = "<";

/// The most rounds of a loop that are recorded.
pub(super) const MOST_ROUNDS: usize = 64;

/// Returns the texts that are put before and after the code at a site, to record its value.
pub(super) fn around(idx: usize, site: &Site) -> (String, String) {
    let module = format!("self::{}__reduce_values", "super::".repeat(site.depth));
    let traits = format!("use {module}::{{Copied as _, Literal as _, NoLiteral as _}};");
    let told = |method: &str, value: &str| {
        format!("{{ {traits} (&&{module}::Value({value})).{method}({idx}); }}")
    };
    let note = |value: &str| told("note", value);
    let noted = |note: String| {
        let end = format!(" {{ value => {{ {note} value }} }})");
        ("(match ".to_owned(), end)
    };
    match &site.kind {
        SiteKind::Value => noted(note("&value")),
        SiteKind::Copy => noted(told("note_copy", "&value")),
        SiteKind::Place => (
            "(*{ let value = &".to_owned(),
            format!("; {} value }})", note("value")),
        ),
        // As the last expression of a block, a reference is borrowed again where it would be in place of the block.
        SiteKind::MovedPlace(text) => (
            format!("({{ {} ", note(&format!("&{text}"))),
            " })".to_owned(),
        ),
        SiteKind::Loop => (
            format!("{module}::enter({idx}); "),
            format!(" {module}::round({idx});"),
        ),
        SiteKind::Round => (format!(" {module}::round({idx});"), String::new()),
        SiteKind::End(number) => (String::new(), format!(" {module}::end({number});")),
        SiteKind::Branch => (format!("{{ {module}::branch({idx}); "), " }".to_owned()),
        SiteKind::Entered => (format!(" {module}::branch({idx});"), String::new()),
        SiteKind::NotTaken => (
            String::new(),
            format!(" else {{ {module}::branch({idx}); }}"),
        ),
        SiteKind::Function => (
            format!(" let __reduce_frame = {module}::Frame::of({idx});"),
            String::new(),
        ),
        SiteKind::Closure => (
            format!("{{ let __reduce_frame = {module}::Frame::of({idx}); "),
            " }".to_owned(),
        ),
        SiteKind::TypeOf(None) => (
            "(match ".to_owned(),
            format!(" {{ value => {{ {module}::type_of(&value, {idx}); value }} }})"),
        ),
        SiteKind::TypeOf(Some(name)) => (
            format!(" {module}::type_is::<{name}>({idx});"),
            String::new(),
        ),
        SiteKind::Receiver(text) => (
            format!("(match {{ {} }} {{ () => ", note(&format!("&{text}"))),
            " })".to_owned(),
        ),
        SiteKind::Type(_) => (String::new(), String::new()),
        SiteKind::Bound(name) => (format!(" {}", note(&format!("&{name}"))), String::new()),
    }
}

/// The beginning of the code that writes values of the program's own types.
pub(super) const OWN_TYPES: &str = r#"
#[allow(warnings)]
mod __reduce_own_values {
    use super::*;
    use super::__reduce_values::std;
    use super::__reduce_values::{Copied as _, Literal as _, NoLiteral as _, Value, Written};
    use self::std::clone::Clone as _;
    use self::std::format;
    use self::std::option::Option::{self, None, Some};
    use self::std::string::String;

    macro_rules! part {
        ($field:expr) => {
            match (&&Value($field)).text() {
                Some(text) => text,
                None => return None,
            }
        };
    }
"#;

/// The beginning of the module that is appended to each file and writes values down.
pub(in crate::failing_test) const BEGINNING: &str = r#"
#[allow(warnings)]
mod __reduce_values {
    pub extern crate std;

    use self::std::borrow::ToOwned as _;
    use self::std::cell::RefCell;
    use self::std::clone::Clone as _;
    use self::std::collections::BTreeMap;
    use self::std::default::Default;
    use self::std::any::type_name;
    use self::std::format;
    use self::std::fs::File;
    use self::std::io::Write as _;
    use self::std::iter::Iterator as _;
    use self::std::iter::IntoIterator as _;
    use self::std::ops::FnOnce;
    use self::std::option::Option::{self, None, Some};
    use self::std::result::Result::{self, Err, Ok};
    use self::std::string::String;
    use self::std::vec::Vec;

    const LONGEST: usize = 1000;

    pub struct Value<'v, T: ?Sized>(pub &'v T);

    pub trait Literal {
        fn note(&self, number: u32);
        fn note_copy(&self, _: u32) {}
        fn text(&self) -> Option<String>;
    }

    pub trait Copied {
        fn note(&self, number: u32);
        fn note_copy(&self, number: u32) {
            self.note(number);
        }
        fn text(&self) -> Option<String>;
    }

    pub trait NoLiteral {
        fn note(&self, number: u32);
        fn note_copy(&self, _: u32) {}
        fn text(&self) -> Option<String>;
    }

"#;

/// The part of the module that keeps the values of a run apart.
const RECORDING: &str = r#"    const MOST_NOTED: usize = 256;
    const MOST_ROUNDS: usize = 64;

    impl<'a, 'v, T: Written + ?Sized> Literal for &'a Value<'v, T> {
        fn note(&self, number: u32) {
            note(number, self.text().filter(|text| text.len() <= LONGEST));
        }

        fn text(&self) -> Option<String> {
            self.0.written()
        }
    }

    impl<'v, T: ?Sized> NoLiteral for Value<'v, T> {
        fn note(&self, number: u32) {
            if let Some(text) = self.text() {
                note(number, Some(text).filter(|text| text.len() <= LONGEST));
            }
        }

        fn text(&self) -> Option<String> {
            written_by_name(self.0)
        }
    }

    #[derive(Default)]
    struct State {
        noted: BTreeMap<u32, Noted>,
        /// For each loop, the number of times that it was entered, and that of its rounds.
        loops: BTreeMap<u32, (usize, usize)>,
        /// The number of rounds that all loops together have made.
        time: usize,
        file: Option<File>,
    }

    struct Noted {
        text: Option<String>,
        time: usize,
        times: usize,
    }

    self::std::thread_local! {
        static STATE: RefCell<State> = RefCell::new(State::default());
    }

    fn with_state(work: impl FnOnce(&mut State)) {
        let _ = STATE.try_with(|state| {
            if let Ok(mut state) = state.try_borrow_mut() {
                work(&mut *state);
            }
        });
    }

    pub fn enter(number: u32) {
        with_state(|state| {
            let known = state.loops.entry(number).or_default();
            known.0 += 1;
            if known.0 <= 2 {
                state.append(format!(">{}", number));
            }
        });
    }

    pub fn round(number: u32) {
        with_state(|state| {
            let known = state.loops.entry(number).or_default();
            known.1 += 1;
            if known.0 <= 1 && known.1 <= MOST_ROUNDS + 1 {
                state.time += 1;
                state.append(format!(".{}", number));
            }
        });
    }

    pub fn end(number: u32) {
        with_state(|state| {
            if state.loops.get(&number).map_or(false, |known| known.0 == 1) {
                state.append(format!("<{}", number));
            }
        });
    }

    pub fn branch(number: u32) {
        note(number, Some(String::from("true")));
    }

    fn note(number: u32, text: Option<String>) {
        with_state(|state| {
            let time = state.time;
            let times = match state.noted.get(&number) {
                Some(known) if known.text == text && known.time == time => return,
                Some(known) if known.times > MOST_NOTED => return,
                Some(known) if known.times == MOST_NOTED && known.text == text => return,
                Some(known) => known.times + 1,
                None => 1,
            };
            let is_known = times <= MOST_NOTED;
            let shown = text.as_ref().filter(|_| is_known).map_or("-", |text| text.as_str());
            state.append(format!("{} {}", number, shown));
            state.noted.insert(number, Noted { text, time, times });
        });
    }

    impl State {
        fn append(&mut self, event: String) {
            if self.file.is_none() {
                self.file = opened();
            }
            if let Some(file) = &mut self.file {
                let thread = self::std::thread::current().id();
                let _ = file.write_all(format!("{:?} {}\n", thread, event).as_bytes());
            }
        }
    }

    fn opened() -> Option<File> {
        let path = self::std::env::var_os("CARGO_REDUCE_VALUES")?;
        let mut file = self::std::fs::OpenOptions::new();
        file.create(true).append(true).open(path).ok()
    }

    fn number(text: String, _: &str) -> String {
        text
    }
"#;

/// The rest of the module that writes values down: it knows the literals of the standard library's types.
pub(in crate::failing_test) const WRITING: &str = r#"
    pub trait Written {
        fn written(&self) -> Option<String>;
    }

    macro_rules! numbers {
        ($($number:ident)*) => {
            $(impl Written for $number {
                fn written(&self) -> Option<String> {
                    Some(number(format!("{}", self), stringify!($number)))
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
                        true => Some(number(format!("{:?}", self), stringify!($number))),
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

    /// Returns the literal of a value of which only the run knows that its type has literals, as in a generic function.
    fn written_by_name<T: ?Sized>(value: &T) -> Option<String> {
        written_as(type_name::<T>(), value as *const T as *const ())
    }

    macro_rules! if_named {
        ($name:ident $value:ident: $($ty:ty)*) => {
            $(if $name == type_name::<$ty>() {
                // A type of this name is this type, but for its lifetimes, and the value is only read here.
                return unsafe { &*($value as *const $ty) }.written();
            })*
        };
    }

    macro_rules! if_made_of {
        ($name:ident $value:ident: $($ty:ty)*) => {
            if_named! { $name $value: $($ty &$ty Option<$ty> Vec<$ty>)* }
        };
    }

    fn written_as(name: &str, value: *const ()) -> Option<String> {
        if_made_of! { name value: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char &str String }
        None
    }
}
"#;

/// Returns the text of the module that is appended to each file and writes values down.
pub(super) fn module() -> String {
    [BEGINNING, RECORDING, WRITING].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_and_its_reader_agree() {
        assert!(module().contains(&format!("var_os(\"{VALUES_VARIABLE}\")")));
        assert!(module().contains(&format!("map_or(\"{NO_LITERAL}\", ")));
        assert!(module().contains(&format!("append(format!(\"{ENTERED}{{}}\", number))")));
        assert!(module().contains(&format!("append(format!(\"{ROUND}{{}}\", number))")));
        assert!(module().contains(&format!("append(format!(\"{ENDED}{{}}\", number))")));
        assert!(module().contains(&format!("const MOST_ROUNDS: usize = {MOST_ROUNDS};")));
    }
}
