//! The functions of the code under test that a run was in when it panicked, as a backtrace names them. They say which way led
//! to a panic, where nothing else tells one bug from another.

use crate::evidence::backtrace::numbered;
use crate::evidence::program::{Harness, text_after_panic};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The line before the frames of a backtrace.
const BACKTRACE: &str = "stack backtrace:";

/// The functions that count in a backtrace: those of the code under test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CountedFunctions {
    /// The names of the crates that are the code under test.
    pub crates: BTreeSet<String>,
    /// The path of the module of a unit test, whose functions do not count; empty where the test is in none of the crates.
    pub test: String,
}

/// The functions of the code under test that a run is in when it panics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallsToPanic {
    /// The functions that count.
    pub counted: CountedFunctions,
    /// The functions that the run is in, the innermost first. What calls itself is there once.
    pub functions: Vec<String>,
}

/// Returns the variables with which the standard library prints a backtrace of each panic, and errors that are values do not have
/// one.
pub(crate) fn with_backtrace() -> BTreeMap<String, String> {
    let both = [("RUST_BACKTRACE", "1"), ("RUST_LIB_BACKTRACE", "0")];
    both.map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

impl CountedFunctions {
    /// Returns the functions that count of the backtrace of the panic by which a run has failed, from what it has printed. None
    /// where it has printed no backtrace, or the program has no symbols.
    pub(crate) fn in_text(&self, stderr: &str, harness: &Harness) -> Vec<String> {
        let after = text_after_panic(stderr, harness);
        let mut lines = after.lines();
        if lines.next() != Some(BACKTRACE) {
            return Vec::new();
        }
        let mut functions: Vec<String> = Vec::new();
        for frame in numbered(lines) {
            let function = Function::read(frame);
            if !self.counts(&function) {
                continue;
            }
            // How often something calls itself depends on the input.
            match functions.iter().position(|one| *one == function.path) {
                Some(first) => functions.truncate(first + 1),
                None => functions.push(function.path),
            }
        }
        functions
    }

    fn counts(&self, function: &Function) -> bool {
        let is_of_test = |path: &String| {
            let rest = path
                .strip_prefix(&self.test)
                .filter(|_| !self.test.is_empty());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let is_of_crate = |path: &String| {
            let krate = path.split("::").next().unwrap_or_default();
            self.crates.contains(krate)
        };
        !function.owners.iter().any(is_of_test) && function.owners.iter().any(is_of_crate)
    }
}

/// A function as a frame of a backtrace names it.
struct Function {
    /// The function's path without the arguments of types, which depend on the caller.
    path: String,
    /// The paths that say whose the function is: its own; of a method of a trait, those of the type and of the trait.
    owners: Vec<String>,
}

impl Function {
    fn read(frame: &str) -> Self {
        let mut owners = Vec::new();
        let Some(end) = closing(frame) else {
            let path = without_arguments(frame);
            owners.push(path.clone());
            return Self { path, owners };
        };
        let (qualified, rest) = frame.split_at(end);
        let qualified = qualified.strip_prefix('<').unwrap_or(qualified);
        for part in parts(qualified) {
            let plain = without_arguments(part);
            owners.push(plain.trim_start_matches(['&', '*', '(', '[']).to_owned());
        }
        let plain: Vec<String> = parts(qualified)
            .into_iter()
            .map(without_arguments)
            .collect();
        let rest = without_arguments(rest.strip_prefix('>').unwrap_or(rest));
        Self {
            path: format!("<{}>{rest}", plain.join(" as ")),
            owners,
        }
    }
}

/// Returns the place of the bracket that closes the one with which a frame begins, if it begins with one.
fn closing(frame: &str) -> Option<usize> {
    let mut brackets = Brackets::default();
    let is_closing = |(_, c): &(usize, char)| brackets.after(*c) == 0;
    let all = frame.starts_with('<').then(|| frame.char_indices())?;
    let mut all = all;
    all.find(is_closing).map(|(at, _)| at)
}

/// Returns the type, and the trait if there is one, of `TYPE as TRAIT`.
fn parts(qualified: &str) -> Vec<&str> {
    let mut brackets = Brackets::default();
    for (at, c) in qualified.char_indices() {
        if brackets.after(c) == 0
            && let Some(of) = qualified[at..].strip_prefix(" as ")
        {
            return vec![&qualified[..at], of];
        }
    }
    vec![qualified]
}

/// Returns a path without what stands in angle brackets.
fn without_arguments(path: &str) -> String {
    let mut brackets = Brackets::default();
    let mut plain = String::new();
    for c in path.chars() {
        let is_within = brackets.depth > 0;
        if brackets.after(c) == 0 && !is_within {
            plain.push(c);
        }
    }
    plain
        .replace("::::", "::")
        .trim_end_matches("::")
        .to_owned()
}

/// The angle brackets that are open where a name is read.
#[derive(Default)]
struct Brackets {
    depth: usize,
    last: char,
}

impl Brackets {
    /// Reads a character, and returns how many are open after it. The end of an arrow closes nothing.
    fn after(&mut self, c: char) -> usize {
        match c {
            '<' => self.depth += 1,
            '>' if self.last != '-' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.last = c;
        self.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANIC: &str = "thread 't' (7) panicked at /home/user/pool/src/lib.rs:30:41:\n\
        index out of bounds: the len is 2 but the index is 2\n";

    /// Returns the functions of the crate `pool` in a backtrace with these frames; `test` is the path of the test's module.
    fn functions(frames: &[&str], test: &str) -> Vec<String> {
        let frames = frames.iter().enumerate();
        let frames = frames
            .map(|(idx, name)| format!("{idx:4}: {name}\n             at ./src/lib.rs:3:5\n"));
        let note = "note: Some details are omitted\n";
        let stderr = format!("{PANIC}{BACKTRACE}\n{}{note}", frames.collect::<String>());
        in_text(&stderr, test)
    }

    fn in_text(stderr: &str, test: &str) -> Vec<String> {
        let counted = CountedFunctions {
            crates: ["pool".to_owned()].into(),
            test: test.to_owned(),
        };
        let test = "t".to_owned();
        counted.in_text(stderr, &Harness::Libtest { test })
    }

    #[test]
    fn functions_of_the_standard_library_and_of_the_test_do_not_count() {
        let frames = [
            "__rustc::rust_begin_unwind",
            "<usize as core::slice::index::SliceIndex<[T]>>::index_mut",
            "pool::Pool<T>::take_next",
            "<pool::Pool<T> as core::clone::Clone>::clone",
            "<u8 as pool::Key>::number",
            "jobs::Office::step",
            "<fn() -> core::result::Result<(), pool::Full> as core::ops::function::FnOnce<()>>::call_once",
        ];
        let expected = [
            "pool::Pool::take_next",
            "<pool::Pool as core::clone::Clone>::clone",
            "<u8 as pool::Key>::number",
        ];
        assert_eq!(functions(&frames, ""), expected);
    }

    #[test]
    fn the_module_of_a_unit_test_does_not_count() {
        let frames = [
            "pool::tests_of_it::helper",
            "pool::tests::Office::step",
            "<pool::tests::Name as pool::Key>::number",
            "pool::tests",
        ];
        assert_eq!(
            functions(&frames, "pool::tests"),
            ["pool::tests_of_it::helper"]
        );
    }

    #[test]
    fn arguments_of_types_do_not_count() {
        let one = ["<pool::Pool<jobs::Job>>::insert::<u8>::{closure#0}"];
        let other = ["<pool::Pool<(u8, fn() -> u8)>>::insert::<&str>::{closure#0}"];
        assert_eq!(functions(&one, ""), ["<pool::Pool>::insert::{closure#0}"]);
        assert_eq!(functions(&one, ""), functions(&other, ""));
    }

    #[test]
    fn what_calls_itself_counts_once() {
        let frames = [
            "pool::a", "pool::b", "pool::a", "pool::b", "pool::b", "pool::c",
        ];
        assert_eq!(functions(&frames, ""), ["pool::a", "pool::b", "pool::c"]);
    }

    #[test]
    fn without_a_backtrace_of_the_panic_there_are_no_functions() {
        assert!(in_text(PANIC, "").is_empty());
        let of_earlier = format!(
            "thread 't' panicked at src/lib.rs:1:2:\nx\n{BACKTRACE}\n   0: pool::a\n{PANIC}"
        );
        assert!(in_text(&of_earlier, "").is_empty());
    }
}
