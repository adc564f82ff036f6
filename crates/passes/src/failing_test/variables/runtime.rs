//! Writes the code of a probe for variables, and reads what it has recorded. A probe names everything from its own `extern crate
//! std`, and has nothing unsafe in it.
//!
//! The compiler chooses what a probe writes (autoderef specialisation): nothing of an iterator, as its `Debug` shows how it is
//! made; `{:?}` of another type that has `Debug`; nothing of all others. A method that a type does not have is looked for in
//! what it dereferences to.

use std::collections::BTreeMap;

/// The environment variable with the path of the file to which a program with probes for variables writes.
pub const VARIABLES_VARIABLE: &str = "CARGO_REDUCE_VARIABLES";

/// The most values of a variable after a statement that are reported.
pub(super) const MOST_TIMES: usize = 3;

/// Returns the code of the probe with this number, which writes down a variable's value.
pub(super) fn probe(idx: usize, name: &str) -> String {
    format!(
        " {{ {MODULE} __reduce_variables::Value(&{name}, __reduce_variables::Shown(&{name}, __reduce_variables::Opaque)).note({idx}); }}"
    )
}

/// Reads the values that a run has written, by the number of the probe. A last line that is not whole is left out.
pub(super) fn values(record: &[u8]) -> BTreeMap<usize, Vec<String>> {
    let mut values: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let record = String::from_utf8_lossy(record);
    let lines = record.split_inclusive('\n');
    for line in lines.filter_map(|line| line.strip_suffix('\n')) {
        if let Some((idx, value)) = line.split_once(' ')
            && let Ok(idx) = idx.parse()
        {
            values.entry(idx).or_default().push(value.to_owned());
        }
    }
    values
}

/// The module that each probe brings along.
const MODULE: &str = r#"#[allow(warnings)] mod __reduce_variables {
    extern crate std;

    use self::std::fmt::Debug;
    use self::std::format;
    use self::std::io::Write as _;
    use self::std::iter::Iterator as _;
    use self::std::ops::Deref;
    use self::std::string::String;
    use self::std::sync::atomic::{AtomicUsize, Ordering};

    const LONGEST: usize = 160;
    const MOST_TIMES: usize = 3;
    static TIMES: AtomicUsize = AtomicUsize::new(0);

    pub struct Value<'v, T: ?Sized + 'v>(pub &'v T, pub Shown<'v, T>);
    pub struct Shown<'v, T: ?Sized + 'v>(pub &'v T, pub Opaque);
    pub struct Opaque;

    impl<'v, T: self::std::iter::Iterator + ?Sized> Value<'v, T> {
        pub fn note(&self, _: u32) {}
    }

    impl<'v, T: Debug + ?Sized> Shown<'v, T> {
        pub fn note(&self, number: u32) {
            if TIMES.fetch_add(1, Ordering::Relaxed) > MOST_TIMES {
                return;
            }
            let path = match self::std::env::var_os("CARGO_REDUCE_VARIABLES") {
                self::std::option::Option::Some(path) => path,
                self::std::option::Option::None => return,
            };
            let shown = format!("{:?}", self.0);
            let one_line = shown.chars().map(|c| if c.is_control() { ' ' } else { c });
            let mut text: String = one_line.take(LONGEST).collect();
            if text.chars().count() == LONGEST {
                text.push_str(" ..");
            }
            let mut file = self::std::fs::OpenOptions::new();
            if let self::std::result::Result::Ok(mut file) = file.create(true).append(true).open(path) {
                let _ = file.write_all(format!("{} {}\n", number, text).as_bytes());
            }
        }
    }

    impl<'v, T: ?Sized> Deref for Value<'v, T> {
        type Target = Shown<'v, T>;

        fn deref(&self) -> &Shown<'v, T> {
            &self.1
        }
    }

    impl<'v, T: ?Sized> Deref for Shown<'v, T> {
        type Target = Opaque;

        fn deref(&self) -> &Opaque {
            &self.1
        }
    }

    impl Opaque {
        pub fn note(&self, _: u32) {}
    }
}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_and_its_reader_agree() {
        assert!(MODULE.contains(&format!("var_os(\"{VARIABLES_VARIABLE}\")")));
        assert!(MODULE.contains(&format!("const MOST_TIMES: usize = {MOST_TIMES};")));
    }

    #[test]
    fn values_belong_to_the_number_before_them() {
        let read = values(b"1 a b\n0 c\nx\n1 d\n1 not whole");
        let expected = [
            (0, vec!["c".to_owned()]),
            (1, vec!["a b".to_owned(), "d".to_owned()]),
        ];
        assert_eq!(read, BTreeMap::from(expected));
    }
}
