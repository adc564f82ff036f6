//! The module that is appended to a program with a trace. It writes each event as it comes: what is entered and left, which
//! way a run goes, and the values that expressions have then.

use crate::failing_test::run_values::runtime::{BEGINNING, WRITING};

/// The mark before the number of a function or closure that is entered.
pub(super) const ENTERED: &str = "(";

/// The mark before the number of a function or closure that is left.
pub(super) const LEFT: &str = ")";

/// The mark before the number of a function or closure that is left by a panic.
pub(super) const UNWOUND: &str = "!";

/// The mark before what a value shows that can be copied, and before its type after that.
pub(super) const COPIED: &str = "=";

/// The line after which a trace tells no more of a thread, as too much has happened in it.
pub(super) const CUT: &str = "cut";

/// The module that writes the trace.
pub(super) fn module() -> String {
    [BEGINNING, TRACING, WRITING].concat()
}

const TRACING: &str = r#"
    const MOST_EVENTS: usize = 30_000;

    impl<'a, 'v, T: Written + ?Sized> Literal for &'a Value<'v, T> {
        fn note(&self, number: u32) {
            append_value::<T>(number, self.text());
        }

        fn text(&self) -> Option<String> {
            self.0.written()
        }
    }

    fn append_value<T: ?Sized>(number: u32, text: Option<String>) {
        match text.filter(|text| text.len() <= LONGEST) {
            Some(text) => append(format!("{} {}", number, text)),
            None => append(format!("{} - {}", number, name_of::<T>())),
        }
    }

    const LONGEST_COPY: usize = 200;

    impl<'a, 'b, 'v, T: self::std::marker::Copy + self::std::fmt::Debug> Copied for &'a &'b Value<'v, T> {
        fn note(&self, number: u32) {
            if let Some(text) = self.text().filter(|text| text.len() <= LONGEST) {
                return append(format!("{} {}", number, text));
            }
            let ty = name_of::<T>();
            // A reference is a copy too, and what it shows may be long.
            let shown = match ty.contains(&['&', '\''][..]) {
                true => String::new(),
                false => format!("{:?}", self.0),
            };
            match shown.is_empty() || shown.len() > LONGEST_COPY || shown.contains('\n') {
                true => append(format!("{} - {}", number, ty)),
                false => append(format!("{} = {} = {}", number, shown, ty)),
            }
        }

        fn text(&self) -> Option<String> {
            written_by_name(self.0)
        }
    }

    impl<'v, T: ?Sized> NoLiteral for Value<'v, T> {
        fn note(&self, number: u32) {
            append_value::<T>(number, self.text());
        }

        fn text(&self) -> Option<String> {
            written_by_name(self.0)
        }
    }

    pub struct Frame(u32);

    impl Frame {
        pub fn of(number: u32) -> Self {
            append(format!("({}", number));
            Frame(number)
        }
    }

    impl self::std::ops::Drop for Frame {
        fn drop(&mut self) {
            match self::std::thread::panicking() {
                true => append(format!("!{}", self.0)),
                false => append(format!("){}", self.0)),
            }
        }
    }

    pub fn round(number: u32) {
        append(format!(".{}", number));
    }

    pub fn end(number: u32) {
        append(format!("<{}", number));
    }

    pub fn branch(number: u32) {
        append(format!("{} true", number));
    }

    pub fn type_of<T: ?Sized>(_: &T, number: u32) {
        type_is::<T>(number);
    }

    pub fn type_is<T: ?Sized>(number: u32) {
        append(format!("{} {}", number, name_of::<T>()));
    }

    fn name_of<T: ?Sized>() -> String {
        let this = self::std::module_path!().split("::").next().unwrap_or("");
        type_name::<T>().replace(&format!("{}::", this), "crate::")
    }

    #[derive(Default)]
    struct State {
        n_events: usize,
        file: Option<File>,
    }

    self::std::thread_local! {
        static STATE: RefCell<State> = RefCell::new(State::default());
    }

    fn append(event: String) {
        let _ = STATE.try_with(|state| {
            let Ok(mut state) = state.try_borrow_mut() else { return };
            state.n_events += 1;
            if state.n_events > MOST_EVENTS {
                if state.n_events == MOST_EVENTS + 1 {
                    if let Some(file) = &mut state.file {
                        let _ = file.write_all(b"cut\n");
                    }
                }
                return;
            }
            if state.file.is_none() {
                state.file = opened();
            }
            if let Some(file) = &mut state.file {
                let thread = self::std::thread::current().id();
                let _ = file.write_all(format!("{:?} {}\n", thread, event).as_bytes());
            }
        });
    }

    fn opened() -> Option<File> {
        let path = self::std::env::var_os("CARGO_REDUCE_VALUES")?;
        let mut file = self::std::fs::OpenOptions::new();
        file.create(true).append(true).open(path).ok()
    }

    fn number(text: String, name: &str) -> String {
        match name {
            "i32" => text,
            _ => format!("{}_{}", text, name),
        }
    }

    impl Written for () {
        fn written(&self) -> Option<String> {
            Some(String::from("()"))
        }
    }

    impl<T: Written> Written for self::std::ops::Range<T> {
        fn written(&self) -> Option<String> {
            Some(format!("{}..{}", self.start.written()?, self.end.written()?))
        }
    }

    impl<T: Written, const N: usize> Written for [T; N] {
        fn written(&self) -> Option<String> {
            Some(format!("[{}]", list(&self[..])?))
        }
    }

    impl<'r, T: Written, const N: usize> Written for &'r [T; N] {
        fn written(&self) -> Option<String> {
            Some(format!("&[{}]", list(&self[..])?))
        }
    }

    impl<'r, T: Written> Written for &'r Vec<T> {
        fn written(&self) -> Option<String> {
            Some(format!("&{}", (**self).written()?))
        }
    }

    impl<'r, T: Written> Written for &'r Option<T> {
        fn written(&self) -> Option<String> {
            Some(format!("&{}", (**self).written()?))
        }
    }

    impl Written for self::std::time::Duration {
        fn written(&self) -> Option<String> {
            let (nanos, mut unit) = (self.as_nanos(), (1, "nanos"));
            for longer in [(1_000, "micros"), (1_000_000, "millis"), (1_000_000_000, "secs")] {
                if nanos % longer.0 == 0 {
                    unit = longer;
                }
            }
            Some(format!("std::time::Duration::from_{}({})", unit.1, nanos / unit.0))
        }
    }

    impl<K: Written, V: Written> Written for self::std::collections::BTreeMap<K, V> {
        fn written(&self) -> Option<String> {
            let mut texts = Vec::new();
            for (key, value) in self {
                texts.push(format!("({}, {})", key.written()?, value.written()?));
            }
            Some(format!("std::collections::BTreeMap::from([{}])", texts.join(", ")))
        }
    }

    impl<A: Written, B: Written, C: Written, D: Written> Written for (A, B, C, D) {
        fn written(&self) -> Option<String> {
            let (a, b) = (self.0.written()?, self.1.written()?);
            Some(format!("({}, {}, {}, {})", a, b, self.2.written()?, self.3.written()?))
        }
    }
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_and_its_reader_agree() {
        let module = module();
        for mark in [ENTERED, LEFT, UNWOUND] {
            assert!(module.contains(&format!("append(format!(\"{mark}{{}}\", ")));
        }
        assert!(module.contains(&format!("\"{{}} {COPIED} {{}} {COPIED} {{}}\"")));
        assert!(module.contains(&format!("b\"{CUT}\\n\"")));
    }
}
